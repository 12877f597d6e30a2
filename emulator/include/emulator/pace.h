#pragma once
#pragma GCC system_header
/// \file
/// What counters that are sums do not show: whether copies run ahead, and how much one warp does by
/// itself.

#include <cstdint>

namespace emulator {

/// Of the recorded launches since clear_launches().
struct Pace {
  /// Asynchronous copies, lane by lane, that read something and began while one of an earlier batch
  /// of the same thread was in flight. Where every wait is for all copies, there are hardly any.
  std::uint64_t copies_ahead = 0;
  /// The most load requests to global memory, atomic operations among them, of one warp in one
  /// launch. Of blocks that run in turns, as in a cluster, it may be less.
  std::uint64_t most_loads_of_a_warp = 0;
};
Pace pace();

}  // namespace emulator
