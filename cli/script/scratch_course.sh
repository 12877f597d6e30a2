# What the tests of ./course share: machines that lack things, each a folder of stand-ins that is all of PATH. Nothing is
# installed, no network is touched, and all of it happens in a scratch copy. A test sources this.
# shellcheck shell=sh disable=SC2034 # what is set here is read by the tests

set -u
unset CDPATH COURSE_BACKEND COURSE_BUILD_DIR CXX CUDACXX CUDA_PATH CUDA_HOME CMAKE_PREFIX_PATH CMAKE_GENERATOR
checkout=$(cd "$(dirname "$0")/../.." && pwd -P) || exit 1
work=$(mktemp -d "${TMPDIR:-/tmp}/course-script-test.XXXXXX") || exit 1
work=$(cd "$work" && pwd -P)
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
chmod 755 "$work"

# What the stand-ins hand over to.
real_gxx=
for candidate in g++ g++-14 g++-13 g++-12 g++-11; do
  [ -n "$real_gxx" ] || real_gxx=$(command -v $candidate || true)
done
real_cmake=$(command -v cmake)
real_ninja=$(command -v ninja || true)
real_make=$(command -v make || true)
if [ -z "$real_gxx" ] || [ -z "$real_cmake" ] || [ -z "$real_ninja" ]; then
  echo "g++, cmake and ninja are needed to run this test"
  exit 77
fi
# The stand-ins cover programs; the libraries are this machine's own.
(
  # shellcheck source=cli/script/machine.sh
  . "$checkout/cli/script/machine.sh"
  gxx_command=$real_gxx
  while read -r name header package; do
    find_library "$name" "$header" </dev/null
    if [ "$library_state" != ok ]; then
      echo "SKIPPED: $name ($package) is needed to run this test, and it is $library_state"
      exit 77
    fi
  done <<END
$libraries
END
  [ -z "$scratch_dir" ] || rm -rf "$scratch_dir"
) || exit

# --------------------------------------------------------------------------------------------------------------------
# The scratch copy: our script with a small project behind it, whose program prints its arguments.

copy="$work/a checkout"
mkdir -p "$copy/cli/script" "$copy/cmake"
cp "$checkout/course" "$copy/"
cp "$checkout"/cli/script/*.sh "$copy/cli/script/"
cp -r "$checkout/cli/help" "$copy/cli/"
cp "$checkout/cmake/backend.cmake" "$copy/cmake/"
cat >"$copy/CMakePresets.json" <<'END'
{"version": 6, "configurePresets": [
  {"name": "emulator", "binaryDir": "${sourceDir}/build/emulator", "cacheVariables": {"COURSE_BACKEND": "emulator"}}]}
END
write_project() {
  cat >"$copy/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.25)
project(scratch VERSION 9.8 LANGUAGES CXX)
$1
include(cmake/backend.cmake)
course_choose_backend(backend reason)
add_executable(course main.cpp)
target_compile_options(course PRIVATE -Werror) # a command line that speaks of errors
set_target_properties(course PROPERTIES RUNTIME_OUTPUT_DIRECTORY \${CMAKE_BINARY_DIR}/bin)
END
}
write_program() {
  cat >"$copy/main.cpp" <<END
#include <cstdio>
int main(int count, char** words) {
  for (int k = 1; k < count; ++k) std::printf("[%s]", words[k]);
  std::printf("\\n");
  $1
}
END
}
write_project ""
write_program "return 42;"

# --------------------------------------------------------------------------------------------------------------------
# Machines.

machine=$work/machine
# An empty machine: the system's small tools, and nothing of what the course looks for.
new_machine() {
  rm -rf "$machine"
  mkdir "$machine"
  for tool in sh sed grep cat ls mkdir rmdir rm cp mv chmod readlink dirname head tail sort tr mktemp nproc env touch \
    uname id pwd sleep as ld; do
    path=$(command -v $tool) && [ -x "$path" ] && ln -s "$path" "$machine/$tool"
  done
}
# stand_in NAME: a program on the machine, its text on stdin.
stand_in() {
  rm -f "${machine:?}/$1"
  { echo '#!/bin/sh' && cat; } >"$machine/$1"
  chmod 755 "$machine/$1"
}
have() {
  for tool in "$@"; do
    case $tool in
      g++*) echo "exec '$real_gxx' \"\$@\"" ;;
      cmake) echo "exec '$real_cmake' \"\$@\"" ;;
      ninja) echo "exec '$real_ninja' \"\$@\"" ;;
      make) echo "exec '$real_make' \"\$@\"" ;;
    esac | stand_in "$tool"
  done
}
full_machine() {
  new_machine
  have g++ cmake ninja
}
# A GPU, its driver and nvcc.
gpu_stand_ins() {
  cat <<'END' | stand_in nvidia-smi
case $* in
  -L) echo 'GPU 0: NVIDIA H200 (UUID: GPU-1)' ;;
  *query*) echo 'NVIDIA H200, 9.0, 143771 MiB, 580.159.03' ;;
  *) echo '| NVIDIA-SMI 580.159.03   Driver Version: 580.159.03   CUDA Version: 13.0 |' ;;
esac
END
  echo 'echo "Cuda compilation tools, release 13.0, V13.0.88"' | stand_in nvcc
}
# A Debian that root uses: apt-cache knows each package in the version given (PACKAGE=VERSION), apt-get notes what it
# is asked for, and then does what stdin says.
debian() {
  : >"$work/apt-get was called with"
  {
    # shellcheck disable=SC2016 # for the stand-in to expand
    echo 'case $2 in'
    for pair in "$@"; do echo "  ${pair%%=*}) echo '  Candidate: ${pair#*=}' ;;"; done
    echo '  *) echo "  Candidate: (none)" ;;'
    echo 'esac'
  } | stand_in apt-cache
  {
    echo "echo \"\$@\" >>'$work/apt-get was called with'"
    cat
  } | stand_in apt-get
  echo 'echo 0' | stand_in id
}
usual='g++=4:12.2.0-3 cmake=3.25.1-1 ninja-build=1.11.1 doctest-dev=2.4.9 libcli11-dev=2.1.2 nlohmann-json3-dev=3.11.2
  libboost-context-dev=1.74.0.3 libopenblas-dev=0.3.21'
# An apt-get that works: after it, the tools are there. prepare_apt comes first.
good_apt() {
  cat <<END
case \$* in
  *--no-download*)
    for tool in g++-12 g++ cmake ninja; do cp "$work/ready/\$tool" "$machine/"; done ;;
esac
END
}
prepare_apt() {
  full_machine
  have g++-12
  mkdir "$work/ready"
  cp "$machine/g++" "$machine/g++-12" "$machine/cmake" "$machine/ninja" "$work/ready/"
}

# --------------------------------------------------------------------------------------------------------------------
# Running and checking.

# shellcheck source=cmake/shell_checks.sh
. "$checkout/cmake/shell_checks.sh"
# course ARGUMENTS...: runs it on the machine; sets out, err and status.
course() {
  PATH=$machine "$machine/sh" "$copy/course" "$@" >"$work/out" 2>"$work/err" </dev/null
  status=$?
  out=$(cat "$work/out")
  err=$(cat "$work/err")
}
# refused WHAT STATUS TEXT: it ended so, with one line on stderr that holds the text, and nothing on stdout.
one_line() { [ "$status" = "$1" ] && [ -z "$out" ] && [ "$(printf '%s\n' "$err" | wc -l)" -eq 1 ] && says "$err" "$2"; }
refused() { check "$1" one_line "$2" "$3"; }
# The same, where lines before the last one may say what is being done.
last_line() { [ "$status" = "$1" ] && [ -z "$out" ] && says "$(printf '%s\n' "$err" | tail -n 1)" "$2"; }
stopped() { check "$1" last_line "$2" "$3"; }
no_build() { [ ! -e "$copy/build" ]; }
clean() { rm -rf "$copy/build"; }
apt_installed() { grep -v -e --download-only -e update "$work/apt-get was called with" >/dev/null; }
nothing_installed() { ! apt_installed; }
apt_untouched() { [ ! -s "$work/apt-get was called with" ]; }
