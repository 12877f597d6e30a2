#!/bin/sh
# Tests of `run NN --fast`, from the command line on: in a tiny checkout whose CMake and whose chapters are stand-ins.
# Prints each check; ends with their number and status 1 if one fails.
#
#     cli/script/fast_script_test.sh PROGRAM            the course program, built with stand_in/config.hpp

# shellcheck source=cli/script/scratch_checkout.sh
. "$(dirname "$0")/scratch_checkout.sh"

# --------------------------------------------------------------------------------------------------------------------
# The checkout: chapter 01 as a build for the emulator lists it, chapter 02 as one for a GPU does.

echo "echo \"\$*\" >>'$work/built'; [ ! -e '$work/broken' ] || { echo 'x.cu:1: error: broken'; exit 1; }" | script "$work/cmake"
echo 'echo "looking: $*"; exit 4' | script "$work/looking"
echo 'echo "running: $*"; exit 5' | script "$work/running"
cat >"$tree/build/chapters.json" <<END
[{"number": "01", "name": "01_here", "title": "T", "program": "$work/looking", "target": "01_here", "ladder": true,
  "fast": {"program": "$work/running", "target": "01_here_fast"}},
 {"number": "02", "name": "02_there", "title": "T", "program": "$work/looking", "target": "02_there", "ladder": true}]
END

# course ARGUMENTS...: sets out, err and status.
course() {
  : >"$work/built"
  (cd "$tree" && "$program" "$@") >"$work/out" 2>"$work/err" </dev/null
  status=$?
  out=$(cat "$work/out")
  err=$(cat "$work/err")
}
built() { grep -q -e "--target $1 " "$work/built"; }
nothing_built() { [ ! -s "$work/built" ]; }
# refused WHAT TEXT: status 2, one line on stderr that holds the text, nothing on stdout, nothing built.
one_line() { [ "$status" = 2 ] && [ -z "$out" ] && [ "$(printf '%s\n' "$err" | wc -l)" -eq 1 ] && says "$err" "$1"; }
refused() {
  check "$1" one_line "$2"
  check "... before anything is built" nothing_built
}

# --------------------------------------------------------------------------------------------------------------------

echo "-- the two programs of a chapter"
course run 01 --size 'a b'
check "without --fast: the one for looking" [ "$status $out" = "4 looking: --size a b" ]
check "... which is what is built" built 01_here
course run 01 --fast --size 'a b'
check "--fast: the fast one, its status and its options" [ "$status $out" = "5 running: --size a b" ]
check "... which is what is built" built 01_here_fast
course run 01_here --size 5 --fast
check "--fast may be the last option" [ "$status $out" = "5 running: --size 5" ]
touch "$work/broken"
course run 01 --fast
check "one that does not compile" says "$status $err" "1 "
check "... shows the error" says "$err" "x.cu:1: error: broken"
check "... and is named" says "$err" "course: 01_here_fast failed; the whole log: "
rm "$work/broken"

echo "-- where there is none"
course run 02 --fast
refused "on a GPU" "course: --fast is the emulator's: on a GPU nothing is counted (./course --backend emulator run 02 --fast)"
course run 01a --fast
refused "an exercise" "01a is an exercise: ./course check 01a"
course traffic 01 --fast
refused "traffic" "course: traffic looks at each access, and --fast records none: leave --fast away"
course picture 01 --line 3 --fast
refused "picture" "course: picture looks at each access, and --fast records none: leave --fast away"
course run 01 --fast --traffic
refused "run with --traffic" "course: --traffic looks at each access, and --fast records none: choose one of them"
course tour --fast
refused "the tour" "course: the tour looks at each access, and --fast records none: leave --fast away"

end_of_checks
