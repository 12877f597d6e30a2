#pragma once
#pragma GCC system_header
/// \file
/// The driver API, as far as it is modelled: devices, contexts, modules, memory, streams, events
/// and launches. cuda.h includes this file; emucc -lcuda links it.
///
/// A context is a number on the calling host thread's stack and owns nothing: memory, streams and
/// modules belong to its device, which the runtime API then also uses. Where no context is current,
/// the primary one is meant.

#include <cstddef>

#include "emulator/host/driver_types.h"

// Devices and contexts ----------------------------------------------------------------------------

/// To be called before all others of devices and contexts: these are CUDA_ERROR_NOT_INITIALIZED
/// without it. `flags` must be 0.
CUresult cuInit(unsigned int flags);
CUresult cuDriverGetVersion(int* version);
CUresult cuDeviceGetCount(int* count);
CUresult cuDeviceGet(CUdevice* device, int ordinal);
CUresult cuDeviceGetName(char* name, int length, CUdevice device);
CUresult cuDeviceGetUuid(CUuuid* uuid, CUdevice device);
CUresult cuDeviceTotalMem(std::size_t* bytes, CUdevice device);
/// What cudaDeviceGetAttribute() returns for the same number.
CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute attribute, CUdevice device);
CUresult cuDeviceComputeCapability(int* major, int* minor, CUdevice device);
/// \restricted There is no other device, so it never can.
CUresult cuDeviceCanAccessPeer(int* can_access, CUdevice device, CUdevice peer);

/// A new context, current in the calling thread from now on. The form with three arguments is that
/// of CUDA 12.
CUresult cuCtxCreate(CUcontext* context, CUctxCreateParams* parameters, unsigned int flags,
                     CUdevice device);
CUresult cuCtxCreate(CUcontext* context, unsigned int flags, CUdevice device);
CUresult cuCtxDestroy(CUcontext context);
CUresult cuCtxPushCurrent(CUcontext context);
CUresult cuCtxPopCurrent(CUcontext* context);
/// Puts a context in the place of the current one; null removes it.
CUresult cuCtxSetCurrent(CUcontext context);
CUresult cuCtxGetCurrent(CUcontext* context);
CUresult cuCtxGetDevice(CUdevice* device);
CUresult cuCtxGetFlags(unsigned int* flags);
CUresult cuCtxGetApiVersion(CUcontext context, unsigned int* version);
CUresult cuCtxSynchronize();
/// The context that the runtime API uses, as often as it is retained the same.
CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice device);
CUresult cuDevicePrimaryCtxRelease(CUdevice device);
/// As cudaDeviceReset().
CUresult cuDevicePrimaryCtxReset(CUdevice device);

// Modules -----------------------------------------------------------------------------------------

/// \restricted Loads what `emucc -cubin` or `-fatbin` made, or NVRTC: kernels for this emulator.
/// Machine code of a GPU, and PTX, are CUDA_ERROR_NO_BINARY_FOR_GPU. The options of the third form
/// are taken, and have no effect.
CUresult cuModuleLoad(CUmodule* module, const char* file);
CUresult cuModuleLoadData(CUmodule* module, const void* image);
CUresult cuModuleLoadDataEx(CUmodule* module, const void* image, unsigned int count,
                            CUjit_option* options, void** values);
CUresult cuModuleLoadFatBinary(CUmodule* module, const void* image);
CUresult cuModuleUnload(CUmodule module);
/// A kernel by its name: the one in the source if it is `extern "C"`, else the mangled one.
CUresult cuModuleGetFunction(CUfunction* function, CUmodule module, const char* name);
/// A variable by its name. Both results may be null.
CUresult cuModuleGetGlobal(CUdeviceptr* address, std::size_t* bytes, CUmodule module,
                           const char* name);

/// As the runtime's functions for kernels. Registers and the like are reported as 0.
CUresult cuFuncGetAttribute(int* value, CUfunction_attribute attribute, CUfunction function);
CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value);
CUresult cuFuncSetCacheConfig(CUfunction function, CUfunc_cache preference);
/// Where a parameter is in the buffer of a launch, and its size; the latter may be null.
CUresult cuFuncGetParamInfo(CUfunction function, std::size_t parameter, std::size_t* offset,
                            std::size_t* bytes);
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, CUfunction function, int threads,
                                                     std::size_t shared_bytes);
/// `shared_of_block` may be null: then each block has `shared_bytes`.
CUresult cuOccupancyMaxPotentialBlockSize(int* least_grid, int* block, CUfunction function,
                                          std::size_t (*shared_of_block)(int block),
                                          std::size_t shared_bytes, int limit);
/// Launches a module's kernel. Its arguments are those that `parameters[i]` point to, or if that is
/// null, those in a buffer that `extra` names.
CUresult cuLaunchKernel(CUfunction function, unsigned int grid_x, unsigned int grid_y,
                        unsigned int grid_z, unsigned int block_x, unsigned int block_y,
                        unsigned int block_z, unsigned int shared_bytes, CUstream stream,
                        void** parameters, void** extra);
CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned int grid_x, unsigned int grid_y,
                                   unsigned int grid_z, unsigned int block_x, unsigned int block_y,
                                   unsigned int block_z, unsigned int shared_bytes, CUstream stream,
                                   void** parameters);

// Memory ------------------------------------------------------------------------------------------

/// As the runtime's functions; but 0 bytes are CUDA_ERROR_INVALID_VALUE.
CUresult cuMemAlloc(CUdeviceptr* address, std::size_t bytes);
CUresult cuMemAllocManaged(CUdeviceptr* address, std::size_t bytes, unsigned int flags);
CUresult cuMemAllocPitch(CUdeviceptr* address, std::size_t* pitch, std::size_t width,
                         std::size_t height, unsigned int element);
CUresult cuMemFree(CUdeviceptr address);
CUresult cuMemAllocHost(void** pointer, std::size_t bytes);
CUresult cuMemHostAlloc(void** pointer, std::size_t bytes, unsigned int flags);
CUresult cuMemFreeHost(void* pointer);
CUresult cuMemHostGetDevicePointer(CUdeviceptr* address, void* pointer, unsigned int flags);
CUresult cuMemGetInfo(std::size_t* free_bytes, std::size_t* total_bytes);
/// The allocation that holds an address. Both results may be null.
CUresult cuMemGetAddressRange(CUdeviceptr* base, std::size_t* bytes, CUdeviceptr address);
CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, std::size_t bytes);
CUresult cuMemcpyHtoD(CUdeviceptr to, const void* from, std::size_t bytes);
CUresult cuMemcpyDtoH(void* to, CUdeviceptr from, std::size_t bytes);
CUresult cuMemcpyDtoD(CUdeviceptr to, CUdeviceptr from, std::size_t bytes);
CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, std::size_t bytes, CUstream stream);
CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void* from, std::size_t bytes, CUstream stream);
CUresult cuMemcpyDtoHAsync(void* to, CUdeviceptr from, std::size_t bytes, CUstream stream);
CUresult cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, std::size_t bytes, CUstream stream);
CUresult cuMemcpy2D(const CUDA_MEMCPY2D* copy);
/// Hints, as the runtime's. The forms with a device are those of CUDA 12.
CUresult cuMemAdvise(CUdeviceptr address, std::size_t bytes, CUmem_advise advice,
                     CUmemLocation location);
CUresult cuMemAdvise(CUdeviceptr address, std::size_t bytes, CUmem_advise advice, CUdevice device);
CUresult cuMemPrefetchAsync(CUdeviceptr address, std::size_t bytes, CUmemLocation location,
                            unsigned int flags, CUstream stream);
CUresult cuMemPrefetchAsync(CUdeviceptr address, std::size_t bytes, CUdevice device,
                            CUstream stream);

/// Addresses without memory: kernels that use them fail. A requested address is never given.
CUresult cuMemAddressReserve(CUdeviceptr* address, std::size_t bytes, std::size_t alignment,
                             CUdeviceptr wished, unsigned long long flags);
CUresult cuMemAddressFree(CUdeviceptr address, std::size_t bytes);
/// The least multiple in which memory is made and mapped: 2 MiB, as on a GPU.
CUresult cuMemGetAllocationGranularity(std::size_t* bytes, const CUmemAllocationProp* properties,
                                       CUmemAllocationGranularity_flags which);
/// Memory without an address. It is zeros at first, and keeps what is in it where it goes.
CUresult cuMemCreate(CUmemGenericAllocationHandle* handle, std::size_t bytes,
                     const CUmemAllocationProp* properties, unsigned long long flags);
CUresult cuMemRelease(CUmemGenericAllocationHandle handle);
CUresult cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp* properties,
                                                CUmemGenericAllocationHandle handle);
/// Puts memory at reserved addresses: all of it, and at one place at a time;
/// CUDA_ERROR_NOT_SUPPORTED for a second one.
CUresult cuMemMap(CUdeviceptr address, std::size_t bytes, std::size_t offset,
                  CUmemGenericAllocationHandle handle, unsigned long long flags);
CUresult cuMemUnmap(CUdeviceptr address, std::size_t bytes);
/// \restricted Checked, and without effect: what is mapped can be read and written.
CUresult cuMemSetAccess(CUdeviceptr address, std::size_t bytes, const CUmemAccessDesc* access,
                        std::size_t count);

// Arrays and textures -----------------------------------------------------------------------------

CUresult cuArrayCreate(CUarray* array, const CUDA_ARRAY_DESCRIPTOR* description);
CUresult cuArrayDestroy(CUarray array);
/// `view` must be null.
CUresult cuTexObjectCreate(CUtexObject* texture, const CUDA_RESOURCE_DESC* resource,
                           const CUDA_TEXTURE_DESC* description,
                           const CUDA_RESOURCE_VIEW_DESC* view);
CUresult cuTexObjectDestroy(CUtexObject texture);

// Streams and events ------------------------------------------------------------------------------

CUresult cuStreamCreate(CUstream* stream, unsigned int flags);
CUresult cuStreamCreateWithPriority(CUstream* stream, unsigned int flags, int priority);
CUresult cuStreamDestroy(CUstream stream);
CUresult cuStreamSynchronize(CUstream stream);
CUresult cuStreamQuery(CUstream stream);
CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned int flags);
CUresult cuEventCreate(CUevent* event, unsigned int flags);
CUresult cuEventDestroy(CUevent event);
CUresult cuEventRecord(CUevent event, CUstream stream);
CUresult cuEventQuery(CUevent event);
CUresult cuEventSynchronize(CUevent event);
CUresult cuEventElapsedTime(float* milliseconds, CUevent start, CUevent end);
