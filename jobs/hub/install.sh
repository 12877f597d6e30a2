#!/bin/sh
# Makes this machine a hub for a class: as root, on Debian 12, Ubuntu 24.04 or newer, from a checkout of the course.
#
#   jobs/hub/install.sh [EXERCISE...]        what is checked first (01a 02b) is compiled now; without any, all
#   systemctl enable --now course-hub        then students open http://this-machine:8000
#
# It takes what is committed. Everything is in /srv/course (COURSE_HUB): the checkout, an environment of Python's, the
# students' disks, what they hand in. Called again, it brings all of it to the checkout's state; a student's copy
# stays as it is.

set -eu
hub=${COURSE_HUB:-/srv/course}
source=$(cd "$(dirname "$0")/../.." && pwd -P)
stop() {
  echo "install.sh: $1" >&2
  exit 2
}
case ${1-} in
  -h | --help)
    sed -n '2,/^$/s/^# \{0,1\}//p' "$0"
    exit 0
    ;;
esac
[ "$(id -u)" = 0 ] || stop "this takes root: accounts, disks and a service are made"
[ -d /run/systemd/system ] || stop "systemd does not run here: it is what keeps students within their limits"
command -v apt-get >/dev/null || stop "this system has no apt-get; the packages are named in $0"

apt-get install -y -qq --no-install-recommends bubblewrap e2fsprogs git node-configurable-http-proxy python3-venv \
  valgrind >/dev/null
umask 022
mkdir -p "$hub/students" "$hub/handed-in" "$hub/hub"
chmod 711 "$hub/students"
chmod 700 "$hub/handed-in" "$hub/hub"
if [ -d "$hub/course/.git" ]; then
  git -C "$hub/course" pull -q --ff-only
else
  git clone -q --no-hardlinks "$source" "$hub/course"
fi
[ -x "$hub/venv/bin/python" ] || /usr/bin/python3 -m venv "$hub/venv"
"$hub/venv/bin/pip" install -q --disable-pip-version-check -r "$hub/course/jobs/hub/requirements.txt"
"$hub/venv/bin/pip" install -q --disable-pip-version-check --force-reinstall --no-deps "$hub/course/cli/jupyter"
"$hub/course/course" --backend emulator list >/dev/null # installs the packages that building needs
"$hub/course/cli/jupyter/prepare.sh" "$@"
if ! [ -s "$hub/hub/password" ]; then
  (umask 077 && od -An -N6 -tx1 /dev/urandom | tr -d ' \n' >"$hub/hub/password")
fi

cat >/etc/systemd/system/course-hub.service <<END
[Unit]
Description=CUDA, step by step: JupyterHub
After=network.target

[Service]
Environment=COURSE_HUB=$hub PATH=$hub/venv/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
EnvironmentFile=-/etc/default/course-hub
ExecStart=$hub/venv/bin/jupyterhub -f $hub/course/jobs/hub/jupyterhub_config.py
WorkingDirectory=$hub/hub
Restart=on-failure
# Students cannot keep the hub from answering.
CPUWeight=1000
OOMScoreAdjust=-500

[Install]
WantedBy=multi-user.target
END
cat >/etc/systemd/system/students.slice <<END
[Slice]
MemoryMax=85%
TasksMax=20000
END
systemctl daemon-reload
echo "The hub: systemctl enable --now course-hub, then http://$(hostname):8000. The class's password: $hub/hub/password"
