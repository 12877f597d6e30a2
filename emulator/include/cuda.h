#pragma once
#pragma GCC system_header
/// \file
/// Of the driver API, which the emulator does not model, what programs that use the runtime API
/// include this header for: the version and the types that both share.

#include "cuda_runtime.h"

#define CUDA_VERSION EMULATOR_CUDA_VERSION

using CUdevice = int;
using CUdeviceptr = unsigned long long;
using CUcontext = struct CUctx_st*;
using CUmodule = struct CUmod_st*;
using CUfunction = struct CUfunc_st*;
using CUstream = cudaStream_t;
using CUevent = cudaEvent_t;

/// Numbered as cudaError_t is.
using CUresult = enum cudaError_enum : int {
  CUDA_SUCCESS = 0,
  CUDA_ERROR_INVALID_VALUE = 1,
  CUDA_ERROR_OUT_OF_MEMORY = 2,
  CUDA_ERROR_NOT_INITIALIZED = 3,
  CUDA_ERROR_NO_DEVICE = 100,
  CUDA_ERROR_INVALID_DEVICE = 101,
  CUDA_ERROR_NOT_SUPPORTED = 801,
  CUDA_ERROR_UNKNOWN = 999,
};
