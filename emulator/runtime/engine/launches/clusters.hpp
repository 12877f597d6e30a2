#pragma once
/// \file
/// Launches of clusters. Each block of a cluster has a host thread of its own, and so shared memory
/// of its own; but they take turns: a block runs until none of its threads can go on. So whatever
/// one does to another's memory or barriers needs no lock, and is the same each time.
///
/// What happens as late as is legal, the arrival of a copy say, happens once no block of the
/// cluster can go on without it.

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "base/extents.hpp"
#include "base/rooms.hpp"
#include "emulator/host/launch.h"
#include "engine/barriers/mbarriers.hpp"

namespace emulator::engine {

class Cluster;
class RunningBlock;
class Worker;

/// A launch in clusters, shared by all that run it. Several clusters run beside each other, each by
/// a team of host threads that runs one after the other.
class ClusteredGrid {
 public:
  /// \param teams how many clusters run at once
  ClusteredGrid(const Configuration& configuration, unsigned teams);

  const dim3& shape() const { return shape_; }  ///< blocks of a cluster
  unsigned blocks() const { return volume(shape_); }
  /// The first block of the cluster of that number.
  uint3 first_block(std::uint64_t cluster) const;

  /// The next cluster that nobody runs yet; clusters() if there is none.
  std::uint64_t take_next() { return next_.fetch_add(1, std::memory_order_relaxed); }
  std::uint64_t clusters() const { return clusters_; }
  /// No more clusters begin.
  void stop() { is_stopped_.store(true, std::memory_order_relaxed); }
  bool is_stopped() const { return is_stopped_.load(std::memory_order_relaxed); }

  /// A place for the host thread in one of the teams; null if all are taken.
  Cluster* join(const Worker& worker, RunningBlock& running, unsigned& rank);

  std::mutex& ending() { return ending_; }

 private:
  dim3 shape_;
  dim3 clusters_of_grid_;
  std::uint64_t clusters_;
  std::atomic<std::uint64_t> next_{0};
  std::atomic<unsigned> seats_{0};
  std::atomic<bool> is_stopped_{false};
  std::mutex ending_;
  std::vector<std::unique_ptr<Cluster>> teams_;
};

/// The cluster that a team runs.
class Cluster {
 public:
  enum class State : std::uint8_t { ready, begun, ended };
  /// A block of it.
  struct Block {
    const Worker* worker = nullptr;
    RunningBlock* running = nullptr;  ///< the worker's
    State state = State::ready;
    bool is_stuck = false;  ///< it could not go on when it last had its turn
  };
  /// What a block may do that has its turn again.
  enum class Turn : std::uint8_t {
    goes_on,   ///< look whether others have done what it waits for
    latest,    ///< nobody can go on: what has been put off happens now
    tests,     ///< not even then: a thread that only tests is told that it is not complete
    for_ever,  ///< not even then
    failed     ///< the launch has failed
  };

  explicit Cluster(ClusteredGrid& grid);

  void seat(unsigned rank, const Worker& worker, RunningBlock& running);

  /// Waits until the block of that rank of the next cluster may begin; false if there is none.
  bool begin(unsigned rank);
  /// It cannot go on: others have their turn. Returns when it has its turn again.
  Turn wait_for_turn(unsigned rank);
  /// It only spins: others that can go on have their turn.
  Turn let_others(unsigned rank);
  /// It goes on, so that others may be able to.
  void goes_on();
  /// It has ended.
  /// \return whether it was the last one of its cluster
  bool end(unsigned rank);
  /// The launch has failed: nobody waits any more.
  void fail();

  /// Which of the launch's clusters it is.
  std::uint64_t number() const { return number_; }
  uint3 block_index(unsigned rank) const;
  const dim3& shape() const { return grid_.shape(); }
  unsigned blocks() const { return static_cast<unsigned>(blocks_.size()); }
  const Block& block(unsigned rank) const { return blocks_[rank]; }
  BlockBarriers& barriers() { return barriers_; }
  /// For those that end a failed launch, one after the other.
  std::mutex& ending() { return grid_.ending(); }

 private:
  void pass_on(unsigned rank);
  bool give_turn_after(unsigned rank);
  Turn wait(std::unique_lock<std::mutex>& lock, unsigned rank);
  void take_next();

  ClusteredGrid& grid_;
  std::mutex mutex_;
  std::vector<std::condition_variable> wakes_;
  std::vector<Block> blocks_;
  BlockBarriers barriers_;
  std::uint64_t number_ = 0;
  unsigned seated_ = 0;
  unsigned turn_ = 0;
  unsigned spins_ = 0;
  Turn level_ = Turn::goes_on;
  bool has_cluster_ = false;
  bool failed_ = false;
};

}  // namespace emulator::engine
