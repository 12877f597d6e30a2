/// @file
/// Chapter 30: the devices of one process. Each may use the memory of all others, and each has
/// three streams: for kernels, for copies, and for results that go back.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <memory>
#include <vector>

#include "course.hpp"

namespace gpus {

inline constexpr int most_devices = 8;

/// Makes a device the current one, and the one before it again at the end.
class OnDevice {
 public:
  explicit OnDevice(int device) {
    CUDA_CHECK(cudaGetDevice(&before_));
    CUDA_CHECK(cudaSetDevice(device));
  }
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;
  ~OnDevice() { CUDA_WARN(cudaSetDevice(before_)); }

 private:
  int before_ = 0;
};

/// A point in a stream of one device, for which any stream of any device can wait.
class Event {
 public:
  explicit Event(int device) {
    const OnDevice there(device);
    CUDA_CHECK(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming));
  }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  ~Event() { CUDA_WARN(cudaEventDestroy(event_)); }
  operator cudaEvent_t() const { return event_; }

 private:
  cudaEvent_t event_ = nullptr;
};

/// The first devices of this machine.
class Group {
 public:
  explicit Group(int count) : streams_(count), copies_(count), results_(count) {
    for (int me = 0; me < count; ++me) {
      const OnDevice there(me);
      for (int peer = 0; peer < count; ++peer) {
        if (peer != me) enable(me, peer);
      }
      int least = 0, greatest = 0;
      CUDA_CHECK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
      CUDA_CHECK(cudaStreamCreateWithFlags(&streams_[me], cudaStreamNonBlocking));
      CUDA_CHECK(cudaStreamCreateWithPriority(&copies_[me], cudaStreamNonBlocking, greatest));
      CUDA_CHECK(cudaStreamCreateWithFlags(&results_[me], cudaStreamNonBlocking));
      events_.push_back(std::make_unique<Event>(me));
    }
  }
  Group(const Group&) = delete;
  Group& operator=(const Group&) = delete;
  ~Group() {
    for (int me = 0; me < size(); ++me) {
      const OnDevice there(me);
      CUDA_WARN(cudaStreamDestroy(streams_[me]));
      CUDA_WARN(cudaStreamDestroy(copies_[me]));
      CUDA_WARN(cudaStreamDestroy(results_[me]));
    }
  }

  int size() const { return static_cast<int>(streams_.size()); }
  /// The stream of a device's kernels.
  cudaStream_t stream(int me) const { return streams_[me]; }
  /// The stream of its copies, with a higher priority.
  cudaStream_t copies(int me) const { return copies_[me]; }
  /// That of results, which go to another device.
  cudaStream_t results(int me) const { return results_[me]; }

  /// Calls issue(me) for each device, which is the current one then.
  template <class Issue>
  void for_each(Issue issue) const {
    for (int me = 0; me < size(); ++me) {
      const OnDevice there(me);
      issue(me);
    }
  }
  /// What `later` gets from now on waits for what `earlier`, of device me, has got.
  void wait(cudaStream_t later, cudaStream_t earlier, int me) const {
    CUDA_CHECK(cudaEventRecord(*events_[me], earlier));
    CUDA_CHECK(cudaStreamWaitEvent(later, *events_[me]));
  }
  /// All streams of kernels wait for that of device 0.
  void fork() const {
    for (int me = 1; me < size(); ++me) wait(streams_[me], streams_[0], 0);
  }
  /// And that of device 0 waits for all others.
  void join() const {
    for (int me = 1; me < size(); ++me) wait(streams_[0], streams_[me], me);
  }
  /// Waits for everything.
  void synchronise() const {
    for_each([](int) { CUDA_CHECK(cudaDeviceSynchronize()); });
  }

 private:
  static void enable(int me, int peer) {
    int possible = 0;
    CUDA_CHECK(cudaDeviceCanAccessPeer(&possible, me, peer));
    if (possible == 0) {
      std::printf("SKIPPED: device %d cannot use the memory of device %d\n", me, peer);
      std::exit(77);
    }
    const cudaError_t status = cudaDeviceEnablePeerAccess(peer, 0);
    if (status == cudaErrorPeerAccessAlreadyEnabled) {
      static_cast<void>(cudaGetLastError());  // of an earlier group
    } else {
      CUDA_CHECK(status);
    }
  }

  std::vector<cudaStream_t> streams_, copies_, results_;
  std::vector<std::unique_ptr<Event>> events_;
};

/// An array on each device.
template <class T>
class Arrays {
 public:
  /// @param count elements on each, poisoned
  Arrays(const Group& group, std::size_t count) : group_(group) {
    group.for_each([&](int) { add(count); });
    group.synchronise();  // no stream of the group waits for the default ones
  }
  explicit Arrays(const Group& group) : group_(group) {}  // with none yet
  T* operator[](int me) const { return *arrays_[me]; }
  std::size_t size() const { return arrays_[0]->size(); }
  void add(std::size_t count) {
    arrays_.push_back(std::make_unique<course::DeviceArray<T>>(count));
  }

  void poison() const {
    group_.for_each([&](int me) { arrays_[me]->poison(); });
    group_.synchronise();
  }
  void clear() const {
    group_.for_each([&](int me) {
      if (arrays_[me]->size() > 0) CUDA_CHECK(cudaMemset(*arrays_[me], 0, arrays_[me]->bytes()));
    });
    group_.synchronise();
  }
  void copy_from(int me, const std::vector<T>& values) const {
    const OnDevice there(me);
    arrays_[me]->copy_from(values);
  }
  std::vector<T> to_host(int me) const {
    const OnDevice there(me);
    return arrays_[me]->to_host();
  }

 private:
  const Group& group_;
  std::vector<std::unique_ptr<course::DeviceArray<T>>> arrays_;
};

/// The part of `count` things that device `me` of `devices` has: as even as can be.
struct Part {
  Part(std::size_t count, int me, int devices)
      : first(count * me / devices), end(count * (me + 1) / devices) {}
  std::size_t count() const { return end - first; }
  std::size_t first, end;
};

}  // namespace gpus
