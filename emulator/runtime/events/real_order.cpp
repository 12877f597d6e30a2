#include "events/real_order.hpp"

#include <algorithm>
#include <bit>

#include "observers/checks/checker.hpp"

namespace emulator::detail {

void RealOrder::note(unsigned lane, std::uint64_t address, std::uint64_t what) {
  const bool writes = writes_memory(Access::kind_of(what));
  if (writes && (Access::flags_of(what) & access_flags::is_ordered) != 0) has_fences_ = true;
  executed_[lane].push({address, ++time_, writes});
}

void RealOrder::check(const Request& request, Checker& checker) {
  const bool strong = is_strong(request.what);
  if (held_lanes_ != 0 || (strong && has_fences_)) {
    check_in_turn(request, checker);
    return;
  }
  if (strong) {
    for (unsigned i = 0; i < request.active; ++i) executed_[request.lane[i]].pop();
  }
  checker.check(request);
}

// Whether nothing that has to come before the lane's next strong access is still to be checked.
bool RealOrder::has_turn(unsigned lane) const {
  const Executed& next = executed_[lane].front();
  for (unsigned other = 0; other < warp_size; ++other) {
    if (other == lane) continue;
    for (const Executed& earlier : executed_[other]) {
      if (earlier.time > next.time) break;
      if (earlier.address == next.address && (earlier.writes || next.writes)) return false;
    }
  }
  return true;
}

void RealOrder::check_in_turn(const Request& request, Checker& checker) {
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
  checker.check(now);
  if (!strong) return;

  // That may have been what others were held back for, and theirs what yet others are.
  bool more = held_lanes_ != 0;
  while (more) {
    more = false;
    for (std::uint32_t rest = held_lanes_; rest != 0; rest &= rest - 1) {
      more |= check_held(static_cast<unsigned>(std::countr_zero(rest)), checker);
    }
  }
}

void RealOrder::hold(unsigned lane, const Request& request, unsigned i) {
  held_lanes_ |= 1U << lane;
  held_[lane].push({request.pc, request.what, request.address[i], request.stored[i]});
}

// Checks what a lane was held back with, as far as it has its turn; whether that was anything.
bool RealOrder::check_held(unsigned lane, Checker& checker) {
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
    checker.check(request);
    any = true;
  }
  held_lanes_ &= ~(1U << lane);
  return any;
}

}  // namespace emulator::detail
