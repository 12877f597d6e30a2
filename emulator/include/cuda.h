#pragma once
#pragma GCC system_header
/// \file
/// The driver API. What programs that use the runtime API include this header for is here, and
/// needs no library: the version, the types that both share, tensor maps, the texts of errors, and
/// setting memory. The rest of what is modelled is in emulator/host/driver_api.h.

#include <cstddef>
#include <cstdint>

#include "cuda_runtime.h"
#include "emulator/host/tensor_maps.h"

#define CUDA_VERSION EMULATOR_CUDA_VERSION
#define __cuda_cuda_h__  // by which NVIDIA's samples know it

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
#define EMULATOR_RESULT(name, value) name = value,
#include "emulator/host/driver_results.inc"
#undef EMULATOR_RESULT
};

/// What a launch of the driver API may ask for besides its size: for programs that have the type in
/// their headers. cuLaunchKernelEx(), which takes it, is not modelled.
enum CUlaunchAttributeID EMULATOR_INT {
  CU_LAUNCH_ATTRIBUTE_IGNORE = 0,
  CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW = 1,
  CU_LAUNCH_ATTRIBUTE_COOPERATIVE = 2,
  CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY = 3,
  CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION = 4,
  CU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE = 5,
  CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION = 6,
  CU_LAUNCH_ATTRIBUTE_PRIORITY = 8,
  CU_LAUNCH_ATTRIBUTE_PREFERRED_CLUSTER_DIMENSION = 11
};
using CUlaunchAttributeValue = cudaLaunchAttributeValue;
struct CUlaunchAttribute {
  CUlaunchAttributeID id;
  char pad[8 - sizeof(CUlaunchAttributeID)];
  CUlaunchAttributeValue value;
};

/// \restricted Describes a tensor of `rank` dimensions, the fastest first, and a box in it. Strides
/// are in bytes, and those of all dimensions but the fastest. Refuses what the driver's
/// documentation forbids. Interleaved layouts, types that flush denormals and packed types are not
/// modelled: CUDA_ERROR_NOT_SUPPORTED.
CUresult cuTensorMapEncodeTiled(CUtensorMap* map, CUtensorMapDataType type, cuuint32_t rank,
                                void* tensor, const cuuint64_t* dimensions,
                                const cuuint64_t* strides, const cuuint32_t* box,
                                const cuuint32_t* element_strides, CUtensorMapInterleave interleave,
                                CUtensorMapSwizzle swizzle, CUtensorMapL2promotion promotion,
                                CUtensorMapFloatOOBfill fill);
/// Has the map mean a tensor elsewhere, of the same shape.
CUresult cuTensorMapReplaceAddress(CUtensorMap* map, void* tensor);

/// The name of a result, and what it means; CUDA_ERROR_INVALID_VALUE, and no text, for an
/// unknown one.
CUresult cuGetErrorName(CUresult result, const char** text);
CUresult cuGetErrorString(CUresult result, const char** text);

/// Sets `count` elements of 1, 2 or 4 bytes, as cudaMemset() does bytes.
CUresult cuMemsetD8(CUdeviceptr to, unsigned char value, std::size_t count);
CUresult cuMemsetD16(CUdeviceptr to, unsigned short value, std::size_t count);
CUresult cuMemsetD32(CUdeviceptr to, unsigned int value, std::size_t count);
CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, std::size_t count, CUstream stream);
CUresult cuMemsetD16Async(CUdeviceptr to, unsigned short value, std::size_t count, CUstream stream);
CUresult cuMemsetD32Async(CUdeviceptr to, unsigned int value, std::size_t count, CUstream stream);

#include "emulator/host/driver_api.h"
