#pragma once
/// \file
/// What a launch announces beside accesses, to an observer of details: which blocks begin, what
/// orders their threads, and what the engine itself sees go wrong.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/rooms.hpp"
#include "emulator/device/vector_types.h"
#include "emulator/findings.h"
#include "emulator/host/host_types.h"
#include "events/async_events.hpp"

namespace emulator::events {

/// Blocks that begin, and what orders the accesses of their threads.
class SyncObserver {
 public:
  SyncObserver() = default;
  virtual ~SyncObserver() = default;
  SyncObserver(const SyncObserver&) = delete;
  SyncObserver& operator=(const SyncObserver&) = delete;

  virtual void begin_block(const dim3& block) = 0;
  /// The same where blocks take turns, in a cooperative launch: block number `number`, whose shared
  /// memory is at `shared` and `dynamic`, begins or goes on.
  virtual void begin_turn(const dim3& block, std::uint64_t number, std::uintptr_t shared,
                          std::uintptr_t dynamic) = 0;
  /// That block polls what another may change, and lets others have their turns.
  virtual void leaves_turn() = 0;
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
  /// Other launches have their turns now, and have had them.
  virtual void gives_way() = 0;
  virtual void goes_on() = 0;
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
};

/// What goes wrong, of what the engine sees itself.
class FaultObserver {
 public:
  FaultObserver() = default;
  virtual ~FaultObserver() = default;
  FaultObserver(const FaultObserver&) = delete;
  FaultObserver& operator=(const FaultObserver&) = delete;

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
  /// Lanes of one mask exchange values at two places of the code.
  virtual void two_warp_operations(std::uint64_t pc, unsigned thread, std::uint64_t other_pc,
                                   unsigned other) = 0;
  /// The mask of a warp operation is wrong. Without a `remedy` it is the usual one.
  virtual void wrong_mask(std::string what, std::uint64_t pc, unsigned thread,
                          std::string remedy) = 0;
  /// What else `thread`, a number in the block, does wrong: kernel, block, thread and place are
  /// filled in.
  virtual void found(Finding finding, std::uint64_t pc, unsigned thread) = 0;
  /// The launch fails for how a barrier is used: what threads have read too early is reported
  /// first.
  virtual void barrier_failed() = 0;
  /// How many findings there have been.
  virtual std::uint64_t findings() const = 0;
};

/// The observers of a launch.
struct LaunchDetails {
  SyncObserver& sync;
  FaultObserver& faults;
};

}  // namespace emulator::events
