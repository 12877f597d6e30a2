#!/bin/sh
# Tests of backend.cmake with a stand-in nvcc and nvidia-smi. Prints each check; ends with their number and status 1
# if one fails.
#
#     cmake/backend_test.sh

set -u
unset CDPATH CUDACXX CUDA_PATH CUDA_HOME CUDA_VISIBLE_DEVICES
here=$(cd "$(dirname "$0")" && pwd -P) || exit 1
cmake=$(command -v cmake) || { echo "cmake is needed to run this test"; exit 77; }
work=$(mktemp -d "${TMPDIR:-/tmp}/course-backend-test.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# --------------------------------------------------------------------------------------------------------------------
# Machines: what stands in for nvcc and the driver.

machine="$work/a machine"
program() {
  mkdir -p "$(dirname "$1")"
  { echo '#!/bin/sh' && cat; } >"$1"
  chmod +x "$1"
}
nothing() {
  rm -rf "$machine"
  mkdir "$machine"
}
# nvcc VERSION [FILE]
nvcc() {
  printf 'echo "nvcc: NVIDIA (R) Cuda compiler driver"\necho "Cuda compilation tools, release %s, V%s.88"\n' "$1" "$1" |
    program "${2:-$machine/nvcc}"
}
# driver CUDA-VERSION [LABEL]: one GPU, and a header like nvidia-smi's.
driver() {
  program "$machine/nvidia-smi" <<END
case \$* in
  -L) echo 'GPU 0: NVIDIA H200 (UUID: GPU-0)' ;;
  *) echo '| NVIDIA-SMI 580.159.03    Driver Version: 580.159.03    ${2:-CUDA Version}: $1     |' ;;
esac
END
}

# --------------------------------------------------------------------------------------------------------------------
# Asking and checking.

# shellcheck source=cmake/shell_checks.sh
. "$here/shell_checks.sh"
# ask [-D...]: runs the script on the machine; sets answer, reason, err and status.
ask() {
  PATH=$machine "$cmake" "-DCOURSE_CUDA_DIR=$machine/no cuda" "$@" -P "$here/backend.cmake" >"$work/out" 2>"$work/err"
  status=$?
  judge
}
judge() {
  answer=$(sed -n 1p "$work/out")
  reason=$(sed -n 2p "$work/out")
  out=$(cat "$work/out")
  err=$(cat "$work/err")
}
# gives WHAT BACKEND REASON: that answer, for a reason that holds this text, on two lines and no other.
is_answer() { [ "$status" -eq 0 ] && [ "$answer" = "$1" ] && says "$reason" "$2" && [ "$(wc -l <"$work/out")" -eq 2 ]; }
gives() { check "$1" is_answer "$2" "$3"; }
# fails WHAT TEXT...: `error` and one line that holds the texts; the same line on stderr; a status that is not 0.
is_error() {
  [ "$status" -ne 0 ] && [ "$answer" = error ] && says "$err" "   $reason" && [ "$(wc -l <"$work/out")" -eq 2 ] || return 1
  for text in "$@"; do says "$reason" "$text" || return 1; done
}
fails() {
  name=$1
  shift
  check "$name" is_error "$@"
}

echo "-- auto"
nothing
ask
gives "without nvcc: emulator" emulator "nvcc was not found (in PATH, in CUDA_PATH, or in $machine/no cuda/bin)"
driver 13.0
ask
gives "with a GPU but without nvcc: emulator" emulator "nvcc was not found"
nothing
nvcc 13.0
ask
gives "with nvcc but without a driver: emulator" emulator "nvcc 13.0 has no NVIDIA driver (no nvidia-smi)"
driver 13.0
ask
gives "with both: cuda" cuda "nvcc 13.0 and a GPU are here"
ask -DCOURSE_BACKEND=auto
gives "asked for by name" cuda "nvcc 13.0 and a GPU are here"
driver 12.8
ask
gives "a driver older than the toolkit: emulator" emulator "the NVIDIA driver runs CUDA 12.8, older than the toolkit's 13.0"
nvcc 9.2
driver 13.0
ask
gives "versions are numbers: 13 is newer than 9" cuda "nvcc 9.2 and a GPU are here"
nvcc 12.9
driver 12.2
ask
gives "a driver of the same major version is new enough" cuda "nvcc 12.9 and a GPU are here"
driver 11.8 "CUDA UMD Version"
ask
gives "the header of drivers since 610" emulator "the NVIDIA driver runs CUDA 11.8, older than the toolkit's 12.9"
driver N/A
ask
gives "a driver without CUDA" emulator "the NVIDIA driver is installed without CUDA"
echo 'echo "No devices were found"; exit 6' | program "$machine/nvidia-smi"
ask
gives "a driver that sees no GPU" emulator "the NVIDIA driver sees no GPU"
echo 'echo "NVIDIA-SMI has failed because it could not talk to the driver."; echo more; exit 9' |
  program "$machine/nvidia-smi"
ask
gives "a driver in trouble" emulator "nvidia-smi fails (NVIDIA-SMI has failed because it could not talk to the driver.)"
driver 13.0
for hidden in "" -1; do
  export CUDA_VISIBLE_DEVICES="$hidden"
  ask
  gives "CUDA_VISIBLE_DEVICES='$hidden' hides the GPU" emulator "CUDA_VISIBLE_DEVICES hides every GPU"
done
export CUDA_VISIBLE_DEVICES=0
ask
gives "CUDA_VISIBLE_DEVICES=0 does not" cuda "nvcc 12.9 and a GPU are here"
unset CUDA_VISIBLE_DEVICES
echo 'exit 1' | program "$machine/nvcc"
ask
gives "an nvcc that does not run: emulator" emulator "nvcc is there but does not run"

echo "-- where nvcc may be"
nothing
driver 13.0
nvcc 12.1 "$machine/elsewhere/my-nvcc"
export CUDACXX="$machine/elsewhere/my-nvcc"
ask
gives "CUDACXX" cuda "nvcc 12.1 and a GPU"
nvcc 13.0
ask
gives "... goes before PATH" cuda "nvcc 12.1 and a GPU"
export CUDACXX=nvcc
ask
gives "CUDACXX as a name to look up" cuda "nvcc 13.0 and a GPU"
export CUDACXX=/no/such/nvcc
ask
gives "CUDACXX that is not there is no reason to take another" emulator "CUDACXX names '/no/such/nvcc', which is not there"
unset CUDACXX
nothing
driver 13.0
nvcc 12.3 "$machine/no cuda/bin/nvcc"
ask
gives "where NVIDIA's installer puts it" cuda "nvcc 12.3 and a GPU"
nvcc 12.2 "$machine/toolkit/bin/nvcc"
export CUDA_PATH="$machine/toolkit"
ask
gives "CUDA_PATH goes before that" cuda "nvcc 12.2 and a GPU"
nvcc 13.0
ask
gives "... and PATH before both" cuda "nvcc 13.0 and a GPU"
unset CUDA_PATH

echo "-- asked for"
nothing
nvcc 13.0
driver 13.0
ask -DCOURSE_BACKEND=emulator
gives "emulator, on a machine with a GPU" emulator "it was asked for"
ask -DCOURSE_BACKEND=cuda
gives "cuda" cuda "nvcc 13.0 and a GPU are here"
ask -DCOURSE_BACKEND=gpu
fails "what there is not" "there is no backend 'gpu': choose auto, emulator or cuda"
ask -DCOURSE_BACKEND=xautox
fails "what merely contains one" "there is no backend 'xautox'"
driver 12.8
ask -DCOURSE_BACKEND=cuda
fails "cuda with a driver that is too old" "runs CUDA 12.8, older than the toolkit's 13.0" "update the driver"
driver N/A
ask -DCOURSE_BACKEND=cuda
fails "cuda with a driver without CUDA" "without CUDA" "reinstall the driver"
nothing
nvcc 13.0
ask -DCOURSE_BACKEND=cuda
fails "cuda without a driver" "nvcc 13.0 has no NVIDIA driver" "install the driver"
ask -DCOURSE_BACKEND=cuda -DCOURSE_CUDA_COMPILE_ONLY=ON
gives "... to compile only" cuda "nvcc 13.0 is here, to compile only"
nothing
ask -DCOURSE_BACKEND=cuda
fails "cuda without nvcc" "nvcc was not found" "install the CUDA toolkit"
ask -DCOURSE_BACKEND=cuda -DCOURSE_CUDA_COMPILE_ONLY=ON
fails "... to compile only" "nvcc was not found"
echo 'exit 1' | program "$machine/nvcc"
ask -DCOURSE_BACKEND=cuda
fails "cuda with an nvcc that does not run" "is there but does not run" "reinstall the CUDA toolkit"

echo "-- report"
nothing
nvcc 13.0
driver 13.0
ask -DCOURSE_BACKEND=emulator -DCOURSE_BACKEND_REPORT=ON
for line in emulator nvcc_state=ok "nvcc_path=$machine/nvcc" nvcc_version=13.0 driver_state=ok driver_cuda=13.0 gpu_count=1; do
  check "'$line', whatever was asked for" grep -qxF "$line" "$work/out"
done

echo "-- included by a project"
mkdir "$work/project"
cat >"$work/project/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.25)
project(scratch LANGUAGES NONE)
include("$here/backend.cmake")
course_choose_backend(backend reason)
file(WRITE \${CMAKE_BINARY_DIR}/answer "\${backend}\n\${reason}\n\${COURSE_NVCC}\n")
END
# configure [-D...]: the project's answer; sets what ask sets, and compiler.
configure() {
  rm -f "$work/build/answer"
  echo 'exit 0' | program "$machine/make"
  PATH=$machine "$cmake" -G "Unix Makefiles" -S "$work/project" -B "$work/build" "-DCOURSE_CUDA_DIR=$machine/no cuda" \
    "$@" >"$work/log" 2>"$work/err"
  status=$?
  : >"$work/out"
  [ ! -f "$work/build/answer" ] || sed 2q "$work/build/answer" >"$work/out"
  compiler=$(sed -n 3p "$work/build/answer" 2>/dev/null)
  judge
}
stops() { [ "$status" -ne 0 ] && [ ! -f "$work/build/answer" ] && says "$err" "$1"; }
configure
gives "auto with a GPU" cuda "nvcc 13.0 and a GPU are here"
check "... names the compiler" [ "$compiler" = "$machine/nvcc" ]
rm "$machine/nvidia-smi"
configure
gives "the folder stays with its backend when the driver goes" cuda "this build folder was configured for it"
check "... and its compiler" [ "$compiler" = "$machine/nvcc" ]
rm "$machine/nvcc"
configure
check "... but not without nvcc" stops "this build folder was configured for cuda, but now nvcc was not found"
configure -DCOURSE_BACKEND=emulator
check "another backend needs another folder" stops "holds a build for the cuda backend: configure emulator in another folder"
rm -rf "$work/build"
configure
gives "auto without" emulator "nvcc was not found"
check "... names no compiler" [ -z "$compiler" ]
nvcc 13.0
driver 13.0
configure
gives "the folder stays with its backend when a GPU comes" emulator "this build folder was configured for it"
check "... and names no compiler" [ -z "$compiler" ]
configure -DCOURSE_BACKEND=cuda
check "another backend needs another folder" stops "holds a build for the emulator backend: configure cuda in another folder"
rm -rf "$work/build"
nothing
configure -DCOURSE_BACKEND=cuda
check "cuda without nvcc is one line" stops "   the cuda backend was asked for, but nvcc was not found (in PATH, in CUDA_PATH, or in $machine/no cuda/bin): install the CUDA toolkit, or set CUDACXX to the nvcc to use, or take the emulator"

echo "-- the GPUs at hand"
cat >"$work/project/gpus.cmake" <<END
include("$here/backend.cmake")
course_gpus_here(gpus "$machine/nvcc")
message(NOTICE "gpus: \${gpus}")
END
# gpus_of CODES CAPABILITIES...: where nvcc knows these codes, and the driver names these.
gpus_of() {
  printf 'printf "%%s\\n" %s\n' "$1" | program "$machine/nvcc"
  shift
  printf 'case $1 in --query-gpu=compute_cap) printf "%%s\\n" %s ;; -L) echo "GPU 0: one" ;; esac\n' "$*" |
    program "$machine/nvidia-smi"
  PATH=$machine "$cmake" -P "$work/project/gpus.cmake" 2>&1
}
check "one" says "$(gpus_of 'sm_80 sm_90 sm_90a' 9.0)" "gpus: 90"
check "two of one kind, and another" says "$(gpus_of 'sm_80 sm_90' 9.0 9.0 8.0)" "gpus: 90;80"
check "nvcc is older than the GPU" [ "$(gpus_of 'sm_80 sm_90a' 9.0)" = "gpus: " ]
check "the driver does not know the question" [ "$(gpus_of 'sm_80 sm_90' '[N/A]')" = "gpus: " ]
rm "$machine/nvidia-smi"
check "no driver" [ "$(PATH=$machine "$cmake" -P "$work/project/gpus.cmake" 2>&1)" = "gpus: " ]

end_of_checks
