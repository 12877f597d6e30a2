#pragma once
#pragma GCC system_header
/// \file
/// The part of CUDA 13's runtime API that the emulator does not model. A program that uses it
/// compiles; each of these functions says once on stderr that it is not modelled, leaves
/// cudaErrorNotSupported for cudaGetLastError(), and returns it.

#include <cstddef>

#include "emulator/host/host_types.h"
#include "emulator/host/unmodelled_types.h"

namespace emulator::detail {

/// Prints "emulator: <what> is not modelled", the first time for each.
cudaError_t not_modelled(const char* what);

}  // namespace emulator::detail

#define EMULATOR_UNMODELLED(name)                 \
  template <class... Arguments>                   \
  cudaError_t name(const Arguments&...) {         \
    return emulator::detail::not_modelled(#name); \
  }

// clang-format off
// What graphs can do beyond what is modelled.
EMULATOR_UNMODELLED(cudaGraphAddExternalSemaphoresSignalNode)
EMULATOR_UNMODELLED(cudaGraphAddExternalSemaphoresWaitNode)
EMULATOR_UNMODELLED(cudaGraphExecExternalSemaphoresSignalNodeSetParams)
EMULATOR_UNMODELLED(cudaGraphExecExternalSemaphoresWaitNodeSetParams)
EMULATOR_UNMODELLED(cudaGraphExternalSemaphoresSignalNodeGetParams)
EMULATOR_UNMODELLED(cudaGraphExternalSemaphoresSignalNodeSetParams)
EMULATOR_UNMODELLED(cudaGraphExternalSemaphoresWaitNodeGetParams)
EMULATOR_UNMODELLED(cudaGraphExternalSemaphoresWaitNodeSetParams)

// What arrays can do beyond what is modelled.
EMULATOR_UNMODELLED(cudaArrayGetMemoryRequirements)
EMULATOR_UNMODELLED(cudaArrayGetPlane)
EMULATOR_UNMODELLED(cudaArrayGetSparseProperties)
EMULATOR_UNMODELLED(cudaExternalMemoryGetMappedMipmappedArray)
EMULATOR_UNMODELLED(cudaGraphicsResourceGetMappedMipmappedArray)
EMULATOR_UNMODELLED(cudaGraphicsSubResourceGetMappedArray)
EMULATOR_UNMODELLED(cudaMipmappedArrayGetMemoryRequirements)
EMULATOR_UNMODELLED(cudaMipmappedArrayGetSparseProperties)

// Memory and semaphores of other programs and interfaces.
EMULATOR_UNMODELLED(cudaDestroyExternalMemory)
EMULATOR_UNMODELLED(cudaDestroyExternalSemaphore)
EMULATOR_UNMODELLED(cudaDeviceFlushGPUDirectRDMAWrites)
EMULATOR_UNMODELLED(cudaDeviceGetNvSciSyncAttributes)
EMULATOR_UNMODELLED(cudaExternalMemoryGetMappedBuffer)
EMULATOR_UNMODELLED(cudaGraphicsMapResources)
EMULATOR_UNMODELLED(cudaGraphicsResourceGetMappedPointer)
EMULATOR_UNMODELLED(cudaGraphicsResourceSetMapFlags)
EMULATOR_UNMODELLED(cudaGraphicsUnmapResources)
EMULATOR_UNMODELLED(cudaGraphicsUnregisterResource)
EMULATOR_UNMODELLED(cudaImportExternalMemory)
EMULATOR_UNMODELLED(cudaImportExternalSemaphore)
EMULATOR_UNMODELLED(cudaIpcCloseMemHandle)
EMULATOR_UNMODELLED(cudaIpcGetEventHandle)
EMULATOR_UNMODELLED(cudaIpcGetMemHandle)
EMULATOR_UNMODELLED(cudaIpcOpenEventHandle)
EMULATOR_UNMODELLED(cudaIpcOpenMemHandle)
EMULATOR_UNMODELLED(cudaSignalExternalSemaphoresAsync)
EMULATOR_UNMODELLED(cudaWaitExternalSemaphoresAsync)

// More than one device.
EMULATOR_UNMODELLED(cudaDeviceGetP2PAtomicCapabilities)
EMULATOR_UNMODELLED(cudaSetValidDevices)

// Finer control of memory.
EMULATOR_UNMODELLED(cudaMemDiscardAndPrefetchBatchAsync)
EMULATOR_UNMODELLED(cudaMemDiscardBatchAsync)
EMULATOR_UNMODELLED(cudaMemGetDefaultMemPool)
EMULATOR_UNMODELLED(cudaMemGetMemPool)
EMULATOR_UNMODELLED(cudaMemPoolExportPointer)
EMULATOR_UNMODELLED(cudaMemPoolExportToShareableHandle)
EMULATOR_UNMODELLED(cudaMemPoolImportFromShareableHandle)
EMULATOR_UNMODELLED(cudaMemPoolImportPointer)
EMULATOR_UNMODELLED(cudaMemPrefetchBatchAsync)
EMULATOR_UNMODELLED(cudaMemSetMemPool)
EMULATOR_UNMODELLED(cudaMemcpy3DBatchAsync)
EMULATOR_UNMODELLED(cudaMemcpyBatchAsync)

// Libraries, kernels as handles, and what the driver offers beside.
EMULATOR_UNMODELLED(cudaDeviceGetHostAtomicCapabilities)
EMULATOR_UNMODELLED(cudaDeviceRegisterAsyncNotification)
EMULATOR_UNMODELLED(cudaDeviceUnregisterAsyncNotification)
EMULATOR_UNMODELLED(cudaFuncGetName)
EMULATOR_UNMODELLED(cudaFuncGetParamInfo)
EMULATOR_UNMODELLED(cudaGetExportTable)
EMULATOR_UNMODELLED(cudaGetFuncBySymbol)
EMULATOR_UNMODELLED(cudaGetKernel)
EMULATOR_UNMODELLED(cudaKernelSetAttributeForDevice)
EMULATOR_UNMODELLED(cudaLibraryEnumerateKernels)
EMULATOR_UNMODELLED(cudaLibraryGetGlobal)
EMULATOR_UNMODELLED(cudaLibraryGetKernel)
EMULATOR_UNMODELLED(cudaLibraryGetKernelCount)
EMULATOR_UNMODELLED(cudaLibraryGetManaged)
EMULATOR_UNMODELLED(cudaLibraryGetUnifiedFunction)
EMULATOR_UNMODELLED(cudaLibraryLoadData)
EMULATOR_UNMODELLED(cudaLibraryLoadFromFile)
EMULATOR_UNMODELLED(cudaLibraryUnload)
EMULATOR_UNMODELLED(cudaLogsCurrent)
EMULATOR_UNMODELLED(cudaLogsDumpToFile)
EMULATOR_UNMODELLED(cudaLogsDumpToMemory)
EMULATOR_UNMODELLED(cudaLogsRegisterCallback)
EMULATOR_UNMODELLED(cudaLogsUnregisterCallback)
EMULATOR_UNMODELLED(cudaStreamCopyAttributes)

// clang-format on

#undef EMULATOR_UNMODELLED
