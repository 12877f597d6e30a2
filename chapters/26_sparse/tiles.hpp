// Chapter 26, fourth lesson, first part: a tile of equally many elements, whatever rows they are
// of. Its products are added up in segments: a row is a segment.
#pragma once

#include "rows.hpp"

// As many threads as a multiprocessor of any compute capability runs at once.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
constexpr int threads_at_once = 1024;
#else
constexpr int threads_at_once = 1536;
#endif

// A block's shape: threads, and how often each has four elements in a row.
template <int threads_, int quads_, int blocks_>
struct Shape {
  static constexpr int threads = threads_, quads = quads_;
  static constexpr int blocks = blocks_;  // that should fit on a multiprocessor
  static constexpr int warps = threads / 32;
  static constexpr int of_warp = 128 * quads, tile = warps * of_warp;
  static constexpr int most_beyond =
      4 * threads;  // elements of a row that a tile reads past its end
};

// Four elements.
struct Quad {
  float4 values;
  int4 columns;
};

// Elements at to at + 3 of those before `end`, at being a multiple of 4; zeros for the others. They
// are needed once: the first level of the cache is left to x.
__device__ inline Quad load_quad(const Csr& A, int at, int end) {
  Quad quad = {{0, 0, 0, 0}, {0, 0, 0, 0}};
  if (at + 4 <= end) {
    quad.values = __ldcs(reinterpret_cast<const float4*>(A.values + at));
    quad.columns = __ldcs(reinterpret_cast<const int4*>(A.columns + at));
    return quad;
  }
  if (at < end) quad.values.x = A.values[at], quad.columns.x = A.columns[at];
  if (at + 1 < end) quad.values.y = A.values[at + 1], quad.columns.y = A.columns[at + 1];
  if (at + 2 < end) quad.values.z = A.values[at + 2], quad.columns.z = A.columns[at + 2];
  return quad;
}

__device__ inline float4 products_of(const Quad& quad, const float* x) {
  return {quad.values.x * __ldg(x + quad.columns.x), quad.values.y * __ldg(x + quad.columns.y),
          quad.values.z * __ldg(x + quad.columns.z), quad.values.w * __ldg(x + quad.columns.w)};
}

// The same if zeros beyond the end must not read x: it may have no element, or an infinite one.
__device__ inline float4 products_before(const Quad& quad, int at, int end, const float* x) {
  if (at + 4 <= end) return products_of(quad, x);
  float4 p = {0, 0, 0, 0};
  if (at < end) p.x = quad.values.x * __ldg(x + quad.columns.x);
  if (at + 1 < end) p.y = quad.values.y * __ldg(x + quad.columns.y);
  if (at + 2 < end) p.z = quad.values.z * __ldg(x + quad.columns.z);
  return p;
}

// The sum of those of four products that are of elements before `end`.
__device__ inline float sum_before(const float4& p, int at, int end) {
  return ((at < end ? p.x : 0) + (at + 1 < end ? p.y : 0)) +
         ((at + 2 < end ? p.z : 0) + (at + 3 < end ? p.w : 0));
}

// Has level 2 get the offsets that are the tile's if all rows are about equally long.
template <class S>
__device__ void prefetch_offsets(const Csr& A, int begin, float rows_per_element) {
  constexpr int line = 32;  // offsets
  const int first = static_cast<int>(static_cast<float>(begin) * rows_per_element);
  const int lines = static_cast<int>(S::tile * rows_per_element) / line + 3;
  for (int l = threadIdx.x; l < lines; l += S::threads) {
    const int row = first + (l - 1) * line;
    if (row >= 0 && row <= A.rows) asm volatile("prefetch.global.L2 [%0];" ::"l"(A.offsets + row));
  }
}

// The first row that begins at element `element` or later, found by a warp. Each round asks 32 rows
// at once and keeps a 32nd; the first asks around the row that it would be if all were equally
// long.
__device__ inline int first_row_from(const Csr& A, int element, float rows_per_element) {
  int least = 0, most = A.rows;
  const int guess = static_cast<int>(static_cast<float>(element) * rows_per_element);
  int at = min(max(guess + (lane() - 16) * 32, 0), A.rows);
  int before = __popc(__ballot_sync(all_lanes, __ldg(A.offsets + at) < element));
  const int last_before = __shfl_sync(all_lanes, at, max(before - 1, 0));
  const int next = __shfl_sync(all_lanes, at, min(before, 31));
  if (before > 0) least = last_before + 1;
  if (before < 32) most = next;
  while (least < most) {
    const int stride = (most - least) / 32 + 1;
    at = min(least + (lane() + 1) * stride - 1, most);
    before = __popc(__ballot_sync(all_lanes, __ldg(A.offsets + at) < element));
    least += before * stride;
    most = min(least + stride - 1, most);
  }
  return least;
}

// Four products, and whether a row begins at each, become sums from the beginning of the row, or of
// the warp's elements, up to each. `carry` is the sum that continues from the quads before.
__device__ inline float4 sums_in_rows(float4 sums, unsigned heads, float& carry) {
  const bool x = (heads & 0xff) != 0, y = (heads & 0xff00) != 0, z = (heads & 0xff0000) != 0;
  const bool w = heads >> 24 != 0;
  if (!y) sums.y += sums.x;
  if (!z) sums.z += sums.y;
  if (!w) sums.w += sums.z;
  const unsigned with_head = __ballot_sync(all_lanes, heads != 0);
  const unsigned lanes_below = (1U << lane()) - 1;
  const unsigned up_to_me = with_head & (2 * lanes_below + 1);
  const int steps = lane() - (up_to_me == 0 ? 0 : 31 - __clz(static_cast<int>(up_to_me)));
  float last = sums.w;
#pragma unroll
  for (int d = 1; d < 32; d *= 2) {
    const float other = __shfl_up_sync(all_lanes, last, d);
    if (d <= steps) last += other;
  }
  float before = __shfl_up_sync(all_lanes, last, 1);
  if (lane() == 0) before = 0;
  if ((with_head & lanes_below) == 0) before += carry;
  if (!x) sums.x += before;
  if (!(x || y)) sums.y += before;
  if (!(x || y || z)) sums.z += before;
  if (heads == 0) sums.w += before;
  carry = __shfl_sync(all_lanes, last, 31) + (with_head == 0 ? carry : 0);
  return sums;
}

__device__ inline float warp_sum(float value) {
#pragma unroll
  for (int d = 16; d > 0; d /= 2) value += __shfl_xor_sync(all_lanes, value, d);
  return value;
}
