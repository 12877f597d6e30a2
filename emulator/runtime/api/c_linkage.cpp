/// \file
/// The runtime API for files in C: each function once more, by its name there.

#include "base/c_linkage.hpp"
#include "emulator/host/host_api.h"
#include "emulator/host/launch_api.h"

EMULATOR_C(cudaError_t, cudaGetLastError, (), ())
EMULATOR_C(cudaError_t, cudaPeekAtLastError, (), ())
EMULATOR_C(const char*, cudaGetErrorName, (cudaError_t error), (error))
EMULATOR_C(const char*, cudaGetErrorString, (cudaError_t error), (error))
EMULATOR_C(cudaError_t, cudaGetDeviceCount, (int* count), (count))
EMULATOR_C(cudaError_t, cudaGetDevice, (int* device), (device))
EMULATOR_C(cudaError_t, cudaSetDevice, (int device), (device))
EMULATOR_C(cudaError_t, cudaInitDevice, (int device, unsigned int device_flags, unsigned int flags),
           (device, device_flags, flags))
EMULATOR_C(cudaError_t, cudaChooseDevice, (int* device, const cudaDeviceProp* properties),
           (device, properties))
EMULATOR_C(cudaError_t, cudaGetDeviceProperties, (cudaDeviceProp * properties, int device),
           (properties, device))
EMULATOR_C(cudaError_t, cudaDeviceGetAttribute, (int* value, cudaDeviceAttr attribute, int device),
           (value, attribute, device))
EMULATOR_C(cudaError_t, cudaDeviceSynchronize, (), ())
EMULATOR_C(cudaError_t, cudaDeviceReset, (), ())
EMULATOR_C(cudaError_t, cudaDriverGetVersion, (int* version), (version))
EMULATOR_C(cudaError_t, cudaRuntimeGetVersion, (int* version), (version))
EMULATOR_C(cudaError_t, cudaGetDriverEntryPointByVersion,
           (const char* symbol, void** function, unsigned int version, unsigned long long flags,
            cudaDriverEntryPointQueryResult* status),
           (symbol, function, version, flags, status))
EMULATOR_C(cudaError_t, cudaGetDriverEntryPoint,
           (const char* symbol, void** function, unsigned long long flags,
            cudaDriverEntryPointQueryResult* status),
           (symbol, function, flags, status))
EMULATOR_C(cudaError_t, cudaDeviceSetLimit, (cudaLimit limit, size_t value), (limit, value))
EMULATOR_C(cudaError_t, cudaDeviceGetLimit, (size_t * value, cudaLimit limit), (value, limit))
EMULATOR_C(cudaError_t, cudaDeviceSetCacheConfig, (cudaFuncCache preference), (preference))
EMULATOR_C(cudaError_t, cudaDeviceGetCacheConfig, (cudaFuncCache * preference), (preference))
EMULATOR_C(cudaError_t, cudaDeviceSetSharedMemConfig, (cudaSharedMemConfig config), (config))
EMULATOR_C(cudaError_t, cudaDeviceGetSharedMemConfig, (cudaSharedMemConfig * config), (config))
EMULATOR_C(cudaError_t, cudaSetDeviceFlags, (unsigned int flags), (flags))
EMULATOR_C(cudaError_t, cudaGetDeviceFlags, (unsigned int* flags), (flags))
EMULATOR_C(cudaError_t, cudaDeviceGetPCIBusId, (char* text, int length, int device),
           (text, length, device))
EMULATOR_C(cudaError_t, cudaDeviceGetByPCIBusId, (int* device, const char* text), (device, text))
EMULATOR_C(cudaError_t, cudaDeviceCanAccessPeer, (int* can_access, int device, int peer_device),
           (can_access, device, peer_device))
EMULATOR_C(cudaError_t, cudaDeviceEnablePeerAccess, (int peer_device, unsigned int flags),
           (peer_device, flags))
EMULATOR_C(cudaError_t, cudaDeviceDisablePeerAccess, (int peer_device), (peer_device))
EMULATOR_C(cudaError_t, cudaDeviceGetP2PAttribute,
           (int* value, cudaDeviceP2PAttr attribute, int device, int peer_device),
           (value, attribute, device, peer_device))
EMULATOR_C(cudaError_t, cudaCtxResetPersistingL2Cache, (), ())
EMULATOR_C(cudaError_t, cudaDeviceGetStreamPriorityRange, (int* least, int* greatest),
           (least, greatest))
EMULATOR_C(cudaError_t, cudaMalloc, (void** pointer, size_t bytes), (pointer, bytes))
EMULATOR_C(cudaError_t, cudaFree, (void* pointer), (pointer))
EMULATOR_C(cudaError_t, cudaMallocManaged, (void** pointer, size_t bytes, unsigned int flags),
           (pointer, bytes, flags))
EMULATOR_C(cudaError_t, cudaMallocHost, (void** pointer, size_t bytes), (pointer, bytes))
EMULATOR_C(cudaError_t, cudaHostAlloc, (void** pointer, size_t bytes, unsigned int flags),
           (pointer, bytes, flags))
EMULATOR_C(cudaError_t, cudaFreeHost, (void* pointer), (pointer))
EMULATOR_C(cudaError_t, cudaHostGetDevicePointer,
           (void** device_pointer, void* host_pointer, unsigned int flags),
           (device_pointer, host_pointer, flags))
EMULATOR_C(cudaError_t, cudaHostGetFlags, (unsigned int* flags, void* pointer), (flags, pointer))
EMULATOR_C(cudaError_t, cudaHostRegister, (void* pointer, size_t bytes, unsigned int flags),
           (pointer, bytes, flags))
EMULATOR_C(cudaError_t, cudaHostUnregister, (void* pointer), (pointer))
EMULATOR_C(cudaError_t, cudaMallocAsync, (void** pointer, size_t bytes, cudaStream_t stream),
           (pointer, bytes, stream))
EMULATOR_C(cudaError_t, cudaFreeAsync, (void* pointer, cudaStream_t stream), (pointer, stream))
EMULATOR_C(cudaError_t, cudaMallocPitch,
           (void** pointer, size_t* pitch, size_t width, size_t height),
           (pointer, pitch, width, height))
EMULATOR_C(cudaError_t, cudaMalloc3D, (cudaPitchedPtr * pointer, cudaExtent extent),
           (pointer, extent))
EMULATOR_C(cudaError_t, cudaMemGetInfo, (size_t * free_bytes, size_t* total_bytes),
           (free_bytes, total_bytes))
EMULATOR_C(cudaError_t, cudaPointerGetAttributes,
           (cudaPointerAttributes * attributes, const void* pointer), (attributes, pointer))
EMULATOR_C(cudaError_t, cudaMemcpy,
           (void* destination, const void* source, size_t bytes, cudaMemcpyKind kind),
           (destination, source, bytes, kind))
EMULATOR_C(cudaError_t, cudaMemcpyAsync,
           (void* destination, const void* source, size_t bytes, cudaMemcpyKind kind,
            cudaStream_t stream),
           (destination, source, bytes, kind, stream))
EMULATOR_C(cudaError_t, cudaMemcpyPeer,
           (void* destination, int destination_device, const void* source, int source_device,
            size_t bytes),
           (destination, destination_device, source, source_device, bytes))
EMULATOR_C(cudaError_t, cudaMemcpyPeerAsync,
           (void* destination, int destination_device, const void* source, int source_device,
            size_t bytes, cudaStream_t stream),
           (destination, destination_device, source, source_device, bytes, stream))
EMULATOR_C(cudaError_t, cudaMemcpy2D,
           (void* destination, size_t destination_pitch, const void* source, size_t source_pitch,
            size_t width, size_t height, cudaMemcpyKind kind),
           (destination, destination_pitch, source, source_pitch, width, height, kind))
EMULATOR_C(cudaError_t, cudaMemcpy2DAsync,
           (void* destination, size_t destination_pitch, const void* source, size_t source_pitch,
            size_t width, size_t height, cudaMemcpyKind kind, cudaStream_t stream),
           (destination, destination_pitch, source, source_pitch, width, height, kind, stream))
EMULATOR_C(cudaError_t, cudaMemcpy3D, (const cudaMemcpy3DParms* parameters), (parameters))
EMULATOR_C(cudaError_t, cudaMemcpy3DAsync,
           (const cudaMemcpy3DParms* parameters, cudaStream_t stream), (parameters, stream))
EMULATOR_C(cudaError_t, cudaMemset, (void* pointer, int value, size_t bytes),
           (pointer, value, bytes))
EMULATOR_C(cudaError_t, cudaMemsetAsync,
           (void* pointer, int value, size_t bytes, cudaStream_t stream),
           (pointer, value, bytes, stream))
EMULATOR_C(cudaError_t, cudaMemset2D,
           (void* pointer, size_t pitch, int value, size_t width, size_t height),
           (pointer, pitch, value, width, height))
EMULATOR_C(cudaError_t, cudaMemset2DAsync,
           (void* pointer, size_t pitch, int value, size_t width, size_t height,
            cudaStream_t stream),
           (pointer, pitch, value, width, height, stream))
EMULATOR_C(cudaError_t, cudaMemset3D, (cudaPitchedPtr pointer, int value, cudaExtent extent),
           (pointer, value, extent))
EMULATOR_C(cudaError_t, cudaMemset3DAsync,
           (cudaPitchedPtr pointer, int value, cudaExtent extent, cudaStream_t stream),
           (pointer, value, extent, stream))
EMULATOR_C(cudaError_t, cudaMemPrefetchAsync,
           (const void* pointer, size_t bytes, cudaMemLocation location, unsigned int flags,
            cudaStream_t stream),
           (pointer, bytes, location, flags, stream))
EMULATOR_C(cudaError_t, cudaMemAdvise,
           (const void* pointer, size_t bytes, cudaMemoryAdvise advice, cudaMemLocation location),
           (pointer, bytes, advice, location))
EMULATOR_C(cudaError_t, cudaMemRangeGetAttribute,
           (void* data, size_t data_bytes, cudaMemRangeAttribute attribute, const void* pointer,
            size_t bytes),
           (data, data_bytes, attribute, pointer, bytes))
EMULATOR_C(cudaError_t, cudaMemRangeGetAttributes,
           (void** data, size_t* data_bytes, cudaMemRangeAttribute* attributes, size_t count,
            const void* pointer, size_t bytes),
           (data, data_bytes, attributes, count, pointer, bytes))
EMULATOR_C(cudaError_t, cudaDeviceGetDefaultMemPool, (cudaMemPool_t * pool, int device),
           (pool, device))
EMULATOR_C(cudaError_t, cudaDeviceGetMemPool, (cudaMemPool_t * pool, int device), (pool, device))
EMULATOR_C(cudaError_t, cudaDeviceSetMemPool, (int device, cudaMemPool_t pool), (device, pool))
EMULATOR_C(cudaError_t, cudaMemPoolCreate,
           (cudaMemPool_t * pool, const cudaMemPoolProps* properties), (pool, properties))
EMULATOR_C(cudaError_t, cudaMemPoolDestroy, (cudaMemPool_t pool), (pool))
EMULATOR_C(cudaError_t, cudaMemPoolTrimTo, (cudaMemPool_t pool, size_t bytes_to_keep),
           (pool, bytes_to_keep))
EMULATOR_C(cudaError_t, cudaMemPoolSetAttribute,
           (cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value), (pool, attribute, value))
EMULATOR_C(cudaError_t, cudaMemPoolGetAttribute,
           (cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value), (pool, attribute, value))
EMULATOR_C(cudaError_t, cudaMemPoolSetAccess,
           (cudaMemPool_t pool, const cudaMemAccessDesc* list, size_t count), (pool, list, count))
EMULATOR_C(cudaError_t, cudaMemPoolGetAccess,
           (cudaMemAccessFlags * flags, cudaMemPool_t pool, cudaMemLocation* location),
           (flags, pool, location))
EMULATOR_C(cudaError_t, cudaMallocFromPoolAsync,
           (void** pointer, size_t bytes, cudaMemPool_t pool, cudaStream_t stream),
           (pointer, bytes, pool, stream))
EMULATOR_C(cudaError_t, cudaStreamCreate, (cudaStream_t * stream), (stream))
EMULATOR_C(cudaError_t, cudaStreamCreateWithFlags, (cudaStream_t * stream, unsigned int flags),
           (stream, flags))
EMULATOR_C(cudaError_t, cudaStreamCreateWithPriority,
           (cudaStream_t * stream, unsigned int flags, int priority), (stream, flags, priority))
EMULATOR_C(cudaError_t, cudaStreamDestroy, (cudaStream_t stream), (stream))
EMULATOR_C(cudaError_t, cudaStreamSynchronize, (cudaStream_t stream), (stream))
EMULATOR_C(cudaError_t, cudaStreamQuery, (cudaStream_t stream), (stream))
EMULATOR_C(cudaError_t, cudaStreamWaitEvent,
           (cudaStream_t stream, cudaEvent_t event, unsigned int flags), (stream, event, flags))
EMULATOR_C(cudaError_t, cudaStreamGetPriority, (cudaStream_t stream, int* priority),
           (stream, priority))
EMULATOR_C(cudaError_t, cudaStreamGetFlags, (cudaStream_t stream, unsigned int* flags),
           (stream, flags))
EMULATOR_C(cudaError_t, cudaStreamGetId, (cudaStream_t stream, unsigned long long* id),
           (stream, id))
EMULATOR_C(cudaError_t, cudaStreamGetDevice, (cudaStream_t stream, int* device), (stream, device))
EMULATOR_C(cudaError_t, cudaStreamSetAttribute,
           (cudaStream_t stream, cudaStreamAttrID attribute, const cudaStreamAttrValue* value),
           (stream, attribute, value))
EMULATOR_C(cudaError_t, cudaStreamGetAttribute,
           (cudaStream_t stream, cudaStreamAttrID attribute, cudaStreamAttrValue* value),
           (stream, attribute, value))
EMULATOR_C(cudaError_t, cudaStreamAttachMemAsync,
           (cudaStream_t stream, void* pointer, size_t bytes, unsigned int flags),
           (stream, pointer, bytes, flags))
EMULATOR_C(cudaError_t, cudaStreamAddCallback,
           (cudaStream_t stream, cudaStreamCallback_t callback, void* user_data,
            unsigned int flags),
           (stream, callback, user_data, flags))
EMULATOR_C(cudaError_t, cudaLaunchHostFunc,
           (cudaStream_t stream, cudaHostFn_t function, void* user_data),
           (stream, function, user_data))
EMULATOR_C(cudaError_t, cudaEventCreateWithFlags, (cudaEvent_t * event, unsigned int flags),
           (event, flags))
EMULATOR_C(cudaError_t, cudaEventDestroy, (cudaEvent_t event), (event))
EMULATOR_C(cudaError_t, cudaEventRecord, (cudaEvent_t event, cudaStream_t stream), (event, stream))
EMULATOR_C(cudaError_t, cudaEventRecordWithFlags,
           (cudaEvent_t event, cudaStream_t stream, unsigned int flags), (event, stream, flags))
EMULATOR_C(cudaError_t, cudaEventQuery, (cudaEvent_t event), (event))
EMULATOR_C(cudaError_t, cudaEventSynchronize, (cudaEvent_t event), (event))
EMULATOR_C(cudaError_t, cudaEventElapsedTime,
           (float* milliseconds, cudaEvent_t start, cudaEvent_t end), (milliseconds, start, end))
EMULATOR_C(cudaError_t, cudaFuncGetAttributes,
           (cudaFuncAttributes * attributes, const void* function), (attributes, function))
EMULATOR_C(cudaError_t, cudaFuncSetAttribute,
           (const void* function, cudaFuncAttribute attribute, int value),
           (function, attribute, value))
EMULATOR_C(cudaError_t, cudaFuncSetCacheConfig, (const void* function, cudaFuncCache preference),
           (function, preference))
EMULATOR_C(cudaError_t, cudaFuncSetSharedMemConfig,
           (const void* function, cudaSharedMemConfig config), (function, config))
EMULATOR_C(cudaError_t, cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags,
           (int* blocks, const void* function, int block_size, size_t dynamic_shared_bytes,
            unsigned int flags),
           (blocks, function, block_size, dynamic_shared_bytes, flags))
EMULATOR_C(cudaError_t, cudaOccupancyAvailableDynamicSMemPerBlock,
           (size_t * bytes, const void* function, int blocks, int block_size),
           (bytes, function, blocks, block_size))
EMULATOR_C(cudaError_t, cudaEventCreate, (cudaEvent_t * event), (event))
EMULATOR_C(cudaError_t, cudaLaunchKernel,
           (const void* kernel, dim3 grid, dim3 block, void** arguments, size_t shared_bytes,
            cudaStream_t stream),
           (kernel, grid, block, arguments, shared_bytes, stream))
