/// @file
/// How long a way to compute a product takes: a model with a few costs, and what an H200 showed of
/// them.
///
/// A launch costs something once. Then all blocks are busy with the same number of steps, and each
/// step takes so long, whatever the shape: its multiply-adds, or its copies if these take longer.
/// For each tile that a block writes it stops multiplying. Where blocks share tiles, sums of parts
/// go through memory. And nothing is faster than memory lets it be.
///
/// The costs are fitted to the times of all ways at the shapes of `course_measure --chapter 20
/// --random 200`, by least squares of the relative error. Of how many costs, and how well they fit:
/// the chapter's page.
#pragma once

#include <algorithm>
#include <cmath>

namespace ours {

/// Microseconds.
struct Costs {
  double launch;  ///< once
  double step;    ///< a block's step
  double tile;    ///< a block's tile of C
  double part;    ///< a block's part of a tile that it shares
};

/// Rows and columns of a tile of C, and the terms of a step.
struct Extents {
  int rows, cols, depth;
};

inline double tiles_of(const Extents& t, int m, int n) {
  return ((m - 1) / t.rows + 1.0) * ((n - 1) / t.cols + 1.0);
}

/// At 3.4 TB/s, of which an H200's memory is sure.
inline double memory_seconds(double m, double n, double k) {
  return 4.0 * (m * k + k * n + m * n) / 3.4e12;
}

/// Steps are shared out among so many blocks.
inline double shared_seconds(const Costs& c, const Extents& t, int m, int n, int k, int blocks) {
  const double tiles = tiles_of(t, m, n);
  const double steps = std::ceil(tiles * ((k - 1) / t.depth + 1) / blocks);
  const double parts = std::fmod(tiles, blocks) == 0.0 ? 0.0 : std::max(2.0, blocks / tiles);
  const double own_tiles = std::max(1.0, tiles / blocks);
  return std::max(1e-6 * (c.launch + c.step * steps + c.tile * own_tiles + c.part * parts),
                  memory_seconds(m, n, k));
}

/// Whole tiles, in rounds of so many.
inline double round_seconds(const Costs& c, const Extents& t, int m, int n, int k, int blocks) {
  const double rounds = std::ceil(tiles_of(t, m, n) / blocks);
  return std::max(1e-6 * (c.launch + rounds * (c.step * ((k - 1) / t.depth + 1) + c.tile)),
                  memory_seconds(m, n, k));
}

/// Each for matrices whose rows begin anywhere, and on 16 bytes.
namespace costs {
inline constexpr Costs packed[2] = {{22.83, 6.313, 4.10, 0.84}, {20.31, 5.625, 3.32, 1.26}};
inline constexpr Costs large[2] = {{22.50, 5.794, 2.75, 0.98}, {18.45, 5.992, 2.84, 0.86}};
inline constexpr Costs narrow[2] = {{16.19, 3.299, 2.05, 0.67}, {13.70, 3.339, 1.54, 0.68}};
inline constexpr Costs flat[2] = {{15.30, 3.276, 1.95, 0.71}, {20.99, 3.709, 0.93, 0.00}};
inline constexpr Costs square[2] = {{14.84, 3.217, 2.10, 0.57}, {14.26, 3.362, 1.35, 0.54}};
inline constexpr Costs small[2] = {{12.96, 1.807, 1.34, 1.04}, {12.54, 1.944, 0.59, 0.94}};
inline constexpr Costs ahead[2] = {{0.00, 2.374, 20.22, 0.00}, {0.00, 2.292, 4.97, 0.00}};
/// As in LaneTiles.
inline constexpr Costs lanes[5][2] = {{{15.89, 9.613, 0.00, 1.16}, {11.72, 7.957, 0.00, 1.20}},
                                      {{16.36, 5.682, 1.17, 1.14}, {16.91, 4.367, 0.00, 0.82}},
                                      {{10.93, 3.494, 0.00, 1.05}, {0.00, 3.711, 0.10, 2.61}},
                                      {{8.61, 2.397, 0.44, 2.35}, {8.61, 2.397, 0.44, 2.35}},
                                      {{9.34, 4.630, 0.32, 0.30}, {8.27, 3.497, 0.33, 0.79}}};
/// A is read and written once more.
inline double packing(double m, double k) {
  return m * k * 2.84e-12;
}
}  // namespace costs

}  // namespace ours
