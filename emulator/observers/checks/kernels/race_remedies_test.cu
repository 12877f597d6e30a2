// What a race's finding says about mending it, and how a finding names the kernel.

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

// The flag is raised after the fence, but the sum is written only then.
__global__ void flag_first(int* words) {
  const unsigned b = atomicAdd(&ticket, 1U) % 4;
  while (b > 0 && ready[b - 1] == 0) {
  }
  const int before = b > 0 ? sums[b - 1] : 0;
  __threadfence();
  ready[b] = 1;
  sums[b] = before + words[b];
}

// Half of the accesses to the flag are ordinary ones.
__global__ void half_a_flag(int* words) {
  if (blockIdx.x == 0) {
    *static_cast<volatile int*>(words) = 1;
  } else {
    words[blockIdx.x] = words[0];
  }
}

// All threads read what one has drawn, and do not wait for it.
__global__ void drawn_by_one(int* words) {
  __shared__ int drawn;
  if (threadIdx.x == 0) drawn = atomicAdd(&words[63], 1);
  words[drawn] = 1;
}

// The two sides of an update in two branches.
__global__ void counts_by_twos(int* words) {
  if (threadIdx.x % 2 == 0) {
    words[0] += 1;
  } else {
    words[0] += 2;
  }
}

// The leader of each warp counts for all of its lanes, which may not have read the count yet.
__global__ void counted_by_a_leader(int* words) {
  __shared__ int count[2];
  const unsigned warp = threadIdx.x / 32;
  const bool leads = threadIdx.x % 32 == 0;
  if (leads) count[warp] = 0;
  __syncwarp();
  for (int round = 0; round < 3; ++round) {
    const int before = count[warp];
    if (leads) count[warp] = before + 1;
    __syncwarp();
    words[threadIdx.x % 64] = before;
  }
}

// Thread 0 reads the first tile before anybody writes the next one.
__global__ void one_thread_reads_first(int* words) {
  __shared__ int numbers[64];
  numbers[threadIdx.x] = 1;
  __syncthreads();
  for (int round = 0; round < 4; ++round) {
    if (threadIdx.x == 0) {
      int sum = 0;
      for (const int number : numbers) sum += number;
      words[round] = sum;
    }
    numbers[threadIdx.x] = round;
    __syncthreads();
  }
}

// One state for all threads.
__global__ void draws(int* words) {
  int state = words[0];
  state ^= state << 13;
  state ^= state >> 17;
  words[0] = state;
}

// Elements of other threads, in place, and of other blocks.
__global__ void takes_from_the_next(int* words) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  words[i % 64] = words[(i + 1) % 64];
}

// What a barrier orders, the read-only cache need not know of.
__global__ void reads_by_cache(int* words) {
  words[threadIdx.x] = 5;
  __syncthreads();
  words[threadIdx.x + 32] = __ldg(&words[(threadIdx.x + 1) % 32]);
}

// Sums that other threads of the block have added to.
__global__ void reads_sums_by_cache(int* words) {
  atomicAdd(&words[0], 1);
  __syncthreads();
  words[threadIdx.x + 32] = __ldg(&words[0]);
}

__global__ void reads_halves_by_cache(int* words) {
  auto* const halves = reinterpret_cast<short*>(words);
  halves[threadIdx.x] = 5;
  words[threadIdx.x + 32] = __ldg(&halves[threadIdx.x]);
}

// What an earlier launch has written, and what this one writes later or elsewhere.
__global__ void reads_input_by_cache(int* words) {
  const int here = __ldg(&words[threadIdx.x]);
  words[threadIdx.x + 32] = here;
  words[threadIdx.x] = here + 1;
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

template <class Kernel>
void launch_too_large(Kernel* kernel) {
  kernel<<<1, 2048>>>(static_cast<int*>(nullptr));
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

TEST_CASE("who updates one value for all, or has taken it for his own, is asked which") {
  CHECK(has(remedy(counts_by_twos, 1, 64), "an update reads, changes and writes back"));
  CHECK(has(remedy(draws, 1, 32), "give it an element of its own"));
}

TEST_CASE("a count that its reader does not write wants lanes that wait") {
  const std::string text = remedy(counted_by_a_leader, 1, 64);
  CHECK(has(text, "__syncwarp()"));
  CHECK_FALSE(has(text, "atomic"));
}

TEST_CASE("what blocks read of each other wants a second array or kernel") {
  CHECK(has(remedy(takes_from_the_next, 2, 32), "second array"));
  CHECK_FALSE(has(remedy(takes_from_the_next, 1, 32), "second array"));
}

TEST_CASE("numbers that are overwritten before they are read want a barrier") {
  for (const auto kernel : {one_thread_reads, one_thread_reads_first}) {
    const std::string text = remedy(kernel, 1, 64);
    CHECK(has(text, "__syncthreads()"));
    CHECK_FALSE(has(text, "atomic"));
  }
}

TEST_CASE("a stage that is given back early wants its reader to arrive later") {
  CHECK(has(remedy(given_back_early, 1, 64), "arrive at an mbarrier after its last read"));
}

TEST_CASE("a flag without a fence wants the fence") {
  const std::string text = remedy(chain, 4, 1);
  CHECK(has(text, "__threadfence()"));
  CHECK(has(text, "memory_order_release"));
}

TEST_CASE("a flag that is raised too early wants to be raised later") {
  CHECK(has(remedy(flag_first, 4, 1), "write the data first"));
}

TEST_CASE("a flag that only one side treats as one wants both to") {
  CHECK(has(remedy(half_a_flag, 2, 1), "one side is an ordinary access"));
}

TEST_CASE("a draw without a barrier behind it wants the barrier") {
  const std::string text = remedy(drawn_by_one, 1, 64);
  CHECK(has(text, "__syncthreads()"));
  CHECK_FALSE(has(text, "use an atomic"));
}

TEST_CASE("what a kernel has written is not for the read-only cache, whatever comes between") {
  for (const auto kernel : {reads_by_cache, reads_sums_by_cache, reads_halves_by_cache}) {
    CHECK(has(remedy(kernel, 1, 32), "without __ldg()"));
  }
  CHECK(remedy(reads_input_by_cache, 1, 32).empty());
}

TEST_CASE("a launch that is refused names the kernel, not what it was launched by") {
  const auto named = [](auto launch) {
    emulator::clear_findings();
    emulator::set_checking(true);
    launch();
    CHECK(cudaGetLastError() != cudaSuccess);
    emulator::set_checking(false);
    REQUIRE(emulator::findings().size() == 1);
    const std::string kernel = emulator::findings()[0].kernel;
    emulator::clear_findings();
    return kernel;
  };
  int* words = nullptr;
  void* arguments[] = {&words};
  const dim3 too_large(2048);
  CHECK(named([&] {
          static_cast<void>(cudaLaunchKernel(drawn_by_one, dim3(1), too_large, arguments));
        }) == "drawn_by_one");
  CHECK(named([&] {
          static_cast<void>(cudaLaunchCooperativeKernel(chain, dim3(1), too_large, arguments));
        }) == "chain");
  CHECK(named([] { launch_too_large(flag_first); }) == "flag_first");
}
