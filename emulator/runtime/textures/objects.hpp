#pragma once
/// \file
/// Texture and surface objects: what their handles, which kernels use, stand for.

#include <array>
#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "base/rooms.hpp"
#include "emulator/device/textures.h"
#include "emulator/host/arrays.h"
#include "textures/arrays.hpp"

namespace emulator::textures {

/// One level of what is read: elements in rows and slices.
struct Level {
  unsigned char* data = nullptr;
  std::size_t width = 0;
  std::size_t height = 1;
  std::size_t depth = 1;  ///< or layers, or faces
  std::size_t pitch = 0;
  std::size_t slice = 0;
  Array* array = nullptr;  ///< whose elements these are, if they are one's

  unsigned char* element(std::size_t x, std::size_t y, std::size_t z, unsigned bytes) const {
    return data + z * slice + y * pitch + x * bytes;
  }
};

/// What a texture or a surface is.
struct TextureObject {
  cudaResourceDesc resource{};
  cudaTextureDesc how{};  ///< of a texture
  ElementFormat format;
  TextureShape shape = TextureShape::line;
  bool is_memory = false;  ///< neither rows nor an array: for fetch_element() only
  unsigned flags = 0;      ///< of the array
  std::vector<Level> levels;
  std::vector<std::shared_ptr<Array>> arrays;  ///< in which they lie; none for memory

  bool gives_floats() const {
    return format.kind == cudaChannelFormatKindFloat || how.readMode == cudaReadModeNormalizedFloat;
  }
};

/// Live objects by their handles. Kernels look them up without a lock; a handle is used once.
class TextureObjects {
 public:
  static TextureObjects& textures();
  static TextureObjects& surfaces();

  /// 0 if there are too many.
  unsigned long long add(std::shared_ptr<const TextureObject> object);
  bool remove(unsigned long long handle);
  void clear();

  const TextureObject* find(unsigned long long handle) const {
    const Slot& slot = slots_[handle % count];
    if (handle == 0 || slot.handle.load(std::memory_order_acquire) != handle) return nullptr;
    return slot.object.get();
  }

 private:
  static constexpr std::size_t count = 1U << 16U;
  struct Slot {
    std::atomic<unsigned long long> handle{0};
    std::shared_ptr<const TextureObject> object;  // stays until the slot serves again
  };
  std::mutex mutex_;
  std::array<Slot, count> slots_;
  unsigned long long next_ = count + 1;  // small numbers are nobody's
};

/// Ends the running launch: a thread uses a texture or a surface in a way that CUDA does not have.
/// \param pc where
[[noreturn]] void refuse_use(const char* what, const void* pc);

/// The same if the memory that holds it has been freed.
void check_is_live(const TextureObject& object, const void* pc);

/// The object, which has to be live and of that shape.
const TextureObject& used_object(const TextureObjects& objects, unsigned long long handle,
                                 TextureShape shape, const void* pc);

}  // namespace emulator::textures
