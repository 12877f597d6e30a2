// What a race's finding says about mending it.

#include <doctest/doctest.h>
#include <cuda/barrier>

#include <string>

#include "emulator/findings.h"

namespace {

using Barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void counts_up(int* word) {
  ++*word;
}

// Some lanes do not write.
__global__ void keeps_the_largest(int* words) {
  const int mine = static_cast<int>(threadIdx.x);
  if (mine > words[0]) words[0] = mine;
}

// Thread 0 still reads a round's numbers when others write those of the next.
__global__ void one_thread_reads(int* words) {
  __shared__ int numbers[64];
  for (int round = 0; round < 4; ++round) {
    numbers[threadIdx.x] = round;
    __syncthreads();
    if (threadIdx.x == 0) {
      int sum = 0;
      for (const int number : numbers) sum += number;
      words[round] = sum;
    }
  }
}

// Warp 0 gives the numbers back before it has read them.
__global__ void given_back_early(int* words) {
  __shared__ int numbers[32];
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ Barrier full;
  __shared__ Barrier empty;
  if (threadIdx.x == 0) {
    init(&full, 32);
    init(&empty, 32);
  }
  __syncthreads();
  const unsigned lane = threadIdx.x % 32;
  for (int round = 0; round < 4; ++round) {
    const bool parity = round % 2 == 1;
    if (threadIdx.x < 32) {
      full.wait_parity(parity);
      static_cast<void>(empty.arrive());
      words[lane] += numbers[lane];
    } else {
      empty.wait_parity(!parity);
      numbers[lane] = round;
      static_cast<void>(full.arrive());
    }
  }
}

__device__ unsigned ticket;
__device__ int sums[4];
__device__ volatile int ready[4];

// Each block adds to the sum of the one before, and raises its flag without a fence.
__global__ void chain(int* words) {
  const unsigned b = atomicAdd(&ticket, 1U);
  int before = 0;
  if (b > 0) {
    while (ready[b - 1] == 0) {
    }
    __threadfence();
    before = sums[b - 1];
  }
  sums[b] = before + words[b];
  ready[b] = 1;
}

template <class Kernel>
std::string remedy(Kernel* kernel, int blocks, int threads) {
  int* words = nullptr;
  REQUIRE(cudaMalloc(&words, 64 * sizeof(int)) == cudaSuccess);
  REQUIRE(cudaMemset(words, 0, 64 * sizeof(int)) == cudaSuccess);
  emulator::clear_findings();
  emulator::set_checking(true);
  kernel<<<blocks, threads>>>(words);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  emulator::set_checking(false);
  std::string text;
  for (const emulator::Finding& finding : emulator::findings()) {
    CHECK(finding.kernel != "kernel");  // which is the name of a variable
    if (finding.kind == "race" && text.empty()) text = finding.remedy;
  }
  emulator::clear_findings();
  REQUIRE(cudaFree(words) == cudaSuccess);
  return text;
}

bool has(const std::string& text, const char* word) {
  return text.find(word) != std::string::npos;
}

}  // namespace

TEST_CASE("an update by several threads wants an atomic") {
  CHECK(has(remedy(counts_up, 1, 64), "an update reads, changes and writes back"));
  CHECK(has(remedy(counts_up, 2, 1), "an update reads, changes and writes back"));
  CHECK(has(remedy(keeps_the_largest, 1, 64), "an update reads, changes and writes back"));
}

TEST_CASE("numbers that are overwritten before they are read want a barrier") {
  const std::string text = remedy(one_thread_reads, 1, 64);
  CHECK(has(text, "__syncthreads()"));
  CHECK_FALSE(has(text, "atomic"));
}

TEST_CASE("a stage that is given back early wants its reader to arrive later") {
  CHECK(has(remedy(given_back_early, 1, 64), "arrive at an mbarrier after its last read"));
}

TEST_CASE("a flag without a fence wants the fence") {
  CHECK(has(remedy(chain, 4, 1), "__threadfence()"));
}
