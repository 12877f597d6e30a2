#include "textures/objects.hpp"

#include <algorithm>
#include <cstdint>

#include "base/arena.hpp"
#include "base/devices/devices.hpp"
#include "base/host_state.hpp"
#include "emulator/host/unmodelled.h"
#include "engine/engine.hpp"
#include "streams/copy_sides.hpp"

namespace emulator::textures {
namespace {

TextureShape shape_of(const Array& array) {
  const bool is_layered = (array.flags & cudaArrayLayered) != 0;
  if ((array.flags & cudaArrayCubemap) != 0) {
    return is_layered ? TextureShape::cubes : TextureShape::cube;
  }
  if (is_layered) return array.extent.height == 0 ? TextureShape::lines : TextureShape::planes;
  if (array.extent.depth != 0) return TextureShape::volume;
  return array.extent.height != 0 ? TextureShape::plane : TextureShape::line;
}

void put_arrays(std::vector<std::shared_ptr<Array>> arrays, TextureObject& object) {
  object.shape = shape_of(*arrays.front());
  object.format = arrays.front()->format;
  object.flags = arrays.front()->flags;
  for (const auto& array : arrays) {
    object.levels.push_back({array->data, array->width(), array->height(), array->depth(),
                             array->pitch(), array->slice(), array.get()});
  }
  object.arrays = std::move(arrays);
}

// Whether a texture can begin there: textures are aligned as allocations are, and these only to
// their own start.
bool is_aligned(const void* pointer) {
  const auto memory = lookup(pointer);
  return memory &&
         (reinterpret_cast<std::uintptr_t>(pointer) - memory->base) % texture_alignment == 0;
}

cudaError_t put_memory(const cudaResourceDesc& resource, TextureObject& object) {
  const auto& linear = resource.res.linear;
  if (!read_format(linear.desc, object.format)) return cudaErrorInvalidChannelDescriptor;
  // NVIDIA's samples have textures that are longer than their memory. Here the rest is not there.
  std::size_t bytes = linear.sizeInBytes;
  if (const auto memory = lookup(linear.devPtr)) {
    const std::uintptr_t begin = reinterpret_cast<std::uintptr_t>(linear.devPtr) - memory->base;
    bytes = std::min(bytes, memory->size - begin);
  }
  const std::size_t elements = bytes / object.format.bytes();
  if (elements == 0 || linear.sizeInBytes / object.format.bytes() > longest_linear_texture ||
      !is_usable("texture", linear.devPtr, bytes, Where::device)) {
    return cudaErrorInvalidValue;
  }
  if (!is_aligned(linear.devPtr)) return cudaErrorMisalignedAddress;
  object.is_memory = true;
  object.levels = {{static_cast<unsigned char*>(linear.devPtr), elements}};
  return cudaSuccess;
}

cudaError_t put_rows(const cudaResourceDesc& resource, TextureObject& object) {
  const auto& rows = resource.res.pitch2D;
  if (!read_format(rows.desc, object.format)) return cudaErrorInvalidChannelDescriptor;
  const std::size_t row = rows.width * object.format.bytes();
  if (rows.width == 0 || rows.height == 0 || rows.width > 131072 || rows.height > 65000 ||
      row > rows.pitchInBytes || rows.pitchInBytes % texture_pitch_alignment != 0 ||
      !is_usable("texture", rows.devPtr, (rows.height - 1) * rows.pitchInBytes + row,
                 Where::device)) {
    return cudaErrorInvalidValue;
  }
  if (!is_aligned(rows.devPtr)) return cudaErrorMisalignedAddress;
  object.shape = TextureShape::plane;
  object.levels = {
      {static_cast<unsigned char*>(rows.devPtr), rows.width, rows.height, 1, rows.pitchInBytes, 0}};
  return cudaSuccess;
}

cudaError_t put_resource(const cudaResourceDesc& resource, TextureObject& object) {
  object.resource = resource;
  switch (resource.resType) {
    case cudaResourceTypeLinear:
      return put_memory(resource, object);
    case cudaResourceTypePitch2D:
      return put_rows(resource, object);
    case cudaResourceTypeArray: {
      auto array = array_of(resource.res.array.array);
      if (array == nullptr) return cudaErrorInvalidResourceHandle;
      put_arrays({std::move(array)}, object);
      return cudaSuccess;
    }
    case cudaResourceTypeMipmappedArray: {
      auto levels = levels_of(resource.res.mipmap.mipmap);
      if (levels.empty()) return cudaErrorInvalidResourceHandle;
      put_arrays(std::move(levels), object);
      return cudaSuccess;
    }
  }
  return cudaErrorInvalidValue;
}

cudaError_t put_description(const cudaTextureDesc& how, TextureObject& object) {
  for (const cudaTextureAddressMode mode : how.addressMode) {
    if (mode < cudaAddressModeWrap || mode > cudaAddressModeBorder) return cudaErrorInvalidValue;
  }
  const auto is_filter = [](cudaTextureFilterMode filter) {
    return filter == cudaFilterModePoint || filter == cudaFilterModeLinear;
  };
  if (!is_filter(how.filterMode) || !is_filter(how.mipmapFilterMode) ||
      (how.readMode != cudaReadModeElementType && how.readMode != cudaReadModeNormalizedFloat)) {
    return cudaErrorInvalidValue;
  }
  const bool is_float = object.format.kind == cudaChannelFormatKindFloat;
  if (how.readMode == cudaReadModeNormalizedFloat && !is_float && object.format.bits == 32) {
    return cudaErrorInvalidNormSetting;
  }
  if (how.filterMode == cudaFilterModeLinear && !object.is_memory && !is_float &&
      how.readMode != cudaReadModeNormalizedFloat) {
    return cudaErrorInvalidFilterSetting;
  }
  if (how.sRGB != 0) return not_modelled("a texture in sRGB");
  if (how.seamlessCubemap != 0) return not_modelled("a filter across the edges of a cubemap");
  object.how = how;
  return cudaSuccess;
}

cudaError_t give_handle(TextureObjects& objects, std::shared_ptr<TextureObject> object,
                        unsigned long long* handle) {
  const unsigned long long made = objects.add(std::move(object));
  if (made == 0) return cudaErrorMemoryAllocation;
  *handle = made;
  return cudaSuccess;
}

template <class Take>
cudaError_t with_object(const TextureObjects& objects, unsigned long long handle, Take take) {
  return device_call([&] {
    const TextureObject* const object = objects.find(handle);
    if (object == nullptr) return cudaErrorInvalidValue;
    take(*object);
    return cudaSuccess;
  });
}

}  // namespace

TextureObjects& TextureObjects::textures() {
  static auto& objects = *new TextureObjects;  // never destroyed, for static objects' destructors
  return objects;
}

TextureObjects& TextureObjects::surfaces() {
  static auto& objects = *new TextureObjects;
  return objects;
}

unsigned long long TextureObjects::add(std::shared_ptr<const TextureObject> object) {
  const std::lock_guard lock(mutex_);
  for (std::size_t tries = 0; tries < count; ++tries) {
    const unsigned long long handle = next_++;
    Slot& slot = slots_[handle % count];
    if (handle % count == 0 || slot.handle.load(std::memory_order_relaxed) != 0) continue;
    slot.object = std::move(object);
    slot.handle.store(handle, std::memory_order_release);
    return handle;
  }
  return 0;
}

bool TextureObjects::remove(unsigned long long handle) {
  const std::lock_guard lock(mutex_);
  if (find(handle) == nullptr) return false;
  slots_[handle % count].handle.store(0, std::memory_order_release);
  return true;
}

void TextureObjects::clear() {
  const std::lock_guard lock(mutex_);
  for (Slot& slot : slots_) slot.handle.store(0, std::memory_order_release);
}

void refuse_use(const char* what, const void* pc) {
  current_lane->worker->fail(cudaErrorLaunchFailure, what, "failed-kernel",
                             reinterpret_cast<std::uintptr_t>(pc));
}

void check_is_live(const TextureObject& object, const void* pc) {
  const bool is_live = object.arrays.empty() ? find_allocation(object.levels[0].data) != nullptr
                                             : object.arrays[0]->is_live.load();
  if (is_live) return;
  current_lane->worker->fail(cudaErrorIllegalAddress,
                             "the memory of this texture or surface has been freed",
                             "use-after-free", reinterpret_cast<std::uintptr_t>(pc));
}

const TextureObject& used_object(const TextureObjects& objects, unsigned long long handle,
                                 TextureShape shape, const void* pc) {
  const TextureObject* const object = objects.find(handle);
  if (object == nullptr) {
    refuse_use("its argument is not, or is no longer, a texture or surface object", pc);
  }
  if (object->is_memory) {
    refuse_use("a texture in linear memory can be read by tex1Dfetch() only", pc);
  }
  if (object->shape != shape) {
    refuse_use("the texture or surface has different dimensions from the function's", pc);
  }
  check_is_live(*object, pc);
  return *object;
}

}  // namespace emulator::textures

namespace emulator::base {

using namespace textures;

void reset_textures() {
  TextureObjects::textures().clear();
  TextureObjects::surfaces().clear();
  reset_arrays();
}

}  // namespace emulator::base

using namespace emulator::textures;

cudaError_t cudaCreateTextureObject(cudaTextureObject_t* texture, const cudaResourceDesc* resource,
                                    const cudaTextureDesc* description,
                                    const cudaResourceViewDesc* view) {
  if (texture == nullptr || resource == nullptr || description == nullptr) {
    return report(cudaErrorInvalidValue);
  }
  if (view != nullptr) return not_modelled("a texture with a resource view");
  return device_call([&] {
    auto object = std::make_shared<TextureObject>();
    if (const cudaError_t error = put_resource(*resource, *object); error != cudaSuccess) {
      return error;
    }
    if (const cudaError_t error = put_description(*description, *object); error != cudaSuccess) {
      return error;
    }
    return give_handle(TextureObjects::textures(), std::move(object), texture);
  });
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texture) {
  return device_call([&] {
    const bool done = texture == 0 || TextureObjects::textures().remove(texture);
    return done ? cudaSuccess : cudaErrorInvalidValue;
  });
}

cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc* resource,
                                             cudaTextureObject_t texture) {
  if (resource == nullptr) return report(cudaErrorInvalidValue);
  return with_object(TextureObjects::textures(), texture,
                     [&](const TextureObject& object) { *resource = object.resource; });
}

cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc* description,
                                            cudaTextureObject_t texture) {
  if (description == nullptr) return report(cudaErrorInvalidValue);
  return with_object(TextureObjects::textures(), texture,
                     [&](const TextureObject& object) { *description = object.how; });
}

cudaError_t cudaGetTextureObjectResourceViewDesc(cudaResourceViewDesc*, cudaTextureObject_t) {
  return report(cudaErrorInvalidValue);
}

cudaError_t cudaDeviceGetTexture1DLinearMaxWidth(std::size_t* width,
                                                 const cudaChannelFormatDesc* description,
                                                 int device) {
  ElementFormat format;
  if (width == nullptr || description == nullptr || !read_format(*description, format)) {
    return report(cudaErrorInvalidValue);
  }
  if (!is_device(device)) return report(cudaErrorInvalidDevice);
  *width = longest_linear_texture;
  return cudaSuccess;
}

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* surface,
                                    const cudaResourceDesc* resource) {
  if (surface == nullptr || resource == nullptr || resource->resType != cudaResourceTypeArray) {
    return report(cudaErrorInvalidValue);
  }
  return device_call([&] {
    auto object = std::make_shared<TextureObject>();
    if (const cudaError_t error = put_resource(*resource, *object); error != cudaSuccess) {
      return error;
    }
    if ((object->flags & cudaArraySurfaceLoadStore) == 0) return cudaErrorInvalidValue;
    return give_handle(TextureObjects::surfaces(), std::move(object), surface);
  });
}

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t surface) {
  return device_call([&] {
    const bool done = surface == 0 || TextureObjects::surfaces().remove(surface);
    return done ? cudaSuccess : cudaErrorInvalidValue;
  });
}

cudaError_t cudaGetSurfaceObjectResourceDesc(cudaResourceDesc* resource,
                                             cudaSurfaceObject_t surface) {
  if (resource == nullptr) return report(cudaErrorInvalidValue);
  return with_object(TextureObjects::surfaces(), surface,
                     [&](const TextureObject& object) { *resource = object.resource; });
}
