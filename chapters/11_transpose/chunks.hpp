// Chapter 11, third lesson: 16 bytes per load and 16 bytes per store, in memory and in the tile.
// For that, each row of A and of B must begin at a multiple of 16 bytes.
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

// A chunk is moved as a uint4, which the hardware loads and stores in one instruction.
template <class E>
__device__ uint4 bits_of(const Chunk<E>& c) {
  uint4 bits;
  memcpy(&bits, &c, sizeof bits);  // in registers
  return bits;
}
// Element i of a chunk. All indices here are known once the loops are unrolled.
template <class E>
__device__ E element(uint4 bits, int i) {
  const unsigned words[] = {bits.x, bits.y, bits.z, bits.w};
  const unsigned word = words[i * sizeof(E) / 4] >> i * sizeof(E) % 4 * 8;
  E e;
  memcpy(&e, &word, sizeof e);  // its lower bytes
  return e;
}

template <class E>
__device__ uint4 load_bits(const E* from) {
  return *reinterpret_cast<const uint4*>(from);
}
template <class E>
__device__ void store_bits(E* to, uint4 bits) {
  *reinterpret_cast<uint4*>(to) = bits;
}

// Where a tile begins if `band` rows of tiles form a band and are taken column by column. With all
// rows in one band, concurrent blocks write rows of B from end to end. In narrow bands they read
// whole rows of A.
__device__ inline TileOrigin tile_origin_in_band(int across, int down, int wide, int tall,
                                                 int band) {
  const unsigned whole = static_cast<unsigned>(band) * across;
  const unsigned first = blockIdx.x / whole * band;
  const unsigned height = min(static_cast<unsigned>(band), down - first);
  const unsigned place = blockIdx.x % whole;
  return {static_cast<int>(place / height) * wide, static_cast<int>(first + place % height) * tall};
}

// Small squares, each as wide as a chunk, one per thread: it transposes its square in registers,
// and so has whole chunks to store into the tile as well. A tile is 16 squares wide and 256
// elements tall, 64 KB, since memory is fastest with long pieces of the rows of B.
constexpr int squares_wide = 16;
constexpr int rows_a_tile = 256;  // of A
template <class E>
constexpr int squares_tall = rows_a_tile / chunk<E>;
template <class E>
constexpr int tile_bytes = squares_wide* chunk<E>* squares_tall<E> * sizeof(uint4);

// The tile is stored as B's: a row of it is `rows_a_tile` elements. Eight lanes that store together
// have neighbouring squares, and put chunk `row` into rows that are a chunk apart: without the
// swizzle, into the same banks. Eight lanes that load together read eight chunks of one row.
__device__ inline int swizzled_chunk(int square_x, int square_y) {
  return square_y ^ (square_x % 8);
}

template <class E>
__global__ void __launch_bounds__(squares_wide* squares_tall<E>)
    by_chunks(const E* A, E* B, int m, int n, int band) {
  constexpr int wide = squares_wide * chunk<E>;  // of a tile, in elements
  constexpr int tall = squares_tall<E>;          // in chunks
  extern __shared__ uint4 tile[];                // [wide][tall]
  const TileOrigin origin =
      tile_origin_in_band((n - 1) / wide + 1, (m - 1) / rows_a_tile + 1, wide, rows_a_tile, band);
  const int square_x = threadIdx.x % squares_wide;
  const int square_y = threadIdx.x / squares_wide;

  const int x = origin.x + square_x * chunk<E>;
  const int y = origin.y + square_y * chunk<E>;
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
    tile[(square_x * chunk<E> + j) * tall + swizzled_chunk(square_x, square_y)] = bits_of(column);
  }
  __syncthreads();

  // From here on lanes run along y, along rows of B.
  const int c = threadIdx.x % tall;
  const int out_y = origin.y + c * chunk<E>;
#pragma unroll
  for (int k = 0; k < chunk<E>; ++k) {
    const int line = threadIdx.x / tall + k * squares_wide;
    if (origin.x + line >= n || out_y >= m) continue;
    store_bits(B + at(origin.x + line, out_y, m),
               tile[line * tall + swizzled_chunk(line / chunk<E>, c)]);
  }
}
