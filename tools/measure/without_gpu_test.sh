#!/bin/sh
# What the course program says to `measure` where it was built for the emulator.
#
#     tools/measure/without_gpu_test.sh PROGRAM

failed=0
# expect STATUS TEXT ARGUMENT...: exit status, and all of stdout and stderr
expect() {
  status=$1
  text=$2
  shift 2
  said=$("$program" "$@" 2>&1)
  got=$?
  if [ "$got" -ne "$status" ] || [ "$said" != "$text" ]; then
    printf '%s\n' "$*: status $got instead of $status, or not '$text' but '$said'"
    failed=1
  fi
}

program=$1
expect 77 "SKIPPED: without a GPU there is nothing to measure" measure
expect 77 "SKIPPED: without a GPU there is nothing to measure" measure --quick --out /nowhere/file --repeat 20
expect 2 "course: measure: --repeat wants a whole number from 20 to 10000, got 19 (see ./course measure --help)" measure --repeat 19
exit $failed
