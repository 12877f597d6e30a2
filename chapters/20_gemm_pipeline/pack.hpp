/// @file
/// A in the order in which a block wants it: each tile in one piece, already turned, and everything
/// beyond an edge 0. Then a single instruction copies a tile, where 64 of each thread that copies
/// would turn it on the way. It costs one more way through memory for A.
#pragma once

#include "tiles.hpp"

namespace ours {

/// Floats of the packed A.
template <class T>
std::int64_t packed_floats(int m, int k) {
  return std::int64_t{(m - 1) / T::rows + 1} * ((k - 1) / T::depth + 1) * T::A_floats;
}

/// 32 x 32 elements of A, transposed through shared memory as in chapter 11. 256 threads; a block
/// for each 32 rows and each step.
template <class T>
__global__ void __launch_bounds__(256)
    pack_A(const float* A, std::int64_t lda, int m, int k, int steps, float* packed) {
  static_assert(T::depth == 32 && T::rows % 32 == 0);
  __shared__ float square[32][33];
  const int x = threadIdx.x % 32;
  const int y = threadIdx.x / 32;
  const int step = blockIdx.x % steps;
  const int first_row = blockIdx.x / steps * 32;
  const int col = step * T::depth + x;
#pragma unroll
  for (int i = 0; i < 32; i += 8) {
    const int row = first_row + i + y;
    square[i + y][x] = row < m && col < k ? A[row * lda + col] : 0.0F;
  }
  __syncthreads();
  const std::int64_t tile = static_cast<std::int64_t>(first_row / T::rows) * steps + step;
  float* to = packed + tile * T::A_floats + first_row % T::rows;
#pragma unroll
  for (int p = 0; p < T::depth; p += 8) to[(p + y) * T::pitch + x] = square[x][p + y];
  // The padding is copied, too: nobody reads it, but somebody must have written it.
  if (first_row % T::rows == 0 && threadIdx.x < T::depth) {
    for (int i = T::rows; i < T::pitch; ++i) to[threadIdx.x * T::pitch + i] = 0.0F;
  }
}

}  // namespace ours
