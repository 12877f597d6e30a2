#!/bin/sh
# Tests of the course program's commands for exercises, from the command line on: in a tiny checkout whose compiler,
# linker, CMake and ctest are stand-ins. Prints each check; ends with their number and status 1 if one fails.
#
#     cli/script/exercise_script_test.sh PROGRAM        the course program, built with stand_in/config.hpp

unset NO_COLOR
# shellcheck source=cli/script/scratch_checkout.sh
. "$(dirname "$0")/scratch_checkout.sh"

# --------------------------------------------------------------------------------------------------------------------
# The checkout. A student's file whose line says "fails: correct: a" fails that case; BROKEN does not compile.

echo 'exit 0' | script "$work/cmake"
script "$work/ctest" <<'END'
case $* in
  --help) printf '  %s = what it does\n' --output-on-failure --rerun-failed --label-regex ;;
  *) echo "ctest $*" ;;
esac
END
script "$work/compile" <<'END'
[ "$1" = -c ] || exit 9
if grep -n BROKEN "$2" >"$4.lines"; then
  echo "$2:$(sed 's/:.*//;q' "$4.lines"):1: error: BROKEN"
  exit 1
fi
cp "$2" "$4"
END
script "$work/link" <<'END'
cp "$1" "$3.file"
cat >"$3" <<'PROGRAM'
#!/bin/sh
case ${EMULATOR_TRAFFIC-} in 1) echo "traffic of: $*" ;; esac
for name in 'correct: a' 'efficient: b'; do
  result=passed
  if grep -q -e TODO -e "fails: $name" "$0.file"; then result=failed; fi
  echo "{\"case\": \"$name\", \"result\": \"$result\", \"message\": \"because\"}" >>"${COURSE_CHECK_RESULTS:-/dev/null}"
done
PROGRAM
chmod 755 "$3"
END
exercise() { # ID STEM
  name=$1_$2
  mkdir -p "$tree/exercises/$name" "$tree/solutions/$name"
  printf '//@stub\n//@ // TODO\n//@solution\nint %s;\n//@end\n' "$2" >"$tree/solutions/$name/$2.cu"
  printf '// TODO\n' >"$tree/exercises/$name/$2.cu"
  printf '# %s\n' "$name" >"$tree/exercises/$name/README.md"
  printf '## 1. First\n\nThink.\n\n## 2. Second\n\nLook.\n\n## 3\n\nWrite.\n' >"$tree/exercises/$name/hints.md"
  printf '%s{"id": "%s", "name": "%s", "title": "About %s", "kind": "build", "chapter": "%s", "points": 10,
    "folder": "%s", "file": "%s.cu", "solution": "%s", "target": "exercise_%s", "objects": [], "libraries": [],
    "compile": [], "cases": ["correct: a", "efficient: b"]}' "$comma" "$1" "$name" "$2" "${1%?}" \
    "$tree/exercises/$name" "$2" "$tree/solutions/$name" "$1"
  comma=,
}
comma=
{
  printf '{"backend": "emulator", "compile": ["%s"], "link": ["%s"], "parts":
    [{"title": "matrix products", "chapters": ["08"], "can_do": "You can cut it."}], "exercises": [' "$work/compile" "$work/link"
  exercise 08a left
  exercise 08b right
  printf ']}\n'
} >"$tree/build/exercises.json"
echo '[{"number": "08", "name": "08_gemm", "title": "T", "program": "/p", "target": "08_gemm", "ladder": true}]' \
  >"$tree/build/chapters.json"
left=$tree/exercises/08a_left/left.cu
right=$tree/exercises/08b_right/right.cu

# course ARGUMENTS...: sets out, err and status.
course() {
  (cd "$tree" && "$program" "$@") >"$work/out" 2>"$work/err" </dev/null
  status=$?
  out=$(cat "$work/out")
  err=$(cat "$work/err")
}
# one_line STATUS TEXT: it ended so, with one line on stderr that holds the text, and nothing on stdout.
one_line() { [ "$status" = "$1" ] && [ -z "$out" ] && [ "$(printf '%s\n' "$err" | wc -l)" -eq 1 ] && says "$err" "$2"; }
# shows STATUS TEXT: it ended so, and printed the text.
shows() { [ "$status" = "$1" ] && says "$out" "$2"; }

# --------------------------------------------------------------------------------------------------------------------

echo "-- from the stub to the end of a part"
course list
check "list shows chapters and exercises" shows 0 "08_gemm"
check "... with progress" shows 0 "0 of 2 exercises solved, 0 of 20 points; see ./course list 1, or --all."
check "... and leaves no trace" [ ! -e "$tree/.course" ]
course check
check "check takes the first exercise, still a stub" shows 1 "exercises/08a_left/left.cu is still as handed out: line 1 says TODO."
check "... shows its cases" says "$out" "FAILED   correct: a
FAILED   efficient: b

correct: a (and 1 other)
    because"
check "... says what next" says "$out" "./course hint 08a   (3 of 3 left)"
without_colours() { ! says "$out" "$(printf '\033')"; }
check "... in no colours" without_colours
course solution 08a
check "a solution is refused before an attempt" one_line 1 "08a was not tried yet"
course solution 08a --anyway
check "... unless it is to be shown anyway" [ "$status $out" = "0 int left;" ]
course hint 08a
check "the first hint" shows 0 "Hint 1 of 3: First"
course hint 8a
check "the second one" shows 0 "Hint 2 of 3: Second"
course hint 08a --again
check "both again" shows 0 "Think."
printf '\nBROKEN\n' >"$left"
course check 08a
check "an error in the file begins at its line" says "$out" "
exercises/08a_left/left.cu:2:1: error: BROKEN
"
check "... and is a failure" [ "$status" = 1 ]
printf 'fails: efficient: b\n' >"$left"
course check 08a_left
check "a case that fails" shows 1 "08a is not solved yet: 1 of 2 cases failed."
course solution 08a
check "now the solution is shown" [ "$status $out" = "0 int left;" ]
printf 'mine\n' >"$left"
course check 08a
check "solved" shows 0 "08a is solved: all 2 cases passed; 10 points."
check "... with the next one named" says "$out" "exercises/08b_right/README.md"
course check
check "check goes on with the next one" shows 1 "08b  About right"
printf 'mine\n' >"$right"
course check 08
check "a whole chapter" shows 0 "2 of 2 exercises of chapter 08 are solved."
check "... ends the part" says "$out" "Well done: you have solved all of part 1 of the course, matrix products."
course list
check "list remembers" shows 0 "2 of 2 exercises solved, 20 of 20 points."
course list 1
check "... of a part the attempts and hints" says "$out" "08a_left   solved  10 of 10         3      2  About left"
course check
check "nothing is left" shows 0 "All 2 exercises are solved."
course watch
check "... to watch either" shows 0 "All exercises are solved: there is nothing left to watch."

echo "-- reset"
course reset 08a
check "reset brings the stub back" [ "$status $(cat "$left")" = "0 // TODO" ]
check "... and keeps the student's version" [ "$(cat "$tree"/.course/kept/08a_left-*.cu)" = mine ]
check "... saying where" says "$out" "Your version is kept in .course/kept/08a_left-"
course reset 08a
check "then there is nothing to reset" shows 0 "there is nothing to reset"

echo "-- watch"
rm -r "$tree/.course"
: >"$work/out"
printf 'fails: correct: a\n' >"$left"
printf '// TODO\n' >"$right"
(cd "$tree" && exec "$program" watch) >"$work/out" 2>"$work/err" </dev/null &
watcher=$!
# until_shown TEXT: waits for the watcher to print it.
until_shown() {
  tries=0
  while ! says "$(cat "$work/out")" "$1"; do
    tries=$((tries + 1))
    [ "$tries" -lt 300 ] || return 1
    sleep 0.1
  done
}
check "watch says at once what it watches" until_shown "Watching exercises/08a_left/left.cu"
check "... checks, and waits" until_shown "Waiting for exercises/08a_left/left.cu to be saved"
printf 'mine\n' >"$left.new"
mv "$left.new" "$left"
check "a file saved by renaming is checked again" until_shown "08a is solved"
check "... and the next one watched" until_shown "Waiting for exercises/08b_right/right.cu to be saved"
rm "$right"
check "a file that vanishes is told" until_shown "right.cu is gone, or empty"
printf 'mine\n' >"$right"
check "... and checked when it is back" until_shown "08b is solved"
wait "$watcher"
check "when all is solved the watch ends, with status 0" [ "$?" = 0 ]
check "... with the congratulation" says "$(cat "$work/out")" "Well done"
# A shell without job control starts background programs deaf to Ctrl-C; this one gets its ears back.
cat >"$work/run.py" <<'END'
import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.execv(sys.argv[1], sys.argv[1:])
END
if command -v python3 >/dev/null; then
  : >"$work/out" # not to be taken for what the next one says
  (cd "$tree" && exec python3 "$work/run.py" "$program" watch 08a) >"$work/out" 2>"$work/err" </dev/null &
  watcher=$!
  check "a solved exercise can be watched" until_shown "Waiting for exercises/08a_left/left.cu to be saved"
  kill -INT "$watcher"
  wait "$watcher"
  check "Ctrl-C ends the watch with status 0" [ "$?" = 0 ]
  check "... and a line" says "$(cat "$work/out")" "No longer watching."
fi

echo "-- ctest's fixture, and test"
printf 'mine\n' >"$left"
course build-exercise 08a
check "build-exercise says nothing if all is well" [ "$status$out$err" = 0 ]
printf 'BROKEN\n' >"$left"
course build-exercise 08a
check "... else what the compiler says" [ "$status $out" = "1 exercises/08a_left/left.cu:1:1: error: BROKEN" ]
check "... and leaves no program" [ ! -e "$tree/build/exercises/08a_left/check" ]
course test
check "test leaves the student's exercises out" says "$out" " -LE ^exercises\$"
obeyed() { says "$out" "$1" && ! says "$out" "^exercises"; }
for options in "-L chapter08" "-LE docs" "-R exercise" "-E docs" "-I 1,2" "--rerun-failed" "--label-regex x"; do
  # shellcheck disable=SC2086 # several words
  course test $options
  check "test $options does as it is told" obeyed "$options"
done
echo "touch '$work/built'" | script "$work/cmake"
course test --frob
check "an option that ctest does not have" one_line 2 "test: ctest has no option '--frob' (ctest --help names them)"
check "... is refused before anything is built" [ ! -e "$work/built" ]
echo 'exit 0' | script "$work/cmake"

echo "-- traffic, and what cannot be obeyed"
printf 'mine\n' >"$left"
course traffic 08a
check "traffic runs the efficient cases and lists" shows 0 "traffic of: --in-process --test-case=efficient: b"
export COURSE_TEST_BACKEND=cuda
course traffic 08a
check "... on the emulator only" one_line 2 "traffic wants the emulator"
export COURSE_TEST_BACKEND=emulator
course check 09a
check "an exercise that is not there" one_line 2 "there is no exercise '09a': did you mean 08a? (./course list --all names them)"
course run 08a
check "an exercise is not run as a chapter" one_line 2 "08a is an exercise: ./course check 08a"
course hint
check "hint wants an exercise" one_line 2 "hint wants an exercise: ./course hint 01a"
for file in exercises chapters; do
  cp "$tree/build/$file.json" "$work/list"
  for damage in '' '[{' '{}' '[{"number": 1}]'; do
    printf '%s' "$damage" >"$tree/build/$file.json"
    course list
    check "a list of $file that is damaged ($damage)" one_line 2 "remove the folder (rm -r '$tree/build')"
  done
  rm "$tree/build/$file.json"
  course list
  check "... or not there" one_line 2 "remove the folder (rm -r '$tree/build')"
  cp "$work/list" "$tree/build/$file.json"
done
# A million arrays within each other, twice: removing them must not take as many calls.
awk 'BEGIN { for (k = 0; k < 1000000; ++k) printf "["; for (k = 0; k < 1000000; ++k) printf "]" }' >"$work/deep"
cp "$work/deep" "$tree/.course/progress.json"
course list
check "progress that is nested a million deep" shows 0 "0 of 2 exercises solved"
check "... is damaged" says "$err" "progress.json is damaged"
cp "$work/deep" "$tree/build/chapters.json"
course list
check "and so is a list of chapters" one_line 2 "is damaged (it is nested too deeply)"
cp "$work/list" "$tree/build/chapters.json"

echo "-- standard output that is full, or closed"
printf 'mine\n' >"$left"
course check 08a
for words in list "check 08a" "hint 08b --again" "hint 08a" "solution 08a" "reset 08b" help; do
  for output in full closed; do
    # shellcheck disable=SC2086 # several words
    case $output in
      full) (cd "$tree" && "$program" $words) >/dev/full 2>"$work/err" </dev/null ;;
      closed) (cd "$tree" && "$program" $words) >&- 2>"$work/err" </dev/null ;;
    esac
    status=$?
    out=
    err=$(cat "$work/err")
    lost() { [ "$status" -ne 0 ] && says "$(printf '%s\n' "$err" | tail -n 1)" "$1"; }
    check "$words with standard output $output" lost "course: cannot write to standard output: it is full, or closed"
  done
done

end_of_checks
