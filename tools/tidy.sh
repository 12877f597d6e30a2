#!/bin/sh
# Runs clang-tidy over the course's own code; prints what it finds and fails if it finds anything.
# Not over tests and checks: doctest's macros cost minutes, and clang 14 cannot capture structured bindings.
#
#   tools/tidy.sh BUILD_FOLDER      a configured emulator build (its compile_commands.json is used)
#
# Host code is read as the build compiles it. Kernels are read as clang reads CUDA, with the
# emulator's headers in place of NVIDIA's.
set -eu
if [ $# -ne 1 ] || [ ! -f "$1/compile_commands.json" ]; then
  echo "usage: $0 BUILD_FOLDER (an emulator build, configured)" >&2
  exit 2
fi
build=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."
jobs=$(nproc)

# libbacktrace's header comes with g++, in a folder of its own.
git ls-files '*.cpp' | grep -vE '(^|[/_])test\.cpp$|^exercises/' |
  xargs -P "$jobs" -n 4 clang-tidy --quiet -p "$build" \
    --extra-arg="-idirafter$(g++ -print-file-name=include)" 2>/dev/null
# Not chapters 06 and 07: to clang the emulator's shuffles and atomic operations are host functions,
# which a kernel may not call outside a lambda.
git ls-files 'chapters/*.cu' | grep -vE '_test\.cu$|/(unroll|cublas)\.cu$' |
  xargs -P "$jobs" -n 1 sh -c 'clang-tidy --quiet "$0" -- -x cuda --cuda-host-only -nocudainc -nocudalib \
    -std=c++20 -Icommon -isystem common/emulator/include -include cuda_runtime.h 2>/dev/null'
echo "clang-tidy: clean"
