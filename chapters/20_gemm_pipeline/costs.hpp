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
  const double in_tile = std::ceil(k / t.depth);
  const double steps = std::ceil(tiles * in_tile / blocks) * (t.cuts ? k / t.depth / in_tile : 1.0);
  const bool shares = std::fmod(tiles, blocks) != 0.0;
  const double parts = !shares ? 0.0 : tiles < blocks ? blocks / tiles + 1.0 : 3.0;
  const double megabytes = 4e-6 * (m * k + k * n + m * n);
  return 1e-6 * (c.launch + c.step * steps + c.tile * std::max(1.0, tiles / blocks) +
                 c.part * parts + c.megabyte * megabytes);
}

/// For matrices whose rows begin anywhere, and on 16 bytes. (A large tile's launch and its tile
/// come mostly together: the fit cannot tell one from the other.)
namespace costs {
inline constexpr Costs large[2] = {{2.27, 5.429, 25.17, 0.74, 0.128},
                                   {20.06, 5.749, 0.00, 0.76, 0.199}};
inline constexpr Costs packed[2] = {{2.27, 4.949, 25.70, 0.83, 0.236},
                                    {24.76, 5.313, 0.00, 0.88, 0.203}};
inline constexpr Costs narrow[2] = {{16.16, 3.114, 3.39, 0.40, 0.084},
                                    {17.34, 3.234, 0.86, 0.00, 0.149}};
inline constexpr Costs flat[2] = {{13.67, 3.120, 3.38, 0.43, 0.062},
                                  {21.51, 3.712, 0.00, 0.46, 0.209}};
inline constexpr Costs square[2] = {{15.17, 3.049, 3.06, 0.26, 0.114},
                                    {13.63, 3.262, 0.00, 0.68, 0.261}};
inline constexpr Costs small[2] = {{12.64, 1.768, 1.78, 0.14, 0.150},
                                   {17.93, 1.845, 0.00, 0.97, 0.278}};
inline constexpr Costs slim[2] = {{13.86, 1.893, 2.02, 0.26, 0.122},
                                  {17.12, 1.928, 0.93, 0.00, 0.140}};
/// As in LaneTiles.
inline constexpr Costs lanes[3][2] = {
    {{17.59, 5.548, 3.98, 0.92, 0.027}, {12.88, 4.406, 1.85, 1.03, 0.111}},
    {{10.28, 3.445, 1.45, 0.24, 0.114}, {19.80, 3.758, 0.55, 0.00, 0.347}},
    {{7.60, 2.332, 0.71, 0.53, 0.218}, {30.35, 2.951, 0.87, 0.00, 0.038}}};
/// A is read and written once more.
inline double packing(double m, double k) {
  return m * k * 2.84e-12;
}
}  // namespace costs

}  // namespace ours
