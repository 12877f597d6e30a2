#include "streams/planned_failures.hpp"

#include <atomic>
#include <mutex>

namespace emulator {
namespace streams {
namespace {

constinit std::atomic<Failing> awaited{Failing::nothing};  // what most calls find
std::mutex one_at_a_time;
PlannedFailure failure;

}  // namespace

cudaError_t fails_as_planned(Failing what) {
  if (awaited != what) return cudaSuccess;
  const std::lock_guard lock(one_at_a_time);
  if (failure.what != what) return cudaSuccess;
  if (failure.calls > 0) {
    --failure.calls;
    return cudaSuccess;
  }
  failure = {};
  awaited = Failing::nothing;
  return what == Failing::copy ? cudaErrorUnknown : cudaErrorLaunchOutOfResources;
}

}  // namespace streams

void plan_failure(PlannedFailure planned) {
  const std::lock_guard lock(streams::one_at_a_time);
  streams::failure = planned;
  streams::awaited = planned.what;
}

PlannedFailure planned_failure() {
  const std::lock_guard lock(streams::one_at_a_time);
  return streams::failure;
}

}  // namespace emulator
