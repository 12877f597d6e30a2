#!/bin/sh
# Tests of the job scripts for Slurm and PBS on machines of stand-ins, and of how all of them are written.
# Prints each check; ends with their number and status 1 if one fails.
#
#     jobs/job_scripts_test.sh

set -u
# shellcheck source=jobs/stand_in_machine.sh
. "$(dirname "$0")/stand_in_machine.sh"

good_chapters
echo "-- the job scripts"
# header FILE: its lines up to the first command, where a scheduler stops reading.
header() { awk '/^[^#]/ { exit } { print }' "$1"; }
# has_directive FILE PREFIX TEXT: it is in force.
has_directive() { header "$1" | grep -q -x -F -e "#$2 $3"; }
all_up_there() { [ "$(header "$1" | grep -c "^##*$2 ")" = "$(grep -c "^ *##*$2 " "$1")" ]; }
for directive in --nodes=1 --ntasks=1 --gpus=1 --cpus-per-task=8 --time=00:15:00 --mem=16G --job-name=ladder \
  --output=ladder-%j.out --signal=B:TERM@60; do
  check "Slurm: $directive" has_directive "$copy/jobs/ladder.slurm" SBATCH "$directive"
done
check "... all before the first command" all_up_there "$copy/jobs/ladder.slurm" SBATCH
for directive in "-l select=1:ncpus=8:ngpus=1:mem=16gb" "-l walltime=00:15:00" "-N ladder" "-j oe" "-S /bin/bash"; do
  check "PBS: $directive" has_directive "$copy/jobs/ladder.pbs" PBS "$directive"
done
check "... all before the first command" all_up_there "$copy/jobs/ladder.pbs" PBS
check "... with a line for Torque, as a comment" has_directive "$copy/jobs/ladder.pbs" "#PBS" "-l nodes=1:ppn=8:gpus=1"

# What a module system does: it is loaded from a file, and brings nvcc.
new_machine
cat >"$modules/init/bash" <<END
module() {
  echo "module \$*"
  PATH=$modules/cuda:\$PATH
}
END
nvcc_at "$modules/cuda/nvcc"
gpu "$one_gpu"
export MODULESHOME="$modules"
# The scheduler's copies of the scripts.
mkdir "$work/spool"
cp "$copy/jobs/ladder.slurm" "$work/spool/slurm_script"
cp "$copy/jobs/ladder.pbs" "$work/spool/8.SC"
slurm() { in_folder "$work/spool" "$machine/bash" "$work/spool/slurm_script" "$@"; }
pbs() { in_folder "$work/spool" "$machine/bash" "$work/spool/8.SC"; }
export SLURM_SUBMIT_DIR="$copy"
slurm --size 64
check "Slurm: the job runs" [ "$status" = 0 ]
check "... with the toolkit's module" says "$out" "module load cuda"
check "... its results in the submit folder" says "$out" "Results: $copy/results-7"
check "... with the options" holds "$copy/results-7/01_global.txt" "called with [--size 64 --json"
echo 'exit 1' | chapter 01_global
slurm
check "... and the status of the ladder" [ "$status" = 1 ]
good_chapters
SLURM_SUBMIT_DIR="$copy/jobs"
slurm
check "... submitted from elsewhere: one line" one_line "there is no jobs/ladder.sh in $copy/jobs: submit from the top folder"
unset SLURM_SUBMIT_DIR SLURM_JOB_ID
slurm
check "... not submitted: status not 0" [ "$status" != 0 ]
check "... and why" says "$err" "submit this script with sbatch"
export PBS_JOBID=8.server PBS_O_WORKDIR="$copy" COURSE_OPTIONS="--size 64"
pbs
check "PBS: the job runs" [ "$status" = 0 ]
check "... with the toolkit's module" says "$out" "module load cuda"
check "... its results in the submit folder" says "$out" "Results: $copy/results-8"
check "... with the options" holds "$copy/results-8/01_global.txt" "called with [--size 64 --json"
check "... and the job's number" holds "$copy/results-8/machine.txt" "job:      PBS 8.server"
PBS_O_WORKDIR="$copy/jobs"
pbs
check "... submitted from elsewhere: one line" one_line "there is no jobs/ladder.sh in $copy/jobs: submit from the top folder"
unset MODULESHOME
nvcc_at "$machine/nvcc"
PBS_O_WORKDIR="$copy"
pbs
check "no module system: nvcc in PATH does" [ "$status" = 0 ]

echo "-- the shells"
out=
err=
status=0
check "sh reads ladder.sh" sh -n "$checkout/jobs/ladder.sh"
check "... and its summary.sh" sh -n "$checkout/jobs/summary.sh"
for script in ladder.sh ladder.slurm ladder.pbs; do
  check "bash reads $script" bash -n "$checkout/jobs/$script"
done
check "ladder.sh may be executed" [ -x "$checkout/jobs/ladder.sh" ]
if command -v shellcheck >/dev/null; then
  check "shellcheck has nothing to say" shellcheck -s sh -x -P "$checkout" "$checkout/jobs/ladder.sh" \
    "$checkout/jobs/summary.sh" "$checkout/jobs/stand_in_machine.sh" "$checkout/jobs/ladder_test.sh" \
    "$checkout/jobs/job_scripts_test.sh" "$checkout/cmake/shell_checks.sh"
  check "... of the job scripts either" shellcheck -s bash "$checkout/jobs/ladder.slurm" "$checkout/jobs/ladder.pbs"
fi

end_of_checks
