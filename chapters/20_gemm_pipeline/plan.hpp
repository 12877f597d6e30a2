/// @file
/// Which block computes what, if blocks live long and tiles of C are few: stream-k.
///
/// A GPU with 132 multiprocessors computes 512 tiles in four rounds, and in the last of them 16
/// multiprocessors have nothing to do; 32 tiles leave 100 idle. Here only whole rounds are given
/// out by tiles. What remains is one long row of steps, tile after tile, and every block gets an
/// equal piece of it, wherever that begins and ends. Of a tile that several blocks share, each
/// leaves its sums in memory; the one that comes last adds them up, always in the same order. So
/// the result has the same bits every time.
#pragma once

#include "tiles.hpp"

namespace ours {

/// What a launch's blocks compute, and where they leave sums of parts.
struct Plan {
  int down, across;   ///< tiles of C
  int steps;          ///< of a tile: its terms, `depth` at a time
  int whole;          ///< so many tiles are computed whole; steps of the others are shared out
  float* parts;       ///< two tiles a block
  unsigned* arrived;  ///< for each tile that is shared: 0 before, and again afterwards

  __host__ __device__ std::int64_t shared_steps() const {
    return (static_cast<std::int64_t>(down) * across - whole) * steps;
  }
  /// Where the block's piece of the shared steps begins. Block gridDim.x begins where all end.
  __device__ std::int64_t begin_of(int block) const { return shared_steps() * block / gridDim.x; }
  /// Whose piece this step is in.
  __device__ int owner_of(std::int64_t step) const {
    return static_cast<int>(((step + 1) * gridDim.x - 1) / shared_steps());
  }
  /// Row and column of a tile of C. Tiles that are computed together lie together: eight rows of
  /// tiles, column by column, then the next eight.
  __device__ int2 place_of(int tile) const {
    const int group = tile / (8 * across) * 8;
    const int rows = min(8, down - group);
    const int place = tile - group * across;
    return make_int2(group + place % rows, place / rows);
  }
};

/// One block for each tile, and every tile whole.
template <class T>
Plan tile_by_tile(int m, int n, int k) {
  const int down = (m - 1) / T::rows + 1;
  const int across = (n - 1) / T::cols + 1;
  return {down, across, k == 0 ? 0 : (k - 1) / T::depth + 1, down * across, nullptr, nullptr};
}

/// A block's way through its tiles.
class Walk {
 public:
  __device__ explicit Walk(const Plan& plan)
      : step(plan.begin_of(blockIdx.x)), end_(plan.begin_of(blockIdx.x + 1)), round_(blockIdx.x) {}

  /// The next tile of C, and which steps of it; false if there is none.
  __device__ bool next(const Plan& plan) {
    if (round_ < plan.whole) {
      tile = round_;
      first = 0;
      last = plan.steps;
      round_ += gridDim.x;
      return true;
    }
    if (step >= end_) return false;
    const int shared = static_cast<int>(step / plan.steps);
    tile = plan.whole + shared;
    first = static_cast<int>(step - static_cast<std::int64_t>(shared) * plan.steps);
    last = static_cast<int>(min(static_cast<std::int64_t>(plan.steps), first + end_ - step));
    step += last - first;
    return true;
  }

  int tile = 0;
  int first = 0;
  int last = 0;
  std::int64_t step;  ///< of the shared ones, the next to do

 private:
  std::int64_t end_;
  int round_;  // the next whole tile
};

/// Where the block's sums of a shared tile go. A block shares two tiles at most: the one that it
/// begins in, and the one that it ends in.
template <class T>
__device__ float* part_of(const Plan& plan, int block, int tile) {
  const bool begins_before =
      plan.begin_of(block) < static_cast<std::int64_t>(tile - plan.whole) * plan.steps;
  return plan.parts +
         (2 * static_cast<std::int64_t>(block) + (begins_before ? 1 : 0)) * (T::rows * T::cols);
}

/// Writes the sums of a tile, or of the block's steps of it. All `threads` threads call it that
/// multiply; `wait` waits for all of them.
///
/// @param write writes the block's sums, as Sums::write()
template <class T, class Write, class Wait>
__device__ void finish(const Product& g, const Plan& plan, const Walk& walk, Write write, bool wide,
                       bool* last, Wait wait) {
  const int2 place = plan.place_of(walk.tile);
  const int row = place.x * T::rows;
  const int col = place.y * T::cols;
  float* to = g.C + row * g.ldc + col;
  // The sums are written at one place, and multiplied by what the compiler does not know: so it may
  // keep them in whatever registers suit the inner loop.
  const bool whole = walk.last - walk.first == plan.steps;
  if (!whole) to = part_of<T>(plan, blockIdx.x, walk.tile);
  const std::int64_t ld = whole ? g.ldc : T::cols;
  const int rows = whole ? g.m - row : T::rows;
  const int cols = whole ? g.n - col : T::cols;
  const float alpha = whole ? g.alpha : 1.0F;
  const float beta = whole ? g.beta : 0.0F;
  write(to, ld, rows, cols, wide || !whole, alpha, beta);
  if (whole) return;
  __threadfence();  // all others see these sums before they see the block counted
  wait();
  const int shared = walk.tile - plan.whole;
  const std::int64_t begin = static_cast<std::int64_t>(shared) * plan.steps;
  const int from_block = plan.owner_of(begin);
  const int to_block = plan.owner_of(begin + plan.steps - 1);
  if (threadIdx.x == 0) {
    *last = atomicAdd(plan.arrived + shared, 1U) == static_cast<unsigned>(to_block - from_block);
    if (*last) plan.arrived[shared] = 0;
  }
  wait();
  if (!*last) return;
  __threadfence();  // from here on this block sees what the others wrote
  // Up to sixteen loads of a part are on their way at once: one after the other they would take
  // longer than the steps that they save.
  constexpr int at_once = T::R * T::C < 64 ? T::R * T::C / 4 : 16;
  for (int i = 4 * threadIdx.x; i < T::rows * T::cols; i += at_once * 4 * T::threads) {
    float4 sum[at_once] = {};
    for (int block = from_block; block <= to_block; ++block) {
      const float* from = part_of<T>(plan, block, walk.tile) + i;
#pragma unroll
      for (int j = 0; j < at_once; ++j) {
        const float4 s = __ldcg(reinterpret_cast<const float4*>(from + j * 4 * T::threads));
        sum[j] = make_float4(sum[j].x + s.x, sum[j].y + s.y, sum[j].z + s.z, sum[j].w + s.w);
      }
    }
#pragma unroll
    for (int j = 0; j < at_once; ++j) {
      const int y = (i + j * 4 * T::threads) / T::cols;
      const int x = (i + j * 4 * T::threads) % T::cols;
      if (row + y < g.m) {
        write_four(g.C + (row + y) * g.ldc + col + x, sum[j], g.n - col - x, wide, g.alpha, g.beta);
      }
    }
  }
}

}  // namespace ours
