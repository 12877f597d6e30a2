/// \file
/// Streams: which are live, and what was set for them. What they order goes to the queue
/// (streams/work_queue.hpp), if there is one.

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <mutex>

#include "base/host_state.hpp"
#include "emulator/host/host_api.h"
#include "engine/launches/child_launches.hpp"
#include "events/host_accesses.hpp"
#include "graphs/capture.hpp"
#include "streams/handles.hpp"
#include "streams/order.hpp"
#include "streams/work_queue.hpp"

// In programs that were compiled with --default-stream per-thread.
extern "C" char emulator_default_stream_per_thread __attribute__((weak));

namespace emulator::api {
namespace {

// As on current GPUs, where the lower number is the more urgent.
constexpr int least_priority = 0;
constexpr int greatest_priority = -5;

bool is_sound(const cudaAccessPolicyWindow& window) {
  const auto known = [](cudaAccessProperty property) {
    return property >= cudaAccessPropertyNormal && property <= cudaAccessPropertyPersisting;
  };
  return window.hitRatio >= 0 && window.hitRatio <= 1 && known(window.hitProp) &&
         known(window.missProp) && window.missProp != cudaAccessPropertyPersisting;
}

// The default streams of host threads are between the numbers of handles.
std::uintptr_t number_of_this_threads_stream() {
  static std::atomic<std::uintptr_t> threads{0};
  thread_local const std::uintptr_t thread = ++threads;
  return thread * 16 + 1;
}

// Runs a host function, at its turn in the stream.
cudaError_t call_in_stream(const HostTask& task, Runs runs) {
  return device_call([&] {
    if (const cudaError_t error = check_stream(task.stream); error != cudaSuccess) return error;
    if (is_straight_through()) {
      task.perform();
      return cudaSuccess;
    }
    if (is_captured(task.stream)) {
      if (task.callback != nullptr) return refuse_if_captured(task.stream);
      return capture(task.stream, cudaGraphNodeTypeHost, task);
    }
    enqueue(task.stream, task, 0, runs);
    return cudaSuccess;
  });
}

// In a stream that is being captured nothing runs that could be waited for. Asking for another one
// is as unsafe beside a capture as waiting is.
cudaError_t refuse_to_wait_for(cudaStream_t stream) {
  const cudaError_t error = refuse_if_captured(stream);
  return error != cudaSuccess ? error : refuse_unsafe_while_capturing();
}

}  // namespace

}  // namespace emulator::api

namespace emulator::base {

using namespace api;

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

}  // namespace emulator::base

namespace emulator::streams {

using namespace api;

StreamInQueue in_queue(cudaStream_t stream) {
  if (stream == nullptr && &emulator_default_stream_per_thread != nullptr) {
    stream = cudaStreamPerThread;
  }
  if (stream == nullptr || stream == cudaStreamLegacy) {
    return {numbered_for(current_device(), 0), Blocks::is_legacy};
  }
  if (stream == cudaStreamPerThread) {
    return {numbered_for(current_device(), number_of_this_threads_stream()), Blocks::blocking};
  }
  Handles& handles = Handles::get();
  const std::lock_guard lock(handles.mutex);
  const auto found = handles.streams.find(number(stream));
  const bool independent =
      found != handles.streams.end() && found->second.flags == cudaStreamNonBlocking;
  return {number(stream), independent ? Blocks::non_blocking : Blocks::blocking};
}

}  // namespace emulator::streams

namespace emulator::events {

using namespace api;

void HostTask::perform() const {
  const InStreamCallback inside;
  host_function_frame = __builtin_frame_address(0);
  if (callback != nullptr) {
    callback(stream, sticky_error(), user_data);
  } else {
    function(user_data);
  }
}

}  // namespace emulator::events

using namespace emulator::api;

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
  if (emulator::for_device()) return create_stream_in_kernel(stream, flags);
  return cudaStreamCreateWithPriority(stream, flags, least_priority);
}

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  return cudaStreamCreateWithFlags(stream, cudaStreamDefault);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  if (emulator::for_device()) return destroy_stream_in_kernel(stream);
  return device_call([&] {
    if (!is_straight_through()) drop_capture_begun_in(stream);
    Handles& handles = Handles::get();
    const std::lock_guard lock(handles.mutex);
    const bool destroyed = handles.streams.erase(number(stream)) == 1;
    return destroyed ? cudaSuccess : handles.why_not(number(stream));
  });
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  return device_call([&] {
    if (const cudaError_t error = check_stream(stream); error != cudaSuccess) return error;
    if (const cudaError_t error = refuse_to_wait_for(stream); error != cudaSuccess) return error;
    wait_for_stream(stream);
    return sticky_error();
  });
}

cudaError_t cudaStreamQuery(cudaStream_t stream) {
  return device_call([&] {
    if (const cudaError_t error = check_stream(stream); error != cudaSuccess) return error;
    if (const cudaError_t error = refuse_to_wait_for(stream); error != cudaSuccess) return error;
    return ask_whether_done(stream) ? sticky_error() : cudaErrorNotReady;
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
    *device = device_of(stream);
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

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback,
                                  void* user_data, unsigned int flags) {
  if (callback == nullptr || flags != 0) return report(cudaErrorInvalidValue);
  return call_in_stream({nullptr, callback, stream, user_data}, Runs::always);
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* user_data) {
  if (function == nullptr) return report(cudaErrorInvalidValue);
  return call_in_stream({function, nullptr, stream, user_data}, Runs::unless_failed);
}
