#include "observers/checks/kernels/async_check.hpp"

#include "events/async_events.hpp"
#include "events/bulk_copies.hpp"

namespace emulator::checks {
namespace {

using events::barrier_places::phase_bits;

// To arrive at a barrier changes it: as an access of that lane alone.
Request use_of_barrier(const Request& event, unsigned i) {
  Request use;
  use.pc = event.pc;
  use.what = static_cast<std::uint64_t>(AccessKind::shared_atomic) << 8 | 8;
  use.active = 1;
  use.lane[0] = event.lane[i];
  use.address[0] = event.address[i] & ~phase_bits;
  return use;
}

}  // namespace

void AsyncCheck::check_copy(const Request& request) {
  const bool begins = Access::kind_of(request.what) == AccessKind::copy_begins;
  const unsigned bytes = Access::bytes_of(request.what);
  CodeSite& site = sites_.at(request.pc);
  if (begins) {  // what holds for a store holds for it, too
    Request store = request;
    store.what = static_cast<std::uint64_t>(AccessKind::shared_store) << 8 | bytes;
    memory_.check(store, site);
  }
  const std::uint32_t segment = order_.current_segment();
  for (unsigned i = 0; i < request.active; ++i) {
    Region* const region = shared_.region_at(request.address[i]);
    if (region == nullptr || !region->contains(request.address[i], bytes)) continue;
    WriteCell* const cells = region->writes(request.address[i]);
    for (unsigned word = 0; word < bytes / 4; ++word) {
      Slot& slot = cells[word].plain;
      if (slot.lane != request.lane[i]) continue;  // somebody else has written, and was reported
      if (begins) {
        slot.segment = segment | Slot::unfinished;
      } else if (slot.is_unfinished()) {
        slot.segment = segment;
      }
    }
  }
}

void AsyncCheck::check_event(const Request& request) {
  const CodeSite& site = sites_.at(request.pc);
  for (unsigned i = 0; i < request.active; ++i) check_lanes_event(request, site, i);
  order_.end_segment();  // what comes after it is not covered by it
}

void AsyncCheck::check_lanes_event(const Request& request, const CodeSite& site, unsigned i) {
  const auto event = static_cast<AsyncEvent>(Access::bytes_of(request.what));
  const unsigned thread = running_.thread_of(request.lane[i]);
  const std::uint64_t address = request.address[i];
  const Segments& segments = order_.segments();
  BlockClocks& clocks = order_.clocks();
  switch (event) {
    case AsyncEvent::makes_barrier:
    case AsyncEvent::makes_fenced_barrier:
      barriers_.make(address, site.access(order_.current_segment(), request.lane[i]),
                     event == AsyncEvent::makes_fenced_barrier);
      clocks.forget(address);
      break;
    case AsyncEvent::arrives:
    case AsyncEvent::uses_barrier:
      if (address >= barrier_places::first_address) {
        barriers_.check_use(address & ~phase_bits, thread, request.pc);
        if (running_.is_of_cluster()) clusters_.check(use_of_barrier(request, i), site);
      }
      if (event == AsyncEvent::arrives) {
        order_.arrive(address & ~phase_bits, address & phase_bits, thread);
      }
      break;
    case AsyncEvent::fences:
      clocks.fence(thread, segments.last(), segments.barrier_first());
      break;
    case AsyncEvent::fences_barriers:
      clocks.fence_barriers(thread, segments.last());
      break;
    case AsyncEvent::copy_has_read:
    case AsyncEvent::copy_has_written:
      bulk_.end_copy_out(address, event == AsyncEvent::copy_has_written);
      break;
    case AsyncEvent::stores:
      barriers_.check_use(bulk_copy(address).barrier, thread, request.pc);
      bulk_.check_side(request, i, bulk_copy(address), true);
      break;
    case AsyncEvent::reads_constant:  // the checker's
      break;
    case AsyncEvent::reads_operands:
      bulk_.check_side(request, i, bulk_copy(address), true);
      break;
  }
}

void AsyncCheck::phase_seen(unsigned thread, std::uint64_t place, std::uint64_t phase,
                            std::uint64_t pc) {
  barriers_.check_use(place, thread, pc);
  order_.see_phase(place, phase, thread);
}

void AsyncCheck::copy_arrived(std::uint64_t shared, std::size_t bytes, unsigned barrier_number,
                              std::uint64_t place, std::uint64_t phase) {
  bulk_.arrive(shared, bytes, order_.end_copy(place, phase, barrier_number));
}

}  // namespace emulator::checks
