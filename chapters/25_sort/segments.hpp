// Chapter 25: many sorts at once. A block sorts what fits into its tile without leaving shared
// memory, and what does not fit tile by tile.
#pragma once

#include "tile.hpp"

// All passes over one tile, in shared memory. The keys of the block's first tile end up in
// arrays.sorted_keys.
template <class Shape, class Order, class Value, class Memory>
__device__ void sort_in_block(Memory& memory, const Arrays<typename Order::Key, Value>& arrays,
                              int begin_bit, int end_bit) {
  constexpr bool has_values = !std::is_same_v<Value, NoValue>;
  typename Order::Bits bits[Shape::items];
  Value values[Shape::items];
  unsigned rank[Shape::items];
  load_keys<Shape, Order>(arrays.keys, arrays.n, 0, bits);
  if constexpr (has_values) {
#pragma unroll
    for (int i = 0; i < Shape::items; ++i) {
      const unsigned place = place_of<Shape>(i);
      values[i] = place < arrays.n ? arrays.values[place] : Value{};
    }
  }
  for (int shift = begin_bit; shift < end_bit; shift += digit_bits) {
    const Digit digit = digit_of_pass(shift, end_bit);
    rank_in_warp<typename Shape::Way>(bits, digit, memory.counts[warp()], rank);
    __syncthreads();
    begin_of_warps<Shape>(memory, scan_digits(memory.of_warps, count_of_digit<Shape>(memory)));
    __syncthreads();
    gather_keys<Shape>(memory, bits, digit, rank);
    __syncthreads();
#pragma unroll
    for (int i = 0; i < Shape::items; ++i) bits[i] = memory.keys[place_of<Shape>(i)];
    __syncthreads();
    if constexpr (has_values) {
#pragma unroll
      for (int i = 0; i < Shape::items; ++i) memory.values[rank[i]] = values[i];
      __syncthreads();
#pragma unroll
      for (int i = 0; i < Shape::items; ++i) values[i] = memory.values[place_of<Shape>(i)];
      __syncthreads();
    }
  }
#pragma unroll
  for (int i = 0; i < Shape::items; ++i) {
    const unsigned place = place_of<Shape>(i);
    if (place >= arrays.n) continue;
    arrays.sorted_keys[place] = Order::key(bits[i]);
    if constexpr (has_values) arrays.sorted_values[place] = values[i];
  }
}

// One pass over the array by this block alone, tile by tile; next[d] is where the next key with
// digit d belongs.
template <class Shape, class Order, class Value, class Memory>
__device__ void pass_of_block(Memory& memory, unsigned* next,
                              const Arrays<typename Order::Key, Value>& arrays, Digit digit) {
  if (threadIdx.x < digits) next[threadIdx.x] = 0;
  __syncthreads();
  for (size_t i = threadIdx.x; i < arrays.n; i += Shape::threads) {
    atomicAdd(&next[digit(Order::bits(arrays.keys[i]))], 1U);
  }
  __syncthreads();
  const unsigned all = threadIdx.x < digits ? next[threadIdx.x] : 0;
  const unsigned before = scan_digits(memory.of_warps, all);
  if (threadIdx.x < digits) next[threadIdx.x] = before;
  for (size_t first = 0; first < arrays.n; first += Shape::tile) {
    typename Order::Bits bits[Shape::items];
    unsigned rank[Shape::items];
    load_keys<Shape, Order>(arrays.keys, arrays.n, first, bits);
    rank_in_warp<typename Shape::Way>(bits, digit, memory.counts[warp()], rank);
    __syncthreads();
    const unsigned mine = count_of_digit<Shape>(memory);
    const unsigned begin = scan_digits(memory.of_warps, mine);
    begin_of_warps<Shape>(memory, begin);
    if (threadIdx.x < digits) {
      memory.shift[threadIdx.x] = next[threadIdx.x] - begin;
      next[threadIdx.x] += mine;
    }
    __syncthreads();
    gather_keys<Shape>(memory, bits, digit, rank);
    __syncthreads();
    scatter<Shape, Order>(memory, arrays, first, digit, rank);
    __syncthreads();
  }
}

// Sorts each segment of an array by itself, one per block. Segment s begins at offsets[s] and ends
// at offsets[s + 1]; without offsets every segment has `length` elements, but for the last.
template <class Shape, class Order, class Value>
__global__ void __launch_bounds__(Shape::threads, Shape::blocks)
    sort_segments(Arrays<typename Order::Key, Value> arrays, typename Order::Key* spare_keys,
                  Value* spare_values, const unsigned* offsets, size_t length, int begin_bit,
                  int end_bit) {
  __shared__ TileMemory<Shape, typename Order::Bits, Value, unsigned> memory;
  __shared__ unsigned next[digits];
  const size_t begin = offsets != nullptr ? offsets[blockIdx.x] : blockIdx.x * length;
  const size_t end = offsets != nullptr ? offsets[blockIdx.x + 1] : min(begin + length, arrays.n);
  arrays = {arrays.keys + begin, arrays.values + begin, arrays.sorted_keys + begin,
            arrays.sorted_values + begin, end - begin};
  if (arrays.n <= Shape::tile) {
    sort_in_block<Shape, Order>(memory, arrays, begin_bit, end_bit);
    return;
  }
  const int passes = passes_of(begin_bit, end_bit);
  auto pass = arrays;
  for (int p = 0; p < passes; ++p) {
    const bool to_result = (passes - p) % 2 == 1;
    pass.sorted_keys = to_result ? arrays.sorted_keys : spare_keys + begin;
    pass.sorted_values = to_result ? arrays.sorted_values : spare_values + begin;
    pass_of_block<Shape, Order>(memory, next, pass,
                                digit_of_pass(begin_bit + p * digit_bits, end_bit));
    pass.keys = pass.sorted_keys;
    pass.values = pass.sorted_values;
  }
}
