#pragma once
/// \file
/// In which order the blocks of a launch begin.

#include <cstdint>
#include <numeric>

#include "base/rooms.hpp"
#include "events/random_order.hpp"

namespace emulator::engine {

/// By their numbers, unless the order of work is a random one (EMULATOR_ORDER): CUDA promises none.
class BlockOrder {
 public:
  /// By their numbers.
  BlockOrder() = default;
  /// \param blocks of the launch, at least one
  explicit BlockOrder(std::uint64_t blocks) : blocks_(blocks) {
    const std::uint64_t seed = events::block_seed;
    if (seed == 0) return;
    // The next number that has no divisor in common with `blocks`: so each block has one turn.
    stride_ = seed % blocks;
    while (std::gcd(stride_, blocks) != 1) ++stride_;
    first_ = (seed >> 32) % blocks;
  }

  /// The block that begins when `turn` others have begun.
  std::uint64_t operator[](std::uint64_t turn) const {
    if (stride_ == 1 && first_ == 0) return turn;
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::uint64_t>((static_cast<Wide>(turn) * stride_ + first_) % blocks_);
  }

 private:
  std::uint64_t blocks_ = 1;
  std::uint64_t stride_ = 1;
  std::uint64_t first_ = 0;
};

}  // namespace emulator::engine
