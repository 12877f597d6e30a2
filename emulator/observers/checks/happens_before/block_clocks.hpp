#pragma once
/// \file
/// Which thread knows what of which in a block whose threads meet at barriers that not all of them
/// wait at: mbarriers, and the numbered barriers.
///
/// Each thread has a row: of every other thread the last segment that comes before all that it does
/// now. Arriving leaves the row at the barrier; a thread that sees the phase complete adds what is
/// there to its own. Copies that end with a phase are threads of their own, one a barrier. It also
/// remembers which thread has executed a fence towards the asynchronous proxy, and after what.

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "base/rooms.hpp"
#include "observers/checks/happens_before/fenced_work.hpp"

namespace emulator::checks {

class BlockClocks {
 public:
  using Row = std::vector<std::uint32_t>;

  /// Threads that stand for copies: barriers share one if a block has more.
  static constexpr unsigned copiers = 64;

  explicit BlockClocks(unsigned threads);

  unsigned copier_of(unsigned barrier_number) const { return threads_ + barrier_number % copiers; }
  const Row& row_of(unsigned thread) const { return rows_[thread]; }

  /// Whether what `other` did up to a segment comes before what `thread` does now.
  bool knows(unsigned thread, unsigned other, std::uint32_t segment) const {
    return segment <= rows_[thread][other];
  }
  void learn(unsigned thread, unsigned other, std::uint32_t segment);

  /// A barrier is new.
  void forget(std::uint64_t place) { places_.erase(place); }
  /// `thread` arrives, with all it did up to segment `own`. Of the phase only the last bits count.
  /// \param fenced what fences cover that come before
  void arrive(std::uint64_t place, std::uint64_t phase, unsigned thread, std::uint32_t own,
              const FencedWork& fenced);
  /// A copy has ended.
  void end_copy(std::uint64_t place, std::uint64_t phase, unsigned copier, std::uint32_t segment);
  /// `thread` has seen that the phase is complete.
  /// \return what fences cover that come before
  FencedWork see(std::uint64_t place, std::uint64_t phase, unsigned thread);
  /// Lanes of the warp that begins with `first` have waited for each other, at the end of segment
  /// `now`.
  void meet(unsigned first, std::uint32_t lanes, std::uint32_t now);
  /// The same of `count` threads from that one on, all that a block of a cluster has.
  void meet_all(unsigned first, unsigned count, std::uint32_t now);

  /// What a thread's last fence towards the asynchronous proxy covers.
  struct ProxyFence {
    std::uint32_t own = 0;       ///< the thread's segments up to this
    std::uint32_t barriers = 0;  ///< the same for its initialisations of mbarriers
    std::uint32_t block = 0;     ///< all segments of the block before this
    Row row{};                   ///< of each thread the segments up to this
  };
  void fence(unsigned thread, std::uint32_t own, std::uint32_t block);
  void fence_barriers(unsigned thread, std::uint32_t own) { fences_[thread].barriers = own; }
  /// Whether a fence is between what `thread` did in `segment` and a copy that `starter` starts.
  bool is_fenced(unsigned thread, std::uint32_t segment, unsigned starter, bool is_barrier) const;

 private:
  struct Place {
    Row rows[2]{};                       // of the running phase and of the one before
    FencedWork fenced[2]{};              // the same
    std::uint64_t phases[2] = {99, 99};  // which these are: their last bits
  };
  Place& place_in(std::uint64_t place, std::uint64_t phase);

  unsigned threads_;
  std::vector<Row> rows_;
  std::vector<ProxyFence> fences_;
  std::map<std::uint64_t, Place> places_;
};

}  // namespace emulator::checks
