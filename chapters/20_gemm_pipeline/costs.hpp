/// @file
/// How long a way to compute a product takes: a model with five costs, and what a GPU showed of
/// them.
///
/// A launch costs something once. Then all blocks are busy with the same number of steps, and each
/// step takes so long, whatever the shape: its multiply-adds, or its copies if these take longer.
/// For each tile that a block writes it stops multiplying. Where blocks share tiles, sums of parts
/// go through memory. And all matrices come from memory or go there once.
///
/// The costs are fitted by least squares of the relative error to the times of all ways at shapes
/// drawn at random, on an NVIDIA H100. How well they choose at others: the chapter's page.
#pragma once

#include <algorithm>
#include <cmath>

namespace ours {

/// In microseconds.
struct Costs {
  double launch;    ///< once
  double step;      ///< a block's step
  double tile;      ///< a block's tile of C
  double part;      ///< a block's part of a tile that it shares
  double megabyte;  ///< of A, B and C, each once
};

/// Rows and columns of a tile of C, and the terms of a step. `cuts`: of a tile's last step only the
/// terms that there are take time.
struct Extents {
  int rows, cols, depth;
  bool cuts;
};

/// What the model expects if steps are shared out among so many blocks.
inline double seconds_of(const Costs& c, const Extents& t, double m, double n, double k,
                         int blocks) {
  const double tiles = std::ceil(m / t.rows) * std::ceil(n / t.cols);
  const double in_tile = std::max(1.0, std::ceil(k / t.depth));
  const double steps = std::ceil(tiles * in_tile / blocks) * (t.cuts ? k / t.depth / in_tile : 1.0);
  const bool shares = std::fmod(tiles, blocks) != 0.0;
  const double parts = !shares ? 0.0 : tiles < blocks ? blocks / tiles + 1.0 : 3.0;
  const double megabytes = 4e-6 * (m * k + k * n + m * n);
  return 1e-6 * (c.launch + c.step * steps + c.tile * std::max(1.0, tiles / blocks) +
                 c.part * parts + c.megabyte * megabytes);
}

/// A way's costs, by how it copies B and where B's rows begin. Copies of 16 bytes are fewer; but
/// where rows do not begin on a line of 128 bytes, those of 4 bytes turned out to be faster.
struct WayCosts {
  Costs anywhere;  ///< 4 bytes at a time, for the rows cannot be had otherwise
  Costs singles;   ///< 4 bytes at a time, although they begin on 16 bytes
  Costs fours;     ///< 16 bytes at a time, rows begin on 16 bytes
  Costs lines;     ///< 16 bytes at a time, rows begin on 128 bytes
};

/// (A launch of large tiles writes one or a few of them: the fit hardly tells the one cost from the
/// other.)
namespace costs {
inline constexpr WayCosts large = {{1.18, 5.433, 22.92, 0.00, 0.252},
                                   {22.45, 5.467, 0.00, 0.00, 0.213},
                                   {18.86, 5.679, 0.00, 0.99, 0.209},
                                   {19.08, 5.497, 0.00, 0.00, 0.198}};
inline constexpr WayCosts packed = {{4.55, 4.974, 23.17, 0.74, 0.257},
                                    {25.59, 5.086, 0.00, 0.00, 0.224},
                                    {21.69, 5.267, 0.00, 1.12, 0.223},
                                    {20.20, 5.098, 0.00, 1.24, 0.195}};
inline constexpr Costs narrow_singles = {14.64, 3.135, 1.72, 0.00, 0.118};
inline constexpr WayCosts narrow = {narrow_singles,
                                    narrow_singles,
                                    {16.83, 3.175, 0.52, 0.42, 0.179},
                                    {11.82, 3.094, 0.95, 0.00, 0.155}};
inline constexpr Costs flat_singles = {14.01, 3.123, 1.85, 0.00, 0.094};
inline constexpr WayCosts flat = {flat_singles,
                                  flat_singles,
                                  {20.58, 3.637, 0.00, 0.74, 0.182},
                                  {13.93, 3.210, 0.00, 0.00, 0.245}};
inline constexpr Costs square_singles = {14.33, 3.055, 1.49, 0.00, 0.145};
inline constexpr WayCosts square = {square_singles,
                                    square_singles,
                                    {14.85, 3.240, 0.00, 0.59, 0.232},
                                    {12.95, 3.017, 0.00, 0.00, 0.259}};
inline constexpr Costs small_singles = {11.53, 1.788, 0.88, 0.00, 0.149};
inline constexpr WayCosts small = {small_singles,
                                   small_singles,
                                   {14.00, 1.859, 0.00, 0.95, 0.264},
                                   {11.11, 1.749, 0.37, 0.00, 0.216}};
inline constexpr Costs slim_singles = {11.40, 1.914, 0.99, 0.00, 0.144};
inline constexpr WayCosts slim = {slim_singles,
                                  slim_singles,
                                  {16.56, 1.889, 0.63, 0.40, 0.170},
                                  {10.31, 1.889, 0.46, 0.00, 0.246}};
/// As in LaneTiles: 4 bytes at a time, and 16.
inline constexpr Costs lanes[3][2] = {
    {{19.76, 5.532, 3.54, 0.68, 0.011}, {16.01, 4.435, 0.97, 0.00, 0.102}},
    {{8.38, 3.471, 1.42, 0.00, 0.116}, {7.92, 3.664, 1.47, 0.00, 0.133}},
    {{8.63, 2.394, 0.81, 0.00, 0.180}, {9.36, 2.872, 0.29, 0.00, 0.139}}};
/// A is read and written once more.
inline double packing(double m, double k) {
  return m * k * 2.84e-12;
}
}  // namespace costs

}  // namespace ours
