#!/bin/sh
# Runs clang-tidy over the course's own code; prints what it finds and fails if it finds anything.
# Not over tests and checks: doctest's macros cost minutes, and clang 14 cannot capture structured bindings.
#
#   tools/tidy.sh BUILD_FOLDER [COMMIT]   a configured emulator build (its compile_commands.json is used);
#                                         with a commit: only files that have changed since
#
# Host code is read as the build compiles it. Kernels are read as clang reads CUDA, with the
# emulator's headers in place of NVIDIA's.
set -eu
if [ $# -lt 1 ] || [ $# -gt 2 ] || [ ! -f "$1/compile_commands.json" ]; then
  echo "usage: $0 BUILD_FOLDER (an emulator build, configured) [COMMIT]" >&2
  exit 2
fi
since=${2-}
build=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."
jobs=$(nproc)
# The build's commands, without an option of g++'s that clang does not know.
commands=$(mktemp -d)
trap 'rm -rf "$commands"' EXIT
sed 's/ -fcx-fortran-rules//' "$build/compile_commands.json" >"$commands/compile_commands.json"

# The files of a kind: all, or those that have changed.
files() {
  if [ -n "$since" ]; then
    git diff --name-only --diff-filter=d "$since" -- "$1"
  else
    git ls-files "$1"
  fi
}

# libbacktrace's header comes with g++, in a folder of its own.
# The benchmark's OpenCL program is not part of a build, and what records a GPU's timeline none of this one: few
# machines have what they need. What says that cuTENSOR is missing is built for a GPU alone.
files '*.cpp' | { grep -vE '(^|[/_])test\.cpp$|^exercises/|/bench_opencl\.cpp$|^tools/timeline/recorder\.cpp$|^cmake/without_cutensor\.cpp$' || :; } |
  xargs -r -P "$jobs" -n 4 clang-tidy --quiet -p "$commands" \
    --extra-arg="-idirafter$(g++ -print-file-name=include)" 2>/dev/null
# Not chapters 06, 07, 10 to 13, 17, and 20 to 30: to clang the emulator's shuffles, atomic operations,
# asynchronous copies and fmaf() are host functions, which a kernel may not call outside a lambda or a template. Nor
# chapter 18: clang 14 crashes over std::map with classes of OpenCL, where kernels are. Nor what lists a chapter's
# kernels for `course measure`: it runs nothing.
files 'chapters/*.cu' | { grep -vE '_test\.cu$|/(unroll|cublas|reduction|transpose|stencil|warp|cutensor|opencl|gemm_pipeline|tensor_cores|hopper|more|scan|histogram|sort|sparse|rows|attention|fp32_on_tensor_cores|several_gpus|measure)\.cu$' || :; } |
  build="$build" xargs -r -P "$jobs" -n 1 sh -c 'clang-tidy --quiet "$0" -- -x cuda --cuda-host-only -nocudainc \
    -nocudalib -std=c++20 -Icommon/lesson -isystem emulator/include -isystem "$build/emulator/forwarding_headers" \
    -include cuda_runtime.h 2>/dev/null'
echo "clang-tidy: clean"
