#!/bin/sh
# Tests of ./course: the command doctor. Prints each check; ends with their number and status 1 if
# one fails.
#
#     cli/script/doctor_script_test.sh

# shellcheck source=cli/script/scratch_course.sh
. "$(dirname "$0")/scratch_course.sh"

echo "-- doctor"
new_machine
course doctor
check "on a machine that has nothing: status 1" [ "$status" = 1 ]
check "... what is missing" says "$out" "  missing  g++ "
check "... and what that costs" says "$out" "-> nothing can be built; needs CMake 3.25 or newer (Debian: cmake)"
full_machine
course doctor
check "on a machine that has all: status 0" says "$status $out" "0 What this machine has"
check "... the compiler and where it is" says "$out" "$machine/g++"
check "... the backend and why" says "$out" "  backend: emulator ("
check "... and what only pictures need" says "$out" "  missing  Python 3 "
course --backend cuda doctor
check "a backend that cannot be had" says "$status $out" "1 What this machine has"
check "... and why" says "$out" "  backend: the cuda backend was asked for, but "
echo 'echo "ninja: cannot start" >&2; exit 1' | stand_in ninja
echo 'echo "nvcc: cannot start" >&2; exit 1' | stand_in nvcc
echo 'echo "NVIDIA-SMI has failed"; exit 9' | stand_in nvidia-smi
echo 'exit 1' | stand_in doxygen
echo 'exit 1' | stand_in python3
echo 'echo "bwrap: no permission" >&2; exit 1' | stand_in bwrap
course doctor
check "what is there but broken" says "$out" "  broken   ninja "
check "... with what it says" says "$out" "$machine/ninja (it does not run: ninja: cannot start)"
check "... nvcc" says "$out" "  broken   nvcc "
check "... the driver" says "$out" "  broken   NVIDIA driver"
check "... Doxygen" says "$out" "  broken   Doxygen"
check "... Python" says "$out" "  broken   Python 3"
check "... bubblewrap" says "$out" "  broken   bubblewrap               $machine/bwrap (bwrap: no permission)"
gpu_stand_ins
have ninja
course doctor
check "a GPU, with its compute capability" says "$out" "NVIDIA H200, compute capability 9.0, 143771 MiB, driver 580.159.03"
check "... and so cuda" says "$status $out" "  backend: cuda (nvcc 13.0 and a GPU are here)"
check "... cuTENSOR is not there, and how to get it" says "$out" "  missing  cuTENSOR                 ./course cutensor gets it"
mkdir -p "$work/cutensor/include"
: >"$work/cutensor/include/cutensor.h"
CUTENSOR_ROOT=$work/cutensor course doctor
check "... or where it is" says "$out" "  ok       cuTENSOR "
cat <<END | stand_in g++
case "\$*" in
  *-E*-P*)
    text=\$(cat)
    case \$text in
      *openblas* | *sobol*) exit 0 ;; # not here
    esac
    printf '%s\\n' "\$text" | exec '$real_gxx' "\$@"
    ;;
esac
case "\$*" in
  *print-file-name=libfftw*) echo "\${1#*=}" && exit ;; # as g++ names what it does not find
esac
exec '$real_gxx' "\$@"
END
course doctor
check "what cuRAND lacks without Boost.Random" says "$out" "-> cuRAND refuses quasirandom generators (Debian: libboost-dev)"
check "... and cuFFT without FFTW" says "$out" "-> programs with cuFFT do not link (Debian: libfftw3-double3)"
check "a GPU needs nothing of the emulator's" says "$status $out" "0 What this machine has"
check "... though what is missing is shown" says "$out" "  missing  OpenBLAS"
course --backend emulator doctor
check "... which the emulator does need" says "$status $out" "1 What this machine has"
check "doctor makes no folder" no_build

end_of_checks
