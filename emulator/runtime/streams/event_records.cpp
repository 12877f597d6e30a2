#include "streams/event_records.hpp"

#include <algorithm>
#include <chrono>
#include <mutex>

#include "streams/handles.hpp"

namespace emulator::streams {

void note_record(cudaEvent_t event, Ticket record) {
  Handles& handles = Handles::get();
  const std::lock_guard lock(handles.mutex);
  const auto found = handles.events.find(number(event));
  if (found == handles.events.end()) return;
  Event& live = found->second;
  live.captured.reset();
  if (record == 0) live.recorded = std::chrono::steady_clock::now();
  live.record = std::max(live.record, record);
}

Ticket record_of(cudaEvent_t event) {
  Handles& handles = Handles::get();
  const std::lock_guard lock(handles.mutex);
  const auto found = handles.events.find(number(event));
  return found != handles.events.end() ? found->second.record : 0;
}

}  // namespace emulator::streams

namespace emulator::events {

using namespace streams;

// The time goes to the event, if that is still there and has not been recorded again.
void RecordTask::perform(std::uint64_t self) const {
  Handles& handles = Handles::get();
  const std::lock_guard lock(handles.mutex);
  const auto found = handles.events.find(number(event));
  if (found == handles.events.end() || found->second.record > self) return;
  found->second.recorded = std::chrono::steady_clock::now();
}

}  // namespace emulator::events
