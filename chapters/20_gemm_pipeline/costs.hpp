/// @file
/// The time of an algorithm for a product: models with a few costs, and the costs as measured on a
/// GPU.
///
/// A launch has a fixed cost. Then all blocks compute the same number of steps, and each step has a
/// fixed time, whatever the shape: its multiply-adds, or its copies if these take longer. While a
/// block writes a tile it does not multiply. Where blocks share tiles, sums are added up in pairs,
/// and each round of that takes its time: if that is more than it saves, blocks do not share. And
/// all matrices come from memory or go there once.
///
/// Many small blocks (many.hpp) hide each other's latencies. There the number of steps per
/// multiprocessor counts.
///
/// The costs are fitted by least squares of the relative error to the times of all algorithms at
/// random shapes, on an NVIDIA H200. The chapter's page says how well they choose at other shapes.
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
  /// A step of a block that is alone on a multiprocessor that has room for two.
  double alone = 0.0;
};

/// Rows and columns of a tile of C, and the terms per step. `cuts`: in a tile's last step only the
/// existing terms take time. `resident`: blocks that fit on a multiprocessor.
struct Extents {
  int rows, cols, depth;
  bool cuts;
  int resident = 1;
};

/// The model's estimate, and the choice that it is for.
struct Estimate {
  double seconds;
  int sharing;  ///< blocks that share the steps of the last tiles; 0: each computes whole tiles.
                ///< Of estimate_many(): blocks that share a tile
};

/// Of this many floats.
inline double megabytes_of(double floats) {
  return 4e-6 * floats;
}

/// The estimate for the best of three: nothing is shared; the last rounds of tiles are shared out
/// among all blocks; or, where tiles are few, each is shared by the same number of blocks. Then no
/// block has pieces of two tiles, but some blocks may be idle.
inline Estimate estimate(const Costs& c, const Extents& t, double m, double n, double k,
                         int processors) {
  const int blocks = processors * t.resident;
  const double tiles = std::ceil(m / t.rows) * std::ceil(n / t.cols);
  const double in_tile = std::max(1.0, std::ceil(k / t.depth));
  const double step = c.step * (t.cuts ? k / t.depth / in_tile : 1.0);
  const double megabytes = megabytes_of(m * k + k * n + m * n);
  const auto seconds = [&](double steps, double tiles_of_a_block, double rounds) {
    return 1e-6 * (c.launch + step * steps + c.tile * tiles_of_a_block + c.round * rounds +
                   c.megabyte * megabytes);
  };
  // Where two blocks fit, those of a last round may each have a multiprocessor to themselves: if
  // there is one for each of them, or, where all blocks are resident, up to about 80 of 132. The
  // next ones are resident next to one of these.
  const double left = std::fmod(tiles, blocks);
  const bool alone =
      t.resident > 1 && left > 0.0 && left <= (tiles < blocks ? 1.0 : 0.6) * processors;
  const double rounds_of_tiles = std::floor(tiles / blocks) + (left > 0.0 && !alone ? 1.0 : 0.0);
  Estimate best = {seconds(rounds_of_tiles * in_tile, std::ceil(tiles / blocks), 0.0) +
                       (alone ? 1e-6 * c.alone * in_tile : 0.0),
                   0};
  const auto consider = [&](double expected, int sharing) {
    if (expected < best.seconds) best = {expected, sharing};
  };
  if (left == 0.0) return best;
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

/// In microseconds, for many.hpp.
struct ManyCosts {
  double launch;    ///< once
  double step[10];  ///< a step of each of a multiprocessor's 1, 2 ... blocks, up to two rounds
  double sharing;   ///< once, where several blocks share a tile
  double part;      ///< per megabyte of partial sums that blocks write and that are then added up
  double megabyte;  ///< of A and B, each once
  double written;   ///< per megabyte of C
};

/// The estimate for many.hpp, with the best number of blocks per tile.
/// @param places how many blocks have buffers for their sums
inline Estimate estimate_many(const ManyCosts& c, const Extents& t, double m, double n, double k,
                              int processors, double places) {
  constexpr int most_blocks = 40;  // per tile: a second kernel adds up their sums
  constexpr int few_terms = 512;
  const double tiles = std::ceil(m / t.rows) * std::ceil(n / t.cols);
  const double steps = std::ceil(k / t.depth);
  const double matrices =
      c.megabyte * megabytes_of(m * k + k * n) + c.written * megabytes_of(m * n);
  // Of this many blocks. Beyond two rounds one begins when another ends.
  const int tabled = 2 * t.resident;
  const auto step_of = [&](double blocks) {
    return blocks > tabled ? c.step[tabled - 1] * blocks / tabled
                           : c.step[static_cast<int>(blocks) - 1];
  };
  Estimate best = {std::numeric_limits<double>::infinity(), 1};
  for (int blocks = 1; blocks <= most_blocks && blocks <= steps; ++blocks) {
    if (blocks > 1 && tiles * blocks > places) break;
    double each = tiles * blocks / processors;  // blocks per multiprocessor
    each = each <= tabled ? std::ceil(each) : each + 0.5;
    const double own_steps = std::ceil(steps / blocks);
    // Blocks of few terms end at the same time. The multiprocessor that finishes first takes two of
    // the few remaining blocks, although another will be free a moment later.
    if (each == t.resident + 1 && own_steps * t.depth <= few_terms) each += 1;
    double seconds = c.launch + own_steps * step_of(each) + matrices;
    if (blocks > 1) {
      seconds += c.sharing + c.part * megabytes_of(tiles * blocks * t.rows * t.cols);
    }
    if (1e-6 * seconds < best.seconds) best = {1e-6 * seconds, blocks};
  }
  return best;
}

/// An algorithm's costs, by how it copies B.
struct AlgorithmCosts {
  Costs anywhere;  ///< 4 bytes at a time: B's rows begin anywhere
  Costs by_map;    ///< a tile at a time: B's rows are aligned to 16 bytes
};

namespace costs {
inline constexpr AlgorithmCosts large = {{8.29, 5.299, 3.12, 3.73, 0.062},
                                         {8.33, 4.994, 3.91, 3.69, 0.012}};
inline constexpr Costs packed = {13.85, 4.726, 2.98, 3.82, 0.091};
inline constexpr AlgorithmCosts pair = {{7.01, 5.628, 3.52, 3.52, 0.039, 2.812},
                                        {6.98, 4.922, 4.56, 3.88, 0.006, 2.640}};
inline constexpr AlgorithmCosts narrow = {{7.29, 2.927, 2.99, 2.65, 0.001},
                                          {7.50, 2.751, 2.81, 2.64, 0.004}};
inline constexpr AlgorithmCosts flat = {{7.04, 2.943, 2.79, 2.47, 0.000},
                                        {6.57, 2.647, 2.70, 2.77, 0.003}};
/// As in ManyTiles: 4 bytes of B per copy, and 16.
inline constexpr ManyCosts many[4][2] = {
    {{5.6, {0.520, 0.966, 1.29, 1.60, 2.01, 2.43, 2.78, 3.16, 3.52, 3.87}, 0.9, 0.41, 0.000, 0.15},
     {4.5, {0.489, 0.910, 1.28, 1.52, 1.92, 2.32, 2.69, 3.06, 3.36, 3.72}, 0.8, 0.36, 0.000, 0.16}},
    {{6.3, {0.492, 0.919, 1.21, 1.59, 1.99, 2.40, 2.74, 3.12, 3.49, 3.88}, 0.4, 0.41, 0.000, 0.17},
     {4.6, {0.474, 0.917, 1.27, 1.52, 1.90, 2.30, 2.65, 2.99, 3.34, 3.68}, 0.0, 0.40, 0.000, 0.17}},
    {{5.1, {0.488, 0.857, 1.17, 1.54, 1.96, 2.30, 2.67, 3.02}, 0.9, 0.41, 0.000, 0.15},
     {5.0, {0.426, 0.774, 1.07, 1.40, 1.78, 2.08, 2.43, 2.77}, 0.0, 0.36, 0.000, 0.16}},
    {{6.5, {0.587, 1.05, 1.38, 1.72, 2.11, 2.60, 2.99, 3.38, 3.73, 4.15}, 0.8, 0.48, 0.041, 0.19},
     {4.7, {0.585, 1.09, 1.42, 1.71, 2.14, 2.60, 3.02, 3.45, 3.75, 4.13}, 1.2, 0.38, 0.045, 0.22}}};
/// A matrix is read and written once more.
inline double packing(double rows, double cols) {
  return rows * cols * 2.0e-12;
}
}  // namespace costs

}  // namespace ours
