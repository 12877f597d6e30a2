//@stub
//@ // Exercise 24c: a bug hunt. Counters of one byte, which belong to one thread each.
//@ //
//@ // README.md beside this file says what it is meant to do.
//@ // TODO: find the mistakes and mend them. Then:   ./course check 24c
//@solution
// Exercise 24c: counters of one byte, which belong to one thread each. The model solution of the
// bug hunt.
//
// What was wrong: sixteen loads of 16 bytes are 256, one more than a byte can count; a thread's
// counters were contiguous, so that lanes with neighbouring values met in a bank; nothing waited
// for the end of a drain before the next counters were added to; the counters were not set back;
// and every block counted the bytes that are left over.
//@end

#include <algorithm>

#include "check.hpp"

using Byte = unsigned char;

constexpr int bins = 256;
constexpr int threads = 128;    // of a block: 32 KiB of counters
constexpr int most_blocks = 4;  // of a grid
//@stub
//@ constexpr int rounds = 16;      // loads of 16 bytes per thread between two drains
//@solution
constexpr int rounds = 15;  // loads of 16 bytes per thread between two drains
//@end

// This thread's counter of a byte. No two lanes of a warp may meet in a bank, whatever their bytes.
__device__ Byte& counter_of(Byte* counters, unsigned byte) {
  //@stub
  //@ return counters[threadIdx.x * bins + byte];
  //@solution
  return counters[(byte / 4 * threads + threadIdx.x) * 4 + byte % 4];
  //@end
}

// counts[v] = how many bytes of x are v. counts is 0 before. x begins at a multiple of 16 bytes. A
// thread counts its bytes in counters of its own, without atomics. Before one of them can overflow,
// the block drains: thread t adds up all threads' counters of 2 t and of 2 t + 1.
__global__ void count_bytes(const Byte* x, int n, unsigned* counts) {
  __shared__ __align__(4) Byte counters[bins * threads];
  const int t = threadIdx.x;
  for (int k = t; k < bins * threads; k += threads) counters[k] = 0;
  __syncthreads();

  const auto* const x16 = reinterpret_cast<const uint4*>(x);
  constexpr int chunk = rounds * threads;  // of 16 bytes
  unsigned sums[2] = {};
  for (int first = blockIdx.x * chunk; first < n / 16; first += gridDim.x * chunk) {
    const int end = min(n / 16, first + chunk);
    for (int i = first + t; i < end; i += threads) {
      const uint4 v = x16[i];
      for (const unsigned word : {v.x, v.y, v.z, v.w}) {
        for (int k = 0; k < 4; ++k) ++counter_of(counters, word >> 8 * k & 0xFFU);
      }
    }
    __syncthreads();
    //@stub
    //@ for (int of = 0; of < threads; ++of) {
    //@   const int other = (of + t) % threads;  // each begins with itself
    //@   for (int k = 0; k < 2; ++k) sums[k] += counters[other * bins + 2 * t + k];
    //@ }
    //@solution
    for (int of = 0; of < threads; ++of) {
      const int other = (of + t / 2) % threads;  // two threads share a row: 16 banks
      for (int k = 0; k < 2; ++k) {
        Byte& counter = counters[(t / 2 * threads + other) * 4 + t % 2 * 2 + k];
        sums[k] += counter;
        counter = 0;
      }
    }
    __syncthreads();  // nobody counts before all have added
    //@end
  }

  // At most 15 bytes are left over.
  const int left_over = n / 16 * 16 + t;
  //@stub
  //@ if (left_over < n) atomicAdd(&counts[x[left_over]], 1U);
  //@solution
  if (blockIdx.x == 0 && left_over < n) atomicAdd(&counts[x[left_over]], 1U);
  //@end
  for (int k = 0; k < 2; ++k) {
    if (sums[k] != 0) atomicAdd(&counts[2 * t + k], sums[k]);
  }
}

// All pointers are to device memory; counts has 256 elements. n may be 0.
void launch_count_bytes(const Byte* x, int n, unsigned* counts) {
  CUDA_CHECK(cudaMemset(counts, 0, bins * sizeof *counts));
  const int grid = std::clamp((n - 1) / (16 * rounds * threads) + 1, 1, most_blocks);
  count_bytes<<<grid, threads>>>(x, n, counts);
  CUDA_CHECK_LAUNCH();
}
