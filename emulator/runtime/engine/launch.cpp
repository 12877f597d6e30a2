/// \file
/// Launches, and the spreading of blocks over host threads.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

#include "api/host_state.hpp"
#include "checking/finding_text.hpp"
#include "checking/findings.hpp"
#include "checking/host_findings.hpp"
#include "counting/witnessed.hpp"
#include "emulator/host_api.h"
#include "engine/child_launches.hpp"
#include "engine/clusters.hpp"
#include "engine/cooperative_grid.hpp"
#include "engine/engine.hpp"
#include "engine/host_threads.hpp"
#include "engine/kernel_calls.hpp"
#include "engine/launch_checks.hpp"
#include "graphs/capture.hpp"
#include "queue/order.hpp"
#include "queue/work_queue.hpp"
#include "reporting/recorded_launches.hpp"

namespace emulator {
namespace detail {
namespace {

unsigned host_threads() {
  if (const char* const text = std::getenv("EMULATOR_THREADS")) {
    const int value = std::atoi(text);
    if (value >= 1 && value <= 1024) return static_cast<unsigned>(value);
  }
  return std::max(1U, std::thread::hardware_concurrency());
}

// Whether the host can keep that many threads alive; if not, the line is the emulator's own, since
// a GPU could.
bool can_stay_alive(const Grid& grid, HostThreads& pool) {
  const dim3 block = grid.configuration.block;
  const std::uint64_t threads = grid.blocks * block.x * block.y * block.z;
  if (threads <= most_threads_alive && pool.grow(static_cast<std::size_t>(grid.blocks) - 1)) {
    return true;
  }
  std::fprintf(stderr,
               "emulator: error: %s: a cooperative launch of %llu threads; all have to be alive at "
               "once, and here %llu can be at most\n",
               grid.kernel, static_cast<unsigned long long>(threads),
               static_cast<unsigned long long>(most_threads_alive));
  return false;
}

// All blocks at once, each on a host thread.
bool run_cooperative(Grid& grid, LaunchCounters& counters) {
  static HostThreads pool;
  if (!can_stay_alive(grid, pool)) return false;
  Checker* const checker = grid.check ? this_worker().begin_checks(grid) : nullptr;
  CooperativeGrid cooperative(grid.blocks, grid.record, checker, counters);
  grid.cooperative = &cooperative;
  pool.run(grid, counters);
  return true;
}

// As many at once as the host has processors, unless something is recorded.
void run_plain(Grid& grid, LaunchCounters& counters) {
  static const unsigned threads = host_threads();
  if (grid.record || grid.blocks == 1) {
    this_worker().run(grid, counters);
    return;
  }
  static HostThreads pool;
  pool.grow(threads - 1);
  grid.pool = &pool;
  pool.run(grid, counters);
}

// The same where they form clusters. Those of a cluster take turns among themselves, too.
bool run_cooperative_clusters(Grid& grid, LaunchCounters& counters) {
  static HostThreads pool;
  if (!can_stay_alive(grid, pool)) return false;
  const std::uint64_t clusters = grid.blocks / volume(grid.configuration.cluster);
  Checker* const checker = grid.check ? this_worker().begin_checks(grid) : nullptr;
  CooperativeGrid cooperative(clusters, grid.record, checker, counters);
  ClusteredGrid clustered(grid.configuration, static_cast<unsigned>(clusters), checker, counters);
  grid.cooperative = &cooperative;
  grid.clustered = &clustered;
  pool.run(grid, counters);
  return true;
}

// Each block of a cluster on a host thread, and as many clusters at once as there are processors
// for, unless something is recorded. False if the host cannot keep that many threads.
bool run_clusters(Grid& grid, LaunchCounters& counters) {
  static HostThreads pool;
  const dim3 block = grid.configuration.block;
  const unsigned blocks = volume(grid.configuration.cluster);
  const std::uint64_t threads = std::uint64_t{blocks} * block.x * block.y * block.z;
  const std::uint64_t most = std::max<std::uint64_t>(1, most_threads_alive / threads);
  const std::uint64_t at_once =
      grid.record ? 1 : std::min({std::uint64_t{host_threads()}, grid.blocks / blocks, most});
  const auto teams = static_cast<unsigned>(at_once);
  if (!pool.grow(std::size_t{teams} * blocks - 1)) {
    std::fprintf(stderr, "emulator: error: %s: no host threads for clusters of %u blocks\n",
                 grid.kernel, blocks);
    return false;
  }
  Checker* const checker = grid.check ? this_worker().begin_checks(grid) : nullptr;
  ClusteredGrid clustered(grid.configuration, teams, checker, counters);
  grid.clustered = &clustered;
  pool.run(grid, counters);
  return true;
}

cudaError_t refuse(const char* kernel, const Refusal& refusal) {
  set_error(refusal.error);
  if (checks_on()) find_invalid_launch(kernel, refusal.reason, refusal.remedy);
  return refusal.error;
}

}  // namespace

cudaError_t KernelTask::perform() const {
  tell_witness();  // here, and not in the call: work that waits comes in another order
  return perform_now();
}

// The kernel itself has said how many blocks a cluster has, as the first thing that it did.
cudaError_t KernelTask::perform_in_clusters(const dim3& declared) const {
  if (configuration.cluster.x != 0) {
    return refuse(name, {cudaErrorInvalidClusterSize,
                         "the launch is one of clusters of " + triple(configuration.cluster) +
                             " blocks, and the kernel has __cluster_dims__ of " + triple(declared),
                         "leave the attribute out, or __cluster_dims__"});
  }
  KernelTask task = *this;
  task.configuration.cluster = declared;
  if (const Refusal refusal = check_clusters(task.configuration, body.function);
      refusal.error != cudaSuccess) {
    return refuse(name, refusal);
  }
  if (cooperative != nullptr) {
    const Refusal refusal = check_cooperative(cooperative, task.configuration);
    if (refusal.error != cudaSuccess) return refuse(name, refusal);
  }
  return task.perform_now();
}

cudaError_t KernelTask::perform_now() const {
  const DeviceWindow window;
  // What is known of memory is known of it by one launch at a time.
  static std::mutex one_is_checked;
  std::unique_lock checked(one_is_checked, std::defer_lock);
  if (checks_on()) checked.lock();
  Grid grid;
  grid.kernel = name;
  grid.configuration = configuration;
  grid.body = body;
  grid.record = must_record();
  grid.check = checks_on();
  ChildLaunches children;
  grid.children = &children;
  grid.blocks = blocks_of(configuration);

  const auto start = std::chrono::steady_clock::now();
  LaunchCounters counters;
  const bool has_clusters = volume(configuration.cluster) > 1;
  if (cooperative != nullptr) {
    const bool has_run =
        has_clusters ? run_cooperative_clusters(grid, counters) : run_cooperative(grid, counters);
    if (!has_run) return report(cudaErrorCooperativeLaunchTooLarge);
  } else if (!has_clusters) {
    run_plain(grid, counters);
  } else if (!run_clusters(grid, counters)) {
    return report(cudaErrorLaunchOutOfResources);
  }
  if (grid.check) this_worker().end_checks();
  if (grid.declared.x != 0) {
    if (checked.owns_lock()) checked.unlock();
    return perform_in_clusters(grid.declared);
  }
  const cudaError_t error = grid.error.load();
  if (grid.record) {
    const std::chrono::duration<double, std::milli> elapsed =
        std::chrono::steady_clock::now() - start;
    LaunchRecord record;
    record.kernel = name;
    record.grid = configuration.grid;
    record.block = configuration.block;
    record.milliseconds = elapsed.count();
    if (error != cudaSuccess) record.error = cudaGetErrorName(error);
    add_launch(std::move(record), std::move(counters).finish());
  }
  // Now, and not as the program ends: it may well die of what the kernel did.
  if (grid.check) print_new_findings();
  if (error != cudaSuccess) set_sticky_error(error);
  if (checked.owns_lock()) checked.unlock();
  children.perform();
  // As on a GPU, the launch itself went well: the next call that waits for it tells.
  return cudaSuccess;
}

bool KernelTask::keep_arguments(const void* const* others) {
  if (body.keep == nullptr) return false;
  const KeptBody copy = body.keep(body.object, others);
  body.object = copy.object;
  keeps = std::shared_ptr<const void>(copy.owner, copy.destroy);
  return true;
}

/// What a kernel's parameters may have, in bytes: see emulator/compiler/diagnose/kernel_sizes.cpp.
constexpr std::size_t largest_parameters = 32764;

void KernelTask::tell_witness() const {
  if (!is_witnessed) return;
  const auto bytes = std::min<std::uint64_t>(body.parameter_bytes, largest_parameters);
  emulator_tell_witness(Told::launch, bytes, 0);
}

static Refusal check(const KernelTask& task) {
  const Refusal refusal = check_sizes(task.name, task.configuration);
  if (refusal.error != cudaSuccess) return refusal;
  return check_clusters(task.configuration, task.body.function);
}

static Refusal check_child(const KernelTask& task, ChildLaunches& launches) {
  const Refusal refusal = check(task);
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
static void launch_from_kernel(const char* kernel, const Configuration& configuration,
                               const ThreadBody& body, const void* cooperative, const void* pc) {
  if (cooperative != nullptr) {
    current_lane->worker->fail(cudaErrorNotSupported,
                               "a kernel makes a cooperative launch: not modelled");
  }
  if (body.keep == nullptr) {
    current_lane->worker->fail(cudaErrorNotSupported,
                               "a kernel launches one with arguments that cannot be copied");
  }
  const KernelCall call;  // before the task, which ends before it
  KernelTask task{kernel, configuration, body, nullptr};
  const Refusal refusal = check_child(task, call.children());
  if (refusal.error == cudaSuccess) {
    task.keep_arguments();
    call.children().add(call.block(), std::move(task));
    return;
  }
  if (checks_on()) {
    Finding finding;
    finding.kind = "invalid-launch";
    finding.what = "of " + std::string(task.name) + " by the kernel: " + refusal.reason;
    finding.remedy = refusal.remedy;
    Lane& lane = call.lane();
    lane.worker->report(lane, std::move(finding), reinterpret_cast<std::uintptr_t>(pc));
  }
  call.report(refusal.error);
}

static cudaError_t check_launch(const KernelTask& task) {
  const char* const kernel = task.name;
  const Configuration& configuration = task.configuration;
  if (const Refusal refusal = check(task); refusal.error != cudaSuccess) {
    return refuse(kernel, refusal);
  }
  if (task.cooperative != nullptr) {
    const Refusal refusal = check_cooperative(task.cooperative, configuration);
    if (refusal.error != cudaSuccess) return refuse(kernel, refusal);
  }
  install_fault_handler();
  return cudaSuccess;
}

cudaError_t keep_launch(const char* kernel, const Configuration& configuration, ThreadBody body,
                        const void* cooperative, KernelTask& task,
                        const void* const* other_arguments) {
  task = {kernel, configuration, body, cooperative};
  if (const cudaError_t error = check_launch(task); error != cudaSuccess) return error;
  return task.keep_arguments(other_arguments) ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t launch(const char* kernel, const Configuration& configuration, ThreadBody body,
                   const void* cooperative) {
  if (current_lane != nullptr) {
    launch_from_kernel(kernel, configuration, body, cooperative, __builtin_return_address(0));
    return cudaSuccess;
  }
  if (const cudaError_t state = device_state(); state != cudaSuccess) return report(state);
  if (const cudaError_t error = check_stream(configuration.stream); error != cudaSuccess) {
    return refuse(kernel, {error, "there is no such stream: it was destroyed, or never created",
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

}  // namespace detail
}  // namespace emulator
