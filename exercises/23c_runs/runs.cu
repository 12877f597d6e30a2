// Exercise 23c: run-length encoding.
//
// README.md beside this file says what is asked. Write where it says TODO; what is given can
// stay as it is. Then:   ./course check 23c

#include "check.hpp"

constexpr int block = 256;
constexpr int warps = block / 32;
constexpr unsigned all_lanes = 0xFFFFFFFFU;

// Whether a run begins with element i of n.
__device__ bool is_head(const int* x, int n, int i) {
  // TODO (2 lines)
  return false;
}

// How many heads the tiles have: one number per block of 256 elements.
__global__ void count_heads(const int* x, int n, int* of_tiles) {
  // TODO (3 lines): all threads of the block can count together: __syncthreads_count().
}

// One block replaces each of the counts by the sum of all before it, and stores the sum of all in
// *total.
__global__ void scan_counts(int* counts, int tiles, int* total) {
  __shared__ int of_warps[warps];
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  int so_far = 0;
  for (int first = 0; first < tiles; first += block) {
    const int t = first + static_cast<int>(threadIdx.x);
    const int own = t < tiles ? counts[t] : 0;
    int sum = own;
    for (int distance = 1; distance < 32; distance *= 2) {
      const int below = __shfl_up_sync(all_lanes, sum, distance);
      if (lane >= distance) sum += below;
    }
    if (lane == 31) of_warps[warp] = sum;
    __syncthreads();
    int before_warp = so_far;
    for (int w = 0; w < warps; ++w) {
      if (w < warp) before_warp += of_warps[w];
      so_far += of_warps[w];
    }
    if (t < tiles) counts[t] = before_warp + sum - own;
    __syncthreads();  // the next round writes the same words
  }
  if (threadIdx.x == 0) *total = so_far;
}

// The value of each run, and where it starts, at the run's number. heads_before has the number of
// heads in the tiles before each.
__global__ void write_heads(const int* x, int n, const int* heads_before, int* values,
                            int* starts) {
  __shared__ int of_warps[warps];
  // TODO (13 lines): the number of this thread's run, if it has a head: the heads in the
  // tiles, warps and lanes before it.
}

// The length of each run, from where it and the next one start. *runs is their number.
__global__ void write_lengths(const int* starts, const int* runs, int n, int* lengths) {
  // TODO (5 lines): the grid has a thread for each of n elements; there may be fewer runs.
}

// All pointers are to device memory. n may be 0. values, starts and lengths have room for n
// numbers, of_tiles for one per tile of 256 elements.
void launch_runs(const int* x, int n, int* values, int* lengths, int* runs, int* starts,
                 int* of_tiles) {
  CUDA_CHECK(cudaMemset(runs, 0, sizeof(int)));
  if (n == 0) return;
  const int tiles = (n - 1) / block + 1;
  count_heads<<<tiles, block>>>(x, n, of_tiles);
  CUDA_CHECK_LAUNCH();
  scan_counts<<<1, block>>>(of_tiles, tiles, runs);
  CUDA_CHECK_LAUNCH();
  write_heads<<<tiles, block>>>(x, n, of_tiles, values, starts);
  CUDA_CHECK_LAUNCH();
  write_lengths<<<tiles, block>>>(starts, runs, n, lengths);
  CUDA_CHECK_LAUNCH();
}
