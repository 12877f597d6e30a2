/// @file
/// Which block computes what, if blocks are persistent and tiles of C are few: stream-k (chapters
/// 20 and 21).
///
/// A GPU with 132 multiprocessors computes 512 tiles in four rounds, and in the last of them 16
/// multiprocessors are idle; with 32 tiles 100 are idle. Here only whole rounds are given out by
/// tiles. What remains is one long row of steps, tile after tile, and every block gets an equal
/// piece of it, wherever that begins and ends. Blocks that share a tile add up their sums in pairs:
/// the first of two to finish writes its sums to memory, the second adds them to its own in
/// registers, and goes on to the next pair. So no block waits, and the result has the same bits
/// every time.
///
/// The blocks of a cluster work on neighbouring tiles: together they are one *unit* of the plan,
/// and what is called a tile here is then one for the whole cluster.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>

namespace course {

/// The work of a launch's units (blocks, or clusters), and the buffers for their partial sums.
struct Plan {
  int down, across;   ///< tiles of C
  int steps;          ///< per tile: its terms, `depth` at a time
  int whole;          ///< this many tiles are computed whole; steps of the others are shared out
  float* parts;       ///< two tiles per block
  unsigned* arrived;  ///< per block, for a pair: 0 before, and again afterwards
  float one = 1.0F;   ///< the compiler does not know it: for Sums::store_partial()
  int cluster = 1;    ///< blocks of a unit: a power of two, since divisions take long

  __host__ __device__ std::int64_t stream_k_steps() const {
    return (static_cast<std::int64_t>(down) * across - whole) * steps;
  }
  __device__ int units() const { return static_cast<int>(gridDim.x) >> (__ffs(cluster) - 1); }
  __device__ int unit() const { return static_cast<int>(blockIdx.x) >> (__ffs(cluster) - 1); }
  __device__ int rank() const { return static_cast<int>(blockIdx.x) & (cluster - 1); }
  /// Where the unit's piece of the shared steps begins: steps * unit / units(), without a division
  /// of 64 bits, which takes long. Unit units() begins at the end of all.
  __device__ std::int64_t begin_of(int unit) const {
    const auto steps = static_cast<unsigned>(stream_k_steps());  // both A and B fit in memory
    if (steps == 0) return 0;
    const auto count = static_cast<unsigned>(units());
    const unsigned each = steps / count;
    return static_cast<std::int64_t>(each) * unit + (steps - each * count) * unit / count;
  }
  /// The unit whose piece contains this step.
  __device__ int owner_of(std::int64_t step) const {
    const float part = static_cast<float>(step) / static_cast<float>(stream_k_steps());
    int unit = static_cast<int>(part * static_cast<float>(units()));  // or one beside it
    while (begin_of(unit + 1) <= step) ++unit;
    while (begin_of(unit) > step) --unit;
    return unit;
  }
  /// Row and column of a tile of C. Tiles that are computed together are neighbours: eight rows of
  /// tiles, column by column, then the next eight.
  __device__ int2 place_of(int tile) const {
    const int band = tile / (8 * across) * 8;
    const int rows = min(8, down - band);
    const int place = tile - band * across;
    return make_int2(band + place % rows, place / rows);
  }
};

/// One block per tile, and every tile whole.
template <class T>
Plan data_parallel_plan(int m, int n, int k) {
  const int down = (m - 1) / T::rows + 1;
  const int across = (n - 1) / T::cols + 1;
  return {down, across, k == 0 ? 0 : (k - 1) / T::depth + 1, down * across, nullptr, nullptr};
}

/// A unit's path through its tiles.
class TileScheduler {
 public:
  __device__ explicit TileScheduler(const Plan& plan)
      : step(plan.begin_of(plan.unit())),
        end_(plan.begin_of(plan.unit() + 1)),
        round_(plan.unit()) {}

  /// Moves to the unit's next tile of C. \return false if there are no more
  __device__ bool next(const Plan& plan) {
    if (round_ < plan.whole) {
      tile = round_;
      first = 0;
      last = plan.steps;
      round_ += plan.units();
      return true;
    }
    if (step >= end_) return false;
    const auto shared = static_cast<int>(static_cast<unsigned>(step) / plan.steps);
    tile = plan.whole + shared;
    first = static_cast<int>(step - static_cast<std::int64_t>(shared) * plan.steps);
    last = static_cast<int>(min(static_cast<std::int64_t>(plan.steps), first + end_ - step));
    step += last - first;
    return true;
  }

  int tile = 0;
  int first = 0;
  int last = 0;
  std::int64_t step;  ///< the next of the shared steps

 private:
  std::int64_t end_;
  int round_;  // the next whole tile
};

/// The buffer for a unit's sums of a shared tile, or for those of a group that begins with it: the
/// part of this block's rank. A unit shares at most two tiles: the one where its piece begins, and
/// the one where it ends.
template <class T>
__device__ float* partial_of(const Plan& plan, int unit, int tile) {
  const bool begins_before =
      plan.begin_of(unit) < static_cast<std::int64_t>(tile - plan.whole) * plan.steps;
  const std::int64_t number = 2 * static_cast<std::int64_t>(unit) + (begins_before ? 1 : 0);
  return plan.parts + (number * plan.cluster + plan.rank()) * (T::rows * T::cols);
}

/// Adds up the sums of all units that share a tile: first of units 0 and 1, 2 and 3 ... of the
/// tile, then of the pairs (0, 1) and (2, 3) ..., until one unit has all in registers. Which of
/// two comes first does not matter, since a + b is b + a. The blocks of a cluster do this on their
/// own, each with those of its rank.
///
/// @param broadcast all threads wait for each other, and get thread 0's answer
/// @return whether this block has all of them
template <class T, class Sums, class Broadcast>
__device__ bool reduce_partials(const Plan& plan, const TileScheduler& scheduler, Sums& sums,
                                Broadcast& broadcast) {
  const std::int64_t begin = static_cast<std::int64_t>(scheduler.tile - plan.whole) * plan.steps;
  const int first = plan.owner_of(begin);
  const int units = plan.owner_of(begin + plan.steps - 1) + 1 - first;
  const int me = plan.unit() - first;
  for (int width = 1; width < units; width *= 2) {
    const int left = me / (2 * width) * (2 * width);
    const int right = left + width;
    if (right >= units) continue;  // there is no other half
    const auto part = [&](int of) { return partial_of<T>(plan, first + of, scheduler.tile); };
    unsigned* arrived = plan.arrived + (first + right) * plan.cluster + plan.rank();
    if (!broadcast([&] { return atomicAdd(arrived, 0U) != 0; })) {
      sums.store_partial(part(me < right ? left : right), plan.one);
      __threadfence();  // all blocks see these sums before they see the block counted
      broadcast([] { return true; });
      // The other may have arrived meanwhile: then it has also written its sums, and has ended.
      if (!broadcast([&] { return atomicAdd(arrived, 1U) != 0; })) return false;
    }
    __threadfence();  // after this the block sees what the other has written
    if (threadIdx.x == 0) *arrived = 0;
    sums.add_partial(part(me < right ? right : left));
  }
  return true;
}

}  // namespace course
