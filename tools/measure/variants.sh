#!/bin/sh
# Measures variants of the ladder's kernels that the pages speak of: loops unrolled by other factors,
# a width that the compiler does not know, a guard in the wrong place. Each is the chapter's own file
# with a line or two changed. Needs nvcc and a GPU.
#
#   tools/measure/variants.sh FOLDER [options of the chapters]     writes FOLDER/VARIANT.json
#   ONLY=07 tools/measure/variants.sh ...                          that chapter's variants alone
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
if [ $# -lt 1 ]; then
  echo "usage: $0 FOLDER [options of the chapters]" >&2
  exit 2
fi
folder=$1
shift
options=$*
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# wanted NN_NAME: whether this chapter's variants were asked for
wanted() {
  case $1 in "${ONLY:-}"*) return 0 ;; *) return 1 ;; esac
}

# variant NN_NAME "what is different" FILE SED_SCRIPT: builds and runs the chapter after the edit
variant() {
  wanted "$1" || return 0
  name=${1#*_}
  source=$root/chapters/$1/$name.cu
  sed -e "$4" "$source" >"$work/edited.cu"
  if cmp -s "$source" "$work/edited.cu"; then
    echo "$0: the edit for '$name, $2' changes nothing: the chapter's file is no longer what it was" >&2
    exit 1
  fi
  sed -e "s/report.add(\"$name\"/report.add(\"$name, $2\"/" \
    -e "/report.add(\"$name, batched\"/d" "$work/edited.cu" >"$work/$name.cu"
  nvcc -std=c++20 -O3 -arch=native -I "$root/common/lesson" "$work/$name.cu" -o "$work/$name"
  # shellcheck disable=SC2086 # one word an option
  "$work/$name" $options --json "$folder/$3.json"
}

# unroll NN_NAME N...: the kernel's loop over the columns, unrolled by each N
unroll() {
  chapter=$1
  shift
  for steps in "$@"; do
    variant "$chapter" "unroll $steps" "${chapter#*_}_unroll_$steps" \
      "s/^  for (int j = 0/#pragma unroll $steps\\n&/"
  done
}

unroll 01_global 1 2 4 8 16
unroll 02_coalesced 1 2 4 8 16
unroll 03_constant 1 4 8 16 32 64 128
# The last tile's width is known only at run time; here the other tiles' widths are too.
variant 04_shared "width unknown" shared_width_unknown '
  s/for (; n - first >= tile; first += tile)/for (; first < n; first += tile)/
  s/add_tile(first, tile);/add_tile(first, min(tile, n - first));/'
# Each load has a guard and a shuffle of its own, where all loads came first under one guard.
variant 05_shuffle "load by load" shuffle_load_by_load '
  /^    float a\[tile\]/,/^    }/d
  s/^    for (int j = 0; j < width; ++j) sum .*/    for (int j = 0; j < width; ++j) {\
      const float x_j = __shfl_sync(all_lanes, x_lane, j);\
      if (row < m) sum += A[static_cast<size_t>(first + j) * m + row] * x_j;\
    }/'

# ours "what is different" FILE SED_SCRIPT: chapter 07's own kernels after an edit of its headers, at the size
# asked for and at 4096 x 4096
ours() {
  wanted 07_cublas || return 0
  same=yes
  for header in best_columns best_model best_rows best_sgemv last_block rolling; do
    sed -e "$3" "$root/chapters/07_cublas/$header.hpp" >"$work/$header.hpp"
    cmp -s "$root/chapters/07_cublas/$header.hpp" "$work/$header.hpp" || same=no
  done
  if [ "$same" = yes ]; then
    echo "$0: the edit for 'ours, $1' changes nothing: chapter 07's headers are no longer what they were" >&2
    exit 1
  fi
  sed -e "s/\"ours \([a-z]*-major\)\"/\"ours \1, $1\"/" "$root/chapters/07_cublas/cublas.cu" \
    >"$work/cublas.cu"
  nvcc -std=c++20 -O3 -arch=native -I "$root/common/lesson" "$work/cublas.cu" -lcublas -o "$work/cublas"
  # shellcheck disable=SC2086 # one word an option
  "$work/cublas" $options --json "$folder/$2.json"
  # shellcheck disable=SC2086 # one word an option
  "$work/cublas" $options --size 4096 --json "$folder/$2_4096.json"
}

# All kernels in bursts: all loads of a round are used before any of the next is asked for.
ours "in bursts" ours_bursts '
  /^__device__ void roll(/,/^}/s/^        consume(k);/&\n      }\n      for (int k = 0; k < ahead; ++k) {/'
ours "half ahead" ours_half_ahead '
  s/columns_ahead = 8/columns_ahead = 4/
  s/rows == 4 ? 2 : 4/rows == 4 ? 1 : 2/
  s/(float4) ? 4 : 16/(float4) ? 2 : 8/'
ours "twice ahead" ours_twice_ahead '
  s/columns_ahead = 8/columns_ahead = 16/
  s/rows == 4 ? 2 : 4/rows == 4 ? 4 : 8/
  s/(float4) ? 4 : 16/(float4) ? 8 : 32/'
# Strips of 128 rows whatever their number: several blocks share one, and the last adds up.
ours "split" ours_split '
  /strip_candidates<[A-Za-z:]*, \(8\|16\|128\), [0-9]*>(m, n, take);/d'
# Loads that tell the cache that the data is not needed again.
ours "streamed" ours_streamed '
  s/four = \*reinterpret_cast<const float4\*>(column + mine(0));/four = __ldcs(reinterpret_cast<const float4*>(column + mine(0)));/
  s/a_ahead\[k\]\[r\] = \*reinterpret_cast<const float4\*>(a\[r\] + e);/a_ahead[k][r] = __ldcs(reinterpret_cast<const float4*>(a[r] + e));/
  s/a_ahead\[k\] = a\[j\];/a_ahead[k] = __ldcs(a + j);/'

# cached MODE: chapter 14's accesses, all loads of global memory by way of level 1 (ca) or past it (cg)
cached() {
  wanted 14_memory || return 0
  nvcc -std=c++20 -O3 -arch=native -Xptxas "-dlcm=$1" -I "$root/common/lesson" \
    "$root/chapters/14_memory/memory.cu" -o "$work/memory"
  # shellcheck disable=SC2086 # one word an option
  "$work/memory" --part accesses $options --json "$folder/14_memory_$1.json"
}

cached ca
cached cg
