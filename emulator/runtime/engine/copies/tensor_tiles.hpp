#pragma once
/// \file
/// Tensor maps, decoded, and which bytes of a tensor go where in shared memory. Nothing here knows
/// of barriers or of the copying thread.

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/rooms.hpp"
#include "emulator/host/tensor_maps.h"
#include "events/bulk_copies.hpp"

namespace emulator::engine {

/// What is in a CUtensorMap.
struct TensorMap {
  static constexpr std::uint64_t magic_number = 0x70616D726F736E65;
  static constexpr unsigned most_dimensions = 5;

  std::uint64_t magic = magic_number;
  /// CUTLASS clears a bit of NVIDIA's maps here, which mends something for some drivers.
  std::uint64_t unread = 0;
  std::uint64_t address = 0;
  std::array<std::uint64_t, most_dimensions - 1> strides{};  ///< in bytes; of all but the fastest
  std::array<std::uint32_t, most_dimensions> lasts{};        ///< the last index of each dimension
  std::array<std::uint16_t, most_dimensions> box{};
  std::array<std::uint8_t, most_dimensions> steps{};  ///< from element to element of the box
  std::uint8_t type = 0;
  std::uint8_t rank = 0;
  std::uint8_t swizzle = 0;
  std::uint8_t fills_with_nan = 0;
};
static_assert(sizeof(TensorMap) <= sizeof(CUtensorMap));

/// How many bytes an element of that type has; 0: the type is not modelled.
unsigned element_bytes(unsigned type);
bool is_floating_point(unsigned type);

/// Rows of shared memory are 128 bytes long, and have eight chunks of 16. A swizzle moves a chunk
/// within its row: some bits of its number are turned over by bits of the row's. So the eight
/// chunks of a column are in different banks. These are the bits; 0: nothing moves.
unsigned swizzle_bits(unsigned swizzle);

/// Where the byte comes to lie. Both proxies that swizzle, copies of tensors and wgmma, look at the
/// address itself.
inline std::uintptr_t swizzled(std::uintptr_t address, unsigned bits, unsigned first_row = 0) {
  return address ^ ((((address >> 7) - first_row) & bits) << 4);
}

/// \param shared where the box begins in shared memory
TensorTile tile_of(const TensorMap& map, const std::array<int, 5>& corner, std::uintptr_t shared);

}  // namespace emulator::engine
