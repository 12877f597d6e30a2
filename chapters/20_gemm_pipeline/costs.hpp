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
  double old;       ///< a block's tile of C, if its old values are read
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
                         int processors, bool reads_C = false) {
  const int blocks = processors * t.resident;
  const double tiles = std::ceil(m / t.rows) * std::ceil(n / t.cols);
  const double in_tile = std::max(1.0, std::ceil(k / t.depth));
  const double step = c.step * (t.cuts ? k / t.depth / in_tile : 1.0);
  const double tile = c.tile + (reads_C ? c.old : 0.0);
  const double megabytes = megabytes_of(m * k + k * n + m * n);
  const auto seconds = [&](double steps, double tiles_of_a_block, double rounds) {
    return 1e-6 * (c.launch + step * steps + tile * tiles_of_a_block + c.round * rounds +
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
  if (left == 0.0 || in_tile == 1.0) return best;
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
  double part;      ///< per megabyte of partial sums that blocks write and that are then added up
  double megabyte;  ///< of A and B, each once
  double written;   ///< per megabyte of C ...
  double old;       ///< ... and if its old values are read
};

/// The estimate for many.hpp, with the best number of blocks per tile.
/// @param places how many blocks have buffers for their sums
inline Estimate estimate_many(const ManyCosts& c, const Extents& t, double m, double n, double k,
                              int processors, double places, bool reads_C = false) {
  constexpr int few_terms = 512;
  const double tiles = std::ceil(m / t.rows) * std::ceil(n / t.cols);
  const double steps = std::ceil(k / t.depth);
  const double matrices = c.megabyte * megabytes_of(m * k + k * n) +
                          (c.written + (reads_C ? c.old : 0.0)) * megabytes_of(m * n);
  // Of this many blocks. Beyond two rounds one begins when another ends.
  const int tabled = 2 * t.resident;
  const auto step_of = [&](double blocks) {
    return blocks > tabled ? c.step[tabled - 1] * blocks / tabled
                           : c.step[static_cast<int>(blocks) - 1];
  };
  Estimate best = {std::numeric_limits<double>::infinity(), 1};
  for (int blocks = 1; blocks <= steps; blocks += 1 + blocks / 32) {
    if (blocks > 1 && tiles * blocks > places) break;
    if (blocks > 1 && tiles * (blocks - 1) > 2 * t.resident * processors) break;
    double each = tiles * blocks / processors;  // blocks per multiprocessor
    each = each <= tabled ? std::ceil(each) : each + 0.5;
    const double own_steps = std::ceil(steps / blocks);
    // Blocks of few terms end at the same time. The multiprocessor that finishes first takes two of
    // the few remaining blocks, although another will be free a moment later.
    if (each == t.resident + 1 && own_steps * t.depth <= few_terms) each += 1;
    double seconds = c.launch + own_steps * step_of(each) + matrices;
    if (blocks > 1) {
      seconds += c.part * megabytes_of(tiles * blocks * t.rows * t.cols);
    }
    if (1e-6 * seconds < best.seconds) best = {1e-6 * seconds, blocks};
  }
  return best;
}

/// In microseconds, for thin.hpp.
struct ThinCosts {
  double launch;    ///< once, the second kernel's included
  double megabyte;  ///< of A, B and C
};

/// The estimate for thin.hpp.
inline Estimate estimate_thin(const ThinCosts& c, double m, double n, double k) {
  const double lanes = m < n ? std::ceil(n / 32) * 32 : n;  // that load B
  return {1e-6 * (c.launch + c.megabyte * megabytes_of(m * k + k * lanes + m * n)), 1};
}

/// An algorithm's costs, by where rows begin.
struct AlgorithmCosts {
  Costs anywhere;  ///< the rows of C begin anywhere
  Costs aligned;   ///< all are aligned to 16 bytes
};

namespace costs {
inline constexpr AlgorithmCosts large = {{15.0, 4.939, 7.01, 3.23, 0.051, 8.75},
                                         {8.3, 4.894, 3.95, 4.58, 0.062, 6.89}};
inline constexpr AlgorithmCosts packed = {{17.0, 4.757, 5.77, 3.73, 0.101, 9.16},
                                          {12.5, 4.752, 3.59, 4.08, 0.067, 6.73}};
inline constexpr AlgorithmCosts pair = {{11.0, 5.032, 7.79, 3.42, 0.020, 9.74, 2.7},
                                        {7.0, 5.283, 6.90, 5.45, 0.034, 7.88, 2.7}};
inline constexpr AlgorithmCosts narrow = {{11.5, 2.738, 4.05, 2.34, 0.030, 4.34},
                                          {7.5, 2.724, 3.01, 3.79, 0.007, 2.75}};
inline constexpr AlgorithmCosts flat = {{11.0, 2.655, 4.10, 2.01, 0.000, 3.86},
                                        {6.6, 2.655, 2.93, 3.76, 0.000, 2.31}};
/// As in ManyTiles: 4 bytes of B per copy, and 16.
inline constexpr ManyCosts many[4][2] = {
    {{6.7, {0.520, 0.966, 1.29, 1.60, 2.01, 2.43, 2.78, 3.16, 3.52, 3.87}, 0.55, 0.01, 0.21, 0.11},
     {5.6, {0.489, 0.910, 1.28, 1.52, 1.92, 2.32, 2.69, 3.06, 3.36, 3.72}, 0.40, 0.03, 0.21, 0.13}},
    {{7.8, {0.500, 0.934, 1.23, 1.61, 2.02, 2.43, 2.78, 3.16, 3.54, 3.94}, 0.43, 0.00, 0.19, 0.09},
     {6.0, {0.470, 0.908, 1.26, 1.51, 1.89, 2.28, 2.63, 2.97, 3.31, 3.65}, 0.28, 0.05, 0.22, 0.15}},
    {{6.7, {0.488, 0.857, 1.17, 1.54, 1.96, 2.30, 2.67, 3.02}, 0.47, 0.01, 0.18, 0.12},
     {6.4, {0.420, 0.763, 1.05, 1.38, 1.75, 2.05, 2.40, 2.73}, 0.36, 0.04, 0.20, 0.18}},
    {{8.4, {0.587, 1.05, 1.38, 1.72, 2.11, 2.60, 2.99, 3.38, 3.73, 4.15}, 0.55, 0.05, 0.23, 0.14},
     {6.4, {0.579, 1.08, 1.41, 1.69, 2.12, 2.57, 2.99, 3.41, 3.71, 4.09}, 0.46, 0.05, 0.22, 0.18}}};
inline constexpr ThinCosts thin = {6.0, 0.29};
/// A matrix is read and written once more.
inline double copying(double rows, double cols) {
  return rows * cols * 2.0e-12;
}
}  // namespace costs

}  // namespace ours
