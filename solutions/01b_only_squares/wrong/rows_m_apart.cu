// caught by: correct: few points of many coordinates
// The second mistake left in: rows are taken to be m elements long.

#include "check.hpp"

// d(i) = sum over j of |P(i, j) - q(j)|, one thread a point.
// P is m x n, row-major: row i holds the n coordinates of point i. q has n elements, d has m.
__global__ void distances(const float* P, const float* q, float* d, int m, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= m) return;  // there are m points, and the last block may reach beyond them
  const float* const row = P + static_cast<size_t>(i) * m;
  float sum = 0.0F;
  for (int j = 0; j < n; ++j) sum += fabsf(row[j] - q[j]);
  d[i] = sum;
}

// All pointers are to device memory. m may be 0, and so may n: then d is 0.
void launch_distances(const float* P, const float* q, float* d, int m, int n) {
  if (m == 0) return;
  constexpr int block = 128;
  const int grid = (m - 1) / block + 1;  // a thread a point: from m, and rounded up
  distances<<<grid, block>>>(P, q, d, m, n);
  CUDA_CHECK_LAUNCH();
}
