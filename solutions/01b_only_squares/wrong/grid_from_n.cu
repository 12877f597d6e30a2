// caught by: correct: many points of few coordinates
// The third mistake left in: there is a thread for each coordinate, not for each point.

#include "check.hpp"

// d(i) = sum over j of |P(i, j) - q(j)|, one thread a point.
// P is m x n, row-major: row i holds the n coordinates of point i. q has n elements, d has m.
__global__ void distances(const float* P, const float* q, float* d, int m, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= m) return;  // there are m points, and the last block may reach beyond them
  const float* const row = P + static_cast<size_t>(i) * n;  // a row is n elements long
  float sum = 0.0F;
  for (int j = 0; j < n; ++j) sum += fabsf(row[j] - q[j]);
  d[i] = sum;
}

// All pointers are to device memory. m may be 0, and so may n: then d is 0.
void launch_distances(const float* P, const float* q, float* d, int m, int n) {
  if (m == 0 || n == 0) return;
  constexpr int block = 128;
  const int grid = (n + block - 1) / block;
  distances<<<grid, block>>>(P, q, d, m, n);
  CUDA_CHECK_LAUNCH();
}
