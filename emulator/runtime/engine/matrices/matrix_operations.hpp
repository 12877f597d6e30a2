#pragma once
/// \file
/// Matrix instructions, as the engine sees them: what a warp's lanes bring and take.

#include <array>
#include <cstdint>

#include "base/rooms.hpp"
#include "emulator/device/matrix.h"
#include "events/trace.hpp"

namespace emulator::engine {

/// One lane's part. It is on the lane's stack while the lane waits for the others.
struct MatrixRequest {
  enum class Kind : std::uint8_t { product, load, store, meeting };
  /// Why nothing has come of it: not all lanes are there, or they are at different instructions;
  /// or what a sparse matrix is to have is not said.
  enum class Problem : std::uint8_t { none, lanes_missing, lanes_differ, bad_metadata };

  Kind kind;
  std::uintptr_t site;
  // A product.
  const MatrixProduct* product = nullptr;
  const void* a = nullptr;
  const void* b = nullptr;
  const void* c = nullptr;
  void* d = nullptr;
  MatrixMetadata metadata{};
  // A load or a store.
  unsigned count = 0;
  bool is_transposed = false;
  std::array<std::uint16_t, 8> row{};
  std::array<std::uint32_t, 4> registers{};

  Problem problem = Problem::none;
  std::uint32_t lanes = 0;  ///< that have come
};

/// Does what the lanes of `taking_part` ask for, or tells them what is wrong.
void perform(const std::array<MatrixRequest*, warp_size>& requests, std::uint32_t taking_part);

}  // namespace emulator::engine
