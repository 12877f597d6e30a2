// Chapter 12, second lesson: many sweeps in one kernel. One sweep is as slow as a copy, whose limit
// is memory. Sixteen of them, one after the other in registers, read and write once.
#pragma once

#include "one_sweep.hpp"

constexpr int most_sweeps = 16;
constexpr int points_a_lane = 48;
constexpr int points_a_warp = 32 * points_a_lane;
// With every sweep a warp's four outermost points on either side become unknown, since they depend
// on another warp's points. So warps overlap by that much.
constexpr int lost = radius * most_sweeps;
constexpr int kept = points_a_warp - 2 * lost;

// One sweep over a warp's points; each lane has a contiguous piece. A neighbouring lane needs only
// the four points at either end of a piece: eight shuffles for 48 points.
__device__ void sweep(float (&x)[points_a_lane]) {
  float old[radius];  // the old values of the four points before, which are overwritten by now
  float behind[radius];
#pragma unroll
  for (int k = 0; k < radius; ++k) {
    old[k] = __shfl_up_sync(all_lanes, x[points_a_lane - radius + k], 1);
    behind[k] = __shfl_down_sync(all_lanes, x[k], 1);
  }
#pragma unroll
  for (int k = 0; k < points_a_lane; ++k) {
    const auto next = [&](int j) { return j < points_a_lane ? x[j] : behind[j - points_a_lane]; };
    const float nine[9] = {old[0],      old[1],      old[2],      old[3],     x[k],
                           next(k + 1), next(k + 2), next(k + 3), next(k + 4)};
    old[0] = old[1];  // all of these are registers, and moving them is free: the loop is unrolled,
    old[1] = old[2];  // and so the compiler only renames
    old[2] = old[3];
    old[3] = x[k];
    x[k] = new_value(weights, nine);
  }
}

constexpr int warps_a_block = 2;

// `sweeps` of them, 16 at most. No shared memory, and no barrier: a warp needs no other warp.
__global__ void __launch_bounds__(32 * warps_a_block, 10)
    many_sweeps(const float* x, float* y, size_t n, int sweeps) {
  const int lane = threadIdx.x % 32;
  const size_t warp = static_cast<size_t>(blockIdx.x) * warps_a_block + threadIdx.x / 32;
  if (warp * kept >= n) return;  // all 32 lanes alike
  // The first point of this lane. Before the array's beginning it is a very large number.
  const size_t first = warp * kept + lane * points_a_lane - lost;
  const bool at_an_end = warp == 0 || warp * kept - lost + points_a_warp > n;

  float mine[points_a_lane];
#pragma unroll
  for (int k = 0; k < points_a_lane; k += 4) {
    const float4 v = four_at(x, n, first / 4 + k / 4);
    mine[k] = v.x, mine[k + 1] = v.y, mine[k + 2] = v.z, mine[k + 3] = v.w;
  }
#pragma unroll 2
  for (int s = 0; s < sweeps; ++s) {
    sweep(mine);
    if (at_an_end) {  // beyond the ends everything stays 0
#pragma unroll
      for (int k = 0; k < points_a_lane; ++k) {
        if (first + k >= n) mine[k] = 0.0F;
      }
    }
  }
#pragma unroll
  for (int k = 0; k < points_a_lane; k += 4) {
    const int place = lane * points_a_lane + k;
    if (place < lost || place >= points_a_warp - lost) continue;
    put_four(y, n, first / 4 + k / 4, make_float4(mine[k], mine[k + 1], mine[k + 2], mine[k + 3]));
  }
}
