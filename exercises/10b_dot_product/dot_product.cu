// Exercise 10b: a bug hunt. The dot product of two vectors.
//
// README.md beside this file says what it is meant to do.
// TODO: find the mistakes and mend them. Then:   ./course check 10b

#include "check.hpp"

constexpr int block = 256;
constexpr int elements_a_thread = 4;

// The tree: the block's numbers in part are added up, and the sum of all is in part[0].
__device__ void add_up_tree(float* part) {
  const int t = threadIdx.x;
  __syncthreads();  // all numbers are there
  for (int half = block / 2; half > 32; half /= 2) {
    if (t < half) {
      part[t] += part[t + half];
      __syncthreads();
    }
  }
  if (t < 32) {  // the last warp: no barrier needed, since its lanes run together
    volatile float* const last = part;
    for (int half = 32; half > 0; half /= 2) last[t] = last[t] + last[t + half];
  }
}

// The sum over the block's 1024 elements of x(i) y(i). Thread t adds up elements t, t + 256,
// t + 512, t + 768 of them, in this order; the tree adds up the rest.
__global__ void dot_of_blocks(const float* x, const float* y, size_t n, float* sums) {
  __shared__ float part[block];
  const int t = threadIdx.x;
  const size_t first = static_cast<size_t>(blockIdx.x) * block * elements_a_thread;
  float sum = 0.0F;
  for (int k = 0; k < elements_a_thread; ++k) {
    const size_t i = first + k * block + t;
    if (i < n) sum += x[i] * y[i];
  }
  if (first + t < n) part[t] = sum;
  add_up_tree(part);
  if (t == 0) atomicAdd(sums, part[0]);  // one number for all blocks
}

// *result = the sum of `count` numbers, by one block. Thread t adds up numbers t, t + 256, … in
// this order; the tree adds up the rest.
__global__ void add_up_sums(const float* sums, int count, float* result) {
  __shared__ float part[block];
  const int t = threadIdx.x;
  float sum = 0.0F;
  for (int i = t; i < count; i += block) sum += sums[i];
  part[t] = sum;
  add_up_tree(part);
  if (t == 0) *result = part[0];
}

// All pointers are to device memory; sums has one number per block. n may be 0: then *result
// is 0.
void launch_dot(const float* x, const float* y, size_t n, float* sums, float* result) {
  const int grid = n / (block * elements_a_thread);
  CUDA_CHECK(cudaMemset(result, 0, sizeof(float)));
  if (grid == 0) return;
  // add_up_sums() was here once. An atomic addition saves a launch.
  dot_of_blocks<<<grid, block>>>(x, y, n, result);
  CUDA_CHECK_LAUNCH();
}
