#!/bin/sh
# Records a GPU's own counters, with Nsight Compute, for all kernels on which the emulator is held against them: its own
# small ones, and the chapters'. Needs a GPU, ncu, and the right to read counters.
#
#   tools/measure/counters/record_counters.sh OUT_FOLDER BUILD_FOLDER     writes OUT_FOLDER/RUN.json
#   ONLY=07 tools/measure/counters/record_counters.sh ...                 the runs whose names start so
#
# BUILD_FOLDER is a build of the course for the cuda backend. Programs that it lacks (all, if it is empty or not there)
# are first compiled into it with nvcc alone.
set -eu
if [ $# -ne 2 ]; then
  echo "usage: $0 OUT_FOLDER BUILD_FOLDER" >&2
  exit 2
fi
root=$(cd "$(dirname "$0")/../../.." && pwd)
mkdir -p "$1" "$2/chapters" "$2/emulator/evidence/counters"
out=$(cd "$1" && pwd)
build=$(cd "$2" && pwd)

# compile NN_NAME: with nvcc, as the chapter's first lines say
compile() {
  folder=$root/chapters/$1
  set -- "$1" "$folder/${1#*_}.cu"
  if [ -f "$folder/cpu.cpp" ]; then set -- "$@" "$folder/cpu.cpp"; fi
  program=$1
  shift
  nvcc -std=c++20 -O3 -arch=native -I "$root/common/lesson" "$@" -o "$build/chapters/$program" -lcublas
}

status=0
"$root/emulator/evidence/counters/record.sh" "$out" "$build/emulator/evidence/counters" || status=$?
if [ $status -eq 2 ]; then exit 2; fi  # something is missing here

jobs=""
for file in "$root"/chapters/*/counted_runs.txt; do
  chapter=$(basename "$(dirname "$file")")
  grep -q "^${ONLY:-}" "$file" || continue
  [ ! -x "$build/chapters/$chapter" ] || continue
  compile "$chapter" &
  jobs="$jobs $!"
done
for job in $jobs; do wait "$job" || echo "$0: a chapter did not compile" >&2; done

# A chapter's program also launches kernels that measure the device, and the library's: only ours count, by their whole
# names. It launches each of them once before it launches any again and again to time it, and no more than twenty of
# these launches have the same grid, block and shared memory.
ours=$(cat "$root"/chapters/*/*.cu "$root"/chapters/*/*.hpp | tr -s '\n ' '  ' |
  grep -oE '__global__ void( __launch_bounds__\(([^()]|\([^()]*\))*\))? [A-Za-z0-9_]+\(' |
  grep -oE '[A-Za-z0-9_]+\($' | tr -d '(' | sort -u | paste -sd '|')
"$root/emulator/evidence/counters/record.sh" --kernels "^($ours)\$" --per-shape 20 "$out" "$build/chapters" \
  "$root"/chapters/*/counted_runs.txt || status=$?
exit $status
