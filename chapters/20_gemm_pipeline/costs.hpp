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

/// What is expected of the best of three: nobody shares; the last rounds of tiles are shared out
/// among all blocks; or, where there are few tiles, each is shared by equally many blocks. Then no
/// block has a piece of two tiles, but some may have nothing to do.
inline Expected expect(const Costs& c, const Extents& t, double m, double n, double k,
                       int processors) {
  const int blocks = processors * t.resident;
  const double tiles = std::ceil(m / t.rows) * std::ceil(n / t.cols);
  const double in_tile = std::max(1.0, std::ceil(k / t.depth));
  const double step = c.step * (t.cuts ? k / t.depth / in_tile : 1.0);
  const double megabytes = 4e-6 * (m * k + k * n + m * n);
  const auto seconds = [&](double steps, double tiles_of_a_block, double rounds) {
    return 1e-6 * (c.launch + step * steps + c.tile * tiles_of_a_block + c.round * rounds +
                   c.megabyte * megabytes);
  };
  const double most = std::ceil(tiles / blocks);
  // Blocks that are alone on their multiprocessors are faster than the costs say: let another way,
  // whose tiles are larger, have such products.
  Expected best = {std::numeric_limits<double>::infinity(), 0};
  if (t.resident == 1 || tiles > processors) best = {seconds(most * in_tile, most, 0.0), 0};
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
  double launch;   ///< once
  double step[5];  ///< a step of 1, 2 ... blocks that a multiprocessor has at once
  double tile;     ///< a multiprocessor's tile of C
  double sharing;  ///< once, where several blocks have a tile
  double part;     ///< for each block that has a tile, to add its sums
};

/// What is expected of many.hpp, with the best number of blocks for each tile.
/// @param places for the sums of so many blocks
inline Expected expect_many(const ManyCosts& c, const Extents& t, double m, double n, double k,
                            int processors, double places) {
  constexpr int most_blocks = 40;  // of a tile: one of them adds up what all have
  const double tiles = std::ceil(m / t.rows) * std::ceil(n / t.cols);
  const double steps = std::ceil(k / t.depth);
  // A step of so many blocks, if no more of them are there at once than there is room for. Where
  // there are many, one begins when another ends.
  const auto step_of = [&](double blocks) {
    const double whole = c.step[t.resident - 1];
    if (blocks > 2 * t.resident) return blocks / t.resident * whole;
    const int rest = static_cast<int>(blocks) % t.resident;
    return std::floor(blocks / t.resident) * whole + (rest > 0 ? c.step[rest - 1] : 0.0);
  };
  Expected best = {std::numeric_limits<double>::infinity(), 1};
  for (int blocks = 1; blocks <= most_blocks && blocks <= steps; ++blocks) {
    if (blocks > 1 && tiles * blocks > places) break;
    double each = tiles * blocks / processors;  // blocks of a multiprocessor
    each = each <= 2 * t.resident ? std::ceil(each) : each + 0.5;
    double seconds = c.launch + std::ceil(steps / blocks) * step_of(each) + c.tile * each;
    if (blocks > 1) seconds += c.sharing + c.part * blocks;
    if (1e-6 * seconds < best.seconds) best = {1e-6 * seconds, blocks};
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
inline constexpr WayCosts large = {{12.87, 5.304, 4.40, 3.35, 0.087},
                                   {12.13, 5.302, 2.17, 3.40, 0.084},
                                   {12.83, 5.382, 1.66, 3.40, 0.139},
                                   {12.41, 5.362, 2.91, 3.47, 0.045}};
inline constexpr WayCosts packed = {{15.21, 5.055, 6.09, 2.47, 0.000},
                                    {14.26, 5.045, 3.84, 2.90, 0.000},
                                    {15.06, 5.132, 4.41, 3.14, 0.000},
                                    {14.65, 5.099, 4.17, 3.24, 0.000}};
inline constexpr WayCosts pair = {{10.12, 5.327, 5.44, 3.46, 0.035},
                                  {10.50, 5.298, 3.15, 3.73, 0.034},
                                  {10.81, 5.184, 3.09, 3.72, 0.077},
                                  {9.70, 5.200, 3.50, 3.81, 0.046}};
inline constexpr WayCosts narrow = {{8.44, 2.954, 3.45, 2.69, 0.024},
                                    {9.26, 2.951, 2.06, 2.70, 0.027},
                                    {8.66, 2.940, 2.12, 2.68, 0.031},
                                    {8.62, 2.927, 2.20, 2.65, 0.012}};
inline constexpr WayCosts flat = {{7.81, 2.963, 3.37, 3.03, 0.020},
                                  {8.73, 2.967, 1.95, 3.06, 0.031},
                                  {10.49, 3.053, 0.93, 2.66, 0.138},
                                  {12.04, 3.020, 1.37, 2.31, 0.051}};
inline constexpr WayCosts slim = {{5.97, 1.853, 1.87, 2.05, 0.067},
                                  {5.74, 1.842, 1.28, 2.35, 0.066},
                                  {6.34, 1.827, 0.99, 2.20, 0.068},
                                  {5.54, 1.857, 0.97, 2.19, 0.066}};
/// As in ManyTiles: 4 bytes of B at a time, and 16.
inline constexpr ManyCosts many[3][2] = {
    {{6.05, {0.644, 0.903, 1.226, 1.619}, 0.385, 5.98, 0.204},
     {4.23, {0.615, 0.882, 1.124, 1.512}, 0.366, 7.57, 0.182}},
    {{5.92, {0.525, 0.933, 1.334, 1.765, 2.168}, 0.463, 3.53, 0.341},
     {4.43, {0.602, 0.887, 1.194, 1.522, 1.899}, 0.393, 6.48, 0.288}},
    {{6.24, {0.916, 1.566, 2.369}, 0.819, 6.34, 0.410},
     {3.57, {1.302, 1.537, 2.128}, 0.838, 9.48, 0.357}}};
/// A is read and written once more.
inline double packing(double m, double k) {
  return m * k * 2.84e-12;
}
}  // namespace costs

}  // namespace ours
