#include "engine/launches/cooperative_grid.hpp"

#include <algorithm>

namespace emulator::engine {

CooperativeGrid::CooperativeGrid(std::uint64_t parties, LaunchObserver* observer)
    : wakes_(static_cast<std::size_t>(parties)),
      states_(static_cast<std::size_t>(parties), State::running),
      in_turn_(observer != nullptr),
      observer_(observer) {}

bool CooperativeGrid::begin(std::uint64_t party) {
  std::unique_lock lock(mutex_);
  wakes_[party].wait(lock, [&] { return failed_ || may_go(party); });
  return !failed_;
}

CooperativeGrid::BarrierOutcome CooperativeGrid::meet(std::uint64_t party) {
  std::unique_lock lock(mutex_);
  const std::uint64_t round = round_;
  states_[party] = State::waiting;
  ++waiting_;
  go_on_after(party);
  wakes_[party].wait(lock, [&] { return failed_ || (round_ != round && may_go(party)); });
  if (failed_) return BarrierOutcome::failed;
  return incomplete_ ? BarrierOutcome::incomplete : BarrierOutcome::met;
}

CooperativeGrid::Turn CooperativeGrid::let_others(std::uint64_t party) {
  constexpr std::uint64_t many = 100;  // turns of each
  std::unique_lock lock(mutex_);
  has_polled_ = true;
  if (++polls_in_vain_ > many * states_.size()) return Turn::in_vain;
  give_turn_from(party + 1);
  wakes_[party].wait(lock, [&] { return failed_ || turn_ == party; });
  return failed_ ? Turn::failed : Turn::others_ran;
}

void CooperativeGrid::end(std::uint64_t party) {
  const std::lock_guard lock(mutex_);
  states_[party] = State::ended;
  ++ended_;
  go_on_after(party);
}

void CooperativeGrid::fail() {
  const std::lock_guard lock(mutex_);
  failed_ = true;
  for (std::condition_variable& wake : wakes_) wake.notify_all();
}

// A party waits or has ended. If it was the last one that ran, those that wait have met; if parties
// take turns, another has its turn.
void CooperativeGrid::go_on_after(std::uint64_t party) {
  std::uint64_t next = party + 1;
  if (waiting_ > 0 && waiting_ + ended_ == states_.size()) {
    incomplete_ = ended_ > 0;
    waiting_ = 0;
    ++round_;
    std::replace(states_.begin(), states_.end(), State::waiting, State::running);
    if (observer_ != nullptr && observer_->details() != nullptr) {
      observer_->details()->sync.grid_synchronised();
    }
    next = 0;
    if (!in_turn_) {
      for (std::condition_variable& wake : wakes_) wake.notify_all();
    }
  }
  polls_in_vain_ = 0;
  if (in_turn_) give_turn_from(next);
}

// To the next that runs; after the last one come those before `party`, which have polled.
void CooperativeGrid::give_turn_from(std::uint64_t party) {
  const auto from = states_.begin() + static_cast<std::ptrdiff_t>(party);
  auto next = std::find(from, states_.end(), State::running);
  if (next == states_.end()) next = std::find(states_.begin(), from, State::running);
  if (next == states_.end() || *next != State::running) return;
  turn_ = static_cast<std::uint64_t>(next - states_.begin());
  wakes_[turn_].notify_all();
}

}  // namespace emulator::engine
