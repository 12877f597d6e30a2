/// \file
/// Arrays, textures and surfaces for files in C: each function once more, by its name there.

#include "base/c_linkage.hpp"
#include "emulator/host/arrays.h"

EMULATOR_C(cudaError_t, cudaMallocArray,
           (cudaArray_t * array, const cudaChannelFormatDesc* description, size_t width,
            size_t height, unsigned int flags),
           (array, description, width, height, flags))
EMULATOR_C(cudaError_t, cudaMalloc3DArray,
           (cudaArray_t * array, const cudaChannelFormatDesc* description, cudaExtent extent,
            unsigned int flags),
           (array, description, extent, flags))
EMULATOR_C(cudaError_t, cudaFreeArray, (cudaArray_t array), (array))
EMULATOR_C(cudaError_t, cudaArrayGetInfo,
           (cudaChannelFormatDesc * description, cudaExtent* extent, unsigned int* flags,
            cudaArray_t array),
           (description, extent, flags, array))
EMULATOR_C(cudaError_t, cudaGetChannelDesc,
           (cudaChannelFormatDesc * description, cudaArray_const_t array), (description, array))
EMULATOR_C(cudaError_t, cudaMallocMipmappedArray,
           (cudaMipmappedArray_t * array, const cudaChannelFormatDesc* description,
            cudaExtent extent, unsigned int levels, unsigned int flags),
           (array, description, extent, levels, flags))
EMULATOR_C(cudaError_t, cudaFreeMipmappedArray, (cudaMipmappedArray_t array), (array))
EMULATOR_C(cudaError_t, cudaGetMipmappedArrayLevel,
           (cudaArray_t * level_array, cudaMipmappedArray_const_t array, unsigned int level),
           (level_array, array, level))
EMULATOR_C(cudaError_t, cudaMemcpy2DToArray,
           (cudaArray_t destination, size_t x, size_t y, const void* source, size_t source_pitch,
            size_t width, size_t height, cudaMemcpyKind kind),
           (destination, x, y, source, source_pitch, width, height, kind))
EMULATOR_C(cudaError_t, cudaMemcpy2DToArrayAsync,
           (cudaArray_t destination, size_t x, size_t y, const void* source, size_t source_pitch,
            size_t width, size_t height, cudaMemcpyKind kind, cudaStream_t stream),
           (destination, x, y, source, source_pitch, width, height, kind, stream))
EMULATOR_C(cudaError_t, cudaMemcpy2DFromArray,
           (void* destination, size_t destination_pitch, cudaArray_const_t source, size_t x,
            size_t y, size_t width, size_t height, cudaMemcpyKind kind),
           (destination, destination_pitch, source, x, y, width, height, kind))
EMULATOR_C(cudaError_t, cudaMemcpy2DFromArrayAsync,
           (void* destination, size_t destination_pitch, cudaArray_const_t source, size_t x,
            size_t y, size_t width, size_t height, cudaMemcpyKind kind, cudaStream_t stream),
           (destination, destination_pitch, source, x, y, width, height, kind, stream))
EMULATOR_C(cudaError_t, cudaMemcpy2DArrayToArray,
           (cudaArray_t destination, size_t x, size_t y, cudaArray_const_t source, size_t source_x,
            size_t source_y, size_t width, size_t height, cudaMemcpyKind kind),
           (destination, x, y, source, source_x, source_y, width, height, kind))
EMULATOR_C(cudaError_t, cudaMemcpyToArray,
           (cudaArray_t destination, size_t x, size_t y, const void* source, size_t bytes,
            cudaMemcpyKind kind),
           (destination, x, y, source, bytes, kind))
EMULATOR_C(cudaError_t, cudaMemcpyToArrayAsync,
           (cudaArray_t destination, size_t x, size_t y, const void* source, size_t bytes,
            cudaMemcpyKind kind, cudaStream_t stream),
           (destination, x, y, source, bytes, kind, stream))
EMULATOR_C(cudaError_t, cudaMemcpyFromArray,
           (void* destination, cudaArray_const_t source, size_t x, size_t y, size_t bytes,
            cudaMemcpyKind kind),
           (destination, source, x, y, bytes, kind))
EMULATOR_C(cudaError_t, cudaMemcpyFromArrayAsync,
           (void* destination, cudaArray_const_t source, size_t x, size_t y, size_t bytes,
            cudaMemcpyKind kind, cudaStream_t stream),
           (destination, source, x, y, bytes, kind, stream))
EMULATOR_C(cudaError_t, cudaMemcpyArrayToArray,
           (cudaArray_t destination, size_t x, size_t y, cudaArray_const_t source, size_t source_x,
            size_t source_y, size_t bytes, cudaMemcpyKind kind),
           (destination, x, y, source, source_x, source_y, bytes, kind))
EMULATOR_C(cudaError_t, cudaCreateTextureObject,
           (cudaTextureObject_t * texture, const cudaResourceDesc* resource,
            const cudaTextureDesc* description, const cudaResourceViewDesc* view),
           (texture, resource, description, view))
EMULATOR_C(cudaError_t, cudaDestroyTextureObject, (cudaTextureObject_t texture), (texture))
EMULATOR_C(cudaError_t, cudaGetTextureObjectResourceDesc,
           (cudaResourceDesc * resource, cudaTextureObject_t texture), (resource, texture))
EMULATOR_C(cudaError_t, cudaGetTextureObjectTextureDesc,
           (cudaTextureDesc * description, cudaTextureObject_t texture), (description, texture))
EMULATOR_C(cudaError_t, cudaGetTextureObjectResourceViewDesc,
           (cudaResourceViewDesc * view, cudaTextureObject_t texture), (view, texture))
EMULATOR_C(cudaError_t, cudaDeviceGetTexture1DLinearMaxWidth,
           (size_t * width, const cudaChannelFormatDesc* description, int device),
           (width, description, device))
EMULATOR_C(cudaError_t, cudaCreateSurfaceObject,
           (cudaSurfaceObject_t * surface, const cudaResourceDesc* resource), (surface, resource))
EMULATOR_C(cudaError_t, cudaDestroySurfaceObject, (cudaSurfaceObject_t surface), (surface))
EMULATOR_C(cudaError_t, cudaGetSurfaceObjectResourceDesc,
           (cudaResourceDesc * resource, cudaSurfaceObject_t surface), (resource, surface))
