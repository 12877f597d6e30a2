#include "engine/launches/child_launches.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "base/host_state.hpp"
#include "engine/engine.hpp"
#include "engine/launches/kernel_calls.hpp"

namespace emulator::engine {
namespace {

// Of the grid that this host thread runs, or runs the children of.
constinit thread_local unsigned current_depth = 0;

// What a stream of a kernel's is called: no pointer, and no number that the host's streams have.
constexpr std::uintptr_t first_stream = std::uintptr_t{0xD} << 60;

}  // namespace

ChildLaunches::ChildLaunches() : depth_(current_depth + 1) {}

bool ChildLaunches::has_stream(cudaStream_t stream) {
  if (stream == nullptr || stream == cudaStreamLegacy || stream == cudaStreamPerThread ||
      stream == cudaStreamTailLaunch || stream == cudaStreamFireAndForget) {
    return true;
  }
  const std::lock_guard lock(mutex_);
  return streams_.contains(stream);
}

void ChildLaunches::add(std::uint64_t block, KernelTask task) {
  const std::lock_guard lock(mutex_);
  const bool is_last = task.configuration.stream == cudaStreamTailLaunch;
  (is_last ? last_ : children_).push_back({block, std::move(task)});
}

cudaStream_t ChildLaunches::create_stream() {
  static std::uintptr_t made = first_stream;
  static std::mutex one_at_a_time;
  const std::lock_guard counting(one_at_a_time);
  const auto stream = std::bit_cast<cudaStream_t>(++made);
  const std::lock_guard lock(mutex_);
  streams_.insert(stream);
  return stream;
}

bool ChildLaunches::destroy_stream(cudaStream_t stream) {
  const std::lock_guard lock(mutex_);
  return streams_.erase(stream) == 1;
}

void ChildLaunches::set_error(std::uint64_t block, unsigned thread, cudaError_t error) {
  const std::lock_guard lock(mutex_);
  errors_[{block, thread}] = error;
}

cudaError_t ChildLaunches::last_error(std::uint64_t block, unsigned thread, bool take) {
  const std::lock_guard lock(mutex_);
  const auto found = errors_.find({block, thread});
  if (found == errors_.end()) return cudaSuccess;
  const cudaError_t error = found->second;
  if (take) errors_.erase(found);
  return error;
}

void ChildLaunches::perform() {
  current_depth = depth_;
  perform(children_);
  perform(last_);
  current_depth = depth_ - 1;
}

void ChildLaunches::perform(std::vector<Child>& children) {
  std::stable_sort(children.begin(), children.end(),
                   [](const Child& a, const Child& b) { return a.block < b.block; });
  for (const Child& child : children) {
    if (sticky_error() != cudaSuccess) return;
    child.task.perform();
  }
}

cudaError_t last_error_in_kernel(bool take) {
  const KernelCall call;
  return call.children().last_error(call.block(), call.thread(), take);
}

cudaError_t create_stream_in_kernel(cudaStream_t* stream, unsigned flags) {
  const KernelCall call;
  if (stream == nullptr || flags != cudaStreamNonBlocking)
    return call.report(cudaErrorInvalidValue);
  *stream = call.children().create_stream();
  return cudaSuccess;
}

cudaError_t destroy_stream_in_kernel(cudaStream_t stream) {
  const KernelCall call;
  const bool destroyed = call.children().destroy_stream(stream);
  return destroyed ? cudaSuccess : call.report(cudaErrorInvalidResourceHandle);
}

}  // namespace emulator::engine
