// Chapter 11, third lesson: 16 bytes a load and 16 bytes a store, in memory and in the tile. Each
// row of A and of B has to begin at a multiple of 16 bytes for that.
#pragma once

#include <cstring>

#include "tiles.hpp"

// Elements in a chunk of 16 bytes: 4 or 8.
template <class E>
constexpr int chunk = 16 / sizeof(E);

template <class E>
struct Chunk {
  E e[chunk<E>];
};

// A chunk travels as a uint4, since that is what the hardware moves in one piece.
template <class E>
__device__ uint4 bits_of(const Chunk<E>& c) {
  uint4 bits;
  memcpy(&bits, &c, sizeof bits);  // in registers
  return bits;
}
// Element i of a chunk. All indices here are known when the loops are unrolled.
template <class E>
__device__ E element(uint4 bits, int i) {
  const unsigned words[] = {bits.x, bits.y, bits.z, bits.w};
  const unsigned word = words[i * sizeof(E) / 4] >> i * sizeof(E) % 4 * 8;
  E e;
  memcpy(&e, &word, sizeof e);  // its lower bytes
  return e;
}

// Nothing is read or written a second time: __ldcs and __stcs let the cache give it up first.
template <class E>
__device__ uint4 load_bits(const E* from) {
  return __ldcs(reinterpret_cast<const uint4*>(from));
}
template <class E>
__device__ void store_bits(E* to, uint4 bits) {
  __stcs(reinterpret_cast<uint4*>(to), bits);
}

// Where a tile begins if `band` rows of tiles go together, column by column. Blocks that run at the
// same time then have neighbours in both directions: what one has fetched too much of, the next
// finds in the cache, and both read and write longer pieces of memory.
__device__ inline Corner corner_in_band(int across, int down, int wide, int tall, int band) {
  const unsigned whole = static_cast<unsigned>(band) * across;
  const unsigned first = blockIdx.x / whole * band;
  const unsigned height = min(static_cast<unsigned>(band), down - first);
  const unsigned place = blockIdx.x % whole;
  return {static_cast<int>(place / height) * wide, static_cast<int>(first + place % height) * tall};
}

// 16 x 16 small squares, each as wide as a chunk, and one a thread: 64 x 64 elements of 4 bytes or
// 128 x 128 of 2. A thread transposes its square in registers, and so has whole chunks to put into
// the tile as well.
constexpr int squares = 16;

// The tile is kept as B's: a row of it is 16 chunks, 64 words. Eight lanes that store together have
// neighbouring squares, and put chunk `row` into rows that are a chunk apart: into the same banks,
// but for the swizzle. Eight lanes that load together have one row, and eight chunks of it.
__device__ inline int swizzled_chunk(int square_x, int square_y) {
  return square_y ^ (square_x % 8);
}

template <class E>
__global__ void __launch_bounds__(squares* squares)
    by_chunks(const E* A, E* B, int m, int n, int band) {
  constexpr int wide = squares * chunk<E>;  // of a tile, in elements
  __shared__ uint4 tile[wide][squares];
  const Corner corner = corner_in_band((n - 1) / wide + 1, (m - 1) / wide + 1, wide, wide, band);
  const int square_x = threadIdx.x % squares;
  const int square_y = threadIdx.x / squares;

  const int x = corner.x + square_x * chunk<E>;
  const int y = corner.y + square_y * chunk<E>;
  uint4 row[chunk<E>] = {};
  if (x < n && y < m) {  // the whole square, or nothing of it: m and n are multiples of its side
#pragma unroll
    for (int i = 0; i < chunk<E>; ++i) row[i] = load_bits(A + at(y + i, x, n));
  }
#pragma unroll
  for (int j = 0; j < chunk<E>; ++j) {
    Chunk<E> column;
#pragma unroll
    for (int i = 0; i < chunk<E>; ++i) column.e[i] = element<E>(row[i], j);
    tile[square_x * chunk<E> + j][swizzled_chunk(square_x, square_y)] = bits_of(column);
  }
  __syncthreads();

  // From here on lanes run along y: a row of B is 16 of them.
  const int out_y = corner.y + square_x * chunk<E>;
#pragma unroll
  for (int k = 0; k < chunk<E>; ++k) {
    const int line = square_y + k * squares;
    if (corner.x + line >= n || out_y >= m) continue;
    store_bits(B + at(corner.x + line, out_y, m),
               tile[line][swizzled_chunk(line / chunk<E>, square_x)]);
  }
}
