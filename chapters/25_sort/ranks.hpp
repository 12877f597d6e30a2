// Chapter 25: ranks. Where does a key belong among the keys of its tile, if only one digit counts
// and equal digits keep their order?
#pragma once

#include "network.hpp"

// Lanes below this one, as a mask.
__device__ inline unsigned lanes_below() {
  return (1U << lane()) - 1;
}

// The lanes with the same digit as this one, as a mask.
struct ByMatch {
  static __device__ unsigned peers(unsigned digit) { return __match_any_sync(all_lanes, digit); }
};

// The same by a ballot for each bit: peers agree every time.
struct ByBallots {
  static __device__ unsigned peers(unsigned digit) {
    unsigned peers = all_lanes;
#pragma unroll
    for (int bit = 0; bit < digit_bits; ++bit) {
      const bool set = (digit >> bit & 1) != 0;
      const unsigned who = __ballot_sync(all_lanes, set);
      peers &= set ? who : ~who;
    }
    return peers;
  }
};

// The same in the machine's words. A predicate per bit steers both the ballot and the complement.
// Of the C++ above nvcc tests each bit twice: seven instructions per bit instead of three.
struct ByPredicates {
  static __device__ unsigned peers(unsigned digit) {
    unsigned peers = all_lanes;
#pragma unroll
    for (int bit = 0; bit < digit_bits; ++bit) {
      unsigned who;
      asm volatile(
          "{\n"
          ".reg .pred set;\n"
          "setp.ne.u32 set, %1, 0;\n"
          "vote.sync.ballot.b32 %0, set, 0xffffffff;\n"
          "@!set not.b32 %0, %0;\n"
          "}"
          : "=r"(who)
          : "r"(digit & (1U << bit)));
      peers &= who;
    }
    return peers;
  }
};

// Ranks of a warp's keys among those of the warp with the same digit. Lane l has the keys l, 32 +
// l, 64 + l, ... of the warp's. counts[d] is the number of keys with digit d so far; at the end, of
// all. The highest lane among peers raises it, and the barriers order it with the others' reads.
template <class Way, int items, class Bits>
__device__ void rank_in_warp(const Bits (&bits)[items], Digit digit, unsigned* counts,
                             unsigned (&rank)[items]) {
  for (int d = lane(); d < digits; d += 32) counts[d] = 0;
  __syncwarp();
#pragma unroll
  for (int i = 0; i < items; ++i) {
    const unsigned d = digit(bits[i]);
    const unsigned peers = Way::peers(d);
    rank[i] = counts[d] + __popc(peers & lanes_below());
    __syncwarp();
    if (peers >> lane() == 1) counts[d] = rank[i] + 1;
    __syncwarp();
  }
}

// The sum of the values of the threads before this one, of the first 256 threads of a block; others
// bring 0 and get something else. All threads of the block take part.
__device__ inline unsigned scan_digits(unsigned* of_warps, unsigned value) {
  unsigned sum = value;
#pragma unroll
  for (int distance = 1; distance < 32; distance *= 2) {
    const unsigned below = __shfl_up_sync(all_lanes, sum, distance);
    if (lane() >= distance) sum += below;
  }
  if (lane() == 31) of_warps[warp()] = sum;
  __syncthreads();
  unsigned before = 0;
#pragma unroll
  for (int w = 0; w < digits / 32; ++w) before += w < warp() ? of_warps[w] : 0;
  return before + sum - value;
}
