#!/bin/sh
# Builds the ladder with nvcc, runs it on the machine's GPU, and leaves the results in a folder.
# Made for a job of a cluster, whose nodes may have the CUDA toolkit and nothing else: no CMake, no
# network, no root. `ladder.sh --help` says the rest, README.md how to submit it.

set -u
unset CDPATH

print_help() {
  cat <<'HELP'
usage: jobs/ladder.sh [--build-only] [OPTION...]

Compiles chapter 00 and the ladder for this machine's GPU, runs one after the other, and ends with a
line for each. OPTIONs go to the chapters: --size N, --rows M --cols N, --repeat R, ...

  --build-only  only compile, into COURSE_BIN; needs no GPU if COURSE_ARCH names one
  --help        show this text

The results go to a new folder results-JOB in the current folder, JOB being the job's number,
or the time where there is no job:
  summary.txt     a line for each chapter, kept up to date while they run
  machine.txt     what the times depend on: host, GPU, driver, clocks, compiler, commit
  NN_name.txt     what the chapter printed; NN_name.json its measurements
  NN_name.build   what the compiler said, if it said anything

Environment
  COURSE_RESULTS  where to make the results folder, in place of the current folder
  COURSE_ARCH     the GPU to compile for, like sm_90, in place of the one at hand
  COURSE_BIN      a folder for programs: --build-only fills it, a job runs what it holds
  CUDACXX         the nvcc to use, if it is not the one in PATH
  CUDA_PATH       where the CUDA toolkit is, if nvcc is not in PATH
  TMPDIR          where programs are built that nobody keeps

Exit status
  0    every chapter was verified; chapter 00 may refuse options that are the ladder's
  1    a chapter failed, was skipped, or did not compile
  2    something is missing, or the command line cannot be followed; nothing was run
  129, 130, 143  stopped by SIGHUP, SIGINT, SIGTERM (at the time limit, or cancelled)
HELP
}

# One line on stderr, and out: `stop 2 "text"`.
stop() {
  status=$1
  shift
  printf 'ladder: %s\n' "$*" >&2
  exit "$status"
}

# --------------------------------------------------------------------------------------------------------------------
# The command line: what is not ours is the chapters'.

build_only=no
remaining=$#
while [ "$remaining" -gt 0 ]; do
  argument=$1
  shift
  remaining=$((remaining - 1))
  case $argument in
    -h | --help)
      print_help
      exit 0
      ;;
    --build-only)
      build_only=yes
      continue
      ;;
    --json | --json=* | --csv | --csv=*) stop 2 "${argument%%=*} is not for you to give: the results folder has a file for each chapter" ;;
  esac
  set -- "$@" "$argument"
done
bin=${COURSE_BIN:-}
[ "$build_only" = no ] || [ -n "$bin" ] || stop 2 "--build-only wants COURSE_BIN, the folder for the programs"
compile=yes
[ -z "$bin" ] || [ "$build_only" = yes ] || compile=no

# --------------------------------------------------------------------------------------------------------------------
# What must be there: the chapters, nvcc, and a GPU.

checkout=$(cd "$(dirname "$0")/.." && pwd -P) || exit 2
# The first chapter, and those that the list of chapters marks as rungs. Their names hold no spaces.
chapters=$(sed -n -e 's/^course_add_chapter(\(00_[a-z0-9_]*\) .*/\1/p' \
  -e 's/^course_add_chapter(\([a-z0-9_]*\) .*" .*LADDER.*/\1/p' "$checkout/chapters/CMakeLists.txt" 2>/dev/null)
[ -n "$chapters" ] || stop 2 "this checkout is incomplete: there are no chapters in $checkout/chapters"
source_of() { printf '%s\n' "$checkout/chapters/$1/${1#*_}.cu"; }

# limited SECONDS COMMAND...: a driver in trouble can make nvidia-smi hang.
limited() {
  if command -v timeout >/dev/null; then
    timeout "$@"
  else
    shift
    "$@"
  fi
}

nvcc=
nvcc_version=
if [ "$compile" = yes ]; then
  if [ -n "${CUDACXX:-}" ]; then
    nvcc=$(command -v "$CUDACXX") || stop 2 "CUDACXX names '$CUDACXX', which is not there"
  else
    for candidate in nvcc ${CUDA_PATH:+"$CUDA_PATH/bin/nvcc"} ${CUDA_HOME:+"$CUDA_HOME/bin/nvcc"} \
      "${COURSE_CUDA_DIR:-/usr/local/cuda}/bin/nvcc"; do
      [ -n "$nvcc" ] || nvcc=$(command -v "$candidate")
    done
    [ -n "$nvcc" ] || stop 2 "nvcc is not here: load the CUDA toolkit (hint: module load cuda), or set CUDA_PATH"
  fi
  nvcc_version=$(limited 60 "$nvcc" --version 2>/dev/null | sed -n 's/.*release \([0-9.]*\).*/\1/p')
  [ -n "$nvcc_version" ] || stop 2 "$nvcc is there but does not run (hint: module load cuda)"
fi

gpus=
if [ "$build_only" = no ] || [ -z "${COURSE_ARCH:-}" ]; then
  how="ask the scheduler for one (Slurm: --gpus=1, PBS: ngpus=1)"
  [ "$build_only" = no ] || how="name the one to compile for (COURSE_ARCH=sm_90)"
  command -v nvidia-smi >/dev/null || stop 2 "no GPU here, nor an NVIDIA driver (no nvidia-smi): $how"
  gpus=$(limited 60 nvidia-smi -L 2>/dev/null | grep '^GPU [0-9]*:')
  [ -n "$gpus" ] || stop 2 "the NVIDIA driver sees no GPU here: $how"
  case ${CUDA_VISIBLE_DEVICES-unset} in
    '' | -1 | NoDevFiles) stop 2 "CUDA_VISIBLE_DEVICES hides every GPU: $how" ;;
  esac
fi

# --------------------------------------------------------------------------------------------------------------------
# Folders. Programs are built where nobody keeps them, results where they outlive the job.

# can_write FOLDER: makes it if need be.
can_write() { mkdir -p "$1" 2>/dev/null && [ -w "$1" ]; }

work=$(mktemp -d "${TMPDIR:-/tmp}/ladder.XXXXXX") || stop 2 "cannot write to ${TMPDIR:-/tmp}: set TMPDIR to a folder you can write to"
trap 'rm -rf "$work"' EXIT
if [ "$compile" = yes ]; then
  [ "$build_only" = yes ] || bin=$work
  can_write "$bin" || stop 2 "cannot write to $bin: set COURSE_BIN to a folder you can write to"
fi
[ -d "$bin" ] || stop 2 "COURSE_BIN names '$bin', which is not there: fill it with --build-only"
bin=$(cd "$bin" && pwd -P)

# Sets `results` to a folder that was not there before: a job that is run again must not mix its results with the old.
make_results() {
  job=${SLURM_JOB_ID:-${PBS_JOBID:-$(date +%Y%m%d-%H%M%S)}}
  job=$(printf '%s\n' "${job%%.*}" | sed 's/[^0-9A-Za-z-]/_/g')
  parent=${COURSE_RESULTS:-.}
  can_write "$parent" || stop 2 "cannot write to $parent: set COURSE_RESULTS to a folder you can write to"
  parent=$(cd "$parent" && pwd)
  results=$parent/results-$job
  try=2
  until mkdir "$results" 2>/dev/null; do
    [ -e "$results" ] || stop 2 "cannot make $results: set COURSE_RESULTS to a folder you can write to"
    results=$parent/results-$job-$try
    try=$((try + 1))
  done
}
if [ "$build_only" = yes ]; then results=$bin; else make_results; fi

# --------------------------------------------------------------------------------------------------------------------
# What the times depend on.

commit() {
  command -v git >/dev/null || return 1
  # Not the commit of some repository around this one.
  [ "$(git -C "$checkout" rev-parse --show-toplevel 2>/dev/null)" = "$checkout" ] || return 1
  hash=$(git -C "$checkout" rev-parse HEAD 2>/dev/null) || return 1
  GIT_OPTIONAL_LOCKS=0 git -C "$checkout" diff --quiet HEAD 2>/dev/null || hash="$hash, with changes"
  printf '%s\n' "$hash"
}
gpu_state() {
  limited 60 nvidia-smi --format=csv --query-gpu="$gpu_fields" 2>&1
}
gpu_fields=index,name,driver_version,memory.total,memory.used,clocks.sm,clocks.mem,clocks.max.sm,clocks.max.mem
gpu_fields=$gpu_fields,power.draw,power.limit,temperature.gpu,utilization.gpu,compute_mode,persistence_mode,mig.mode.current

machine() {
  echo "host:     $(uname -n), $(uname -sr)"
  echo "date:     $(date '+%Y-%m-%d %H:%M:%S %z')"
  scheduler=${SLURM_JOB_ID:+Slurm $SLURM_JOB_ID}${PBS_JOBID:+PBS $PBS_JOBID}
  echo "job:      ${scheduler:-none}"
  echo "cpu:      $(sed -n 's/^model name[^:]*: *//p' /proc/cpuinfo 2>/dev/null | sed 1q), $(nproc 2>/dev/null || echo '?') cores for us"
  echo "commit:   $(commit || echo unknown)"
  echo "options:  $*"
  echo "visible:  CUDA_VISIBLE_DEVICES=${CUDA_VISIBLE_DEVICES-(unset)}"
  if [ "$compile" = yes ]; then
    echo "compile:  $nvcc -std=c++20 -O3 -arch=${COURSE_ARCH:-native}"
    "$nvcc" --version 2>&1 | sed 's/^/          /'
  else
    echo "programs: $bin, compiled before"
  fi
  printf '\nnvidia-smi -L\n'
  limited 60 nvidia-smi -L 2>&1
  printf '\nBefore the first chapter (clocks of a GPU at rest)\n'
  gpu_state
}

# --------------------------------------------------------------------------------------------------------------------
# What has become of each chapter.

# shellcheck source=jobs/summary.sh
. "$checkout/jobs/summary.sh" || exit 2

# --------------------------------------------------------------------------------------------------------------------
# The scheduler's SIGTERM. Every command that takes long is waited for, since a shell heeds no signal before the
# command in its foreground ends.

children=
stopped() {
  trap '' TERM INT HUP
  # shellcheck disable=SC2086 # a list of numbers
  [ -z "$children" ] || kill $children 2>/dev/null
  for name in $chapters; do
    case $(state_of "$name") in
      running) set_state "$name" "stopped while it ran" ;;
      waiting) set_state "$name" "- not run" ;;
    esac
  done
  printf '\nStopped by %s (the time limit, or cancelled) at %s.\n' "$1" "$(date '+%H:%M:%S')" >>"$work/notes"
  write_summary
  echo
  summary
  [ "$build_only" = yes ] || echo "What was measured until then: $results"
  exit "$2"
}
for name in $chapters; do set_state "$name" "waiting "; done
trap 'stopped SIGTERM 143' TERM
trap 'stopped SIGINT 130' INT
trap 'stopped SIGHUP 129' HUP

# --------------------------------------------------------------------------------------------------------------------
# Build. All chapters at once, as far as there are cores; nothing is measured yet.

compile_chapter() {
  set -- "$1" -std=c++20 -O3 "-arch=${COURSE_ARCH:-native}" -I "$checkout/common/lesson" "$(source_of "$1")" -o "$bin/$1"
  if grep -q '^#include [<"]cublas' "$(source_of "$1")"; then
    # The library need not be where the loader looks by itself.
    set -- "$@" -lcublas -Xlinker -rpath -Xlinker "$(dirname "$(dirname "$nvcc")")/lib64"
  fi
  log=$results/$1.build
  shift
  # With exec, so that a signal to this process is one to nvcc.
  TMPDIR=$work exec "$nvcc" "$@" >"$log" 2>&1 </dev/null
}

# Waits for the compilers in `children`, a list of numbers, and judges the chapters in `batch`.
judge_batch() {
  for name in $batch; do
    wait "${children%% *}"
    status=$?
    children=${children#* }
    if [ "$status" -ne 0 ]; then
      set_state "$name" "FAILED does not compile: $(telling_line "$results/$name.build")"
    elif [ "$build_only" = yes ]; then
      set_state "$name" "built $bin/$name"
    fi
    [ -s "$results/$name.build" ] || rm -f "$results/$name.build"
  done
  batch=
  children=
}

if [ "$build_only" = no ]; then
  echo "The ladder on $(uname -n), $(printf '%s\n' "$gpus" | sed 's/^GPU [0-9]*: *//;s/ (UUID.*//;1q')"
  echo "Results: $results"
  machine "$@" >"$results/machine.txt"
  # With several GPUs in sight, we cannot know whose processes these are.
  if [ "$(printf '%s\n' "$gpus" | wc -l)" -eq 1 ]; then
    others=$(limited 60 nvidia-smi --format=csv,noheader --query-compute-apps=pid 2>/dev/null | grep -c '^ *[0-9]')
    [ "$others" -eq 0 ] || printf '\nOthers were using the GPU (%s processes): do not trust these times.\n' "$others" >>"$work/notes"
  fi
  ! limited 60 nvidia-smi -L 2>/dev/null | grep -q '^ *MIG ' ||
    printf '\nThis GPU is divided (MIG): these are the times of a slice, which has neighbours.\n' >>"$work/notes"
fi
write_summary

if [ "$compile" = yes ]; then
  echo "Compiling with nvcc $nvcc_version for ${COURSE_ARCH:-this GPU}"
  cores=$(nproc 2>/dev/null || echo 2)
  batch=
  size=0
  for name in $chapters; do
    compile_chapter "$name" &
    children="$children$! "
    batch="$batch $name"
    size=$((size + 1))
    if [ "$size" -ge "$cores" ]; then
      judge_batch
      size=0
    fi
  done
  judge_batch
fi

# --------------------------------------------------------------------------------------------------------------------
# Run, one at a time.

run_chapter() {
  name=$1
  shift
  out=$results/$name.txt
  if [ "$compile" = no ]; then
    if ! [ -x "$bin/$name" ]; then
      set_state "$name" "FAILED there is no $bin/$name"
      return
    fi
    # An old program must not pass for what the source says now.
    if [ -n "$(find "$(source_of "$name")" "$checkout/common/lesson" -name '*.[ch]*' -newer "$bin/$name" | sed 1q)" ]; then
      set_state "$name" "FAILED $bin/$name is older than its source: build it again"
      return
    fi
  fi
  set_state "$name" "running "
  write_summary
  "$bin/$name" "$@" --json "$results/$name.json" >"$out" 2>&1 </dev/null &
  children=$!
  wait "$children"
  status=$?
  # What stops the chapter may be about to stop us too.
  [ "$status" -ne 143 ] || sleep 1
  children=
  echo
  cat "$out"
  case $status in
    0)
      if ! [ -s "$results/$name.json" ]; then
        set_state "$name" "FAILED it left no results"
      elif grep -q '"verified": false' "$results/$name.json"; then
        set_state "$name" "FAILED a kernel is not verified"
      else
        set_state "$name" "verified $(fastest "$results/$name.json")"
      fi
      ;;
    77) set_state "$name" "skipped $(telling_line "$out")" ;;
    2)
      # The options are the ladder's; chapter 00 is before it.
      if [ $# -gt 0 ] && [ "${name%%_*}" = 00 ]; then
        set_state "$name" "refused $(telling_line "$out")"
      else
        set_state "$name" "FAILED status 2: $(telling_line "$out")"
      fi
      ;;
    *) set_state "$name" "FAILED status $status: $(telling_line "$out")" ;;
  esac
}

if [ "$build_only" = no ]; then
  for name in $chapters; do
    [ "$(state_of "$name")" = FAILED ] || run_chapter "$name" "$@"
    write_summary
  done
  {
    printf '\nAfter the last chapter\n'
    gpu_state
  } >>"$results/machine.txt"
fi

echo
summary
passed=0
failed=0
for name in $chapters; do
  case $(state_of "$name") in
    verified | built) passed=$((passed + 1)) ;;
    refused) ;;
    *) failed=$((failed + 1)) ;;
  esac
done
echo
if [ "$build_only" = yes ]; then
  echo "Chapters: $passed built, $failed failed. Programs: $bin"
else
  echo "Chapters: $passed verified, $failed failed. Results: $results"
fi
[ "$failed" -eq 0 ]
