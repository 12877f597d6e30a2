#pragma once
/// \file
/// Which thread handed what on to which through atomics and volatile variables: a *release*, a
/// fence and then a write to some place, and an *acquire*, a later read of the same place.
///
/// A fence covers what its thread did before, what other threads of its block did before they met
/// at a barrier or at __syncwarp(), and what was handed on to any of these. A thread that then
/// reads the place is after all that, and so are the threads it meets from then on. (PTX ISA,
/// "Memory Consistency Model": release and acquire patterns, causality order.)

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "base/rooms.hpp"
#include "observers/checks/happens_before/fenced_work.hpp"

namespace emulator::checks {

/// A stretch of a warp's work without any synchronisation.
struct Segment {
  std::uint32_t warp = 0;
  std::uint32_t time = 0;  ///< of the warp's own clock
};

/// What a lane knows of the lanes of its warp: all that lane i did before time [i].
using LaneTimes = std::array<std::uint32_t, 32>;

/// What a thread's fences cover.
struct Fence {
  std::uint32_t own = 0;                   ///< the thread's segments up to this
  std::uint32_t block = 0;                 ///< all segments of the block before this
  std::uint32_t warp_time = 0;             ///< what its warp did before this time
  std::uint32_t acquired = 0;              ///< as many of the block's acquires may be covered
  bool only_block = false;                 ///< __threadfence_block(): nothing to other blocks
  std::shared_ptr<const LaneTimes> lanes;  ///< instead of warp_time, if it differs by lane
  /// Of each thread the segments up to this, where threads meet at mbarriers.
  std::shared_ptr<const std::vector<std::uint32_t>> row;
  FencedWork others;  ///< what fences of threads cover that it has met since

  /// Whether the thread has executed one, or has met a thread that had.
  bool covers_anything() const { return own != 0 || !others.empty(); }

  /// Before what time a lane's work is covered because the warp has met.
  std::uint32_t time_of(unsigned lane) const {
    return lanes != nullptr ? (*lanes)[lane] : warp_time;
  }
};

/// What a thread did, or how far it sees.
struct Event {
  std::uint32_t block = 0;  ///< number of the block's first segment
  std::uint32_t thread = 0;
  std::uint32_t segment = 0;
  std::uint32_t time = 0;  ///< of the warp's clock
};

/// One launch's releases and acquires. Segments are numbered through the launch; a block is known
/// by the number of its first.
class SyncLog {
 public:
  void clear();

  /// A thread that has executed a fence writes `place`.
  void release(std::uint64_t place, std::uint32_t block, std::uint32_t thread, const Fence& fence);

  /// A thread of the running block reads `place`.
  void acquire(std::uint64_t place, const Event& reader);
  /// How many acquires the running block has made.
  std::uint32_t acquired() const { return static_cast<std::uint32_t>(acquires_.size()); }

  /// Whether what was handed on to `reader`, a thread of the running block, makes `earlier` come
  /// before what it does now.
  /// \param block the running block
  /// \param sight what the reader's own fence would cover now
  /// \param except a place by which nothing is handed on, if there is one
  bool ordered(const Event& earlier, std::uint32_t block, std::uint32_t reader, const Fence& sight,
               std::optional<std::uint64_t> except = {}) const;

  /// The running block has ended; its acquires are kept if it has released something.
  void end_block(std::uint32_t block, bool has_released);
  bool has_releases() const { return !releases_.empty(); }

 private:
  struct Release {
    std::uint32_t block;
    std::uint32_t thread;
    Fence fence;

    bool covers(const Event& earlier) const;
  };
  struct Acquire {
    const std::vector<Release>* releases;
    std::size_t count;  // those that were there
    Event reader;
  };
  const std::vector<Acquire>* acquires_of(std::uint32_t block) const;

  std::unordered_map<std::uint64_t, std::vector<Release>> releases_;  // by place
  std::vector<Acquire> acquires_;                                     // of the running block
  std::unordered_map<std::uint32_t, std::vector<Acquire>> earlier_;   // of blocks that released
};

}  // namespace emulator::checks
