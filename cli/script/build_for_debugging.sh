#!/bin/sh
# Builds, for the emulator, the program of a chapter's or an exercise's folder, and links it to where
# .vscode/launch.json looks for it:
#
#   cli/script/build_for_debugging.sh chapters/01_global     build/emulator/debug/01_global
#   cli/script/build_for_debugging.sh exercises/01a_residual build/emulator/debug/01a_residual
#
# The second one is your file, as it is, with the exercise's checks. Exit status 0: built; 1: it does not compile;
# 2: not such a folder.

set -u
unset CDPATH
root=$(cd "$(dirname "$0")/../.." && pwd -P) || exit 1
build=$root/build/emulator

stop() {
  printf 'build_for_debugging: %s\n' "$1" >&2
  exit 2
}

[ $# -eq 1 ] || stop 'want one folder, chapters/NAME or exercises/NAME'
folder=${1#"$root"/}
name=${folder#*/}
case $folder in
  */*/*) stop "$1 is no folder of a chapter or an exercise" ;;
  chapters/[0-9][0-9]_*) target=$name program=$build/chapters/$name ;;
  exercises/[0-9][0-9][a-z]_*) target=exercise_${name%%_*} program=$build/exercises/$name/check ;;
  *) stop "$1 is no folder of a chapter or an exercise" ;;
esac
[ -d "$root/$folder" ] || stop "$1 is not there"

# One at a time, as ./course has it. The lock ends with us.
mkdir -p "$build" || exit 1
exec 9>>"$build/course.lock"
if command -v flock >/dev/null 2>&1; then flock 9; fi
if [ ! -f "$build/CMakeCache.txt" ]; then
  (cd "$root" && cmake --preset emulator) || exit 1
fi
cmake --build "$build" --target "$target" || exit 1
case $folder in
  exercises/*)
    cmake --build "$build" --target course || exit 1
    "$build/bin/course" build-exercise "${name%%_*}" || exit 1
    ;;
esac
mkdir -p "$build/debug" && ln -sf "$program" "$build/debug/$name"
