#!/bin/sh
# Records a GPU's own counters for every run of some files, with Nsight Compute: OUT_FOLDER/NAME.json.
#
#   emulator/evidence/counters/record.sh [--kernels REGEX] [--per-shape N] OUT_FOLDER PROGRAMS_FOLDER [RUNS_FILE...]
#
# A file of runs is written as runs.txt beside this script, which is the one if none is given. PROGRAMS_FOLDER holds
# the programs, built for the GPU; of those that it lacks PROGRAM.cu beside the file of runs is first compiled into it,
# with nvcc alone. Needs a GPU, ncu, and the right to read counters.
#
#   --kernels REGEX   only kernels whose name matches, where a program also launches others
#   --per-shape N     only the first N launches with the same grid, block and shared memory, where a program repeats
#                     its launches
#   ONLY=07 emulator/evidence/counters/record.sh ...     the runs whose names start so
set -u
here=$(cd "$(dirname "$0")" && pwd)
kernels=
per_shape=0
while [ $# -gt 1 ]; do
  case $1 in
    --kernels) kernels=$2 ;;
    --per-shape) per_shape=$2 ;;
    *) break ;;
  esac
  shift 2
done
case ${1:--} in -*) set -- ;; esac
if [ $# -lt 2 ]; then
  echo "usage: $0 [--kernels REGEX] [--per-shape N] OUT_FOLDER PROGRAMS_FOLDER [RUNS_FILE...]" >&2
  exit 2
fi
for tool in ncu python3; do
  if ! command -v "$tool" >/dev/null; then
    echo "$0: $tool is not on the PATH" >&2
    exit 2
  fi
done
mkdir -p "$1" "$2" || exit 2
out=$(cd "$1" && pwd)
programs=$(cd "$2" && pwd)
shift 2
[ $# -gt 0 ] || set -- "$here/runs.txt"

started=$(date +%s)
elapsed() { echo "$(($(date +%s) - started)) s"; }

# runs_of FILE: the runs that are wanted
runs_of() { grep -v '^#' "$1" | grep "^${ONLY:-}" | grep . || true; }

jobs=""
for file in "$@"; do
  if [ ! -r "$file" ]; then
    echo "$0: $file cannot be read" >&2
    exit 2
  fi
  for program in $(runs_of "$file" | awk '{ print $2 }' | sort -u); do
    [ ! -x "$programs/$program" ] || continue
    source=$(dirname "$file")/$program.cu
    if [ ! -f "$source" ] || ! command -v nvcc >/dev/null; then
      echo "$0: $programs has no program $program; it takes nvcc, and $source" >&2
      exit 2
    fi
    nvcc -std=c++20 -O3 -arch=native "$source" -o "$programs/$program" &
    jobs="$jobs $!"
  done
done
for job in $jobs; do wait "$job" || echo "$0: a program did not compile" >&2; done
echo "record: programs ready after $(elapsed)"

failed=""
for file in "$@"; do
  while read -r name program options; do
    [ -n "$name" ] || continue
    # shellcheck disable=SC2086 # one word an option
    if python3 "$here/nsight_counters.py" --kernels "$kernels" --per-shape "$per_shape" \
      "$out/$name.json" "$programs/$program" $options </dev/null; then
      echo "record: $name done after $(elapsed)"
    else
      failed="$failed $name"
      echo "record: $name FAILED after $(elapsed)"
    fi
  done <<END
$(runs_of "$file")
END
done

if [ -n "$failed" ]; then
  echo "$0: no counters for$failed" >&2
  exit 1
fi
echo "record: all done after $(elapsed)"
