#pragma once
#pragma GCC system_header
/// \file
/// NVTX's names for the driver's devices, contexts, streams and events: without effect, as without
/// a profiler.

#include "cuda.h"
#include "nvtx3/nvToolsExt.h"

#define NVTX_RESOURCE_CLASS_CUDA 4
typedef enum nvtxResourceCUDAType_t {
  NVTX_RESOURCE_TYPE_CUDA_DEVICE = NVTX_RESOURCE_MAKE_TYPE(CUDA, 1),
  NVTX_RESOURCE_TYPE_CUDA_CONTEXT = NVTX_RESOURCE_MAKE_TYPE(CUDA, 2),
  NVTX_RESOURCE_TYPE_CUDA_STREAM = NVTX_RESOURCE_MAKE_TYPE(CUDA, 3),
  NVTX_RESOURCE_TYPE_CUDA_EVENT = NVTX_RESOURCE_MAKE_TYPE(CUDA, 4)
} nvtxResourceCUDAType_t;

EMULATOR_NVTX_TEXT(void, 0, nvtxNameCuDevice, CUdevice EMULATOR_NVTX_COMMA)
EMULATOR_NVTX_TEXT(void, 0, nvtxNameCuContext, CUcontext EMULATOR_NVTX_COMMA)
EMULATOR_NVTX_TEXT(void, 0, nvtxNameCuStream, CUstream EMULATOR_NVTX_COMMA)
EMULATOR_NVTX_TEXT(void, 0, nvtxNameCuEvent, CUevent EMULATOR_NVTX_COMMA)

#define nvtxNameCuDevice EMULATOR_NVTX_NAME(nvtxNameCuDevice)
#define nvtxNameCuContext EMULATOR_NVTX_NAME(nvtxNameCuContext)
#define nvtxNameCuStream EMULATOR_NVTX_NAME(nvtxNameCuStream)
#define nvtxNameCuEvent EMULATOR_NVTX_NAME(nvtxNameCuEvent)
