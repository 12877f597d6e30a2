#pragma once
/// \file
/// What made an access, and how long ago: an access is remembered with the number of its segment.

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/rooms.hpp"
#include "events/access.hpp"
#include "observers/checks/happens_before/sync_log.hpp"
#include "observers/checks/shadow.hpp"

namespace emulator::checks {

/// The segments of a launch. A segment ends where its warp synchronises.
class Segments {
 public:
  void begin_launch();
  void end_launch() { next_of_all_launches_ = next_; }
  /// Other launches run from here to there. What they do is no matter of this one's.
  void gives_way() { next_of_all_launches_ = next_; }
  void goes_on();
  void begin_block(unsigned warps);
  /// The segments of the block that has ended.
  std::vector<Segment> take() { return std::move(of_block_); }
  /// All threads of the launch have waited for each other.
  void grid_synchronised() { launch_first_ = next_; }
  /// The same of all threads of the block, or of its cluster.
  void all_synchronised();
  /// What a warp does from now on is in another segment.
  void end(unsigned warp) { warps_[warp].segment = 0; }
  /// The same, and later by the warp's clock, whose time it returns.
  std::uint32_t advance(unsigned warp);

  /// The segment of what a warp does now.
  std::uint32_t current(unsigned warp) {
    Warp& now = warps_[warp];
    if (now.segment == 0) {
      now.segment = next_++;
      of_block_.push_back({warp, now.time});
    }
    return now.segment;
  }
  /// The segment of what a copier does now, a thread after all threads of the block.
  std::uint32_t current_of_copier(unsigned copier);

  std::uint32_t time_of(unsigned warp) const { return warps_[warp].time; }
  std::size_t warps() const { return warps_.size(); }  ///< of the running block
  std::uint32_t last() const { return next_ - 1; }     ///< so far, of all warps
  std::uint32_t block_first() const { return block_first_; }
  /// The first one after the block's last barrier.
  std::uint32_t barrier_first() const { return barrier_first_; }
  /// What is older than this segment cannot race with what the running block does.
  std::uint32_t past(bool is_shared) const { return is_shared ? barrier_first_ : launch_first_; }
  /// Whether nothing that the running block does can race with it: it was in an earlier launch, or
  /// before the block's last barrier, or in another block's shared memory.
  bool is_old(const Slot& slot, bool is_shared) const {
    if (!of_others_.empty() && is_of_others(slot)) return true;
    if (slot.segment >= block_first_) return slot.segment < barrier_first_;
    return is_shared || slot.segment < launch_first_;
  }

  /// Whether it was in this launch, and in a cooperative one after the grid's last barrier.
  bool is_of_launch(const Slot& slot) const { return slot.number() >= launch_first_; }

  /// Whether the running block has made an access. The following are only about those.
  bool is_of_block(const Slot& slot) const { return slot.segment >= block_first_; }
  /// All segments of the running block so far.
  const std::vector<Segment>& of_block() const { return of_block_; }
  const Segment& of(const Slot& slot) const { return of_block_[slot.number() - block_first_]; }
  unsigned warp_of(const Slot& slot) const { return of(slot).warp; }
  unsigned thread_of(const Slot& slot) const { return warp_of(slot) * warp_size + slot.lane; }
  /// Whether an asynchronous copy has made it, which has ended; of any access.
  bool is_copier(const Slot& slot) const {
    return !slot.is_unfinished() && is_of_block(slot) && warp_of(slot) >= warps_.size();
  }

  /// Which of the blocks that the launch has begun an access is of, from 0 on.
  std::size_t count_of_block(const Slot& slot) const;
  /// The first segment of that block.
  std::uint32_t first_of_block(const Slot& slot) const {
    return block_firsts_[count_of_block(slot)];
  }

 private:
  bool is_of_others(const Slot& slot) const;

  struct Warp {
    std::uint32_t segment = 0;  // the current one; 0: a new one is due
    std::uint32_t time = 0;
  };

  // Segments are numbered from 1 on through all launches: host threads take turns with them.
  static inline std::uint32_t next_of_all_launches_ = 1;
  std::uint32_t next_ = 1;
  std::uint32_t launch_first_ = 1;
  std::uint32_t block_first_ = 1;
  std::uint32_t barrier_first_ = 1;
  std::vector<Warp> warps_;
  std::vector<Segment> of_block_;
  std::vector<std::uint32_t> block_firsts_;  // of all blocks of this launch
  struct Span {
    std::uint32_t begin;
    std::uint32_t end;
  };
  std::vector<Span> of_others_;  // segments of launches that ran while this one had given way
  unsigned last_copier_ = 0;
  std::uint32_t last_copier_segment_ = 0;
};

}  // namespace emulator::checks
