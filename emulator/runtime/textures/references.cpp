/// \file
/// Binding texture and surface references, for programs of CUDA 11 and before.

#include "emulator/version.h"

// The header has them for such programs alone.
#undef EMULATOR_CUDA
#define EMULATOR_CUDA 11
#include "emulator/host/texture_references.h"

#include <algorithm>
#include <cstdint>

#include "base/arena.hpp"
#include "base/host_state.hpp"

namespace emulator::textures {
namespace {

cudaTextureDesc description_of(const textureReference& texture) {
  cudaTextureDesc how{};
  std::copy_n(texture.addressMode, 3, how.addressMode);
  how.filterMode = texture.filterMode;
  how.readMode = texture.emulator_read_mode;
  how.sRGB = texture.sRGB;
  how.normalizedCoords = texture.normalized;
  how.maxAnisotropy = texture.maxAnisotropy;
  how.mipmapFilterMode = texture.mipmapFilterMode;
  how.mipmapLevelBias = texture.mipmapLevelBias;
  how.minMipmapLevelClamp = texture.minMipmapLevelClamp;
  how.maxMipmapLevelClamp = texture.maxMipmapLevelClamp;
  return how;
}

// A texture begins at a multiple of that many bytes: how far the pointer is past one.
cudaError_t split(const void* pointer, std::size_t* offset, const textureReference& texture,
                  void** start, std::size_t& left) {
  const auto memory = lookup(pointer);
  if (!memory) return cudaErrorInvalidValue;
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  const std::size_t behind = (address - memory->base) % texture_alignment;
  if (offset == nullptr && behind != 0) return cudaErrorInvalidValue;
  if (offset != nullptr) *offset = behind;
  texture.emulator_offset = behind;
  left = memory->size - (address - memory->base) + behind;
  *start = static_cast<unsigned char*>(const_cast<void*>(pointer)) - behind;
  return cudaSuccess;
}

}  // namespace

}  // namespace emulator::textures

// What programs call.
namespace emulator::detail {

using namespace textures;

cudaError_t bind_texture(const textureReference& texture, const cudaResourceDesc& resource) {
  const cudaTextureDesc how = description_of(texture);
  cudaTextureObject_t object = 0;
  const cudaError_t error = cudaCreateTextureObject(&object, &resource, &how, nullptr);
  if (error != cudaSuccess) return error;
  unbind_texture(texture);
  texture.emulator_object = object;
  return cudaSuccess;
}

cudaError_t bind_texture(std::size_t* offset, const textureReference& texture, const void* pointer,
                         const cudaChannelFormatDesc* description, std::size_t bytes) {
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeLinear;
  std::size_t left = 0;
  auto& linear = resource.res.linear;
  if (const cudaError_t error = split(pointer, offset, texture, &linear.devPtr, left);
      error != cudaSuccess) {
    return report(error);
  }
  linear.desc = description == nullptr ? texture.channelDesc : *description;
  linear.sizeInBytes = std::min(bytes + texture.emulator_offset, left);
  return bind_texture(texture, resource);
}

cudaError_t bind_texture(std::size_t* offset, const textureReference& texture, const void* pointer,
                         const cudaChannelFormatDesc* description, std::size_t width,
                         std::size_t height, std::size_t pitch) {
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypePitch2D;
  std::size_t left = 0;
  auto& rows = resource.res.pitch2D;
  if (const cudaError_t error = split(pointer, offset, texture, &rows.devPtr, left);
      error != cudaSuccess) {
    return report(error);
  }
  rows.desc = description == nullptr ? texture.channelDesc : *description;
  rows.width = width;
  rows.height = height;
  rows.pitchInBytes = pitch;
  return bind_texture(texture, resource);
}

cudaError_t bind_surface(const surfaceReference& surface, cudaArray_const_t array) {
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = const_cast<cudaArray_t>(array);
  cudaSurfaceObject_t object = 0;
  const cudaError_t error = cudaCreateSurfaceObject(&object, &resource);
  if (error != cudaSuccess) return error;
  cudaDestroySurfaceObject(surface.emulator_object);
  surface.emulator_object = object;
  return cudaSuccess;
}

cudaError_t unbind_texture(const textureReference& texture) {
  const cudaTextureObject_t object = texture.emulator_object;
  texture.emulator_object = 0;
  return cudaDestroyTextureObject(object);
}

}  // namespace emulator::detail
