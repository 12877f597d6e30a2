/// @file
/// Our best product of BF16 matrices of any shape: three sizes of tiles, and one function that
/// estimates the time of each and chooses the fastest.
#pragma once

#include "kernels.hpp"
#include "padded_rows.hpp"

namespace hopper {

/// Whether launches may have clusters of blocks.
inline bool has_clusters() {
  return course::device_attribute(cudaDevAttrClusterLaunch) != 0;
}

/// Buffers for matrices whose rows must be copied first, and the function. Two streams need two.
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
    g.A = padded_A_.aligned(A, m, k, g.lda);
    g.B = padded_B_.aligned(B, k, n, g.ldb);
    const double large = seconds<Large>(g, 0.8);
    const double square = seconds<Square>(g, 0.72);
    const double narrow = seconds<Narrow>(g, 0.5);
    if (narrow < large && narrow < square) return launch<Narrow>(g);
    if (square < large) return launch<Square>(g);
    if (m > Large::rows && has_clusters()) return launch<Paired>(g);
    launch<Large>(g);
  }

 private:
  // A multiprocessor computes this many tiles, one after the other, at this share of the peak;
  // and the time before the first product and after the last is about that of 600 terms along
  // k.
  template <class Tile>
  static double seconds(const Product& g, double share) {
    const int processors = course::device().multiprocessors;
    const int rounds = (cluster_tile_count<Tile>(g.m, g.n) - 1) / processors + 1;
    const double products = 1.0 * Tile::rows * Tile::cols * g.k;
    constexpr double of_peak = 2048 * 1.7e9;  // multiply-adds per second and multiprocessor
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

  course::PaddedRows<Bf16> padded_A_, padded_B_;
};

}  // namespace hopper
