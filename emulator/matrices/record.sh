#!/bin/sh
# Records what a GPU makes of the products of matrix_products.cu, and says whether the emulator's are the same.
#
#   emulator/matrices/record.sh [OUT_FOLDER]
#
# OUT_FOLDER/products.txt is written; without it the folder nvidia-h200 beside this script. Needs a GPU of compute
# capability 9.0, and nvcc. It takes some seconds.
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
"$folder/matrix_products" >"$folder/products.txt"
mkdir -p "$out"
mv "$folder/products.txt" "$out/products.txt"
echo "record: $(grep -c '^series' "$out/products.txt") series in $(wc -c <"$out/products.txt") bytes"
echo "record: now, where the emulator is built: ctest --preset emulator -R emulator.matrix_products"
