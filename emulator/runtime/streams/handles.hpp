#pragma once
/// \file
/// The live streams and events, for streams.cpp and events.cpp.

#include <array>
#include <bit>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "base/devices/devices.hpp"
#include "base/host_state.hpp"
#include "base/rooms.hpp"
#include "emulator/host/host_api.h"
#include "streams/work_queue.hpp"

namespace emulator::graphs {
struct CapturedRecord;
}

namespace emulator::streams {

struct Stream {
  unsigned flags = cudaStreamDefault;
  int priority = 0;
  cudaAccessPolicyWindow window{};
};

struct Event {
  unsigned flags = cudaEventDefault;
  std::optional<std::chrono::steady_clock::time_point> recorded;
  Ticket record = 0;  // the last one, if it had to wait
  std::shared_ptr<const graphs::CapturedRecord>
      captured{};  // if the last one became part of a graph
};

template <class Handle>
std::uintptr_t number(Handle handle) {
  return std::bit_cast<std::uintptr_t>(handle);
}

inline bool is_default(cudaStream_t stream) {
  return stream == nullptr || stream == cudaStreamLegacy || stream == cudaStreamPerThread;
}

/// The device of a stream, which of a default stream is the one in use.
inline int device_of(cudaStream_t stream) {
  return is_default(stream) ? current_device() : device_of_number(number(stream));
}
inline int device_of(cudaEvent_t event) {
  return device_of_number(number(event));
}

/// The live handles. A handle is a number that is used once: a stale one is found, never mistaken
/// for a newer one. It begins with the device that was in use. To use the members, hold the
/// mutex.
class Handles {
 public:
  static Handles& get() {
    static auto& handles = *new Handles;  // never destroyed, for static objects' destructors
    return handles;
  }

  std::mutex mutex;
  std::map<std::uintptr_t, Stream> streams;
  std::map<std::uintptr_t, Event> events;
  std::array<Stream, most_devices> default_streams;

  std::uintptr_t next() {
    return numbered_for(current_device(), std::exchange(next_, next_ + step));
  }

  Stream& default_stream() { return default_streams[static_cast<std::size_t>(current_device())]; }

  // Those of the device in use.
  void reset() {
    const int device = current_device();
    const auto is_its = [device](const auto& entry) {
      return device_of_number(entry.first) == device;
    };
    std::erase_if(streams, is_its);
    std::erase_if(events, is_its);
    default_stream() = {};
    first_since_reset_[static_cast<std::size_t>(device)] = next_;
  }

  // The error for a handle that is not live: it went with a reset of the device, or it was
  // destroyed, or it never was one.
  cudaError_t why_not(std::uintptr_t handle) const {
    const int device = device_of_number(handle);
    const std::uintptr_t count = handle - numbered_for(device, 0);
    const bool reset = count >= first && count % step == 0 &&
                       count < first_since_reset_[static_cast<std::size_t>(device)];
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
  std::array<std::uintptr_t, most_devices> first_since_reset_{};
};

/// Calls `use` with the live stream and returns what it returns; or returns the error.
template <class Use>
cudaError_t with_stream(cudaStream_t stream, Use use) {
  return device_call([&] {
    Handles& handles = Handles::get();
    const std::lock_guard lock(handles.mutex);
    const cudaError_t error = handles.check(stream);
    if (error != cudaSuccess) return error;
    return use(is_default(stream) ? handles.default_stream() : handles.streams.at(number(stream)));
  });
}

/// Likewise for an event; the table of handles is locked in the meantime.
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

}  // namespace emulator::streams
