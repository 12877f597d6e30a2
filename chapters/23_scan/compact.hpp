/// @file
/// Chapter 23: what a scan is used for. Compaction keeps some elements, in their order; a partition
/// also stores the others, in a second list.
#pragma once

#include "tiles.hpp"

namespace scan {

/// What becomes of a tile: the elements that the predicate keeps, one after the other, and if both
/// is true, then all others.
template <class Predicate, bool both, class T_>
struct ListWork {
  using Op = Sum<unsigned>;  // of how many are kept
  using T = T_;
  Predicate keeps;
  T* kept;          ///< both lists have room for n elements
  T* rest;          ///< null if not both
  unsigned* count;  ///< how many are kept

  template <int rows>
  struct Registers {
    unsigned keep[rows];   ///< a bit per element of the lane's four
    unsigned place[rows];  ///< of the first one kept, among those of the warp
  };

  /// By a warp: how many of its elements are kept. The first of the lane's is element `first`.
  template <int rows>
  __device__ unsigned look_at(const T (&v)[rows][4], Registers<rows>& r, std::size_t first,
                              std::size_t n) const {
    static_assert(rows % 4 == 0, "the counts of four rows share a word");
    unsigned of_warp = 0;
#pragma unroll
    for (int k = 0; k < rows; k += 4) {
      unsigned counts = 0;  // of four rows, a byte each: a row has at most 128
#pragma unroll
      for (int b = 0; b < 4; ++b) {
        r.keep[k + b] = 0;
        for (int j = 0; j < 4; ++j) {
          const bool is_kept = first + 128 * (k + b) + j < n && keeps(v[k + b][j]);
          r.keep[k + b] |= (is_kept ? 1U : 0U) << j;
        }
        counts |= static_cast<unsigned>(__popc(r.keep[k + b])) << 8 * b;
      }
      const unsigned scanned = warp_scan<Op>(counts);
      const unsigned all = from_lane(scanned, 31);
#pragma unroll
      for (int b = 0; b < 4; ++b) {
        r.place[k + b] = of_warp + ((scanned - counts) >> 8 * b & 255U);
        of_warp += all >> 8 * b & 255U;
      }
    }
    return of_warp;
  }

  /// Gathers the tile's lists in shared memory, so that neighbouring threads store neighbours.
  /// \param own how many the tile keeps
  /// \param here how many elements it has
  template <int rows>
  __device__ void keep(T* tile, const T (&v)[rows][4], const Registers<rows>& r,
                       unsigned before_warp, unsigned own, unsigned here) const {
    const unsigned first = (threadIdx.x / 32 * rows * 32 + lane()) * 4;
#pragma unroll
    for (int k = 0; k < rows; ++k) {
      unsigned to = before_warp + r.place[k];
      for (unsigned j = 0; j < 4; ++j) {
        const unsigned i = first + 128 * k + j;
        const bool is_kept = (r.keep[k] >> j & 1U) != 0;
        // Before element i are i - to others.
        if (is_kept || (both && i < here)) tile[is_kept ? to : own + i - to] = v[k][j];
        to += is_kept ? 1 : 0;
      }
    }
  }

  /// What the thread will write of the tile's lists. One list is written in whole lines of 32
  /// elements, but for its ends: so it may need a round more.
  template <int rows>
  static constexpr int rounds = 4 * rows + (both ? 0 : 1);
  template <int rows>
  struct Output {
    T at[rounds<rows>];
  };
  /// The place in the tile of what the thread writes in a round; no place of the tile's if it
  /// writes nothing. \param before how many the tiles before it keep
  template <int threads>
  static __device__ unsigned place(int round, unsigned before) {
    return threadIdx.x + round * threads - (both ? 0 : before % 32);
  }
  /// \param here how many elements the tile has
  template <int threads, int rows>
  __device__ void take(const T* tile, unsigned before, unsigned own, unsigned here,
                       Output<rows>& out) const {
    const unsigned end = both ? here : own;
#pragma unroll
    for (int k = 0; k < rounds<rows>; ++k) {
      const unsigned i = place<threads>(k, before);
      if (i < end) out.at[k] = tile[i];
    }
  }
  template <int threads, int rows>
  __device__ void write(const Output<rows>& out, unsigned number, std::size_t n, unsigned before,
                        unsigned own) const {
    const std::size_t first = number * tile_size<threads, rows>;
    const bool is_last = first + tile_size<threads, rows> >= n;
    const auto here = static_cast<unsigned>(is_last ? n - first : tile_size<threads, rows>);
    const unsigned end = both ? here : own;
    if (is_last && threadIdx.x == 0) *count = before + own;
#pragma unroll
    for (int k = 0; k < rounds<rows>; ++k) {
      const unsigned i = place<threads>(k, before);
      const bool is_kept = !both || i < own;
      T* const to = is_kept ? kept + before : rest + (first - before);
      if (i < end) to[is_kept ? i : i - own] = out.at[k];
    }
  }
};

/// Compaction with one tile per block.
template <class Work, int threads, int rows, class T>
__global__ void __launch_bounds__(threads)
    compact_tiles(const T* x, std::size_t n, const Work work, const TileState state) {
  using Count = Sum<unsigned>;
  constexpr int warps = threads / 32;
  constexpr unsigned size = tile_size<threads, rows>;
  __shared__ Turn drawn;
  __shared__ unsigned of_warps[warps];
  __shared__ unsigned before_tile;
  __shared__ T tile[size];
  const int warp = static_cast<int>(threadIdx.x / 32);
  if (threadIdx.x == 0) drawn = turn_of(draw(state), state, gridDim.x);
  __syncthreads();
  const Turn turn = drawn;
  const std::size_t first = first_element<threads, rows>(turn.tile);
  const std::size_t left = n - static_cast<std::size_t>(turn.tile) * size;
  const unsigned here = left < size ? static_cast<unsigned>(left) : size;
  T v[rows][4];
  load_rows<Sum<T>, rows>(Array<T>{x}, n, first, here == size, v);
  typename Work::template Registers<rows> registers;
  const unsigned of_warp = work.look_at(v, registers, first, n);
  if (lane() == 0) of_warps[warp] = of_warp;
  __syncthreads();

  const unsigned of_lane = lane() < warps ? of_warps[lane()] : 0;
  const unsigned own = warp_total<Count>(of_lane);
  const unsigned before_warp = warp_total<Count>(lane() < warp ? of_lane : 0);
  if (warp == 0) {
    WarpLooksApart::publish<Count>(state, turn, own);
    const unsigned before = WarpLooksApart::before<Count>(state, turn, own);
    if (lane() == 0) before_tile = before;
  }
  work.keep(tile, v, registers, before_warp, own, here);
  __syncthreads();
  typename Work::template Output<rows> out;
  work.template take<threads, rows>(tile, before_tile, own, here, out);
  work.template write<threads, rows>(out, turn.tile, n, before_tile, own);
}

}  // namespace scan
