#pragma once
/// \file
/// Which launch, block or cluster runs, and how its blocks and threads are called.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/rooms.hpp"
#include "emulator/device/vector_types.h"
#include "events/access.hpp"
#include "events/launch_observer.hpp"

namespace emulator::checks {

/// The block that runs, or the cluster; and its warp whose accesses are checked. Threads of a
/// cluster are numbered through, as if the last warp of each block were a whole one.
class RunningBlock {
 public:
  void begin_launch(const ObservedLaunch& launch);
  void begin_block(const dim3& block) { block_ = block; }
  /// Block number `number` of a cooperative launch begins or goes on.
  void begin_turn(const dim3& block, std::uint64_t number);
  /// \param turn of a cooperative launch: the number of the cluster
  void begin_cluster(const dim3& first_block, const dim3& shape, std::optional<std::uint64_t> turn);
  void set_warp(unsigned warp) { warp_ = warp; }

  const ObservedLaunch& launch() const { return launch_; }
  unsigned warp() const { return warp_; }
  /// The number of that lane of the warp.
  unsigned thread_of(unsigned lane) const { return warp_ * warp_size + lane; }

  /// Of a cooperative launch: the number of the block or the cluster.
  std::uint64_t turn() const { return turns_.back(); }
  /// Whether all blocks of the launch are there at once: of a cooperative launch.
  bool runs_beside_all() const { return !turns_.empty(); }
  bool is_of_cluster() const { return is_of_cluster_; }
  unsigned threads_of_block() const { return threads_of_block_; }
  /// Which of the cluster's blocks a thread is of; 0 without a cluster.
  unsigned rank_of(unsigned thread) const { return thread / threads_of_block_; }

  dim3 block_of(unsigned thread) const;
  dim3 index_of(unsigned thread) const;  ///< its threadIdx
  /// `thread (1,0,0) of block (2,0,0)`.
  std::string thread_text(unsigned thread) const;
  /// `a thread of block (2,0,0)`: of another block nothing more is known.
  /// \param begun which of those that the launch has begun, from 0 on
  std::string other_block_text(std::size_t begun) const;

 private:
  ObservedLaunch launch_;
  unsigned threads_of_block_ = warp_size;
  dim3 block_;
  unsigned warp_ = 0;
  bool is_of_cluster_ = false;
  dim3 cluster_shape_;
  std::vector<std::uint64_t> turns_;  // the number of each block or cluster that was begun
};

}  // namespace emulator::checks
