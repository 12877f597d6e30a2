// Chapter 25, fourth lesson: a radix sort whose passes have three launches each. One counts the
// digits of every tile, one adds the counts up, one puts the keys where they belong.
#pragma once

#include "tile.hpp"

// counts[d * tiles + t]: the number of keys of tile t with digit d. A row of these per digit, since
// also the keys of one digit are contiguous.
template <class Shape, class Order>
__global__ void __launch_bounds__(Shape::threads)
    count_tiles(const typename Order::Key* keys, size_t n, Digit digit, unsigned* counts) {
  __shared__ unsigned count[digits];
  if (threadIdx.x < digits) count[threadIdx.x] = 0;
  __syncthreads();
  const size_t first = static_cast<size_t>(blockIdx.x) * Shape::tile;
#pragma unroll
  for (int k = 0; k < Shape::items; ++k) {
    const size_t i = first + k * Shape::threads + threadIdx.x;
    if (i < n) atomicAdd(&count[digit(Order::bits(keys[i]))], 1U);
  }
  __syncthreads();
  if (threadIdx.x < digits) {
    counts[static_cast<size_t>(threadIdx.x) * gridDim.x + blockIdx.x] = count[threadIdx.x];
  }
}

// Replaces the counts of a digit, a block's row, by the sums of those before them; totals[d] is the
// sum of all.
constexpr int row_threads = 256;
__global__ void __launch_bounds__(row_threads)
    scan_rows(unsigned* counts, unsigned tiles, unsigned* totals) {
  __shared__ unsigned of_warps[row_threads / 32];
  unsigned* const row = counts + static_cast<size_t>(blockIdx.x) * tiles;
  unsigned before = 0;
  for (unsigned first = 0; first < tiles; first += row_threads) {
    const unsigned t = first + threadIdx.x;
    const unsigned count = t < tiles ? row[t] : 0;
    const unsigned sum = before + scan_digits(of_warps, count);
    if (t < tiles) row[t] = sum;
    __shared__ unsigned next;
    if (threadIdx.x == row_threads - 1) next = sum + count;
    __syncthreads();
    before = next;
  }
  if (threadIdx.x == 0) totals[blockIdx.x] = before;
}

// Puts the keys of a tile where they belong. Directly: neighbouring lanes write far apart. In runs:
// the tile is sorted in shared memory first.
template <class Shape, class Order, class Value, bool in_runs>
__global__ void __launch_bounds__(Shape::threads, Shape::blocks)
    scatter_tiles(Arrays<typename Order::Key, Value> arrays, Digit digit, const unsigned* counts,
                  const unsigned* totals) {
  using Bits = typename Order::Bits;
  __shared__ TileMemory<Shape, Bits, Value, unsigned> memory;
  const size_t first = static_cast<size_t>(blockIdx.x) * Shape::tile;
  Bits bits[Shape::items];
  unsigned rank[Shape::items];
  load_keys<Shape, Order>(arrays.keys, arrays.n, first, bits);
  rank_in_warp<typename Shape::Way>(bits, digit, memory.counts[warp()], rank);
  unsigned before = scan_digits(memory.of_warps, threadIdx.x < digits ? totals[threadIdx.x] : 0);
  if (threadIdx.x < digits) {
    before += counts[static_cast<size_t>(threadIdx.x) * gridDim.x + blockIdx.x];
  }
  if constexpr (!in_runs) {
    static_assert(std::is_same_v<Value, NoValue>);
    begin_of_warps<Shape>(memory, before);
    __syncthreads();
#pragma unroll
    for (int i = 0; i < Shape::items; ++i) {
      const unsigned place = memory.counts[warp()][digit(bits[i])] + rank[i];
      if (first + place_of<Shape>(i) < arrays.n) arrays.sorted_keys[place] = Order::key(bits[i]);
    }
  } else {
    __syncthreads();
    const unsigned begin = scan_digits(memory.of_warps, count_of_digit<Shape>(memory));
    begin_of_warps<Shape>(memory, begin);
    if (threadIdx.x < digits) memory.shift[threadIdx.x] = before - begin;
    __syncthreads();
    gather_keys<Shape>(memory, bits, digit, rank);
    __syncthreads();
    scatter<Shape, Order>(memory, arrays, first, digit, rank);
  }
}
