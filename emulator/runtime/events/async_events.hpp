#pragma once
/// \file
/// What is recorded of barriers and asynchronous copies, beside accesses.

#include <cstddef>
#include <cstdint>

#include "base/rooms.hpp"

namespace emulator::events {

/// What else happens to barriers and asynchronous copies, for the checks.
enum class AsyncEvent : unsigned {
  makes_barrier = 1,     ///< an mbarrier is initialised; so are all up to here: with its address
  makes_fenced_barrier,  ///< and no fence is needed
  arrives,               ///< in a phase, whose last bits are in the address; what it did is seen
  uses_barrier,          ///< the same without that
  fences,                ///< towards the asynchronous proxy
  fences_barriers,       ///< only for mbarriers that it has initialised
  copy_has_read,         ///< a bulk copy out, with its number
  copy_has_written,
  reads_operands,  ///< of wgmma: from now on it may; with the number of the copy that stands for it
  stores,          ///< asynchronously: from now on it may; likewise
  reads_constant   ///< no event: the next load is by the read-only cache, from that address
};

/// Every barrier is a place. That of a numbered one is 8 times its number among those of the
/// cluster; then comes the cluster's own; those in shared memory have addresses.
namespace barrier_places {
inline constexpr unsigned numbered = 16;
inline constexpr unsigned most_blocks = 16;  ///< of a cluster
inline constexpr unsigned of_cluster = numbered * most_blocks;
inline constexpr std::uintptr_t first_address = 8 * (of_cluster + 1);
/// The bits of an address that encode a phase: it is a multiple of 8.
inline constexpr std::uint64_t phase_bits = 7;
}  // namespace barrier_places

namespace access_flags {
/// Of a load: it is the lane's row of ldmatrix. (The bit says is_ordered of what stores.)
inline constexpr unsigned is_matrix_row = 0x80;
}  // namespace access_flags

/// What is wrong with the products of warpgroups (wgmma) of a block that ends.
struct GroupProblem {
  enum class What { none, not_awaited, not_committed, warps_missing };
  What what = What::none;
  const void* site = nullptr;
  unsigned thread = 0;
};

}  // namespace emulator::events
