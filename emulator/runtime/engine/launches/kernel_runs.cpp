/// \file
/// Running a launch: the spreading of its blocks over host threads.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "base/details.hpp"
#include "base/devices/device_turns.hpp"
#include "base/devices/devices.hpp"
#include "base/extents.hpp"
#include "base/host_state.hpp"
#include "base/words.hpp"
#include "emulator/host/host_api.h"
#include "engine/announcements.hpp"
#include "engine/engine.hpp"
#include "engine/host_threads.hpp"
#include "engine/launches/child_launches.hpp"
#include "engine/launches/clusters.hpp"
#include "engine/launches/cooperative_grid.hpp"
#include "engine/launches/launch_checks.hpp"
#include "engine/launches/launch_turn.hpp"
#include "events/launch_observer.hpp"
#include "events/opaque_numbers.hpp"
#include "events/tasks.hpp"
#include "events/witnessed.hpp"

namespace emulator::engine {
namespace {

unsigned host_threads() {
  if (const char* const text = std::getenv("EMULATOR_THREADS")) {
    const int value = std::atoi(text);
    if (value >= 1 && value <= 1024) return static_cast<unsigned>(value);
  }
  return std::max(1U, std::thread::hardware_concurrency());
}

enum class Launched : std::uint8_t { cooperative, plain, cooperative_clusters, clusters };

// With several devices launches may be on their way beside each other, each with a host thread of
// its own, and with helpers of its own.
template <Launched>
HostThreads& host_threads_for() {
  if (device_count() == 1) {
    static HostThreads for_all;
    return for_all;
  }
  thread_local auto& own = *new HostThreads;  // never destroyed: nor is who has it
  return own;
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
               "emulator: error: %s: a cooperative launch of %llu threads; all must be resident at "
               "once, and at most %llu can be here\n",
               grid.kernel, static_cast<unsigned long long>(threads),
               static_cast<unsigned long long>(most_threads_alive));
  return false;
}

// All blocks at once, each on a host thread.
bool run_cooperative(Grid& grid) {
  HostThreads& pool = host_threads_for<Launched::cooperative>();
  if (!can_stay_alive(grid, pool)) return false;
  CooperativeGrid cooperative(grid.blocks, grid.observer);
  grid.cooperative = &cooperative;
  pool.run(grid);
  return true;
}

// As many at once as the host has processors, unless something is recorded.
void run_plain(Grid& grid) {
  static const unsigned threads = host_threads();
  if (grid.observer != nullptr || grid.blocks == 1) {
    this_worker().run(grid);
    return;
  }
  HostThreads& pool = host_threads_for<Launched::plain>();
  pool.grow(threads - 1);
  grid.pool = &pool;
  pool.run(grid);
}

// The same where they form clusters. Those of a cluster also take turns among themselves.
bool run_cooperative_clusters(Grid& grid) {
  HostThreads& pool = host_threads_for<Launched::cooperative_clusters>();
  if (!can_stay_alive(grid, pool)) return false;
  const std::uint64_t clusters = grid.blocks / volume(grid.configuration.cluster);
  CooperativeGrid cooperative(clusters, grid.observer);
  ClusteredGrid clustered(grid.configuration, static_cast<unsigned>(clusters));
  grid.cooperative = &cooperative;
  grid.clustered = &clustered;
  pool.run(grid);
  return true;
}

// Each block of a cluster on a host thread, and as many clusters at once as there are processors
// for, unless something is recorded. False if the host cannot keep that many threads.
bool run_clusters(Grid& grid) {
  HostThreads& pool = host_threads_for<Launched::clusters>();
  const dim3 block = grid.configuration.block;
  const unsigned blocks = volume(grid.configuration.cluster);
  const std::uint64_t threads = std::uint64_t{blocks} * block.x * block.y * block.z;
  const std::uint64_t most = std::max<std::uint64_t>(1, most_threads_alive / threads);
  const std::uint64_t at_once =
      grid.observer != nullptr
          ? 1
          : std::min({std::uint64_t{host_threads()}, grid.blocks / blocks, most});
  const auto teams = static_cast<unsigned>(at_once);
  if (!pool.grow(std::size_t{teams} * blocks - 1)) {
    std::fprintf(stderr, "emulator: error: %s: no host threads for clusters of %u blocks\n",
                 grid.kernel, blocks);
    return false;
  }
  ClusteredGrid clustered(grid.configuration, teams);
  grid.clustered = &clustered;
  pool.run(grid);
  return true;
}

}  // namespace

/// What a kernel's parameters may have, in bytes: see emulator/compiler/diagnose/kernel_sizes.cpp.
constexpr std::size_t largest_parameters = 32764;

}  // namespace emulator::engine

namespace emulator::detail {

using namespace engine;

cudaError_t KernelTask::perform() const {
  tell_witness();  // here, and not in the call: work that waits comes in another order
  if (!has_opaque_numbers()) return perform_now();
  KernelTask task = *this;
  task.reveal_arguments();
  const RevealedMemory revealed;
  return task.perform_now();
}

void KernelTask::reveal_arguments() {
  if (body.arguments == nullptr || !keep_arguments()) return;
  // Of what is kept the arguments come first, and the body last (kept_launch.h).
  const void* const first = *body.arguments(body.object);
  if (first == nullptr) return;
  auto* const begin = static_cast<unsigned char*>(const_cast<void*>(first));
  const auto* const end = static_cast<const unsigned char*>(body.object);
  events::reveal_arguments(begin, static_cast<std::size_t>(end - begin));
}

// The kernel itself has said how many blocks a cluster has, as the first thing that it did.
cudaError_t KernelTask::perform_in_clusters(const dim3& declared) const {
  if (configuration.cluster.x != 0) {
    return report_refusal(
        name, body.function,
        {cudaErrorInvalidClusterSize,
         "the launch has clusters of " + triple(configuration.cluster) +
             " blocks, and the kernel has __cluster_dims__ of " + triple(declared),
         "leave the attribute out, or __cluster_dims__"});
  }
  KernelTask task = *this;
  task.configuration.cluster = declared;
  if (const LaunchRefusal refusal = check_clusters(task.configuration, body.function);
      refusal.error != cudaSuccess) {
    return report_refusal(name, body.function, refusal);
  }
  if (cooperative != nullptr) {
    const LaunchRefusal refusal = check_cooperative(cooperative, task.configuration);
    if (refusal.error != cudaSuccess) return report_refusal(name, body.function, refusal);
  }
  return task.perform_now();
}

cudaError_t KernelTask::perform_now() const {
  const DeviceWindow window;
  std::optional<KernelView> view(std::in_place);
  // What is known of memory is known of it by one launch at a time: with several devices, by that
  // which has its turn.
  static std::mutex one_is_detailed;
  std::unique_lock detailed(one_is_detailed, std::defer_lock);
  if (details_wanted() && device_count() == 1) detailed.lock();
  const std::unique_ptr<LaunchObserver> observer =
      observer_of(observed_launch(name, body.function, configuration, this_worker().shared()));
  Grid grid;
  grid.kernel = name;
  grid.configuration = configuration;
  grid.body = body;
  grid.observer = observer.get();
  grid.details = observer != nullptr ? observer->details() : nullptr;
  LaunchTurn turn(*view, /*one_runs=*/observer != nullptr);
  if (view->can_give_way()) {
    install_fault_handler();
    grid.turn = &turn;
  }
  ChildLaunches children;
  grid.children = &children;
  grid.blocks = blocks_of(configuration);
  grid.order = BlockOrder(grid.blocks);

  const auto start = std::chrono::steady_clock::now();
  const bool has_clusters = volume(configuration.cluster) > 1;
  if (cooperative != nullptr) {
    const bool has_run = has_clusters ? run_cooperative_clusters(grid) : run_cooperative(grid);
    if (!has_run) return report(cudaErrorCooperativeLaunchTooLarge);
  } else if (!has_clusters) {
    run_plain(grid);
  } else if (!run_clusters(grid)) {
    return report(cudaErrorLaunchOutOfResources);
  }
  if (observer != nullptr) observer->blocks_ended();
  if (grid.declared.x != 0) {
    if (detailed.owns_lock()) detailed.unlock();
    view.reset();
    return perform_in_clusters(grid.declared);
  }
  const cudaError_t error = grid.error.load();
  if (observer != nullptr) {
    const std::chrono::duration<double, std::milli> elapsed =
        std::chrono::steady_clock::now() - start;
    observer->launch_ended(error != cudaSuccess ? cudaGetErrorName(error) : nullptr,
                           elapsed.count());
  }
  if (error != cudaSuccess) set_sticky_error(error);
  if (detailed.owns_lock()) detailed.unlock();
  view.reset();
  children.perform();
  // As on a GPU, the launch itself went well: the next call that waits for it returns the error.
  return cudaSuccess;
}

bool KernelTask::keep_arguments(const void* const* others) {
  if (body.keep == nullptr) return false;
  const KeptBody copy = body.keep(body.object, others);
  body.object = copy.object;
  keeps = std::shared_ptr<const void>(copy.owner, copy.destroy);
  return true;
}

void KernelTask::tell_witness() const {
  if (!is_witnessed) return;
  const auto bytes = std::min<std::uint64_t>(body.parameter_bytes, largest_parameters);
  emulator_tell_witness(Announcement::launch, bytes, 0);
}

}  // namespace emulator::detail
