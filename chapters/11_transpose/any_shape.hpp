// Chapter 11, fourth lesson: any shape, and still 16 bytes a load and a store.
//
// With n = 16,381 every row of A begins elsewhere in a sector, and with m = 16,383 so does every
// row of B. What it costs to ignore that: a piece of 32 floats lies in five sectors where four
// would do, and a sector of B is written by two blocks, each a part of it. So
//
// - of each row of B a block writes whole sectors and nothing else. Its window of rows of A begins
//   a little earlier or later from one row of B to the next, so it reads a few rows more than
//   it writes: one sector's worth of elements;
// - of each row of A a warp reads whole chunks, beginning with the one that the row's first element
//   lies in. That row's `phase` says which element of the chunk it is. A window is 128 elements,
//   and all but a chunk of them are sure to be useful, whatever the phase.
//
// Phase and window differ from row to row, so no thread can transpose chunks in registers. Elements
// pass through the tile one by one. It costs little, because rows that are a chunk, or a sector,
// apart have the same phase: each warp takes such rows only, and reckons its places once.
#pragma once

#include "chunks.hpp"

constexpr int window = 128;  // elements that are read of a row of A
constexpr int warps = 8;

// The shape of a block's work. `down` lanes write side by side in a row of B: 16 or 32.
template <class E, int down>
struct Tile {
  static constexpr int sector = 32 / sizeof(E);
  static constexpr int wide = window - chunk<E>;  // rows of B that it writes
  static constexpr int tall = down * chunk<E>;    // elements that it writes of each
  static constexpr int rows = tall + sector;      // rows of A that it reads
  // Elements x, x + chunk, x + 2 chunk … of a row are neighbours in the tile, and so are rows: what
  // the lanes of a warp store or load at the same time is that far apart. One place more, for what
  // lies before the window's first element.
  static constexpr int lane_places = window / chunk<E> + 1;
  static constexpr int lane_rows = rows / chunk<E>;
  // A column's places are a pitch apart. It is an odd number of words, so that 32 lanes meet 32
  // banks; if 16 lanes have 2-byte elements, twice an odd number, and the other 16 lanes go
  // between.
  static constexpr int pitch = lane_places * chunk<E> + (sizeof(E) == 4 ? 1 : down == 32 ? 2 : 4);
  static constexpr int bytes = rows * pitch * sizeof(E);
  // Blocks that a multiprocessor is to hold at the same time: they share its registers, which have
  // to take in all that is on its way. 4 of 256 threads is what every GPU can hold.
  static constexpr int blocks = 64 / down;

  static __device__ int row_place(int row) {
    return (row % chunk<E> * lane_rows + row / chunk<E>)*pitch;
  }
  // From -chunk on.
  static __device__ int column_place(int x) {
    return (x + chunk<E>) % chunk<E> * lane_places + (x + chunk<E>) / chunk<E>;
  }
};

// The first half: rows of A come in, row y0 first. A row is one warp's, or half a warp's if 16
// chunks are a window: then the upper half-warp has the upper half of the rows.
template <class E, int down>
__device__ void fill_tile(E* tile, const E* A, int m, int n, int x0, int y0) {
  using T = Tile<E, down>;
  constexpr int lanes = window / chunk<E>;
  constexpr int halves = 32 / lanes;
  constexpr int rows = T::rows / halves / warps;  // a lane's
  static_assert(rows * halves * warps == T::rows && T::rows / halves % chunk<E> == 0);
  const int c = threadIdx.x % lanes;
  const int first_row = threadIdx.x / 32 + threadIdx.x % 32 / lanes * (T::rows / halves);
  // y0 may be negative, and then this is a very large number. Its remainder is right all the same.
  const size_t end = static_cast<size_t>(m) * n;
  const size_t start = (static_cast<size_t>(y0) + first_row) * n + x0;
  const int phase = start % chunk<E>;  // of all my rows
  const int x = c * chunk<E> - phase;  // of my chunk's first element
  uint4 in[rows] = {};
#pragma unroll
  for (int k = 0; k < rows; ++k) {
    const int y = y0 + first_row + k * warps;
    if (y < 0 || y >= m || x0 + x >= n) continue;
    const size_t first = start + static_cast<size_t>(k) * warps * n + c * chunk<E> - phase;
    if (first + chunk<E> <= end) in[k] = load_bits(A + first);
  }
  constexpr int row_step = warps / chunk<E> * T::pitch;
  int place[chunk<E>];
#pragma unroll
  for (int i = 0; i < chunk<E>; ++i) place[i] = T::row_place(first_row) + T::column_place(x + i);
#pragma unroll
  for (int k = 0; k < rows; ++k) {
#pragma unroll
    for (int i = 0; i < chunk<E>; ++i) {
      tile[place[i] + k * row_step] = element<E>(in[k], i);
    }
  }
  if (y0 + T::rows + chunk<E> < m) return;
    // What the array's last elements leave of a chunk comes one by one.
#pragma unroll 1
  for (int k = 0; k < rows; ++k) {
    const int y = y0 + first_row + k * warps;
    const size_t first = start + static_cast<size_t>(k) * warps * n + c * chunk<E> - phase;
    if (y < 0 || y >= m || x0 + x >= n || first + chunk<E> <= end) continue;
#pragma unroll
    for (int i = 0; i < chunk<E>; ++i) {
      if (first + i < end) tile[place[i] + k * row_step] = A[first + i];
    }
  }
}

// The second half: rows of B go out. A warp's rows are a sector's elements apart, so that all begin
// at the same place in a sector. With 16 lanes to a row, the upper half-warp has another row.
template <class E, int down>
__device__ void write_rows(const E* tile, E* B, int m, int n, int x0, int y0) {
  using T = Tile<E, down>;
  constexpr int other_row = down == 32 ? 0 : sizeof(E) == 4 ? window / 2 : T::sector;
  constexpr int step = sizeof(E) == 2 && down == 16 ? 2 * T::sector : T::sector;
  constexpr int steps = window / T::sector / (32 / down);
  const int lane = threadIdx.x % 32 % down;
  for (int first = threadIdx.x / 32; first < T::sector; first += warps) {
    const int x = first + threadIdx.x % 32 / down * other_row;
    // So many elements of B's row x0 + x come before its window, in the sector that it begins in.
    const int before = static_cast<size_t>(x0 + x) * m % T::sector;
    const int row = T::sector - before;  // of the tile: the window's first
    int place[chunk<E>];
#pragma unroll
    for (int i = 0; i < chunk<E>; ++i) {
      place[i] = T::row_place(row + i) + lane * T::pitch + T::column_place(x);
    }
#pragma unroll
    for (int k = 0; k < steps; ++k) {
      const int line = x + k * step;
      if (line >= T::wide || x0 + line >= n) break;
      E* const to = B + at(x0 + line, 0, m);
      const int y = y0 + row + lane * chunk<E>;
      if (y >= 0 && y + chunk<E> <= m) {
        Chunk<E> out;
#pragma unroll
        for (int i = 0; i < chunk<E>; ++i) out.e[i] = tile[place[i] + k * (step / chunk<E>)];
        store_bits(to + y, bits_of(out));
      } else {  // at an end of B's row, where a chunk is not all there
#pragma unroll 1
        for (int i = 0; i < chunk<E>; ++i) {
          if (y + i < 0 || y + i >= m) continue;
          to[y + i] = tile[T::row_place(row + i) + lane * T::pitch + T::column_place(line)];
        }
      }
    }
  }
}

template <class E, int down>
__global__ void __launch_bounds__(warps * 32, Tile<E, down>::blocks)
    by_windows(const E* A, E* B, int m, int n, int across, int tiles_down, int band) {
  using T = Tile<E, down>;
  extern __shared__ uint4 room[];
  E* const tile = reinterpret_cast<E*>(room);
  const TileOrigin origin = tile_origin_in_band(across, tiles_down, T::wide, T::tall, band);
  const int y0 = origin.y - T::sector;
  fill_tile<E, down>(tile, A, m, n, origin.x, y0);
  __syncthreads();
  write_rows<E, down>(tile, B, m, n, origin.x, y0);
}
