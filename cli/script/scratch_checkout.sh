# What the tests of the course program share: a tiny checkout of stand-ins, and the program, which was built with
# stand_in/config.hpp. A test sources this with the program as $1.
# shellcheck shell=sh disable=SC2034 # what is set here is read by the tests

set -u
program=$1
checkout=$(cd "$(dirname "$0")/../.." && pwd -P) || exit 1
work=$(mktemp -d "${TMPDIR:-/tmp}/course-program-test.XXXXXX") || exit 1
work=$(cd "$work" && pwd -P)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
# shellcheck source=cmake/shell_checks.sh
. "$checkout/cmake/shell_checks.sh"

tree="$work/a checkout"
export COURSE_TEST_SOURCE_DIR="$tree" COURSE_TEST_BUILD_DIR="$tree/build" COURSE_TEST_BACKEND=emulator
export COURSE_TEST_CMAKE="$work/cmake" COURSE_TEST_CTEST="$work/ctest"
mkdir -p "$tree/build"
# script FILE: a script, its text on stdin.
script() {
  { echo '#!/bin/sh' && cat; } >"$1"
  chmod 755 "$1"
}
