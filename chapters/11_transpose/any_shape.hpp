// Chapter 11, fourth lesson: any shape, and still 16 bytes per load and store.
//
// With n = 16,381 every row of A starts at a different offset in a sector, and with m = 16,383 so
// does every row of B. The price of ignoring that: a piece of 32 floats spans five sectors where
// four would do, and two blocks each write a part of the same sector of B. So
//
// - a block writes only whole sectors of each row of B. Its window of rows of A begins a little
//   earlier or later from one row of B to the next, so it reads a few more rows than it writes: one
//   sector's worth of elements;
// - a warp reads whole chunks of each row of A, beginning with the one that contains the row's
//   first element. That row's `phase` is this element's index in the chunk. A window is 128
//   elements, and all but one chunk of them are always useful, whatever the phase.
//
// Phase and window differ from row to row, so no thread can transpose chunks in registers. Elements
// go through the tile one by one. That costs little, because rows that are a chunk, or a sector,
// apart have the same phase: each warp takes only such rows, and computes its positions once.
#pragma once

#include "chunks.hpp"

constexpr int window = 128;  // elements read per row of A
constexpr int warps = 8;

// The shape of a block's work. `down` lanes write neighbouring chunks of a row of B: 16 or 32.
template <class E, int down>
struct Tile {
  static constexpr int sector = 32 / sizeof(E);
  static constexpr int wide = window - chunk<E>;  // rows of B that it writes
  static constexpr int tall = down * chunk<E>;    // elements that it writes per row
  static constexpr int rows = tall + sector;      // rows of A that it reads
  // Elements x, x + chunk, x + 2 chunk … of a row are neighbours in the tile, and rows likewise:
  // elements a chunk apart are what the lanes of a warp store or load at the same time. One more
  // slot per row is for the elements before the window's first one.
  static constexpr int lane_places = window / chunk<E> + 1;
  static constexpr int lane_rows = rows / chunk<E>;
  // A column's slots are one pitch apart. It is an odd number of words, so that 32 lanes use 32
  // banks; if 16 lanes have 2-byte elements, it is twice an odd number, and the other 16 lanes use
  // the banks in between.
  static constexpr int pitch = lane_places * chunk<E> + (sizeof(E) == 4 ? 1 : down == 32 ? 2 : 4);
  static constexpr int bytes = rows * pitch * sizeof(E);
  // Blocks that should be resident on a multiprocessor: they share its registers, which must hold
  // all loads in flight. 4 blocks of 256 threads fit on every GPU.
  static constexpr int blocks = 64 / down;

  static __device__ int row_place(int row) {
    return (row % chunk<E> * lane_rows + row / chunk<E>)*pitch;
  }
  // For x from -chunk on.
  static __device__ int column_place(int x) {
    return (x + chunk<E>) % chunk<E> * lane_places + (x + chunk<E>) / chunk<E>;
  }
};

// The first half: rows of A come in, row y0 first. A warp reads a row, or half a warp if a window
// is 16 chunks: then the upper half-warp has the upper half of the rows.
template <class E, int down>
__device__ void fill_tile(E* tile, const E* A, int m, int n, int x0, int y0) {
  using T = Tile<E, down>;
  constexpr int lanes = window / chunk<E>;
  constexpr int halves = 32 / lanes;
  constexpr int rows = T::rows / halves / warps;  // per lane
  static_assert(rows * halves * warps == T::rows && T::rows / halves % chunk<E> == 0);
  const int c = threadIdx.x % lanes;
  const int first_row = threadIdx.x / 32 + threadIdx.x % 32 / lanes * (T::rows / halves);
  // y0 may be negative: converted, it is a very large number with the same remainder.
  const size_t end = static_cast<size_t>(m) * n;
  const size_t start = (static_cast<size_t>(y0) + first_row) * n + x0;
  const int phase = start % chunk<E>;  // of all rows of this thread
  const int x = c * chunk<E> - phase;  // of the first element of this thread's chunk
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
    // The array's last elements may not fill a chunk: they are loaded one by one.
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

// The second half: rows of B go out. A warp's rows are a sector's elements apart, so all begin at
// the same offset in a sector. With 16 lanes per row, the upper half-warp has another row.
template <class E, int down>
__device__ void write_rows(const E* tile, E* B, int m, int n, int x0, int y0) {
  using T = Tile<E, down>;
  constexpr int other_row = down == 32 ? 0 : sizeof(E) == 4 ? window / 2 : T::sector;
  constexpr int step = sizeof(E) == 2 && down == 16 ? 2 * T::sector : T::sector;
  constexpr int steps = window / T::sector / (32 / down);
  const int lane = threadIdx.x % 32 % down;
  for (int first = threadIdx.x / 32; first < T::sector; first += warps) {
    const int x = first + threadIdx.x % 32 / down * other_row;
    // Elements of B's row x0 + x between the window's first one and the start of its sector.
    const int before = static_cast<size_t>(x0 + x) * m % T::sector;
    const int row = T::sector - before;  // of the tile: the window's first row
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
      } else {  // at an end of B's row, where a chunk is incomplete
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
