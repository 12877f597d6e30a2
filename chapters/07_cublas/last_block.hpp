/// @file
/// Blocks that share rows leave their sums in memory, and the one that comes last adds them up.
#pragma once

#include "course.hpp"

namespace ours {

/// True for all threads of the last of the gridDim.y blocks that call it with the same counter.
/// What the other blocks wrote before they called, it can read.
/// @param arrived 0 before, and again afterwards
inline __device__ bool is_last_of_column(unsigned* arrived) {
  __shared__ bool last;
  __syncthreads();  // the whole block has written
  if (threadIdx.x == 0 && threadIdx.y == 0) {
    __threadfence();  // which all others see before they see it counted
    last = atomicAdd(arrived, 1U) == gridDim.y - 1;
    if (last) *arrived = 0;
    __threadfence();  // and from here on this block sees what they wrote
  }
  __syncthreads();
  return last;
}

}  // namespace ours
