#pragma once
#pragma GCC system_header
/// \file
/// Of the driver API, which the emulator does not model, what programs that use the runtime API
/// include this header for: the version, the types that both share, and tensor maps.

#include <cstdint>

#include "cuda_runtime.h"
#include "emulator/tensor_maps.h"

#define CUDA_VERSION EMULATOR_CUDA_VERSION

using cuuint32_t = std::uint32_t;
using cuuint64_t = std::uint64_t;
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

/// Describes a tensor of `rank` dimensions, the fastest first, and a box in it. Strides are in
/// bytes, and those of all dimensions but the fastest. Refuses what the driver's documentation
/// forbids. Interleaved layouts, types that flush denormals and packed types are not modelled:
/// CUDA_ERROR_NOT_SUPPORTED.
CUresult cuTensorMapEncodeTiled(CUtensorMap* map, CUtensorMapDataType type, cuuint32_t rank,
                                void* tensor, const cuuint64_t* dimensions,
                                const cuuint64_t* strides, const cuuint32_t* box,
                                const cuuint32_t* element_strides, CUtensorMapInterleave interleave,
                                CUtensorMapSwizzle swizzle, CUtensorMapL2promotion promotion,
                                CUtensorMapFloatOOBfill fill);
/// Has the map mean a tensor elsewhere, of the same shape.
CUresult cuTensorMapReplaceAddress(CUtensorMap* map, void* tensor);
