/// @file
/// Blocks that share rows write partial sums to memory, and the last block to arrive adds them up.
#pragma once

#include <cuda_runtime.h>

namespace ours {

/// True for all threads of the last of the gridDim.y blocks that call it with the same counter.
/// That block can read everything the others wrote before their calls.
/// @param arrived 0 before, and again afterwards
inline __device__ bool is_last_of_column(unsigned* arrived) {
  __shared__ bool last;
  __syncthreads();  // the whole block has written
  if (threadIdx.x == 0 && threadIdx.y == 0) {
    __threadfence();  // all blocks see its sums before they see it counted
    last = atomicAdd(arrived, 1U) == gridDim.y - 1;
    if (last) *arrived = 0;
    __threadfence();  // from here on this block sees the others' sums
  }
  __syncthreads();
  return last;
}

}  // namespace ours
