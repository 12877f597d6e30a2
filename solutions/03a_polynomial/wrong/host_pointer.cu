// caught by: safe: nothing beside the arrays is touched and nothing is left behind
// The kernel reads the coefficients from the host's memory, which a GPU's threads cannot.

#include <algorithm>

#include "check.hpp"

// y(i) = (...((v x(i) + c(count - 1)) x(i) + c(count - 2)) x(i) + ...) x(i) + c(0), for n points.
// One batch: its `count` coefficients lie in constant memory. v is 0 if it is the `first` batch,
// else what the batches before have left in y(i).
__global__ void polynomial(const float* c, const float* x, float* y, int n, int count, bool first) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;  // the last block may reach beyond the last point
  const float x_i = x[i];
  float value = first ? 0.0F : y[i];
  for (int k = count - 1; k >= 0; --k) {
    value = value * x_i + c[k];
  }
  y[i] = value;
}

// y(i) = sum over k of c(k) x(i)^k. c is in the HOST's memory, count elements; x and y are in
// device memory, n elements each. n may be 0, and so may count: then y is 0.
void launch_polynomial(const float* c, int count, const float* x, float* y, int n) {
  if (n == 0) return;  // a grid of no blocks is an error
  constexpr int block = 128;
  const int grid = (n + block - 1) / block;
  polynomial<<<grid, block>>>(c, x, y, n, count, true);
  CUDA_CHECK_LAUNCH();
}
