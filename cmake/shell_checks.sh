# What the shell tests share: counting checks and saying which failed. A test sources this and sets `status`, `out`
# and `err` whenever it runs something.
# shellcheck shell=sh disable=SC2034 # what is set here is read by the tests

checks=0
failures=0
out=
err=
status=0

# check WHAT COMMAND...: the command must succeed.
check() {
  what=$1
  shift
  checks=$((checks + 1))
  if "$@"; then
    echo "ok      $what"
  else
    failures=$((failures + 1))
    echo "FAILED  $what (status $status)"
    printf '%s\n' "$out" | sed 's/^/        stdout: /'
    printf '%s\n' "$err" | sed 's/^/        stderr: /'
  fi
}

# says TEXT PART: does the text hold the part?
says() {
  case $1 in *"$2"*) true ;; *) false ;; esac
}

# The last line of a test, and its exit status.
end_of_checks() {
  echo
  echo "$((checks - failures)) passed, $failures failed"
  [ "$failures" -eq 0 ]
}
