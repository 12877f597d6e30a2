#!/bin/sh
# Runs the small programs of emulator/evidence/corpus/bugs, .../correct and .../order under the four tools of
# NVIDIA's compute-sanitizer, and writes what each tool found in each program. Needs a GPU and the
# CUDA toolkit; 150 programs take a few minutes on 16 cores. A file of order/ holds several programs:
# order/FILE:NAME is the one that runs when the file is called with that name.
#
#   emulator/evidence/corpus/sanitizers.sh BUILD_FOLDER OUT.json      builds into BUILD_FOLDER, makes it if need be
#   ONLY=race_ emulator/evidence/corpus/sanitizers.sh ...             the programs alone whose names begin like that
#   LIMIT=300 emulator/evidence/corpus/sanitizers.sh ...              no run starts after N seconds (540)
#
# The tools' own words stay in BUILD_FOLDER/{bugs,correct,order}/NAME.TOOL.txt, and
# emulator/evidence/corpus/sanitizers.py BUILD_FOLDER OUT.json reads them once more. `plain` is the program by itself.
set -eu
if [ $# -ne 2 ]; then
  echo "usage: $0 BUILD_FOLDER OUT.json" >&2
  exit 2
fi
PATH=$PATH:/usr/local/cuda/bin
for command in nvcc compute-sanitizer nvidia-smi python3 timeout xargs; do
  if ! command -v "$command" >/dev/null; then
    echo "$0: $command is not there" >&2
    exit 2
  fi
done
mkdir -p "$1/bugs" "$1/correct" "$1/order"
build=$(cd "$1" && pwd)
out=$2
start=$(date +%s)
deadline=$((start + ${LIMIT:-540}))
here=$(cd "$(dirname "$0")" && pwd)
jobs=$(nproc)
arch=sm_$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader | head -n 1 | tr -d '. ')
{
  compute-sanitizer --version | sed -n 's/^Version /compute-sanitizer /p'
  nvidia-smi --query-gpu=name --format=csv,noheader | head -n 1
} >"$build/about.txt"

cd "$here"
files=$(find bugs correct order -name "${ONLY:-}*.cu" | sort)
if [ -z "$files" ]; then
  echo "$0: there is no file ${ONLY:-}*.cu in bugs, correct or order" >&2
  exit 2
fi
# A program is bugs/NAME, whatever the room that its file is in.
programs=$(for file in $files; do
  program=${file%%/*}/$(basename "$file" .cu)
  case $file in
    order/*) sed -n "s|^// case: |$program:|p" "$file" ;;
    *) echo "$program" ;;
  esac
done)
# What an earlier run left here is not this one's.
find "$build/bugs" "$build/correct" "$build/order" -type f -exec rm -f {} +

# memcheck looks for leaks when the CUDA context is destroyed, which a program does not do by itself.
# After an error it would call leaked what the program had no chance to free. Linked last, this file's
# function is the first to run at exit.
cat >"$build/at_exit.cu" <<'END'
#include <cuda_runtime.h>

#include <cstdlib>

static const int registered = std::atexit([] {
  if (cudaPeekAtLastError() == cudaSuccess) cudaDeviceReset();
});
END
nvcc -std=c++20 -arch="$arch" -c "$build/at_exit.cu" -o "$build/at_exit.o"

export build arch deadline
echo "compiling $(echo "$files" | wc -l) files with $(echo "$programs" | wc -l) programs for $arch"
# shellcheck disable=SC2016 # the inner shell's variables
echo "$files" | xargs -P "$jobs" -n 1 sh -c '
  program=$build/${0%%/*}/$(basename "$0" .cu)
  nvcc -std=c++20 -lineinfo -arch="$arch" "$0" "$build/at_exit.o" -o "$program" \
    >"$program.nvcc.txt" 2>&1 || { echo "$0 does not compile:"; cat "$program.nvcc.txt"; }'

# run PROGRAM TOOL: one run, 20 seconds at most. `slot` is the number of the parallel run, for a range
# of ports of its own: compute-sanitizer and its program talk over one of them.
cat >"$build/run.sh" <<'END'
program=$build/$1
executable=${program%%:*}
argument=${program#"$executable"}
argument=${argument#:}
[ -x "$executable" ] || exit 0
[ "$(date +%s)" -lt "$deadline" ] || exit 0
set -- "$2"
case $1 in
  plain) set -- ;;
  memcheck) set -- --tool memcheck --leak-check full --track-stream-ordered-races all ;;
  racecheck) set -- --tool racecheck --racecheck-num-workers 2 ;;
  *) set -- --tool "$1" ;;
esac
tool=${2:-plain}
if [ $# -gt 0 ]; then
  set -- compute-sanitizer "$@" --port $((49152 + 32 * ${slot:-0})) --max-connections 32 \
    --show-backtrace no
fi
status=0
timeout -k 2 20 "$@" "$executable" ${argument:+"$argument"} >"$program.$tool.txt" 2>&1 </dev/null || status=$?
echo "$status" >"$program.$tool.status"
END

# One program first: where the tools cannot work at all, the rest of the time need not be spent.
for program in $programs; do
  if [ -x "$build/${program%%:*}" ]; then first=$program; fi
done
deadline=$((start + 3600)) sh "$build/run.sh" "$first" memcheck
if ! grep -q 'ERROR SUMMARY: [0-9]' "$build/$first.memcheck.txt"; then
  echo "$0: compute-sanitizer does not work here; of $first it says:" >&2
  cat "$build/$first.memcheck.txt" >&2
  exit 1
fi
for program in $programs; do
  for tool in plain memcheck racecheck initcheck synccheck; do echo "$program $tool"; done
done | xargs -P "$jobs" --process-slot-var=slot -n 2 sh "$build/run.sh"

echo "took $(($(date +%s) - start)) s"
cd - >/dev/null
"$here/sanitizers.py" "$build" "$out"
