#!/bin/sh
# Runs the programs of emulator/evidence/corpus/hopper on a Hopper GPU, each in a process of its own, and writes what
# became of each: a line `FILE: NAME: right`, or `wrong, N of M elements`, or `error, ...` in the runtime's
# words, or `timed out`. Where ptxas says that it has put an instruction in by itself, a line says
# which: `FILE: NAME: ptxas adds warpgroup.wait`. Needs nvcc and a GPU of compute capability 9.0; takes
# two minutes, as what hangs does so until the limit.
#
#   emulator/evidence/corpus/hopper.sh BUILD_FOLDER OUT.txt      builds into BUILD_FOLDER, makes it if need be
#   LIMIT=10 emulator/evidence/corpus/hopper.sh ...              seconds for each program (4)
set -eu
if [ $# -ne 2 ]; then
  echo "usage: $0 BUILD_FOLDER OUT.txt" >&2
  exit 2
fi
PATH=$PATH:/usr/local/cuda/bin
for command in nvcc nvidia-smi timeout; do
  if ! command -v "$command" >/dev/null; then
    echo "$0: $command is not there" >&2
    exit 2
  fi
done
# Of several GPUs the programs take the first.
if ! gpu=$(nvidia-smi --id=0 --query-gpu=compute_cap,name,driver_version --format=csv,noheader); then
  echo "$0: there is no GPU: $gpu" >&2
  exit 2
fi
case $gpu in
  9.0,*) ;;
  *)
    echo "$0: wants a GPU of compute capability 9.0, and there is: $gpu" >&2
    exit 2
    ;;
esac
mkdir -p "$1"
build=$(cd "$1" && pwd)
limit=${LIMIT:-4}
sources=$(dirname "$0")/hopper
version=$(nvcc --version | sed -n 's/^Cuda compilation tools, .* V//p')
gpu=${gpu#*, }
{
  echo "${gpu%, *}, driver ${gpu##*, }, nvcc $version, $limit seconds for each"
  for source in "$sources"/*.cu; do
    file=$(basename "$source" .cu)
    if ! nvcc -std=c++20 -gencode arch=compute_90a,code=sm_90a "$source" -o "$build/$file" \
      >"$build/$file.nvcc.txt" 2>&1; then
      echo "$0: $file.cu does not compile:" >&2
      cat "$build/$file.nvcc.txt" >&2
      exit 1
    fi
    # Such a message names a kernel, which is in the case that it belongs to.
    sed -n "s/.* \(warpgroup\.[a-z]*\) is injected .*'_Z[0-9]*\([a-z_]*\).*/\1 \2/p" "$build/$file.nvcc.txt" |
      sort -u | while read -r instruction kernel; do
      name=$(awk -v kernel="$kernel(" '/^\/\/ case: / { name = $3 }
        /__global__/ && index($0, kernel) { print name; exit }' "$source")
      echo "$file: $name: ptxas adds $instruction"
    done
    sed -n 's|^// case: ||p' "$source" | while read -r name; do
      status=0
      timeout -s KILL "$limit" "$build/$file" "$name" >"$build/$name.txt" 2>&1 </dev/null || status=$?
      case $status,$(cat "$build/$name.txt") in
        0,"$name: "* | 1,"$name: "*) echo "$file: $(cat "$build/$name.txt")" ;;
        124,* | 137,*) echo "$file: $name: timed out" ;;
        *) echo "$file: $name: error, exit status $status" ;;
      esac
    done
  done
} >"$2.part"
mv "$2.part" "$2"
