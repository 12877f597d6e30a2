// Exercise 01b, a bug hunt: how far is each of m points from a place?
//
// README.md beside this file says what it is meant to do. TODO: find the mistakes and mend them.
// Then:   ./course check 01b

#include "check.hpp"

// d(i) = sum over j of |P(i, j) - q(j)|, one thread per point.
// P is m x n, row-major: row i holds the n coordinates of point i. q has n elements, d has m.
__global__ void distances(const float* P, const float* q, float* d, int m, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float* const row = P + static_cast<size_t>(i) * m;
  float sum = 0.0F;
  for (int j = 0; j < n; ++j) sum += fabsf(row[j] - q[j]);
  d[i] = sum;
}

// All pointers are to device memory. m may be 0, and so may n: then d is 0.
void launch_distances(const float* P, const float* q, float* d, int m, int n) {
  if (m == 0) return;
  constexpr int block = 128;
  const int grid = n / block;
  distances<<<grid, block>>>(P, q, d, m, n);
  CUDA_CHECK_LAUNCH();
}
