/// @file
/// What becomes of a tile's sums: C, or first a part of them to another block
/// (common/lesson/shared_steps.hpp).
#pragma once

#include "shared_steps.hpp"
#include "sums.hpp"

namespace ours {

using course::gather;
using course::Plan;
using course::tile_by_tile;
using course::Walk;

/// Writes a tile's sums to C. If others have steps of it, too, only one block does so. All threads
/// call it that multiply.
///
/// @param write as Sums::write()
/// @param agree as for gather()
template <class T, class Sums, class Write, class Agree>
__device__ void finish(const Product& g, const Plan& plan, const Walk& walk, Sums& sums,
                       Write write, bool wide, Agree& agree) {
  sums.settle(plan.one);
  const bool whole = walk.last - walk.first == plan.steps;
  if (!whole && !gather<T>(plan, walk, sums, agree)) return;
  const int2 place = plan.place_of(walk.tile);
  const int row = place.x * T::rows;
  const int col = place.y * T::cols;
  write(g.C + row * g.ldc + col, g.ldc, g.m - row, g.n - col, wide, g.alpha, g.beta);
}

}  // namespace ours
