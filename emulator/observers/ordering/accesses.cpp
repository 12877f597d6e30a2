/// \file
/// Accesses, held against what was done to the same memory before.

#include <algorithm>
#include <utility>

#include "base/arena.hpp"
#include "observers/checks/checker.hpp"
#include "observers/ordering/ordering.hpp"
#include "observers/ordering/own_memory.hpp"

namespace emulator::events {

constinit std::atomic<bool> order_checks_on{false};
constinit SharedRange registered_range;
constinit SharedRange variable_range;

}  // namespace emulator::events

namespace emulator::ordering {

namespace {

constexpr Histories::Set unseen = ~Histories::Set{0};

// Between two devices only what is for the whole system counts. The host's threads are not a
// device.
Wrong wrong_with(const Point& earlier, const Point& later) {
  const bool by_devices = earlier.ticket != 0 && later.ticket != 0;
  if (!by_devices || earlier.device == later.device) return Wrong::order;
  if (earlier.is_narrow || later.is_narrow) return Wrong::scope;
  return earlier.is_fenced && later.is_fenced ? Wrong::order : Wrong::fence;
}

}  // namespace

std::uint32_t Ordering::number_of(const CallStack& stack) {
  return stacks_.number_of({stack.pcs.begin(), std::ranges::find(stack.pcs, std::uint64_t{0})});
}

CallStack Ordering::stack_of(std::uint32_t number) const {
  CallStack stack;
  std::ranges::copy(stacks_[number], stack.pcs.begin());
  return stack;
}

std::uint32_t Ordering::point_of(Agent& agent, std::uint64_t pc, Strength strength) {
  // What it does from now on is not what it has announced. A stream goes on with its next piece.
  if (agent.ticket == 0 && std::exchange(agent.has_told, false)) {
    agent.clock.set(agent.actor, agent.clock.of(agent.actor) + 1);
    agent.points.clear();
    agent.last_key = 0;
  }
  const std::uint64_t key = pc << 4 | (strength.is_strong ? 3 : 1) |
                            (strength.is_narrow ? 4U : 0U) | (strength.is_fenced ? 0U : 8U);
  if (agent.last_key == key) return agent.last_point;
  const auto [entry, is_new] = agent.points.try_emplace(key, 0);
  if (is_new) {
    Place place{agent.work,  agent.name,   pc,           agent.stack,
                agent.actor, agent.issuer, agent.blocks, agent.device};
    if (agent.work == Work::host) {
      place.stack = number_of(call_stack());
      place.issuer = agent.actor;
    }
    Point point{agent.actor,
                agent.clock.of(agent.actor),
                0,
                strength.is_strong,
                agent.ticket,
                agent.device,
                strength.is_narrow,
                strength.is_fenced};
    point.place = places_.number_of(place);
    entry->second = histories_.add(point);
  }
  agent.last_key = key;
  return agent.last_point = entry->second;
}

void Ordering::touch(Cell& cell, std::uintptr_t address, unsigned bytes, Step& step) {
  if (cell.writes != step.met_writes) {
    meet(cell.writes, true, address, bytes, step);
    step.met_writes = cell.writes;
  }
  if (step.writes && cell.reads != step.met_reads) {
    meet(cell.reads, false, address, bytes, step);
    step.met_reads = cell.reads;
  }
  Histories::Set& mine = step.writes ? cell.writes : cell.reads;
  if (mine != step.from) {
    step.from = mine;
    step.to = histories_.with(mine, step.point);
  }
  mine = step.to;
}

// Mostly an access comes to words with the same history as the last one. That has to be fast.
void Ordering::touch(const TouchedRegion& region, std::uintptr_t address, std::size_t bytes,
                     Step& step) {
  if (step.region != &region) {
    step.region = &region;
    step.seen = {unseen, unseen};
  }
  const auto touch_cell = [&](Cell& cell, std::uintptr_t at, unsigned width) {
    touch(cell, at, width, step);
  };
  if (bytes % 4 != 0 || (address - region.begin()) % 4 != 0) {
    memory_.for_cells(region, address, bytes, touch_cell);
    return;
  }
  Cell* cell = &region.cell(address);
  for (const std::uintptr_t end = address + bytes; address != end; address += 4, ++cell) {
    if (*cell == step.seen) {
      *cell = step.made;
      continue;
    }
    const Cell before = *cell;
    memory_.for_cells(region, address, 4, touch_cell);
    if (!TouchedMemory::is_split(before) && !TouchedMemory::is_split(*cell)) {
      step.seen = before;
      step.made = *cell;
    }
  }
}

void Ordering::meet(Histories::Set set, bool they_write, std::uintptr_t address, unsigned bytes,
                    const Step& step) {
  if (set == 0 || !histories_.is_new_meeting(set, step.point)) return;
  for (const std::uint32_t number : histories_.points_of(set)) {
    const Point earlier = histories_.point(number);
    if (earlier.actor == step.agent.actor || step.agent.clock.of(earlier.actor) >= earlier.time) {
      continue;
    }
    if (earlier.is_strong && step.is_strong) {
      const Point later = histories_.point(step.point);
      const Wrong wrong = wrong_with(earlier, later);
      if (wrong != Wrong::order) {
        report({earlier, later, they_write, step.writes, address, bytes, wrong});
      }
      if (they_write) hear_of(step.agent, earlier);
      continue;
    }
    report({earlier, histories_.point(step.point), they_write, step.writes, address, bytes});
  }
}

// An atomic or volatile access may be how one is told that the other has come so far. Whether it is
// cannot be seen, so it counts.
void Ordering::hear_of(Agent& agent, const Point& point) {
  Clock heard;
  heard.learn(point.actor, point.time);
  const auto piece = pieces_.find(point.ticket);
  if (point.ticket != 0 && piece != pieces_.end()) heard.learn(piece->second->clock);
  learn(agent, heard);
  agent.has_heard = true;
}

void Ordering::note_range(Agent& agent, std::uintptr_t address, std::size_t bytes, bool writes,
                          bool is_strong, std::uint64_t pc) {
  TouchedRegion* const region = memory_.find(address);
  if (region == nullptr || !region->contains(address, bytes)) return;
  Step step{agent, point_of(agent, pc, {is_strong}), writes, is_strong};
  memory_.for_cells(*region, address, bytes, [&](Cell& cell, std::uintptr_t at, unsigned width) {
    touch(cell, at, width, step);
  });
}

void note_request(Agent& kernel, const Request& request, bool is_fenced) {
  Ordering& all = Ordering::get();
  const Ordering::Lock lock(all);
  const AccessKind kind = Access::kind_of(request.what);
  const bool writes = kind == AccessKind::global_store || kind == AccessKind::global_atomic;
  const bool is_narrow = kind == AccessKind::global_atomic && !Access::is_system_wide(request.what);
  const bool strong = is_strong(request.what);
  all.note_lanes(kernel, request, writes, {strong, is_narrow, is_fenced || !strong || !writes});
}

void Ordering::note_lanes(Agent& kernel, const Request& request, bool writes, Strength strength) {
  const unsigned bytes = Access::bytes_of(request.what);
  Step step{kernel, point_of(kernel, request.pc, strength), writes, strength.is_strong};
  const TouchedRegion* region = nullptr;
  std::uint64_t last = 0;
  for (unsigned i = 0; i < request.active; ++i) {
    const std::uint64_t address = request.address[i];
    if (address == last) continue;
    last = address;
    if (region == nullptr || !region->contains(address, bytes)) {
      region = memory_.find(address);
      if (region == nullptr || !region->contains(address, bytes)) continue;
    }
    touch(*region, address, bytes, step);
  }
}

// All that was done to the memory has to be over.
void Ordering::note_freed(Agent& agent, std::uintptr_t begin) {
  const TouchedRegion* const region = memory_.find(begin);
  if (region == nullptr) return;
  Step step{agent, point_of(agent, 0, {}), true, false};
  memory_.for_cells(*region, region->begin(), region->end() - region->begin(),
                    [&](Cell& cell, std::uintptr_t at, unsigned width) {
                      Cell copy = cell;
                      touch(copy, at, width, step);
                    });
}

void Ordering::note_allocated(Ticket ticket, std::uintptr_t begin) {
  const auto piece = pieces_.find(ticket);
  TouchedRegion* const region = memory_.find(begin);
  if (piece == pieces_.end() || region == nullptr) return;
  piece->second->work = Work::allocation;
  region->first_writes = histories_.with(0, point_of(*piece->second, 0, {}));
}

namespace {

void note_work(const void* memory, std::size_t bytes, bool writes) {
  Agent* const piece = piece_of_this_thread();
  if (piece == nullptr || bytes == 0) return;
  Ordering& all = Ordering::get();
  const Ordering::Lock lock(all);
  all.note_range(*piece, reinterpret_cast<std::uintptr_t>(memory), bytes, writes, false, 0);
}

// Memory of the host's own. Nothing else is locked while this is.
struct Registered {
  std::mutex mutex;
  std::map<std::uintptr_t, std::uintptr_t> ends;  // by where it begins
};
Registered& registered() {
  static auto& all = *new Registered;
  return all;
}

bool is_registered(std::uintptr_t address) {
  const std::lock_guard lock(registered().mutex);
  const auto after = registered().ends.upper_bound(address);
  return after != registered().ends.begin() && address < std::prev(after)->second;
}

void widen(SharedRange& range, std::uintptr_t begin, std::size_t bytes) {
  const std::uintptr_t old_begin = range.begin;
  const std::uintptr_t old_end = old_begin + range.bytes;
  const std::uintptr_t new_begin = range.bytes == 0 ? begin : std::min(old_begin, begin);
  range.bytes = std::max(old_end, begin + bytes) - new_begin;
  range.begin = new_begin;
}

}  // namespace

void begin_order_checks() {
  if (order_checks_on.load()) return;
  Ordering& all = Ordering::get();
  {
    const Ordering::Lock lock(all);
    all.start_anew();
  }
  for (const Allocation& memory : live_allocations()) {
    // NOLINTNEXTLINE(performance-no-int-to-ptr): an address is what the table holds
    const auto* const begin = reinterpret_cast<const void*>(memory.base);
    if (memory.kind == MemoryKind::registered) memory_registered(begin, memory.size);
  }
  add_watcher(all);
  order_checks_on = true;
}

void end_order_checks() {
  if (!order_checks_on.exchange(false)) return;
  remove_watcher(Ordering::get());
}

}  // namespace emulator::ordering

namespace emulator::events {

using namespace ordering;

void work_reads(const void* memory, std::size_t bytes) {
  note_work(memory, bytes, false);
}

void work_writes(const void* memory, std::size_t bytes) {
  note_work(memory, bytes, true);
}

// Functions of the standard library that are a part of the program are also the emulator's, and may
// be at work while it holds any of its locks. What they touch is neither in the arena nor here.
void host_accesses(std::uintptr_t address, std::size_t bytes, HostAccess access, bool is_strong,
                   const void* pc) {
  if (Ordering::Lock::is_held()) return;
  const bool is_shared =
      address - arena_base < arena_size || is_in_device_variable(address) || is_registered(address);
  Ordering& all = Ordering::get();
  const Ordering::Lock lock(all);
  if (!is_shared) {
    if (is_shared_by_host_function(address)) {
      watch_own_memory(address);
      all.memory().add_own(address);
    }
    if (!all.memory().has_own(address)) return;
  }
  const TouchedRegion* const region = all.memory().find(address);
  if (region == nullptr || region->is_the_devices()) return;
  Agent* const piece = piece_of_this_thread();
  const bool is_host = piece == nullptr || is_host_function(piece);
  all.note_range(is_host ? all.host() : *piece, address, bytes, access == HostAccess::write,
                 is_strong, reinterpret_cast<std::uintptr_t>(pc));
}

void memory_registered(const void* memory, std::size_t bytes) {
  const auto begin = reinterpret_cast<std::uintptr_t>(memory);
  const std::lock_guard lock(registered().mutex);
  registered().ends[begin] = begin + bytes;
  widen(registered_range, begin, bytes);
}

void memory_unregistered(const void* memory) {
  const std::lock_guard lock(registered().mutex);
  registered().ends.erase(reinterpret_cast<std::uintptr_t>(memory));
}

}  // namespace emulator::events
