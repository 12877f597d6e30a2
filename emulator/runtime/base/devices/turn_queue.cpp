#include "base/devices/turn_queue.hpp"

#include <algorithm>

namespace emulator::base {

TurnQueue& TurnQueue::get() {
  static auto& queue = *new TurnQueue;
  return queue;
}

bool TurnQueue::is_next(Number number) const {
  if (is_taken_) return false;
  const bool may = may_poll();
  const auto next =
      std::ranges::find_if(waiting_, [&](Number one) { return may || !polling_.contains(one); });
  return next != waiting_.end() && *next == number;
}

void TurnQueue::something_happens() {
  in_vain_ = 0;
  happened_ = std::chrono::steady_clock::now();
}

TurnQueue::Number TurnQueue::take_number() {
  const std::lock_guard lock(mutex_);
  waiting_.insert(++last_);
  return last_;
}

void TurnQueue::begin(Number number) {
  if (number == 0) number = take_number();
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return is_next(number); });
  waiting_.erase(number);
  is_taken_ = true;
}

void TurnQueue::end() {
  const std::lock_guard lock(mutex_);
  is_taken_ = false;
  happened_ = std::chrono::steady_clock::now();
  changed_.notify_all();
}

void TurnQueue::begins(Aside& launch) {
  launch.number = take_number();
  const std::lock_guard lock(mutex_);
  something_happens();
}

// It may have ended without having had its turn.
void TurnQueue::ended(Aside& launch) {
  const std::lock_guard lock(mutex_);
  waiting_.erase(launch.number);
  launch.has_ended = true;
  something_happens();
  changed_.notify_all();
}

void TurnQueue::wait_for(const Aside& launch) {
  std::unique_lock lock(mutex_);
  changed_.wait(
      lock, [&] { return launch.has_ended || (launch.has_given_way && !is_taken_ && is_quiet()); });
}

void TurnQueue::wait_until_quiet() {
  std::unique_lock lock(mutex_);
  something_happens();
  changed_.notify_all();
  changed_.wait(lock, [&] { return !is_taken_ && is_quiet(); });
}

// What the host does without a call may be what it waits for, so that now and then it looks anyway.
void TurnQueue::give_way(Aside& launch, bool got_on) {
  constexpr auto long_time = std::chrono::milliseconds(50);
  std::unique_lock lock(mutex_);
  const Number number = ++last_;
  waiting_.insert(number);
  polling_.insert(number);
  launch.has_given_way = true;
  if (got_on) something_happens();
  ++in_vain_;
  is_taken_ = false;
  changed_.notify_all();
  while (!changed_.wait_for(lock, long_time, [&] { return is_next(number); })) {
    if (!is_closed_ && is_quiet()) in_vain_ = 0;
    changed_.notify_all();
  }
  waiting_.erase(number);
  polling_.erase(number);
  is_taken_ = true;
}

std::chrono::duration<double> TurnQueue::quiet_for() {
  const std::lock_guard lock(mutex_);
  if (visitors_ == 0) return {};
  return std::chrono::steady_clock::now() - happened_;
}

TurnQueue::Visit::Visit() {
  TurnQueue& queue = get();
  const std::lock_guard lock(queue.mutex_);
  if (queue.visitors_++ == 0) queue.something_happens();
  queue.changed_.notify_all();
}

TurnQueue::Visit::~Visit() {
  TurnQueue& queue = get();
  const std::lock_guard lock(queue.mutex_);
  --queue.visitors_;
}

void TurnQueue::close() {
  const std::lock_guard lock(mutex_);
  is_closed_ = true;
}

}  // namespace emulator::base
