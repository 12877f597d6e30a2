#!/usr/bin/env bash
# Grades in Gradescope's container: grade.sh [OPTION...], as `./course grade` with the exercises and options of the file
# `arguments` before them.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
mapfile -t arguments <"$here/arguments"
# A container that may make no namespaces cannot isolate a submission within itself.
bwrap --unshare-all --ro-bind / / --dev /dev true 2>/dev/null || arguments+=(--trust)
exec "$here/course/course" --backend emulator grade "${arguments[@]}" "$@"
