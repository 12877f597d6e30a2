/// @file
/// The time of a kernel for a product, estimated: a model with a few costs, as measured on a GPU.
///
/// Three things take their time at once: multiplying, steps of 64 terms one after the other;
/// bringing tiles from level 2; and bringing the matrices from memory, and C there. Of these the
/// model takes the fourth root of the sum of the fourth powers: the longest counts most. Writing
/// tiles and adding up sums of several blocks come on top.
///
/// The costs are fitted by least squares to the logarithms of about 21,000 times: these kernels,
/// with clusters of eight shapes, at 190 random shapes on an NVIDIA H200. The chapter's page says
/// how well they choose at other shapes.
#pragma once

#include <cmath>

#include "tensor_cores/tiles.hpp"

namespace hopper {

/// In microseconds.
struct TileCosts {
  double step;  ///< 64 terms of all elements
  double tile;  ///< written
};

/// How a kernel divides a product.
struct Division {
  Cluster cluster;
  int rows, cols;       ///< of a block's tile
  double steps = 0.0;   ///< one after the other, of the block that has the most
  double tiles = 0.0;   ///< written, likewise; those of a cluster count as one
  double busy = 1.0;    ///< the part of the multiprocessors that have a block
  double rounds = 0.0;  ///< of adding up in pairs, through global memory
  int blocks = 1;       ///< that share a tile, and add up through shared memory
};

namespace costs {
constexpr double launch = 7.06;              ///< once
constexpr double of_clusters = 0.78;         ///< once, if there are any
constexpr double aligned = 0.0106;           ///< per KiB from level 2, of a multiprocessor
constexpr double misaligned = 0.0153;        ///< the same where rows do not begin on 128 bytes
constexpr double from_memory = 0.241;        ///< per megabyte of A and B
constexpr double to_memory = 0.134;          ///< per megabyte of C
constexpr double by_rows = 0.833;            ///< per megabyte of C that no map writes, on top
constexpr double round = 1.24;               ///< once per round
constexpr double round_of_sums = 4.44;       ///< likewise, per 128 x 256 sums
constexpr double split = 1.13;               ///< times the logarithm of the blocks
constexpr double split_of_sums = 0.72;       ///< likewise, per 128 x 256 sums
constexpr double shared_and_whole = 1.0675;  ///< a factor: blocks that share are not in step
}  // namespace costs

/// The model's estimate, in seconds.
inline double estimate(const Product& g, const TileCosts& tile, const Division& d) {
  const auto megabytes = [](double rows, double cols) { return 2e-6 * rows * cols; };
  const auto level_2 = [](double lines, std::int64_t ld) {  // of 128 bytes
    return lines / 8 * (ld % 64 == 0 ? costs::aligned : costs::misaligned);
  };
  const double multiplying = tile.step * d.steps;
  const double bringing = d.busy * d.steps *
                          (level_2(1.0 * d.rows / d.cluster.across, g.lda) +
                           level_2((d.cols + 63) / 64 * 64.0 / d.cluster.down, g.ldb));
  const double memory = costs::from_memory * (megabytes(g.m, g.k) + megabytes(g.k, g.n)) +
                        costs::to_memory * megabytes(g.m, g.n);
  const auto fourth_power = [](double x) { return x * x * x * x; };
  const double most = std::sqrt(
      std::sqrt(fourth_power(multiplying) + fourth_power(bringing) + fourth_power(memory)));
  const double sums = d.rows * d.cols / (128.0 * 256.0);
  const double microseconds =
      costs::launch + (d.cluster.size() > 1 ? costs::of_clusters : 0.0) + most +
      tile.tile * d.tiles + (suits_maps(g.C, g.ldc) ? 0.0 : costs::by_rows * megabytes(g.m, g.n)) +
      d.rounds * (costs::round + costs::round_of_sums * sums) +
      std::log2(d.blocks) * (costs::split + costs::split_of_sums * sums);
  return 1e-6 * microseconds * (d.rounds > 0.0 && d.tiles > 1.0 ? costs::shared_and_whole : 1.0);
}

}  // namespace hopper
