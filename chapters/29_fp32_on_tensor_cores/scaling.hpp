/// @file
/// The largest magnitude of each row of A and of each column of B: what their scaling needs.
#pragma once

#include <algorithm>

#include "scratch.hpp"
#include "warp_products.hpp"

namespace fp32 {

/// The bits of a float's magnitude. They are in the order of the magnitudes, with NaN at the end.
inline __device__ std::uint32_t magnitude_bits(float x) {
  return __float_as_uint(x) & 0x7FFFFFFFU;
}

/// A block per row.
static __global__ void __launch_bounds__(256)
    largest_of_rows(const float* matrix, int cols, std::uint32_t* largest) {
  __shared__ std::uint32_t of_warps[8];
  const float* const row = matrix + static_cast<std::size_t>(blockIdx.x) * cols;
  const int t = static_cast<int>(threadIdx.x);
  std::uint32_t most = 0;
#pragma unroll 8
  for (int i = t; i < cols; i += 256) most = max(most, magnitude_bits(row[i]));
  for (int other = 16; other > 0; other /= 2) most = max(most, __shfl_xor_sync(~0U, most, other));
  if (t % 32 == 0) of_warps[t / 32] = most;
  __syncthreads();
  if (t != 0) return;
  for (int warp = 1; warp < 8; ++warp) most = max(most, of_warps[warp]);
  largest[blockIdx.x] = most;
}

constexpr int rows_at_once = 128;

/// A block for 32 columns of rows_at_once rows. `largest` was 0.
static __global__ void __launch_bounds__(256)
    largest_of_columns(const float* matrix, int rows, int cols, std::uint32_t* largest) {
  __shared__ std::uint32_t of_warps[8][32];
  const int lane = static_cast<int>(threadIdx.x);
  const int warp = static_cast<int>(threadIdx.y);
  const int col = static_cast<int>(blockIdx.x) * 32 + lane;
  const int end = min(rows, (static_cast<int>(blockIdx.y) + 1) * rows_at_once);
  std::uint32_t most = 0;
  if (col < cols) {
#pragma unroll 8
    for (int i = static_cast<int>(blockIdx.y) * rows_at_once + warp; i < end; i += 8) {
      most = max(most, magnitude_bits(matrix[static_cast<std::size_t>(i) * cols + col]));
    }
  }
  of_warps[warp][lane] = most;
  __syncthreads();
  if (warp != 0 || col >= cols) return;
  for (int other = 1; other < 8; ++other) most = max(most, of_warps[other][lane]);
  atomicMax(largest + col, most);
}

/// Memory for what they find, which is kept for the next product.
class Largest {
 public:
  /// Finds them, for a product that is not empty.
  void find(Product& g) {
    std::uint32_t* const rows = rows_.at_least(static_cast<std::size_t>(g.m));
    std::uint32_t* const cols = cols_.at_least(static_cast<std::size_t>(g.n));
    largest_of_rows<<<g.m, 256>>>(g.A, g.k, rows);
    CUDA_CHECK_LAUNCH();
    CUDA_CHECK(cudaMemsetAsync(cols, 0, static_cast<std::size_t>(g.n) * sizeof *cols));
    const dim3 blocks((g.n - 1) / 32 + 1, (g.k - 1) / rows_at_once + 1);
    largest_of_columns<<<blocks, dim3(32, 8)>>>(g.B, g.k, g.n, cols);
    CUDA_CHECK_LAUNCH();
    g.largest_A = rows;
    g.largest_B = cols;
  }

 private:
  course::Scratch<std::uint32_t> rows_, cols_;
};

/// C, if there is nothing to multiply. \return whether nothing else is to be done
inline bool is_done(const Product& g) {
  if (g.m == 0 || g.n == 0) return true;
  if (g.k > 0) return false;
  CUDA_CHECK(cudaMemset(g.C, 0, static_cast<std::size_t>(g.m) * g.n * sizeof(float)));
  return true;
}

/// C = A B by mma.sync.
template <class S>
void launch_warps(const float* A, const float* B, float* C, int m, int n, int k) {
  Product g{A, B, C, m, n, k};
  if (is_done(g)) return;
  if (S::is_whole && k >= 1 << 17) throw course::Error("sums of INT8 are exact up to k = 131,071");
  static Largest largest;
  if (S::Number::scales) largest.find(g);
  const int blocks = ((m - 1) / tile_extent + 1) * ((n - 1) / tile_extent + 1);
  gemm_warps<S><<<blocks, 128>>>(g);
  CUDA_CHECK_LAUNCH();
}

}  // namespace fp32
