// Chapter 24, fifth lesson: each float brings a weight, and a bin's result is the sum of its
// weights.
#pragma once

#include "floats.hpp"

// Calls add(bin, weight) for all floats of this thread that are in a bin.
template <class Add>
__device__ void for_each_weight(const float* x, const float* weights, size_t n, const Bins& bins,
                                Add add) {
  const float scale = scale_of(bins);
  const auto one = [&](float value, float weight) {
    const unsigned bin = bin_of(bins, scale, value);
    if (bin != no_bin) add(bin, weight);
  };
  const auto four = [&](const float4& v, const float4& w) {
    one(v.x, w.x), one(v.y, w.y), one(v.z, w.z), one(v.w, w.w);
  };
  const auto* const x4 = reinterpret_cast<const float4*>(x);
  const auto* const w4 = reinterpret_cast<const float4*>(weights);
  const size_t stride = static_cast<size_t>(gridDim.x) * blockDim.x;
  size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  const size_t left_over = n / 4 * 4 + i;
  if (left_over < n) one(x[left_over], weights[left_over]);
  for (; i + stride < n / 4; i += 2 * stride) {
    const float4 a = x4[i], b = x4[i + stride], v = w4[i], w = w4[i + stride];
    four(a, v), four(b, w);
  }
  for (; i < n / 4; i += stride) {
    const float4 v = x4[i], w = w4[i];
    four(v, w);
  }
}

// Sums of floats. Shared memory cannot add floats by itself: an atomicAdd() is a loop of loads and
// compare-and-swaps, and lanes that need the same word take turns.
__global__ void __launch_bounds__(wide_block)
    weights_as_floats(const float* x, const float* weights, size_t n, const Bins bins,
                      float* sums) {
  extern __shared__ float float_sums[];
  float* const mine = float_sums;
  for (unsigned bin = threadIdx.x; bin < bins.count; bin += wide_block) mine[bin] = 0.0F;
  __syncthreads();
  for_each_weight(x, weights, n, bins,
                  [=](unsigned bin, float weight) { atomicAdd(&mine[bin], weight); });
  __syncthreads();
  for (unsigned bin = threadIdx.x; bin < bins.count; bin += wide_block) {
    if (mine[bin] != 0.0F) atomicAdd(&sums[bin], mine[bin]);
  }
}

// Sums of whole multiples of `unit`, in 32 bits: shared memory adds integers by itself, and the
// order does not matter to the result. It must fit: |sum| < 2^31 units in each block.
__global__ void __launch_bounds__(wide_block)
    weights_in_units(const float* x, const float* weights, size_t n, const Bins bins,
                     const float unit, long long* sums) {
  extern __shared__ unsigned unit_sums[];
  unsigned* const mine = unit_sums;
  clear(mine, bins.count);
  for_each_weight(x, weights, n, bins, [=](unsigned bin, float weight) {
    atomicAdd(&mine[bin], static_cast<unsigned>(__float2int_rn(weight / unit)));
  });
  __syncthreads();
  for (unsigned bin = threadIdx.x; bin < bins.count; bin += wide_block) {
    const long long sum = static_cast<int>(mine[bin]);
    auto* const total = reinterpret_cast<unsigned long long*>(&sums[bin]);
    if (sum != 0) atomicAdd(total, static_cast<unsigned long long>(sum));
  }
}
