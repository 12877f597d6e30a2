// Chapter 13, third lesson: a scan of a block's elements, and of chunks of an array.
#pragma once

#include "lanes.hpp"
#include "votes.hpp"

// Each of the next four gives a thread of a block of `threads` threads the sum of the values of
// the threads before it. Between two uses of the same words in shared memory the block needs a
// barrier.

// The textbook version, in shared memory. In each step a thread adds the value `distance` positions
// before it: log2(threads) steps, with two barriers each, since no thread may write a word that
// another has yet to read.
template <int threads>
__device__ unsigned in_shared(unsigned* sums, unsigned value) {
  const int t = threadIdx.x;
  unsigned sum = value;
  sums[t] = sum;
  __syncthreads();
  for (int distance = 1; distance < threads; distance *= 2) {
    if (t >= distance) sum += sums[t - distance];
    __syncthreads();
    sums[t] = sum;
    __syncthreads();
  }
  return sum - value;
}

// Each warp scans its own values by shuffles and stores its sum. After the only barrier each warp
// scans the sums of all warps itself: the work is redundant, and saves a second barrier.
template <int threads>
__device__ unsigned in_two_stages(unsigned* of_warps, unsigned value) {
  constexpr int warps = threads / 32;
  const int warp = static_cast<int>(threadIdx.x / 32);
  const unsigned sum = inclusive_scan<32>(value);
  if (lane() == 31) of_warps[warp] = sum;
  __syncthreads();
  const unsigned sums = inclusive_scan<warps>(of_warps[lane() % warps]);
  const unsigned warps_before = __shfl_sync(all_lanes, sums, warp - 1, warps);
  return sum - value + (warp == 0 ? 0 : warps_before);
}

// The same, but without a scan of the warps' sums. All lanes of a warp need one number, the sum of
// the warps before theirs, and one instruction adds it up. With two warps even that is unnecessary.
template <int threads>
__device__ unsigned by_instruction(unsigned* of_warps, unsigned value) {
  const int warp = static_cast<int>(threadIdx.x / 32);
  const unsigned sum = inclusive_scan<32>(value);
  if (lane() == 31) of_warps[warp] = sum;
  __syncthreads();
  if (threads <= 64) return sum - value + warp * of_warps[0];
  return sum - value + warp_sum(lane() < warp ? of_warps[lane()] : 0);
}

// One warp scans for all. Each of its lanes takes the values of threads / 32 neighbours in a row
// and adds them up on its own, so the whole block needs only five shuffles. One word of padding
// after every 32 puts the words that the lanes read at the same time into different banks.
__device__ inline int padded(int t) {
  return t + t / 32;
}
template <int threads>
__device__ unsigned by_one_warp(unsigned* values, unsigned value) {
  constexpr int each = threads / 32;
  const int t = threadIdx.x;
  values[padded(t)] = value;
  __syncthreads();
  if (t < 32) {
    unsigned mine[each];
    unsigned sum = 0;
#pragma unroll
    for (int k = 0; k < each; ++k) {
      mine[k] = values[padded(t * each + k)];
      sum += mine[k];
    }
    unsigned before = inclusive_scan<32>(sum) - sum;
#pragma unroll
    for (int k = 0; k < each; ++k) {
      values[padded(t * each + k)] = before;
      before += mine[k];
    }
  }
  __syncthreads();
  return values[padded(t)];
}

// The same as classes, for use as a kernel's parameter: each with its shared memory.
template <int threads>
struct InShared {
  struct Workspace {
    unsigned words[threads];
  };
  static __device__ unsigned before(Workspace& workspace, unsigned value) {
    return in_shared<threads>(workspace.words, value);
  }
};
template <int threads>
struct TwoStages {
  struct Workspace {
    unsigned words[threads / 32];
  };
  static __device__ unsigned before(Workspace& workspace, unsigned value) {
    return in_two_stages<threads>(workspace.words, value);
  }
};
template <int threads>
struct ByInstruction {
  struct Workspace {
    unsigned words[threads / 32];
  };
  static __device__ unsigned before(Workspace& workspace, unsigned value) {
    return by_instruction<threads>(workspace.words, value);
  }
};
template <int threads>
struct ByOneWarp {
  struct Workspace {
    unsigned words[threads + threads / 32];
  };
  static __device__ unsigned before(Workspace& workspace, unsigned value) {
    return by_one_warp<threads>(workspace.words, value);
  }
};

// Our choice.
template <int threads>
using BestScan = ByInstruction<threads>;

// An inclusive scan of `items` contiguous elements per thread. In every version the thread adds up
// its own, the block scans the sums, and the thread goes through its elements once more.
template <class Scan, int items>
__device__ void scan_items(typename Scan::Workspace& workspace, unsigned (&v)[items]) {
  unsigned sum = v[0];
#pragma unroll
  for (int k = 1; k < items; ++k) sum += v[k];
  v[0] += Scan::before(workspace, sum);
#pragma unroll
  for (int k = 1; k < items; ++k) v[k] += v[k - 1];
}

// `items` elements of an array, from i on, with 16 bytes per load where all are in bounds; 0 beyond
// the end.
template <int items>
__device__ void load(const unsigned* x, size_t n, size_t i, unsigned (&v)[items]) {
  if (items % 4 == 0 && i + items <= n) {
#pragma unroll
    for (int k = 0; k + 3 < items; k += 4) {
      const uint4 four = reinterpret_cast<const uint4*>(x + i)[k / 4];
      v[k] = four.x, v[k + 1] = four.y, v[k + 2] = four.z, v[k + 3] = four.w;
    }
    return;
  }
#pragma unroll
  for (int k = 0; k < items; ++k) v[k] = i + k < n ? x[i + k] : 0;
}

template <int items>
__device__ void store(unsigned* y, size_t n, size_t i, const unsigned (&v)[items]) {
  if (items % 4 == 0 && i + items <= n) {
#pragma unroll
    for (int k = 0; k + 3 < items; k += 4) {
      reinterpret_cast<uint4*>(y + i)[k / 4] = {v[k], v[k + 1], v[k + 2], v[k + 3]};
    }
    return;
  }
#pragma unroll
  for (int k = 0; k < items; ++k) {
    if (i + k < n) y[i + k] = v[k];
  }
}

// Each block scans a chunk of the array, threads * items elements, independently. If `start` is not
// null, it has the sum of everything before each chunk, and y becomes the scan of the whole array.
template <template <int> class Scan, int threads, int items>
__global__ void __launch_bounds__(threads)
    scan_chunks(const unsigned* x, size_t n, const unsigned* start, unsigned* y) {
  __shared__ typename Scan<threads>::Workspace workspace;
  const size_t i = (static_cast<size_t>(blockIdx.x) * threads + threadIdx.x) * items;
  unsigned v[items];
  load(x, n, i, v);
  if (start != nullptr && threadIdx.x == 0) v[0] += start[blockIdx.x];
  scan_items<Scan<threads>>(workspace, v);
  store(y, n, i, v);
}

// The sum of each chunk, for a scan of the whole array: the first of three launches.
template <int threads, int items>
__global__ void __launch_bounds__(threads)
    sums_of_chunks(const unsigned* x, size_t n, unsigned* sums) {
  __shared__ unsigned of_warps[32];
  unsigned v[items];
  load(x, n, (static_cast<size_t>(blockIdx.x) * threads + threadIdx.x) * items, v);
  unsigned sum = 0;
  for (int k = 0; k < items; ++k) sum += v[k];
  sum = warp_sum(sum);
  if (lane() == 0) of_warps[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x >= 32) return;  // whole warps, after the last barrier
  sum = warp_sum(lane() < threads / 32 ? of_warps[lane()] : 0);
  if (lane() == 0) sums[blockIdx.x] = sum;
}

// The second: the sum of everything before each chunk. One block goes through the chunks' sums and
// carries its running total along.
template <int threads, int items>
__global__ void __launch_bounds__(threads) starts_of_chunks(unsigned* sums, size_t chunks) {
  using Scan = BestScan<threads>;
  __shared__ typename Scan::Workspace workspace;
  __shared__ unsigned all_of_them;
  unsigned so_far = 0;
  for (size_t first = 0; first < chunks; first += threads * items) {
    const size_t i = first + threadIdx.x * items;
    unsigned v[items];
    unsigned scanned[items];
    load(sums, chunks, i, v);
    for (int k = 0; k < items; ++k) scanned[k] = v[k];
    scan_items<Scan>(workspace, scanned);
    if (threadIdx.x == threads - 1) all_of_them = scanned[items - 1];
    for (int k = 0; k < items; ++k) v[k] = so_far + scanned[k] - v[k];
    store(sums, chunks, i, v);
    __syncthreads();
    so_far += all_of_them;
    __syncthreads();  // the next round writes the same words
  }
}
