#!/bin/sh
# Tests of jobs/grade.sh and jobs/grade.slurm in a scratch copy: a stand-in for sbatch runs each task at once, as Slurm
# would, and one for ./course writes down what it was asked. Prints each check; status 1 if one fails.
#
#     jobs/grade_test.sh

set -u
unset CDPATH COURSE_SHARDS SLURM_ARRAY_TASK_ID SLURM_CPUS_PER_TASK SLURM_SUBMIT_DIR
checkout=$(cd "$(dirname "$0")/.." && pwd -P) || exit 1
work=$(mktemp -d "${TMPDIR:-/tmp}/grade-test.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
if ! command -v bash >/dev/null; then
  echo "SKIPPED: bash is needed to run this test"
  exit 77
fi
copy="$work/a checkout"
mkdir -p "$copy/jobs" "$work/bin" "$work/spool"
cp "$checkout/jobs/grade.sh" "$checkout/jobs/grade.slurm" "$copy/jobs/"
# stand_in PATH: a program, its text on stdin.
stand_in() {
  { echo '#!/bin/sh' && cat; } >"$1"
  chmod 755 "$1"
}
stand_in "$copy/course" <<END
printf '%s|' "\$@" >>"$work/asked"
echo >>"$work/asked"
case " \$* " in *" --shard 2/"*) exit 1 ;; esac
END
# A copy of the script runs elsewhere, and finds its way by the variables alone. A task that fails fails no other.
stand_in "$work/bin/sbatch" <<END
echo "\$@" >>"$work/submitted"
first= last=
while :; do
  case \$1 in
    --array=*) first=\${1#--array=} last=\${first#*-} first=\${first%-*} ;;
    --*) ;;
    *) break ;;
  esac
  shift
done
cp "\$1" "$work/spool/script"
shift
export SLURM_SUBMIT_DIR="\$PWD" SLURM_CPUS_PER_TASK=3
cd "$work/spool" || exit 1
if [ -n "\$first" ]; then
  while [ "\$first" -le "\$last" ]; do
    SLURM_ARRAY_TASK_ID=\$first bash script "\$@"
    first=\$((first + 1))
  done
  echo "11;here"
else
  bash script "\$@"
  echo 12
fi
END

# shellcheck source=cmake/shell_checks.sh
. "$checkout/cmake/shell_checks.sh"
# submit ARGUMENTS...: sets out, err and status.
submit() {
  rm -f "$work/asked" "$work/submitted"
  out=$(cd "$copy" && PATH="$work/bin:$PATH" jobs/grade.sh "$@" 2>"$work/err")
  status=$?
  err=$(cat "$work/err")
}
refused() {
  submit "$@"
  [ "$status" = 2 ] && [ -z "$out" ] && [ "$(printf '%s\n' "$err" | wc -l)" = 1 ] && [ ! -e "$work/submitted" ]
}

submit --shards 3 -- 01a --class "handed in" --seed 7
check "it succeeds, though a part failed" [ "$status" = 0 ]
check "... and says which jobs these are" [ "$out" = "parts: job 11, 3 tasks; reports: job 12" ]
check "each part is asked for once, and all of the class last" [ "$(cat "$work/asked")" = "$(
  for part in '--shard|1/3|' '--shard|2/3|' '--shard|3/3|' ''; do
    echo "--no-install|--backend|emulator|grade|01a|--class|handed in|--seed|7|--jobs|3|$part"
  done
)" ]
check "the reports wait for the parts" says "$(tail -n 1 "$work/submitted")" "--dependency=afterany:11 "
submit -- 01 --class=x --seed=1
check "there are 8 parts if nothing else is said" says "$out" "8 tasks"
check "no --seed is refused" refused -- 01a --class x
check "no --class is refused" refused -- 01a --seed 1
check "a shard is the job's own" refused -- 01a --class x --seed 1 --shard 1/2
check "0 parts are refused" refused --shards 0 -- 01a --class x --seed 1
check "... and no number" refused --shards
check "options before -- are refused" refused 01a --class x --seed 1
rm "$copy/course"
check "another folder than the checkout is refused" refused -- 01a --class x --seed 1
if command -v shellcheck >/dev/null; then
  check "shellcheck finds nothing" shellcheck -x -P "$checkout" "$checkout/jobs/grade.sh" "$checkout/jobs/grade_test.sh"
  check "... in the job either" shellcheck -s bash "$checkout/jobs/grade.slurm"
fi

end_of_checks
