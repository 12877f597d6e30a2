// Chapter 13, fifth lesson: what each of these costs, in clocks of the multiprocessor.
#pragma once

#include "append.hpp"

// Things to compare with. A multiplication and an addition; counting bits.
struct MultiplyAdd {
  static __device__ unsigned of(unsigned value) { return value * value + 1; }
};
struct CountBits {
  static __device__ unsigned of(unsigned value) { return __popc(value); }
};

struct FromLane {
  static __device__ unsigned of(unsigned value) {
    return __shfl_sync(all_lanes, value, static_cast<int>(value));  // takes it modulo 32
  }
};
struct Up {
  static __device__ unsigned of(unsigned value) { return __shfl_up_sync(all_lanes, value, 1); }
};
struct Down {
  static __device__ unsigned of(unsigned value) { return __shfl_down_sync(all_lanes, value, 1); }
};
struct Xor {
  static __device__ unsigned of(unsigned value) { return __shfl_xor_sync(all_lanes, value, 1); }
};

struct SyncWarp {
  static __device__ unsigned of(unsigned value) {
    __syncwarp();
    return value;
  }
};
struct Ballot {
  static __device__ unsigned of(unsigned value) { return __ballot_sync(all_lanes, value & 1); }
};
struct Any {
  static __device__ unsigned of(unsigned value) {
    return __any_sync(all_lanes, value & 1) != 0 ? value : value + 1;
  }
};
// After the first step all lanes have the same value, and it stays so. (A plain Peers begins with
// 32 values, and keeps 32.)
struct PeersOfOneValue {
  static __device__ unsigned of(unsigned value) { return __match_any_sync(all_lanes, value >> 31); }
};

// A word of shared memory for each thread of the largest block.
__device__ inline unsigned* my_word() {
  __shared__ unsigned words[1024];
  return words + threadIdx.x;
}

// Xor by way of shared memory: store, wait, load, and wait before the next one stores.
struct XorInShared {
  static __device__ unsigned of(unsigned value) {
    unsigned* const mine = my_word();
    *mine = value;
    __syncwarp();
    value = *(mine - lane() + (lane() ^ 1));
    __syncwarp();
    return value;
  }
};

// The sum of the warp in shared memory: five steps like that one.
struct SumInShared {
  static __device__ unsigned of(unsigned value) {
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
};

// All lanes of a warp add to one word of shared memory, one after the other.
struct AtomicInShared {
  static __device__ unsigned of(unsigned value) { return atomicAdd(my_word() - lane(), value); }
};

// `steps` times the same in a row, each with the result of the one before. The block's first thread
// notes how long it took the block.
template <class Primitive, int unrolled>
__global__ void __launch_bounds__(1024) clocks_of(int steps, unsigned* results, long long* took) {
  unsigned value = threadIdx.x;
  *my_word() = 0;
  __syncthreads();
  const long long start = clock64();
#pragma unroll(unrolled)
  for (int k = 0; k < steps; ++k) value = Primitive::of(value);
  __syncthreads();
  if (threadIdx.x == 0) took[blockIdx.x] = clock64() - start;
  results[static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x] = value;
}

struct Clocks {
  double latency;  // of one after the other, in a warp that is alone
  double each;     // how often a multiprocessor full of warps can begin one
};

// One warp alone; then 32 warps on each multiprocessor, in one block each, so that nothing is to be
// shared out. Twice, since the first time brings the instructions.
template <class Primitive, int unrolled = 16>
Clocks measure_clocks() {
  constexpr int steps = 1024;
  const int multiprocessors = course::device().multiprocessors;
  course::DeviceArray<unsigned> results(1024 * static_cast<size_t>(multiprocessors));
  course::DeviceArray<long long> took(multiprocessors);
  const auto run = [&](int blocks, int threads) {
    for (int time = 0; time < 2; ++time) {
      clocks_of<Primitive, unrolled><<<blocks, threads>>>(steps, results, took);
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
    {"multiply-add", measure_clocks<MultiplyAdd>},
    {"__popc", measure_clocks<CountBits>},
    {"__syncwarp", measure_clocks<SyncWarp>},
    {"__shfl_sync", measure_clocks<FromLane>},
    {"__shfl_up_sync", measure_clocks<Up>},
    {"__shfl_down_sync", measure_clocks<Down>},
    {"__shfl_xor_sync", measure_clocks<Xor>},
    {"the same, in shared memory", measure_clocks<XorInShared>},
    {"__any_sync", measure_clocks<Any>},
    {"__ballot_sync", measure_clocks<Ballot>},
    {"__match_any_sync, 1 value", measure_clocks<PeersOfOneValue, 4>},
    {"__match_any_sync, 32 values", measure_clocks<Peers, 4>},
    {"the same, 32 ballots", measure_clocks<PeersByBallots, 1>},
    {"__match_all_sync", measure_clocks<MatchAll>},
    {"__reduce_add_sync", measure_clocks<Sum>},
    {"__reduce_min_sync", measure_clocks<Smallest>},
    {"__reduce_or_sync", measure_clocks<Bits>},
    {"sum, 5 shuffles", measure_clocks<Butterfly<32>, 4>},
    {"sum, in shared memory", measure_clocks<SumInShared, 4>},
    {"scan, 5 shuffles", measure_clocks<Scan<32>, 4>},
    {"32 atomicAdd, shared memory", measure_clocks<AtomicInShared>},
};
