// Chapter 24, third lesson: floats, and any number of bins. Copies as long as shared memory has
// room for them; then two blocks, for one half of the bins each.
#pragma once

#include "bytes.hpp"

// `count` bins of equal width from `low` to `high`. A value outside, or NaN, is in none.
struct Bins {
  float low, high;
  unsigned count;
};

constexpr unsigned no_bin = ~0U;

// The bin of a value, or no_bin. The quotient may round up to `count` just below `high`.
__device__ __host__ inline unsigned bin_of(const Bins& bins, float scale, float value) {
  if (!(value >= bins.low && value < bins.high)) return no_bin;
  const auto bin = static_cast<unsigned>((value - bins.low) * scale);
  return bin < bins.count ? bin : bins.count - 1;
}
__device__ __host__ inline float scale_of(const Bins& bins) {
  return static_cast<float>(bins.count) / (bins.high - bins.low);
}

// Which of how many blocks this one is, of those that share the array.
struct Share {
  unsigned block, blocks;
};

// Calls count(bins) with the bins of four floats, for all floats of this thread: 16 bytes per load,
// with four loads in flight. x is aligned to 16 bytes.
template <class Count>
__device__ void for_each_four(const float* x, size_t n, const Bins& bins, Share share,
                              Count count) {
  const float scale = scale_of(bins);
  const auto four = [&](const float4& v) {
    unsigned of[4] = {bin_of(bins, scale, v.x), bin_of(bins, scale, v.y), bin_of(bins, scale, v.z),
                      bin_of(bins, scale, v.w)};
    count(of);
  };
  const auto* const x4 = reinterpret_cast<const float4*>(x);
  const size_t stride = static_cast<size_t>(share.blocks) * blockDim.x;
  size_t i = static_cast<size_t>(share.block) * blockDim.x + threadIdx.x;
  const size_t left_over = n / 4 * 4 + i;  // the first three threads may have one more
  if (left_over < n) {
    unsigned of[4] = {bin_of(bins, scale, x[left_over]), no_bin, no_bin, no_bin};
    count(of);
  }
  for (; i + 3 * stride < n / 4; i += 4 * stride) {
    const float4 a = x4[i], b = x4[i + stride], c = x4[i + 2 * stride], d = x4[i + 3 * stride];
    four(a), four(b), four(c), four(d);
  }
  for (; i < n / 4; i += stride) {
    const float4 v = x4[i];
    four(v);
  }
}

// Calls count(bin) for all floats of this thread that are in a bin.
template <class Count>
__device__ void for_each_bin(const float* x, size_t n, const Bins& bins, Share share, Count count) {
  for_each_four(x, n, bins, share, [&](unsigned(&of)[4]) {
#pragma unroll
    for (const unsigned bin : of) {
      if (bin != no_bin) count(bin);
    }
  });
}

__global__ void __launch_bounds__(wide_block)
    floats_in_global(const float* x, size_t n, const Bins bins, unsigned* counts) {
  for_each_bin(x, n, bins, Share{blockIdx.x, gridDim.x},
               [=](unsigned bin) { atomicAdd(&counts[bin], 1U); });
}

// `copies` counters of each bin, side by side.
template <int copies>
__global__ void __launch_bounds__(wide_block)
    floats_in_copies(const float* x, size_t n, const Bins bins, unsigned* counts) {
  extern __shared__ unsigned float_counters[];
  unsigned* const counters = float_counters;
  clear(counters, bins.count * copies);
  unsigned* const mine = counters + threadIdx.x % copies;
  for_each_bin(x, n, bins, Share{blockIdx.x, gridDim.x},
               [=](unsigned bin) { atomicAdd(&mine[bin * copies], 1U); });
  add_copies<copies>(counters, bins.count, counts);
}

// The block adds its counters to the result: those of `share` bins from `first`.
__device__ inline void add_share(const unsigned* counters, unsigned first, unsigned share,
                                 unsigned bins, unsigned* counts) {
  for (unsigned k = threadIdx.x; k < share && first + k < bins; k += wide_block) {
    if (counters[k] != 0) atomicAdd(&counts[first + k], counters[k]);
  }
}

// A block of each pair counts one half of the bins, and both read the same floats: twice the
// reading, but the second reading is from level 2.
__global__ void __launch_bounds__(wide_block)
    floats_in_halves(const float* x, size_t n, const Bins bins, unsigned* counts) {
  extern __shared__ unsigned half_of_counters[];
  unsigned* const counters = half_of_counters;
  const unsigned share = (bins.count + 1) / 2;
  const unsigned first = blockIdx.x % 2 * share;
  clear(counters, share);
  for_each_bin(x, n, bins, Share{blockIdx.x / 2, gridDim.x / 2}, [=](unsigned bin) {
    if (bin - first < share) atomicAdd(&counters[bin - first], 1U);
  });
  __syncthreads();
  add_share(counters, first, share, bins.count, counts);
}
