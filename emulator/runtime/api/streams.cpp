/// \file
/// Streams and events. Work has finished when the call that asked for it returns, so they order
/// nothing: what is left of them is which handles are live, and when events were recorded.

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "api/host_state.hpp"
#include "emulator/host_api.h"
#include "reporting/listing_text.hpp"
#include "reporting/screen.hpp"

namespace emulator::detail {
namespace {

// Once: who measures a kernel by events must not take an emulator's time for a GPU's.
void say_whose_times_these_are() {
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

// As on current GPUs, where the lower number is the more urgent.
constexpr int least_priority = 0;
constexpr int greatest_priority = -5;

struct Stream {
  unsigned flags = cudaStreamDefault;
  int priority = least_priority;
  cudaAccessPolicyWindow window{};
};

struct Event {
  unsigned flags = cudaEventDefault;
  std::optional<std::chrono::steady_clock::time_point> recorded;
};

template <class Handle>
std::uintptr_t number(Handle handle) {
  return std::bit_cast<std::uintptr_t>(handle);
}

bool is_default(cudaStream_t stream) {
  return stream == nullptr || stream == cudaStreamLegacy || stream == cudaStreamPerThread;
}

bool is_sound(const cudaAccessPolicyWindow& window) {
  const auto known = [](cudaAccessProperty property) {
    return property >= cudaAccessPropertyNormal && property <= cudaAccessPropertyPersisting;
  };
  return window.hitRatio >= 0 && window.hitRatio <= 1 && known(window.hitProp) &&
         known(window.missProp) && window.missProp != cudaAccessPropertyPersisting;
}

// The live handles. A handle is a number that is used once: a stale one is found, never mistaken
// for a newer one. Whoever uses the members holds the mutex.
class Handles {
 public:
  static Handles& get() {
    static auto& handles = *new Handles;  // never destroyed, for static objects' destructors
    return handles;
  }

  std::mutex mutex;
  std::map<std::uintptr_t, Stream> streams;
  std::map<std::uintptr_t, Event> events;
  Stream default_stream;

  std::uintptr_t next() { return std::exchange(next_, next_ + step); }

  void reset() {
    streams.clear();
    default_stream = {};
    events.clear();
    first_since_reset_ = next_;
  }

  // The error for a handle that is not live: it went with a reset of the device, or it was
  // destroyed, or it never was one.
  cudaError_t why_not(std::uintptr_t handle) const {
    const bool reset = handle >= first && handle < first_since_reset_ && handle % step == 0;
    return reset ? cudaErrorDeviceUninitialized : cudaErrorInvalidResourceHandle;
  }

  cudaError_t check(cudaStream_t stream) const {
    const bool live = is_default(stream) || streams.contains(number(stream));
    return live ? cudaSuccess : why_not(number(stream));
  }

 private:
  static constexpr std::uintptr_t first = 0x1000;
  static constexpr std::uintptr_t step = 16;
  std::uintptr_t next_ = first;
  std::uintptr_t first_since_reset_ = first;
};

// Calls `use` with the live stream and returns what it returns; or returns the error.
template <class Use>
cudaError_t with_stream(cudaStream_t stream, Use use) {
  return device_call([&] {
    Handles& handles = Handles::get();
    const std::lock_guard lock(handles.mutex);
    const cudaError_t error = handles.check(stream);
    if (error != cudaSuccess) return error;
    return use(is_default(stream) ? handles.default_stream : handles.streams.at(number(stream)));
  });
}

// Likewise for an event; the table of handles is locked in the meantime.
template <class Use>
cudaError_t with_event(cudaEvent_t event, Use use) {
  return device_call([&] {
    Handles& handles = Handles::get();
    const std::lock_guard lock(handles.mutex);
    const auto found = handles.events.find(number(event));
    if (found == handles.events.end()) return handles.why_not(number(event));
    return use(found->second);
  });
}

// Flags of cudaEventRecordWithFlags() and cudaStreamWaitEvent(): "external" is for streams that are
// being captured into a graph.
cudaError_t check_external(unsigned flags) {
  if (flags > 1) return cudaErrorInvalidValue;
  return flags == 1 ? cudaErrorIllegalState : cudaSuccess;
}

}  // namespace

cudaError_t check_stream(cudaStream_t stream) {
  Handles& handles = Handles::get();
  const std::lock_guard lock(handles.mutex);
  return handles.check(stream);
}

void reset_streams() {
  Handles& handles = Handles::get();
  const std::lock_guard lock(handles.mutex);
  handles.reset();
}

}  // namespace emulator::detail

using namespace emulator::detail;

cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  return device_call([&] {
    if (least != nullptr) *least = least_priority;
    if (greatest != nullptr) *greatest = greatest_priority;
    return cudaSuccess;
  });
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned int flags, int priority) {
  if (stream == nullptr || flags > cudaStreamNonBlocking) return report(cudaErrorInvalidValue);
  return device_call([&] {
    Handles& handles = Handles::get();
    const std::lock_guard lock(handles.mutex);
    const std::uintptr_t handle = handles.next();
    handles.streams[handle] = {flags, std::clamp(priority, greatest_priority, least_priority)};
    *stream = std::bit_cast<cudaStream_t>(handle);
    return cudaSuccess;
  });
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned int flags) {
  return cudaStreamCreateWithPriority(stream, flags, least_priority);
}

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  return cudaStreamCreateWithFlags(stream, cudaStreamDefault);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  return device_call([&] {
    Handles& handles = Handles::get();
    const std::lock_guard lock(handles.mutex);
    const bool destroyed = handles.streams.erase(number(stream)) == 1;
    return destroyed ? cudaSuccess : handles.why_not(number(stream));
  });
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  return with_stream(stream, [](const Stream&) { return cudaSuccess; });
}

cudaError_t cudaStreamQuery(cudaStream_t stream) {
  return cudaStreamSynchronize(stream);
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags) {
  return with_event(event, [&](const Event&) {
    if (const cudaError_t error = check_external(flags); error != cudaSuccess) return error;
    return Handles::get().check(stream);
  });
}

cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority) {
  if (priority == nullptr) return report(cudaErrorInvalidValue);
  return with_stream(stream, [&](const Stream& live) {
    *priority = live.priority;
    return cudaSuccess;
  });
}

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int* flags) {
  if (flags == nullptr) return report(cudaErrorInvalidValue);
  return with_stream(stream, [&](const Stream& live) {
    *flags = live.flags;
    return cudaSuccess;
  });
}

cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long* id) {
  if (id == nullptr) return report(cudaErrorInvalidValue);
  return with_stream(stream, [&](const Stream&) {
    *id = stream == nullptr ? number(cudaStreamLegacy) : number(stream);
    return cudaSuccess;
  });
}

cudaError_t cudaStreamGetDevice(cudaStream_t stream, int* device) {
  if (device == nullptr) return report(cudaErrorInvalidValue);
  return with_stream(stream, [&](const Stream&) {
    *device = 0;
    return cudaSuccess;
  });
}

cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaStreamAttrID attribute,
                                   const cudaStreamAttrValue* value) {
  if (value == nullptr || attribute != cudaLaunchAttributeAccessPolicyWindow ||
      !is_sound(value->accessPolicyWindow)) {
    return report(cudaErrorInvalidValue);
  }
  return with_stream(stream, [&](Stream& live) {
    live.window = value->accessPolicyWindow;
    return cudaSuccess;
  });
}

cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaStreamAttrID attribute,
                                   cudaStreamAttrValue* value) {
  if (value == nullptr || attribute != cudaLaunchAttributeAccessPolicyWindow) {
    return report(cudaErrorInvalidValue);
  }
  return with_stream(stream, [&](const Stream& live) {
    value->accessPolicyWindow = live.window;
    return cudaSuccess;
  });
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
  if (status == nullptr) return report(cudaErrorInvalidValue);
  return with_stream(stream, [&](const Stream&) {
    *status = cudaStreamCaptureStatusNone;
    return cudaSuccess;
  });
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback,
                                  void* user_data, unsigned int flags) {
  if (callback == nullptr || flags != 0) return report(cudaErrorInvalidValue);
  return device_call([&] {
    if (const cudaError_t error = check_stream(stream); error != cudaSuccess) return error;
    const InStreamCallback inside;
    callback(stream, cudaSuccess, user_data);
    return cudaSuccess;
  });
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* user_data) {
  if (function == nullptr) return report(cudaErrorInvalidValue);
  return device_call([&] {
    if (const cudaError_t error = check_stream(stream); error != cudaSuccess) return error;
    const InStreamCallback inside;
    function(user_data);
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

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  return device_call([&] {
    Handles& handles = Handles::get();
    const std::lock_guard lock(handles.mutex);
    const bool destroyed = handles.events.erase(number(event)) == 1;
    return destroyed ? cudaSuccess : handles.why_not(number(event));
  });
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned int flags) {
  return with_event(event, [&](Event& live) {
    if (const cudaError_t error = check_external(flags); error != cudaSuccess) return error;
    if (const cudaError_t error = Handles::get().check(stream); error != cudaSuccess) return error;
    live.recorded = std::chrono::steady_clock::now();
    return cudaSuccess;
  });
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return cudaEventRecordWithFlags(event, stream, cudaEventRecordDefault);
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  return with_event(event, [](const Event&) { return cudaSuccess; });
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
  return cudaEventSynchronize(event);
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  if (milliseconds == nullptr) return report(cudaErrorInvalidValue);
  return with_event(start, [&](const Event& first) {
    const auto& events = Handles::get().events;
    const auto second = events.find(number(end));
    if (second == events.end()) return Handles::get().why_not(number(end));
    for (const Event* event : {&first, &second->second}) {
      if ((event->flags & cudaEventDisableTiming) != 0 || !event->recorded) {
        return cudaErrorInvalidResourceHandle;
      }
    }
    const std::chrono::duration<float, std::milli> elapsed =
        *second->second.recorded - *first.recorded;
    *milliseconds = elapsed.count();
    say_whose_times_these_are();
    return cudaSuccess;
  });
}
