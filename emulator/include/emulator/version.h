#pragma once
#pragma GCC system_header
/// \file
/// Which version of CUDA a program is for: 13, or what `emucc --cuda=` says. C also includes this
/// file.

#ifndef EMULATOR_CUDA
#define EMULATOR_CUDA 13
#endif

/// The last one that has this number, as CUDA counts its versions.
#if EMULATOR_CUDA >= 13
#define EMULATOR_CUDA_VERSION 13000
#elif EMULATOR_CUDA == 12
#define EMULATOR_CUDA_VERSION 12090
#else
#define EMULATOR_CUDA_VERSION 11080
#endif

#if EMULATOR_CUDA < 13 && defined(__cplusplus)
/// Tells cudaRuntimeGetVersion() what this program is for.
extern "C" {
inline int emulator_cuda_version __attribute__((used)) = EMULATOR_CUDA_VERSION;
}
#endif

/// What `__CUDA_ARCH__` is in kernels; passed only where it can make a difference.
#ifndef EMULATOR_ARCH
#define EMULATOR_ARCH 750
#endif
