/// \file
/// Memory that comes and goes while streams work; and events and copies that do not do what they
/// seem to.

#include <utility>

#include "base/arena.hpp"
#include "observers/ordering/ordering.hpp"

namespace emulator::events {

using namespace ordering;

void memory_taken_back(const void* memory, const char* function) {
  if (!order_checks_on) return;
  Ordering& all = Ordering::get();
  const Ordering::Lock lock(all);
  Agent freeing = all.host();
  freeing.work = Work::free;
  freeing.name = function;
  freeing.issuer = freeing.actor;
  freeing.stack = all.number_of(call_stack());
  freeing.points.clear();
  freeing.last_key = 0;
  all.note_freed(freeing, reinterpret_cast<std::uintptr_t>(memory));
}

void freed_in_stream(const void* memory) {
  Agent* const piece = piece_of_this_thread();
  if (piece == nullptr) return;
  Ordering& all = Ordering::get();
  const Ordering::Lock lock(all);
  all.note_freed(*piece, reinterpret_cast<std::uintptr_t>(memory));
}

void memory_gone(const void* memory) {
  if (!order_checks_on) return;
  Ordering& all = Ordering::get();
  const Ordering::Lock lock(all);
  all.memory().drop(reinterpret_cast<std::uintptr_t>(memory));
}

void allocated_in_stream(const void* memory, std::uint64_t ticket) {
  Ordering& all = Ordering::get();
  const Ordering::Lock lock(all);
  all.note_allocated(ticket, reinterpret_cast<std::uintptr_t>(memory));
}

void unrecorded_event_awaited(const char* function) {
  if (!order_checks_on) return;
  Finding finding;
  finding.severity = Severity::warning;
  finding.kind = "unrecorded-event";
  finding.what = std::string(function) +
                 "() waits for an event that has not been recorded: it returns at once, and orders "
                 "nothing";
  finding.remedy = "call cudaEventRecord(event, stream) first, after the work to wait for";
  set_place(finding, call_stack(), "waited for here");
  add_finding(std::move(finding));
  print_new_findings();
}

// With nothing beside it, the copy delays only the thread that asked for it: no reason for a
// warning.
void pageable_copy_issued(const StreamInQueue& stream) {
  if (!order_checks_on) return;
  {
    Ordering& all = Ordering::get();
    const Ordering::Lock lock(all);
    if (!all.is_other_stream_busy(stream.number)) return;
  }
  Finding finding;
  finding.severity = Severity::warning;
  finding.kind = "pageable-copy";
  finding.what =
      "an asynchronous copy from or to pageable memory, while another stream has work: the driver "
      "copies through a buffer of its own, the call may wait for that, and the overlap with the "
      "other stream is lost";
  finding.remedy =
      "allocate the host's side with cudaMallocHost(), or register it with cudaHostRegister()";
  set_place(finding, call_stack(), "copied here");
  add_finding(std::move(finding));
  print_new_findings();
}

}  // namespace emulator::events
