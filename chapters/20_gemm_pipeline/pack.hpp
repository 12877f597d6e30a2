/// @file
/// A in the order in which a block needs it: each tile contiguous, transposed, and 0 out of bounds.
/// Then one instruction copies a tile, instead of 64 per producer thread that also transpose it.
/// The price is one more pass through memory for A. A B whose rows begin anywhere is also copied,
/// so that its rows are aligned to 16 bytes and a tensor map can fetch its tiles.
#pragma once

#include "early.hpp"
#include "tiles.hpp"

namespace ours {

/// Number of floats of the packed A.
template <class T>
std::int64_t packed_floats(int m, int k) {
  return std::int64_t{(m - 1) / T::rows + 1} * ((k - 1) / T::depth + 1) * T::A_floats;
}

/// A tile of A, transposed through shared memory as in chapter 11. 256 threads; one block per tile.
/// All of a thread's loads are in flight at once.
template <class T>
__global__ void __launch_bounds__(256)
    pack_A(const float* A, std::int64_t lda, int m, int k, int steps, float* packed) {
  static_assert(T::depth == 32 && T::rows % 8 == 0);
  launch_dependents();
  __shared__ float tile[T::rows][33];
  const int x = threadIdx.x % 32;
  const int y = threadIdx.x / 32;
  const int first_row = blockIdx.x / steps * T::rows;
  const int col = blockIdx.x % steps * T::depth + x;
  float numbers[T::rows / 8];
#pragma unroll
  for (int i = 0; i < T::rows; i += 8) {
    const int row = first_row + i + y;
    numbers[i / 8] = row < m && col < k ? A[row * lda + col] : 0.0F;
  }
#pragma unroll
  for (int i = 0; i < T::rows; i += 8) tile[i + y][x] = numbers[i / 8];
  __syncthreads();
  float* to = packed + static_cast<std::int64_t>(blockIdx.x) * T::A_floats;
#pragma unroll
  for (int i = threadIdx.x; i < T::rows * T::depth; i += 256) {
    to[i / T::rows * T::pitch + i % T::rows] = tile[i % T::rows][i / T::rows];
  }
  // The padding is also copied: it is never used, but must be initialised.
  constexpr int padding = T::pitch - T::rows;
  if (threadIdx.x < T::depth * padding) {
    to[threadIdx.x / padding * T::pitch + T::rows + threadIdx.x % padding] = 0.0F;
  }
  wait_for_dependencies();  // the next kernel waits for this one only: so B's copy must be there
}

/// A matrix, with the leading dimension that its copy needs. 256 threads; one block for each row
/// and each 2,048 columns.
static __global__ void __launch_bounds__(256)
    copy_rows(const float* from, std::int64_t ld, int cols, float* to, std::int64_t to_ld) {
  constexpr int at_once = 8;  // per thread, in flight
  launch_dependents();
  const int blocks = (cols - 1) / (256 * at_once) + 1;
  const int row = blockIdx.x / blocks;
  const int first = blockIdx.x % blocks * (256 * at_once) + threadIdx.x;
  from += row * ld;
  to += row * to_ld;
  float numbers[at_once];
#pragma unroll
  for (int i = 0; i < at_once; ++i) {
    if (first + 256 * i < cols) numbers[i] = from[first + 256 * i];
  }
#pragma unroll
  for (int i = 0; i < at_once; ++i) {
    if (first + 256 * i < cols) to[first + 256 * i] = numbers[i];
  }
}

}  // namespace ours
