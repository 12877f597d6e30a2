//@stub
//@ // Exercise 10b: a bug hunt. The dot product of two vectors.
//@ //
//@ // README.md beside this file says what it is meant to do.
//@ // TODO: find the mistakes and mend them. Then:   ./course check 10b
//@solution
// Exercise 10b: the dot product of two vectors. The model solution of the bug hunt.
//
// What was wrong: the grid had no block for a ragged end, threads without elements left no 0 for
// the tree, some threads missed the barrier, the last warp's lanes did not wait for each other, and
// the sums of the blocks were added up in the order in which they came.
//@end

#include "check.hpp"

constexpr int block = 256;
constexpr int elements_a_thread = 4;

// The tree: the block's numbers in part are added up, and the sum of all is in part[0].
__device__ void add_up_tree(float* part) {
  const int t = threadIdx.x;
  __syncthreads();  // all numbers are there
  //@stub
  //@ for (int half = block / 2; half > 32; half /= 2) {
  //@   if (t < half) {
  //@     part[t] += part[t + half];
  //@     __syncthreads();
  //@   }
  //@ }
  //@ if (t < 32) {  // the last warp: no barrier needed, since its lanes run together
  //@   volatile float* const last = part;
  //@   for (int half = 32; half > 0; half /= 2) last[t] = last[t] + last[t + half];
  //@ }
  //@solution
  for (int half = block / 2; half > 32; half /= 2) {
    if (t < half) part[t] += part[t + half];
    __syncthreads();  // for all threads of the block
  }
  if (t >= 32) return;  // after the last barrier: one warp is left
  for (int half = 32; half > 0; half /= 2) {
    if (t < half) part[t] += part[t + half];  // no lane writes what another reads
    __syncwarp();                             // lanes need not run together
  }
  //@end
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
  //@stub
  //@ if (first + t < n) part[t] = sum;
  //@solution
  part[t] = sum;  // 0 where there is no element: the tree reads it all the same
  //@end
  add_up_tree(part);
  //@stub
  //@ if (t == 0) atomicAdd(sums, part[0]);  // one number for all blocks
  //@solution
  if (t == 0) sums[blockIdx.x] = part[0];
  //@end
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
  //@stub
  //@ const int grid = n / (block * elements_a_thread);
  //@ CUDA_CHECK(cudaMemset(result, 0, sizeof(float)));
  //@ if (grid == 0) return;
  //@ // add_up_sums() was here once. An atomic addition saves a launch.
  //@ dot_of_blocks<<<grid, block>>>(x, y, n, result);
  //@ CUDA_CHECK_LAUNCH();
  //@solution
  const int grid = n == 0 ? 0 : (n - 1) / (block * elements_a_thread) + 1;
  if (grid > 0) {
    dot_of_blocks<<<grid, block>>>(x, y, n, sums);
    CUDA_CHECK_LAUNCH();
  }
  add_up_sums<<<1, block>>>(sums, grid, result);
  CUDA_CHECK_LAUNCH();
  //@end
}
