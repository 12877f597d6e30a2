#include "events/execution_order.hpp"

namespace emulator::events {

void ExecutionOrder::note(unsigned lane, std::uint64_t address, std::uint64_t what) {
  const bool writes = writes_memory(Access::kind_of(what));
  if (writes && (Access::flags_of(what) & access_flags::is_ordered) != 0) has_fences_ = true;
  executed_[lane].push({address, ++time_, writes});
}

// Whether nothing that has to come before the lane's next strong access is still to be checked.
bool ExecutionOrder::has_turn(unsigned lane) const {
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

void ExecutionOrder::hold(unsigned lane, const Request& request, unsigned i) {
  held_lanes_ |= 1U << lane;
  held_[lane].push({request.pc, request.what, request.address[i], request.stored[i]});
}

}  // namespace emulator::events
