#!/bin/sh
# Tests of ./course: its help, mistakes on the command line, and surroundings in which nothing can work. Prints each check; ends with their number and status 1 if
# one fails.
#
#     cli/script/help_script_test.sh

# shellcheck source=cli/script/scratch_course.sh
. "$(dirname "$0")/scratch_course.sh"

echo "-- help and mistakes, on a machine that has nothing"
new_machine
course --help
check "--help explains the commands" says "$status $out" "0 CUDA, step by step"
help=$out
for words in "" -h help "--help --no-install"; do
  # shellcheck disable=SC2086 # several words
  course $words
  check "'$words' shows the help" [ "$status$out" = "0$help" ]
done
check "it fits a small terminal" [ "$(printf '%s\n' "$help" | wc -l)" -le 40 ]
check "... in its width, too" [ "$(printf '%s\n' "$help" | grep -c '.\{81\}')" = 0 ]
for command in tour run traffic picture emucc check watch hint reset solution grade list test measure docs cutensor doctor; do
  course $command --help
  check "$command --help is the command's own" says "$status $out" "0 ./course $command"
  own=$out
  for words in "$command -h" "help $command" "--help $command"; do
    # shellcheck disable=SC2086 # several words
    course $words
    check "... and so is $words" [ "$status$out" = "0$own" ]
  done
done
course check 01a --help
check "--help may stand behind what is checked" says "$status $out" "0 ./course check"
course tour --size 4 --help
check "... and behind a tour's options" says "$status $out" "0 ./course tour"
course help environment
check "what holds for all commands" says "$out" "COURSE_BUILD_DIR"
course help frobnicate
refused "help on what is not there" 2 "there is no help on 'frobnicate' (./course --help names the commands)"
course --version
check "--version is the project's" [ "$status $out" = "0 CUDA, step by step 9.8" ]
course frobnicate
refused "an unknown command" 2 "unknown command 'frobnicate': there are tour, run, traffic, picture, emucc, check, watch, hint, reset, solution, grade, new-exercise, list, test, measure, docs, notebooks, cutensor and doctor (see ./course --help)"
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
course --backend cuda new-exercise 05c name
refused "new-exercise with --backend cuda" 2 "new-exercise proves the exercise on the emulator: it cannot go with --backend cuda"
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
refused "a PATH without the system's programs" 2 "set PATH to the folders of this system's programs (PATH is '/nonexist')"
mkdir "$work/gone"
(cd "$work/gone" && rmdir "$work/gone" && PATH=$machine exec "$machine/sh" "$copy/course" list) >"$work/out" 2>"$work/err"
status=$?
err=$(tail -n 1 "$work/err")
refused "a current folder that was removed" 2 "the current folder no longer exists: change to another one"
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

end_of_checks
