#pragma once
#pragma GCC system_header
/// \file
/// Cooperative groups: what all groups have in common, and the group of a block's threads.

#include <cstdint>

#include "emulator/device/clusters.h"
#include "emulator/device/fences.h"
#include "emulator/device/vector_types.h"
#include "emulator/device/warp.h"
#include "emulator/host/launch.h"
#include "emulator/inline.h"

namespace emulator::detail {

enum class GroupKind : std::uint8_t { coalesced, multi_warp, block, cluster, grid };

/// Waits for all threads of a cooperative launch. Defined by the runtime, as are the next ones; its
/// return address is in the line of the kernel.
void grid_barrier();

/// Whether the running kernel was launched by cudaLaunchCooperativeKernel().
bool is_cooperative_launch();

/// Waits for the threads of a tile of several warps: the `size` threads of the block that the
/// caller is among, counted from a multiple of `size`, a power of two above 32. If there are
/// `bytes`, the caller gets in `result` what the thread of rank `source` in the tile has offered in
/// `value`.
void tile_exchange(unsigned size, const void* value = nullptr, void* result = nullptr,
                   unsigned bytes = 0, unsigned source = 0);

/// Whether a copy can be asynchronous: from global to shared memory.
bool is_from_global_to_shared(const void* to, const void* from);

/// Number of the thread in its block: x fastest, then y, then z.
EMULATOR_INLINE unsigned rank_in_block() {
  return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}
EMULATOR_INLINE unsigned threads_of_block() {
  return blockDim.x * blockDim.y * blockDim.z;
}
EMULATOR_INLINE unsigned long long rank_of_block() {
  return blockIdx.x + static_cast<unsigned long long>(gridDim.x) *
                          (blockIdx.y + static_cast<unsigned long long>(gridDim.y) * blockIdx.z);
}
EMULATOR_INLINE unsigned long long blocks_of_grid() {
  return static_cast<unsigned long long>(gridDim.x) * gridDim.y * gridDim.z;
}
EMULATOR_INLINE unsigned lane_of_thread() {
  return rank_in_block() % 32U;
}
/// Lanes of the warp below the caller's.
EMULATOR_INLINE unsigned lanes_below() {
  return (1U << lane_of_thread()) - 1U;
}
EMULATOR_INLINE unsigned count_lanes(unsigned mask) {
  return static_cast<unsigned>(__builtin_popcount(mask));
}

}  // namespace emulator::detail

namespace cooperative_groups {

class group_access;

/// Any group of threads, for functions that take all kinds of them. It knows less than the group it
/// was made from: no shuffles, no votes.
class thread_group {
 public:
  EMULATOR_INLINE unsigned long long size() const {
    if (kind_ == emulator::detail::GroupKind::grid) {
      return emulator::detail::blocks_of_grid() * emulator::detail::threads_of_block();
    }
    return size_;
  }
  EMULATOR_INLINE unsigned long long num_threads() const { return size(); }

  EMULATOR_INLINE unsigned long long thread_rank() const {
    if (kind_ == emulator::detail::GroupKind::coalesced) {
      return emulator::detail::count_lanes(mask_ & emulator::detail::lanes_below());
    }
    if (kind_ == emulator::detail::GroupKind::multi_warp) {
      return emulator::detail::rank_in_block() % size_;
    }
    const unsigned rank = emulator::detail::rank_in_block();
    if (kind_ == emulator::detail::GroupKind::block) return rank;
    if (kind_ == emulator::detail::GroupKind::cluster) {
      return emulator::detail::cluster_rank() * emulator::detail::threads_of_block() + rank;
    }
    return emulator::detail::rank_of_block() * emulator::detail::threads_of_block() + rank;
  }

  EMULATOR_INLINE void sync() const {
    if (kind_ == emulator::detail::GroupKind::coalesced) {
      __syncwarp(mask_);
    } else if (kind_ == emulator::detail::GroupKind::block) {
      __syncthreads();
    } else if (kind_ == emulator::detail::GroupKind::multi_warp) {
      emulator::detail::tile_exchange(size_);
    } else if (kind_ == emulator::detail::GroupKind::cluster) {
      emulator::detail::cluster_arrive(false);
      emulator::detail::cluster_wait();
    } else {
      emulator::detail::grid_barrier();
    }
  }

 protected:
  friend class group_access;

  EMULATOR_INLINE explicit thread_group(emulator::detail::GroupKind kind, unsigned size = 0)
      : size_(size), kind_(kind) {}

  unsigned mask_ = 0;       ///< lanes of the warp, for a coalesced group and for a tile of one warp
  unsigned size_ = 0;       ///< threads; unused for the grid, which may have more
  unsigned meta_rank_ = 0;  ///< which of its parent's parts the group is
  unsigned meta_size_ = 1;  ///< how many parts the parent was cut into
  emulator::detail::GroupKind kind_;
};

/// What makes groups, which their users cannot.
class group_access {
 public:
  template <class Group, class... Arguments>
  EMULATOR_INLINE static Group make(Arguments... arguments) {
    return Group(arguments...);
  }
  EMULATOR_INLINE static unsigned mask(const thread_group& group) { return group.mask_; }
  EMULATOR_INLINE static unsigned size(const thread_group& group) { return group.size_; }
  EMULATOR_INLINE static emulator::detail::GroupKind kind(const thread_group& group) {
    return group.kind_;
  }
};

/// Room in shared memory for what tiles of several warps exchange. Not used here: the emulator
/// exchanges it outside the memory that it models.
template <unsigned int MaxBlockSize = 1024>
struct alignas(8) block_tile_memory {
 private:
  [[maybe_unused]] char unused_[8];
};

/// All threads of a block.
class thread_block : public thread_group {
 public:
  EMULATOR_INLINE thread_block()
      : thread_group(emulator::detail::GroupKind::block, emulator::detail::threads_of_block()) {}

  /// What barrier_arrive() gives and barrier_wait() takes.
  struct arrival_token {};

  EMULATOR_INLINE static void sync() { __syncthreads(); }
  /// Without effect: the thread arrives when it waits.
  EMULATOR_INLINE arrival_token barrier_arrive() const { return {}; }
  EMULATOR_INLINE void barrier_wait(arrival_token&&) const { __syncthreads(); }

  EMULATOR_INLINE static unsigned size() { return emulator::detail::threads_of_block(); }
  EMULATOR_INLINE static unsigned num_threads() { return size(); }
  EMULATOR_INLINE static unsigned thread_rank() { return emulator::detail::rank_in_block(); }
  EMULATOR_INLINE static dim3 group_index() { return {blockIdx.x, blockIdx.y, blockIdx.z}; }
  EMULATOR_INLINE static dim3 thread_index() { return {threadIdx.x, threadIdx.y, threadIdx.z}; }
  EMULATOR_INLINE static dim3 group_dim() { return {blockDim.x, blockDim.y, blockDim.z}; }
  EMULATOR_INLINE static dim3 dim_threads() { return group_dim(); }
};

EMULATOR_INLINE thread_block this_thread_block() {
  return {};
}

template <unsigned int MaxBlockSize>
EMULATOR_INLINE thread_block this_thread_block(block_tile_memory<MaxBlockSize>&) {
  return {};
}

}  // namespace cooperative_groups
