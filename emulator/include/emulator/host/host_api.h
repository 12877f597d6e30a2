#pragma once
#pragma GCC system_header
/// \file
/// The part of CUDA 13's runtime API that host code calls and that the emulator models.
///
/// A launch or a copy has finished when the call that asked for it returns, unless EMULATOR_ORDER
/// asks for another of the orders that streams and events leave open. A handle that is not live, a
/// copy past the end of an allocation, and other misuse give the error that they give on a GPU.
///
/// Unless said otherwise a function returns cudaSuccess, or the error, which it also leaves for
/// cudaGetLastError(). cudaErrorInvalidValue stands for arguments that make no sense. After a
/// kernel has failed, everything that needs the device returns that kernel's error until
/// cudaDeviceReset().

#include <stddef.h>

#include "emulator/host/host_types.h"
#include "emulator/host/occupancy.h"
#include "emulator/version.h"

#ifdef __cplusplus
#include <cstddef>

#include "emulator/discarded.h"
#endif

#define CUDART_VERSION EMULATOR_CUDA_VERSION

EMULATOR_C_BEGIN

// Errors ------------------------------------------------------------------------------------------

/// The last error of a call in this host thread, which it then clears.
cudaError_t cudaGetLastError(void);
/// The same, without clearing it.
cudaError_t cudaPeekAtLastError(void);
/// The error's name as in source code, or "unrecognized error code".
const char* cudaGetErrorName(cudaError_t error);
/// A short description of the error, or "unrecognized error code".
const char* cudaGetErrorString(cudaError_t error);

// Device ------------------------------------------------------------------------------------------

cudaError_t cudaGetDeviceCount(int* count);
cudaError_t cudaGetDevice(int* device);
/// There is device 0, and as many more as EMULATOR_DEVICES says; any other is
/// cudaErrorInvalidDevice, here and below.
cudaError_t cudaSetDevice(int device);
cudaError_t cudaInitDevice(int device, unsigned int device_flags, unsigned int flags);
cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp* properties);
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device);
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device);
/// \restricted Waits for nothing, but reports a kernel that failed.
cudaError_t cudaDeviceSynchronize(void);
/// \restricted Frees the device's memory, destroys its streams and events, and forgets a failed
/// kernel. `__device__` and `__constant__` variables keep their values, which on a GPU they do not;
/// if there are several devices, so do graphs, textures and surfaces.
cudaError_t cudaDeviceReset(void);
cudaError_t cudaDriverGetVersion(int* version);
cudaError_t cudaRuntimeGetVersion(int* version);
/// \restricted The function of the driver API of that name, as it was in that version of CUDA; null
/// if it is not modelled, which `status` says. The functions of cuda.h are known.
cudaError_t cudaGetDriverEntryPointByVersion(
    const char* symbol, void** function, unsigned int version, unsigned long long flags,
    cudaDriverEntryPointQueryResult* status EMULATOR_DEFAULT(nullptr));
cudaError_t cudaGetDriverEntryPoint(const char* symbol, void** function, unsigned long long flags,
                                    cudaDriverEntryPointQueryResult* status
                                        EMULATOR_DEFAULT(nullptr));
/// \restricted Remembers the limit and has no other effect.
cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value);
cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit limit);
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache preference);
cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* preference);
cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig config);
cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config);
cudaError_t cudaSetDeviceFlags(unsigned int flags);
cudaError_t cudaGetDeviceFlags(unsigned int* flags);
/// Writes "0000:00:00.0" for device 0, "0000:01:00.0" for the next one, and so on; `length` counts
/// the final null and must be 13 or more.
cudaError_t cudaDeviceGetPCIBusId(char* text, int length, int device);
cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* text);
/// Every two devices can.
cudaError_t cudaDeviceCanAccessPeer(int* can_access, int device, int peer_device);
cudaError_t cudaDeviceEnablePeerAccess(int peer_device, unsigned int flags);
cudaError_t cudaDeviceDisablePeerAccess(int peer_device);
/// Of two devices: those that CUDA 12 has, as of GPUs that NVLink joins.
cudaError_t cudaDeviceGetP2PAttribute(int* value, cudaDeviceP2PAttr attribute, int device,
                                      int peer_device);
/// \restricted Without effect: there are no caches.
cudaError_t cudaCtxResetPersistingL2Cache(void);
/// Priorities run from 0 (least) to -5 (greatest), as on current GPUs. A pointer may be null.
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest);

// Memory ------------------------------------------------------------------------------------------

/// Device memory, aligned to 256 bytes, with an inaccessible page after it. 0 bytes: null.
/// \return cudaErrorMemoryAllocation if the host does not have that much memory
cudaError_t cudaMalloc(void** pointer, size_t bytes);
/// \return cudaErrorInvalidValue for what is not the start of a live allocation; null is fine
cudaError_t cudaFree(void* pointer);
cudaError_t cudaMallocManaged(void** pointer, size_t bytes,
                              unsigned int flags EMULATOR_DEFAULT(cudaMemAttachGlobal));
cudaError_t cudaMallocHost(void** pointer, size_t bytes);
cudaError_t cudaHostAlloc(void** pointer, size_t bytes, unsigned int flags);
cudaError_t cudaFreeHost(void* pointer);
cudaError_t cudaHostGetDevicePointer(void** device_pointer, void* host_pointer, unsigned int flags);
cudaError_t cudaHostGetFlags(unsigned int* flags, void* pointer);
cudaError_t cudaHostRegister(void* pointer, size_t bytes, unsigned int flags);
cudaError_t cudaHostUnregister(void* pointer);
cudaError_t cudaMallocAsync(void** pointer, size_t bytes, cudaStream_t stream);
cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream);
/// Rows of `width` bytes, each starting at a multiple of 512 bytes.
cudaError_t cudaMallocPitch(void** pointer, size_t* pitch, size_t width, size_t height);
cudaError_t cudaMalloc3D(cudaPitchedPtr* pointer, cudaExtent extent);
/// The free and the total bytes of the device's part of the host's memory. A pointer
/// may be null.
cudaError_t cudaMemGetInfo(size_t* free_bytes, size_t* total_bytes);
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer);

/// Each side must be within one allocation, and a side that `kind` puts on the device must be
/// memory that the device can reach. Copying nothing always succeeds, here and below.
cudaError_t cudaMemcpy(void* destination, const void* source, size_t bytes, cudaMemcpyKind kind);
cudaError_t cudaMemcpyAsync(void* destination, const void* source, size_t bytes,
                            cudaMemcpyKind kind, cudaStream_t stream EMULATOR_DEFAULT(nullptr));
/// Each address must be of memory of the device that is named.
cudaError_t cudaMemcpyPeer(void* destination, int destination_device, const void* source,
                           int source_device, size_t bytes);
cudaError_t cudaMemcpyPeerAsync(void* destination, int destination_device, const void* source,
                                int source_device, size_t bytes,
                                cudaStream_t stream EMULATOR_DEFAULT(nullptr));
/// `height` rows of `width` bytes; the pitches are the distances between the starts of rows.
cudaError_t cudaMemcpy2D(void* destination, size_t destination_pitch, const void* source,
                         size_t source_pitch, size_t width, size_t height, cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DAsync(void* destination, size_t destination_pitch, const void* source,
                              size_t source_pitch, size_t width, size_t height, cudaMemcpyKind kind,
                              cudaStream_t stream EMULATOR_DEFAULT(nullptr));
cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* parameters);
cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* parameters,
                              cudaStream_t stream EMULATOR_DEFAULT(nullptr));
cudaError_t cudaMemcpy3DPeer(const cudaMemcpy3DPeerParms* parameters);
cudaError_t cudaMemcpy3DPeerAsync(const cudaMemcpy3DPeerParms* parameters,
                                  cudaStream_t stream EMULATOR_DEFAULT(nullptr));
cudaError_t cudaMemset(void* pointer, int value, size_t bytes);
cudaError_t cudaMemsetAsync(void* pointer, int value, size_t bytes,
                            cudaStream_t stream EMULATOR_DEFAULT(nullptr));
cudaError_t cudaMemset2D(void* pointer, size_t pitch, int value, size_t width, size_t height);
cudaError_t cudaMemset2DAsync(void* pointer, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream EMULATOR_DEFAULT(nullptr));
cudaError_t cudaMemset3D(cudaPitchedPtr pointer, int value, cudaExtent extent);
cudaError_t cudaMemset3DAsync(cudaPitchedPtr pointer, int value, cudaExtent extent,
                              cudaStream_t stream EMULATOR_DEFAULT(nullptr));
/// \restricted Hints about managed memory: checked, kept for cudaMemRangeGetAttribute(), and
/// without effect.
cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t bytes, cudaMemLocation location,
                                 unsigned int flags, cudaStream_t stream EMULATOR_DEFAULT(nullptr));
cudaError_t cudaMemAdvise(const void* pointer, size_t bytes, cudaMemoryAdvise advice,
                          cudaMemLocation location);
/// What was said about all pages of a range of managed memory.
cudaError_t cudaMemRangeGetAttribute(void* data, size_t data_bytes, cudaMemRangeAttribute attribute,
                                     const void* pointer, size_t bytes);
cudaError_t cudaMemRangeGetAttributes(void** data, size_t* data_bytes,
                                      cudaMemRangeAttribute* attributes, size_t count,
                                      const void* pointer, size_t bytes);

// Memory pools ------------------------------------------------------------------------------------

/// \restricted The device's own pool. Memory that is freed goes back to the system at once,
/// whatever the pool.
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device);
/// The pool that cudaMallocAsync() counts for.
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device);
cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool);
/// Pools of the device's memory only.
cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* properties);
/// What was allocated lives on.
cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool);
/// \restricted Without effect: a pool keeps no memory that is free.
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t bytes_to_keep);
/// \restricted Remembered; has no other effect.
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value);
/// \restricted What is reserved is what is in use; a GPU reserves in larger pieces.
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value);
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const cudaMemAccessDesc* list, size_t count);
cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags* flags, cudaMemPool_t pool,
                                 cudaMemLocation* location);
cudaError_t cudaMallocFromPoolAsync(void** pointer, size_t bytes, cudaMemPool_t pool,
                                    cudaStream_t stream);

// Streams and events ------------------------------------------------------------------------------

cudaError_t cudaStreamCreate(cudaStream_t* stream);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned int flags);
/// A priority out of range is moved into it.
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned int flags, int priority);
/// \return cudaErrorInvalidResourceHandle for a stream that is not live, here and below
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaStreamQuery(cudaStream_t stream);
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event,
                                unsigned int flags EMULATOR_DEFAULT(0));
cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority);
cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int* flags);
cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long* id);
cudaError_t cudaStreamGetDevice(cudaStream_t stream, int* device);
/// \restricted Of the attributes only the access policy window is known, and it is without effect:
/// there are no caches. What was set can be read back.
cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaStreamAttrID attribute,
                                   const cudaStreamAttrValue* value);
cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaStreamAttrID attribute,
                                   cudaStreamAttrValue* value);
cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void* pointer,
                                     size_t bytes EMULATOR_DEFAULT(0),
                                     unsigned int flags EMULATOR_DEFAULT(cudaMemAttachSingle));
/// \restricted Calls the function before returning, unless EMULATOR_ORDER says otherwise. In it,
/// calls of the API that need the device are cudaErrorNotPermitted.
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback,
                                  void* user_data, unsigned int flags);
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* user_data);

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int flags);
cudaError_t cudaEventCreate(cudaEvent_t* event);
cudaError_t cudaEventDestroy(cudaEvent_t event);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream EMULATOR_DEFAULT(nullptr));
cudaError_t cudaEventRecordWithFlags(cudaEvent_t event,
                                     cudaStream_t stream EMULATOR_DEFAULT(nullptr),
                                     unsigned int flags EMULATOR_DEFAULT(cudaEventRecordDefault));
cudaError_t cudaEventQuery(cudaEvent_t event);
cudaError_t cudaEventSynchronize(cudaEvent_t event);
/// \restricted Milliseconds of the host's clock between two records: the emulator's time, not a
/// GPU's.
/// \return cudaErrorInvalidResourceHandle if an event was not recorded, or keeps no time
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end);

// Kernels as functions ----------------------------------------------------------------------------

/// \restricted The emulator does not know what a GPU's compiler would use: registers and static
/// shared, local and constant memory are reported as 0.
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* function);
cudaError_t cudaFuncSetAttribute(const void* function, cudaFuncAttribute attribute, int value);
cudaError_t cudaFuncSetCacheConfig(const void* function, cudaFuncCache preference);
cudaError_t cudaFuncSetSharedMemConfig(const void* function, cudaSharedMemConfig config);

EMULATOR_C_END

#ifdef __cplusplus

#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
/// Marks a program whose stream 0 is a stream of the calling host thread. With nvcc each source is
/// compiled with one or the other; here one such source is enough for the whole program.
extern "C" {
inline char emulator_default_stream_per_thread __attribute__((used));
}
#endif

namespace emulator::detail {

// `waits`: not the asynchronous form.
cudaError_t copy_to_symbol(void* symbol, std::size_t symbol_bytes, const void* source,
                           std::size_t bytes, std::size_t offset, cudaMemcpyKind kind,
                           cudaStream_t stream, bool waits);
cudaError_t copy_from_symbol(void* destination, const void* symbol, std::size_t symbol_bytes,
                             std::size_t bytes, std::size_t offset, cudaMemcpyKind kind,
                             cudaStream_t stream, bool waits);
cudaError_t symbol_address(void** address, void* symbol, std::size_t symbol_bytes);
cudaError_t symbol_size(std::size_t* size, const void* symbol, std::size_t symbol_bytes);

template <class T>
void* address_of(const T& object) {
  return const_cast<void*>(static_cast<const volatile void*>(__builtin_addressof(object)));
}

}  // namespace emulator::detail

// Symbols: `__device__` and `__constant__` variables, passed by name ------------------------------

template <class T>
cudaError_t cudaMemcpyToSymbol(const T& symbol, const void* source, std::size_t bytes,
                               std::size_t offset = 0,
                               cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  using namespace emulator::detail;
  return copy_to_symbol(address_of(symbol), sizeof(T), source, bytes, offset, kind, nullptr, true);
}
template <class T>
cudaError_t cudaMemcpyToSymbolAsync(const T& symbol, const void* source, std::size_t bytes,
                                    std::size_t offset = 0,
                                    cudaMemcpyKind kind = cudaMemcpyHostToDevice,
                                    cudaStream_t stream = nullptr) {
  using namespace emulator::detail;
  return copy_to_symbol(address_of(symbol), sizeof(T), source, bytes, offset, kind, stream, false);
}
template <class T>
cudaError_t cudaMemcpyFromSymbol(void* destination, const T& symbol, std::size_t bytes,
                                 std::size_t offset = 0,
                                 cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  using namespace emulator::detail;
  return copy_from_symbol(destination, address_of(symbol), sizeof(T), bytes, offset, kind, nullptr,
                          true);
}
template <class T>
cudaError_t cudaMemcpyFromSymbolAsync(void* destination, const T& symbol, std::size_t bytes,
                                      std::size_t offset = 0,
                                      cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                                      cudaStream_t stream = nullptr) {
  using namespace emulator::detail;
  return copy_from_symbol(destination, address_of(symbol), sizeof(T), bytes, offset, kind, stream,
                          false);
}
template <class T>
cudaError_t cudaGetSymbolAddress(void** address, const T& symbol) {
  return emulator::detail::symbol_address(address, emulator::detail::address_of(symbol), sizeof(T));
}
template <class T>
cudaError_t cudaGetSymbolSize(std::size_t* size, const T& symbol) {
  return emulator::detail::symbol_size(size, emulator::detail::address_of(symbol), sizeof(T));
}

// C++ spellings: typed pointers, and kernels in place of `const void*` ----------------------------

template <class T>
cudaError_t cudaMalloc(T** pointer, std::size_t bytes) {
  return cudaMalloc((void**)(void*)pointer, bytes);
}
template <class T>
cudaError_t cudaMallocManaged(T** pointer, std::size_t bytes,
                              unsigned int flags = cudaMemAttachGlobal) {
  return cudaMallocManaged((void**)(void*)pointer, bytes, flags);
}
template <class T>
cudaError_t cudaMallocHost(T** pointer, std::size_t bytes, unsigned int flags = 0) {
  void** const address = (void**)(void*)pointer;
  return flags == 0 ? cudaMallocHost(address, bytes) : cudaHostAlloc(address, bytes, flags);
}
inline cudaError_t cudaMallocHost(void** pointer, std::size_t bytes, unsigned int flags) {
  return flags == 0 ? cudaMallocHost(pointer, bytes) : cudaHostAlloc(pointer, bytes, flags);
}
template <class T>
cudaError_t cudaHostAlloc(T** pointer, std::size_t bytes, unsigned int flags) {
  return cudaHostAlloc((void**)(void*)pointer, bytes, flags);
}
template <class T>
cudaError_t cudaHostGetDevicePointer(T** device_pointer, void* host_pointer, unsigned int flags) {
  return cudaHostGetDevicePointer((void**)(void*)device_pointer, host_pointer, flags);
}
template <class T>
cudaError_t cudaMallocAsync(T** pointer, std::size_t bytes, cudaStream_t stream) {
  return cudaMallocAsync((void**)(void*)pointer, bytes, stream);
}
template <class T>
cudaError_t cudaMallocAsync(T** pointer, std::size_t bytes, cudaMemPool_t pool,
                            cudaStream_t stream) {
  return cudaMallocFromPoolAsync((void**)(void*)pointer, bytes, pool, stream);
}
template <class T>
cudaError_t cudaMallocFromPoolAsync(T** pointer, std::size_t bytes, cudaMemPool_t pool,
                                    cudaStream_t stream) {
  return cudaMallocFromPoolAsync((void**)(void*)pointer, bytes, pool, stream);
}
template <class T>
cudaError_t cudaMallocPitch(T** pointer, std::size_t* pitch, std::size_t width,
                            std::size_t height) {
  return cudaMallocPitch((void**)(void*)pointer, pitch, width, height);
}
template <class T>
cudaError_t cudaGetSymbolAddress(T** address, const auto& symbol) {
  return cudaGetSymbolAddress((void**)(void*)address, symbol);
}
template <class T>
cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, T* pointer, std::size_t bytes = 0,
                                     unsigned int flags = cudaMemAttachSingle) {
  return cudaStreamAttachMemAsync(stream, static_cast<void*>(pointer), bytes, flags);
}
inline cudaError_t cudaEventCreate(cudaEvent_t* event, unsigned int flags) {
  return cudaEventCreateWithFlags(event, flags);
}
template <class T>
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, T* function) {
  const cudaError_t error = cudaFuncGetAttributes(attributes, (const void*)function);
#ifdef __CUDA_ARCH_LIST__  // as of the source that asks, which is what CUB wants to know
  if (error == cudaSuccess) attributes->ptxVersion = __CUDA_ARCH_LIST__ / 10;
#endif
  return error;
}
template <class T>
cudaError_t cudaFuncSetAttribute(T* function, cudaFuncAttribute attribute, int value) {
  return cudaFuncSetAttribute((const void*)function, attribute, value);
}
template <class T>
cudaError_t cudaFuncSetCacheConfig(T* function, cudaFuncCache preference) {
  return cudaFuncSetCacheConfig((const void*)function, preference);
}
template <class T>
cudaError_t cudaFuncSetSharedMemConfig(T* function, cudaSharedMemConfig config) {
  return cudaFuncSetSharedMemConfig((const void*)function, config);
}

#endif  // __cplusplus
