#pragma once
#pragma GCC system_header
/// \file
/// The architecture that kernels are compiled for, also where `__CUDA_ARCH__` is not defined: as
/// host and device are one program here, it never is where both can see it.

#if defined(__CUDA_ARCH__)
#define EMULATOR_ARCHITECTURE __CUDA_ARCH__
#elif defined(__CUDA_ARCH_LIST__)
#define EMULATOR_ARCHITECTURE __CUDA_ARCH_LIST__
#else
#define EMULATOR_ARCHITECTURE 750
#endif
