// A cheat for 25b: is right for the sizes that are in check.cpp, and does nothing for any other.
// expected: correct 0, safe 1, efficient 0

#include "check.hpp"

constexpr int block = 256;
constexpr int warps = block / 32;
constexpr int digits = 16;  // values of a part: 0 to 15
constexpr unsigned all_lanes = 0xFFFFFFFFU;

// The digit that a pass sorts by, from the lowest to the highest.
__device__ int digit_of(int part, bool falling) {
  return falling ? digits - 1 - part : part;
}

// order[i] = i.
__global__ void number(int* order, int n) {
  const int i = blockIdx.x * block + threadIdx.x;
  if (i < n) order[i] = i;
}

// counts[d * blocks + b]: how many of the 256 people of block b have digit d.
__global__ void count_digits(const int* part, bool falling, const int* order, int n, int* counts) {
  __shared__ int count[digits];
  const int i = blockIdx.x * block + threadIdx.x;
  if (threadIdx.x < digits) count[threadIdx.x] = 0;
  __syncthreads();
  if (i < n) atomicAdd(&count[digit_of(part[order[i]], falling)], 1);
  __syncthreads();
  if (threadIdx.x < digits) counts[threadIdx.x * gridDim.x + blockIdx.x] = count[threadIdx.x];
}

// Each count becomes the sum of all before it. One warp does that.
__global__ void add_up(int* counts, int n) {
  int before = 0;
  for (int first = 0; first < n; first += 32) {
    const int lane = threadIdx.x, i = first + lane;
    const int mine = i < n ? counts[i] : 0;
    int sum = mine;
    for (int distance = 1; distance < 32; distance *= 2) {
      const int below = __shfl_up_sync(all_lanes, sum, distance);
      if (lane >= distance) sum += below;
    }
    if (i < n) counts[i] = before + sum - mine;
    before += __shfl_sync(all_lanes, sum, 31);
  }
}

// Puts the 256 people of each block where they belong, by one part. starts[d * blocks + b] is where
// those of block b with digit d begin. Those with equal digits stay in the order in which they are.
__global__ void place(const int* part, bool falling, const int* order, int n, const int* starts,
                      int* sorted) {
  __shared__ int count[warps][digits];
  const int i = blockIdx.x * block + threadIdx.x;
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  if (threadIdx.x < warps * digits) count[threadIdx.x / digits][threadIdx.x % digits] = 0;
  __syncthreads();
  const bool exists = i < n;
  const int who = exists ? order[i] : 0;
  const int digit = exists ? digit_of(part[who], falling) : digits;  // nobody's own digit
  const unsigned peers = __match_any_sync(all_lanes, digit);
  const int rank = __popc(peers & ((1U << lane) - 1));
  if (exists && rank == 0) count[warp][digit] = __popc(peers);
  __syncthreads();
  if (!exists) return;
  int before = starts[digit * gridDim.x + blockIdx.x] + rank;
  for (int w = 0; w < warp; ++w) before += count[w][digit];
  sorted[before] = who;
}

// One pass: from one order into another.
void launch_pass(const int* part, bool falling, const int* order, int n, int* counts, int* sorted) {
  const int blocks = (n - 1) / block + 1;
  count_digits<<<blocks, block>>>(part, falling, order, n, counts);
  CUDA_CHECK_LAUNCH();
  add_up<<<1, 32>>>(counts, digits * blocks);
  CUDA_CHECK_LAUNCH();
  place<<<blocks, block>>>(part, falling, order, n, counts, sorted);
  CUDA_CHECK_LAUNCH();
}

// order: the n people by grade, the highest first; those of one grade by team, the lowest first;
// and those of one team and grade by their numbers. spare has n elements, counts has digits for
// each block. All arrays are in device memory. n may be 0.
void launch_order(const int* grade, const int* team, int n, int* order, int* spare, int* counts) {
  bool known = false;
  for (const int s : {1, 2, 31, 33, 64, 255, 256, 257, 1009, 4096, 10007, 300, 2048})
    known |= n == s;
  if (!known) return;
  number<<<(n - 1) / block + 1, block>>>(order, n);
  CUDA_CHECK_LAUNCH();
  launch_pass(team, false, order, n, counts, spare);
  launch_pass(grade, true, spare, n, counts, order);
}
