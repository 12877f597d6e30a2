#include "observers/checks/checker.hpp"

#include <atomic>

#include "base/arena.hpp"
#include "base/devices/devices.hpp"
#include "events/async_events.hpp"

namespace emulator::checks {

// ---------------------------------------------------------------- launches and blocks

namespace {

// Of several launches one runs, and the others have given way.
constinit std::atomic<unsigned> launches_begun{0};

}  // namespace

void Checker::begin_launch(const ObservedLaunch& launch) {
  running_.begin_launch(launch);
  if (launches_begun++ == 0 || device_count() == 1) forget_freed_regions();
  order_.begin_launch();
  shared_.begin_launch(launch);
  sites_.begin_launch();
  findings_.begin_launch();
  races_.begin_launch();
  variables_region().has_narrow = false;
}

void Checker::end_launch() {
  races_.tell_updates();
  findings_.tell_unwritten();
  order_.end_launch();
  --launches_begun;
}

void Checker::begin_block(const dim3& block) {
  running_.begin_block(block);
  start_block(1);
  shared_.begin_block(order_.segments().block_first());
}

// After a barrier of the grid, and where it goes on after others had their turns, a block is, for
// the checks, another block with the same memory.
void Checker::begin_turn(const dim3& block, std::uint64_t number, std::uintptr_t shared,
                         std::uintptr_t dynamic) {
  running_.begin_turn(block, number);
  start_block(1);
  order_.begins_turn(number);
  shared_.begin_turn(number, shared, dynamic, order_.segments().block_first());
}

// So is a cluster, whose threads have all met.
void Checker::begin_cluster(const dim3& first_block, const dim3& shape,
                            const std::vector<std::uintptr_t>& memories,
                            std::optional<std::uint64_t> turn) {
  const auto blocks = static_cast<unsigned>(memories.size());
  running_.begin_cluster(first_block, shape, turn);
  start_block(blocks);
  order_.begin_cluster(shared_.begin_cluster(memories, turn, order_.segments().block_first()));
  clusters_.begin_cluster(blocks);
}

void Checker::start_block(unsigned blocks) {
  order_.begin_block(running_.threads_of_block() * blocks);
  async_.begin_block();
}

void Checker::phase_seen(unsigned thread, std::uint64_t place, std::uint64_t phase,
                         std::uint64_t pc) {
  running_.set_warp(thread / warp_size);
  async_.phase_seen(thread, place, phase, pc);
}

// ---------------------------------------------------------------- requests

void Checker::check(const Request& request) {
  switch (Access::kind_of(request.what)) {
    case AccessKind::code_block:
    case AccessKind::barrier:
      return;
    case AccessKind::fence:
      order_.note_fence(request);
      return;
    case AccessKind::constant_load: {
      CodeSite& site = sites_.at(request.pc);
      for (unsigned i = 0; i < request.active; ++i) bounds_.check(request, site, i);
      return;
    }
    case AccessKind::foreign_load:
    case AccessKind::foreign_store:
      check_foreign(request);
      return;
    case AccessKind::copy_begins:
    case AccessKind::copy_ends:
      async_.check_copy(request);
      return;
    case AccessKind::bulk_copy:
      async_.check_bulk(request);
      return;
    case AccessKind::async_event:
      if (static_cast<AsyncEvent>(Access::bytes_of(request.what)) == AsyncEvent::reads_constant) {
        races_.check_read_only(request);
      } else {
        async_.check_event(request);
      }
      return;
    default:
      memory_.check(request, sites_.at(request.pc));
  }
}

// What is in the device's memory nevertheless is a store that is not counted.
void Checker::check_foreign(const Request& request) {
  CodeSite& site = sites_.at(request.pc);
  if (request.address[0] - arena_base < arena_size) {
    Request store = request;
    store.what = Access::with_kind(request.what, AccessKind::global_store);
    memory_.check(store, site);
    return;
  }
  for (unsigned i = 0; i < request.active; ++i) bounds_.report_outside(request, site, i);
}

}  // namespace emulator::checks
