# shellcheck shell=sh
# What the tests of the job scripts share: machines of stand-ins. A machine is a folder that is all of PATH, with an nvcc
# that makes shell scripts of chapters and an nvidia-smi that sees what it is told to see. No GPU, no scheduler; all of it
# happens in a scratch copy. A test reads this file first, and ends with end_of_checks.
# shellcheck disable=SC2034 # its names are for the tests

unset CDPATH CUDACXX CUDA_PATH CUDA_HOME CUDA_VISIBLE_DEVICES COURSE_ARCH COURSE_BIN COURSE_RESULTS COURSE_OPTIONS \
  SLURM_JOB_ID SLURM_SUBMIT_DIR PBS_JOBID PBS_O_WORKDIR MODULESHOME
checkout=$(cd "$(dirname "$0")/.." && pwd -P) || exit 1
work=$(mktemp -d "${TMPDIR:-/tmp}/jobs-test.XXXXXX") || exit 1
work=$(cd "$work" && pwd -P)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
if ! command -v bash >/dev/null; then
  echo "bash is needed to run this test"
  exit 77
fi

# --------------------------------------------------------------------------------------------------------------------
# The scratch copy. Its chapters are shell scripts, which the stand-in for nvcc makes programs of.

copy="$work/a checkout"
submit="$work/where the job is submitted"
mkdir -p "$copy/jobs" "$copy/common/lesson" "$submit" "$work/tmp folder"
cp "$checkout"/jobs/ladder.* "$checkout/jobs/summary.sh" "$copy/jobs/"
touch "$copy/common/lesson/course.hpp"

# chapter NAME: its text on stdin. `passes` and its like are the stand-in's.
chapter() {
  mkdir -p "$copy/chapters/$1"
  { echo '// a shell script' && cat; } >"$copy/chapters/$1/${1#*_}.cu"
}
good_chapters() {
  rm -rf "$copy/chapters"
  for name in 00_first_kernel 01_global 02_coalesced; do echo passes | chapter $name; done
  printf '%s\n' '#include "cublas.hpp"' passes | chapter 07_cublas
  echo 'echo "chapter 08 is no rung"; exit 1' | chapter 08_not_a_rung
  cat >"$copy/chapters/CMakeLists.txt" <<'END'
# The list of chapters.
course_add_chapter(00_first_kernel TITLE "The LADDER begins")
course_add_part("the ladder" "what LADDER means")
course_add_chapter(01_global TITLE "One thread a row" LADDER)
course_add_chapter(02_coalesced TITLE "Coalescing" LADDER)
course_add_chapter(07_cublas TITLE "cuBLAS" CUBLAS LADDER)
course_add_chapter(08_not_a_rung TITLE "No LADDER" CUBLAS)
END
}

# --------------------------------------------------------------------------------------------------------------------
# Machines.

machine=$work/machine
modules=$work/modules
nvcc_calls="$work/nvcc was called with"
export COURSE_CUDA_DIR="$work/no such folder"
export TMPDIR="$work/tmp folder"
new_machine() {
  rm -rf "$machine" "$modules"
  mkdir -p "$machine" "$modules/init" "$modules/cuda"
  for tool in sh bash awk cat chmod cp cut date dirname env find grep head ls mkdir mktemp mv nproc rm sed sleep sort \
    tail timeout touch tr uname wc; do
    path=$(command -v $tool) && [ -x "$path" ] && ln -s "$path" "$machine/$tool"
  done
}
# stand_in PATH: a program, its text on stdin.
stand_in() {
  { echo '#!/bin/sh' && cat; } >"$1"
  chmod 755 "$1"
}
nvcc_at() {
  stand_in "$1" <<END
if [ "\$1" = --version ]; then
  echo 'Cuda compilation tools, release 13.0, V13.0.88'
  exit 0
fi
echo "\$@" >>"$nvcc_calls"
for word in "\$@"; do
  case \$word in *.cu) source=\$word ;; esac
done
while [ "\$1" != -o ]; do shift; done
if grep -q 'does not compile' "\$source"; then
  echo "\$source(1): error: identifier \"foo\" is undefined"
  exit 2
fi
if grep -q 'compiles slowly' "\$source"; then
  touch "$work/started"
  exec sleep 60
fi
{
  cat <<'PROGRAM'
#!/bin/sh
echo "called with [\$*]"
options=\$*
while [ \$# -gt 0 ]; do
  [ "\$1" != --json ] || json=\$2
  shift
done
results() {
  cat >"\$json" <<'JSON'
{"chapter": "a chapter",
 "results": [
  {"kernel": "slow", "verified": true, "median_ms": 2.5, "gb_per_s": 400.25, "percent_of_ceiling": 10},
  {"kernel": "fast one", "verified": true, "median_ms": 0.625, "gb_per_s": 1601, "percent_of_ceiling": 40.04}
 ]}
JSON
}
passes() { results; exit 0; }
PROGRAM
  if grep -q '^// a shell script' "\$source"; then tail -n +2 "\$source"; else echo passes; fi
} >"\$2"
chmod 755 "\$2"
END
}
gpu() {
  stand_in "$machine/nvidia-smi" <<END
case \$* in
  -L) printf '%s\n' '$1' ;;
  *compute-apps*) printf '%s\n' '${2:-}' ;;
  *) printf '%s\n' 'index, name, driver_version' '0, NVIDIA H200, 580.1' ;;
esac
END
}
one_gpu='GPU 0: NVIDIA H200 (UUID: GPU-1)'
full_machine() {
  new_machine
  nvcc_at "$machine/nvcc"
  gpu "$one_gpu"
}

# --------------------------------------------------------------------------------------------------------------------
# Running and checking.

# shellcheck source=cmake/shell_checks.sh
. "$checkout/cmake/shell_checks.sh"
# in_folder FOLDER COMMAND...: runs it on the machine; sets out, err and status.
in_folder() {
  : >"$nvcc_calls"
  (cd "$1" && shift && PATH=$machine exec "$@") >"$work/out" 2>"$work/err" </dev/null
  status=$?
  out=$(cat "$work/out")
  err=$(cat "$work/err")
}
# ladder ARGUMENTS...: as job 7, whose results are in `results`.
export SLURM_JOB_ID=7
results="$submit/results-7"
ladder() {
  rm -rf "$submit"/results-*
  in_folder "$submit" "$machine/sh" "$copy/jobs/ladder.sh" "$@"
}
names_in() { (cd "$1" && echo *); }
holds() { says "$(cat "$1" 2>/dev/null)" "$2"; }
# line_of NAME: what the summary says of a chapter, with single spaces.
line_of() { grep "^$1 " "$results/summary.txt" | tr -s ' '; }
one_line() { [ "$status" = 2 ] && [ -z "$out" ] && [ "$(printf '%s\n' "$err" | wc -l)" -eq 1 ] && says "$err" "$1"; }
no_results() { [ -z "$(ls "$submit")" ]; }
tidy() { [ -z "$(ls "$TMPDIR")" ]; }
# refused WHAT TEXT: one line on stderr, status 2, and nothing done.
refused() {
  check "$1" one_line "$2"
  check "... and nothing was done" no_results
}
