/// \file
/// What a host program, or a kernel, does when it launches a kernel: checks, and then the launch,
/// or its way into a stream.

#include <string>
#include <utility>

#include "base/details.hpp"
#include "base/devices/devices.hpp"
#include "base/host_state.hpp"
#include "emulator/host/host_api.h"
#include "engine/engine.hpp"
#include "engine/lane_findings.hpp"
#include "engine/launches/child_launches.hpp"
#include "engine/launches/kernel_calls.hpp"
#include "engine/launches/launch_checks.hpp"
#include "events/tasks.hpp"
#include "graphs/capture.hpp"
#include "streams/handles.hpp"
#include "streams/order.hpp"
#include "streams/planned_failures.hpp"
#include "streams/work_queue.hpp"

namespace emulator::api {
namespace {

LaunchRefusal check(const KernelTask& task) {
  const LaunchRefusal refusal = check_sizes(task.name, task.configuration);
  if (refusal.error != cudaSuccess) return refusal;
  return check_clusters(task.configuration, task.body.function);
}

LaunchRefusal check_child(const KernelTask& task, ChildLaunches& launches) {
  const LaunchRefusal refusal = check(task);
  if (refusal.error != cudaSuccess) return refusal;
  if (!launches.has_stream(task.configuration.stream)) {
    return {cudaErrorInvalidResourceHandle, "the kernel has no such stream",
            "launch into one that the kernel has made, or into none"};
  }
  if (launches.are_too_deep()) {
    return {cudaErrorLaunchMaxDepthExceeded,
            "grids are nested " + std::to_string(ChildLaunches::deepest) + " deep at most",
            "let the host launch, or a loop do the rest"};
  }
  return {};
}

// An address of the thread's stack or of the block's shared memory among the arguments, which have
// been kept: it means nothing to the child.
void look_for_own_addresses(const Lane& lane, const KernelTask& task, const void* pc) {
  if (!details_wanted()) return;
  // Of what is kept the arguments come first, and the body last (kept_launch.h).
  const auto* word = static_cast<const std::uintptr_t*>(task.keeps.get());
  for (; word + 1 <= task.body.object; ++word) {
    const bool is_local = lane.fiber->holds(*word);
    if (!is_local && !lane.worker->shared().holds(*word)) continue;
    Finding finding;
    finding.kind = "invalid-launch";
    finding.what = "of " + std::string(task.name) + " by the kernel: an argument points to the " +
                   (is_local ? "thread's local" : "block's shared") +
                   " memory, which the child cannot reach";
    finding.remedy = "put the value into global memory, or pass the value itself";
    report_finding(lane, std::move(finding), reinterpret_cast<std::uintptr_t>(pc));
    return;
  }
}

// A thread of a kernel launches. Of what is wrong its own cudaGetLastError() returns: to the host
// it is not an error.
void launch_from_kernel(const char* kernel, const Configuration& configuration,
                        const ThreadBody& body, const void* cooperative, const void* pc) {
  if (cooperative != nullptr) {
    current_lane->worker->fail(cudaErrorNotSupported,
                               "a cooperative launch by a kernel is not modelled");
  }
  if (body.keep == nullptr) {
    current_lane->worker->fail(cudaErrorNotSupported,
                               "a kernel launches a kernel with arguments that cannot be copied");
  }
  const KernelCall call;  // before the task, which ends before it
  KernelTask task{kernel, configuration, body, nullptr};
  const LaunchRefusal refusal = check_child(task, call.children());
  if (refusal.error == cudaSuccess) {
    task.keep_arguments();
    look_for_own_addresses(call.lane(), task, pc);
    call.children().add(call.block(), std::move(task));
    return;
  }
  if (details_wanted()) {
    Finding finding;
    finding.kind = "invalid-launch";
    finding.what = "of " + std::string(task.name) + " by the kernel: " + refusal.reason;
    finding.remedy = refusal.remedy;
    Lane& lane = call.lane();
    report_finding(lane, std::move(finding), reinterpret_cast<std::uintptr_t>(pc));
  }
  call.report(refusal.error);
}

cudaError_t check_launch(const KernelTask& task) {
  const char* const kernel = task.name;
  const Configuration& configuration = task.configuration;
  if (const LaunchRefusal refusal = check(task); refusal.error != cudaSuccess) {
    return report_refusal(kernel, task.body.function, refusal);
  }
  if (const LaunchRefusal refusal = check_bounds(task.body, configuration);
      refusal.error != cudaSuccess) {
    return report_refusal(kernel, task.body.function, refusal);
  }
  if (task.cooperative != nullptr) {
    const LaunchRefusal refusal = check_cooperative(task.cooperative, configuration);
    if (refusal.error != cudaSuccess) return report_refusal(kernel, task.body.function, refusal);
  }
  install_fault_handler();
  return cudaSuccess;
}

}  // namespace

}  // namespace emulator::api

namespace emulator::events {

using namespace api;

cudaError_t keep_launch(const char* kernel, const Configuration& configuration, ThreadBody body,
                        const void* cooperative, KernelTask& task,
                        const void* const* other_arguments) {
  task = {kernel, configuration, body, cooperative};
  if (const cudaError_t error = check_launch(task); error != cudaSuccess) return error;
  return task.keep_arguments(other_arguments) ? cudaSuccess : cudaErrorInvalidValue;
}

}  // namespace emulator::events

// What programs call.
namespace emulator::detail {

using namespace api;

cudaError_t launch(const char* kernel, const Configuration& configuration, ThreadBody body,
                   const void* cooperative) {
  if (current_lane != nullptr) {
    launch_from_kernel(kernel, configuration, body, cooperative, __builtin_return_address(0));
    return cudaSuccess;
  }
  if (const cudaError_t state = device_state(); state != cudaSuccess) return report(state);
  if (const cudaError_t error = check_stream(configuration.stream); error != cudaSuccess) {
    return report_refusal(kernel, body.function,
                          {error, "there is no such stream: it was destroyed, or never created",
                           "launch on a stream between its cudaStreamCreate() and its "
                           "cudaStreamDestroy()"});
  }
  if (device_of(configuration.stream) != current_device()) {
    const std::string own = std::to_string(device_of(configuration.stream));
    return report_refusal(kernel, body.function,
                          {cudaErrorInvalidResourceHandle,
                           "the stream is device " + own + "'s, and device " +
                               std::to_string(current_device()) + " is in use",
                           "call cudaSetDevice(" + own +
                               ") before the launch, or launch on a stream that was made "
                               "while this device was in use"});
  }
  KernelTask task{kernel, configuration, body, cooperative};
  if (const cudaError_t error = check_launch(task); error != cudaSuccess) return error;
  if (const cudaError_t error = fails_as_planned(Failing::launch); error != cudaSuccess) {
    return report(error);
  }
  if (is_straight_through()) return task.perform();
  if (is_captured(configuration.stream)) return capture_launch(std::move(task));
  if (!task.keep_arguments()) {
    const InPlace in_place(configuration.stream, kernel);
    return task.perform();
  }
  enqueue(configuration.stream, std::move(task));
  return cudaSuccess;
}

}  // namespace emulator::detail
