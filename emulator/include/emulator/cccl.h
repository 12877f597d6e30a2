#pragma once
#pragma GCC system_header
/// \file
/// What NVIDIA's core libraries (Thrust, CUB, libcu++), whose headers a program may bring along,
/// are given of the compiler.

#include "emulator/architecture.h"

/// CUB's kernels choose by this how to go about their work, as its host code does by what
/// cudaFuncGetAttributes() says: both must name one architecture.
#ifndef CUB_PTX_ARCH
#define CUB_PTX_ARCH EMULATOR_ARCHITECTURE
#endif

/// No profiler would show the ranges that they mark.
#ifndef CCCL_DISABLE_NVTX
#define CCCL_DISABLE_NVTX
#endif

/// A thread of a kernel that waits lets others have their turn, as nanosleep in PTX does here; a
/// host thread that sleeps would hold up all.
#ifndef _LIBCUDACXX_HAS_THREAD_API_CUDA
#define _LIBCUDACXX_HAS_THREAD_API_CUDA
#endif

/// Numbers of 8 bits and less are not modelled.
#ifndef CCCL_DISABLE_NVFP8_SUPPORT
#define CCCL_DISABLE_NVFP8_SUPPORT
#endif

/// They know one other compiler that reads host and device at once, and have asked it, not nvcc,
/// where that makes a difference.
#ifndef _NVHPC_CUDA
#define _NVHPC_CUDA
#define __NVCOMPILER_CUDA_ARCH__ EMULATOR_ARCHITECTURE
#define NV_TARGET_SM_INTEGER_LIST EMULATOR_ARCHITECTURE
#define __builtin_current_device_sm() EMULATOR_ARCHITECTURE
#endif
