#!/bin/sh
# Records what a GPU makes of the products of matrix_products.cu, further_products.cu and warpgroup_products.cu, and
# which lane holds what of wmma's fragments (wmma_fragments.cu), and says how to see whether it is the same on the
# emulator.
#
#   emulator/evidence/matrices/record.sh [OUT_FOLDER]
#
# OUT_FOLDER/products.txt, further_products.txt, warpgroup_products.txt, warpgroup_bytes.txt and wmma_fragments.txt are
# written; without it the folder is nvidia-h200 beside this script. Needs a GPU of compute capability 9.0, and nvcc. It
# takes three minutes, nearly all of them nvcc's.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
case ${1:-} in
  -*)
    echo "usage: $0 [OUT_FOLDER]" >&2
    exit 2
    ;;
esac
out=${1:-$here/nvidia-h200}
if ! command -v nvcc >/dev/null; then
  echo "$0: nvcc is not on the PATH" >&2
  exit 2
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
nvcc -std=c++20 -O3 -arch=native "$here/matrix_products.cu" -o "$folder/matrix_products"
hopper="-gencode arch=compute_90a,code=sm_90a"
for program in further_products warpgroup_products wmma_fragments; do
  # shellcheck disable=SC2086 # the options are several words
  nvcc -std=c++20 -O3 $hopper "$here/$program.cu" -o "$folder/$program"
done
# shellcheck disable=SC2086
nvcc -std=c++20 -O3 $hopper -DMATRICES_OF_BYTES "$here/warpgroup_products.cu" -o "$folder/warpgroup_bytes"
"$folder/matrix_products" >"$folder/products.txt"
"$folder/further_products" >"$folder/further_products.txt"
"$folder/warpgroup_products" >"$folder/warpgroup_products.txt"
"$folder/warpgroup_bytes" >"$folder/warpgroup_bytes.txt"
"$folder/wmma_fragments" >"$folder/wmma_fragments.txt"
mkdir -p "$out"
for file in products.txt further_products.txt warpgroup_products.txt warpgroup_bytes.txt wmma_fragments.txt; do
  mv "$folder/$file" "$out/$file"
  echo "record: $(wc -l <"$out/$file") lines in $out/$file"
done
echo "record: now, where the emulator is built: ctest --preset emulator -C all -R 'emulator.(matrix_|further_|warpgroup_)(prod|bytes)|emulator.wmma_fragments'"
