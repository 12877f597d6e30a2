#!/bin/sh
# Marks a class on a cluster with Slurm: a job array, each task of which marks a part, and a job after it that makes the
# reports. From the top folder of the checkout, on a file system that all nodes see:
#
#     jobs/grade.sh [--shards N] -- 01a --class handed-in --seed 7
#
# What comes after -- is ./course grade's. N is 8 without --shards. The same command goes on where an earlier one was
# stopped: what is marked stays. Prints the numbers of the two jobs.

set -u
refuse() {
  echo "grade.sh: $1" >&2
  exit 2
}
shards=8
while [ $# -gt 0 ]; do
  case $1 in
    --help | -h)
      sed -n '2,/^$/s/^# \{0,1\}//p' "$0"
      exit 0
      ;;
    --shards)
      [ $# -gt 1 ] || refuse "--shards wants a number"
      shards=$2
      shift 2
      ;;
    --)
      shift
      break
      ;;
    *) refuse "what is for ./course grade stands behind --; see --help" ;;
  esac
done
case $shards in
  '' | *[!0-9]* | 0*) refuse "--shards wants a number, at least 1" ;;
esac
words=" $* "
case $words in *" --class "* | *" --class="*) ;; *) refuse "there is no --class; see --help" ;; esac
case $words in *" --seed "* | *" --seed="*) ;; *) refuse "there is no --seed: all parts must have the same data" ;; esac
case $words in *" --shard"* | *" --jobs"*) refuse "--shard and --jobs come from the job; see jobs/grade.slurm" ;; esac
{ [ -f jobs/grade.slurm ] && [ -x ./course ]; } || refuse "submit from the top folder of the checkout"
command -v sbatch >/dev/null || refuse "there is no sbatch here: submit on a login node of a cluster with Slurm"

COURSE_SHARDS=$shards
export COURSE_SHARDS
array=$(sbatch --parsable --array="1-$shards" jobs/grade.slurm "$@") || exit 1
# With a cluster's name after a semicolon, where there are several.
array=${array%%;*}
# Also after parts that failed: it marks itself what they have not.
reports=$(sbatch --parsable --dependency="afterany:$array" --output=grade-%j.out jobs/grade.slurm "$@") || exit 1
echo "parts: job $array, $shards tasks; reports: job ${reports%%;*}"
