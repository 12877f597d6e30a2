// Fences by all threads that write, before they meet; then one of them counts for all.

#include <doctest/doctest.h>

#include <cuda_runtime.h>
#include <cuda/barrier>

#include <string>

#include "emulator/findings.h"

namespace {

constexpr unsigned writers = 64;

enum class Meet { block, part_of_block, mbarrier, warp };
enum class Mistake { none, fence_of_one, fence_after, small_fence };

template <Meet meet>
__device__ void wait_for_all(cuda::barrier<cuda::thread_scope_block>& barrier) {
  if (meet == Meet::block) __syncthreads();
  if (meet == Meet::part_of_block) asm volatile("bar.sync 1, 64;" ::: "memory");
  if (meet == Meet::mbarrier) barrier.arrive_and_wait();
  if (meet == Meet::warp) __syncwarp();
}

// Whether it was the last of two blocks to count.
template <Meet meet>
__device__ bool is_last(int* counter, bool& answer,
                        cuda::barrier<cuda::thread_scope_block>& barrier) {
  if (threadIdx.x == 0) answer = atomicAdd(counter, 1) == 1;
  wait_for_all<meet>(barrier);
  return answer;
}

// The second of two blocks reads what the first has written; threads behind the writers leave.
template <Meet meet, Mistake mistake>
__global__ void hands_over(int* words) {
  __shared__ bool answer;
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  if (threadIdx.x == 0) init(&barrier, writers);
  __syncthreads();
  if (threadIdx.x >= (meet == Meet::warp ? 32 : writers)) return;
  const unsigned t = threadIdx.x;
  words[writers + blockIdx.x * writers + t] = static_cast<int>(t);
  if (mistake == Mistake::small_fence) {
    __threadfence_block();
  } else if (mistake == Mistake::none || (mistake == Mistake::fence_of_one && t == 0)) {
    __threadfence();
  }
  wait_for_all<meet>(barrier);
  if (mistake == Mistake::fence_after && t != 0) __threadfence();
  if (!is_last<meet>(words, answer, barrier)) return;
  __threadfence();
  words[3 * writers + t] = words[writers + (1 - blockIdx.x) * writers + (t ^ 1U)];
}

// The kinds of what the checks find.
template <Meet meet, Mistake mistake>
std::string found() {
  emulator::set_checking(true);
  emulator::clear_findings();
  int* words = nullptr;
  REQUIRE(cudaMalloc(&words, 256 * sizeof(int)) == cudaSuccess);
  REQUIRE(cudaMemset(words, 0, 256 * sizeof(int)) == cudaSuccess);
  hands_over<meet, mistake><<<2, meet == Meet::block ? writers : writers + 32>>>(words);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  std::string result;
  for (const emulator::Finding& finding : emulator::findings()) result += finding.kind + ' ';
  emulator::clear_findings();
  emulator::set_checking(false);
  REQUIRE(cudaFree(words) == cudaSuccess);
  return result;
}

}  // namespace

TEST_CASE("fences of all threads cover what they have written, whatever they meet at") {
  CHECK(found<Meet::block, Mistake::none>() == "");
  CHECK(found<Meet::part_of_block, Mistake::none>() == "");
  CHECK(found<Meet::mbarrier, Mistake::none>() == "");
  CHECK(found<Meet::warp, Mistake::none>() == "");
}

TEST_CASE("the fence of one thread, before they meet, covers nothing of the others") {
  CHECK(found<Meet::block, Mistake::fence_of_one>() == "race ");
  CHECK(found<Meet::part_of_block, Mistake::fence_of_one>() == "race ");
  CHECK(found<Meet::mbarrier, Mistake::fence_of_one>() == "race ");
  CHECK(found<Meet::warp, Mistake::fence_of_one>() == "race ");
}

TEST_CASE("a fence after they have met comes too late") {
  CHECK(found<Meet::block, Mistake::fence_after>() == "race ");
  CHECK(found<Meet::part_of_block, Mistake::fence_after>() == "race ");
  CHECK(found<Meet::mbarrier, Mistake::fence_after>() == "race ");
  CHECK(found<Meet::warp, Mistake::fence_after>() == "race ");
}

TEST_CASE("fences for the block are none for another one") {
  CHECK(found<Meet::block, Mistake::small_fence>() == "race ");
  CHECK(found<Meet::part_of_block, Mistake::small_fence>() == "race ");
  CHECK(found<Meet::mbarrier, Mistake::small_fence>() == "race ");
  CHECK(found<Meet::warp, Mistake::small_fence>() == "race ");
}
