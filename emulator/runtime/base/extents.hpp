#pragma once
/// \file
/// Numbers of blocks and threads, and their places: x runs fastest, then y, then z.

#include "base/rooms.hpp"
#include "emulator/device/vector_types.h"

namespace emulator::base {

inline unsigned volume(const dim3& size) {
  return size.x * size.y * size.z;
}

/// Where the one of that number is among `size`.
template <class Number>
uint3 place_in(const dim3& size, Number number) {
  return {static_cast<unsigned>(number % size.x), static_cast<unsigned>(number / size.x % size.y),
          static_cast<unsigned>(number / size.x / size.y)};
}

}  // namespace emulator::base
