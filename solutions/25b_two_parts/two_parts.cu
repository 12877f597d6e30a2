//@stub
//@ // Exercise 25b: people in the order of two parts of a key.
//@ //
//@ // README.md beside this file says what is asked. Write where it says TODO; what is given can
//@ // stay as it is. Then:   ./course check 25b
//@solution
// Exercise 25b: people in the order of two parts of a key. The model solution.
//
// A pass puts people in the order of one part and leaves those who are equal as they were. So the
// part that matters less comes first: the second pass moves only those who differ in the other.
//@end

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
  //@stub
  //@ // TODO ({lines} lines): which person, and with which digit? How many lanes before this one
  //@ // have the same digit, and how many people of the warps before this one?
  //@solution
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
  //@end
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
  if (n == 0) return;
  number<<<(n - 1) / block + 1, block>>>(order, n);
  CUDA_CHECK_LAUNCH();
  //@stub
  //@ // TODO ({lines} lines): two passes, the last of which writes to `order`.
  //@solution
  launch_pass(team, false, order, n, counts, spare);
  launch_pass(grade, true, spare, n, counts, order);
  //@end
}
