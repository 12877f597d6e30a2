/// @file
/// A and B in the order in which a block wants them: each tile in one piece, A's already turned,
/// and everything beyond an edge 0. Then a single instruction copies a tile, and no row of a matrix
/// need begin anywhere in particular. It costs one more way through memory for A and for B.
#pragma once

#include "tiles.hpp"

namespace ours {

/// Floats of the packed matrices.
template <class T>
std::int64_t packed_A_floats(int m, int k) {
  return std::int64_t{(m - 1) / T::rows + 1} * ((k - 1) / T::depth + 1) * T::A_floats;
}
template <class T>
std::int64_t packed_B_floats(int n, int k) {
  return std::int64_t{(n - 1) / T::cols + 1} * ((k - 1) / T::depth + 1) * (T::depth * T::cols);
}

/// Tile (blockIdx.y, blockIdx.x) of A, transposed through shared memory as in chapter 11, 32 rows
/// of it at a time. 256 threads.
template <class T>
__global__ void __launch_bounds__(256)
    pack_A(const float* A, std::int64_t lda, int m, int k, float* packed) {
  __shared__ float square[32][33];
  const int x = threadIdx.x % 32;
  const int y = threadIdx.x / 32;
  const int step = blockIdx.x;
  float* to = packed + (static_cast<std::int64_t>(blockIdx.y) * gridDim.x + step) * T::A_floats;
  static_assert(T::depth == 32);
  for (int part = 0; part < T::rows; part += 32) {
    const int first_row = blockIdx.y * T::rows + part;
    const int col = step * T::depth + x;
#pragma unroll
    for (int i = y; i < 32; i += 8) {
      square[i][x] = first_row + i < m && col < k ? A[(first_row + i) * lda + col] : 0.0F;
    }
    __syncthreads();
#pragma unroll
    for (int p = y; p < T::depth; p += 8) to[p * T::pitch + part + x] = square[x][p];
    __syncthreads();
  }
  // The padding is copied, too: it is nobody's, but must not be what nobody wrote.
  if (threadIdx.x < T::depth) {
    for (int i = T::rows; i < T::pitch; ++i) to[threadIdx.x * T::pitch + i] = 0.0F;
  }
}

/// Tile (blockIdx.x, blockIdx.y) of B: step, and column of tiles. 256 threads.
template <class T>
__global__ void __launch_bounds__(256)
    pack_B(const float* B, std::int64_t ldb, int k, int n, float* packed) {
  const int step = blockIdx.x;
  float* to =
      packed + (static_cast<std::int64_t>(blockIdx.y) * gridDim.x + step) * (T::depth * T::cols);
#pragma unroll 4
  for (int i = threadIdx.x; i < T::depth * T::cols; i += 256) {
    const int row = step * T::depth + i / T::cols;
    const int col = blockIdx.y * T::cols + i % T::cols;
    to[i] = row < k && col < n ? B[row * ldb + col] : 0.0F;
  }
}

}  // namespace ours
