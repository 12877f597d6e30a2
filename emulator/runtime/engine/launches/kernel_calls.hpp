#pragma once
/// \file
/// Functions of the API that a thread of a kernel calls.

#include <cstdint>
#include <utility>

#include "base/rooms.hpp"
#include "engine/engine.hpp"
#include "engine/launches/child_launches.hpp"

namespace emulator::engine {

/// For the time of such a call the thread keeps its turn, since it may hold a lock, and what it
/// does is no work of the kernel's.
class KernelCall {
 public:
  KernelCall()
      : lane_(*std::exchange(current_lane, nullptr)),
        recorded_(std::exchange(recording_lane, nullptr)) {}
  ~KernelCall() {
    current_lane = &lane_;
    recording_lane = recorded_;
  }
  KernelCall(const KernelCall&) = delete;
  KernelCall& operator=(const KernelCall&) = delete;

  ChildLaunches& children() const { return *lane_.worker->grid().children; }
  std::uint64_t block() const { return lane_.worker->block().number(); }
  unsigned thread() const { return lane_.worker->block().number_of(lane_); }
  Lane& lane() const { return lane_; }

  /// Leaves the error for the thread's cudaGetLastError().
  cudaError_t report(cudaError_t error) const {
    children().set_error(block(), thread(), error);
    return error;
  }

 private:
  Lane& lane_;
  Lane* const recorded_;
};

}  // namespace emulator::engine
