#pragma once
/// \file
/// Threads that wait for a phase of a barrier: which go on, what is brought for them, and which
/// would wait forever.

#include "base/rooms.hpp"

namespace emulator::engine {

class ClusterSeat;
class LaunchFailure;
class RunningBlock;

/// Those of a block that runs. Everything is released when no warp can run, so that all that was
/// recorded has been merged; but a spinning thread is not waited for.
class PhaseWaits {
 public:
  void begin_block() {
    wait_ = false;
    passes_ = 0;
  }
  /// A thread waits for a phase.
  void note_waiter() { wait_ = true; }
  /// Whether that is allowed.
  bool has_waiters() const { return wait_; }
  /// All warps have had their turn, and one of them only spins.
  void end_pass(RunningBlock& block, const ClusterSeat& seat) {
    // A spinning thread may wait for one whose phase is complete. All the same what warps have done
    // should be merged before others see it, so that they have their time.
    constexpr unsigned enough = 20;
    if (wait_ && ++passes_ % enough == 0) release_complete(block, seat);
  }

  /// Lets those go on whose phase is complete; if there are none, brings the copies that somebody
  /// waits for; if there are none, lets those go on that only test.
  /// \return whether anybody goes on
  bool release(RunningBlock& block, const ClusterSeat& seat) {
    return wait_ && (release_complete(block, seat) || bring_awaited_copies(block, seat) ||
                     release_testers(block));
  }

  // The steps of that.
  static bool release_complete(RunningBlock& block, const ClusterSeat& seat);
  bool bring_awaited_copies(RunningBlock& block, const ClusterSeat& seat) const;
  bool release_testers(RunningBlock& block);

  /// The block has ended: what nobody has waited for is an error, as its memory is another's now.
  void end_block(RunningBlock& block, const ClusterSeat& seat);

 private:
  bool wait_ = false;  // whether a thread of the block has waited for one
  unsigned passes_ = 0;
};

/// If threads wait at mbarriers, or at numbered barriers, for what never comes, the launch fails. A
/// barrier that misses only a part says most; the others are reported beside it.
void report_endless_phases(const RunningBlock& block, LaunchFailure& failure);

}  // namespace emulator::engine
