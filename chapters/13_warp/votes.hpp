// Chapter 13, second lesson: votes and other collective operations. Each takes one value from every
// lane, and tells every lane something about all 32.
#pragma once

#include "lanes.hpp"

// Lanes below this one, as a mask.
__device__ inline unsigned lanes_below() {
  return (1U << lane()) - 1;
}

// How many lanes below this one have an odd value: a rank among the odd ones. The ballot makes each
// lane's predicate one bit of a mask.
__device__ inline unsigned rank_among_odd(unsigned value) {
  const unsigned odd = __ballot_sync(all_lanes, value % 2 == 1);
  return __popc(odd & lanes_below());
}

// Two questions with one answer for all: is there an odd value (1), is every value odd (2)?
__device__ inline unsigned any_and_all(unsigned value) {
  const bool any = __any_sync(all_lanes, value % 2 == 1);
  const bool all = __all_sync(all_lanes, value % 2 == 1);
  return (any ? 1U : 0U) + (all ? 2U : 0U);
}

// The lanes that have the same value as this one, as a mask. This lane is one of them.
__device__ inline unsigned peers(unsigned value) {
  return __match_any_sync(all_lanes, value);
}

// The same by hand. For each bit a ballot gives the lanes that have it set; peers agree every time.
__device__ inline unsigned peers_by_ballots(unsigned value) {
  unsigned peers = all_lanes;
#pragma unroll
  for (int bit = 0; bit < 32; ++bit) {
    const bool set = (value >> bit & 1) == 1;
    const unsigned who = __ballot_sync(all_lanes, set);
    peers &= set ? who : ~who;
  }
  return peers;
}

// All lanes if all have the same value, else no lane.
__device__ inline unsigned match_all(unsigned value) {
  int equal = 0;
  return __match_all_sync(all_lanes, value, &equal);
}

// The sum, the smallest and the bits of all, each in one call. For integers only, and from compute
// capability 8.0 on: older GPUs have to shuffle.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
__device__ inline unsigned warp_sum(unsigned value) {
  return butterfly<32>(value);
}

__device__ inline unsigned smallest(unsigned value) {
  for (int bit = 16; bit > 0; bit /= 2) {
    value = min(value, __shfl_xor_sync(all_lanes, value, bit));
  }
  return value;
}

__device__ inline unsigned all_bits(unsigned value) {
  for (int bit = 16; bit > 0; bit /= 2) value |= __shfl_xor_sync(all_lanes, value, bit);
  return value;
}
#else
__device__ inline unsigned warp_sum(unsigned value) {
  return __reduce_add_sync(all_lanes, value);
}

__device__ inline unsigned smallest(unsigned value) {
  return __reduce_min_sync(all_lanes, value);
}

__device__ inline unsigned all_bits(unsigned value) {
  return __reduce_or_sync(all_lanes, value);
}
#endif

// The number of lanes with this lane's value, counted by one of them: a mask may name any group,
// and in one call each group may pass its own. In a histogram the group's first lane would then add
// this number.
__device__ inline unsigned group_size(unsigned value) {
  const unsigned peers = __match_any_sync(all_lanes, value);
  const bool first = (peers & lanes_below()) == 0;
  return first ? __popc(peers) : 0;
}
