#!/bin/sh
# Records a GPU's own counters for every run of runs.txt, with Nsight Compute: OUT_FOLDER/NAME.json.
#
#   tools/counters/record.sh OUT_FOLDER BUILD_FOLDER
#
# BUILD_FOLDER is a build of the course for the cuda backend. Programs that it lacks (all, if it is empty or
# not there) are first compiled into it with nvcc alone. Needs a GPU, ncu, and the right to read counters.
#   ONLY=07 tools/counters/record.sh ...     the runs whose names start so
set -u
if [ $# -ne 2 ]; then
  echo "usage: $0 OUT_FOLDER BUILD_FOLDER" >&2
  exit 2
fi
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
mkdir -p "$1" "$2/chapters" "$2/tools/counters" || exit 2
out=$(cd "$1" && pwd)
build=$(cd "$2" && pwd)
for tool in ncu nvcc python3; do
  if ! command -v "$tool" >/dev/null; then
    echo "$0: $tool is not on the PATH" >&2
    exit 2
  fi
done

# Our own kernels; a chapter's program also launches those which measure the device, and the library's.
kernels='saxpy|sum_2d|sgemv_|gemm_(swapped|naive|tiled|unroll|early)'
# A chapter's program launches each of its kernels once before it launches any again and again to time it, and
# no more than five of them have the same grid, block and shared memory.
per_shape=6

runs=$(grep -v '^#' "$here/runs.txt" | grep "^${ONLY:-}")

# path_of PROGRAM: where the build has it
path_of() {
  case $1 in
    micro_kernels) echo "$build/tools/counters/$1" ;;
    *) echo "$build/chapters/$1" ;;
  esac
}

# compile PROGRAM: with nvcc, as the chapter's first lines say
compile() {
  options="-std=c++20 -O3 -arch=native -I $root/common"
  case $1 in
    micro_kernels) sources=$here/micro_kernels.cu ;;
    *) sources=$root/chapters/$1/${1#*_}.cu ;;
  esac
  if [ -f "$root/chapters/$1/cpu.cpp" ]; then sources="$sources $root/chapters/$1/cpu.cpp"; fi
  # shellcheck disable=SC2086 # one word an option; the course's own paths have no blanks
  nvcc $options $sources -o "$(path_of "$1")" -lcublas
}

started=$(date +%s)
elapsed() { echo "$(($(date +%s) - started)) s"; }

programs=$(echo "$runs" | awk '{ print $2 }' | sort -u)
jobs=""
for program in $programs; do
  if [ ! -x "$(path_of "$program")" ]; then
    compile "$program" &
    jobs="$jobs $!"
  fi
done
for job in $jobs; do wait "$job" || echo "$0: a program did not compile" >&2; done
echo "record: programs ready after $(elapsed)"

failed=""
while read -r name program options; do
  filter="--kernels $kernels --per-shape $per_shape"
  if [ "$program" = micro_kernels ]; then filter=""; fi
  # shellcheck disable=SC2086 # one word an option
  if python3 "$root/tools/nsight_counters.py" --launches $filter "$out/$name.json" "$(path_of "$program")" \
    $options </dev/null; then
    echo "record: $name done after $(elapsed)"
  else
    failed="$failed $name"
    echo "record: $name FAILED after $(elapsed)"
  fi
done <<END
$runs
END

if [ -n "$failed" ]; then
  echo "$0: no counters for$failed" >&2
  exit 1
fi
echo "record: all done after $(elapsed)"
