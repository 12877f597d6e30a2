#pragma once
#pragma GCC system_header
/// \file
/// Arrays, and the objects by which kernels read them as textures and write them as surfaces.
///
/// An array is memory of the device that has no address. Its elements have 1, 2 or 4 components of
/// 8, 16 or 32 bits each. Unless said otherwise a function returns cudaSuccess, or the error, which
/// it also leaves for cudaGetLastError(). \see textures.h and surfaces.h for what kernels call.

#include <stddef.h>

#include "emulator/host/texture_types.h"

#ifdef __cplusplus
#include <cstddef>
#include <type_traits>
#endif

EMULATOR_C_BEGIN

// Arrays ------------------------------------------------------------------------------------------

/// An array of one row if `height` is 0. `flags` are those of cudaArrayDefault and the like.
/// \return cudaErrorInvalidChannelDescriptor if there are no such elements
cudaError_t cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* description,
                            size_t width, size_t height EMULATOR_DEFAULT(0),
                            unsigned int flags EMULATOR_DEFAULT(0));
/// One, two or three dimensions, layers, a cubemap, or several: as the flags and the sides that are
/// 0 say. The width is in elements.
cudaError_t cudaMalloc3DArray(cudaArray_t* array, const cudaChannelFormatDesc* description,
                              cudaExtent extent, unsigned int flags EMULATOR_DEFAULT(0));
/// Null is fine, here and below.
/// \return cudaErrorInvalidResourceHandle for an array that is not live
cudaError_t cudaFreeArray(cudaArray_t array);
cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc* description, cudaExtent* extent,
                             unsigned int* flags, cudaArray_t array);
cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc* description, cudaArray_const_t array);
/// Levels, each half as wide, high and deep as the one before. If more are requested, as many as
/// fit.
cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t* array,
                                     const cudaChannelFormatDesc* description, cudaExtent extent,
                                     unsigned int levels, unsigned int flags EMULATOR_DEFAULT(0));
/// Also frees its levels.
cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t array);
/// A level as an array, which lives as long as the whole.
cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t* level_array, cudaMipmappedArray_const_t array,
                                       unsigned int level);

// Copies. Offsets and widths in bytes, and `height` rows ------------------------------------------

cudaError_t cudaMemcpy2DToArray(cudaArray_t destination, size_t x, size_t y, const void* source,
                                size_t source_pitch, size_t width, size_t height,
                                cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t destination, size_t x, size_t y,
                                     const void* source, size_t source_pitch, size_t width,
                                     size_t height, cudaMemcpyKind kind,
                                     cudaStream_t stream EMULATOR_DEFAULT(nullptr));
cudaError_t cudaMemcpy2DFromArray(void* destination, size_t destination_pitch,
                                  cudaArray_const_t source, size_t x, size_t y, size_t width,
                                  size_t height, cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DFromArrayAsync(void* destination, size_t destination_pitch,
                                       cudaArray_const_t source, size_t x, size_t y, size_t width,
                                       size_t height, cudaMemcpyKind kind,
                                       cudaStream_t stream EMULATOR_DEFAULT(nullptr));
cudaError_t cudaMemcpy2DArrayToArray(
    cudaArray_t destination, size_t x, size_t y, cudaArray_const_t source, size_t source_x,
    size_t source_y, size_t width, size_t height,
    cudaMemcpyKind kind EMULATOR_DEFAULT(cudaMemcpyDeviceToDevice));
/// Bytes that follow each other, from the end of a row to the next one. Deprecated by CUDA.
cudaError_t cudaMemcpyToArray(cudaArray_t destination, size_t x, size_t y, const void* source,
                              size_t bytes, cudaMemcpyKind kind);
cudaError_t cudaMemcpyToArrayAsync(cudaArray_t destination, size_t x, size_t y, const void* source,
                                   size_t bytes, cudaMemcpyKind kind,
                                   cudaStream_t stream EMULATOR_DEFAULT(nullptr));
cudaError_t cudaMemcpyFromArray(void* destination, cudaArray_const_t source, size_t x, size_t y,
                                size_t bytes, cudaMemcpyKind kind);
cudaError_t cudaMemcpyFromArrayAsync(void* destination, cudaArray_const_t source, size_t x,
                                     size_t y, size_t bytes, cudaMemcpyKind kind,
                                     cudaStream_t stream EMULATOR_DEFAULT(nullptr));
cudaError_t cudaMemcpyArrayToArray(cudaArray_t destination, size_t x, size_t y,
                                   cudaArray_const_t source, size_t source_x, size_t source_y,
                                   size_t bytes,
                                   cudaMemcpyKind kind EMULATOR_DEFAULT(cudaMemcpyDeviceToDevice));

// Textures and surfaces ---------------------------------------------------------------------------

/// \restricted A way to read an array, rows of memory, or memory. Not modelled: sRGB, views, other
/// formats than an array's own.
/// \return cudaErrorInvalidFilterSetting for a linear filter over
/// integers,
///         cudaErrorInvalidNormSetting for integers of 32 bits as normalised numbers
cudaError_t cudaCreateTextureObject(cudaTextureObject_t* texture, const cudaResourceDesc* resource,
                                    const cudaTextureDesc* description,
                                    const cudaResourceViewDesc* view);
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texture);
cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc* resource,
                                             cudaTextureObject_t texture);
cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc* description,
                                            cudaTextureObject_t texture);
/// There is no view: cudaErrorInvalidValue, as on a GPU.
cudaError_t cudaGetTextureObjectResourceViewDesc(cudaResourceViewDesc* view,
                                                 cudaTextureObject_t texture);
/// How many elements a texture over memory can have.
cudaError_t cudaDeviceGetTexture1DLinearMaxWidth(size_t* width,
                                                 const cudaChannelFormatDesc* description,
                                                 int device);
/// A way to read and write an array that has the flag cudaArraySurfaceLoadStore.
cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* surface, const cudaResourceDesc* resource);
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t surface);
cudaError_t cudaGetSurfaceObjectResourceDesc(cudaResourceDesc* resource,
                                             cudaSurfaceObject_t surface);

EMULATOR_C_END

#ifdef __cplusplus

// Descriptions of elements ------------------------------------------------------------------------

inline cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                   cudaChannelFormatKind kind) {
  return {x, y, z, w, kind};
}

/// The description of elements of type T: a number, or a vector of one to four of them.
template <class T>
cudaChannelFormatDesc cudaCreateChannelDesc() {
  if constexpr (std::is_arithmetic_v<T>) {
    constexpr cudaChannelFormatKind kind = std::is_floating_point_v<T> ? cudaChannelFormatKindFloat
                                           : std::is_signed_v<T>       ? cudaChannelFormatKindSigned
                                                                 : cudaChannelFormatKindUnsigned;
    return {static_cast<int>(8 * sizeof(T)), 0, 0, 0, kind};
  } else {
    auto description = cudaCreateChannelDesc<decltype(T::x)>();
    constexpr std::size_t components = sizeof(T) / sizeof(T::x);
    if (components > 1) description.y = description.x;
    if (components > 2) description.z = description.x;
    if (components > 3) description.w = description.x;
    return description;
  }
}

/// Of numbers in half precision.
inline cudaChannelFormatDesc cudaCreateChannelDescHalf() {
  return {16, 0, 0, 0, cudaChannelFormatKindFloat};
}
inline cudaChannelFormatDesc cudaCreateChannelDescHalf1() {
  return cudaCreateChannelDescHalf();
}
inline cudaChannelFormatDesc cudaCreateChannelDescHalf2() {
  return {16, 16, 0, 0, cudaChannelFormatKindFloat};
}
inline cudaChannelFormatDesc cudaCreateChannelDescHalf4() {
  return {16, 16, 16, 16, cudaChannelFormatKindFloat};
}

#endif  // __cplusplus
