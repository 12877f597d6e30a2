#pragma once
/// \file
/// Cooperative launches: all blocks of the grid are alive at once, each on a host thread of its
/// own, which brings shared memory of its own. While accesses are recorded the blocks take turns,
/// in the order of their numbers, from one barrier of the grid to the next, or until all that a
/// block does is polling: what is recorded is the same each time. Where blocks form clusters, whole
/// clusters take turns.

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <vector>

#include "base/rooms.hpp"
#include "events/launch_observer.hpp"

namespace emulator::engine {

/// Where the parties of a cooperative launch meet: its blocks or, if they form any, its clusters.
class CooperativeGrid {
 public:
  /// \param in_turn whether parties run one at a time
  /// \param observer of the launch; null if it has none
  CooperativeGrid(std::uint64_t parties, LaunchObserver* observer);

  /// Waits until the party may start; false if the launch has failed in the meantime.
  bool begin(std::uint64_t party);

  enum class BarrierOutcome : std::uint8_t {
    met,         ///< all parties have come
    incomplete,  ///< all have come but those that have ended
    failed       ///< the launch has failed
  };
  /// The threads of a party wait for those of all others.
  BarrierOutcome meet(std::uint64_t party);

  enum class Turn : std::uint8_t {
    others_ran,  ///< each other party that runs has had a turn
    in_vain,     ///< for so long that none of them will change anything
    failed       ///< the launch has failed
  };
  /// The party, whose turn it is, polls.
  Turn let_others(std::uint64_t party);
  /// It does something else.
  void gets_on() { polls_in_vain_ = 0; }
  /// Whether a party has polled.
  bool has_polled() const { return has_polled_.load(std::memory_order_relaxed); }

  /// The party has ended.
  void end(std::uint64_t party);

  /// The launch has failed: nobody waits any more.
  void fail();

 private:
  enum class State : std::uint8_t { running, waiting, ended };

  bool may_go(std::uint64_t party) const { return !in_turn_ || turn_ == party; }
  void go_on_after(std::uint64_t party);
  void give_turn_from(std::uint64_t party);

  std::mutex mutex_;
  std::vector<std::condition_variable> wakes_;  // one a party: to wake all takes long
  std::vector<State> states_;
  const bool in_turn_;
  std::uint64_t turn_ = 0;
  std::uint64_t polls_in_vain_ = 0;  // turns one after the other
  std::atomic<bool> has_polled_ = false;
  std::uint64_t waiting_ = 0;
  std::uint64_t ended_ = 0;
  std::uint64_t round_ = 0;  // how often they have met
  bool incomplete_ = false;
  bool failed_ = false;
  LaunchObserver* observer_;
};

}  // namespace emulator::engine
