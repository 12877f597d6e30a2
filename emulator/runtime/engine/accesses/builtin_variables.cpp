/// \file
/// Storage of the built-in variables and of dynamic shared memory. Kernels see the former declared
/// const (emulator/host/launch.h), so this file, which must define them writable, leaves that
/// header out.

#include "emulator/device/vector_types.h"

__thread uint3 threadIdx;
__thread uint3 blockIdx;
__thread uint3 blockDim;  // a dim3 to kernels, whose constructor a __thread variable could not run
__thread uint3 gridDim;

// Dynamic shared memory of the block that the host thread runs: what `extern __shared__ T x[];`
// names, so its name is known to the translator. As much as any GPU lets a block have.
alignas(1024) __thread unsigned char emulator_dynamic_shared_memory[227 * 1024];
