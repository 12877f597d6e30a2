/// \file
/// Events. What they order goes to the queue (streams/work_queue.hpp), if there is one.

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "base/host_state.hpp"
#include "base/listing_text.hpp"
#include "base/screen.hpp"
#include "emulator/host/host_api.h"
#include "events/memory_events.hpp"
#include "graphs/capture.hpp"
#include "streams/event_records.hpp"
#include "streams/handles.hpp"
#include "streams/order.hpp"
#include "streams/work_queue.hpp"

namespace emulator::api {
namespace {

// Once: a program that measures a kernel by events must not take an emulator's time for a GPU's.
void print_event_time_note() {
  static std::once_flag once;
  std::call_once(once, [] {
    const std::string text =
        "emulator: times between events are the emulator's on this CPU: they say nothing about a "
        "GPU";
    for (const std::string& piece : wrap(text, style_of(STDERR_FILENO).width, 2)) {
      std::fprintf(stderr, "%s\n", piece.c_str());
    }
  });
}

// What the host waits for: the work that recorded the event last; or the error.
cudaError_t find_record(cudaEvent_t event, Ticket& record) {
  std::shared_ptr<const CapturedRecord> captured;
  const cudaError_t error = with_event(event, [&](const Event& live) {
    record = live.record;
    captured = live.captured;
    return cudaSuccess;
  });
  if (error != cudaSuccess) return error;
  return captured ? refuse_captured_event(*captured) : refuse_unsafe_while_capturing();
}

// Flags of cudaEventRecordWithFlags() and cudaStreamWaitEvent(): "external" is for streams that are
// being captured into a graph.
cudaError_t check_external(unsigned flags, bool is_in_capture) {
  if (flags > 1) return cudaErrorInvalidValue;
  return flags == 1 && !is_in_capture ? cudaErrorIllegalState : cudaSuccess;
}

cudaError_t capture_event_record(cudaEvent_t event, cudaStream_t stream, unsigned flags) {
  if (flags == cudaEventRecordExternal) {
    return capture(stream, cudaGraphNodeTypeEventRecord, RecordTask{event}, event);
  }
  std::shared_ptr<const CapturedRecord> record;
  if (const cudaError_t error = capture_record(stream, record); error != cudaSuccess) return error;
  return with_event(event, [&](Event& live) {
    live.captured = record;
    return cudaSuccess;
  });
}

}  // namespace

}  // namespace emulator::api

using namespace emulator::api;

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags) {
  return device_call([&] {
    Ticket record = 0;
    std::shared_ptr<const CapturedRecord> captured;
    const cudaError_t unknown = with_event(event, [&](const Event& live) {
      record = live.record;
      captured = live.captured;
      return cudaSuccess;
    });
    if (unknown != cudaSuccess) return unknown;
    if (const cudaError_t error = check_stream(stream); error != cudaSuccess) return error;
    const bool is_in_capture = !is_straight_through() && is_captured(stream);
    if (const cudaError_t error = check_external(flags, is_in_capture); error != cudaSuccess) {
      return error;
    }
    if (is_in_capture || captured) {
      return capture_wait(stream, event, captured.get(), flags == cudaEventWaitExternal);
    }
    if (record == 0 && !is_straight_through()) unrecorded_event_awaited("cudaStreamWaitEvent");
    if (!is_straight_through()) enqueue(stream, WaitTask{}, record);
    return cudaSuccess;
  });
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int flags) {
  constexpr unsigned known = cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;
  const bool shared = (flags & cudaEventInterprocess) != 0;
  const bool timed = (flags & cudaEventDisableTiming) == 0;
  if (event == nullptr || (flags & ~known) != 0 || (shared && timed)) {
    return report(cudaErrorInvalidValue);
  }
  return device_call([&] {
    Handles& handles = Handles::get();
    const std::lock_guard lock(handles.mutex);
    const std::uintptr_t handle = handles.next();
    handles.events[handle] = {flags, std::nullopt};
    *event = std::bit_cast<cudaEvent_t>(handle);
    return cudaSuccess;
  });
}

cudaError_t cudaEventCreate(cudaEvent_t* event) {
  return cudaEventCreateWithFlags(event, cudaEventDefault);
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  return device_call([&] {
    Handles& handles = Handles::get();
    const std::lock_guard lock(handles.mutex);
    const bool destroyed = handles.events.erase(number(event)) == 1;
    return destroyed ? cudaSuccess : handles.why_not(number(event));
  });
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned int flags) {
  const bool straight = is_straight_through();
  const bool is_in_capture = !straight && is_captured(stream);
  const cudaError_t error = with_event(event, [&](Event& live) {
    const cudaError_t wrong = check_external(flags, is_in_capture);
    if (wrong != cudaSuccess) return wrong;
    if (const cudaError_t gone = Handles::get().check(stream); gone != cudaSuccess) return gone;
    if (device_of(event) != device_of(stream)) return cudaErrorInvalidResourceHandle;
    if (!straight) return cudaSuccess;
    live.recorded = std::chrono::steady_clock::now();
    live.captured.reset();
    return cudaSuccess;
  });
  if (error != cudaSuccess || straight) return error;
  if (is_in_capture) return report(capture_event_record(event, stream, flags));
  note_record(event, enqueue(stream, RecordTask{event}));
  return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return cudaEventRecordWithFlags(event, stream, cudaEventRecordDefault);
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  return device_call([&] {
    Ticket record = 0;
    if (const cudaError_t error = find_record(event, record); error != cudaSuccess) return error;
    if (record == 0 && !is_straight_through()) unrecorded_event_awaited("cudaEventSynchronize");
    wait_for(record);
    return sticky_error();
  });
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
  return device_call([&] {
    Ticket record = 0;
    if (const cudaError_t error = find_record(event, record); error != cudaSuccess) return error;
    return ask_whether_done(record) ? sticky_error() : cudaErrorNotReady;
  });
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  if (milliseconds == nullptr) return report(cudaErrorInvalidValue);
  Ticket pending = 0;
  const cudaError_t error = with_event(start, [&](const Event& first) {
    const auto& events = Handles::get().events;
    const auto second = events.find(number(end));
    if (second == events.end()) return Handles::get().why_not(number(end));
    if (device_of(start) != device_of(end)) return cudaErrorInvalidResourceHandle;
    for (const Event* event : {&first, &second->second}) {
      const bool timed = (event->flags & cudaEventDisableTiming) == 0;
      const bool recorded = event->recorded || event->record != 0 || event->captured;
      if (!timed || !recorded) return cudaErrorInvalidResourceHandle;
    }
    for (const Event* event : {&first, &second->second}) {
      if (event->captured) return cudaErrorInvalidValue;  // it stands for nodes, without a time
    }
    for (const Event* event : {&first, &second->second}) {
      if (is_done(event->record)) continue;
      pending = event->record;
      return cudaErrorNotReady;
    }
    const std::chrono::duration<float, std::milli> elapsed =
        *second->second.recorded - *first.recorded;
    *milliseconds = elapsed.count();
    print_event_time_note();
    return cudaSuccess;
  });
  if (error == cudaErrorNotReady) ask_whether_done(pending);  // which runs some of it
  return error;
}
