#pragma once
/// \file
/// What orders two accesses by threads of a launch: a barrier of the block, a __syncwarp() that
/// both lanes take part in, the end of the launch, or a fence and an atomic (sync_log.hpp).
///
/// Threads run one after another here, so that a race does no harm to the values; it is found by
/// what is missing between two accesses, not by their order.

#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "base/rooms.hpp"
#include "events/access.hpp"
#include "observers/checks/happens_before/block_clocks.hpp"
#include "observers/checks/happens_before/draws.hpp"
#include "observers/checks/happens_before/segments.hpp"
#include "observers/checks/happens_before/sync_log.hpp"
#include "observers/checks/happens_before/warp_clocks.hpp"
#include "observers/checks/kernels/running_block.hpp"
#include "observers/checks/shadow.hpp"

namespace emulator::checks {

/// The order of the accesses of a launch's threads. It knows nothing of memory.
class HappensBefore {
 public:
  explicit HappensBefore(const RunningBlock& running) : running_(running) {}

  void begin_launch();
  void end_launch() { segments_.end_launch(); }
  /// \param threads of the block or its cluster, a multiple of warp_size
  void begin_block(unsigned threads);
  void grid_synchronised() { segments_.grid_synchronised(); }
  /// The running block lets others have their turns, and goes on later. What its threads did before
  /// counts as before all that they do then: a race between the two is not found.
  void leaves_turn(std::uint64_t number);
  void begins_turn(std::uint64_t number);
  void gives_way() { segments_.gives_way(); }
  void goes_on() { segments_.goes_on(); }
  /// Threads that are all that the running block has, or one of the cluster's.
  void block_synchronised(unsigned first_thread);
  void warp_synchronised(unsigned warp, std::uint32_t lanes, bool all);
  /// `thread` arrives at the barrier at `place`, with all that it has done.
  void arrive(std::uint64_t place, std::uint64_t phase, unsigned thread);
  /// It has seen that the phase is complete.
  void see_phase(std::uint64_t place, std::uint64_t phase, unsigned thread);

  /// \param goes_on whether its threads have met before, at a barrier of the grid
  void begin_cluster(bool goes_on) { cluster_phase_ = goes_on ? 1 : 0; }
  /// All threads of a cluster have arrived at its barrier.
  /// \param all_wait whether that orders all that they did before all that they do next
  void cluster_arrived(bool all_wait);
  /// How often they have.
  std::uint64_t cluster_phase() const { return cluster_phase_; }

  /// The segment of what the running warp does now.
  std::uint32_t current_segment() { return segments_.current(running_.warp()); }
  /// What the running warp does from now on is in another one.
  void end_segment() { segments_.end(running_.warp()); }
  const Segments& segments() const { return segments_; }
  /// The warp that an access of this block is of.
  unsigned warp_of(const Slot& slot) const;

  /// Lanes of the running warp execute a fence.
  void note_fence(const Request& request);
  /// They do what others may wait for: a volatile access or an atomic.
  void note_strong(const Request& request);
  /// A copy ends with a phase of the barrier at `place`: what it does as the thread that stands for
  /// it. Only segment and lane are set.
  Slot end_copy(std::uint64_t place, std::uint64_t phase, unsigned barrier_number);

  /// Whether `earlier` comes before what that lane of the running warp does now.
  /// \param except a place whose releases and acquires do not count
  bool ordered(const Slot& earlier, const Slot& now,
               std::optional<std::uint64_t> except = {}) const;
  /// Whether two accesses may meet, although nothing orders them.
  bool allowed_together(const Slot& earlier, const Slot& now, bool is_shared) const;
  /// What the running block has read that another block's thread has stored for others to read, in
  /// a volatile variable or by an atomic store: nothing, a flag, or one raised after a fence.
  enum class Heard : std::uint8_t { nothing, flag, flag_after_fence };
  /// What the running block has heard from that of an earlier access.
  Heard heard_from(const Slot& earlier) const;
  /// Whether it has heard a flag that was raised after that access.
  bool has_heard_since(const Slot& earlier) const;
  /// Where it has heard of that block, if it has not changed anything by an atomic before: a block
  /// that has drawn a number that way may wait for those with smaller ones. 0: it need not.
  std::uint64_t heard_without_draw(const Slot& earlier) const;
  /// Whether the running block may know that the earlier access's turn was before its own: it has
  /// drawn a number, and not from the word at `place`, or it is the same block, or all blocks run
  /// beside each other.
  bool may_have_turn(const Slot& earlier, std::uint64_t place) const {
    return draws_.any_but(place) || segments_.is_of_block(earlier) || running_.runs_beside_all();
  }

  bool is_same_thread(const Slot& earlier, const Slot& now) const {
    // What an asynchronous copy may still be doing is nobody's own.
    if (earlier.lane != now.lane || earlier.is_unfinished()) return false;
    if (earlier.segment == now.segment) return true;
    return segments_.is_of_block(earlier) && segments_.warp_of(earlier) == running_.warp();
  }

  /// What threads learn at barriers that not all of them wait at. Made when a block first needs
  /// them.
  BlockClocks& clocks();
  /// The same; null for a block that has none.
  const BlockClocks* clocks_if_any() const { return clocks_.get(); }

 private:
  void all_synchronised();
  std::uint32_t fenced_by(unsigned thread) const;
  // Threads have met: `count` from that one on, or those lanes of a warp.
  void share_fences(unsigned first, std::size_t count, std::uint32_t lanes = ~0U);
  Fence fence_now(unsigned lane) const;

  const RunningBlock& running_;
  Segments segments_;
  WarpClocks warps_;
  std::unique_ptr<BlockClocks> clocks_;
  std::uint64_t cluster_phase_ = 0;
  std::vector<Fence> fences_;  // of each thread of the block; none yet: 0
  bool has_fences_ = false;    // whether there is any
  SyncLog log_;
  struct Flag {
    std::uint32_t block;
    std::uint32_t segment;  // in which it was raised
    Heard heard;            // by whoever reads it
  };
  void note_flags(const Request& request, std::uint32_t segment);
  std::unordered_map<std::uint64_t, Flag> flags_;  // by address
  struct Hearing {
    Heard heard = Heard::nothing;
    std::uint32_t segment = 0;  // the last in which that block raised a flag
    std::uint64_t pc = 0;       // where
  };
  std::unordered_map<std::uint32_t, Hearing> heard_from_;  // by block: in what the running one read
  Draws draws_;                                            // of the running block
  // Of blocks that have left their turn: whether each thread has executed a fence.
  std::unordered_map<std::uint64_t, std::vector<bool>> left_;
  std::unordered_map<std::uint32_t, std::vector<Segment>> released_;  // of blocks that released
  bool block_released_ = false;
};

}  // namespace emulator::checks
