#!/bin/sh
# How much does it matter how many steps of the loop the compiler unrolls? Builds the kernels of
# chapters 01 and 02 with `#pragma unroll N` above the loop and runs each. Needs nvcc and a GPU.
#
#   ./unroll.sh FOLDER [options of the chapters]     writes FOLDER/unroll_N.json and prints the tables
set -eu
here=$(cd "$(dirname "$0")" && pwd)
if [ $# -lt 1 ]; then
  echo "usage: $0 FOLDER [options of the chapters]" >&2
  exit 2
fi
folder=$1
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for chapter in 01_global/global 02_coalesced/coalesced; do
  name=$(basename "$chapter")
  for steps in 1 2 4 8 16; do
    sed -e "s/^  for (int j = 0/#pragma unroll $steps\n&/" \
      -e "s/report.add(\"$name\"/report.add(\"$name, unroll $steps\"/" \
      "$here/../$chapter.cu" >"$work/$name.cu"
    grep -q "pragma unroll $steps" "$work/$name.cu"
    nvcc -std=c++20 -O3 -arch=native -I "$here/../../common" "$work/$name.cu" -o "$work/$name"
    "$work/$name" "$@" --json "$folder/${name}_unroll_$steps.json"
  done
done
