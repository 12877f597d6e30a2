// caught by: efficient: x once a block and two barriers a tile
// Right, but without the tile: every warp fetches every element of x for itself.

#include "check.hpp"

constexpr int block = 128;  // threads a block
constexpr int tile = 128;   // columns a tile

// y[i] = sum over j of |A(i, j) - x[j]|.
// A is m x n, column-major: A(i, j) is A[j * m + i]. x has n elements, y has m.
__global__ void distances(const float* A, const float* x, float* y, int m, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  // No early return: a thread without a row still helps to load the tiles.
  float sum = 0.0F;
  for (int first = 0; first < n; first += tile) {
    const int width = min(tile, n - first);  // the last tile may be ragged
    if (i < m) {
      for (int j = 0; j < width; ++j) {
        sum += fabsf(A[static_cast<size_t>(first + j) * m + i] - x[first + j]);
      }
    }
  }
  if (i < m) y[i] = sum;
}

// All pointers are to device memory. m may be 0, and so may n: then y is 0.
void launch_distances(const float* A, const float* x, float* y, int m, int n) {
  if (m == 0) return;  // a grid of no blocks is an error
  const int grid = (m - 1) / block + 1;
  distances<<<grid, block>>>(A, x, y, m, n);
  CUDA_CHECK_LAUNCH();
}
