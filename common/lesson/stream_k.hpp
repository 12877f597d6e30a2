/// @file
/// Which block computes what, if blocks live long and tiles of C are few: stream-k (chapters 20 and
/// 21).
///
/// A GPU with 132 multiprocessors computes 512 tiles in four rounds, and in the last of them 16
/// multiprocessors have nothing to do; 32 tiles leave 100 idle. Here only whole rounds are given
/// out by tiles. What remains is one long row of steps, tile after tile, and every block gets an
/// equal piece of it, wherever that begins and ends. Blocks that share a tile add up their sums in
/// pairs: the first of two leaves its own in memory, the second adds them to those that it has in
/// registers, and goes on to the next pair. So nobody waits, and the result has the same bits every
/// time.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>

namespace course {

/// What a launch's blocks compute, and where they leave sums of parts.
struct Plan {
  int down, across;   ///< tiles of C
  int steps;          ///< of a tile: its terms, `depth` at a time
  int whole;          ///< so many tiles are computed whole; steps of the others are shared out
  float* parts;       ///< two tiles a block
  unsigned* arrived;  ///< for each block, of a pair: 0 before, and again afterwards
  float one = 1.0F;   ///< which the compiler does not know: for Sums::store_partial()

  __host__ __device__ std::int64_t stream_k_steps() const {
    return (static_cast<std::int64_t>(down) * across - whole) * steps;
  }
  /// Where the block's piece of the shared steps begins. Block gridDim.x begins where all end.
  __device__ std::int64_t begin_of(int block) const { return stream_k_steps() * block / gridDim.x; }
  /// Whose piece this step is in.
  __device__ int owner_of(std::int64_t step) const {
    return static_cast<int>(((step + 1) * gridDim.x - 1) / stream_k_steps());
  }
  /// Row and column of a tile of C. Tiles that are computed together lie together: eight rows of
  /// tiles, column by column, then the next eight.
  __device__ int2 place_of(int tile) const {
    const int band = tile / (8 * across) * 8;
    const int rows = min(8, down - band);
    const int place = tile - band * across;
    return make_int2(band + place % rows, place / rows);
  }
};

/// One block for each tile, and every tile whole.
template <class T>
Plan data_parallel_plan(int m, int n, int k) {
  const int down = (m - 1) / T::rows + 1;
  const int across = (n - 1) / T::cols + 1;
  return {down, across, k == 0 ? 0 : (k - 1) / T::depth + 1, down * across, nullptr, nullptr};
}

/// A block's way through its tiles.
class TileScheduler {
 public:
  __device__ explicit TileScheduler(const Plan& plan)
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

/// Where a block's sums of a shared tile go, or those of a group that begins with it. A block
/// shares two tiles at most: the one that it begins in, and the one that it ends in.
template <class T>
__device__ float* partial_of(const Plan& plan, int block, int tile) {
  const bool begins_before =
      plan.begin_of(block) < static_cast<std::int64_t>(tile - plan.whole) * plan.steps;
  return plan.parts +
         (2 * static_cast<std::int64_t>(block) + (begins_before ? 1 : 0)) * (T::rows * T::cols);
}

/// Adds up the sums of all blocks that share a tile: first of blocks 0 and 1, 2 and 3 ... of the
/// tile, then of the pairs (0, 1) and (2, 3) ..., until all are in one block's registers. Which of
/// two comes first does not matter, for a + b is b + a.
///
/// @param broadcast all threads wait for each other, and get to know what thread 0 has found out
/// @return whether it is this block that has them all
template <class T, class Sums, class Broadcast>
__device__ bool reduce_partials(const Plan& plan, const TileScheduler& scheduler, Sums& sums,
                                Broadcast& broadcast) {
  const std::int64_t begin = static_cast<std::int64_t>(scheduler.tile - plan.whole) * plan.steps;
  const int first = plan.owner_of(begin);
  const int blocks = plan.owner_of(begin + plan.steps - 1) + 1 - first;
  const int me = static_cast<int>(blockIdx.x) - first;
  for (int width = 1; width < blocks; width *= 2) {
    const int left = me / (2 * width) * (2 * width);
    const int right = left + width;
    if (right >= blocks) continue;  // there is no other half
    const auto part = [&](int of) { return partial_of<T>(plan, first + of, scheduler.tile); };
    unsigned* arrived = plan.arrived + first + right;
    if (!broadcast([&] { return atomicAdd(arrived, 0U) != 0; })) {
      sums.store_partial(part(me < right ? left : right), plan.one);
      __threadfence();  // all others see these sums before they see the block counted
      broadcast([] { return true; });
      // The other may have come meanwhile: then it has left its sums, too, and has gone.
      if (!broadcast([&] { return atomicAdd(arrived, 1U) != 0; })) return false;
    }
    __threadfence();  // from here on this block sees what the other left
    if (threadIdx.x == 0) *arrived = 0;
    sums.add_partial(part(me < right ? right : left));
  }
  return true;
}

}  // namespace course
