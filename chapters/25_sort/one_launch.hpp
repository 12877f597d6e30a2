// Chapter 25: all passes in one launch, for arrays that the GPU's multiprocessors hold at once. The
// grid waits at barriers of its own instead of for the next launch.
#pragma once

#include <cooperative_groups.h>

#include "tile.hpp"

// Sorts the bits from begin_bit to end_bit of n keys. counts has digits words per block. Each block
// has one tile. In each pass a block writes its counts; after a barrier it reads those of all
// blocks, which tell where its keys belong: no histograms, no look-back. `spare` has as much room
// as the result, and takes every second pass.
template <class Shape, class Order, class Value>
__global__ void __launch_bounds__(Shape::threads, Shape::blocks)
    sort_in_one_launch(Arrays<typename Order::Key, Value> arrays, typename Order::Key* spare_keys,
                       Value* spare_values, int begin_bit, int end_bit, unsigned* counts) {
  using Bits = typename Order::Bits;
  __shared__ TileMemory<Shape, Bits, Value, unsigned> memory;
  const auto grid = cooperative_groups::this_grid();
  const size_t first = static_cast<size_t>(blockIdx.x) * Shape::tile;
  const int passes = passes_of(begin_bit, end_bit);
  Arrays<typename Order::Key, Value> pass = arrays;
  for (int p = 0; p < passes; ++p) {
    const bool to_result = (passes - p) % 2 == 1;
    pass.sorted_keys = to_result ? arrays.sorted_keys : spare_keys;
    pass.sorted_values = to_result ? arrays.sorted_values : spare_values;
    const Digit digit = digit_of_pass(begin_bit + p * digit_bits, end_bit);
    Bits bits[Shape::items];
    unsigned rank[Shape::items];
    load_keys<Shape, Order>(pass.keys, arrays.n, first, bits);
    rank_in_warp<typename Shape::Way>(bits, digit, memory.counts[warp()], rank);
    __syncthreads();
    const unsigned mine = count_of_digit<Shape>(memory);
    if (threadIdx.x < digits) counts[blockIdx.x * digits + threadIdx.x] = mine;
    const unsigned begin = scan_digits(memory.of_warps, mine);
    begin_of_warps<Shape>(memory, begin);
    __syncthreads();
    gather_keys<Shape>(memory, bits, digit, rank);
    grid.sync();
    unsigned before = 0, all = 0;  // keys with thread d's digit, of earlier blocks and of all
    if (threadIdx.x < digits) {
#pragma unroll 16
      for (unsigned b = 0; b < gridDim.x; ++b) {
        const unsigned count = counts[b * digits + threadIdx.x];
        all += count;
        before += b < blockIdx.x ? count : 0;
      }
    }
    before += scan_digits(memory.of_warps, all);
    if (threadIdx.x < digits) memory.shift[threadIdx.x] = before - begin;
    __syncthreads();
    scatter<Shape, Order>(memory, pass, first, digit, rank);
    pass.keys = pass.sorted_keys;
    pass.values = pass.sorted_values;
    grid.sync();
  }
}
