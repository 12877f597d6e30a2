#!/bin/sh
# Tests of ./course on machines that lack things: each is a folder of stand-ins that is all of PATH. Nothing is
# installed, no network is touched, and all of it happens in a scratch copy. Prints each check; ends with their
# number and status 1 if one fails.
#
#     cli/script/course_script_test.sh

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
cp "$checkout/cli/help.txt" "$copy/cli/"
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

echo "-- help and mistakes, on a machine that has nothing"
new_machine
course --help
check "--help explains the commands" says "$status $out" "0 CUDA, step by step"
help=$out
for words in "" -h help "tour --help" "run -h" "test --help"; do
  # shellcheck disable=SC2086 # several words
  course $words
  check "'$words' shows the help" [ "$status$out" = "0$help" ]
done
course --version
check "--version is the project's" [ "$status $out" = "0 CUDA, step by step 9.8" ]
course frobnicate
refused "an unknown command" 2 "unknown command 'frobnicate': there are tour, run, traffic, picture, emucc, check, watch, hint, reset, solution, grade, list, test, measure, docs, cutensor and doctor (see ./course --help)"
# Two letters changed places, one too few, one too many, a wrong one; and one that may mean either.
for typed in tuor:tour chek:check lists:list gride:grade rest:reset\ or\ test; do
  course "${typed%%:*}"
  refused "'${typed%%:*}' for ${typed#*:}" 2 "unknown command '${typed%%:*}': did you mean ${typed#*:}? (see ./course --help)"
done
course '*'
refused "a command that is none" 2 "unknown command '*' (see ./course --help)"
course --fast tour
refused "an unknown option" 2 "unknown option '--fast'"
course tour --backend
refused "--backend without a value" 2 "--backend wants auto, emulator or cuda"
course tour --backend=gpu
refused "--backend with another value" 2 "--backend wants auto, emulator or cuda, got 'gpu'"
export COURSE_BACKEND=gpu
course tour
refused "COURSE_BACKEND with another value" 2 "COURSE_BACKEND wants auto, emulator or cuda, got 'gpu'"
export COURSE_BACKEND=cuda
course traffic 01
refused "traffic with COURSE_BACKEND cuda" 2 "traffic counts memory traffic, which only the emulator does: it cannot go with COURSE_BACKEND cuda"
unset COURSE_BACKEND
course picture 01 --line 5 --backend cuda
refused "picture with --backend cuda" 2 "picture counts memory traffic, which only the emulator does: it cannot go with --backend cuda"
course --backend cuda emucc mine.cu
refused "emucc with --backend cuda" 2 "emucc compiles for the emulator: it cannot go with --backend cuda"
course --backend cuda grade
refused "grade with --backend cuda" 2 "grade runs submissions on the emulator: it cannot go with --backend cuda"
export COLUMNS=60
course --help
check "with COLUMNS every line fits" [ "$status$(printf '%s\n' "$out" | grep -c '.\{61\}')" = 00 ]
check "... and no word is lost" [ "$(echo $out)" = "$(echo $help)" ]
course frobnicate
check "... of a message, too" [ "$(printf '%s\n' "$err" | wc -l)$(printf '%s\n' "$err" | grep -c '.\{61\}')" = 40 ]
unset COLUMNS
course doctor now
refused "doctor with an argument" 2 "doctor takes no 'now'"
check "none of this made a build folder" no_build
mv "$copy/cli/script/machine.sh" "$work/"
course --help
refused "an incomplete checkout" 2 "this checkout is incomplete"
mv "$work/machine.sh" "$copy/cli/script/"

echo "-- surroundings in which nothing can work"
# in_place FOLDER PATH ARGUMENTS...: the same from a folder, with a PATH.
in_place() {
  folder=$1
  path=$2
  shift 2
  (cd "$folder" && PATH=$path exec "$machine/sh" "$copy/course" "$@") >"$work/out" 2>"$work/err" </dev/null
  status=$?
  out=$(cat "$work/out")
  err=$(cat "$work/err")
}
in_place . /nonexist list
refused "a PATH without the system's programs" 2 "PATH wants the folders of this system's programs (PATH is '/nonexist')"
mkdir "$work/gone"
(cd "$work/gone" && rmdir "$work/gone" && PATH=$machine exec "$machine/sh" "$copy/course" list) >"$work/out" 2>"$work/err"
status=$?
err=$(tail -n 1 "$work/err")
refused "a current folder that was removed" 2 "the current folder is gone: change to one that is there"
export CMAKE_BUILD_PARALLEL_LEVEL=abc
for level in abc -1 0 99999999999; do
  export CMAKE_BUILD_PARALLEL_LEVEL=$level
  course list
  refused "CMAKE_BUILD_PARALLEL_LEVEL=$level" 2 "CMAKE_BUILD_PARALLEL_LEVEL wants a number of jobs from 1 to 9999, got '$level'"
done
unset CMAKE_BUILD_PARALLEL_LEVEL
mkdir "$work/scratch"
TMPDIR=$work/nonexist course doctor
refused "doctor with a TMPDIR that is not there" 2 "cannot make a folder in $work/nonexist: set TMPDIR to a folder you can write to"
full_machine
TMPDIR=$work/nonexist course list
refused "the first build with one" 2 "cannot make a folder in $work/nonexist: set TMPDIR to a folder you can write to"
TMPDIR=$work/scratch course doctor
check "doctor leaves nothing in the temporary folder" [ "$status$(ls -A "$work/scratch")" = 0 ]
new_machine
# unwritten WHAT STATUS: it ended so, with one line that says that the output could not be written.
unwritten() { check "$1" one_line "$2" "cannot write to standard output"; }
# lost OUTPUT ARGUMENTS...: the same with standard output full, or closed.
lost() {
  output=$1
  shift
  case $output in
    full) PATH=$machine "$machine/sh" "$copy/course" "$@" >/dev/full 2>"$work/err" </dev/null ;;
    closed) PATH=$machine "$machine/sh" "$copy/course" "$@" >&- 2>"$work/err" </dev/null ;;
  esac
  status=$?
  out=
  err=$(cat "$work/err")
}
for output in full closed; do
  for words in --help --version "run -h" doctor; do
    # shellcheck disable=SC2086 # several words
    lost $output $words
    unwritten "$words with standard output $output" 1
  done
done
check "none of this made a build folder" no_build

echo "-- what is missing is listed, not installed"
libraries='doctest-dev libcli11-dev nlohmann-json3-dev libopenblas-dev'
[ "$(uname -m)" = x86_64 ] || libraries="$libraries libboost-context-dev"
all="apt-get install g++ cmake ninja-build $libraries"
new_machine
# shellcheck disable=SC2086 # one word a package
debian $usual </dev/null
course --no-install tour
check "--no-install stops with status 2" [ "$status" = 2 ]
check "... says why" says "$err" "and --no-install was given"
check "... and lists the packages" says "$err" "    $all"
check "... each with what it is" says "$err" "    CMake 3.25 or newer    cmake"
check "... leaves apt-get alone" apt_untouched
check "... and no folder behind" no_build
course tour --no-install
check "--no-install may follow the command" says "$status $err" "2 course: this machine lacks something, and --no-install"
echo 'echo 1000' | stand_in id
course tour
check "without rights nothing is installed" says "$status $err" "2 course: this machine lacks something, and installing it takes root"
check "... but listed, with sudo" says "$err" "    sudo $all"
echo 'echo "a password is required" >&2; exit 1' | stand_in sudo
course tour
check "a sudo that asks for a password is not used" says "$status $err" "2 course: this machine lacks something, and installing it takes root"
check "apt-get was not called for any of these" apt_untouched
rm "$machine/apt-get" "$machine/apt-cache"
course tour
check "on another system, the list" says "$status $err" "2 course: this machine lacks something, and it installs only with apt-get"
check "... without a command that is not there" says "$err" "with the package manager of this system"
check "none of this made a build folder" no_build
new_machine
have g++ cmake
course --no-install tour
check "only what is missing is listed" says "$err" "    ninja (or make)        ninja-build
Install it"
clean
full_machine
course --no-install grade 01a
check "grade wants a sandbox and a witness" says "$status $err" "2 course: this machine lacks something"
check "... and nothing else" says "$err" "    bubblewrap             bubblewrap
    Valgrind               valgrind
Install it"
course --no-install grade 01a --trust
check "... no sandbox if --trust is said" says "$err" "package:
    Valgrind               valgrind
Install it"
course --no-install grade 01a --trust --without-witness
check "... nor a witness with --without-witness" says "$status $out" "42 [grade"
course --no-install docs
check "docs wants what makes the site" says "$status $err" "2 course: this machine lacks something"
check "... and no compiler" says "$err" "    Python 3               python3
    Doxygen                doxygen"
course docs now
refused "docs with an argument" 2 "docs takes no 'now'"
echo 'exit 0' | stand_in bwrap
echo 'exit 0' | stand_in valgrind
course --no-install grade 01a
check "... or it is there" says "$status $out" "42 [grade"
clean

echo "-- cuTENSOR"
clean
# A Python that makes virtual environments, whose pip notes what it is asked for, and then does what stdin says.
python_with_pip() {
  {
    echo '#!/bin/sh'
    echo "echo \"\$*\" >'$work/pip was asked'"
    # shellcheck disable=SC2016 # for the stand-in to expand
    echo 'environment=$(cd "$(dirname "$0")/.." && pwd)'
    cat
  } >"$work/pip"
  chmod 755 "$work/pip"
  cat <<END | stand_in python3
[ "\$1" != -c ] || exit 0
mkdir -p "\$3/bin" && cp '$work/pip' "\$3/bin/pip"
END
}
new_machine
course cutensor now
refused "cutensor with an argument" 2 "cutensor takes no 'now'"
course --no-install cutensor
refused "--no-install gets nothing, and says how to" 2 \
  "pip' install --no-deps cutensor-cu13=="
check "and leaves nothing behind" no_build
new_machine
course cutensor
check "it takes Python" says "$status $err" "2 course: this machine lacks something"
check "and what Debian leaves out of it" says "$err" "python3-venv"
new_machine
echo 'echo "no such host"; exit 1' | python_with_pip
course cutensor
stopped "without a network it says so" 1 "cutensor-cu13==2.8.1 cannot be had from here (no network?); the log: "
check "and the log has why" grep -q 'no such host' "$copy/build/course.log"
check "and nothing is left of it" [ ! -e "$copy/build/cutensor" ]
cat <<'END' | python_with_pip
files=$environment/lib/python3.99/site-packages/cutensor
mkdir -p "$files/include" "$files/lib" && touch "$files/include/cutensor.h" "$files/lib/libcutensor.so.2"
END
course cutensor
check "it is had" says "$status $out" "0 cuTENSOR is in "
check "of that version, and nothing with it" \
  says "$(cat "$work/pip was asked")" "install --no-deps --retries 1 --timeout 20 cutensor-cu13==2.8.1"
rm "$work/pip was asked"
course cutensor
check "the second time it is there already" [ "$status$err" = 0 ]
check "and nobody is asked" [ ! -e "$work/pip was asked" ]
clean

echo "-- what is there but will not do"
full_machine
echo 'case $* in *-dumpfullversion*) echo 10.2.1 ;; *) echo "g++ (Debian) 10.2.1" ;; esac' | stand_in g++
course --no-install tour
check "a g++ that is too old is missing" says "$status $err" "2 course: this machine lacks something"
have g++-12
course tour
check "... unless another one is new enough" says "$status $out" "42 [tour]"
check "... which the build then uses" grep -q "^CMAKE_CXX_COMPILER:[A-Z]*=$machine/g++-12$" "$copy/build/emulator/CMakeCache.txt"
clean
full_machine
echo 'case $* in *-dumpfullversion*) echo 12.2.0 ;; *--version*) echo "g++ 12.2.0" ;; *) echo "g++: fatal error: cannot execute cc1plus" >&2; exit 1 ;; esac' |
  stand_in g++
course tour
refused "a g++ that compiles nothing" 2 "$machine/g++ is there but does not work (it cannot make a program: g++: fatal error: cannot execute cc1plus)"
full_machine
echo 'case $* in *-dumpfullversion*) echo 14.0.6 ;; *) echo "Debian clang version 14.0.6" ;; esac' | stand_in clang++
export CXX=clang++
course tour
refused "CXX that is clang" 2 "it is clang; the course needs g++"
export CXX=/no/such/g++
course tour
refused "CXX that is not there" 2 "/no/such/g++ is there but does not work"
unset CXX
echo 'echo "cmake version 3.22.1"; exit 1' | stand_in cmake
course --no-install tour
check "a CMake that is too old is missing" says "$status $err" "2 course: this machine lacks something"
echo 'echo "cmake: error while loading shared libraries" >&2; exit 127' | stand_in cmake
course tour
refused "a CMake that does not run" 2 "$machine/cmake is there but does not work (it does not run: cmake: error while loading"
full_machine
echo 'echo "ninja: cannot start" >&2; exit 1' | stand_in ninja
course tour
refused "a ninja that does not run" 2 "$machine/ninja is there but does not work (it does not run: ninja: cannot start)"
full_machine
cat <<END | stand_in g++
case "\$*" in
  *-lboost_context*)
    echo '/usr/bin/ld: cannot find -lboost_context' >&2
    exit 1
    ;;
esac
exec '$real_gxx' "\$@"
END
echo 'echo aarch64' | stand_in uname
course --no-install tour
check "where the emulator wants Boost.Context, its headers are not enough" says "$status $err" "2 course: this machine lacks something"
check "... and the library is what is missing" says "$err" "    Boost.Context          libboost-context-dev
Install it"
full_machine
course --backend cuda tour
refused "cuda where it cannot be had" 2 "the cuda backend was asked for, but "
check "none of this made a build folder" no_build

echo "-- installing"
new_machine
# shellcheck disable=SC2086
debian $usual <<'END'
echo 'E: Failed to fetch http://example.invalid' >&2
exit 100
END
course tour
stopped "no network: nothing can be fetched" 1 "could not fetch the packages (no network?): nothing was installed"
check "... and nothing was tried to be installed" nothing_installed
debian <<'END'
exit 0
END
course tour
stopped "no network and no package lists" 1 "apt-get knows no package g++ (no network?): nothing was installed"
check "... after asking for them" grep -q update "$work/apt-get was called with"
check "... and nothing was tried to be installed" nothing_installed
# shellcheck disable=SC2086
debian $usual cmake=3.22.1-1 </dev/null
sed 's/3\.25\.1-1/3.22.1-1/' "$machine/apt-cache" >"$work/apt-cache"
stand_in apt-cache <"$work/apt-cache"
course tour
stopped "a system whose CMake is too old" 2 "this system's newest CMake is 3.22.1-1, and 3.25 is needed"
check "... and nothing was installed" apt_untouched
# shellcheck disable=SC2086
debian g++=4:10.2.1-1 ${usual#* } </dev/null
course tour
stopped "a system whose g++ is too old" 2 "this system's newest g++ is 10.2.1-1, and 11 is needed"
check "... and nothing was installed" apt_untouched
rm -rf "$copy/build"
# An apt-get that works: after it, the tools are there.
good_apt() {
  cat <<END
case \$* in
  *--no-download*)
    for tool in g++-12 g++ cmake ninja; do cp "$work/ready/\$tool" "$machine/"; done ;;
esac
END
}
full_machine
have g++-12
mkdir "$work/ready"
cp "$machine/g++" "$machine/g++-12" "$machine/cmake" "$machine/ninja" "$work/ready/"
new_machine
# shellcheck disable=SC2086
good_apt | debian g++=4:10.2.1-1 g++-12=12.2.0-14 ${usual#* }
course tour
check "where g++ is too old, a newer one is installed beside it" says "$status $err" "42 course: installing with apt-get: g++-12 cmake ninja-build doctest-dev"
clean
new_machine
# shellcheck disable=SC2086
good_apt | debian $usual
course run 01 --size 5
check "what is missing is installed, and the command runs" [ "$status $out" = "42 [run][01][--size][5]" ]
check "... saying what" says "$err" "installing with apt-get: g++ cmake ninja-build $libraries"
check "... fetched before anything is installed" says "$(head -n 1 "$work/apt-get was called with")" "install -y --no-install-recommends --download-only g++"
: >"$work/apt-get was called with"
course run 01
check "the second time nothing is installed" apt_untouched
check "... and the command runs" [ "$status $out" = "42 [run][01]" ]
check "... and nothing said" [ -z "$err" ]
# The tests of the course want more than its build does, but can do without. Python comes as they ask for it.
usual_tools='python3=3.11 bubblewrap=0.8 doxygen=1.9 doxygen-awesome-css=2.0 patch=2.7 gdb=13 python3-yaml=6.0 clang=14.0 valgrind=3.19 pocl-opencl-icd=3.1 opencl-clhpp-headers=3.0 ocl-icd-opencl-dev=2.3 oclgrind=21.10'
{
  echo 'case $* in *--no-download*python3*) echo "exit 0" >"'"$machine"'/python3"; chmod 755 "'"$machine"'/python3" ;; esac'
} | debian $usual_tools
course test -R one
check "some of the tests want nothing more" apt_untouched
course --no-install test
check "--no-install holds for what tests need" apt_untouched
check "... and they run without" [ "$status $out" = "42 [test]" ]
check "... and nothing said" [ -z "$(printf '%s\n' "$err" | grep -v 'course: backend:')" ]
touch "$work/before"
sleep 0.02
course test
check "all tests: what some of them need is installed" says "$err" "installing with apt-get, for the tests: python3 bubblewrap doxygen"
check "... and they run" [ "$status $out" = "42 [test]" ]
check "... configured with it" [ -n "$(find "$copy/build/emulator/CMakeCache.txt" -newer "$work/before")" ]
echo 'exit 100' | debian
course test
check "... or, if that is not possible, run without" says "$status $out $err" "42 [test] course: "
check "... which is said" says "$err" "that did not work: the tests that need it are left out"
clean

echo "-- configuring and building"
full_machine
course tour 'two words' --backend emulator '' -- --backend --no-install
check "arguments reach the program as they were typed" [ "$status $out" = "42 [tour][two words][][--][--backend][--no-install]" ]
check "... and the steps are told" says "$err" "course: configuring the emulator build"
touch "$work/before"
sleep 0.02
course tour
check "the second time nothing is configured" [ -z "$(find "$copy/build/emulator/CMakeCache.txt" -newer "$work/before")" ]
check "... and the program runs" [ "$status $out" = "42 [tour]" ]
check "... and only the choice of backend is told" [ "${err%% (*}" = "course: backend: emulator" ]
# A machine with a GPU, as far as anyone can see: auto means cuda there, but not for what counts traffic.
gpu_stand_ins
course picture 01 --line 5 --out 'a b' -- --size ''
check "picture runs on the emulator, its words as they were typed" [ "$status $out" = "42 [picture][01][--line][5][--out][a b][--][--size][]" ]
course --backend emulator traffic 01 --size 'a b'
check "... and so does traffic" [ "$status $out $err" = "42 [traffic][01][--size][a b] " ]
rm "$machine/nvcc" "$machine/nvidia-smi"
ln -s "a checkout/course" "$work/link"
ln -s "$work/link" "$work/link to link"
out=$(cd / && PATH=$machine "$work/link to link" list 2>&1)
check "called through symbolic links, from elsewhere" [ "$out" = "[list]" ]
out=$(cd "$copy/cli" && PATH=$machine ../course list 2>&1)
check "called by a relative path" [ "$out" = "[list]" ]
out=$(cd "$copy" && PATH=$machine sh course list 2>&1)
check "called as 'sh course'" [ "$out" = "[list]" ]
# Two at once, in one checkout. This compiler sees whether another one is at work.
cat <<END | stand_in g++
case "\$*" in
  *main.cpp.o*)
    mkdir '$work/compiling' || touch '$work/two compilers'
    tries=0 # until the other one waits
    while ! grep -q waiting '$work/err' && [ "\$tries" -lt 100 ]; do
      sleep 0.02
      tries=\$((tries + 1))
    done
    '$real_gxx' "\$@"
    status=\$?
    rmdir '$work/compiling'
    exit \$status
    ;;
esac
exec '$real_gxx' "\$@"
END
two_at_once() {
  write_program "return 42;"
  : >"$work/err"
  PATH=$machine "$machine/sh" "$copy/course" list 1 >"$work/out 1" 2>"$work/err 1" </dev/null &
  first=$!
  # In the middle of its build.
  tries=0
  while [ ! -d "$work/compiling" ] && [ "$tries" -lt 100 ]; do
    sleep 0.02
    tries=$((tries + 1))
  done
  course list 2
  wait "$first"
  first=$?
}
for with in flock 'a folder, without flock'; do
  rm -f "$machine/flock"
  if [ "$with" = flock ]; then ln -s "$(command -v flock)" "$machine/flock" || continue; fi
  two_at_once
  check "two at once, by $with: both run" [ "$first $status $(cat "$work/out 1")$out" = "42 42 [list][1][list][2]" ]
  check "... building one after the other" [ ! -e "$work/two compilers" ]
  check "... and the second says that it waits" [ "$err" = "course: waiting for another ./course in this checkout ..." ]
done
# Where there is no flock, what one leaves who was killed.
mkdir "$copy/build/emulator/course.lock.d"
echo 999999999 >"$copy/build/emulator/course.lock.d/pid"
course list
check "a lock whose holder is gone holds nobody" [ "$status $err" = "42 " ]
check "... and goes" [ ! -e "$copy/build/emulator/course.lock.d" ]
# The course program has the lock: so it says in the file.
echo $$ >"$copy/build/emulator/course.lock"
: >"$work/err"
{
  tries=0
  until grep -q waiting "$work/err" || [ "$tries" -gt 200 ]; do
    sleep 0.02
    tries=$((tries + 1))
  done
  : >"$copy/build/emulator/course.lock"
} &
course list
check "the course program's lock holds, too" [ "$status $err" = "42 course: waiting for another ./course in this checkout ..." ]
have g++
write_program "return no_such_thing;"
course tour
check "a build that fails has status 1" [ "$status" = 1 ]
check "... shows the compiler's error" says "$err" "main.cpp:5:10: error: "
check "... not its command line" [ "${err#* -o }" = "$err" ]
stopped "... and names the log" 1 "building the course program failed; the whole log: $copy/build/course.log"
write_program "return 43;"
course tour
check "... and works again when it is mended" [ "$status $out" = "43 [tour]" ]
rm "$machine/ninja"
course --no-install tour
check "a tool that was lost since is named" says "$status $err" "2 "
check "... as what to install" says "$err" "    ninja (or make)        ninja-build"
# shellcheck disable=SC2086
good_apt | debian $usual
course tour
stopped "... and installed, if it may be" 1 "failed for lack of what is installed now: run the same command again"
course tour
check "... after which all is well" [ "$status $out" = "43 [tour]" ]
clean
full_machine
write_project 'message(FATAL_ERROR " this cannot be")'
course tour
check "a configuration that fails shows the error" says "$err" "this cannot be"
stopped "... names the log" 1 "configuring failed; the whole log: $copy/build/course.log"
check "... and leaves nothing half configured" [ ! -e "$copy/build/emulator/CMakeCache.txt" ]
write_project ""
course tour
check "... so that the next try starts afresh" [ "$status $out" = "43 [tour]" ]
program=$copy/build/emulator/bin/course
# With the time that it had: newer versions of ninja would see by that.
touch -r "$program" "$work/when"
: >"$program"
touch -r "$work/when" "$program"
course tour
check "a course program that is empty is built again" [ "$status $out" = "43 [tour]" ]
check "... which is said" says "$err" "build/emulator/bin/course is damaged: building it again"
head -c 3000 "$program" >"$work/part"
cat "$work/part" >"$program"
course tour
check "... and so is one that was cut off" [ "$status $out" = "43 [tour]" ]
cp "$copy/build/emulator/build.ninja" "$work/build.ninja"
for damage in 'build x: no_such_rule' ' bad' 'include nothing.ninja'; do
  { cat "$work/build.ninja" && echo "$damage"; } >"$copy/build/emulator/build.ninja"
  course tour
  stopped "a build.ninja that is damaged ($damage)" 2 "$copy/build/emulator/build.ninja is damaged: remove what was configured (rm -r '$copy/build/emulator')"
done
mkdir "$copy/build/emulator/.course"
course tour
stopped "... where a student's progress is kept beside it" 2 "remove what was configured (rm -r '$copy/build/emulator/CMakeCache.txt')"
rm "$copy/build/emulator/CMakeCache.txt"
course tour
check "... which is enough" [ "$status $out" = "43 [tour]" ]
rmdir "$copy/build/emulator/.course"
cp "$copy/build/emulator/CMakeCache.txt" "$work/cache"
: >"$copy/build/emulator/CMakeCache.txt"
course tour
stopped "a CMakeCache.txt that is empty" 2 "CMakeCache.txt is damaged: remove what was configured"
cp "$work/cache" "$copy/build/emulator/CMakeCache.txt"
sed 's/^\(COURSE_BACKEND_IN_USE:[A-Z]*=\).*/\1cuda/' "$copy/build/emulator/CMakeCache.txt" >"$work/cache"
cp "$work/cache" "$copy/build/emulator/CMakeCache.txt"
course tour
refused "a build folder of another backend" 2 "$copy/build/emulator holds a build for the cuda backend: remove it"
mv "$copy" "$work/moved"
mkdir "$copy"
out=$(PATH=$machine "$work/moved/course" tour 2>&1)
status=$?
check "a checkout that was moved" says "$status $out" "2 course: $work/moved/build/emulator was configured for another checkout ($copy)"
rmdir "$copy"
mv "$work/moved" "$copy"
clean
if [ -n "$real_make" ]; then
  rm "$machine/ninja"
  have make
  course tour
  check "make does where there is no ninja" [ "$status $out $([ -f "$copy/build/emulator/Makefile" ] && echo Makefile)" = "43 [tour] Makefile" ]
  clean
fi

echo "-- where checkouts lie"
full_machine
write_program "return 44;"
cp "$checkout/cmake/dependencies_for_ninja.cmake" "$copy/cmake/"
# shellcheck disable=SC2016 # for CMake to expand
write_project 'include(cmake/dependencies_for_ninja.cmake)
course_name_dependencies_for_ninja()
set(CMAKE_CXX_COMPILER_LAUNCHER ${dependency_launcher})
file(WRITE ${CMAKE_BINARY_DIR}/made.hpp "")
include_directories(${CMAKE_BINARY_DIR})'
printf '#include "header.hpp"\n#include "made.hpp"\n' | cat - "$copy/main.cpp" >"$work/main.cpp"
cp "$work/main.cpp" "$copy/main.cpp"
touch "$copy/header.hpp"
usual_place=$copy
for place in "it's & what? #1 \$x [y]" 'Übung <1>^*'; do
  copy="$work/$place"
  mv "$usual_place" "$copy"
  course list
  check "in a folder named $place" [ "$status $out" = "44 [list]" ]
  touch "$work/before"
  sleep 0.02
  course list
  check "... nothing is compiled anew" [ "$status $out $err$(find "$copy/build/emulator/bin/course" -newer "$work/before")" = "44 [list] " ]
  sleep 0.02
  touch "$copy/header.hpp"
  course list
  check "... but what was changed" [ -n "$(find "$copy/build/emulator/bin/course" -newer "$work/before")" ]
  clean
  mv "$copy" "$usual_place"
done
for place in 'a"b' 'a;b' 'a\b' 'a|b'; do
  copy="$work/$place"
  mv "$usual_place" "$copy"
  course list
  refused "in a folder named $place" 2 "has a character that CMake cannot work with"
  mv "$copy" "$usual_place"
done
copy=$usual_place
export COURSE_BUILD_DIR="$work/a;b"
course list
refused "builds in a folder named a;b" 2 "has a character that CMake cannot work with"
unset COURSE_BUILD_DIR
write_project ""
write_program "return 43;"

echo "-- where builds go"
full_machine
export COURSE_BUILD_DIR="$work/other place"
course list
check "COURSE_BUILD_DIR holds the build" [ -x "$COURSE_BUILD_DIR/emulator/bin/course" ]
check "... and the command runs" [ "$out" = "[list]" ]
check "... and the checkout is left alone" no_build
rm -rf "$COURSE_BUILD_DIR"
export COURSE_BUILD_DIR=/proc/nowhere
course tour
refused "one that cannot be made" 2 "cannot write to /proc/nowhere: set COURSE_BUILD_DIR to a folder you can write to"
unset COURSE_BUILD_DIR
touch "$copy/build"
course tour
refused "a file where the folder should be" 2 "cannot write to $copy/build: set COURSE_BUILD_DIR"
rm "$copy/build"
chmod a-w "$copy"
if [ "$(id -u)" -ne 0 ]; then
  course tour
  refused "a read-only checkout" 2 "cannot write to $copy/build: set COURSE_BUILD_DIR"
elif command -v setpriv >/dev/null; then
  PATH=$machine "$(command -v setpriv)" --reuid 65534 --regid 65534 --clear-groups "$copy/course" tour >"$work/out" 2>"$work/err"
  status=$?
  out=$(cat "$work/out")
  err=$(cat "$work/err")
  refused "a read-only checkout" 2 "cannot write to $copy/build: set COURSE_BUILD_DIR"
fi
chmod u+w "$copy"

echo "-- doctor"
new_machine
course doctor
check "on a machine that has nothing: status 1" [ "$status" = 1 ]
check "... what is missing" says "$out" "  missing  g++ "
check "... and what that costs" says "$out" "-> nothing can be built; needs CMake 3.25 or newer (Debian: cmake)"
full_machine
course doctor
check "on a machine that has all: status 0" says "$status $out" "0 What this machine has"
check "... the compiler and where it is" says "$out" "$machine/g++"
check "... the backend and why" says "$out" "  backend: emulator ("
check "... and what only pictures need" says "$out" "  missing  Python 3 "
course --backend cuda doctor
check "a backend that cannot be had" says "$status $out" "1 What this machine has"
check "... and why" says "$out" "  backend: the cuda backend was asked for, but "
echo 'echo "ninja: cannot start" >&2; exit 1' | stand_in ninja
echo 'echo "nvcc: cannot start" >&2; exit 1' | stand_in nvcc
echo 'echo "NVIDIA-SMI has failed"; exit 9' | stand_in nvidia-smi
echo 'exit 1' | stand_in doxygen
echo 'exit 1' | stand_in python3
echo 'echo "bwrap: no permission" >&2; exit 1' | stand_in bwrap
course doctor
check "what is there but broken" says "$out" "  broken   ninja "
check "... with what it says" says "$out" "$machine/ninja (it does not run: ninja: cannot start)"
check "... nvcc" says "$out" "  broken   nvcc "
check "... the driver" says "$out" "  broken   NVIDIA driver"
check "... Doxygen" says "$out" "  broken   Doxygen"
check "... Python" says "$out" "  broken   Python 3"
check "... bubblewrap" says "$out" "  broken   bubblewrap               $machine/bwrap (bwrap: no permission)"
gpu_stand_ins
have ninja
course doctor
check "a GPU, with its compute capability" says "$out" "NVIDIA H200, compute capability 9.0, 143771 MiB, driver 580.159.03"
check "... and so cuda" says "$status $out" "  backend: cuda (nvcc 13.0 and a GPU are here)"
check "... cuTENSOR is not there, and how to get it" says "$out" "  missing  cuTENSOR                 ./course cutensor gets it"
mkdir -p "$work/cutensor/include"
: >"$work/cutensor/include/cutensor.h"
CUTENSOR_ROOT=$work/cutensor course doctor
check "... or where it is" says "$out" "  ok       cuTENSOR "
cat <<END | stand_in g++
case "\$*" in
  *-E*-P*)
    text=\$(cat)
    case \$text in
      *openblas*) exit 0 ;; # not here
    esac
    printf '%s\\n' "\$text" | exec '$real_gxx' "\$@"
    ;;
esac
exec '$real_gxx' "\$@"
END
course doctor
check "a GPU needs nothing of the emulator's" says "$status $out" "0 What this machine has"
check "... though what is missing is shown" says "$out" "  missing  OpenBLAS"
course --backend emulator doctor
check "... which the emulator does need" says "$status $out" "1 What this machine has"
check "doctor makes no folder" no_build

end_of_checks
