/// @file
/// How long a way to compute a product takes: a model with five costs, and what a GPU showed of
/// them.
///
/// A launch costs something once. Then all blocks are busy with the same number of steps, and each
/// step takes so long, whatever the shape: its multiply-adds, or its copies if these take longer.
/// For each tile that a block writes it stops multiplying. Where blocks share tiles, sums are added
/// up in pairs, and each round of that takes its time: where that is more than it saves, blocks do
/// not share. And all matrices come from memory or go there once.
///
/// The costs are fitted by least squares of the relative error to the times of all ways at shapes
/// drawn at random, on an NVIDIA H200. How well they choose at others: the chapter's page.
#pragma once

#include <algorithm>
#include <cmath>

namespace ours {

/// In microseconds.
struct Costs {
  double launch;    ///< once
  double step;      ///< a block's step
  double tile;      ///< a block's tile of C
  double round;     ///< of adding up in pairs, where tiles are shared
  double megabyte;  ///< of A, B and C, each once
};

/// Rows and columns of a tile of C, and the terms of a step. `cuts`: of a tile's last step only the
/// terms that there are take time.
struct Extents {
  int rows, cols, depth;
  bool cuts;
};

/// What the model expects, and of what.
struct Expected {
  double seconds;
  int sharing;  ///< blocks that share the steps of the last tiles; 0: each computes whole tiles
};

/// What is expected of the best of three: nobody shares; the last rounds of tiles are shared out
/// among all blocks; or, where there are few tiles, each is shared by equally many blocks. Then no
/// block has a piece of two tiles, but some may have nothing to do.
/// @param blocks that the GPU has room for
inline Expected expect(const Costs& c, const Extents& t, double m, double n, double k, int blocks) {
  const double tiles = std::ceil(m / t.rows) * std::ceil(n / t.cols);
  const double in_tile = std::max(1.0, std::ceil(k / t.depth));
  const double step = c.step * (t.cuts ? k / t.depth / in_tile : 1.0);
  const double megabytes = 4e-6 * (m * k + k * n + m * n);
  const auto seconds = [&](double steps, double tiles_of_a_block, double rounds) {
    return 1e-6 * (c.launch + step * steps + c.tile * tiles_of_a_block + c.round * rounds +
                   c.megabyte * megabytes);
  };
  const double most = std::ceil(tiles / blocks);
  Expected best = {seconds(most * in_tile, most, 0.0), 0};
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

/// A way's costs, by how it copies B and where B's rows begin. Copies of 16 bytes are fewer, but
/// not always faster: where little of the last tile is in C, most of theirs brings nothing.
struct WayCosts {
  Costs anywhere;  ///< 4 bytes at a time, for the rows cannot be had otherwise
  Costs singles;   ///< 4 bytes at a time, although they begin on 16 bytes
  Costs fours;     ///< 16 bytes at a time, rows begin on 16 bytes
  Costs lines;     ///< 16 bytes at a time, rows begin on 128 bytes
};

namespace costs {
inline constexpr WayCosts large = {{8.73, 5.451, 23.56, 1.64, 0.000},
                                   {6.37, 5.525, 3.31, 4.35, 0.018},
                                   {8.77, 5.479, 2.44, 4.13, 0.084},
                                   {7.88, 5.391, 1.97, 4.37, 0.094}};
inline constexpr WayCosts packed = {{9.16, 4.935, 25.25, 1.30, 0.000},
                                    {10.63, 5.002, 4.25, 3.53, 0.000},
                                    {11.71, 5.156, 4.39, 3.44, 0.000},
                                    {12.27, 5.044, 4.04, 3.54, 0.000}};
inline constexpr WayCosts narrow = {{8.42, 2.978, 3.44, 2.47, 0.021},
                                    {7.30, 2.984, 2.30, 2.53, 0.013},
                                    {6.52, 2.952, 2.43, 3.07, 0.045},
                                    {8.00, 2.923, 2.07, 2.49, 0.042}};
inline constexpr WayCosts flat = {{8.61, 2.951, 3.54, 2.20, 0.003},
                                  {7.91, 2.951, 2.20, 2.40, 0.004},
                                  {8.48, 3.174, 1.38, 2.83, 0.104},
                                  {11.24, 3.085, 1.43, 2.37, 0.067}};
inline constexpr WayCosts square = {{9.30, 2.917, 3.46, 2.15, 0.007},
                                    {7.06, 2.921, 2.21, 2.67, 0.008},
                                    {6.43, 2.922, 2.03, 3.09, 0.076},
                                    {8.41, 2.886, 1.61, 2.70, 0.076}};
inline constexpr WayCosts small = {{7.23, 1.732, 2.17, 2.08, 0.013},
                                   {7.48, 1.737, 1.50, 1.98, 0.004},
                                   {9.04, 1.675, 1.21, 2.07, 0.021},
                                   {10.24, 1.676, 1.16, 1.62, 0.008}};
inline constexpr WayCosts slim = {{6.94, 1.888, 1.93, 1.86, 0.078},
                                  {6.07, 1.904, 1.39, 2.26, 0.061},
                                  {5.77, 1.842, 1.25, 2.51, 0.066},
                                  {7.75, 1.840, 1.09, 2.09, 0.057}};
inline constexpr WayCosts thin = {{8.01, 1.876, 1.89, 2.19, 0.005},
                                  {7.09, 1.876, 1.25, 2.42, 0.007},
                                  {7.55, 2.004, 1.10, 3.11, 0.058},
                                  {7.19, 1.985, 1.29, 2.64, 0.036}};
/// As in LaneTiles: 4 bytes at a time, and 16.
inline constexpr Costs lanes[3][2] = {
    {{7.42, 4.624, 3.96, 2.93, 0.010}, {8.17, 4.102, 3.04, 3.26, 0.044}},
    {{5.58, 3.106, 1.58, 1.70, 0.037}, {0.00, 3.920, 1.75, 3.41, 0.026}},
    {{8.58, 2.162, 1.20, 1.44, 0.067}, {0.00, 3.005, 0.85, 4.64, 0.066}}};
/// A is read and written once more.
inline double packing(double m, double k) {
  return m * k * 2.84e-12;
}
}  // namespace costs

}  // namespace ours
