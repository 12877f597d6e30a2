/// @file
/// The form of most kernels that show which addresses in shared memory are in one bank.
#pragma once

#include "table.cuh"

/// Thread t stores an element in `tile` at `place`, waits, and gets `value`, which may use t and
/// the tile.
#define COUNTERS_SHARED_COPY(name, Element, count, place, value) \
  __global__ void name(const Element* in, Element* out) {        \
    __shared__ Element tile[count];                              \
    const int t = static_cast<int>(threadIdx.x);                 \
    tile[place] = in[global_index()];                            \
    __syncthreads();                                             \
    out[global_index()] = value;                                 \
  }
