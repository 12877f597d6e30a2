// Chapter 13, fifth lesson: what each of these primitives costs, in clocks of the multiprocessor.
#pragma once

#include "append.hpp"

// For comparison: a multiplication and an addition; counting bits.
__device__ inline unsigned multiply_add(unsigned value) {
  return value * value + 1;
}

__device__ inline unsigned count_bits(unsigned value) {
  return __popc(value);
}

__device__ inline unsigned from_lane(unsigned value) {
  return __shfl_sync(all_lanes, value, static_cast<int>(value));  // takes it modulo 32
}

__device__ inline unsigned from_below(unsigned value) {
  return __shfl_up_sync(all_lanes, value, 1);
}

__device__ inline unsigned from_above(unsigned value) {
  return __shfl_down_sync(all_lanes, value, 1);
}

__device__ inline unsigned from_partner(unsigned value) {
  return __shfl_xor_sync(all_lanes, value, 1);
}

__device__ inline unsigned sync_warp(unsigned value) {
  __syncwarp();
  return value;
}

__device__ inline unsigned ballot(unsigned value) {
  return __ballot_sync(all_lanes, value & 1);
}

__device__ inline unsigned any(unsigned value) {
  return __any_sync(all_lanes, value & 1) != 0 ? value : value + 1;
}
// After the first step all lanes have the same value, and keep it. (peers() itself begins with 32
// different values, and keeps 32.)
__device__ inline unsigned peers_of_one_value(unsigned value) {
  return __match_any_sync(all_lanes, value >> 31);
}

// A word of shared memory for each thread of the largest block.
__device__ inline unsigned* my_word() {
  __shared__ unsigned words[1024];
  return words + threadIdx.x;
}

// Xor through shared memory: store, wait, load, and wait before the next store.
__device__ inline unsigned partner_in_shared(unsigned value) {
  unsigned* const mine = my_word();
  *mine = value;
  __syncwarp();
  value = *(mine - lane() + (lane() ^ 1));
  __syncwarp();
  return value;
}

// The sum of the warp through shared memory: five steps like that one.
__device__ inline unsigned sum_in_shared(unsigned value) {
  unsigned* const mine = my_word();
#pragma unroll
  for (int bit = 16; bit > 0; bit /= 2) {
    *mine = value;
    __syncwarp();
    value += *(mine - lane() + (lane() ^ bit));
    __syncwarp();
  }
  return value;
}

// All lanes of a warp add to one word of shared memory, one after the other.
__device__ inline unsigned atomics_in_shared(unsigned value) {
  return atomicAdd(my_word() - lane(), value);
}

// `steps` times the same in a row, each with the previous result. The block's first thread records
// the block's time.
template <unsigned (*primitive)(unsigned), int unrolled>
__global__ void __launch_bounds__(1024) clocks_of(int steps, unsigned* results, long long* took) {
  unsigned value = threadIdx.x;
  *my_word() = 0;
  __syncthreads();
  const long long start = clock64();
#pragma unroll(unrolled)
  for (int k = 0; k < steps; ++k) value = primitive(value);
  __syncthreads();
  if (threadIdx.x == 0) took[blockIdx.x] = clock64() - start;
  results[static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x] = value;
}

struct Clocks {
  double latency;  // of one after the other, in a warp that is alone
  double each;     // how often a fully occupied multiprocessor can begin one
};

// One warp alone; then 32 warps on each multiprocessor, in one block each, so that the load is
// equal everywhere. Twice, since the first run loads the instructions.
template <unsigned (*primitive)(unsigned), int unrolled = 16>
Clocks measure_clocks() {
  constexpr int steps = 1024;
  const int multiprocessors = course::device().multiprocessors;
  course::DeviceArray<unsigned> results(1024 * static_cast<size_t>(multiprocessors));
  course::DeviceArray<long long> took(multiprocessors);
  const auto run = [&](int blocks, int threads) {
    for (int time = 0; time < 2; ++time) {
      clocks_of<primitive, unrolled><<<blocks, threads>>>(steps, results, took);
      CUDA_CHECK_LAUNCH();
    }
    std::vector<long long> clocks = took.to_host();
    clocks.resize(blocks);
    std::nth_element(clocks.begin(), clocks.begin() + blocks / 2, clocks.end());
    return static_cast<double>(clocks[blocks / 2]) / steps;
  };
  return {run(1, 32), run(multiprocessors, 1024) / 32};
}

struct ClocksRow {
  const char* name;
  Clocks (*measure)();
};
const std::vector<ClocksRow> clocks_rows = {
    {"multiply-add", measure_clocks<multiply_add>},
    {"__popc", measure_clocks<count_bits>},
    {"__syncwarp", measure_clocks<sync_warp>},
    {"__shfl_sync", measure_clocks<from_lane>},
    {"__shfl_up_sync", measure_clocks<from_below>},
    {"__shfl_down_sync", measure_clocks<from_above>},
    {"__shfl_xor_sync", measure_clocks<from_partner>},
    {"the same, in shared memory", measure_clocks<partner_in_shared>},
    {"__any_sync", measure_clocks<any>},
    {"__ballot_sync", measure_clocks<ballot>},
    {"__match_any_sync, 1 value", measure_clocks<peers_of_one_value, 4>},
    {"__match_any_sync, 32 values", measure_clocks<peers, 4>},
    {"the same, 32 ballots", measure_clocks<peers_by_ballots, 1>},
    {"__match_all_sync", measure_clocks<match_all>},
    {"__reduce_add_sync", measure_clocks<warp_sum>},
    {"__reduce_min_sync", measure_clocks<smallest>},
    {"__reduce_or_sync", measure_clocks<all_bits>},
    {"sum, 5 shuffles", measure_clocks<butterfly<32>, 4>},
    {"sum, in shared memory", measure_clocks<sum_in_shared, 4>},
    {"scan, 5 shuffles", measure_clocks<inclusive_scan<32>, 4>},
    {"32 atomicAdd, shared memory", measure_clocks<atomics_in_shared>},
};
