/// \file
/// The occupancy queries (CUDA C++ Programming Guide, "Occupancy Calculator").

#include "base/occupancy.hpp"

#include <algorithm>
#include <cstdint>
#include <unordered_map>

#include "base/extents.hpp"
#include "base/host_state.hpp"
#include "base/source_places.hpp"
#include "emulator/host/host_api.h"
#include "emulator/host/launch_config.h"

namespace emulator::base {
namespace {

// What the translator has left of each kernel with launch bounds: how far before here a place in
// its code is, and the number.
struct LeftBound {
  std::int32_t place;
  std::int32_t threads;
};

extern "C" {
extern const LeftBound __start_emulator_launch_bounds[] __attribute__((weak));
extern const LeftBound __stop_emulator_launch_bounds[] __attribute__((weak));
}

using Bounds = std::unordered_map<std::uintptr_t, int>;  // by kernels' addresses

Bounds read_bounds() {
  Bounds result;
  for (const auto* left = __start_emulator_launch_bounds; left != __stop_emulator_launch_bounds;
       ++left) {
    const auto place = reinterpret_cast<std::uintptr_t>(&left->place) +
                       static_cast<std::uintptr_t>(std::intptr_t{left->place});
    result[function_begin(place)] = left->threads;
  }
  return result;
}

constexpr std::size_t shared_unit = 128;  // shared memory is handed out in multiples of it

template <class T>
T round_up(T value, T unit) {
  return (value + unit - 1) / unit * unit;
}

// Warps are whole, so a block counts as a multiple of 32 threads.
int blocks_by_threads(int block_size) {
  return std::min(threads_per_multiprocessor / round_up(block_size, 32), blocks_per_multiprocessor);
}

}  // namespace

int largest_block(const void* function) {
  static const auto& bounds = *new Bounds(read_bounds());  // never destroyed
  const auto found = bounds.find(reinterpret_cast<std::uintptr_t>(function));
  return found == bounds.end() ? threads_per_block : found->second;
}

int resident_blocks(const void* function, int block_size, std::size_t dynamic_shared_bytes) {
  if (block_size > largest_block(function) ||
      dynamic_shared_bytes > dynamic_shared_limit(function)) {
    return 0;
  }
  const std::size_t one_block =
      round_up(dynamic_shared_bytes, shared_unit) + shared_bytes_reserved_per_block;
  const int by_shared = static_cast<int>(shared_bytes_per_multiprocessor / one_block);
  return std::min(blocks_by_threads(block_size), by_shared);
}

}  // namespace emulator::base

// What programs call.
namespace emulator::detail {

using namespace base;

cudaError_t best_block_size(int* grid_size, int* block_size, const void* function,
                            std::size_t (*shared_bytes)(const void* context, int block_size),
                            const void* context, int limit, unsigned int flags) {
  if (grid_size == nullptr || block_size == nullptr || flags > 1) {
    return report(cudaErrorInvalidValue);
  }
  if (function == nullptr) return report(cudaErrorInvalidDeviceFunction);
  return device_call([&] {
    const int most = largest_block(function);
    const int largest = limit <= 0 ? most : std::min(limit, most);
    int best_threads = 0;
    *grid_size = 0;
    *block_size = 0;
    // From the largest down, so that the first of several that do equally well is the largest.
    for (int warps = round_up(largest, 32) / 32; warps > 0; --warps) {
      const int size = std::min(warps * 32, largest);
      const int blocks = resident_blocks(function, size, shared_bytes(context, size));
      if (blocks * size > best_threads) {
        best_threads = blocks * size;
        *grid_size = blocks * multiprocessors();
        *block_size = size;
      }
      if (best_threads == threads_per_multiprocessor) break;
    }
    return cudaSuccess;
  });
}

}  // namespace emulator::detail

using namespace emulator::base;

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks,
                                                                   const void* function,
                                                                   int block_size,
                                                                   std::size_t dynamic_shared_bytes,
                                                                   unsigned int flags) {
  if (blocks == nullptr || block_size <= 0 || flags > 1) return report(cudaErrorInvalidValue);
  if (function == nullptr) return report(cudaErrorInvalidDeviceFunction);
  return device_call([&] {
    *blocks = resident_blocks(function, block_size, dynamic_shared_bytes);
    return cudaSuccess;
  });
}

// As measured on an H200, the memory that the system reserves in each block is left out of the sum,
// so that one block less fits than was asked for when the answer is used to the last byte.
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(std::size_t* bytes, const void* function,
                                                      int blocks, int block_size) {
  if (bytes == nullptr || blocks <= 0 || block_size <= 0 || block_size > threads_per_block ||
      blocks > blocks_by_threads(block_size)) {
    return report(cudaErrorInvalidValue);
  }
  if (function == nullptr) return report(cudaErrorInvalidDeviceFunction);
  return device_call([&] {
    const std::size_t share = shared_bytes_per_multiprocessor / static_cast<std::size_t>(blocks);
    *bytes = std::min(share / shared_unit * shared_unit, dynamic_shared_limit(function));
    return cudaSuccess;
  });
}

cudaError_t cudaOccupancyMaxActiveClusters(int* clusters, const void* kernel,
                                           const cudaLaunchConfig_t* config) {
  if (clusters == nullptr || config == nullptr) return report(cudaErrorInvalidValue);
  if (kernel == nullptr) return report(cudaErrorInvalidDeviceFunction);
  return device_call([&] {
    emulator::Configuration launch{config->gridDim, config->blockDim};
    bool cooperative = false;
    if (read_attributes(*config, cooperative, launch) != cudaSuccess) return cudaErrorInvalidValue;
    const unsigned blocks = std::max(1U, volume(launch.cluster));
    if (blocks > largest_cluster_of(kernel)) return cudaErrorInvalidClusterSize;
    const int threads = static_cast<int>(volume(config->blockDim));
    if (threads == 0) return cudaErrorInvalidValue;
    // Without the attribute an H200 counts none.
    const bool has_clusters = launch.cluster.x != 0;
    const int resident = resident_blocks(kernel, threads, config->dynamicSmemBytes);
    *clusters = has_clusters ? clusters_at_once(resident, blocks) : 0;
    return cudaSuccess;
  });
}

cudaError_t cudaOccupancyMaxPotentialClusterSize(int* blocks, const void* kernel,
                                                 const cudaLaunchConfig_t* config) {
  if (blocks == nullptr || config == nullptr) return report(cudaErrorInvalidValue);
  if (kernel == nullptr) return report(cudaErrorInvalidDeviceFunction);
  return device_call([&] {
    *blocks = static_cast<int>(largest_cluster_of(kernel));
    return cudaSuccess;
  });
}
