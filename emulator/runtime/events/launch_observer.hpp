#pragma once
/// \file
/// What a launch announces while it runs, and to whom. There is an observer only for a launch that
/// somebody wants to know of; then its blocks run one after the other, or in turns.
///
/// Accesses are not announced one by one: each lane leaves its own in a trace, and merge() makes
/// requests of those of a warp. The observer's merge is compiled together with what it does.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/rooms.hpp"
#include "emulator/device/vector_types.h"
#include "emulator/findings.h"
#include "emulator/host/host_types.h"
#include "events/async_events.hpp"
#include "events/trace.hpp"

namespace emulator::events {

/// What the launch is called and where its shared memory lies.
struct ObservedLaunch {
  const char* kernel = nullptr;
  dim3 grid;
  dim3 block;
  std::uintptr_t shared = 0;      ///< the worker's thread-local storage
  std::size_t shared_bytes = 0;   ///< its size
  std::uintptr_t dynamic = 0;     ///< where the dynamic shared memory starts
  std::size_t dynamic_bytes = 0;  ///< what the launch has asked for
  std::size_t dynamic_limit = 0;  ///< what could be asked for
};

/// The warp whose accesses are merged.
struct MergedWarp {
  WarpTrace& trace;
  dim3 block;
  unsigned number = 0;            ///< in its block
  unsigned number_of_all = 0;     ///< among those of its cluster
  std::uint32_t running = 0;      ///< lanes that may still add to their trace, a bit a lane
  std::uint32_t left_out = 0;     ///< lanes that keep what they have
  std::uintptr_t own_shared = 0;  ///< the block's shared memory, in a cluster; else 0
  std::size_t own_shared_bytes = 0;
};

class LaunchObserver {
 public:
  LaunchObserver() = default;
  virtual ~LaunchObserver() = default;
  LaunchObserver(const LaunchObserver&) = delete;
  LaunchObserver& operator=(const LaunchObserver&) = delete;

  /// Whether it wants to know of more than accesses: of stored values, of how far threads come, and
  /// of all that follows below merge().
  bool wants_details() const { return wants_details_; }

  /// Merges what the lanes of a warp have done, as far as that can be known now.
  virtual void merge(const MergedWarp& warp) = 0;

  /// All blocks have ended, or the launch has failed.
  virtual void blocks_ended() = 0;
  /// The launch has ended. Nothing is announced behind that.
  /// \param error its name, or null
  virtual void launch_ended(const char* error, double milliseconds) = 0;

  virtual void begin_block(const dim3& block) = 0;
  /// The same where blocks take turns, in a cooperative launch: block number `number`, whose shared
  /// memory lies at `shared` and `dynamic`, begins or goes on.
  virtual void begin_turn(const dim3& block, std::uint64_t number, std::uintptr_t shared,
                          std::uintptr_t dynamic) = 0;
  /// The blocks of a cluster begin, whose shared memory begins at `memories`. Threads of a cluster
  /// are numbered through.
  /// \param turn in a cooperative launch, where clusters take turns: the number of this one, which
  /// begins or goes on
  virtual void begin_cluster(const dim3& first_block, const dim3& shape,
                             const std::vector<std::uintptr_t>& memories,
                             std::optional<std::uint64_t> turn) = 0;
  /// All threads of a cluster have arrived at its barrier.
  /// \param all_wait whether that orders all that they did before all that they do next
  virtual void cluster_arrived(bool all_wait) = 0;
  virtual void end_block_of_cluster(unsigned rank) = 0;
  /// All threads of a cooperative launch have waited for each other.
  virtual void grid_synchronised() = 0;
  /// All live threads of a block have come to a barrier: of that which begins with this thread.
  virtual void block_synchronised(unsigned first_thread) = 0;
  /// Lanes of a warp have waited for each other at __syncwarp(); `all`: all that the warp has.
  virtual void warp_synchronised(unsigned warp, std::uint32_t lanes, bool all) = 0;
  /// A thread has seen a phase complete: of the mbarrier at `place`, or of a numbered barrier.
  virtual void phase_seen(unsigned thread, std::uint64_t place, std::uint64_t phase,
                          std::uint64_t pc) = 0;
  /// What a copy writes to shared memory is there, as a phase of the barrier at `place` ends.
  virtual void copy_arrived(std::uint64_t shared, std::size_t bytes, unsigned barrier_number,
                            std::uint64_t place, std::uint64_t phase) = 0;

  // What went wrong, of what the engine sees itself.

  /// The block has ended, and nobody has waited for a bulk copy that `thread` started, or for its
  /// asynchronous store.
  virtual void unawaited_copy(std::uint64_t pc, unsigned thread, bool is_store) = 0;
  virtual void products_left(const GroupProblem& problem) = 0;
  /// Threads of the block wait at two barriers.
  virtual void two_barriers(std::uint64_t pc, unsigned thread, std::uint64_t other_pc,
                            unsigned other) = 0;
  /// `thread` waits at a barrier that `passed` went past.
  virtual void passed_barrier(std::uint64_t pc, unsigned thread, unsigned passed) = 0;
  /// A thread uses a pointer that is not aligned as its type is.
  virtual void misaligned_pointer(std::uint64_t address, unsigned alignment, std::string type,
                                  std::uint64_t pc, bool is_shared, unsigned thread) = 0;
  /// A shift by more bits than there are, or by less than none.
  virtual void wide_shift(const std::string& amount, unsigned bits, std::uint64_t pc,
                          unsigned thread) = 0;
  /// The mask of a warp operation is wrong. Without a `remedy` it is the usual one.
  virtual void wrong_mask(std::string what, std::uint64_t pc, unsigned thread,
                          std::string remedy) = 0;
  /// What else `thread`, a number in the block, does wrong: kernel, block, thread and place are
  /// filled in.
  virtual void found(Finding finding, std::uint64_t pc, unsigned thread) = 0;
  /// The launch fails for how a barrier is used: what threads have read too early is told first.
  virtual void barrier_failed() = 0;
  /// How many findings there have been.
  virtual std::uint64_t findings() const = 0;

 protected:
  bool wants_details_ = false;
};

/// The observer of a launch that begins; null if nobody wants to know of it.
std::unique_ptr<LaunchObserver> observer_of(const ObservedLaunch& launch);

}  // namespace emulator::events
