//@stub
//@ // Exercise 12b: a bug hunt. Two sweeps of a stencil in one launch.
//@ //
//@ // README.md beside this file says what it is meant to do.
//@ // TODO: find the mistakes and mend them. Then:   ./course check 12b
//@solution
// Exercise 12b: two sweeps of a stencil in one launch. The model solution of the bug hunt.
//
// What was wrong: the halo was as wide as one sweep needs, the first sweep wrote into the array
// that it read, nothing waited for it, what it made of points beyond the ends was not 0, and each
// launch began with x again.
//@end

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
  //@stub
  //@ old[t + reach] = at(x, n, first + t);
  //@ if (t < radius) {  // the halo
  //@   old[t + reach - radius] = at(x, n, first + t - radius);
  //@   old[t + reach + block] = at(x, n, first + t + block);
  //@ }
  //@ __syncthreads();
  //@ // The first sweep.
  //@ for (int k = t + radius; k < block + 2 * reach - radius; k += block) {
  //@   old[k] = new_value(&old[k]);
  //@ }
  //@ // The second sweep.
  //@ if (first + t < n) y[first + t] = new_value(&old[t + reach]);
  //@solution
  for (int k = t; k < block + 2 * reach; k += block) old[k] = at(x, n, first - reach + k);
  __syncthreads();
  __shared__ float between[block + 2 * radius];  // between[k] is point first - radius + k
  for (int k = t; k < block + 2 * radius; k += block) {
    const int i = first - radius + k;
    const bool exists = i >= 0 && i < n;  // beyond the ends the second sweep needs a 0
    between[k] = exists ? new_value(&old[k + radius]) : 0.0F;
  }
  __syncthreads();  // a point's neighbours are other threads'
  if (first + t < n) y[first + t] = new_value(&between[t + radius]);
  //@end
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
    //@stub
    //@solution
    x = to;  // what the next launch begins with
    //@end
  }
}
