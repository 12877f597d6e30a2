// Chapter 13, first lesson: lanes exchange values within a warp.
#pragma once

#include "course.hpp"

constexpr unsigned all_lanes = 0xFFFFFFFFU;
constexpr int block = 256;

__device__ inline int lane() {
  return static_cast<int>(threadIdx.x % 32);
}

// In all that follows a warp is divided into groups of `width` lanes: 32, 16, 8, 4 or 2. A group is
// like a small warp: a shuffle's source counts from the group's first lane.

// Every lane gets the value of the group's first lane.
template <int width>
__device__ unsigned broadcast(unsigned value) {
  return __shfl_sync(all_lanes, value, 0, width);
}

// Every lane gets the next lane's value, and the last lane the first one's: a source beyond the
// group's end wraps around.
template <int width>
__device__ unsigned rotate(unsigned value) {
  return __shfl_sync(all_lanes, value, lane() + 1, width);
}

// The same by __shfl_down_sync(), which does not wrap around: the last lane has no lane above it,
// and keeps its own value.
template <int width>
__device__ unsigned shift(unsigned value) {
  return __shfl_down_sync(all_lanes, value, 1, width);
}

// The group's halves exchange their values.
template <int width>
__device__ unsigned swap_halves(unsigned value) {
  return __shfl_xor_sync(all_lanes, value, width / 2, width);
}

// Every lane gets the sum of the group. In each step a lane and its partner, whose numbers differ
// in one bit, add their values: both have the sum of both.
template <int width>
__device__ unsigned butterfly(unsigned value) {
  for (int bit = width / 2; bit > 0; bit /= 2) {
    value += __shfl_xor_sync(all_lanes, value, bit, width);
  }
  return value;
}

// Every lane gets the sum of the group's lanes up to itself: an inclusive scan. After the step of
// `distance` a lane has the sum of the last 2 * distance lanes. A lane with no lane that far below
// it gets its own value back, and must not add it: it adds 0 times the value, the others once. A
// multiply-add is one instruction; a select and an add are two.
template <int width>
__device__ unsigned inclusive_scan(unsigned value) {
  for (int distance = 1; distance < width; distance *= 2) {
    const unsigned from_below = __shfl_up_sync(all_lanes, value, distance, width);
    const unsigned times = (lane() % width + width - distance) / width;  // 1 from `distance` on
    value += times * from_below;
  }
  return value;
}

// One of these for a whole array, one element per lane. Lanes beyond the end take part in the
// shuffle as all others do, with a 0.
template <unsigned (*how)(unsigned)>
__global__ void exchange(const unsigned* x, size_t n, unsigned* y) {
  const size_t i = static_cast<size_t>(blockIdx.x) * block + threadIdx.x;
  const unsigned value = how(i < n ? x[i] : 0);
  if (i < n) y[i] = value;
}

// Four elements per lane, two of which are exchanged: the even lane of a pair gives its last two
// for the odd lane's first two. So of the four pairs of elements that two lanes hold, the inner
// ones swap. Everything stays in registers, since no index depends on the lane, only a choice does.
__device__ inline uint4 swap_elements(uint4 v) {
  const bool odd = lane() % 2 == 1;
  const unsigned give[2] = {odd ? v.x : v.z, odd ? v.y : v.w};
  const unsigned got[2] = {__shfl_xor_sync(all_lanes, give[0], 1),
                           __shfl_xor_sync(all_lanes, give[1], 1)};
  return odd ? uint4{got[0], got[1], v.z, v.w} : uint4{v.x, v.y, got[0], got[1]};
}

// n / 8 pairs of lanes; the remaining elements stay where they are.
__global__ void swap_in_pairs(const unsigned* x, size_t n, unsigned* y) {
  const size_t i = static_cast<size_t>(blockIdx.x) * block + threadIdx.x;
  const bool whole = i / 2 * 8 + 8 <= n;  // the same for both lanes of a pair
  uint4 v{};
  if (whole) v = reinterpret_cast<const uint4*>(x)[i];
  v = swap_elements(v);
  if (whole) reinterpret_cast<uint4*>(y)[i] = v;
  if (whole) return;
  for (size_t k = 4 * i; k < 4 * i + 4 && k < n; ++k) y[k] = x[k];
}

// A rotation only among the lanes that have an element. The ballot, in which all lanes
// take part, shows which these are. Then the others may return: the mask does not name
// them.
__global__ void rotate_who_is_there(const unsigned* x, size_t n, unsigned* y) {
  const size_t i = static_cast<size_t>(blockIdx.x) * block + threadIdx.x;
  const unsigned present = __ballot_sync(all_lanes, i < n);
  if (i >= n) return;
  const int count = __popc(present);  // lanes 0 to count - 1
  y[i] = __shfl_sync(present, x[i], (lane() + 1) % count);
}
