/// @file
/// The time of a kernel for a product, estimated: a model with a few costs, as measured on a GPU.
///
/// Three things take their time at once: multiplying, steps of 64 terms one after the other;
/// bringing tiles from level 2; and bringing the matrices from memory. Of these the model takes the
/// root of the sum of the squares: the longest counts most. Writing tiles and adding up sums of
/// several blocks come on top.
///
/// The costs are fitted by least squares to the logarithms of about 6,000 times: all kernels at 200
/// random shapes, on an NVIDIA H200. The chapter's page says how well they choose at other shapes.
#pragma once

#include <algorithm>
#include <cmath>

#include "tiles.hpp"

namespace hopper {

/// In microseconds.
struct TileCosts {
  double step;  ///< 64 terms of all elements
  double tile;  ///< written
};

/// How a kernel divides a product. What is called a tile is one of a whole cluster.
struct Division {
  int rows, cols;       ///< of a tile
  double area;          ///< of a block's tile, as a multiple of 128 x 256
  double steps;         ///< one after the other, of the block that has the most
  double tiles;         ///< written, likewise
  double rounds = 0.0;  ///< of adding up in pairs, through global memory
  int blocks = 1;       ///< that share a tile, and add up through shared memory
};

namespace costs {
constexpr double launch = 8.81;         ///< once
constexpr double from_level_2 = 0.065;  ///< per megabyte
constexpr double misaligned = 0.105;    ///< the same where rows do not begin on 128 bytes
constexpr double from_memory = 0.259;   ///< per megabyte of A, B and C
constexpr double by_rows = 0.833;       ///< per megabyte of C that no map writes, on top
constexpr double round = 6.145;         ///< times the area
constexpr double split = 1.509;         ///< times the area and the logarithm of the blocks
constexpr double doubt = 1.05;          ///< sums through memory must gain at least this factor
}  // namespace costs

/// The model's estimate, in seconds.
inline double estimate(const Product& g, const TileCosts& tile, const Division& d) {
  const auto megabytes = [](double rows, double cols) { return 2e-6 * rows * cols; };
  const double A = megabytes(g.m, g.k) * std::ceil(1.0 * g.n / d.cols);  // once per column of tiles
  const double B = megabytes(g.k, g.n) * std::ceil(1.0 * g.m / d.rows);
  const double multiplying = tile.step * d.steps;
  const double level_2 = A * (g.lda % 64 == 0 ? costs::from_level_2 : costs::misaligned) +
                         B * (g.ldb % 64 == 0 ? costs::from_level_2 : costs::misaligned);
  const double memory =
      costs::from_memory * (megabytes(g.m, g.k) + megabytes(g.k, g.n) + megabytes(g.m, g.n));
  const double microseconds =
      costs::launch + std::sqrt(multiplying * multiplying + level_2 * level_2 + memory * memory) +
      tile.tile * d.tiles + (suits_maps(g.C, g.ldc) ? 0.0 : costs::by_rows * megabytes(g.m, g.n)) +
      d.area * (costs::round * d.rounds + costs::split * std::log2(d.blocks));
  return 1e-6 * microseconds * (d.rounds > 0.0 ? costs::doubt : 1.0);
}

}  // namespace hopper
