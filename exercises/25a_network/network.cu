// Exercise 25a: a bug hunt. Chunks of 256 numbers, sorted by a bitonic network.
//
// README.md beside this file says what it is meant to do.
// TODO: find the wrong comparison and mend it. Then:   ./course check 25a

#include <climits>

#include "check.hpp"

constexpr int chunk = 256;  // numbers that a block sorts, one per thread
constexpr unsigned all_lanes = 0xFFFFFFFFU;

// The one of two numbers that a thread keeps. `upwards`: the sequence is to rise here. `first`:
// this thread's place is the lower one of the two.
__device__ int kept(int mine, int other, bool upwards, bool first) {
  return upwards == first ? min(mine, other) : max(mine, other);
}

// Sorts every 256 numbers of x by themselves, into y. In steps of `size` 2, 4, 8, ... sequences of
// `size` numbers get sorted, upwards and downwards in turns: so two in a row rise and then fall.
__global__ void sort_chunks(const int* x, int n, int* y) {
  __shared__ int exchange[chunk];
  const int place = threadIdx.x, lane = threadIdx.x % 32;
  const int i = blockIdx.x * chunk + place;
  int mine = i < n ? x[i] : INT_MAX;  // what is not there belongs at the end

  for (int size = 2; size <= chunk; size *= 2) {
    // Partners in other warps: by way of shared memory.
    int distance = size / 2;
    for (; distance >= 32; distance /= 2) {
      exchange[place] = mine;
      __syncthreads();
      const int other = exchange[place ^ distance];
      mine = kept(mine, other, (place & size) == 0, (place & distance) == 0);
      __syncthreads();
    }
    // Partners in this warp: by shuffles.
    for (; distance > 0; distance /= 2) {
      const int other = __shfl_xor_sync(all_lanes, mine, distance);
      mine = kept(mine, other, (lane & size) == 0, (lane & distance) == 0);
    }
  }
  if (i < n) y[i] = mine;
}

// x and y have n elements each and are in device memory. n may be 0.
void launch_sort_chunks(const int* x, int n, int* y) {
  if (n == 0) return;
  sort_chunks<<<(n - 1) / chunk + 1, chunk>>>(x, n, y);
  CUDA_CHECK_LAUNCH();
}
