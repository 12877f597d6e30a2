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

/// A way's costs, by how it copies B.
struct WayCosts {
  Costs anywhere;  ///< 4 bytes at a time: B's rows begin anywhere
  Costs by_map;    ///< a tile at a time: they begin on 16 bytes
};

namespace costs {
inline constexpr WayCosts large = {{9.58, 5.334, 5.80, 3.84, 0.049},
                                   {8.33, 5.052, 4.07, 4.32, 0.025}};
inline constexpr Costs packed = {12.69, 4.760, 4.02, 4.02, 0.000};
inline constexpr WayCosts pair = {{8.59, 5.500, 6.51, 3.81, 0.053},
                                  {8.35, 4.908, 4.20, 3.99, 0.032}};
inline constexpr WayCosts narrow = {{8.39, 2.998, 3.32, 2.65, 0.029},
                                    {8.85, 2.892, 2.19, 2.81, 0.022}};
inline constexpr WayCosts flat = {{7.02, 2.968, 3.45, 2.80, 0.013},
                                  {8.08, 2.831, 2.11, 2.56, 0.002}};
/// As in ManyTiles: 4 bytes of B at a time, and 16.
inline constexpr ManyCosts many[4][2] = {
    {{6.60, {0.508, 0.919, 1.215, 1.564}, 0.372, 2.87, 0.075},
     {5.56, {0.480, 0.895, 1.232, 1.499}, 0.329, 3.60, 0.000}},
    {{6.61, {0.497, 0.898, 1.194, 1.581, 1.968}, 0.498, 3.91, 0.003},
     {6.48, {0.460, 0.880, 1.149, 1.491, 1.847}, 0.364, 3.01, 0.012}},
    {{4.12, {0.493, 0.827, 1.166}, 0.937, 6.09, 0.020},
     {6.32, {0.422, 0.757, 1.047}, 0.760, 2.75, 0.000}},
    {{6.59, {0.626, 1.114, 1.432, 1.773}, 0.463, 1.82, 0.401},
     {4.84, {0.593, 1.059, 1.498, 1.753}, 0.369, 4.67, 0.307}}};
/// A matrix is read and written once more.
inline double packing(double rows, double cols) {
  return rows * cols * 2.5e-12;
}
}  // namespace costs

}  // namespace ours
