#pragma once
/// \file
/// Who handed what on to whom through atomics and volatile variables: a *release*, a fence and then
/// a write to some place, and an *acquire*, a later read of the same place.
///
/// A fence covers what its thread did before, and what any thread of its block did before the last
/// barrier. Whoever then reads the place is after all that, and so is its block from the next
/// barrier on. (PTX ISA, "Memory Consistency Model": release and acquire patterns, causality
/// order.)

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace emulator::detail {

/// A stretch of a warp's work without any synchronisation.
struct Segment {
  std::uint32_t warp = 0;
  std::uint32_t time = 0;  ///< of the warp's own clock
};

/// What a thread's fences cover.
struct Fence {
  std::uint32_t own = 0;    ///< the thread's segments up to this
  std::uint32_t block = 0;  ///< all segments of the block before this
};

/// One launch's releases and acquires. Segments are numbered through the launch; a block is known
/// by the number of its first.
class SyncLog {
 public:
  void clear();

  /// A thread that has executed a fence writes `place`.
  void release(std::uint64_t place, std::uint32_t block, std::uint32_t thread, const Fence& fence);

  /// A thread of the running block, in that segment, reads `place`.
  void acquire(std::uint64_t place, std::uint32_t thread, std::uint32_t segment);

  /// Whether an acquire by the running block makes what `thread` of `block` did in `segment` come
  /// before what `reader` does after all segments before `barrier` are past.
  bool ordered(std::uint32_t block, std::uint32_t thread, std::uint32_t segment,
               std::uint32_t reader, std::uint32_t barrier) const;

  /// Another block runs from now on.
  void next_block() { acquires_.clear(); }
  bool has_releases() const { return !releases_.empty(); }

 private:
  struct Release {
    std::uint32_t block;
    std::uint32_t thread;
    Fence fence;
  };
  struct Acquire {
    const std::vector<Release>* releases;
    std::size_t count;  // those that were there
    std::uint32_t thread;
    std::uint32_t segment;
  };
  std::unordered_map<std::uint64_t, std::vector<Release>> releases_;  // by place
  std::vector<Acquire> acquires_;                                     // of the running block
};

}  // namespace emulator::detail
