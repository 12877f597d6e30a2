// Chapter 25: one pass of a radix sort over one tile, in the steps that all its variants share.
#pragma once

#include "ranks.hpp"

struct NoValue {};  // of keys without values

// What a pass reads and writes: n keys, and as many values unless Value is NoValue.
template <class Key, class Value>
struct Arrays {
  const Key* keys;
  const Value* values;
  Key* sorted_keys;
  Value* sorted_values;
  size_t n;
};

// A block's shape: threads, keys per thread, blocks that should fit on a multiprocessor.
template <int threads_, int items_, int blocks_ = 1, class Way_ = ByBallots>
struct Shape {
  static constexpr int threads = threads_, items = items_, blocks = blocks_;
  static constexpr int warps = threads / 32;
  static constexpr int tile = threads * items;
  static_assert(threads >= digits && threads % 32 == 0);
  using Way = Way_;
};

// A block's shared memory. Counts are no longer needed when keys arrive, nor keys when values do.
template <class Shape, class Bits, class Value, class Count>
struct TileMemory {
  union {
    unsigned counts[Shape::warps][digits];  // of each warp; then where it begins in the tile
    Bits keys[Shape::tile];
    Value values[Shape::tile];
  };
  Count shift[digits];  // from a key's place in the sorted tile to its place in the array
  unsigned of_warps[Shape::warps];
  Count tile;
};

// The place of a thread's item i in the tile: each warp has 32 * items in a row, and in each step
// reads 32 of these in a row.
template <class Shape>
__device__ unsigned place_of(int i) {
  return warp() * 32 * Shape::items + i * 32 + lane();
}

// A tile's keys; beyond the end of the array those that compare as the greatest.
template <class Shape, class Order>
__device__ void load_keys(const typename Order::Key* keys, size_t n, size_t first,
                          typename Order::Bits (&bits)[Shape::items]) {
  if (first + Shape::tile <= n) {
#pragma unroll
    for (int i = 0; i < Shape::items; ++i) {
      bits[i] = Order::bits(keys[first + place_of<Shape>(i)]);
    }
    return;
  }
#pragma unroll
  for (int i = 0; i < Shape::items; ++i) {
    const size_t at = first + place_of<Shape>(i);
    bits[i] = at < n ? Order::bits(keys[at]) : ~typename Order::Bits{0};
  }
}

// The number of the tile's keys with thread d's digit.
template <class Shape, class Memory>
__device__ unsigned count_of_digit(const Memory& memory) {
  unsigned sum = 0;
  if (threadIdx.x < digits) {
#pragma unroll
    for (int w = 0; w < Shape::warps; ++w) sum += memory.counts[w][threadIdx.x];
  }
  return sum;
}

// Replaces the warps' counts by the places in the sorted tile where their keys begin, given where
// thread d's digit begins.
template <class Shape, class Memory>
__device__ void begin_of_warps(Memory& memory, unsigned begin) {
  if (threadIdx.x >= digits) return;
#pragma unroll
  for (int w = 0; w < Shape::warps; ++w) {
    const unsigned count = memory.counts[w][threadIdx.x];
    memory.counts[w][threadIdx.x] = begin;
    begin += count;
  }
}

// Sorts the tile in shared memory: ranks, which are within a warp before, become places.
template <class Shape, class Memory, class Bits>
__device__ void gather_keys(Memory& memory, const Bits (&bits)[Shape::items], Digit digit,
                            unsigned (&rank)[Shape::items]) {
#pragma unroll
  for (int i = 0; i < Shape::items; ++i) rank[i] += memory.counts[warp()][digit(bits[i])];
  __syncthreads();
#pragma unroll
  for (int i = 0; i < Shape::items; ++i) memory.keys[rank[i]] = bits[i];
}

// Writes the sorted tile, neighbours by neighbours wherever their digits are equal; then the same
// for the values. `whole`: no place is beyond the end of the array.
template <class Shape, class Order, bool whole, class Value, class Memory>
__device__ void scatter_places(Memory& memory, const Arrays<typename Order::Key, Value>& arrays,
                               size_t first, Digit digit, const unsigned (&rank)[Shape::items]) {
  const auto count = static_cast<unsigned>(whole ? Shape::tile : arrays.n - first);
  using Count = std::remove_reference_t<decltype(memory.shift[0])>;
  Count to[Shape::items];
#pragma unroll
  for (int i = 0; i < Shape::items; ++i) {
    const unsigned place = i * Shape::threads + threadIdx.x;
    if (whole || place < count) {
      const auto bits = memory.keys[place];
      to[i] = memory.shift[digit(bits)] + place;
      arrays.sorted_keys[to[i]] = Order::key(bits);
    }
  }
  if constexpr (!std::is_same_v<Value, NoValue>) {
    Value values[Shape::items];
#pragma unroll
    for (int i = 0; i < Shape::items; ++i) {
      const unsigned place = place_of<Shape>(i);
      if (whole || place < count) values[i] = arrays.values[first + place];
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < Shape::items; ++i) {
      if (whole || place_of<Shape>(i) < count) memory.values[rank[i]] = values[i];
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < Shape::items; ++i) {
      const unsigned place = i * Shape::threads + threadIdx.x;
      if (whole || place < count) arrays.sorted_values[to[i]] = memory.values[place];
    }
  }
}

template <class Shape, class Order, class Value, class Memory>
__device__ void scatter(Memory& memory, const Arrays<typename Order::Key, Value>& arrays,
                        size_t first, Digit digit, const unsigned (&rank)[Shape::items]) {
  if (first + Shape::tile <= arrays.n) {
    scatter_places<Shape, Order, true>(memory, arrays, first, digit, rank);
  } else {
    scatter_places<Shape, Order, false>(memory, arrays, first, digit, rank);
  }
}
