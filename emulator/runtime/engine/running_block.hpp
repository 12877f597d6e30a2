#pragma once
/// \file
/// The block that a worker runs: its threads, and how far they are.

#include <cstdint>
#include <vector>

#include "base/rooms.hpp"
#include "engine/grid.hpp"
#include "engine/lane.hpp"
#include "engine/warp.hpp"
#include "events/lane_progress.hpp"

namespace emulator::engine {

class Worker;

/// One block at a time; its memory serves the next one.
class RunningBlock {
 public:
  /// All threads of that block of the grid are about to begin.
  /// \param first_thread number of its first thread among those of its cluster
  void begin(Worker& worker, const Grid& grid, std::uint64_t number, unsigned first_thread);

  /// What runs it.
  Worker& worker() const { return *worker_; }
  /// The observer of what its threads do; null if there is none.
  const LaunchDetails* details() const { return details_; }

  /// Its number in the grid.
  std::uint64_t number() const { return number_; }
  unsigned first_thread() const { return first_thread_; }

  std::vector<Lane>& lanes() { return lanes_; }
  const std::vector<Lane>& lanes() const { return lanes_; }
  std::vector<Warp>& warps() { return warps_; }
  const std::vector<Warp>& warps() const { return warps_; }

  /// The number of a thread among those of its cluster, or of its block.
  unsigned number_of(const Lane& lane) const {
    return first_thread_ + static_cast<unsigned>(&lane - lanes_.data());
  }
  /// The number of a warp in the block, and among those of its cluster.
  unsigned number_of(const Warp& warp) const {
    return static_cast<unsigned>(&warp - warps_.data());
  }
  unsigned number_in_cluster(const Warp& warp) const {
    return first_thread_ / warp_size + number_of(warp);
  }

  bool has_live_threads() const;
  bool has_running_threads() const;
  /// Whether all live threads are at a barrier of the block.
  bool is_at_barrier() const;

  /// All threads that wait for that go on.
  void release(Wait what);

 private:
  Worker* worker_ = nullptr;
  const LaunchDetails* details_ = nullptr;
  std::uint64_t number_ = 0;
  unsigned first_thread_ = 0;
  std::vector<Lane> lanes_;
  std::vector<Warp> warps_;
  std::vector<LaneProgress> progress_;  // of each lane, while details are wanted
};

}  // namespace emulator::engine
