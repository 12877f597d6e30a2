/// @file
/// What happens to a tile's sums: they go to C, or first as partial sums to another block
/// (common/lesson/stream_k.hpp).
#pragma once

#include "stream_k.hpp"
#include "sums.hpp"

namespace ours {

using course::data_parallel_plan;
using course::Plan;
using course::reduce_partials;
using course::TileScheduler;

/// Asks for a tile of C's old values while its sums are computed: they are in the level-2 cache
/// when the epilogue reads them.
/// @param thread of this many threads
template <class T, int threads>
__device__ void prefetch_C(const Product& g, int row, int col, int thread) {
  constexpr int lines = T::cols / 32 + 1;  // where rows begin anywhere
  for (int i = thread; i < T::rows * lines; i += threads) {
    const int y = row + i / lines;
    const int x = min(col + min(i % lines * 32, T::cols - 1), g.n - 1);
    if (y < g.m) asm volatile("prefetch.global.L2 [%0];" ::"l"(g.C + y * g.ldc + x));
  }
}

/// Writes a tile's sums to C. If other blocks also have steps of it, only one block does so. All
/// consumer threads call it.
///
/// @param write as Sums::write()
/// @param broadcast as for reduce_partials()
template <class T, class Sums, class Write, class Broadcast>
__device__ void epilogue(const Product& g, const Plan& plan, const TileScheduler& scheduler,
                         Sums& sums, Write write, bool wide, Broadcast& broadcast) {
  sums.settle(plan.one);
  const bool whole = scheduler.last - scheduler.first == plan.steps;
  if (!whole && !reduce_partials<T>(plan, scheduler, sums, broadcast)) return;
  const int2 place = plan.place_of(scheduler.tile);
  const int row = place.x * T::rows;
  const int col = place.y * T::cols;
  write(g.C + row * g.ldc + col, g.ldc, g.m - row, g.n - col, wide, g.alpha, g.beta);
}

}  // namespace ours
