/// @file
/// Chapter 27: what has to be known of a row before its first element can be written, as values
/// that can be merged: of two parts of a row, the statistics of both together.
#pragma once

#include "numbers.hpp"

namespace rows {

/// The maximum, and the sum of e^(x - max). A NaN or +infinity makes the sum a NaN.
template <class Exp>
struct MaxAndSum {
  float max = -INFINITY, sum = 0;

  static __device__ MaxAndSum merged(const MaxAndSum& a, const MaxAndSum& b) {
    const float max = fmaxf(a.max, b.max);
    return {max, a.sum * Exp::ratio(a.max, max) + b.sum * Exp::ratio(b.max, max)};
  }
  /// Of all lanes of a warp: one exponential each.
  static __device__ MaxAndSum of_warp(const MaxAndSum& lane) {
    const float max = warp_max(lane.max);
    return {max, warp_sum(lane.sum * Exp::ratio(lane.max, max))};
  }
};

/// The mean, and the sum of (x - mean)^2, of `count` elements. (__fdividef: the exact division has
/// a slow path, a call, for which all registers would be saved.)
struct Moments {
  float count = 0, mean = 0, squares = 0;

  static __device__ Moments merged(const Moments& a, const Moments& b) {
    const float count = a.count + b.count;
    if (count == 0) return {};
    const float distance = b.mean - a.mean, share = __fdividef(b.count, count);
    return {count, fmaf(distance, share, a.mean),
            a.squares + b.squares + distance * distance * a.count * share};
  }
  static __device__ Moments of_warp(const Moments& lane) {
    const float count = warp_sum(lane.count);
    if (count == 0) return {};
    const float mean = __fdividef(warp_sum(lane.count * lane.mean), count);
    const float distance = lane.mean - mean;
    return {count, mean, warp_sum(lane.squares + lane.count * distance * distance)};
  }
};

/// One sum, or several.
template <int count>
struct Sums {
  float sum[count] = {};

  static __device__ Sums merged(const Sums& a, const Sums& b) {
    Sums both;
#pragma unroll
    for (int k = 0; k < count; ++k) both.sum[k] = a.sum[k] + b.sum[k];
    return both;
  }
  static __device__ Sums of_warp(const Sums& lane) {
    Sums all;
#pragma unroll
    for (int k = 0; k < count; ++k) all.sum[k] = warp_sum(lane.sum[k]);
    return all;
  }
};

/// Room for the statistics of all warps that work on a row, up to 32 of each of up to 8 blocks, and
/// of several rows.
template <class Statistics, int rows>
struct Exchange {
  Statistics of_warps[rows][8 * 32];
};

/// The statistics of `count` warps together, for each lane of the warp that asks.
template <class Statistics>
__device__ Statistics of_warps_together(const Statistics* of_warps, int count) {
  Statistics lane;
#pragma unroll 1
  for (int k = static_cast<int>(threadIdx.x % 32); k < count; k += 32) {
    lane = Statistics::merged(lane, of_warps[k]);
  }
  return Statistics::of_warp(lane);
}

}  // namespace rows
