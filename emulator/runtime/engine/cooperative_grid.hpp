#pragma once
/// \file
/// Cooperative launches: all blocks of the grid are alive at once, each on a host thread of its
/// own, which brings shared memory of its own. While accesses are recorded the blocks take turns,
/// in the order of their numbers, from one barrier of the grid to the next: what is recorded is the
/// same each time.

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <vector>

namespace emulator::detail {

class Checker;
class LaunchCounters;

/// Where the blocks of a cooperative launch meet.
class CooperativeGrid {
 public:
  /// \param in_turn whether blocks run one at a time
  /// \param checker shared by all blocks; null while the checks are off
  /// \param counters shared by all blocks
  CooperativeGrid(std::uint64_t blocks, bool in_turn, Checker* checker, LaunchCounters& counters);

  /// Waits until the block may start; false if the launch has failed in the meantime.
  bool begin(std::uint64_t block);

  enum class Meeting : std::uint8_t {
    met,         ///< all blocks have come
    incomplete,  ///< all have come but those that have ended
    failed       ///< the launch has failed
  };
  /// The threads of a block wait for those of all others.
  Meeting meet(std::uint64_t block);

  /// The block has ended.
  void end(std::uint64_t block);

  /// The launch has failed: nobody waits any more.
  void fail();

  Checker* checker() const { return checker_; }
  LaunchCounters& counters() const { return *counters_; }

 private:
  enum class State : std::uint8_t { running, waiting, ended };

  bool may_go(std::uint64_t block) const { return !in_turn_ || turn_ == block; }
  void go_on_after(std::uint64_t block);

  std::mutex mutex_;
  std::vector<std::condition_variable> wakes_;  // one a block: to wake all takes long
  std::vector<State> states_;
  const bool in_turn_;
  std::uint64_t turn_ = 0;
  std::uint64_t waiting_ = 0;
  std::uint64_t ended_ = 0;
  std::uint64_t round_ = 0;  // how often they have met
  bool incomplete_ = false;
  bool failed_ = false;
  Checker* checker_;
  LaunchCounters* counters_;
};

}  // namespace emulator::detail
