#!/bin/sh
# A machine with systemd to try the hub on: this one, booted in a container whose changes are in a disk of their own. As
# root, on Debian; a machine that was started without systemd, as a container, will do.
#
#   jobs/hub/trial/machine.sh start FOLDER      boots it; FOLDER takes its disk
#   jobs/hub/trial/machine.sh run FOLDER COMMAND...
#   jobs/hub/trial/machine.sh stop FOLDER       ends it, and removes the disk
#
# Needs systemd-nspawn (Debian: systemd-container). The network is this machine's.

set -eu
stop() {
  echo "machine.sh: $1" >&2
  exit 2
}
[ $# -ge 2 ] || stop "want start, run or stop, and a folder"
command -v systemd-nspawn >/dev/null || stop "there is no systemd-nspawn here (Debian: systemd-container)"
[ "$(id -u)" = 0 ] || stop "this takes root"
cd "$(dirname "$0")"
checkout=$(git rev-parse --show-toplevel)
repository=$(git rev-parse --path-format=absolute --git-common-dir)
action=$1 folder=$2
shift 2

# The container's first process, seen from here.
first() { pgrep -P "$(cat "$folder/nspawn.pid")" -x systemd | head -n 1; }
inside() { nsenter --target "$(first)" --all env -i HOME=/root LANG=C.UTF-8 PATH="$PATH" TERM=dumb "$@"; }

case $action in
  start)
    mkdir -p "$folder/disk"
    [ ! -f "$folder/nspawn.pid" ] || stop "$folder has a machine already"
    truncate --size 40G "$folder/disk.img"
    mkfs.ext4 -q -F "$folder/disk.img"
    mount -o loop "$folder/disk.img" "$folder/disk"
    mkdir "$folder/disk/upper" "$folder/disk/work" "$folder/disk/merged"
    mount -t overlay overlay -o "lowerdir=/,upperdir=$folder/disk/upper,workdir=$folder/disk/work" "$folder/disk/merged"
    rm -f "$folder/disk/merged/etc/machine-id"
    setsid systemd-nspawn --quiet --register=no --keep-unit --capability=all --machine=course-hub --boot \
      --bind-ro="$checkout" --bind-ro="$repository" --directory="$folder/disk/merged" \
      >"$folder/boot.log" 2>&1 </dev/null &
    echo $! >"$folder/nspawn.pid"
    for _ in $(seq 60); do
      sleep 1
      state=$(inside systemctl is-system-running 2>/dev/null) || :
      case $state in running | degraded) break ;; esac
    done
    # What limits students: where this machine has the older cgroups, they are read-only in a container.
    # shellcheck disable=SC2016 # the variables are those of the shell inside
    inside sh -c 'mount -o remount,bind,rw /sys/fs/cgroup
      for one in memory pids cpu cpuacct; do mount -o remount,bind,rw /sys/fs/cgroup/$one; done
      systemctl daemon-reexec
      [ -e /dev/loop-control ] || mknod /dev/loop-control c 10 237
      for k in $(seq 0 127); do [ -e /dev/loop$k ] || mknod /dev/loop$k b 7 $k; done'
    inside systemctl is-system-running || :
    ;;
  run)
    inside "$@"
    ;;
  stop)
    # It powers off; then the students' disks are no longer mounted, which takes the kernel a while.
    kill -s RTMIN+4 "$(first)" 2>/dev/null || :
    for _ in $(seq 60); do
      kill -0 "$(cat "$folder/nspawn.pid")" 2>/dev/null || break
      sleep 1
    done
    if mountpoint -q "$folder/disk/merged"; then umount -R "$folder/disk/merged"; fi
    for _ in $(seq 30); do
      ! umount "$folder/disk" 2>/dev/null || break
      sleep 1
    done
    ! mountpoint -q "$folder/disk" || stop "$folder/disk is in use: call again"
    rm -r "$folder"
    ;;
  *) stop "want start, run or stop, got '$action'" ;;
esac
