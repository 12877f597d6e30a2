// Chapter 26, fourth lesson, second part: y = A x by tiles, in one launch and with the same bits
// every time.
#pragma once

#include "tiles.hpp"

// Rows in a row that may all be empty: blocks of their own write these.
constexpr int empty_rows = 16384;

// What tiles hand to each other, of rows that are long: `ended` of a row that began in an earlier
// tile, `begun` of one that goes on; arrived[t]: how many tiles have theirs of the row that begins
// in tile t. All 0 before, and again afterwards.
struct LongRows {
  float* ended;
  float* begun;
  unsigned* arrived;
};

template <class S>
struct TileMemory {
  union {
    float4 quads[S::tile / 4];
    float sums[S::tile];  // in each row, up to each element
  };
  union {
    unsigned head_words[S::tile / 4];
    unsigned char heads[S::tile];  // 1: a row begins here
  };
  int rows[2];
  float of_warps[S::warps];
  bool is_last;
};

// A row's elements in this tile, of which `begin` is the first and `end` - 1 the last: the warps'
// sums end where a warp does, so a long row has several.
template <class S>
__device__ float sum_of_row(const TileMemory<S>& memory, int begin, int end) {
  float sum = memory.sums[end - 1];
  for (int at = (end - 1) / S::of_warp * S::of_warp; at > begin; at -= S::of_warp) {
    sum += memory.sums[at - 1];
  }
  return sum;
}

// Calls body(row) for the rows from first to last - 1, without those that a block of empty rows
// has.
template <class S, class Body>
__device__ void for_rows(const Csr& A, int first, int last, Body body) {
  while (first < last) {
    const int next =
        last - first < empty_rows ? last : min((first / empty_rows + 1) * empty_rows, last);
    const int element = A.offsets[first];
    if (next - first == empty_rows && element == A.offsets[next]) {
      int least = next, most = last;  // the first row that begins later
      while (least < most) {
        const int middle = least + (most - least) / 2;
        if (A.offsets[middle] > element) {
          most = middle;
        } else {
          least = middle + 1;
        }
      }
      first = max(next, (least - 1) / empty_rows * empty_rows);
      continue;
    }
    for (int row = first + static_cast<int>(threadIdx.x); row < next; row += S::threads) body(row);
    first = next;
  }
}

// This tile's part of a long row is written. The last of the row's tiles to get here adds up all
// parts, in their order.
template <class S>
__device__ void finish_long_row(TileMemory<S>& memory, const LongRows& parts, int first_tile,
                                int last_tile, float* y) {
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();  // the part is visible before its arrival
    const auto others = static_cast<unsigned>(last_tile - first_tile);
    memory.is_last = atomicAdd(parts.arrived + first_tile, 1U) == others;
    __threadfence();
  }
  __syncthreads();
  if (!memory.is_last) return;
  float sum = threadIdx.x == 0 ? __ldcg(parts.begun + first_tile) : 0;
#pragma unroll 4
  for (int t = first_tile + 1 + static_cast<int>(threadIdx.x); t <= last_tile; t += S::threads) {
    sum += __ldcg(parts.ended + t);
  }
  sum = warp_sum(sum);
  if (lane() == 0) memory.of_warps[warp()] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int w = 1; w < S::warps; ++w) sum += memory.of_warps[w];
    *y = sum;
    parts.arrived[first_tile] = 0;
  }
}

// A block has a tile of S::tile elements, and the rows that begin in it. Blocks beyond the tiles
// have empty_rows rows each, which they write if all are empty.
template <class S>
__global__ void __launch_bounds__(S::threads, std::min(S::blocks, threads_at_once / S::threads))
    product_tiles(Csr A, const float* x, float* y, LongRows parts, int tiles,
                  float rows_per_element) {
  __shared__ TileMemory<S> memory;
  const int tile = static_cast<int>(blockIdx.x);
  if (tile >= tiles) {
    const int row = (tile - tiles) * empty_rows;
    if (A.offsets[row] != A.offsets[row + empty_rows]) return;
    for (int i = threadIdx.x; i < empty_rows; i += S::threads) y[row + i] = 0;
    return;
  }
  // All loads of the tile are on their way before anything is known about its rows.
  const int begin = tile * S::tile, end = min(A.elements, begin + S::tile);
  const int mine = begin + warp() * S::of_warp + lane() * 4;
  Quad quads[S::quads], next = {};
#pragma unroll
  for (int q = 0; q < S::quads; ++q) quads[q] = load_quad(A, mine + 128 * q, end);
  // So are some of the next tile's, if the last row goes on there.
  const int beyond = end + warp() * 128 + lane() * 4;
  if (warp() == 0) next = load_quad(A, beyond, A.elements);
  prefetch_offsets<S>(A, begin, rows_per_element);
#pragma unroll
  for (int q = 0; q < S::quads; ++q) memory.head_words[q * S::threads + threadIdx.x] = 0;
  if (warp() == 0) {
    const int row = begin == 0 ? 0 : first_row_from(A, begin, rows_per_element);
    if (lane() == 0) memory.rows[0] = row;
  } else if (warp() == 1) {
    const int row = end == A.elements ? A.rows : first_row_from(A, end, rows_per_element);
    if (lane() == 0) memory.rows[1] = row;
  }
  float4 products[S::quads], next_products = {0, 0, 0, 0};
#pragma unroll
  for (int q = 0; q < S::quads; ++q) {
    products[q] = products_before(quads[q], mine + 128 * q, end, x);
  }
  if (warp() == 0) next_products = products_before(next, beyond, A.elements, x);
  __syncthreads();

  const int first_row = memory.rows[0], last_row = memory.rows[1];
  for_rows<S>(A, first_row, last_row, [&](int row) {
    const int element = A.offsets[row];
    if (element < A.offsets[row + 1]) memory.heads[element - begin] = 1;
  });
  // The last row may go on: if not by much, its end is read here.
  const int row_end = A.offsets[last_row];
  const bool goes_on = last_row > first_row && row_end > end;
  const bool is_long = goes_on && row_end - end > S::most_beyond;
  if (goes_on && !is_long) {
    if (warp() > 0) {
      next_products = products_before(load_quad(A, beyond, row_end), beyond, row_end, x);
    }
    const float sum = warp_sum(sum_before(next_products, beyond, row_end));
    if (lane() == 0) memory.of_warps[warp()] = sum;
  }
  __syncthreads();
  float carry = 0;
#pragma unroll
  for (int q = 0; q < S::quads; ++q) {
    const int at = (warp() * S::quads + q) * 32 + lane();
    memory.quads[at] = sums_in_rows(products[q], memory.head_words[at], carry);
  }
  __syncthreads();
  for_rows<S>(A, first_row, last_row, [&](int row) {
    const int from = A.offsets[row], to = A.offsets[row + 1];
    float sum = 0;
    if (from < to) sum = sum_of_row(memory, from - begin, min(to, end) - begin);
    if (to > end) {
      if (is_long) {
        parts.begun[tile] = sum;
        return;
      }
      for (int w = 0; end + w * 128 < to; ++w) sum += memory.of_warps[w];
    }
    y[row] = sum;
  });

  // The first elements may be of a row that began in an earlier tile: if that has read its end,
  // nothing is left to do.
  if (begin > 0 && A.offsets[first_row] > begin) {
    const int to = A.offsets[first_row], first_tile = A.offsets[first_row - 1] / S::tile;
    if (to - (first_tile + 1) * S::tile > S::most_beyond) {
      if (threadIdx.x == 0) parts.ended[tile] = sum_of_row(memory, 0, min(to, end) - begin);
      finish_long_row(memory, parts, first_tile, (to - 1) / S::tile, y + first_row - 1);
    }
  }
  if (is_long) finish_long_row(memory, parts, tile, (row_end - 1) / S::tile, y + last_row - 1);
}
