#!/bin/sh
# Counts what nvcc makes of chapter 09's loops after the edits that its tasks ask for. Needs nvcc and cuobjdump, no GPU.
#
#   tools/measure/machine_code_variants.sh FOLDER     writes FOLDER/09_VARIANT.json
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
if [ $# -ne 1 ]; then
  echo "usage: $0 FOLDER" >&2
  exit 2
fi
mkdir -p "$1"
folder=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/chapters" "$work/common" "$work/tools/measure"
cp -r "$root/common/lesson" "$work/common"
cp -r "$root/chapters/09_gemm_unroll" "$work/chapters"
cp "$root/tools/measure/machine_code.py" "$work/tools/measure"

# variant FILE KERNELS SED_SCRIPT: counts in the kernels whose names match, after the edit
variant() {
  source=$root/chapters/09_gemm_unroll/gemm_unroll.cu
  sed -e "$3" "$source" >"$work/chapters/09_gemm_unroll/gemm_unroll.cu"
  if cmp -s "$source" "$work/chapters/09_gemm_unroll/gemm_unroll.cu"; then
    echo "$0: the edit for '$1' changes nothing: the chapter's file is no longer what it was" >&2
    exit 1
  fi
  python3 "$work/tools/measure/machine_code.py" 09_gemm_unroll "$2" --json "$folder/09_$1.json"
}

for steps in 2 4 8 16; do
  variant "rolled_$steps" Rolled "/struct Rolled/,/^};/s/#pragma unroll 1/#pragma unroll $steps/"
done
variant by_hand_8 ByHand '
  s/p + 3 < tile; p += 4/p + 7 < tile; p += 8/
  /sum += A_tile\[y\]\[p + 3\]/a\
      sum += A_tile[y][p + 4] * B_tile[p + 4][x];\
      sum += A_tile[y][p + 5] * B_tile[p + 5][x];\
      sum += A_tile[y][p + 6] * B_tile[p + 6][x];\
      sum += A_tile[y][p + 7] * B_tile[p + 7][x];'
variant two_sums ByPragma '
  /struct ByPragma/,/^};/{
    s/^#pragma unroll/    float odd = 0.0F;\n&/
    s/; ++p) sum += A_tile\[y\]\[p\] \* B_tile\[p\]\[x\];/; p += 2) {\
      sum += A_tile[y][p] * B_tile[p][x];\
      odd += A_tile[y][p + 1] * B_tile[p + 1][x];\
    }/
    s/return sum;/return sum + odd;/
  }'
