/// \file
/// How a launch ends in the middle: what is said of it, and what is cleared away.

#include <cstdio>
#include <string>
#include <utility>

#include "base/words.hpp"
#include "engine/engine.hpp"

// By the name under which it may be written (builtin_variables.cpp).
extern __thread uint3 current_block __asm__("blockIdx");

namespace emulator::engine {

void Worker::end_failed_launch() {
  const std::uint64_t found = details_ != nullptr ? details_->faults.findings() : 0;
  for (Warp& warp : warps_) {
    if (warp.trace == nullptr) continue;
    merge(warp, 0);  // what its lanes did before the failure counts
    idle_traces_.push_back(std::move(warp.trace));
  }
  // If the access that failed was found, that says more than that its address was illegal.
  const bool was_found = details_ != nullptr && details_->faults.findings() != found;
  // A pointer that is not aligned was found before it was used, unless an instruction wants more
  // of it than its type does.
  const bool was_told = details_ != nullptr && failure_.kind == "misaligned" && failure_.pc == 0;
  const bool is_same = was_found && failure_.kind == "out-of-bounds" && failure_.pc == 0;
  if (!was_told && !is_same) report_failure();
  failure_ = {};
  discard_fibers();
}

void Worker::report_failure() {
  if (failure_.text.empty()) return;
  if (details_ == nullptr) {
    std::fflush(stdout);
    std::fprintf(stderr, "emulator: error: %s\n", failure_.text.c_str());
    return;
  }
  Finding finding;
  finding.kind = failure_.kind;
  finding.what = failure_.text;
  finding.remedy = remedy_of(failure_.kind);
  finding.others = std::move(failure_.others);
  // Who has not waited for a tile reads what is not there, and what comes of that is told behind
  // it.
  if (failure_.kind == "misused-barrier") details_->faults.barrier_failed();
  details_->faults.found(std::move(finding), failure_.pc, failure_.thread);
}

void Worker::report_deadlock() {
  report_endless_phases();
  for (Lane& lane : lanes_) {
    if (!waits_for(lane, Wait::grid_barrier)) continue;
    char text[128];
    std::snprintf(text, sizeof(text),
                  "some threads of a %s wait at a barrier of the grid, and the others elsewhere",
                  cluster_ == nullptr ? "block" : "cluster");
    fail_for(&lane, cudaErrorLaunchFailure, text, "divergent-barrier", lane.barrier_pc);
  }
  for (Warp& warp : warps_) {
    for (unsigned i = 0; i < warp.size; ++i) {
      Lane& lane = warp.lanes[i];
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
  fail_for(nullptr, cudaErrorLaunchFailure, "the threads wait for each other for ever");
}

void Worker::report_misaligned(const Lane& lane, std::uintptr_t pointer, unsigned alignment,
                               const std::string& type, std::uintptr_t pc) {
  details_->faults.misaligned_pointer(pointer, alignment, type, pc, is_shared(pointer),
                                      number_of(lane));
}

void Worker::report_shift(const Lane& lane, const std::string& amount, unsigned bits,
                          std::uintptr_t pc) {
  details_->faults.wide_shift(amount, bits, pc, number_of(lane));
}

void Worker::report(Finding finding, std::uintptr_t pc) {
  report(*current_lane, std::move(finding), pc);
}

void Worker::report(const Lane& lane, Finding finding, std::uintptr_t pc) {
  details_->faults.found(std::move(finding), pc, number_of(lane));
}

std::string Worker::describe(const char* what, const Lane* lane) const {
  std::string text = grid_ != nullptr ? grid_->kernel : "kernel";
  text += std::string(": ") + what;
  if (lane != nullptr) {
    const uint3 t = lane->index;
    char where[96];
    std::snprintf(where, sizeof(where), ", thread (%u,%u,%u) of block (%u,%u,%u)", t.x, t.y, t.z,
                  current_block.x, current_block.y, current_block.z);
    text += where;
  }
  return text;
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
    failure_ = {details_ != nullptr ? what : describe(what, lane), kind, pc, 0,
                std::move(failure_.others)};
    if (lane != nullptr) failure_.thread = number_of(*lane);
  }
  abandon(error);
}

void Worker::abandon(cudaError_t error) {
  current_lane = recording_lane = nullptr;  // nor is what ends the launch
  cudaError_t none = cudaSuccess;
  grid_->error.compare_exchange_strong(none, error);
  _longjmp(escape_, 1);
}

bool Worker::grow_stack(const void* address) const {
  return current_lane != nullptr && current_lane->fiber != nullptr &&
         current_lane->fiber->grow(address);
}

bool Worker::stack_overflowed(const void* address) const {
  return current_lane != nullptr && current_lane->fiber != nullptr &&
         current_lane->fiber->overflowed(address);
}

}  // namespace emulator::engine
