/// @file
/// Chapter 23: scans in several launches. Blocks cannot wait for each other there; each launch
/// finds what the one before it has left.
#pragma once

#include "tiles.hpp"

namespace scan {

/// The work-efficient tree in shared memory: 2 * threads elements per block, and as many additions
/// as elements, twice. On the way up each node gets the sum of its two children. On the way down
/// it hands what is before it to its left child, and that and the left child's sum to the right
/// one. Leaves the sum of the tile in words.
template <class Op, int threads, class T>
__global__ void __launch_bounds__(threads)
    tree_tiles(const T* x, std::size_t n, T* y, const TileState state) {
  constexpr int size = 2 * threads;
  __shared__ T node[size];
  const int t = static_cast<int>(threadIdx.x);
  const std::size_t first = static_cast<std::size_t>(blockIdx.x) * size;
  for (int i = t; i < size; i += threads) node[i] = first + i < n ? x[first + i] : Op::identity();
  for (int distance = 1; distance < size; distance *= 2) {
    __syncthreads();
    const int right = 2 * distance * (t + 1) - 1;
    if (right < size) node[right] = Op::combine(node[right - distance], node[right]);
  }
  __syncthreads();
  if (t == 0) {
    state.words[blockIdx.x] = pack(node[size - 1], Status::none, 0);
    node[size - 1] = Op::identity();
  }
  for (int distance = threads; distance > 0; distance /= 2) {
    __syncthreads();
    const int right = 2 * distance * (t + 1) - 1;
    if (right < size) {
      const T left = node[right - distance];
      node[right - distance] = node[right];
      node[right] = Op::combine(node[right], left);
    }
  }
  __syncthreads();  // each element now has what is before it
  for (int i = t; i < size; i += threads) {
    if (first + i < n) y[first + i] = Op::combine(node[i], x[first + i]);
  }
}

/// The combination of each tile's elements, in words: the first launch of reduce-then-scan.
template <class Op, int threads, int rows, class Source>
__global__ void __launch_bounds__(threads)
    reduce_tiles(Source x, std::size_t n, const TileState state) {
  using Carry = typename Op::Carry;
  constexpr int warps = threads / 32;
  __shared__ Carry of_warps[warps];
  const bool is_whole = (blockIdx.x + std::size_t{1}) * tile_size<threads, rows> <= n;
  Carry v[rows][4];
  load_rows<Op, rows>(x, n, first_element<threads, rows>(blockIdx.x), is_whole, v);
  Carry of_warp = Op::identity();
#pragma unroll
  for (int k = 0; k < rows; ++k) {
    Carry four = v[k][0];
    for (int j = 1; j < 4; ++j) four = Op::combine(four, v[k][j]);
    of_warp = Op::combine(of_warp, warp_total<Op>(four));
  }
  if (lane() == 0) of_warps[threadIdx.x / 32] = of_warp;
  __syncthreads();
  if (threadIdx.x >= 32) return;  // whole warps, after the last barrier
  const Carry own = warp_total<Op>(lane() < warps ? of_warps[lane()] : Op::identity());
  if (lane() == 0) state.words[blockIdx.x] = pack(own, Status::none, 0);
}

/// One block replaces each word by the combination of all words before it.
template <class Op, int threads>
__global__ void __launch_bounds__(threads) scan_words(const TileState state, unsigned tiles) {
  using Carry = typename Op::Carry;
  __shared__ Carry of_warps[32];
  Carry so_far = Op::identity();
  for (unsigned first = 0; first < tiles; first += 4 * threads) {
    const unsigned i = first + 4 * threadIdx.x;
    Carry v[1][4];
    Carry before[1];
    for (int j = 0; j < 4; ++j) {
      v[0][j] = Op::identity();
      if (i + j < tiles) unpack(state.words[i + j], v[0][j]);
    }
    const Carry of_warp = scan_rows<Op, 1>(v, before);
    if (lane() == 0) of_warps[threadIdx.x / 32] = of_warp;
    __syncthreads();
    const Carry scanned = warp_scan<Op>(lane() < threads / 32 ? of_warps[lane()] : Op::identity());
    const int warp = static_cast<int>(threadIdx.x / 32);
    const Carry below = from_lane(scanned, warp == 0 ? 0 : warp - 1);
    const Carry before_warp = warp == 0 ? so_far : Op::combine(so_far, below);
    const Carry start = Op::combine(before_warp, before[0]);
    for (int j = 0; j < 4; ++j) {
      const Carry all_before = j == 0 ? start : Op::combine(start, v[0][j - 1]);
      if (i + j < tiles) state.words[i + j] = pack(all_before, Status::none, 0);
    }
    so_far = Op::combine(so_far, from_lane(scanned, 31));
    __syncthreads();  // the next round writes the same words of shared memory
  }
}

/// Adds what is before its tile to each element: the last launch of scan-then-add.
template <class Op, int threads, class T>
__global__ void __launch_bounds__(threads)
    add_before(T* y, std::size_t n, std::size_t size, const TileState state) {
  T before;
  unpack(state.words[blockIdx.x], before);
  const std::size_t first = blockIdx.x * size;
  for (std::size_t i = first + threadIdx.x * 4; i < first + size; i += threads * 4) {
    if (i + 4 <= n) {
      auto& four = *reinterpret_cast<Four<T>*>(y + i);
      Four<T> v = four;
      for (T& value : v.at) value = Op::combine(before, value);
      four = v;
    } else {
      for (int j = 0; j < 4; ++j) {
        if (i + j < n) y[i + j] = Op::combine(before, y[i + j]);
      }
    }
  }
}

}  // namespace scan
