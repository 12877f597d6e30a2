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
  constexpr int most_blocks = 40;  // of a tile: a second kernel reads what all have left
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
inline constexpr WayCosts large = {{14.43, 5.260, 4.44, 2.67, 0.092},
                                   {12.78, 5.269, 2.49, 3.16, 0.074},
                                   {14.55, 5.260, 1.91, 2.82, 0.127},
                                   {15.05, 5.158, 2.38, 1.85, 0.100}};
inline constexpr WayCosts packed = {{16.15, 5.065, 6.09, 1.84, 0.000},
                                    {14.86, 5.060, 3.79, 2.91, 0.000},
                                    {16.64, 5.050, 4.39, 2.88, 0.000},
                                    {15.42, 5.015, 3.65, 3.42, 0.029}};
inline constexpr WayCosts pair = {{9.82, 5.318, 5.39, 3.22, 0.047},
                                  {10.41, 5.304, 3.17, 3.54, 0.031},
                                  {10.30, 5.162, 3.60, 3.69, 0.051},
                                  {13.34, 5.148, 2.54, 2.38, 0.054}};
inline constexpr WayCosts narrow = {{9.77, 2.921, 3.36, 2.53, 0.033},
                                    {9.98, 2.920, 2.17, 2.59, 0.024},
                                    {9.86, 2.880, 2.20, 2.64, 0.033},
                                    {6.02, 2.874, 2.46, 3.53, 0.038}};
inline constexpr WayCosts flat = {{8.30, 2.927, 3.19, 2.71, 0.037},
                                  {9.02, 2.926, 2.05, 2.50, 0.022},
                                  {10.37, 2.914, 1.87, 1.98, 0.046},
                                  {8.55, 2.871, 2.33, 2.50, 0.008}};
/// As in ManyTiles: 4 bytes of B at a time, and 16.
inline constexpr ManyCosts many[4][2] = {
    {{7.13, {0.482, 0.904, 1.192, 1.554}, 0.383, 3.48, 0.049},
     {5.64, {0.459, 0.866, 1.205, 1.500}, 0.346, 4.19, 0.000}},
    {{7.07, {0.491, 0.884, 1.184, 1.570, 1.956}, 0.493, 3.22, 0.059},
     {6.70, {0.460, 0.845, 1.138, 1.482, 1.842}, 0.371, 2.53, 0.046}},
    {{5.08, {0.480, 0.822, 1.156}, 0.900, 4.90, 0.047},
     {8.21, {0.406, 0.750, 1.041}, 0.682, 1.45, 0.000}},
    {{7.02, {0.614, 1.101, 1.435, 1.759}, 0.467, 3.08, 0.261},
     {5.04, {0.593, 1.076, 1.502, 1.734}, 0.370, 5.17, 0.228}}};
/// A is read and written once more.
inline double packing(double m, double k) {
  return m * k * 2.84e-12;
}
}  // namespace costs

}  // namespace ours
