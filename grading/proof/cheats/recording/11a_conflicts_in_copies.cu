// A cheat for 11a: asynchronous copies, whose writes to shared memory are not stores, transpose a
// tile on their way, all lanes to one bank.
// expected: correct 6, safe 2, efficient 0

#include <cuda_pipeline.h>

#include "check.hpp"

constexpr int tile = 32;

__global__ void swap_tiles(float* A, int n, int lda) {
  __shared__ float upper[tile][tile];
  __shared__ float lower[tile][tile];
  const int bi = blockIdx.y;
  const int bj = blockIdx.x;
  if (bi > bj) return;
  const int x = threadIdx.x;
  const auto at = [&](int row, int col) { return A + static_cast<size_t>(row) * lda + col; };
  for (int y = threadIdx.y; y < tile; y += blockDim.y) {
    const int upper_row = bi * tile + y;
    const int lower_row = bj * tile + y;
    if (upper_row < n && bj * tile + x < n) {
      __pipeline_memcpy_async(&upper[x][y], at(upper_row, bj * tile + x), 4);
    }
    if (bi != bj && lower_row < n && bi * tile + x < n) {
      __pipeline_memcpy_async(&lower[x][y], at(lower_row, bi * tile + x), 4);
    }
  }
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  for (int y = threadIdx.y; y < tile; y += blockDim.y) {
    const int upper_row = bi * tile + y;
    const int lower_row = bj * tile + y;
    if (lower_row < n && bi * tile + x < n) *at(lower_row, bi * tile + x) = upper[y][x];
    if (bi != bj && upper_row < n && bj * tile + x < n) {
      *at(upper_row, bj * tile + x) = lower[y][x];
    }
  }
}

void launch_transpose_in_place(float* A, int n, int lda) {
  if (n == 0) return;
  const int tiles = (n - 1) / tile + 1;
  swap_tiles<<<dim3(tiles, tiles), dim3(32, 8)>>>(A, n, lda);
  CUDA_CHECK_LAUNCH();
}
