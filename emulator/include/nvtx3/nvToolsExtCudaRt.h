#pragma once
#pragma GCC system_header
/// \file
/// NVTX's names for the runtime's devices, streams and events: without effect, as without a
/// profiler.

#include "cuda_runtime.h"
#include "nvtx3/nvToolsExt.h"

#define NVTX_RESOURCE_CLASS_CUDART 5
typedef enum nvtxResourceCUDARTType_t {
  NVTX_RESOURCE_TYPE_CUDART_DEVICE = NVTX_RESOURCE_MAKE_TYPE(CUDART, 0),
  NVTX_RESOURCE_TYPE_CUDART_STREAM = NVTX_RESOURCE_MAKE_TYPE(CUDART, 1),
  NVTX_RESOURCE_TYPE_CUDART_EVENT = NVTX_RESOURCE_MAKE_TYPE(CUDART, 2)
} nvtxResourceCUDARTType_t;

EMULATOR_NVTX_TEXT(void, 0, nvtxNameCudaDevice, int EMULATOR_NVTX_COMMA)
EMULATOR_NVTX_TEXT(void, 0, nvtxNameCudaStream, cudaStream_t EMULATOR_NVTX_COMMA)
EMULATOR_NVTX_TEXT(void, 0, nvtxNameCudaEvent, cudaEvent_t EMULATOR_NVTX_COMMA)

#define nvtxNameCudaDevice EMULATOR_NVTX_NAME(nvtxNameCudaDevice)
#define nvtxNameCudaStream EMULATOR_NVTX_NAME(nvtxNameCudaStream)
#define nvtxNameCudaEvent EMULATOR_NVTX_NAME(nvtxNameCudaEvent)
