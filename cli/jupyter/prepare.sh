#!/bin/sh
# Builds what the course's notebooks need and makes them, in the folder notebooks: for Binder, a container, a hub.
#
#   cli/jupyter/prepare.sh [EXERCISE...]     the checks of these exercises (01a 02b) are built; without any, of all
#
# What is not built here, a notebook's first check builds.

set -eu
cd "$(dirname "$0")/../.."
build=${COURSE_BUILD_DIR:-build}/emulator
./course --no-install --backend emulator list >/dev/null
targets=$(python3 - "$build/exercises.json" "$@" <<'END'
import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    targets = {one["id"]: one["target"] for one in json.load(file)["exercises"]}
unknown = [word for word in sys.argv[2:] if word not in targets]
if unknown:
    sys.exit(f"prepare.sh: there is no exercise {unknown[0]}")
print(*[targets[word] for word in sys.argv[2:] or targets])
END
)
# shellcheck disable=SC2086 # one word a target
cmake --build "$build" --parallel "${CMAKE_BUILD_PARALLEL_LEVEL:-2}" --target emucc $targets >"$build/prepare.log" ||
  { tail -n 20 "$build/prepare.log" >&2; exit 1; }
./course notebooks notebooks
