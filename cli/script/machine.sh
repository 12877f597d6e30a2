# Finds out what this machine has; sourced by ../../course. Nothing here changes anything or asks the network.
#
# A state is ok, missing, old (there, but not new enough) or broken (there, but does not work); a note says why.
# shellcheck shell=sh disable=SC2034 # what is set here is read by the scripts that source this one

newline='
'
gxx_wanted=11
cmake_wanted=3.25
# What the course's own code needs: name, header, Debian's package. One a line.
libraries='doctest doctest/doctest.h doctest-dev
CLI11 CLI/CLI.hpp libcli11-dev
nlohmann-json nlohmann/json.hpp nlohmann-json3-dev
OpenBLAS openblas_config.h libopenblas-dev'
# On these the emulator switches between a kernel's threads by itself.
case $(uname -m) in
  x86_64 | aarch64) ;;
  *)
    libraries="$libraries
Boost.Context boost/context/fiber.hpp libboost-context-dev"
    ;;
esac
# What some of CUDA's libraries are made of on the emulator, for programs that call them: the same.
libraries_of_programs='Boost.Random boost/random/detail/sobol_table.hpp libboost-dev
FFTW-double libfftw3.so.3 libfftw3-double3
FFTW-single libfftw3f.so.3 libfftw3-single3'
# What single commands need besides, and some tests, which are left out without: Debian's package, what it is.
tools='python3 Python 3
bubblewrap bubblewrap
doxygen Doxygen
doxygen-awesome-css a style for Doxygen
patch patch
gdb gdb
python3-yaml YAML for Python
clang clang
valgrind Valgrind
pocl-opencl-icd PoCL
opencl-clhpp-headers headers of OpenCL
ocl-icd-opencl-dev a library to link OpenCL with
oclgrind Oclgrind'

# The first line of what a command says, whether it works or not; never fails.
first_line() { "$@" 2>&1 | sed -n '/[^ ]/{p;q;}'; }

# version_at_least 12.2.0 11: are the first two numbers of a version at least these?
version_at_least() {
  have=$1.0
  want=$2.0
  have_major=${have%%.*}
  have_minor=${have#*.}
  have_minor=${have_minor%%.*}
  want_major=${want%%.*}
  want_minor=${want#*.}
  want_minor=${want_minor%%.*}
  case $have_major$have_minor in
    '' | *[!0-9]*) return 1 ;;
  esac
  [ "$have_major" -gt "$want_major" ] ||
    { [ "$have_major" -eq "$want_major" ] && [ "$have_minor" -ge "$want_minor" ]; }
}

# A folder for what a probe writes; the script that sources this removes $scratch_dir at the end.
scratch_dir=
need_scratch_dir() {
  [ -n "$scratch_dir" ] || scratch_dir=$(mktemp -d "${TMPDIR:-/tmp}/course.XXXXXX" 2>/dev/null) || scratch_dir=
  [ -n "$scratch_dir" ] || stop 2 "cannot make a folder in ${TMPDIR:-/tmp}: set TMPDIR to a folder you can write to"
}

# Whether $1 (a command, perhaps with options, as CXX may be) is a g++ that is new enough and can make a program.
# Sets probe_state, probe_version, probe_note.
probe_gxx() {
  probe_version=
  probe_note=
  # shellcheck disable=SC2086 # CXX may hold 'ccache g++'
  set -- $1
  if ! command -v "$1" >/dev/null 2>&1; then
    probe_state=missing
    return
  fi
  probe_state=broken
  if ! probe_version=$("$@" -dumpfullversion -dumpversion 2>/dev/null) || [ -z "$probe_version" ]; then
    probe_note="it does not run: $(first_line "$@" --version)"
    return
  fi
  case $(first_line "$@" --version) in
    *clang*)
      probe_note="it is clang; the course needs g++"
      return
      ;;
  esac
  if ! version_at_least "$probe_version" "$gxx_wanted"; then
    probe_state=old
    return
  fi
  need_scratch_dir
  printf '#include <compare>\n#include <cstdio>\nint main() { std::puts(""); }\n' >"$scratch_dir/probe.cpp"
  if errors=$("$@" -std=c++20 "$scratch_dir/probe.cpp" -o "$scratch_dir/probe" 2>&1); then
    probe_state=ok
  else
    probe_note="it cannot make a program: $(printf '%s\n' "$errors" | sed -n '/[Ee]rror\|cannot/{p;q;}')"
  fi
}

# Sets gxx_state, gxx_command, gxx_path, gxx_version, gxx_note for the first compiler that will do, or, if none
# does, for the first that is there at all. CXX, if set, is the only candidate.
find_gxx() {
  gxx_state=missing
  gxx_command=g++
  gxx_path=
  gxx_version=
  gxx_note=
  for candidate in "${CXX:-g++}" ${CXX:+""} g++-14 g++-13 g++-12 g++-11; do
    [ -n "$candidate" ] || break
    probe_gxx "$candidate"
    if [ "$probe_state" = ok ] || { [ "$gxx_state" = missing ] && [ "$probe_state" != missing ]; }; then
      # A plain g++ that is too old or broken is worth a word even if another one does the work.
      [ "$gxx_state" = missing ] || [ "$probe_state" != ok ] || probe_note="$gxx_command is $gxx_state, so this one is taken"
      gxx_state=$probe_state
      gxx_command=$candidate
      gxx_path=$(command -v "${candidate%% *}")
      gxx_version=$probe_version
      gxx_note=$probe_note
    fi
    [ "$probe_state" != ok ] || break
  done
  if [ "$gxx_state" = missing ] && [ -n "${CXX:-}" ]; then
    gxx_state=broken
    gxx_path=$CXX
    gxx_note="CXX names it, but it is not there"
  fi
}

# Sets cmake_state, cmake_path, cmake_version, cmake_note.
find_cmake() {
  cmake_state=missing
  cmake_version=
  cmake_note=
  cmake_path=$(command -v cmake) || return 0
  cmake_version=$(cmake --version 2>/dev/null | sed -n 's/^cmake version \([0-9.]*\).*/\1/p')
  if [ -z "$cmake_version" ]; then
    cmake_state=broken
    cmake_note="it does not run: $(first_line cmake --version)"
  elif version_at_least "$cmake_version" "$cmake_wanted"; then
    cmake_state=ok
  else
    cmake_state=old
  fi
}

# Sets make_tool (ninja or make), make_state, make_path, make_version, make_note. Ninja first: it is quicker.
find_make_tool() {
  make_tool=ninja
  make_state=missing
  make_path=
  make_version=
  make_note=
  for candidate in ninja make; do
    found=$(command -v "$candidate") || continue
    make_path=$found
    if make_version=$("$candidate" --version 2>/dev/null) && [ -n "$make_version" ]; then
      make_version=$(printf '%s\n' "$make_version" | sed 's/^GNU Make //;q')
      [ "$make_state" = missing ] || make_note="ninja is broken, so this one is taken"
      make_tool=$candidate
      make_state=ok
      return
    fi
    make_tool=$candidate
    make_state=broken
    make_note="it does not run: $(first_line "$candidate" --version)"
  done
}

# Whether header $1 can be included, by $gxx_command. $2, if given, is a library to link with. Sets library_state,
# library_note. CMAKE_PREFIX_PATH counts, since CMake will look there; $3, if given, is a subfolder of an include
# folder in which the header may lie.
find_header() {
  library_note=
  # shellcheck disable=SC2086 # CXX may hold 'ccache g++'
  set -- "$1" "${2-}" "${3-}" $gxx_command -std=c++20 -x c++ -
  header=$1
  library=$2
  subfolder=$3
  shift 3
  [ -z "$subfolder" ] || set -- "$@" "-I/usr/include/$subfolder" "-I/usr/local/include/$subfolder"
  rest=${CMAKE_PREFIX_PATH:-}
  while [ -n "$rest" ]; do
    prefix=${rest%%[:;]*}
    set -- "$@" "-I$prefix/include" "-L$prefix/lib"
    [ -z "$subfolder" ] || set -- "$@" "-I$prefix/include/$subfolder"
    case $rest in
      *[:\;]*) rest=${rest#*[:;]} ;;
      *) rest= ;;
    esac
  done
  case $(printf '#if __has_include(<%s>)\nfound\n#endif\n' "$header" | "$@" -E -P 2>/dev/null) in
    *found*) ;;
    *)
      library_state=missing
      return
      ;;
  esac
  library_state=broken
  if ! errors=$(printf '#include <%s>\n' "$header" | "$@" -E 2>&1 >/dev/null); then
    library_note="its headers are incomplete: $(printf '%s\n' "$errors" | sed -n '/error/{s/.*error: //;p;q;}')"
  elif [ -n "$library" ] && need_scratch_dir &&
    ! printf 'int main() {}\n' | "$@" -o "$scratch_dir/probe" -x none "-l$library" >/dev/null 2>&1; then
    # Debian's package of all of Boost's headers comes without the libraries: the one that is wanted mends it.
    library_state=missing
    library_note="its headers are there, but not the library $library"
  else
    library_state=ok
  fi
}

# Whether library $1 is needed at all: on a GPU the emulator's are not. As long as the backend is not known, all are.
is_needed() {
  case $1-${backend:-} in
    Boost.Context-cuda | OpenBLAS-cuda) return 1 ;;
  esac
}

# Whether the tool of package $1 is there.
has_tool() {
  case $1 in
    bubblewrap) command -v bwrap ;;
    # Any that emucc asks: see find_clang() of the emulator's translator.
    clang) command -v clang++ || ls /usr/bin/clang++-1[4-9] ;;
    pocl-opencl-icd) ls /etc/OpenCL/vendors/*.icd ;; # PoCL, or another
    opencl-clhpp-headers) ls /usr/include/CL/opencl.hpp ;;
    ocl-icd-opencl-dev) ls /usr/lib/libOpenCL.so /usr/lib/*/libOpenCL.so /usr/lib64/libOpenCL.so | grep . ;;
    doxygen-awesome-css) [ -d /usr/share/doxygen-awesome-css ] ;;
    # What Debian leaves out of Python: without it no virtual environment can be made.
    python3-venv) python3 -c 'import ensurepip, venv' ;;
    # apt-get gives it to the distribution's Python, whatever other one comes first in PATH.
    python3-yaml) python3 -c 'import yaml' || /usr/bin/python3 -c 'import yaml' ;;
    *) command -v "$1" ;;
  esac >/dev/null 2>&1
}

# find_library NAME HEADER: the same, with what some need besides. OpenBLAS is known by a header that no other BLAS
# has; Fedora, among others, keeps its headers in a folder of their own.
find_library() {
  case $1 in
    Boost.Context) find_header "$2" boost_context ;;
    FFTW*)
      library_note=
      library_state=missing
      # shellcheck disable=SC2086 # CXX may hold 'ccache g++'
      case $($gxx_command "-print-file-name=$2" 2>/dev/null) in
        /*) library_state=ok ;;
      esac
      ;;
    OpenBLAS) find_header "$2" openblas openblas ;;
    *) find_header "$2" ;;
  esac
}
