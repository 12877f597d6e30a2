// Chapter 24, fourth lesson: counters of 16 bits, two in a word, for twice as many bins in the same
// memory. They may overflow, and the result is right all the same.
#pragma once

#include "floats.hpp"

// The bins of a packed histogram, and the result.
struct Packed {
  unsigned* words;  // in shared memory
  unsigned bins;
  unsigned* counts;
};

// An even bin's counter is the lower half of a word, the next bin's the upper half.
__device__ inline unsigned shift_of(unsigned bin) {
  return bin % 2 * 16;
}
__device__ inline unsigned half_of(unsigned word, unsigned bin) {
  return word >> shift_of(bin) & 0xFFFFU;
}

// A word is one number, lower + 65,536 upper, and an addition may carry out of either half:
// out of the lower half, then the even bin gains 65,536, and the odd bin was given 1 too many;
// out of the word, then the odd bin gains 65,536.
// Both go to the result at once. An atomic returns the word from before, so exactly one thread sees
// each carry, in whatever order the threads add.
__device__ inline void settle(const Packed& packed, unsigned bin, unsigned amount,
                              unsigned before) {
  if (half_of(before, bin) + amount <= 0xFFFFU) return;  // nearly always
  const unsigned after = before + (amount << shift_of(bin));
  const unsigned odd = bin | 1U;
  if (bin != odd) {
    atomicAdd(&packed.counts[bin], 0x10000U);
    if (odd < packed.bins) atomicSub(&packed.counts[odd], 1U);
  }
  if (after < before && odd < packed.bins) atomicAdd(&packed.counts[odd], 0x10000U);
}

// The value that most lanes of the warp have, if it is more than three: else no_bin. Random bins
// hardly ever meet so often.
__device__ inline unsigned most_frequent(unsigned value) {
  unsigned best = __popc(__match_any_sync(all_lanes, value)) * 32 + threadIdx.x % 32;
  for (int bit = 16; bit > 0; bit /= 2) best = max(best, __shfl_xor_sync(all_lanes, best, bit));
  value = __shfl_sync(all_lanes, value, static_cast<int>(best % 32));
  return best / 32 > 3 ? value : no_bin;
}

// The sum over the warp, in all lanes.
__device__ inline unsigned warp_sum(unsigned value) {
  for (int bit = 16; bit > 0; bit /= 2) value += __shfl_xor_sync(all_lanes, value, bit);
  return value;
}

// Four atomics are in flight before the first old value is looked at. If the input is skewed, a
// thread counts one bin in a register, and adds four equal bins at once. Returns the register.
template <bool skewed>
__device__ unsigned count_packed(const float* x, size_t n, const Bins& bins, const Packed& packed,
                                 unsigned hot) {
  unsigned of_hot = 0;
  for_each_four(x, n, bins, Share{blockIdx.x, gridDim.x}, [&](unsigned(&of)[4]) {
    unsigned amount = 1;
    if constexpr (skewed) {
#pragma unroll
      for (unsigned& bin : of) {
        of_hot += bin == hot ? 1 : 0;
        if (bin == hot) bin = no_bin;
      }
      if (of[0] == of[1] && of[1] == of[2] && of[2] == of[3]) {
        amount = 4;
        of[1] = of[2] = of[3] = no_bin;
      }
    }
    unsigned before[4] = {};
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      if (of[k] != no_bin) {
        before[k] = atomicAdd(&packed.words[of[k] / 2], amount << shift_of(of[k]));
      }
    }
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      if (of[k] != no_bin) settle(packed, of[k], amount, before[k]);
    }
  });
  return of_hot;
}

// Each warp looks at 32 floats first: is one bin frequent among them?
__global__ void __launch_bounds__(wide_block)
    floats_packed(const float* x, size_t n, const Bins bins, unsigned* counts) {
  extern __shared__ unsigned packed_words[];
  const Packed packed{packed_words, bins.count, counts};
  clear(packed.words, (bins.count + 1) / 2);
  const size_t sample = (static_cast<size_t>(blockIdx.x) * wide_block + threadIdx.x) * 4;
  const unsigned hot = most_frequent(sample < n ? bin_of(bins, scale_of(bins), x[sample]) : no_bin);
  if (hot == no_bin) {
    count_packed<false>(x, n, bins, packed, hot);
  } else {
    const unsigned of_hot = warp_sum(count_packed<true>(x, n, bins, packed, hot));
    if (threadIdx.x % 32 == 0 && of_hot != 0) atomicAdd(&counts[hot], of_hot);
  }
  __syncthreads();
  for (unsigned bin = threadIdx.x; bin < bins.count; bin += wide_block) {
    const unsigned count = half_of(packed.words[bin / 2], bin);
    if (count != 0) atomicAdd(&counts[bin], count);
  }
}
