/// \file
/// What cooperative groups ask of the engine: barriers that are neither a warp's nor a block's:
/// those of tiles of several warps, which may also exchange values; and that of the grid, which
/// cluster_seat.cpp releases.

#include "engine/barriers/group_barriers.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "base/host_state.hpp"
#include "emulator/cooperative/cooperative_base.h"
#include "engine/accesses/record.hpp"
#include "engine/engine.hpp"

// The program's variables, `__device__` ones among them.
extern char __data_start[] __attribute__((weak));
extern char _end[] __attribute__((weak));

namespace emulator::engine {

bool release_tiles(RunningBlock& block) {
  std::vector<Lane>& lanes = block.lanes();
  bool progress = false;
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    if (!waits_for(lanes[i], Wait::tile_exchange)) continue;
    const std::size_t size = lanes[i].tile->size;
    const std::size_t first = i / size * size;
    const std::size_t end = std::min(first + size, lanes.size());
    bool complete = true;
    for (std::size_t other = first; other < end && complete; ++other) {
      const Lane& lane = lanes[other];
      complete = waits_for(lane, Wait::ended) ||
                 (waits_for(lane, Wait::tile_exchange) && lane.tile->size == size);
    }
    if (!complete) continue;
    // All give before any goes on: what they give is on their stacks.
    for (std::size_t other = first; other < end; ++other) {
      if (waits_for(lanes[other], Wait::ended)) continue;
      const TileRequest& taker = *lanes[other].tile;
      const std::size_t source = first + taker.source;
      // A thread that has ended, or that the block has not, has no value to give.
      if (taker.bytes == 0 || source >= end || waits_for(lanes[source], Wait::ended)) continue;
      std::memcpy(taker.result, lanes[source].tile->value, taker.bytes);
    }
    for (std::size_t other = first; other < end; ++other) {
      const std::uint32_t bit = 1U << other % warp_size;
      Warp& warp = block.warps()[other / warp_size];
      warp.move(warp.at(Wait::tile_exchange) & bit, Wait::tile_exchange, Wait::nothing);
    }
    progress = true;
  }
  // The checks know no barrier between some of a block's warps: it counts as one of the block.
  if (progress && block.details() != nullptr) {
    block.details()->sync.block_synchronised(block.first_thread());
  }
  return progress;
}

}  // namespace emulator::engine

// What programs call.
namespace emulator::detail {

using namespace engine;

void tile_exchange(unsigned size, const void* value, void* result, unsigned bytes,
                   unsigned source) {
  Lane* const lane = current_lane;
  if (lane == nullptr) return;  // host code
  record_block_wait(__builtin_return_address(0));
  constexpr unsigned most_bytes = 32;  // code that calls this itself
  TileRequest request{size, value, result, std::min(bytes, most_bytes), source};
  lane->tile = &request;
  lane->worker->wait(*lane, Wait::tile_exchange);
}

bool is_cooperative_launch() {
  return current_lane != nullptr && current_lane->worker->grid().is_cooperative();
}

void grid_barrier() {
  Lane* const lane = current_lane;
  if (lane == nullptr) return;  // host code
  const auto pc = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0));
  if (!lane->worker->grid().is_cooperative()) {
    lane->worker->fail(cudaErrorLaunchFailure,
                       "a barrier of the grid in a kernel that was launched with <<<...>>>: launch "
                       "it with cudaLaunchCooperativeKernel()",
                       "failed-kernel", pc);
  }
  record_barrier(__builtin_return_address(0));
  lane->barrier_pc = pc;
  lane->worker->wait(*lane, Wait::grid_barrier);
}

bool is_from_global_to_shared(const void* to, const void* from) {
  const Lane* const lane = current_lane;
  if (lane == nullptr || !lane->worker->shared().holds(reinterpret_cast<std::uintptr_t>(to)))
    return false;
  const auto source = reinterpret_cast<std::uintptr_t>(from);
  const bool is_variable = source >= reinterpret_cast<std::uintptr_t>(__data_start) &&
                           source < reinterpret_cast<std::uintptr_t>(_end);
  return source - arena_base < arena_size || is_variable;
}

}  // namespace emulator::detail
