#include "textures/arrays.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>
#include <mutex>
#include <utility>

#include "base/arena.hpp"
#include "base/device_attributes.hpp"
#include "base/host_state.hpp"
#include "events/findings.hpp"
#include "events/memory_events.hpp"
#include "streams/capture_mode.hpp"
#include "streams/work_queue.hpp"

namespace emulator::textures {
namespace {

// A handle is a number that is used once, so that a stale one is found.
class Arrays {
 public:
  static Arrays& get() {
    static auto& arrays = *new Arrays;  // never destroyed, for static objects' destructors
    return arrays;
  }

  std::mutex mutex;
  std::map<std::uintptr_t, std::shared_ptr<Array>> arrays;
  std::map<std::uintptr_t, std::vector<std::uintptr_t>> mipmapped;  // their levels

  std::uintptr_t next() { return std::exchange(next_, next_ + 16); }
  bool is_level(std::uintptr_t handle) const {
    return std::any_of(mipmapped.begin(), mipmapped.end(), [&](const auto& whole) {
      return std::find(whole.second.begin(), whole.second.end(), handle) != whole.second.end();
    });
  }

 private:
  std::uintptr_t next_ = 0x40'0000'0000'0010;  // no address, and no number of a stream
};

template <class Handle>
std::uintptr_t number(Handle handle) {
  return std::bit_cast<std::uintptr_t>(handle);
}

bool are_at_most(const cudaExtent& extent, cudaDeviceAttr width, cudaDeviceAttr height,
                 cudaDeviceAttr depth) {
  const auto fits = [](std::size_t size, cudaDeviceAttr limit) {
    return limit == cudaDevAttrMax || size <= static_cast<std::size_t>(attribute(limit));
  };
  return fits(extent.width, width) && fits(extent.height, height) && fits(extent.depth, depth);
}

// Whether there are arrays of that shape and so large.
bool is_shape(const cudaExtent& e, unsigned flags) {
  constexpr auto none = cudaDevAttrMax;
  constexpr unsigned known = cudaArrayLayered | cudaArraySurfaceLoadStore | cudaArrayCubemap |
                             cudaArrayTextureGather | cudaArrayColorAttachment;
  if ((flags & ~known) != 0 || e.width == 0) return false;
  const bool is_layered = (flags & cudaArrayLayered) != 0;
  if ((flags & cudaArrayTextureGather) != 0 && (e.height == 0 || e.depth != 0)) return false;
  if ((flags & cudaArrayCubemap) != 0) {
    return e.width == e.height && (is_layered ? e.depth > 0 && e.depth % 6 == 0 : e.depth == 6) &&
           are_at_most(e, cudaDevAttrMaxTextureCubemapWidth, none,
                       cudaDevAttrMaxTextureCubemapLayeredLayers);
  }
  if (is_layered) {
    if (e.depth == 0) return false;
    return e.height == 0 ? are_at_most(e, cudaDevAttrMaxTexture1DLayeredWidth, none,
                                       cudaDevAttrMaxTexture1DLayeredLayers)
                         : are_at_most(e, cudaDevAttrMaxTexture2DLayeredWidth,
                                       cudaDevAttrMaxTexture2DLayeredHeight,
                                       cudaDevAttrMaxTexture2DLayeredLayers);
  }
  if (e.depth != 0) {
    return e.height != 0 &&
           are_at_most(e, cudaDevAttrMaxTexture3DWidth, cudaDevAttrMaxTexture3DHeight,
                       cudaDevAttrMaxTexture3DDepth);
  }
  if (e.height == 0) return are_at_most(e, cudaDevAttrMaxTexture1DWidth, none, none);
  if ((flags & cudaArrayTextureGather) != 0) {
    return are_at_most(e, cudaDevAttrMaxTexture2DGatherWidth, cudaDevAttrMaxTexture2DGatherHeight,
                       none);
  }
  return are_at_most(e, cudaDevAttrMaxTexture2DWidth, cudaDevAttrMaxTexture2DHeight, none);
}

// What is asked for, or what is wrong with it. `array` has no memory yet.
cudaError_t describe(const cudaChannelFormatDesc* description, const cudaExtent& extent,
                     unsigned flags, Array& array) {
  if (description == nullptr) return cudaErrorInvalidValue;
  if (!read_format(*description, array.format)) return cudaErrorInvalidChannelDescriptor;
  if (!is_shape(extent, flags)) return cudaErrorInvalidValue;
  array.description = *description;
  array.extent = extent;
  array.flags = flags;
  return cudaSuccess;
}

// The tables are locked. 0 if there is not enough memory.
std::uintptr_t make(std::shared_ptr<Array> array, const char* function) {
  Arrays& all = Arrays::get();
  std::size_t bytes = 0;
  if (__builtin_mul_overflow(array->slice(), array->depth(), &bytes)) return 0;
  array->data = static_cast<unsigned char*>(allocate(bytes, MemoryKind::device, 0, function));
  if (array->data == nullptr) return 0;
  const std::uintptr_t handle = all.next();
  all.arrays.emplace(handle, std::move(array));
  return handle;
}

void destroy(std::uintptr_t handle, const char* function) {
  Arrays& all = Arrays::get();
  const auto found = all.arrays.find(handle);
  if (found == all.arrays.end()) return;
  found->second->is_live = false;
  release(found->second->data, MemoryKind::device, MemoryKind::device, function);
  memory_gone(found->second->data);
  all.arrays.erase(found);
}

cudaError_t make_array(cudaArray_t* handle, const cudaChannelFormatDesc* description,
                       const cudaExtent& extent, unsigned flags, const char* function) {
  if (handle == nullptr) return report(cudaErrorInvalidValue);
  return device_call([&] {
    if (const cudaError_t error = refuse_unsafe_while_capturing(); error != cudaSuccess) {
      return error;
    }
    auto array = std::make_shared<Array>();
    const cudaError_t error = describe(description, extent, flags, *array);
    if (error != cudaSuccess) return error;
    const std::lock_guard lock(Arrays::get().mutex);
    const std::uintptr_t made = make(std::move(array), function);
    if (made == 0) return cudaErrorMemoryAllocation;
    *handle = std::bit_cast<cudaArray_t>(made);
    return cudaSuccess;
  });
}

std::size_t half_of(std::size_t size) {
  return size > 1 ? size / 2 : size;
}

}  // namespace

bool read_format(const cudaChannelFormatDesc& d, ElementFormat& format) {
  const unsigned components = d.y == 0 ? 1 : d.z == 0 ? 2 : 4;
  const bool are_alike = (components < 2 || d.y == d.x) &&
                         (components < 4 ? d.z == 0 && d.w == 0 : d.z == d.x && d.w == d.x);
  const bool is_integer =
      d.f == cudaChannelFormatKindSigned || d.f == cudaChannelFormatKindUnsigned;
  const bool is_size = d.x == 16 || d.x == 32 || (d.x == 8 && is_integer);
  if (!are_alike || !is_size || !(is_integer || d.f == cudaChannelFormatKindFloat)) return false;
  format = {components, static_cast<unsigned>(d.x), d.f};
  return true;
}

std::shared_ptr<Array> array_of(cudaArray_const_t handle) {
  Arrays& all = Arrays::get();
  const std::lock_guard lock(all.mutex);
  const auto found = all.arrays.find(number(handle));
  return found == all.arrays.end() ? nullptr : found->second;
}

std::vector<std::shared_ptr<Array>> levels_of(cudaMipmappedArray_const_t handle) {
  Arrays& all = Arrays::get();
  const std::lock_guard lock(all.mutex);
  std::vector<std::shared_ptr<Array>> levels;
  const auto found = all.mipmapped.find(number(handle));
  if (found == all.mipmapped.end()) return levels;
  for (const std::uintptr_t level : found->second) levels.push_back(all.arrays.at(level));
  return levels;
}

void reset_arrays() {
  Arrays& all = Arrays::get();
  const std::lock_guard lock(all.mutex);
  for (const auto& [handle, array] : all.arrays) array->is_live = false;
  all.arrays.clear();
  all.mipmapped.clear();
}

}  // namespace emulator::textures

using namespace emulator::textures;

cudaError_t cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* description,
                            std::size_t width, std::size_t height, unsigned int flags) {
  return make_array(array, description, {width, height, 0}, flags, "cudaMallocArray");
}

cudaError_t cudaMalloc3DArray(cudaArray_t* array, const cudaChannelFormatDesc* description,
                              cudaExtent extent, unsigned int flags) {
  return make_array(array, description, extent, flags, "cudaMalloc3DArray");
}

cudaError_t cudaFreeArray(cudaArray_t array) {
  return device_call([&] {
    if (array == nullptr) return cudaSuccess;
    if (const cudaError_t error = refuse_unsafe_while_capturing(); error != cudaSuccess) {
      return error;
    }
    if (array_of(array) == nullptr) return cudaErrorInvalidResourceHandle;
    wait_for_all();
    const std::lock_guard lock(Arrays::get().mutex);
    if (Arrays::get().is_level(number(array))) return cudaErrorInvalidValue;
    destroy(number(array), "cudaFreeArray");
    return cudaSuccess;
  });
}

cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc* description, cudaExtent* extent,
                             unsigned int* flags, cudaArray_t array) {
  return device_call([&] {
    const auto found = array_of(array);
    if (found == nullptr) return cudaErrorInvalidResourceHandle;
    if (description != nullptr) *description = found->description;
    if (extent != nullptr) *extent = found->extent;
    if (flags != nullptr) *flags = found->flags;
    return cudaSuccess;
  });
}

cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc* description, cudaArray_const_t array) {
  if (description == nullptr) return report(cudaErrorInvalidValue);
  return cudaArrayGetInfo(description, nullptr, nullptr, const_cast<cudaArray_t>(array));
}

cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t* array,
                                     const cudaChannelFormatDesc* description, cudaExtent extent,
                                     unsigned int levels, unsigned int flags) {
  if (array == nullptr || levels == 0) return report(cudaErrorInvalidValue);
  return device_call([&] {
    if (const cudaError_t error = refuse_unsafe_while_capturing(); error != cudaSuccess) {
      return error;
    }
    // Layers and faces stay as many as they are.
    const bool halves_depth = (flags & (cudaArrayLayered | cudaArrayCubemap)) == 0;
    const std::size_t largest =
        std::max({extent.width, extent.height, halves_depth ? extent.depth : 0});
    const unsigned count = std::min(levels, static_cast<unsigned>(std::bit_width(largest)));
    Arrays& all = Arrays::get();
    const std::lock_guard lock(all.mutex);
    std::vector<std::uintptr_t> made;
    cudaError_t error = largest == 0 ? cudaErrorInvalidValue : cudaSuccess;
    for (cudaExtent level = extent; made.size() < count && error == cudaSuccess;
         level = {half_of(level.width), half_of(level.height),
                  halves_depth ? half_of(level.depth) : level.depth}) {
      auto one = std::make_shared<Array>();
      error = describe(description, level, flags, *one);
      if (error != cudaSuccess) break;
      made.push_back(make(std::move(one), "cudaMallocMipmappedArray"));
      if (made.back() == 0) error = cudaErrorMemoryAllocation;
    }
    if (error != cudaSuccess) {
      for (const std::uintptr_t level : made) destroy(level, "cudaMallocMipmappedArray");
      return error;
    }
    const std::uintptr_t handle = all.next();
    all.mipmapped.emplace(handle, std::move(made));
    *array = std::bit_cast<cudaMipmappedArray_t>(handle);
    return cudaSuccess;
  });
}

cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t array) {
  return device_call([&] {
    if (array == nullptr) return cudaSuccess;
    if (const cudaError_t error = refuse_unsafe_while_capturing(); error != cudaSuccess) {
      return error;
    }
    if (levels_of(array).empty()) return cudaErrorInvalidResourceHandle;
    wait_for_all();
    Arrays& all = Arrays::get();
    const std::lock_guard lock(all.mutex);
    for (const std::uintptr_t level : all.mipmapped[number(array)]) {
      destroy(level, "cudaFreeMipmappedArray");
    }
    all.mipmapped.erase(number(array));
    return cudaSuccess;
  });
}

cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t* level_array, cudaMipmappedArray_const_t array,
                                       unsigned int level) {
  if (level_array == nullptr) return report(cudaErrorInvalidValue);
  return device_call([&] {
    Arrays& all = Arrays::get();
    const std::lock_guard lock(all.mutex);
    const auto found = all.mipmapped.find(number(array));
    if (found == all.mipmapped.end()) return cudaErrorInvalidResourceHandle;
    if (level >= found->second.size()) return cudaErrorInvalidValue;
    *level_array = std::bit_cast<cudaArray_t>(found->second[level]);
    return cudaSuccess;
  });
}
