#pragma once
/// \file
/// The block of a worker among those beside it: its place in a cluster, whose shared memory an
/// address is in, and the barriers of the cluster and of the grid.

#include <cstdint>
#include <optional>

#include "base/extents.hpp"
#include "base/rooms.hpp"
#include "emulator/device/vector_types.h"
#include "engine/grid.hpp"
#include "engine/running_block.hpp"

namespace emulator::engine {

class Cluster;
class Worker;

/// A worker's, for all of its launches; it has no cluster where the launch has none.
class ClusterSeat {
 public:
  ClusterSeat(const Worker& worker, RunningBlock& running) : worker_(worker), running_(running) {}

  /// Takes a place in one of the launch's clusters; false if all are taken.
  bool join(ClusteredGrid& grid);
  /// The launch has ended.
  void leave();

  /// The cluster whose block the worker runs, and which of its blocks; null if the launch has no
  /// clusters.
  Cluster* cluster() const { return cluster_; }
  unsigned rank() const { return rank_; }
  /// The number of the block's first thread among those of its cluster.
  /// \param block how many threads each has
  unsigned first_thread(const dim3& block) const {
    return rank_ * ((volume(block) + warp_size - 1) / warp_size * warp_size);
  }

  /// Waits until the next block of that rank may begin; no number if there is none.
  std::optional<std::uint64_t> begin_block(const Grid& grid);
  void end_block(const Grid& grid);

  /// What runs the block of the cluster that has that shared memory; null if none does.
  const Worker* owner_of(std::uintptr_t address) const;
  const Worker& worker_of(unsigned rank) const;

  /// Ends the phase of the cluster's barrier, if all threads that have not ended have arrived.
  void end_cluster_phase(const LaunchDetails* details) const;

  /// Called when no warp can run: if all live threads of the block or of its cluster are at the
  /// barrier of the grid, waits for the other blocks or clusters.
  /// \return whether they go on
  bool release_grid_barrier(const RunningBlock& block) const;

 private:
  template <class Function>
  void for_each_block(Function function) const;

  const Worker& worker_;
  RunningBlock& running_;
  Cluster* cluster_ = nullptr;
  unsigned rank_ = 0;
};

}  // namespace emulator::engine
