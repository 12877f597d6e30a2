#include "engine/announcements.hpp"

#include <cstdint>
#include <optional>
#include <vector>

#include "base/devices/devices.hpp"
#include "base/host_state.hpp"
#include "engine/engine.hpp"
#include "engine/launches/clusters.hpp"

// By the name under which it may be written (builtin_variables.cpp).
extern __thread uint3 current_block __asm__("blockIdx");

namespace emulator::engine {
namespace {

void announce_cluster(const RunningBlock& block, const Cluster& cluster) {
  const uint3 first = cluster.block_index(0);
  std::vector<std::uintptr_t> memories;
  for (unsigned i = 0; i < cluster.blocks(); ++i) {
    memories.push_back(cluster.block(i).worker->shared().begin());
  }
  const bool is_cooperative = block.worker().grid().is_cooperative();
  const auto turn = is_cooperative ? std::optional(cluster.number()) : std::nullopt;
  block.details()->sync.begin_cluster({first.x, first.y, first.z}, cluster.shape(), memories, turn);
}

}  // namespace

ObservedLaunch observed_launch(const char* kernel, const void* function,
                               const Configuration& configuration, const SharedStorage& shared) {
  ObservedLaunch launch;
  launch.kernel = kernel;
  launch.function = function;
  launch.grid = configuration.grid;
  launch.block = configuration.block;
  launch.shared = shared.begin();
  launch.shared_bytes = shared.bytes();
  launch.dynamic = SharedStorage::dynamic_begin();
  launch.dynamic_bytes = configuration.shared_bytes;
  launch.dynamic_limit = shared_bytes_per_block_optin;
  launch.device = current_device();
  return launch;
}

// The blocks of a cooperative launch have a host thread each, and so shared memory of their own.
void announce_block(const RunningBlock& block) {
  const Worker& worker = block.worker();
  if (worker.seat().cluster() != nullptr) {
    announce_cluster(block, *worker.seat().cluster());
    return;
  }
  const dim3 place(current_block.x, current_block.y, current_block.z);
  if (worker.grid().is_cooperative()) {
    block.details()->sync.begin_turn(place, block.number(), worker.shared().begin(),
                                     SharedStorage::dynamic_begin());
  } else {
    block.details()->sync.begin_block(place);
  }
}

}  // namespace emulator::engine
