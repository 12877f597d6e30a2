// Chapter 25: one sweep. All digits are counted in one read. Then each pass reads the keys once and
// writes them once: a tile learns by looking back where its keys belong.
#pragma once

#include "tile.hpp"

// The numbers of all digits of all passes, added to histograms[pass][digit], which are 0 before.
// passes <= 8.
constexpr int histogram_threads = 512;
template <class Order, int most_passes>
__global__ void __launch_bounds__(histogram_threads)
    histograms_of_digits(const typename Order::Key* keys, size_t n, int begin_bit, int end_bit,
                         unsigned long long* histograms) {
  __shared__ unsigned counts[most_passes * digits];
  for (int d = threadIdx.x; d < most_passes * digits; d += histogram_threads) counts[d] = 0;
  __syncthreads();
  const auto count = [&](typename Order::Key key) {
    const typename Order::Bits bits = Order::bits(key);
#pragma unroll
    for (int pass = 0; pass < most_passes; ++pass) {
      const int shift = begin_bit + pass * digit_bits;
      if (shift >= end_bit) break;
      atomicAdd(&counts[pass * digits + digit_of_pass(shift, end_bit)(bits)], 1U);
    }
  };
  constexpr size_t batch = 16 / sizeof(typename Order::Key) * 4;
  const size_t stride = static_cast<size_t>(gridDim.x) * histogram_threads;
  size_t i = static_cast<size_t>(blockIdx.x) * histogram_threads + threadIdx.x;
  for (; i + (batch - 1) * stride < n; i += batch * stride) {
    typename Order::Key key[batch];
#pragma unroll
    for (size_t k = 0; k < batch; ++k) key[k] = keys[i + k * stride];
#pragma unroll
    for (size_t k = 0; k < batch; ++k) count(key[k]);
  }
  for (; i < n; i += stride) count(keys[i]);
  __syncthreads();
  for (int d = threadIdx.x; d < most_passes * digits; d += histogram_threads) {
    if (counts[d] != 0) {
      atomicAdd(&histograms[d], static_cast<unsigned long long>(counts[d]));
    }
  }
}

// A tile's word for a digit: a number, and in the top two bits what it is. 0: nothing yet; `mine`:
// the keys of this tile; `all`: where the keys of the next tile begin. Flag and number are one
// word, so no fence has to order them.
template <class Count>
struct Word {
  static constexpr int width = 8 * sizeof(Count);
  static constexpr Count mine = Count{1} << (width - 2), all = Count{2} << (width - 2);
  static constexpr Count number = mine - 1;
};

// Where this tile's keys with thread d's digit begin: looks back at the tiles before it, adds up
// their own numbers, and stops at the first that knows the sum. `window` words are requested at a
// time.
template <int window, class Count>
__device__ Count look_back(const volatile Count* words, Count tile) {
  using W = Word<Count>;
  Count sum = 0;
  words += threadIdx.x;
  for (Count next = tile; next > 0;) {  // tile 0 knows its sum, so no loop gets past it
    Count word[window];
#pragma unroll
    for (int k = 0; k < window; ++k) {
      word[k] =
          next > static_cast<Count>(k) ? words[static_cast<size_t>(next - 1 - k) * digits] : W::all;
    }
#pragma unroll
    for (int k = 0; k < window; ++k) {
      if (word[k] == 0) break;  // not there yet: ask again from here
      sum += word[k] & W::number;
      if ((word[k] & W::all) != 0) return sum;
      --next;
    }
  }
  return sum;
}

// One pass over one tile per block. *ticket, 0 before, numbers the tiles in the order in which
// blocks begin: so a tile never waits for one that has not begun.
template <class Shape, class Order, class Value, class Count, int window>
__global__ void __launch_bounds__(Shape::threads, Shape::blocks)
    sweep(Arrays<typename Order::Key, Value> arrays, Digit digit,
          const unsigned long long* histogram, Count* words, unsigned* ticket) {
  using Bits = typename Order::Bits;
  __shared__ TileMemory<Shape, Bits, Value, Count> memory;
  if (threadIdx.x == 0) memory.tile = atomicAdd(ticket, 1U);
  __syncthreads();
  const Count tile = memory.tile;
  const size_t first = static_cast<size_t>(tile) * Shape::tile;
  volatile Count* const word = words + static_cast<size_t>(tile) * digits + threadIdx.x;

  Bits bits[Shape::items];
  unsigned rank[Shape::items];
  load_keys<Shape, Order>(arrays.keys, arrays.n, first, bits);
  rank_in_warp<typename Shape::Way>(bits, digit, memory.counts[warp()], rank);
  __syncthreads();
  const unsigned mine = count_of_digit<Shape>(memory);
  if (tile > 0 && threadIdx.x < digits) *word = Word<Count>::mine | mine;
  const unsigned begin = scan_digits(memory.of_warps, mine);
  begin_of_warps<Shape>(memory, begin);
  __syncthreads();
  gather_keys<Shape>(memory, bits, digit, rank);

  Count before = 0;
  if (tile == 0) {  // the first tile's keys begin where the digit begins in the whole array
    const unsigned all = threadIdx.x < digits ? histogram[threadIdx.x] : 0;
    before = scan_digits(memory.of_warps, all);
  }
  if (threadIdx.x < digits) {
    if (tile > 0) before = look_back<window>(words, tile);
    *word = Word<Count>::all | (before + mine);
    memory.shift[threadIdx.x] = before - begin;
  }
  __syncthreads();
  scatter<Shape, Order>(memory, arrays, first, digit, rank);
}
