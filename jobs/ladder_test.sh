#!/bin/sh
# Tests of ladder.sh on machines of stand-ins.
# Prints each check; ends with their number and status 1 if one fails.
#
#     jobs/ladder_test.sh

set -u
# shellcheck source=jobs/stand_in_machine.sh
. "$(dirname "$0")/stand_in_machine.sh"

echo "-- all is well"
good_chapters
full_machine
ladder
check "all verified: status 0" [ "$status" = 0 ]
check "... nothing on stderr" [ -z "$err" ]
check "... a line for each chapter, with its fastest kernel" \
  [ "$(line_of 01_global)" = "01_global verified fast one 0.6250 ms 1601.0 GB/s 40.0 % of the ceiling" ]
check "... in the order of the ladder" \
  [ "$(sed -n 's/ .*verified.*//p' "$results/summary.txt" | tr '\n' ' ')" = "00_first_kernel 01_global 02_coalesced 07_cublas " ]
check "... the same in the job's output" says "$out" "$(cat "$results/summary.txt")"
check "... which ends with the count and the folder" \
  [ "$(tail -n 1 "$work/out")" = "Chapters: 4 verified, 0 failed. Results: $results" ]
check "... and shows each chapter's table" [ "$(grep -c '^called with' "$work/out")" = 4 ]
check "the results folder holds these files and no others" [ "$(names_in "$results")" = "00_first_kernel.json\
 00_first_kernel.txt 01_global.json 01_global.txt 02_coalesced.json 02_coalesced.txt 07_cublas.json 07_cublas.txt\
 machine.txt summary.txt" ]
check "... the table" holds "$results/02_coalesced.txt" "called with [--json $results/02_coalesced.json]"
check "... the measurements" holds "$results/02_coalesced.json" '"median_ms": 2.5'
for text in "host:     $(uname -n)" "date:     $(date +%Y-)" "job:      Slurm 7" "-arch=native" "release 13.0" \
  "CUDA_VISIBLE_DEVICES=(unset)" "$one_gpu" "NVIDIA H200, 580.1" "commit:   unknown" "After the last chapter"; do
  check "... the machine: $text" holds "$results/machine.txt" "$text"
done
check "programs are not kept" tidy
check "the checkout is left alone" [ "$(names_in "$copy")" = "chapters common jobs" ]
check "nvcc is called as the pages say" \
  grep -q -e "^-std=c++20 -O3 -arch=native -I $copy/common/lesson $copy/chapters/01_global/global.cu -o [^ ]*" "$nvcc_calls"
check "... with cuBLAS for the chapter that includes it" \
  [ "$(grep -e -lcublas "$nvcc_calls" | sed 's/.*chapters.\([^/]*\).*/\1/')" = 07_cublas ]
in_folder "$submit" "$machine/sh" "$copy/jobs/ladder.sh"
check "a job that runs again has a folder of its own" [ "$status $(names_in "$submit")" = "0 results-7 results-7-2" ]
unset SLURM_JOB_ID
ladder
check "without a job the folder is named after the time" says "$(ls "$submit")" "results-$(date +%Y)"
rm -rf "$submit"/results-*
export SLURM_JOB_ID=7 COURSE_RESULTS="$work/elsewhere/and deeper"
ladder
check "COURSE_RESULTS is where the folder is made" [ "$status$(ls "$COURSE_RESULTS")" = 0results-7 ]
check "... and not here" no_results
COURSE_RESULTS=/proc/nowhere
ladder
refused "COURSE_RESULTS that cannot be written" "cannot write to /proc/nowhere: set COURSE_RESULTS"
unset COURSE_RESULTS
stand_in "$machine/git" <<END
case \$* in
  *show-toplevel*) echo "$copy" ;;
  *HEAD*) [ "\$3" = diff ] && exit 1; echo 0123abc ;;
esac
END
ladder
check "the commit, and that it was changed" holds "$results/machine.txt" "commit:   0123abc, with changes"
rm -rf "$submit"/results-*
in_folder "$submit" "$machine/sh" "$checkout/jobs/ladder.sh"
chapters=$((1 + $(grep -c '^course_add_chapter(.*" .*LADDER' "$checkout/chapters/CMakeLists.txt")))
check "this checkout's chapters are found ($chapters)" says "$out" "Chapters: $chapters verified, 0 failed"

echo "-- options"
ladder --size 8192 "--repeat" 5
check "options go to the chapters" holds "$results/01_global.txt" "called with [--size 8192 --repeat 5 --json $results/01_global.json]"
check "... and to the machine's page" holds "$results/machine.txt" "options:  --size 8192 --repeat 5"
echo 'echo "00: unknown option --rows" >&2; exit 2' | chapter 00_first_kernel
ladder --rows 5
check "chapter 00 may refuse the ladder's options" [ "$status $(line_of 00_first_kernel)" = "0 00_first_kernel refused 00: unknown option --rows" ]
ladder
check "... but not fail without any" [ "$status $(line_of 00_first_kernel)" = "1 00_first_kernel FAILED status 2: 00: unknown option --rows" ]
good_chapters
echo 'echo "01: unknown option --rows" >&2; exit 2' | chapter 01_global
ladder --rows 5
check "a rung may not refuse them" [ "$status $(line_of 01_global)" = "1 01_global FAILED status 2: 01: unknown option --rows" ]
good_chapters
rm -rf "$submit"/results-*
in_folder "$submit" "$machine/sh" "$copy/jobs/ladder.sh" --size 5 --json=mine
refused "--json" "--json is not for you to give"
in_folder "$submit" "$machine/sh" "$copy/jobs/ladder.sh" --csv mine
refused "--csv" "--csv is not for you to give"
ladder --help
check "--help explains" says "$status $out" "0 usage: jobs/ladder.sh"
check "... and does nothing" no_results

echo "-- chapters that fail do not stop the others"
echo '// does not compile' | chapter 01_global
echo 'echo "02: wrong result with exact data" >&2; echo "a table"; results; exit 1' | chapter 02_coalesced
ladder
check "status 1" [ "$status" = 1 ]
check "one that does not compile is named, with the error" says "$(line_of 01_global)" "FAILED does not compile: chapters/01_global/global.cu(1): error: identifier"
check "... and what nvcc said is kept" holds "$results/01_global.build" 'error: identifier "foo"'
check "one that fails is named, with the reason" [ "$(line_of 02_coalesced)" = "02_coalesced FAILED status 1: 02: wrong result with exact data" ]
check "... and what it printed is kept" holds "$results/02_coalesced.txt" "a table"
check "the others ran" says "$(line_of 00_first_kernel)$(line_of 07_cublas)" "verified fast one 0.6250 ms 1601.0 GB/s 40.0 % of the ceiling07_cublas verified"
check "the count says so" says "$out" "Chapters: 2 verified, 2 failed."
good_chapters
echo 'echo "SKIPPED: no GPU"; exit 77' | chapter 01_global
ladder
check "a chapter that skips is not verified" [ "$status $(line_of 01_global)" = "1 01_global skipped SKIPPED: no GPU" ]
echo 'exit 0' | chapter 01_global
ladder
check "one without results is not either" [ "$status $(line_of 01_global)" = "1 01_global FAILED it left no results" ]
# shellcheck disable=SC2016 # for the chapter to expand
echo 'echo "{\"kernel\": \"k\", \"verified\": false}" >"$json"' | chapter 01_global
ladder
check "nor one whose results say that it is not" [ "$status $(line_of 01_global)" = "1 01_global FAILED a kernel is not verified" ]
# shellcheck disable=SC2016
echo 'kill -SEGV $$' | chapter 01_global
ladder
check "nor one that crashes" says "$status $(line_of 01_global)" "1 01_global FAILED status 139"
good_chapters

echo "-- what is missing"
rm -rf "$submit"/results-*
rm "$machine/nvcc"
ladder
refused "no nvcc" "nvcc is not here: load the CUDA toolkit (hint: module load cuda), or set CUDA_PATH"
export CUDACXX="$work/no/nvcc"
ladder
refused "CUDACXX that is not there" "CUDACXX names '$work/no/nvcc', which is not there"
unset CUDACXX
echo 'echo "nvcc: cannot start" >&2; exit 127' | stand_in "$machine/nvcc"
ladder
refused "an nvcc that does not run" "$machine/nvcc is there but does not run"
rm "$machine/nvcc"
mkdir -p "$work/the toolkit/bin"
nvcc_at "$work/the toolkit/bin/nvcc"
export CUDA_PATH="$work/the toolkit"
ladder
check "CUDA_PATH leads to nvcc" [ "$status" = 0 ]
unset CUDA_PATH
full_machine
rm "$machine/nvidia-smi"
ladder
refused "no driver" "no GPU here, nor an NVIDIA driver (no nvidia-smi): ask the scheduler for one"
gpu 'No devices found.'
ladder
refused "no GPU" "the NVIDIA driver sees no GPU here: ask the scheduler for one (Slurm: --gpus=1, PBS: ngpus=1)"
gpu "$one_gpu"
export CUDA_VISIBLE_DEVICES=
ladder
refused "a GPU that is hidden" "CUDA_VISIBLE_DEVICES hides every GPU: ask the scheduler"
unset CUDA_VISIBLE_DEVICES
mv "$copy/chapters" "$copy/moved"
ladder
refused "no chapters" "this checkout is incomplete"
mv "$copy/moved" "$copy/chapters"

echo "-- what disturbs the times is said"
gpu "$one_gpu" 4711
ladder
check "somebody else on the GPU" says "$(tail -n 1 "$results/summary.txt")" "Others were using the GPU (1 processes)"
gpu "$one_gpu
  MIG 1g.18gb     Device  0: (UUID: MIG-1)"
ladder
check "a slice of a GPU" says "$(tail -n 1 "$results/summary.txt")" "This GPU is divided (MIG)"
gpu "$one_gpu
GPU 1: NVIDIA H200 (UUID: GPU-2)" 4711
ladder
check "not with GPUs in sight that are not ours" says "$(tail -n 1 "$results/summary.txt")" 07_cublas

echo "-- building beforehand"
full_machine
rm "$machine/nvidia-smi"
export COURSE_ARCH=sm_90
ladder --build-only
refused "--build-only without a folder" "--build-only wants COURSE_BIN"
export COURSE_BIN="$work/my programs"
ladder --build-only
check "--build-only needs no GPU, if one is named" [ "$status" = 0 ]
check "... which is compiled for" says "$(sed 1q "$nvcc_calls")" " -arch=sm_90 "
check "... says where the programs are" says "$out" "$COURSE_BIN/01_global"
check "... leaves them there" [ "$(names_in "$COURSE_BIN")" = "00_first_kernel 01_global 02_coalesced 07_cublas" ]
check "... and no results" no_results
unset COURSE_ARCH
ladder --build-only
refused "... but else it does" "name the one to compile for (COURSE_ARCH=sm_90)"
gpu "$one_gpu"
rm "$machine/nvcc"
ladder
check "the job then needs no nvcc" [ "$status $(line_of 01_global)" = "0 01_global verified fast one 0.6250 ms 1601.0 GB/s 40.0 % of the ceiling" ]
touch -d '2020-01-01' "$COURSE_BIN/01_global"
rm "$COURSE_BIN/02_coalesced"
ladder
check "an old program is not run" [ "$status $(line_of 01_global)" = "1 01_global FAILED $COURSE_BIN/01_global is older than its source: build it again" ]
check "... nor one that is not there" [ "$(line_of 02_coalesced)" = "02_coalesced FAILED there is no $COURSE_BIN/02_coalesced" ]
check "... and the programs stay" [ -x "$COURSE_BIN/01_global" ]
COURSE_BIN="$work/no programs"
ladder
refused "a folder that is not there" "COURSE_BIN names '$work/no programs', which is not there"
unset COURSE_BIN

echo "-- the time limit"
# terminated: starts the ladder, sends SIGTERM when something has made $work/started, and waits.
terminated() {
  rm -rf "$work/started" "$submit"/results-*
  : >"$nvcc_calls"
  (cd "$submit" && PATH=$machine exec "$machine/sh" "$copy/jobs/ladder.sh") >"$work/out" 2>"$work/err" </dev/null &
  ladder_pid=$!
  tries=0
  until [ -e "$work/started" ] || [ $tries -ge 100 ]; do
    sleep 0.1
    tries=$((tries + 1))
  done
  before=$(date +%s)
  kill -TERM $ladder_pid
  wait $ladder_pid
  status=$?
  seconds=$(($(date +%s) - before))
  out=$(cat "$work/out")
  err=$(cat "$work/err")
}
full_machine
echo "echo \$\$ >'$work/pid'; touch '$work/started'; exec sleep 30" | chapter 02_coalesced
terminated
check "SIGTERM while a chapter runs: status 143" [ "$status" = 143 ]
check "... within seconds" [ "$seconds" -le 5 ]
check "... what was measured stays" [ -s "$results/01_global.json" ]
check "... the summary says what was" [ "$(line_of 01_global)" = "01_global verified fast one 0.6250 ms 1601.0 GB/s 40.0 % of the ceiling" ]
check "... which chapter was running" [ "$(line_of 02_coalesced)" = "02_coalesced stopped while it ran" ]
check "... which did not run" [ "$(line_of 07_cublas)" = "07_cublas - not run" ]
check "... and why" says "$(tail -n 1 "$results/summary.txt")" "Stopped by SIGTERM (the time limit, or cancelled) at "
check "... the job's output names the folder" says "$(tail -n 1 "$work/out")" "What was measured until then: $results"
# The program is not our child: it may take a moment to go.
gone() { sleep 0.2 && ! kill -0 "$(cat "$work/pid")" 2>/dev/null; }
check "... the chapter's program is gone" gone
check "... and nothing is left behind" tidy
good_chapters
echo '// compiles slowly' | chapter 01_global
terminated
check "SIGTERM while nvcc runs: status 143" [ "$status" = 143 ]
check "... within seconds" [ "$seconds" -le 5 ]
check "... and nothing was run" [ "$(line_of 00_first_kernel)$(line_of 01_global)" = "00_first_kernel - not run01_global - not run" ]
good_chapters
# A scheduler may kill without a word.
echo "cp '$results/summary.txt' '$work/summary.txt'; passes" | chapter 02_coalesced
ladder
results=$work
check "the summary is up to date while a chapter runs" \
  says "$(line_of 01_global)/$(line_of 02_coalesced)/$(line_of 07_cublas)" "ceiling/02_coalesced running/07_cublas waiting"
results="$submit/results-7"
good_chapters

end_of_checks
