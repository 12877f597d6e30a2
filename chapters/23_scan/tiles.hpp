/// @file
/// Chapter 23: a tile of an array, scanned by a block.
#pragma once

#include "waits.hpp"

namespace scan {

/// The elements of a tile: each warp has `rows` rows of 128, and a lane four neighbours of each.
template <int threads, int rows>
constexpr std::size_t tile_size = std::size_t{threads} * rows * 4;

/// Where a lane's elements are: those of row k begin 128 k after the first.
template <int threads, int rows>
__device__ std::size_t first_element(unsigned tile) {
  return tile * tile_size<threads, rows> + (threadIdx.x / 32 * rows * 32 + lane()) * 4;
}

/// A lane's elements, 16 bytes per load; beyond the end of the array the identity.
template <class Op, int rows, class Source>
__device__ void load_rows(Source x, std::size_t n, std::size_t first, bool is_whole,
                          typename Op::Carry (&v)[rows][4]) {
#pragma unroll
  for (int k = 0; k < rows; ++k) {
    const std::size_t i = first + 128 * k;
    if (is_whole) {
      x.four(i, v[k]);
    } else {
      for (int j = 0; j < 4; ++j) v[k][j] = i + j < n ? x.at(i + j) : Op::identity();
    }
  }
}

template <int rows, class T>
__device__ void store_rows(T* y, std::size_t n, std::size_t first, bool is_whole,
                           const Four<T> (&out)[rows]) {
#pragma unroll
  for (int k = 0; k < rows; ++k) {
    const std::size_t i = first + 128 * k;
    if (is_whole) {
      *reinterpret_cast<Four<T>*>(y + i) = out[k];
    } else {
      for (int j = 0; j < 4; ++j) {
        if (i + j < n) y[i + j] = out[k].at[j];
      }
    }
  }
}

/// Scans the rows of a warp. A lane combines its four of each row, the lanes scan these, and each
/// row begins with what the rows before it have.
/// \param v of each four the combination up to itself, afterwards
/// \param before what is before the lane's four of each row, in the warp
/// \return the combination of all rows, in every lane
template <class Op, int rows>
__device__ typename Op::Carry scan_rows(typename Op::Carry (&v)[rows][4],
                                        typename Op::Carry (&before)[rows]) {
#pragma unroll
  for (int k = 0; k < rows; ++k) {
    for (int j = 1; j < 4; ++j) v[k][j] = Op::combine(v[k][j - 1], v[k][j]);
    before[k] = warp_scan<Op>(v[k][3]);  // the lane's four included: taken out below
  }
  auto so_far = Op::identity();
#pragma unroll
  for (int k = 0; k < rows; ++k) {
    const auto row = from_lane(before[k], 31);
    const auto below = from_below(before[k], 1);
    before[k] = lane() == 0 ? so_far : Op::combine(so_far, below);
    so_far = Op::combine(so_far, row);
  }
  return so_far;
}

/// A scan of one tile per block. How it learns what is before the tile is the class Wait's.
template <class Op, class Wait, bool inclusive, int threads, int rows, class Source, class T>
__global__ void __launch_bounds__(threads)
    scan_tiles(Source x, std::size_t n, T* y, const TileState state) {
  using Carry = typename Op::Carry;
  constexpr int warps = threads / 32;
  __shared__ Turn drawn;
  __shared__ Carry of_warps[warps];
  __shared__ Carry before_tile;
  const int warp = static_cast<int>(threadIdx.x / 32);

  Turn turn = {blockIdx.x, 0};
  if (Wait::draws && gridDim.x > 1) {
    if (threadIdx.x == 0) drawn = turn_of(draw(state), state, gridDim.x);
    __syncthreads();  // all threads need the tile that one has drawn
    turn = drawn;
  }
  const std::size_t first = first_element<threads, rows>(turn.tile);
  const bool is_whole = (turn.tile + std::size_t{1}) * tile_size<threads, rows> <= n;
  Carry v[rows][4];
  Carry before[rows];
  load_rows<Op, rows>(x, n, first, is_whole, v);
  const Carry of_warp = scan_rows<Op, rows>(v, before);
  if (lane() == 0) of_warps[warp] = of_warp;
  __syncthreads();

  const Carry of_lane = lane() < warps ? of_warps[lane()] : Op::identity();
  if (warp == 0) {
    const Carry own = warp_total<Op>(of_lane);
    Carry all_before = Op::identity();
    if (!Wait::draws || gridDim.x > 1) {
      Wait::template publish<Op>(state, turn, own);
      all_before = Wait::template before<Op>(state, turn, own);
    }
    if (lane() == 0) before_tile = all_before;
  }
  const Carry in_tile = warp_total<Op>(lane() < warp ? of_lane : Op::identity());
  __syncthreads();

  const Carry before_warp = Op::combine(before_tile, in_tile);
  Four<T> out[rows];
#pragma unroll
  for (int k = 0; k < rows; ++k) {
    const Carry start = Op::combine(before_warp, before[k]);
    if (!inclusive) out[k].at[0] = value_of(start);
    for (int j = 0; j < (inclusive ? 4 : 3); ++j) {
      out[k].at[inclusive ? j : j + 1] = value_of(Op::combine(start, v[k][j]));
    }
  }
  store_rows<rows>(y, n, first, is_whole, out);
}

}  // namespace scan
