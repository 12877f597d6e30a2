// Exercise 12b: a bug hunt. Two sweeps of a stencil in one launch.
//
// README.md beside this file says what it is meant to do.
// TODO: find the mistakes and mend them. Then:   ./course check 12b

#include "check.hpp"

constexpr int block = 128;
constexpr int radius = 2;          // neighbours on either side, for one sweep
constexpr int reach = 2 * radius;  // and for two

// A point's new value, from what is around p.
__device__ float new_value(const float* p) {
  return 4.0F * p[0] + 2.0F * (p[-1] + p[1]) + (p[-2] + p[2]);
}

// Beyond both ends of x there is nothing, and nothing counts as 0.
__device__ float at(const float* x, int n, int i) {
  return i >= 0 && i < n ? x[i] : 0.0F;
}

// Two sweeps from x to y, n points each. A block makes 128 points of y; for that it needs the first
// sweep's result in these and in `radius` more on either side, and x in as many more.
__global__ void two_sweeps(const float* x, float* y, int n) {
  __shared__ float old[block + 2 * reach];
  const int first = blockIdx.x * block;
  const int t = threadIdx.x;
  // old[k] is point first - reach + k.
  old[t + reach] = at(x, n, first + t);
  if (t < radius) {  // the halo
    old[t + reach - radius] = at(x, n, first + t - radius);
    old[t + reach + block] = at(x, n, first + t + block);
  }
  __syncthreads();
  // The first sweep.
  for (int k = t + radius; k < block + 2 * reach - radius; k += block) {
    old[k] = new_value(&old[k]);
  }
  // The second sweep.
  if (first + t < n) y[first + t] = new_value(&old[t + reach]);
}

// `sweeps` of them from x to y, an even number and at least two. z has room for n points: what
// comes between two launches goes there or to y, in turns, so that the last launch writes y. All
// pointers are to device memory, and no two are the same. n may be 0.
void launch_sweeps(const float* x, float* y, float* z, int n, int sweeps) {
  if (n == 0) return;
  const int grid = (n - 1) / block + 1;
  for (int left = sweeps / 2; left > 0; --left) {
    float* const to = left % 2 == 1 ? y : z;
    two_sweeps<<<grid, block>>>(x, to, n);
    CUDA_CHECK_LAUNCH();
  }
}
