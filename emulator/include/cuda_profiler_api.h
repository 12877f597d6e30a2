#pragma once
#pragma GCC system_header
/// \file
/// The runtime's switch for profilers, of which the emulator has none.

#include "cuda_runtime.h"

/// \restricted Without effect.
inline cudaError_t cudaProfilerStart() {
  return cudaSuccess;
}
/// \restricted Without effect.
inline cudaError_t cudaProfilerStop() {
  return cudaSuccess;
}
