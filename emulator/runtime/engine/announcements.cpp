/// \file
/// What an observer is told of a launch and of a block before it begins.

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/host_state.hpp"
#include "engine/engine.hpp"
#include "engine/launches/clusters.hpp"

// By the name under which it may be written (builtin_variables.cpp).
extern __thread uint3 current_block __asm__("blockIdx");

extern __thread unsigned char emulator_dynamic_shared_memory[];

namespace emulator::engine {

ObservedLaunch Worker::observed(const char* kernel, const Configuration& configuration) const {
  ObservedLaunch launch;
  launch.kernel = kernel;
  launch.grid = configuration.grid;
  launch.block = configuration.block;
  launch.shared = thread_storage_;
  launch.shared_bytes = thread_storage_bytes_;
  launch.dynamic = reinterpret_cast<std::uintptr_t>(emulator_dynamic_shared_memory);
  launch.dynamic_bytes = configuration.shared_bytes;
  launch.dynamic_limit = shared_bytes_per_block_optin;
  return launch;
}

// The blocks of a cooperative launch have a host thread each, and so shared memory of their own.
void Worker::announce_block() {
  if (cluster_ != nullptr) {
    announce_cluster();
    return;
  }
  const dim3 block(current_block.x, current_block.y, current_block.z);
  if (is_cooperative()) {
    details_->sync.begin_turn(block, block_, thread_storage_,
                              reinterpret_cast<std::uintptr_t>(emulator_dynamic_shared_memory));
  } else {
    details_->sync.begin_block(block);
  }
}

void Worker::announce_cluster() {
  const uint3 first = cluster_->block_index(0);
  std::vector<std::uintptr_t> memories;
  for (unsigned i = 0; i < cluster_->blocks(); ++i) {
    memories.push_back(cluster_->block(i).worker->thread_storage_);
  }
  const auto turn = is_cooperative() ? std::optional(cluster_->number()) : std::nullopt;
  details_->sync.begin_cluster({first.x, first.y, first.z}, cluster_->shape(), memories, turn);
}

}  // namespace emulator::engine
