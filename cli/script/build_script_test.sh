#!/bin/sh
# Tests of ./course: configuring and building, and where. Prints each check; ends with their number and status 1 if
# one fails.
#
#     cli/script/build_script_test.sh

# shellcheck source=cli/script/scratch_course.sh
. "$(dirname "$0")/scratch_course.sh"

echo "-- configuring and building"
prepare_apt
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
# Where there is no flock, what a killed process leaves.
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

end_of_checks
