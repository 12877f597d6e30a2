#!/bin/sh
# Tests of ./course: what is missing, or will not do, and what is done about it. Prints each check; ends with their number and status 1 if
# one fails.
#
#     cli/script/install_script_test.sh

# shellcheck source=cli/script/scratch_course.sh
. "$(dirname "$0")/scratch_course.sh"

echo "-- what is missing is listed, not installed"
libraries='doctest-dev libcli11-dev nlohmann-json3-dev libopenblas-dev'
case $(uname -m) in x86_64 | aarch64) ;; *) libraries="$libraries libboost-context-dev" ;; esac
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
stopped "without a network it says so" 1 "cannot download cutensor-cu13==2.8.1 (no network?); the log: "
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
echo 'echo riscv64' | stand_in uname
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
prepare_apt
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

end_of_checks
