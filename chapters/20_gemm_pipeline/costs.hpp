/// @file
/// How long a way to compute a product takes: models with a few costs, and what a GPU showed of
/// them.
///
/// A launch costs something once. Then all blocks are busy with the same number of steps, and each
/// step takes so long, whatever the shape: its multiply-adds, or its copies if these take longer.
/// For each tile that a block writes it stops multiplying. Where blocks share tiles, sums are added
/// up in pairs, and each round of that takes its time: where that is more than it saves, blocks do
/// not share. And all matrices come from memory or go there once.
///
/// Many small blocks (many.hpp) hide each other's waiting. There it is a multiprocessor that has so
/// many steps to do.
///
/// The costs are fitted by least squares of the relative error to the times of all ways at shapes
/// drawn at random, on an NVIDIA H200. How well they choose at others: the chapter's page.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace ours {

/// In microseconds.
struct Costs {
  double launch;    ///< once
  double step;      ///< a block's step
  double tile;      ///< a block's tile of C
  double round;     ///< of adding up in pairs, where tiles are shared
  double megabyte;  ///< of A, B and C, each once
  /// A step of a block that has a multiprocessor to itself where two have room.
  double alone = 0.0;
};

/// Rows and columns of a tile of C, and the terms of a step. `cuts`: of a tile's last step only the
/// terms that there are take time. `resident`: blocks that a multiprocessor has room for.
struct Extents {
  int rows, cols, depth;
  bool cuts;
  int resident = 1;
};

/// What the model expects, and of what.
struct Expected {
  double seconds;
  int sharing;  ///< blocks that share the steps of the last tiles; 0: each computes whole tiles.
                ///< Of expect_many(): blocks that share a tile
};

/// Of three matrices.
inline double megabytes_of(double m, double n, double k) {
  return 4e-6 * (m * k + k * n + m * n);
}

/// What is expected of the best of three: nobody shares; the last rounds of tiles are shared out
/// among all blocks; or, where there are few tiles, each is shared by equally many blocks. Then no
/// block has a piece of two tiles, but some may have nothing to do.
inline Expected expect(const Costs& c, const Extents& t, double m, double n, double k,
                       int processors) {
  const int blocks = processors * t.resident;
  const double tiles = std::ceil(m / t.rows) * std::ceil(n / t.cols);
  const double in_tile = std::max(1.0, std::ceil(k / t.depth));
  const double step = c.step * (t.cuts ? k / t.depth / in_tile : 1.0);
  const double megabytes = megabytes_of(m, n, k);
  const auto seconds = [&](double steps, double tiles_of_a_block, double rounds) {
    return 1e-6 * (c.launch + step * steps + c.tile * tiles_of_a_block + c.round * rounds +
                   c.megabyte * megabytes);
  };
  // Where two have room, an odd tile of a multiprocessor's is computed by a block that is alone.
  const double most = std::ceil(tiles / processors);
  const double odd = std::fmod(most, t.resident);
  Expected best = {seconds((most - odd) / t.resident * in_tile, std::ceil(tiles / blocks), 0.0) +
                       1e-6 * c.alone * odd * in_tile,
                   0};
  const auto consider = [&](double expected, int sharing) {
    if (expected < best.seconds) best = {expected, sharing};
  };
  if (std::fmod(tiles, blocks) == 0.0) return best;
  const double rounds = tiles < blocks ? std::ceil(std::log2(blocks / tiles + 1.0)) : 1.0;
  consider(seconds(std::ceil(tiles * in_tile / blocks), std::max(1.0, tiles / blocks), rounds),
           blocks);
  const double each = std::min(std::floor(blocks / tiles), in_tile);  // that share a tile
  if (each > 1.0) {
    consider(seconds(std::ceil(in_tile / each), 1.0, std::ceil(std::log2(each))),
             static_cast<int>(tiles * each));
  }
  return best;
}

/// In microseconds, of many.hpp.
struct ManyCosts {
  double launch;    ///< once
  double step[10];  ///< a step of each of a multiprocessor's 1, 2 ... blocks, up to two rounds
  double tile;      ///< a multiprocessor's tile of C
  double sharing;   ///< once, where several blocks have a tile
  double part;      ///< for each block that has a tile, to add its sums
  double megabyte;  ///< of A, B and C, each once
};

/// What is expected of many.hpp, with the best number of blocks for each tile.
/// @param places for the sums of so many blocks
inline Expected expect_many(const ManyCosts& c, const Extents& t, double m, double n, double k,
                            int processors, double places) {
  constexpr int most_blocks = 40;  // of a tile: a second kernel reads what all have left
  constexpr int few_terms = 512;
  const double tiles = std::ceil(m / t.rows) * std::ceil(n / t.cols);
  const double steps = std::ceil(k / t.depth);
  const double megabytes = megabytes_of(m, n, k);
  // Of so many blocks. Beyond two rounds one begins when another ends.
  const int tabled = 2 * t.resident;
  const auto step_of = [&](double blocks) {
    return blocks > tabled ? c.step[tabled - 1] * blocks / tabled
                           : c.step[static_cast<int>(blocks) - 1];
  };
  Expected best = {std::numeric_limits<double>::infinity(), 1};
  for (int blocks = 1; blocks <= most_blocks && blocks <= steps; ++blocks) {
    if (blocks > 1 && tiles * blocks > places) break;
    double each = tiles * blocks / processors;  // blocks of a multiprocessor
    each = each <= tabled ? std::ceil(each) : each + 0.5;
    const double own_steps = std::ceil(steps / blocks);
    // Blocks of few terms end at the same time. The multiprocessor that is through first takes two
    // of the few that are left, though another will be free a moment later.
    if (each == t.resident + 1 && own_steps * t.depth <= few_terms) each += 1;
    double seconds = c.launch + own_steps * step_of(each) + c.tile * each + c.megabyte * megabytes;
    if (blocks > 1) seconds += c.sharing + c.part * blocks;
    if (1e-6 * seconds < best.seconds) best = {1e-6 * seconds, blocks};
  }
  return best;
}

/// A way's costs, by how it copies B.
struct WayCosts {
  Costs anywhere;  ///< 4 bytes at a time: B's rows begin anywhere
  Costs by_map;    ///< a tile at a time: they begin on 16 bytes
};

namespace costs {
inline constexpr WayCosts large = {{9.05, 5.386, 2.41, 4.08, 0.106},
                                   {7.09, 5.076, 4.08, 4.36, 0.036}};
inline constexpr Costs packed = {13.99, 4.754, 2.55, 4.45, 0.122};
inline constexpr WayCosts pair = {{7.23, 5.715, 3.28, 3.91, 0.065, 2.930},
                                  {6.68, 4.964, 4.69, 4.16, 0.019, 2.680}};
inline constexpr WayCosts narrow = {{8.63, 3.018, 2.61, 2.61, 0.026},
                                    {7.80, 2.901, 2.29, 3.01, 0.022}};
inline constexpr WayCosts flat = {{7.22, 2.997, 2.47, 2.66, 0.031},
                                  {7.17, 2.835, 2.17, 2.92, 0.003}};
/// As in ManyTiles: 4 bytes of B at a time, and 16.
inline constexpr ManyCosts many[4][2] = {
    {{6.3, {0.516, 0.938, 1.20, 1.57, 1.99, 2.40, 2.76, 3.14, 3.56, 3.93}, 0.35, 4.1, 0.00, 0.008},
     {5.2, {0.489, 0.913, 1.23, 1.51, 1.91, 2.35, 2.72, 3.09, 3.44, 3.77}, 0.32, 3.9, 0.00, 0.001}},
    {{6.5, {0.499, 0.912, 1.18, 1.56, 1.97, 2.39, 2.74, 3.12, 3.53, 3.93}, 0.49, 4.2, 0.00, 0.012},
     {6.6, {0.459, 0.916, 1.16, 1.49, 1.87, 2.28, 2.63, 2.99, 3.38, 3.73}, 0.35, 2.8, 0.01, 0.000}},
    {{5.0, {0.486, 0.852, 1.15, 1.53, 1.97, 2.33, 2.73, 3.09}, 0.77, 6.3, 0.00, 0.000},
     {5.2, {0.431, 0.764, 1.05, 1.39, 1.79, 2.11, 2.48, 2.83}, 0.68, 4.4, 0.00, 0.000}},
    {{8.4, {0.598, 1.06, 1.32, 1.66, 2.07, 2.55, 2.93, 3.34, 3.78, 4.27}, 0.27, 4.4, 0.05, 0.134},
     {5.6, {0.565, 1.03, 1.42, 1.66, 2.10, 2.58, 2.99, 3.46, 3.80, 4.24}, 0.19, 5.7, 0.07, 0.118}}};
/// A matrix is read and written once more.
inline double packing(double rows, double cols) {
  return rows * cols * 2.0e-12;
}
}  // namespace costs

}  // namespace ours
