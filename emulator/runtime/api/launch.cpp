/// \file
/// What a host program, or a kernel, does when it launches a kernel: checks, and then the launch,
/// or its way into a stream.

#include <string>
#include <utility>

#include "base/details.hpp"
#include "base/host_state.hpp"
#include "emulator/host/host_api.h"
#include "engine/engine.hpp"
#include "engine/lane_findings.hpp"
#include "engine/launches/child_launches.hpp"
#include "engine/launches/kernel_calls.hpp"
#include "engine/launches/launch_checks.hpp"
#include "events/tasks.hpp"
#include "graphs/capture.hpp"
#include "streams/order.hpp"
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

// A thread of a kernel launches. Of what is wrong its own cudaGetLastError() tells: to the host it
// is no error.
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
    return report_refusal(kernel, refusal);
  }
  if (task.cooperative != nullptr) {
    const LaunchRefusal refusal = check_cooperative(task.cooperative, configuration);
    if (refusal.error != cudaSuccess) return report_refusal(kernel, refusal);
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
    return report_refusal(kernel,
                          {error, "there is no such stream: it was destroyed, or never created",
                           "launch on a stream between its cudaStreamCreate() and its "
                           "cudaStreamDestroy()"});
  }
  KernelTask task{kernel, configuration, body, cooperative};
  if (const cudaError_t error = check_launch(task); error != cudaSuccess) return error;
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
