#include "engine/launches/launch_turn.hpp"

#include <chrono>

#include "base/watchdog.hpp"

namespace emulator::engine {

void LaunchTurn::enter() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return !is_away_; });
  ++running_;
}

void LaunchTurn::leave() {
  const std::lock_guard lock(mutex_);
  --running_;
  changed_.notify_all();
}

void LaunchTurn::let_others() {
  view_.give_way(got_on_.exchange(false));
}

// Where another block computes, what is polled for may be its work: so this one looks again soon.
void LaunchTurn::give_way() {
  if (one_runs_) return let_others();
  constexpr auto soon = std::chrono::milliseconds(2);
  std::unique_lock lock(mutex_);
  const std::uint64_t way = ways_;
  ++polling_;
  const bool is_last = changed_.wait_for(
      lock, soon, [&] { return ways_ != way || (polling_ == running_ && !is_away_); });
  if (ways_ != way) return;
  if (is_away_) return changed_.wait(lock, [&] { return ways_ != way; });
  if (!is_last) {
    --polling_;
    return;
  }
  is_away_ = true;
  lock.unlock();
  let_others();
  lock.lock();
  is_away_ = false;
  polling_ = 0;
  ++ways_;
  changed_.notify_all();
}

bool LaunchTurn::waits_in_vain() const {
  const double patience = base::watchdog_delay();
  return one_runs_ && patience > 0 && TurnQueue::get().quiet_for().count() > patience;
}

}  // namespace emulator::engine
