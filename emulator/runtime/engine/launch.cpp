/// \file
/// Launches: the checks that CUDA makes, and the spreading of blocks over host threads.

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
#include "graphs/capture.hpp"
#include "queue/order.hpp"
#include "queue/work_queue.hpp"
#include "reporting/recorded_launches.hpp"

namespace emulator {
namespace detail {
namespace {

// What is wrong with a configuration.
struct Refusal {
  cudaError_t error = cudaSuccess;
  std::string reason;
  std::string remedy;
};

Refusal too_many(const std::string& what, unsigned limit, const std::string& remedy) {
  return {cudaErrorInvalidConfiguration, what + ": " + std::to_string(limit) + " at most", remedy};
}

// What an H200 says to clusters that do not fit the grid or are too large, or of which the kernel
// says something else: always the same.
Refusal wrong_cluster(const std::string& reason, const std::string& remedy) {
  return {cudaErrorInvalidClusterSize, reason, remedy};
}

Refusal check_clusters(const Configuration& configuration, const void* function) {
  const dim3& size = configuration.cluster;
  const dim3& grid = configuration.grid;
  if (size.x == 0 && size.y == 0 && size.z == 0) return {};
  const std::string cluster = "a cluster of " + triple(size) + " blocks";
  if (size.x == 0 || size.y == 0 || size.z == 0) {
    return wrong_cluster(cluster + " has none", "use at least one block in each direction");
  }
  if (grid.x % size.x != 0 || grid.y % size.y != 0 || grid.z % size.z != 0) {
    return wrong_cluster(
        "a grid of " + triple(grid) + " blocks cannot be divided into clusters of " + triple(size),
        "make the grid a multiple of the cluster in each direction");
  }
  const std::uint64_t blocks = std::uint64_t{size.x} * size.y * size.z;
  if (blocks > largest_cluster) {
    return wrong_cluster(cluster + " has " + std::to_string(blocks) + ": 16 at most",
                         "use smaller clusters");
  }
  if (blocks > largest_cluster_of(function)) {
    return wrong_cluster(
        cluster + " has " + std::to_string(blocks) + ", more than the 8 that every GPU can have",
        "use smaller clusters, or ask for it before the launch: cudaFuncSetAttribute(kernel, "
        "cudaFuncAttributeNonPortableClusterSizeAllowed, 1)");
  }
  return {};
}

// Limits of every current GPU: CUDA C++ Programming Guide, "Technical Specifications per Compute
// Capability".
Refusal check(const char* kernel, const Configuration& configuration) {
  const dim3 grid = configuration.grid;
  const dim3 block = configuration.block;
  if (grid.x == 0 || grid.y == 0 || grid.z == 0) {
    return {
        cudaErrorInvalidConfiguration, "a grid of " + triple(grid) + " has no blocks",
        "round up: (elements + threads - 1) / threads blocks; and if there are no elements, launch "
        "nothing"};
  }
  if (block.x == 0 || block.y == 0 || block.z == 0) {
    return {cudaErrorInvalidConfiguration, "a block of " + triple(block) + " has no threads",
            "use at least one thread in each direction"};
  }
  const auto blocks = [&](unsigned count, const char* direction) {
    return "a grid of " + triple(grid) + " blocks has " + std::to_string(count) + direction;
  };
  if (grid.x > 0x7FFFFFFFU) {
    return too_many(blocks(grid.x, " in x"), 0x7FFFFFFFU, "let each thread do more, in a loop");
  }
  if (grid.y > 65535 || grid.z > 65535) {
    return too_many(grid.y > 65535 ? blocks(grid.y, " in y") : blocks(grid.z, " in z"), 65535,
                    "swap the directions: 2147483647 are allowed in x");
  }
  const std::uint64_t threads = std::uint64_t{block.x} * block.y * block.z;
  if (block.x > 1024 || block.y > 1024 || (block.z <= 64 && threads > 1024)) {
    const bool flat = block.y == 1 && block.z == 1;
    return too_many("a block of " + (flat ? "" : triple(block) + " has ") +
                        std::to_string(threads) + " threads",
                    1024, "launch smaller blocks and more of them");
  }
  if (block.z > 64) {
    return too_many(
        "a block of " + triple(block) + " threads has " + std::to_string(block.z) + " in z", 64,
        "swap the directions: 1024 are allowed in x");
  }
  const std::size_t limit = dynamic_shared_limit_of_any_kernel();
  if (configuration.shared_bytes > limit) {
    const std::string bytes = std::to_string(configuration.shared_bytes);
    return {cudaErrorInvalidValue,
            bytes + " bytes of dynamic shared memory: " + std::to_string(limit) + " at most",
            configuration.shared_bytes <= shared_bytes_per_block_optin
                ? "ask for more before the launch: cudaFuncSetAttribute(" + std::string(kernel) +
                      ", cudaFuncAttributeMaxDynamicSharedMemorySize, " + bytes + ")"
                : "use less: no kernel can have more than " +
                      std::to_string(shared_bytes_per_block_optin)};
  }
  return {};
}

unsigned host_threads() {
  if (const char* const text = std::getenv("EMULATOR_THREADS")) {
    const int value = std::atoi(text);
    if (value >= 1 && value <= 1024) return static_cast<unsigned>(value);
  }
  return std::max(1U, std::thread::hardware_concurrency());
}

// Whether the grid is too large for its blocks to wait for each other: on a GPU all must fit on it
// at the same time.
Refusal check_cooperative(const void* function, const Configuration& configuration,
                          std::uint64_t blocks) {
  const dim3 block = configuration.block;
  const unsigned threads = block.x * block.y * block.z;
  int resident = 0;
  const cudaError_t error = cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
      &resident, function, static_cast<int>(threads), configuration.shared_bytes, 0);
  if (error != cudaSuccess) return {error, "no such kernel", "launch a kernel of the program"};
  const auto most =
      static_cast<std::uint64_t>(resident) * static_cast<std::uint64_t>(multiprocessors());
  const std::string launch = "a cooperative launch of " + std::to_string(blocks) + " blocks of " +
                             std::to_string(threads) + " threads: ";
  if (blocks > most) {
    return {cudaErrorCooperativeLaunchTooLarge,
            launch + "the device can hold " + std::to_string(most) + " of them at once",
            "launch at most the number of multiprocessors times what "
            "cudaOccupancyMaxActiveBlocksPerMultiprocessor() gives, or give the emulator more "
            "multiprocessors: EMULATOR_MULTIPROCESSORS=" +
                (resident > 0 ? std::to_string((blocks - 1) / static_cast<unsigned>(resident) + 1)
                              : std::string("..."))};
  }
  return {};
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

// Possible on a GPU: the line is the emulator's own.
cudaError_t refuse_cooperative_clusters(const char* kernel) {
  std::fprintf(stderr, "emulator: error: %s: a cooperative launch of clusters is not modelled\n",
               kernel);
  return report(cudaErrorNotSupported);
}

std::uint64_t blocks_of(const Configuration& configuration) {
  const dim3 size = configuration.grid;
  return std::uint64_t{size.x} * size.y * size.z;
}

}  // namespace

cudaError_t KernelTask::perform() const {
  tell_witness();  // here, and not in the call: work that waits comes in another order
  return perform_now();
}

// The kernel itself has said how many blocks a cluster has, as the first thing that it did.
cudaError_t KernelTask::perform_in_clusters(const dim3& declared) const {
  if (configuration.cluster.x != 0) {
    return refuse(
        name,
        wrong_cluster("the launch is one of clusters of " + triple(configuration.cluster) +
                          " blocks, and the kernel has __cluster_dims__ of " + triple(declared),
                      "leave the attribute out, or __cluster_dims__"));
  }
  KernelTask task = *this;
  task.configuration.cluster = declared;
  if (const Refusal refusal = check_clusters(task.configuration, body.function);
      refusal.error != cudaSuccess) {
    return refuse(name, refusal);
  }
  if (cooperative != nullptr) return refuse_cooperative_clusters(name);
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
  if (volume(configuration.cluster) > 1) {
    if (!run_clusters(grid, counters)) return report(cudaErrorLaunchOutOfResources);
  } else if (cooperative == nullptr) {
    run_plain(grid, counters);
  } else if (!run_cooperative(grid, counters)) {
    return report(cudaErrorCooperativeLaunchTooLarge);
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

/// What a kernel's parameters may have, in bytes: see emulator/translator/kernel_sizes.cpp.
constexpr std::size_t largest_parameters = 32764;

void KernelTask::tell_witness() const {
  if (!is_witnessed) return;
  const auto bytes = std::min<std::uint64_t>(body.parameter_bytes, largest_parameters);
  emulator_tell_witness(Told::launch, bytes, 0);
}

static Refusal check(const KernelTask& task) {
  const Refusal refusal = check(task.name, task.configuration);
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
    if (volume(configuration.cluster) > 1) return refuse_cooperative_clusters(kernel);
    const Refusal refusal =
        check_cooperative(task.cooperative, configuration, blocks_of(configuration));
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
