/// \file
/// How a launch ends in the middle: what is said of it, and what is cleared away.

#include <cstdio>

#include "engine/barriers/phase_waits.hpp"
#include "engine/barriers/warp_operations.hpp"
#include "engine/engine.hpp"

namespace emulator::engine {

void Worker::end_failed_launch() {
  const LaunchDetails* const details = grid_->details;
  const std::uint64_t found = details != nullptr ? details->faults.findings() : 0;
  for (Warp& warp : block_.warps()) {
    if (warp.trace == nullptr) continue;
    merge(warp, 0);  // what its lanes did before the failure counts
    traces_.take_back(warp);
  }
  const bool is_told = details != nullptr && failure_.is_told(details->faults.findings() != found);
  if (!is_told) failure_.report(details);
  failure_.clear();
  fibers_.reset();
}

const Lane* Worker::polling_lane() const {
  for (const Lane& lane : block_.lanes()) {
    if (waits_for(lane, Wait::nothing)) return &lane;
  }
  return nullptr;
}

void Worker::report_wait_for_a_later_block() {
  fail_for(
      polling_lane(), cudaErrorLaunchFailure,
      "it polls forever: no block that has begun will change what it waits for, and others may "
      "not begin before it ends. A block may wait only for blocks that drew a lower number "
      "from a counter (atomicAdd)",
      "failed-kernel", left_at);
}

void Worker::report_wait_for_nobody() {
  const bool may_be_a_block = grid_->next_block.load(std::memory_order_relaxed) < grid_->blocks;
  if (may_be_a_block) report_wait_for_a_later_block();
  fail_for(polling_lane(), cudaErrorLaunchFailure,
           "it polls forever: all other kernels that have begun have ended, or poll, too, and what "
           "waits in streams waits for them",
           "failed-kernel", left_at);
}

void Worker::report_wait_for_no_block() {
  fail_for(polling_lane(), cudaErrorLaunchFailure,
           "it polls forever: all other blocks have ended, poll, too, or wait at a barrier of the "
           "grid",
           "failed-kernel", left_at);
}

void Worker::report_deadlock() {
  report_endless_phases(block_, failure_);
  for (const Lane& lane : block_.lanes()) {
    if (!waits_for(lane, Wait::grid_barrier)) continue;
    char text[128];
    std::snprintf(text, sizeof(text),
                  "some threads of a %s wait at a barrier of the grid, and the others elsewhere",
                  seat_.cluster() == nullptr ? "block" : "cluster");
    fail_for(&lane, cudaErrorLaunchFailure, text, "divergent-barrier", lane.barrier_pc);
  }
  for (const Warp& warp : block_.warps()) {
    for (unsigned i = 0; i < warp.size; ++i) {
      const Lane& lane = warp.lanes[i];
      if (!waits_for(lane, Wait::warp_operation)) continue;
      for (unsigned other = 0; other < warp.size; ++other) {
        const bool named = (lane.request->mask >> other & 1U) != 0;
        const Lane& absent = warp.lanes[other];
        if (!named || waits_for(absent, Wait::ended)) continue;
        if (waits_for(absent, Wait::warp_operation) && absent.request->mask == lane.request->mask &&
            absent.request->operation == lane.request->operation) {
          continue;
        }
        char text[160];
        std::snprintf(
            text, sizeof(text),
            "a warp operation with mask 0x%08x waits for lane %u, which never comes: that lane "
            "waits at %s",
            lane.request->mask, other,
            waits_for(absent, Wait::block_barrier) ? "__syncthreads" : "another warp operation");
        fail_for(&lane, cudaErrorLaunchFailure, text, "bad-mask", lane.request->site);
      }
    }
  }
  fail_for(nullptr, cudaErrorLaunchFailure, "the threads wait for each other forever");
}

void Worker::fail(cudaError_t error, const char* what, const char* kind, std::uintptr_t pc) {
  fail_for(current_lane, error, what, kind, pc);
}

void Worker::fail_for(const Lane* lane, cudaError_t error, const char* what, const char* kind,
                      std::uintptr_t pc) {
  // What follows is no work of the kernel's. The linker may have chosen the program's copy of
  // std::string's functions, and what is compiled as kernels are gives its turn away now and then:
  // from the engine's own stack, or a signal's, there is no way back.
  current_lane = recording_lane = nullptr;
  cudaError_t none = cudaSuccess;
  if (grid_->error.compare_exchange_strong(none, error)) {
    failure_.note(block_, lane, what, kind, pc);
  }
  abandon(error);
}

void Worker::abandon(cudaError_t error) {
  current_lane = recording_lane = nullptr;  // nor is what ends the launch
  cudaError_t none = cudaSuccess;
  grid_->error.compare_exchange_strong(none, error);
  _longjmp(escape_, 1);
}

}  // namespace emulator::engine
