#pragma once
/// \file
/// The parts of ExecutionOrder that are compiled with what is done with a request.

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "base/rooms.hpp"
#include "events/execution_order.hpp"

namespace emulator::events {

template <class Follow>
void ExecutionOrder::replay(const Request& request, Follow follow) {
  const bool strong = is_strong(request.what);
  if (held_lanes_ != 0 || (strong && has_fences_)) {
    replay_in_turn(request, follow);
    return;
  }
  if (strong) {
    for (unsigned i = 0; i < request.active; ++i) executed_[request.lane[i]].pop();
  }
  follow(request);
}

template <class Follow>
void ExecutionOrder::replay_in_turn(const Request& request, Follow follow) {
  const AccessKind kind = Access::kind_of(request.what);
  if (kind == AccessKind::code_block || kind == AccessKind::barrier) return;
  const bool strong = is_strong(request.what);
  Request now;
  now.pc = request.pc;
  now.what = request.what;

  // Those that go together go in the order in which they really went.
  std::array<std::uint8_t, warp_size> order;
  for (unsigned i = 0; i < request.active; ++i) order[i] = static_cast<std::uint8_t>(i);
  const auto time_of = [&](std::uint8_t i) { return executed_[request.lane[i]].front().time; };
  if (strong) {
    std::sort(order.begin(), order.begin() + request.active,
              [&](std::uint8_t a, std::uint8_t b) { return time_of(a) < time_of(b); });
  }
  for (unsigned n = 0; n < request.active; ++n) {
    const unsigned i = order[n];
    const unsigned lane = request.lane[i];
    if ((held_lanes_ >> lane & 1U) != 0 || (strong && !has_turn(lane))) {
      hold(lane, request, i);
      continue;
    }
    if (strong) executed_[lane].pop();
    now.address[now.active] = request.address[i];
    now.stored[now.active] = request.stored[i];
    now.lane[now.active++] = static_cast<std::uint8_t>(lane);
  }
  if (now.active == 0) return;
  follow(now);
  if (!strong) return;

  // That may have been what others were held back for, and theirs what yet others are.
  bool more = held_lanes_ != 0;
  while (more) {
    more = false;
    for (std::uint32_t rest = held_lanes_; rest != 0; rest &= rest - 1) {
      more |= replay_held(static_cast<unsigned>(std::countr_zero(rest)), follow);
    }
  }
}

// Replays what a lane was held back with, as far as it has its turn; whether that was anything.
template <class Follow>
bool ExecutionOrder::replay_held(unsigned lane, Follow follow) {
  Request request;
  request.active = 1;
  request.lane[0] = static_cast<std::uint8_t>(lane);
  bool any = false;
  while (!held_[lane].empty()) {
    const Held next = held_[lane].front();
    if (is_strong(next.what)) {
      if (!has_turn(lane)) return any;
      executed_[lane].pop();
    }
    held_[lane].pop();
    request.pc = next.pc;
    request.what = next.what;
    request.address[0] = next.address;
    request.stored[0] = next.stored;
    follow(request);
    any = true;
  }
  held_lanes_ &= ~(1U << lane);
  return any;
}

}  // namespace emulator::events
