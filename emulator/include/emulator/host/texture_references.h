#pragma once
#pragma GCC system_header
/// \file
/// Texture and surface references, for programs of CUDA 11 and before (`emucc --cuda=11`): global
/// variables that the host binds to memory. CUDA 12 has removed them. Behind each of them is a
/// texture or surface object, made when it is bound.

#include "emulator/device/surfaces.h"
#include "emulator/device/textures.h"
#include "emulator/host/arrays.h"
#include "emulator/version.h"

#if EMULATOR_CUDA < 12

#ifdef __clang__  // which has to know that kernels may name such a variable
#define EMULATOR_REFERENCE(kind) __attribute__((device_builtin_##kind##_type))
#else
#define EMULATOR_REFERENCE(kind)
#endif

/// How a texture reference is read, from the next time on that it is bound.
struct textureReference {
  int normalized;
  cudaTextureFilterMode filterMode;
  cudaTextureAddressMode addressMode[3];
  cudaChannelFormatDesc channelDesc;
  int sRGB;
  unsigned int maxAnisotropy;
  cudaTextureFilterMode mipmapFilterMode;
  float mipmapLevelBias;
  float minMipmapLevelClamp;
  float maxMipmapLevelClamp;
  int disableTrilinearOptimization;
  cudaTextureReadMode emulator_read_mode;
  mutable std::size_t emulator_offset;
  mutable cudaTextureObject_t emulator_object;
};

struct surfaceReference {
  cudaChannelFormatDesc channelDesc;
  mutable cudaSurfaceObject_t emulator_object;
};

template <class T, int type = cudaTextureType1D, cudaTextureReadMode mode = cudaReadModeElementType>
struct EMULATOR_REFERENCE(texture) texture : textureReference {
  texture(int is_normalized = 0, cudaTextureFilterMode filter = cudaFilterModePoint,
          cudaTextureAddressMode address = cudaAddressModeClamp)
      : texture(is_normalized, filter, address, cudaCreateChannelDesc<T>()) {}
  texture(int is_normalized, cudaTextureFilterMode filter, cudaTextureAddressMode address,
          cudaChannelFormatDesc description)
      : textureReference{is_normalized,
                         filter,
                         {address, address, address},
                         description,
                         0,
                         0,
                         cudaFilterModePoint,
                         0,
                         0,
                         0,
                         0,
                         mode,
                         0,
                         0} {}
};

template <class T, int type = 1>
struct EMULATOR_REFERENCE(surface) surface : surfaceReference {
  surface() : surfaceReference{} {}
};

namespace emulator::detail {

// `size` may be larger than the memory is. \param description null: that of the reference
cudaError_t bind_texture(std::size_t* offset, const textureReference& texture, const void* pointer,
                         const cudaChannelFormatDesc* description, std::size_t bytes);
cudaError_t bind_texture(std::size_t* offset, const textureReference& texture, const void* pointer,
                         const cudaChannelFormatDesc* description, std::size_t width,
                         std::size_t height, std::size_t pitch);
cudaError_t bind_texture(const textureReference& texture, const cudaResourceDesc& resource);
cudaError_t bind_surface(const surfaceReference& surface, cudaArray_const_t array);
cudaError_t unbind_texture(const textureReference& texture);

inline cudaError_t bind_texture(const textureReference& texture, cudaArray_const_t array) {
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = const_cast<cudaArray_t>(array);
  return bind_texture(texture, resource);
}
inline cudaError_t bind_texture(const textureReference& texture, cudaMipmappedArray_const_t array) {
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeMipmappedArray;
  resource.res.mipmap.mipmap = const_cast<cudaMipmappedArray_t>(array);
  return bind_texture(texture, resource);
}

// The variable is the host's, and reading it no access of the kernel's.
EMULATOR_LEAF cudaTextureObject_t object_of(const textureReference& texture) {
  return texture.emulator_object;
}
EMULATOR_LEAF cudaSurfaceObject_t object_of(const surfaceReference& surface) {
  return surface.emulator_object;
}

/// What a fetch gives: T itself, or as many floats.
template <class T, cudaTextureReadMode mode,
          unsigned int count = sizeof(T) / sizeof(typename TexelAs<T>::Component)>
struct Fetched {
  using Type = T;
};
template <class T>
struct Fetched<T, cudaReadModeNormalizedFloat, 1> {
  using Type = std::conditional_t<std::is_arithmetic_v<T>, float, float1>;
};
template <class T>
struct Fetched<T, cudaReadModeNormalizedFloat, 2> {
  using Type = float2;
};
template <class T>
struct Fetched<T, cudaReadModeNormalizedFloat, 4> {
  using Type = float4;
};

}  // namespace emulator::detail

template <class T, int type, cudaTextureReadMode mode>
cudaError_t cudaBindTexture(std::size_t* offset, const texture<T, type, mode>& reference,
                            const void* pointer, const cudaChannelFormatDesc& description,
                            std::size_t bytes = ~0U) {
  return emulator::detail::bind_texture(offset, reference, pointer, &description, bytes);
}
template <class T, int type, cudaTextureReadMode mode>
cudaError_t cudaBindTexture(std::size_t* offset, const texture<T, type, mode>& reference,
                            const void* pointer, std::size_t bytes = ~0U) {
  return emulator::detail::bind_texture(offset, reference, pointer, nullptr, bytes);
}
inline cudaError_t cudaBindTexture(std::size_t* offset, const textureReference* reference,
                                   const void* pointer, const cudaChannelFormatDesc* description,
                                   std::size_t bytes = ~0U) {
  return emulator::detail::bind_texture(offset, *reference, pointer, description, bytes);
}
template <class T, int type, cudaTextureReadMode mode>
cudaError_t cudaBindTexture2D(std::size_t* offset, const texture<T, type, mode>& reference,
                              const void* pointer, const cudaChannelFormatDesc& description,
                              std::size_t width, std::size_t height, std::size_t pitch) {
  return emulator::detail::bind_texture(offset, reference, pointer, &description, width, height,
                                        pitch);
}
template <class T, int type, cudaTextureReadMode mode>
cudaError_t cudaBindTexture2D(std::size_t* offset, const texture<T, type, mode>& reference,
                              const void* pointer, std::size_t width, std::size_t height,
                              std::size_t pitch) {
  return emulator::detail::bind_texture(offset, reference, pointer, nullptr, width, height, pitch);
}
inline cudaError_t cudaBindTexture2D(std::size_t* offset, const textureReference* reference,
                                     const void* pointer, const cudaChannelFormatDesc* description,
                                     std::size_t width, std::size_t height, std::size_t pitch) {
  return emulator::detail::bind_texture(offset, *reference, pointer, description, width, height,
                                        pitch);
}
template <class T, int type, cudaTextureReadMode mode>
cudaError_t cudaBindTextureToArray(const texture<T, type, mode>& reference,
                                   cudaArray_const_t array) {
  return emulator::detail::bind_texture(reference, array);
}
template <class T, int type, cudaTextureReadMode mode>
cudaError_t cudaBindTextureToArray(const texture<T, type, mode>& reference, cudaArray_const_t array,
                                   const cudaChannelFormatDesc&) {
  return emulator::detail::bind_texture(reference, array);
}
inline cudaError_t cudaBindTextureToArray(const textureReference* reference,
                                          cudaArray_const_t array, const cudaChannelFormatDesc*) {
  return emulator::detail::bind_texture(*reference, array);
}
template <class T, int type, cudaTextureReadMode mode>
cudaError_t cudaBindTextureToMipmappedArray(const texture<T, type, mode>& reference,
                                            cudaMipmappedArray_const_t array) {
  return emulator::detail::bind_texture(reference, array);
}
template <class T, int type, cudaTextureReadMode mode>
cudaError_t cudaBindTextureToMipmappedArray(const texture<T, type, mode>& reference,
                                            cudaMipmappedArray_const_t array,
                                            const cudaChannelFormatDesc&) {
  return emulator::detail::bind_texture(reference, array);
}
template <class T, int type, cudaTextureReadMode mode>
cudaError_t cudaUnbindTexture(const texture<T, type, mode>& reference) {
  return emulator::detail::unbind_texture(reference);
}
inline cudaError_t cudaUnbindTexture(const textureReference* reference) {
  return emulator::detail::unbind_texture(*reference);
}
template <class T, int type, cudaTextureReadMode mode>
cudaError_t cudaGetTextureAlignmentOffset(std::size_t* offset,
                                          const texture<T, type, mode>& reference) {
  *offset = reference.emulator_offset;
  return cudaSuccess;
}
/// The second argument is a texture's address: names in strings went with CUDA 5.
inline cudaError_t cudaGetTextureReference(const textureReference** reference, const void* symbol) {
  *reference = static_cast<const textureReference*>(symbol);
  return cudaSuccess;
}
template <class T, int type>
cudaError_t cudaBindSurfaceToArray(const surface<T, type>& reference, cudaArray_const_t array) {
  return emulator::detail::bind_surface(reference, array);
}
template <class T, int type>
cudaError_t cudaBindSurfaceToArray(const surface<T, type>& reference, cudaArray_const_t array,
                                   const cudaChannelFormatDesc&) {
  return emulator::detail::bind_surface(reference, array);
}

#define EMULATOR_AS_IT_IS(...) __VA_ARGS__
#define EMULATOR_TEXTURE(name, parameters, arguments)                          \
  template <class T, int type, cudaTextureReadMode mode>                       \
  EMULATOR_INLINE typename emulator::detail::Fetched<T, mode>::Type name(      \
      const texture<T, type, mode>& reference, EMULATOR_AS_IT_IS parameters) { \
    return name<typename emulator::detail::Fetched<T, mode>::Type>(            \
        emulator::detail::object_of(reference), EMULATOR_AS_IT_IS arguments);  \
  }
#define EMULATOR_SURFACE(name, parameters, arguments)                                              \
  template <class T, class Any, int type>                                                          \
  EMULATOR_INLINE T name##read(const surface<Any, type>& reference, EMULATOR_AS_IT_IS parameters,  \
                               cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {              \
    return name##read<T>(emulator::detail::object_of(reference), EMULATOR_AS_IT_IS arguments,      \
                         mode);                                                                    \
  }                                                                                                \
  template <class T, class Any, int type>                                                          \
  EMULATOR_INLINE void name##read(T* result, const surface<Any, type>& reference,                  \
                                  EMULATOR_AS_IT_IS parameters,                                    \
                                  cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {           \
    *result =                                                                                      \
        name##read<T>(emulator::detail::object_of(reference), EMULATOR_AS_IT_IS arguments, mode);  \
  }                                                                                                \
  template <class T, class Any, int type>                                                          \
  EMULATOR_INLINE void name##write(T value, const surface<Any, type>& reference,                   \
                                   EMULATOR_AS_IT_IS parameters,                                   \
                                   cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {          \
    name##write(value, emulator::detail::object_of(reference), EMULATOR_AS_IT_IS arguments, mode); \
  }

EMULATOR_DEVICE_ONLY_BEGIN
EMULATOR_TEXTURE(tex1Dfetch, (int x), (x))
EMULATOR_TEXTURE(tex1D, (float x), (x))
EMULATOR_TEXTURE(tex2D, (float x, float y), (x, y))
EMULATOR_TEXTURE(tex3D, (float x, float y, float z), (x, y, z))
EMULATOR_TEXTURE(tex1DLayered, (float x, int layer), (x, layer))
EMULATOR_TEXTURE(tex2DLayered, (float x, float y, int layer), (x, y, layer))
EMULATOR_TEXTURE(texCubemap, (float x, float y, float z), (x, y, z))
EMULATOR_TEXTURE(texCubemapLayered, (float x, float y, float z, int layer), (x, y, z, layer))
EMULATOR_TEXTURE(tex2Dgather, (float x, float y, int component = 0), (x, y, component))
EMULATOR_TEXTURE(tex1DLod, (float x, float level), (x, level))
EMULATOR_TEXTURE(tex2DLod, (float x, float y, float level), (x, y, level))
EMULATOR_TEXTURE(tex3DLod, (float x, float y, float z, float level), (x, y, z, level))
EMULATOR_SURFACE(surf1D, (int x), (x))
EMULATOR_SURFACE(surf2D, (int x, int y), (x, y))
EMULATOR_SURFACE(surf3D, (int x, int y, int z), (x, y, z))
EMULATOR_SURFACE(surf1DLayered, (int x, int layer), (x, layer))
EMULATOR_SURFACE(surf2DLayered, (int x, int y, int layer), (x, y, layer))
EMULATOR_SURFACE(surfCubemap, (int x, int y, int face), (x, y, face))
EMULATOR_DEVICE_ONLY_END

#undef EMULATOR_SURFACE
#undef EMULATOR_TEXTURE
#undef EMULATOR_AS_IT_IS

#endif  // EMULATOR_CUDA < 12
