// What cooperative groups cost in memory traffic, and what the checks know of their barriers, and
// of threads that stay away from a warp's or a block's.

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "emulator/findings.h"
#include "emulator/traffic.h"

namespace {

namespace cg = cooperative_groups;

// Runs `launch(memory)` on `count` ints, which count up, and returns the kinds of what was found.
template <class Launch>
std::vector<std::string> found(std::size_t count, Launch launch) {
  int* memory = nullptr;
  REQUIRE(cudaMallocManaged(&memory, count * sizeof(int)) == cudaSuccess);
  for (std::size_t i = 0; i < count; ++i) memory[i] = static_cast<int>(i);
  emulator::clear_findings();
  emulator::set_checking(true);
  launch(memory);
  (void)cudaDeviceSynchronize();
  emulator::set_checking(false);
  std::vector<std::string> kinds;
  for (const emulator::Finding& finding : emulator::findings()) kinds.push_back(finding.kind);
  emulator::clear_findings();
  REQUIRE(cudaDeviceReset() == cudaSuccess);
  (void)cudaGetLastError();  // other tests begin without an error
  return kinds;
}

const std::vector<std::string> nothing;

template <bool meets>
__global__ void through_shared(int* out) {
  __shared__ int room[64];
  const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  const unsigned thread = threadIdx.x;
  room[thread] = out[thread];
  if (meets) tile.sync();
  const int neighbour = room[thread ^ 9U];
  if (meets) tile.sync();
  room[thread] = neighbour;
  out[thread] = room[thread];
}

// Only the tile has met, and the lane next to it is not one of its own.
__global__ void beyond_the_tile(int* out) {
  __shared__ int room[32];
  const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  room[threadIdx.x] = out[threadIdx.x];
  tile.sync();
  out[threadIdx.x] = room[threadIdx.x ^ 16U];
}

template <bool meets>
__global__ void through_global(int* values) {
  __shared__ int own;
  const cg::grid_group grid = cg::this_grid();
  if (threadIdx.x == 0) own = static_cast<int>(blockIdx.x);
  __syncthreads();
  for (int round = 0; round < 3; ++round) {
    if (threadIdx.x == 0) values[blockIdx.x] = own + round;
    if (meets) grid.sync();
    const int sum = values[(blockIdx.x + 1) % gridDim.x];
    if (meets) grid.sync();
    if (threadIdx.x == 0) own += sum;
  }
  if (threadIdx.x == 0) values[blockIdx.x] = own;
}

// Shared memory that was never written, after a barrier of the grid.
__global__ void unwritten(int* values) {
  __shared__ int room[2];
  const cg::grid_group grid = cg::this_grid();
  if (threadIdx.x == 0) room[0] = 1;
  grid.sync();
  if (threadIdx.x == 0) values[blockIdx.x] = room[blockIdx.x == 1 ? 1 : 0];
}

// Block 0 never comes to the barrier of the grid.
__global__ void absent(int* values) {
  const cg::grid_group grid = cg::this_grid();
  if (blockIdx.x == 0) return;
  grid.sync();
  values[blockIdx.x] = 0;
}

__global__ void mixed(int* values) {
  const cg::grid_group grid = cg::this_grid();
  if (threadIdx.x < 32) {
    grid.sync();
  } else {
    __syncthreads();
  }
  values[threadIdx.x] = 0;
}

// Both blocks have begun when the first fails, and takes the second with it.
__global__ void one_fails(int* values) {
  cg::this_grid().sync();
  if (blockIdx.x == 0) __trap();
  cg::this_grid().sync();
  values[0] = -1;
}

// Threads that have left count as arrived.
__global__ void some_leave(int* values) {
  if (threadIdx.x >= 40) return;
  cg::this_grid().sync();
  if (threadIdx.x == 39) values[blockIdx.x] = -1;
}

__device__ unsigned arrived;
__device__ volatile unsigned sense;

// A barrier of the program's own: the last block to arrive tells the others.
template <bool fences>
__device__ void meet(unsigned blocks, unsigned& own) {
  __syncthreads();
  if (threadIdx.x == 0) {
    own ^= 1U;
    if (fences) __threadfence();
    if (atomicAdd(&arrived, 1) == blocks - 1) {
      arrived = 0;
      if (fences) __threadfence();
      sense = own;
    }
    while (sense != own) {
    }
    if (fences) __threadfence();
  }
  __syncthreads();
}

// What the first meeting hands on is read after the second as well, when others have run again.
template <bool fences>
__global__ void by_own_barriers(int* values, unsigned missing = 0) {
  __shared__ int room[32];
  unsigned own = 0;
  if (threadIdx.x == 0) own = sense;
  int* const parts = values + gridDim.x;
  const unsigned next = (blockIdx.x + 1) % gridDim.x;
  if (threadIdx.x == 0) values[blockIdx.x] = static_cast<int>(blockIdx.x);
  room[threadIdx.x] = static_cast<int>(threadIdx.x);
  meet<fences>(gridDim.x + missing, own);
  if (threadIdx.x == 1) parts[blockIdx.x] = values[next] + room[0];
  meet<fences>(gridDim.x + missing, own);
  if (threadIdx.x == 2) parts[gridDim.x + blockIdx.x] = parts[next] + values[next] + room[3];
}

// Block 0 waits for block 1, whose turn comes later, and has handed on nothing itself.
__global__ void one_way(int* values) {
  volatile int* const flag = values + 1;
  if (blockIdx.x == 1) {
    values[2] = 5;
    __threadfence();
    *flag = -1;
  } else {
    values[0] = 3;
    while (*flag >= 0) {
    }
    __threadfence();
    values[0] += values[2];
  }
}

template <class Kernel>
void launch_together(Kernel kernel, int* memory, int blocks, int threads) {
  void* arguments[] = {&memory};
  CHECK(cudaLaunchCooperativeKernel(kernel, dim3(blocks), dim3(threads), arguments) == cudaSuccess);
}

template <class Launch>
emulator::Traffic traffic(Launch launch) {
  int* memory = nullptr;
  REQUIRE(cudaMallocManaged(&memory, 1024 * sizeof(int)) == cudaSuccess);
  for (int i = 0; i < 1024; ++i) memory[i] = i;
  emulator::clear_launches();
  emulator::set_recording(true);
  launch(memory);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  emulator::set_recording(false);
  const emulator::Traffic sum = emulator::total_traffic();
  CHECK(cudaFree(memory) == cudaSuccess);
  return sum;
}

__global__ void reduced(int* out) {
  const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  const int sum = cg::reduce(tile, out[threadIdx.x], cg::plus<int>());
  if (tile.thread_rank() == 0) out[tile.meta_group_rank()] = tile.shfl(sum, 0);
}

template <class T>
__global__ void copied(T* in, int* out, int bytes) {
  __shared__ alignas(16) T tile[256];
  const cg::thread_block block = cg::this_thread_block();
  cg::memcpy_async(block, tile, in, static_cast<std::size_t>(bytes));
  cg::wait(block);
  const auto* const words = reinterpret_cast<const int*>(tile);
  out[threadIdx.x] = words[threadIdx.x];
}

// Reads the tile before it waits.
__global__ void impatient(int* values) {
  __shared__ int tile[64];
  const cg::thread_block block = cg::this_thread_block();
  cg::memcpy_async(block, tile, values, 64 * sizeof(int));
  const int early = tile[threadIdx.x];
  cg::wait(block);
  values[threadIdx.x] = early;
}

// Half of the threads vote in another line.
__global__ void two_votes(int* values) {
  if (threadIdx.x < 32) {
    values[threadIdx.x] = __syncthreads_or(0);
  } else {
    values[threadIdx.x] = __syncthreads_or(1);
  }
}

enum class Asks { the_last, the_one_below, the_one_above, the_other_half, the_first, all };

// The lanes from 4 to 19 stay, and the mask names those that have left as well.
template <Asks asks>
__global__ void ask_who_left(int* values) {
  const unsigned lane = threadIdx.x;
  if (lane < 4 || lane >= 20) return;
  const int own = values[lane];
  if constexpr (asks == Asks::the_last) values[lane] = __shfl_sync(0xFFFFFFFFU, own, 31);
  if constexpr (asks == Asks::the_one_below) values[lane] = __shfl_up_sync(0xFFFFFFFFU, own, 1);
  if constexpr (asks == Asks::the_one_above) values[lane] = __shfl_down_sync(0xFFFFFFFFU, own, 1);
  if constexpr (asks == Asks::the_other_half) values[lane] = __shfl_xor_sync(0xFFFFFFFFU, own, 16);
  if constexpr (asks == Asks::the_first) values[lane] = __shfl_sync(0xFFFFFFFFU, own, 4);
  if constexpr (asks == Asks::all) values[lane] = __reduce_add_sync(0xFFFFFFFFU, own);
}

// The mask that __syncwarp() has without an argument names lanes that a small block has not.
__global__ void reverse_small_block(int* values) {
  __shared__ int room[20];
  room[threadIdx.x] = values[threadIdx.x];
  __syncwarp();
  values[threadIdx.x] = room[19 - threadIdx.x];
}

}  // namespace

TEST_CASE("the barrier of a tile orders its threads, and no others") {
  CHECK(found(64, [](int* m) { through_shared<true><<<1, 64>>>(m); }) == nothing);
  CHECK(found(64, [](int* m) { through_shared<false><<<1, 64>>>(m); }).at(0) == "race");
  CHECK(found(32, [](int* m) { beyond_the_tile<<<1, 32>>>(m); }).at(0) == "race");
}

TEST_CASE("the barrier of the grid orders all threads, and shared memory stays") {
  CHECK(found(4, [](int* m) { launch_together(through_global<true>, m, 4, 64); }) == nothing);
  CHECK(found(4, [](int* m) { launch_together(through_global<false>, m, 4, 64); }).at(0) == "race");
  const auto kinds = found(3, [](int* m) { launch_together(unwritten, m, 3, 32); });
  CHECK(kinds == std::vector<std::string>{"uninitialised"});
}

TEST_CASE("barriers of the grid that a program makes of its own") {
  const auto launched = [](auto kernel, unsigned missing) {
    return found(12, [&](int* m) {
      void* arguments[] = {&m, &missing};
      CHECK(cudaLaunchCooperativeKernel(kernel, dim3(4), dim3(32), arguments) == cudaSuccess);
      if (missing > 0) return;
      CHECK(cudaDeviceSynchronize() == cudaSuccess);
      for (int block = 0; block < 4; ++block) {
        CHECK(m[8 + block] == (block + 2) % 4 + (block + 1) % 4 + 3);
      }
    });
  };
  CHECK(launched(by_own_barriers<true>, 0) == nothing);
  CHECK(launched(by_own_barriers<false>, 0).at(0) == "race");
  // Each waits for one block more than there are.
  CHECK(launched(by_own_barriers<true>, 1) == std::vector<std::string>{"failed-kernel"});
  CHECK(found(3, [](int* m) { launch_together(one_way, m, 2, 1); }) == nothing);
  unsigned none = 0;
  REQUIRE(cudaMemcpyToSymbol(arrived, &none, sizeof(none)) == cudaSuccess);
  const emulator::Traffic sum = traffic([](int* m) {
    unsigned missing = 0;
    void* arguments[] = {&m, &missing};
    CHECK(cudaLaunchCooperativeKernel(by_own_barriers<true>, dim3(4), dim3(32), arguments) ==
          cudaSuccess);
  });
  CHECK(sum.shared_store_instructions == 4);
}

TEST_CASE("barriers of the grid that not all threads come to") {
  CHECK(found(3, [](int* m) { launch_together(absent, m, 3, 32); }).at(0) == "divergent-barrier");
  CHECK(found(64, [](int* m) { launch_together(mixed, m, 1, 64); }).at(0) == "divergent-barrier");
}

TEST_CASE("barriers of the grid when nobody checks") {
  const auto run = [](auto kernel, int blocks, cudaError_t expected) {
    int* memory = nullptr;
    REQUIRE(cudaMallocManaged(&memory, 64 * sizeof(int)) == cudaSuccess);
    memory[0] = memory[1] = 7;
    launch_together(kernel, memory, blocks, 64);
    CHECK(cudaDeviceSynchronize() == expected);
    const int written = (memory[0] < 0 ? 1 : 0) + (memory[1] < 0 ? 1 : 0);
    REQUIRE(cudaDeviceReset() == cudaSuccess);
    (void)cudaGetLastError();  // other tests begin without an error
    return written;
  };
  run(mixed, 1, cudaErrorLaunchFailure);
  CHECK(run(one_fails, 2, cudaErrorLaunchFailure) == 0);
  CHECK(run(some_leave, 2, cudaSuccess) == 2);
}

TEST_CASE("barriers that vote, in both branches") {
  const auto kinds = found(64, [](int* m) { two_votes<<<1, 64>>>(m); });
  CHECK(kinds == std::vector<std::string>{"divergent-barrier"});
}

TEST_CASE("a lane that has left counts as arrived, but cannot be asked") {
  const std::vector<std::string> bad_mask = {"bad-mask"};
  CHECK(found(32, [](int* m) { ask_who_left<Asks::the_last><<<1, 32>>>(m); }) == bad_mask);
  CHECK(found(32, [](int* m) { ask_who_left<Asks::the_one_below><<<1, 32>>>(m); }) == bad_mask);
  CHECK(found(32, [](int* m) { ask_who_left<Asks::the_one_above><<<1, 32>>>(m); }) == bad_mask);
  CHECK(found(32, [](int* m) { ask_who_left<Asks::the_other_half><<<1, 32>>>(m); }) == bad_mask);
  CHECK(found(32, [](int* m) { ask_who_left<Asks::the_first><<<1, 32>>>(m); }) == nothing);
  CHECK(found(32, [](int* m) { ask_who_left<Asks::all><<<1, 32>>>(m); }) == nothing);
}

TEST_CASE("all lanes of a small block") {
  CHECK(found(20, [](int* m) { reverse_small_block<<<1, 20>>>(m); }) == nothing);
}

TEST_CASE("shuffles and reductions cost no memory traffic") {
  const emulator::Traffic sum = traffic([](int* m) { reduced<<<1, 64>>>(m); });
  CHECK(sum.global_load_requests == 2);
  CHECK(sum.global_load_sectors == 8);
  CHECK(sum.global_store_requests == 2);
  CHECK(sum.shared_load_instructions == 0);
  CHECK(sum.shared_store_instructions == 0);
}

TEST_CASE("asynchronous copies by a group") {
  int* out = nullptr;
  REQUIRE(cudaMallocManaged(&out, 64 * sizeof(int)) == cudaSuccess);
  const auto copy = [&](auto* in, int bytes) {
    const emulator::Traffic sum = traffic([&](int* m) {
      copied<<<1, 64>>>(reinterpret_cast<decltype(in)>(m), out, bytes);
      CHECK(cudaDeviceSynchronize() == cudaSuccess);
      for (int i = 0; i < 64; ++i) CHECK(out[i] == i);
    });
    CHECK(sum.shared_store_instructions == 0);
    return sum;
  };
  // Of ints a thread copies 4 bytes at a time, of int4 16, of bytes as many as the addresses allow.
  CHECK(copy(static_cast<int*>(nullptr), 256).global_load_requests == 2);
  const emulator::Traffic wide = copy(static_cast<int4*>(nullptr), 1024);
  CHECK(wide.global_load_requests == 2);
  CHECK(wide.global_load_sectors == 32);
  const emulator::Traffic bytes = copy(static_cast<char*>(nullptr), 256);
  CHECK(bytes.global_load_requests == 1);
  CHECK(bytes.global_load_sectors == 8);
  CHECK(cudaFree(out) == cudaSuccess);
}

TEST_CASE("a tile that is read before its copy has been waited for") {
  CHECK_FALSE(found(64, [](int* m) { impatient<<<1, 64>>>(m); }).empty());
}
