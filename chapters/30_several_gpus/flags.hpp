/// @file
/// Chapter 30: how kernels of several devices wait for each other.
#pragma once

#include <cuda/atomic>

#include "devices.hpp"

namespace gpus {

/// Blocks that a kernel has at most: all of them are on the device at once, as they wait.
inline constexpr int most_blocks = 256;

/// Of each device: what it brings, its result, and memory into which its peers write.
struct Peers {
  const float* in[most_devices];
  float* out[most_devices];
  unsigned* flags[most_devices];            ///< one for each block of each device
  unsigned long long* words[most_devices];  ///< see by_words()
  std::size_t words_of_device;              ///< that each device writes into a set of these
};

using SystemFlag = cuda::atomic_ref<unsigned, cuda::thread_scope_system>;

/// Block b of each device meets block b of all others: what these blocks wrote before, any of them
/// may read afterwards. Each device has a flag for each block of each device, and only that block
/// writes it. The numbers of meetings grow, so that no flag is ever taken back. A fence behind the
/// loop makes the last of its loads an acquire: one in the loop would be paid for again and again.
template <int devices>
__device__ void meet(const Peers& peers, int me, unsigned number) {
  __syncthreads();  // all threads of this block have done what the others are told of
  if (threadIdx.x < devices) {
    const int peer = static_cast<int>(threadIdx.x);
    const std::size_t of_block = static_cast<std::size_t>(blockIdx.x) * most_devices;
    SystemFlag(peers.flags[peer][of_block + me]).store(number, cuda::memory_order_release);
    const SystemFlag theirs(peers.flags[me][of_block + peer]);
    while (static_cast<int>(theirs.load(cuda::memory_order_relaxed) - number) < 0) {
    }
    cuda::atomic_thread_fence(cuda::memory_order_acquire, cuda::thread_scope_system);
  }
  __syncthreads();
}

/// Nothing but meetings, one after another: what a hop takes.
template <int devices>
__global__ void meetings(Peers peers, int me, unsigned times) {
  for (unsigned number = 1; number <= times; ++number) meet<devices>(peers, me, number);
}

}  // namespace gpus
