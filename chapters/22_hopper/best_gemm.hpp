/// @file
/// Our best product of matrices of BF16, whatever their shape: three sizes of tiles, and one
/// function that estimates the time of each and takes the least.
#pragma once

#include <memory>

#include "kernels.hpp"

namespace hopper {

/// Copies rows of `cols` numbers to where each begins on 16 bytes, `ld` apart. A thread writes
/// eight.
template <class Number>
__global__ void pad_rows(const Number* from, int rows, int cols, Number* to, std::int64_t ld) {
  const int col = 8 * static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (col >= ld) return;
  for (int row = blockIdx.y; row < rows; row += gridDim.y) {
    const Number* line = from + std::int64_t{row} * cols;
    alignas(16) Number eight[8];
#pragma unroll
    for (int i = 0; i < 8; ++i) eight[i] = line[min(col + i, cols - 1)];
    *reinterpret_cast<uint4*>(to + row * ld + col) = *reinterpret_cast<const uint4*>(eight);
  }
}

/// Whether a launch may have clusters of blocks.
inline bool has_clusters() {
  return course::device_attribute(cudaDevAttrClusterLaunch) != 0;
}

/// Room for matrices whose rows have to be copied first, and the function. Two streams need two.
class Gemm {
 public:
  using Paired = Tile<128, 256, 2, 4, 2>;
  using Large = Tile<128, 256, 2, 4>;
  using Square = Tile<128, 128, 2, 6>;
  using Narrow = Tile<128, 64, 2, 8>;

  /// C = A B, row-major and without gaps.
  void operator()(const Bf16* A, const Bf16* B, Bf16* C, int m, int n, int k) {
    Product g = {A, B, C, m, n, k, k, n};
    if (is_done(g)) return;
    g.A = suited(A, m, k, g.lda, copy_of_A_);
    g.B = suited(B, k, n, g.ldb, copy_of_B_);
    const double large = seconds<Large>(g, 0.8);
    const double square = seconds<Square>(g, 0.72);
    const double narrow = seconds<Narrow>(g, 0.5);
    if (narrow < large && narrow < square) return launch<Narrow>(g);
    if (square < large) return launch<Square>(g);
    if (m > Large::rows && has_clusters()) return launch<Paired>(g);
    launch<Large>(g);
  }

 private:
  // A multiprocessor has so many tiles to compute, one after the other, at such a share of the
  // peak; and what comes before the first product and behind the last takes about as long as 600 of
  // k.
  template <class Tile>
  static double seconds(const Product& g, double share) {
    const int processors = course::device().multiprocessors;
    const int rounds = (places_of<Tile>(g.m, g.n) - 1) / processors + 1;
    const double products = 1.0 * Tile::rows * Tile::cols * g.k;
    constexpr double of_peak = 2048 * 1.7e9;  // multiply-adds a second, a multiprocessor
    return rounds * products / (of_peak * share) + 128.0 * 256 * 600 / of_peak;
  }

  template <class Tile>
  static void launch(const Product& g) {
    if (suits_maps(g.C, g.n)) {
      launch_ring<Tile, true>(g);
    } else {
      launch_ring<Tile, false>(g);
    }
  }

  static const Bf16* suited(const Bf16* matrix, int rows, int cols, std::int64_t& ld,
                            std::unique_ptr<course::DeviceArray<Bf16>>& copy) {
    if (suits_maps(matrix, ld)) return matrix;
    ld = (std::int64_t{cols} + 7) / 8 * 8;
    const auto count = static_cast<std::size_t>(rows * ld);
    if (!copy || copy->size() < count) {
      copy.reset();
      copy = std::make_unique<course::DeviceArray<Bf16>>(count, course::unset);
    }
    const dim3 blocks(static_cast<unsigned>((ld - 1) / 1024 + 1), std::min(rows, 32768));
    pad_rows<<<blocks, 128>>>(matrix, rows, cols, static_cast<Bf16*>(*copy), ld);
    CUDA_CHECK_LAUNCH();
    return *copy;
  }

  std::unique_ptr<course::DeviceArray<Bf16>> copy_of_A_, copy_of_B_;
};

}  // namespace hopper
