// Bulk copies and barriers in shared memory: <cuda/ptx>. nvcc (-arch=sm_90a) also compiles this
// file, but for what is looked at by the checks.

#include <doctest/doctest.h>

#include <cuda_pipeline.h>

#include <cstdint>
#include <cuda/barrier>
#include <cuda/ptx>
#include <string>
#include <utility>
#include <vector>

#include "tests/kernel_test.hpp"

namespace {

namespace ptx = cuda::ptx;

// Enumerators, as cuda::ptx takes references, which device code cannot have of the host's
// constants.
enum : unsigned { tile_floats = 64, tile_bytes = tile_floats * sizeof(float) };

// What is left out of the pipeline below.
enum Mistake : int {
  none,
  no_wait_for_full,
  no_wait_for_empty,
  full_of_wrong_parity,
  empty_of_wrong_parity,
  no_loop_around_wait,
  no_fence_behind_init,
  no_barrier_behind_init,
  bytes_too_many,
  bytes_too_few,
  arrivals_missing,
  arrival_before_lanes_met,
};

__device__ void wait(std::uint64_t* barrier, unsigned parity) {
  while (!ptx::mbarrier_try_wait_parity(barrier, parity)) {
  }
}

// The last warp copies tiles, the others add them up: each thread one element, from its end.
__global__ void sum_tiles(const float* in, float* out, unsigned tiles, Mistake mistake) {
  constexpr unsigned stages = 2;
  __shared__ alignas(128) float tile[stages][tile_floats];
  __shared__ alignas(8) std::uint64_t full[stages];
  __shared__ alignas(8) std::uint64_t empty[stages];
  const unsigned warps = tile_floats / 32;
  if (threadIdx.x == 0) {
    for (unsigned s = 0; s < stages; ++s) {
      ptx::mbarrier_init(&full[s], 1);
      ptx::mbarrier_init(&empty[s], mistake == arrivals_missing ? warps + 1 : warps);
    }
    if (mistake != no_fence_behind_init) {
      ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    }
  }
  if (mistake != no_barrier_behind_init) __syncthreads();

  if (threadIdx.x >= tile_floats) {
    if (threadIdx.x != tile_floats) return;
    for (unsigned t = 0; t < tiles; ++t) {
      const unsigned s = t % stages;
      const unsigned round = t / stages;
      if (mistake != no_wait_for_empty) {
        wait(&empty[s], (round + (mistake == empty_of_wrong_parity ? 0U : 1U)) & 1U);
      }
      const unsigned expected = mistake == bytes_too_many  ? tile_bytes + 16
                                : mistake == bytes_too_few ? tile_bytes - 16
                                                           : tile_bytes;
      ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full[s],
                                     expected);
      ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile[s], in + t * tile_floats,
                         tile_bytes, &full[s]);
    }
    return;
  }
  float sum = 0;
  for (unsigned t = 0; t < tiles; ++t) {
    const unsigned s = t % stages;
    const unsigned round = t / stages;
    if (mistake == no_loop_around_wait) {
      ptx::mbarrier_try_wait_parity(&full[s], round & 1U);
    } else if (mistake != no_wait_for_full) {
      wait(&full[s], (round + (mistake == full_of_wrong_parity ? 1U : 0U)) & 1U);
    }
    sum += tile[s][tile_floats - 1 - threadIdx.x];
    if (mistake != arrival_before_lanes_met) __syncwarp();
    if (threadIdx.x % 32 == 0) ptx::mbarrier_arrive(&empty[s]);
  }
  out[threadIdx.x] = sum;
}

// One tile, which a thread fills again when all have read it; or too early.
__global__ void refill(const float* in, float* out, unsigned rounds, bool with_wait,
                       bool with_barrier) {
  __shared__ alignas(128) float tile[tile_floats];
  __shared__ alignas(8) std::uint64_t full;
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&full, 1);
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
  }
  tile[threadIdx.x] = -1;
  ptx::fence_proxy_async(ptx::space_shared);
  __syncthreads();
  float sum = 0;
  for (unsigned round = 0; round < rounds; ++round) {
    if (threadIdx.x == 0) {
      ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full,
                                     tile_bytes);
      ptx::cp_async_bulk(ptx::space_shared, ptx::space_global, tile, in + round * tile_floats,
                         tile_bytes, &full);
    }
    __syncthreads();
    if (with_wait) wait(&full, round & 1U);
    sum += tile[threadIdx.x ^ 32U];
    if (with_barrier) __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// Turns a row round in shared memory and copies it out.
__global__ void turn(float* data, bool with_fence, bool with_wait) {
  __shared__ alignas(128) float tile[tile_floats];
  tile[tile_floats - 1 - threadIdx.x] = data[threadIdx.x];
  if (with_fence) ptx::fence_proxy_async(ptx::space_shared);
  __syncthreads();
  if (threadIdx.x == 0) {
    ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, data, tile, tile_bytes);
    ptx::cp_async_bulk_commit_group();
    if (with_wait) ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
    tile[5] = -1;
    ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
  }
}

// The same with copies of the threads themselves (cp.async), whose end is an arrival.
__global__ void reverse(const float* in, float* out, bool with_wait) {
  __shared__ float tile[tile_floats];
  __shared__ alignas(8) std::uint64_t full;
  if (threadIdx.x == 0) ptx::mbarrier_init(&full, tile_floats);
  __syncthreads();
  __pipeline_memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], 4);
  ptx::cp_async_mbarrier_arrive_noinc(&full);
  if (with_wait) wait(&full, 0);
  out[threadIdx.x] = tile[tile_floats - 1 - threadIdx.x];
}

// The same in C++: a bulk copy through cuda::barrier, in one of three ways.
__global__ void by_class(const float* in, float* out, int way) {
  using barrier = cuda::barrier<cuda::thread_scope_block>;
  __shared__ alignas(128) float tile[tile_floats];
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ barrier full;
  if (threadIdx.x == 0) {
    init(&full, blockDim.x);
    ptx::fence_proxy_async(ptx::space_shared);
  }
  __syncthreads();
  barrier::arrival_token token;
  const auto size = cuda::aligned_size_t<16>(tile_bytes);
  if (way == 0 && threadIdx.x == 0) {
    cuda::device::memcpy_async_tx(tile, in, size, full);
    token = cuda::device::barrier_arrive_tx(full, 1, tile_bytes);
  } else {
    if (way == 1 && threadIdx.x == 0) cuda::memcpy_async(tile, in, size, full);
    if (way == 2) cuda::memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], sizeof(float), full);
    token = full.arrive();
  }
  full.wait(std::move(token));
  out[threadIdx.x] = tile[tile_floats - 1 - threadIdx.x];
  full.arrive_and_wait();
}

}  // namespace

TEST_CASE("bulk copies: a warp copies tiles for the others") {
  Shared<float> in(7 * tile_floats);
  Shared<float> out(tile_floats);
  for (unsigned i = 0; i < 7 * tile_floats; ++i) in[i] = static_cast<float>(i);
  sum_tiles<<<1, tile_floats + 32>>>(in.get(), out.get(), 7U, none);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  for (unsigned i = 0; i < tile_floats; ++i) {
    CHECK(out[i] == static_cast<float>(7 * (tile_floats - 1 - i) + tile_floats * 21));
  }
}

TEST_CASE("bulk copies: a tile is filled anew") {
  Shared<float> in(5 * tile_floats);
  Shared<float> out(tile_floats);
  for (unsigned i = 0; i < 5 * tile_floats; ++i) in[i] = static_cast<float>(i);
  refill<<<1, tile_floats>>>(in.get(), out.get(), 5U, true, true);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  for (unsigned i = 0; i < tile_floats; ++i) {
    CHECK(out[i] == static_cast<float>(5 * (i ^ 32U) + tile_floats * 10));
  }
}

TEST_CASE("bulk copies: out of shared memory") {
  Shared<float> data(tile_floats);
  for (unsigned i = 0; i < tile_floats; ++i) data[i] = static_cast<float>(i);
  turn<<<1, tile_floats>>>(data.get(), true, true);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  for (unsigned i = 0; i < tile_floats; ++i) {
    CHECK(data[i] == static_cast<float>(tile_floats - 1 - i));
  }
}

TEST_CASE("bulk copies: threads arrive when their own copies are done") {
  Shared<float> in(tile_floats);
  Shared<float> out(tile_floats);
  for (unsigned i = 0; i < tile_floats; ++i) in[i] = static_cast<float>(i);
  reverse<<<1, tile_floats>>>(in.get(), out.get(), true);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  for (unsigned i = 0; i < tile_floats; ++i) {
    CHECK(out[i] == static_cast<float>(tile_floats - 1 - i));
  }
}

TEST_CASE("bulk copies: cuda::barrier") {
  for (int way = 0; way < 3; ++way) {
    CAPTURE(way);
    Shared<float> in(tile_floats);
    Shared<float> out(tile_floats);
    for (unsigned i = 0; i < tile_floats; ++i) in[i] = static_cast<float>(i);
    by_class<<<1, tile_floats>>>(in.get(), out.get(), way);
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
    for (unsigned i = 0; i < tile_floats; ++i) {
      CHECK(out[i] == static_cast<float>(tile_floats - 1 - i));
    }
  }
}

#ifdef CUDA_EMULATOR

namespace {

struct Memory {
  float* in = nullptr;
  float* out = nullptr;
  Memory() {
    emulator::set_checking(true);  // now, so that it is known what has been written
    REQUIRE(cudaMalloc(&in, 8 * tile_bytes) == cudaSuccess);
    REQUIRE(cudaMalloc(&out, tile_bytes) == cudaSuccess);
    REQUIRE(cudaMemset(in, 0, 8 * tile_bytes) == cudaSuccess);
  }
  ~Memory() { emulator::set_checking(false); }
};

std::string found_with(Mistake mistake) {
  const Memory memory;
  return first_line(lines_found_in(
      [&] { sum_tiles<<<1, tile_floats + 32>>>(memory.in, memory.out, 7U, mistake); }));
}

// Copies of `bytes` bytes, one after the other in shared memory, and in rows of 4096 bytes, or
// (16) one after the other, in global memory.
__global__ void copy_in(const char* in, unsigned bytes, unsigned copies) {
  __shared__ alignas(128) char tile[8192];
  __shared__ alignas(8) std::uint64_t full;
  if (threadIdx.x != 0) return;
  ptx::mbarrier_init(&full, 1);
  ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full,
                                 bytes * copies);
  for (unsigned i = 0; i < copies; ++i) {
    const unsigned row = bytes == 16 ? 16 * i : i % 3 * 4096;
    ptx::cp_async_bulk(ptx::space_shared, ptx::space_global, tile + bytes * i, in + row, bytes,
                       &full);
  }
  wait(&full, 0);
}

}  // namespace

TEST_CASE("bulk copies: the checks find each mistake, and nothing in what is right") {
  const auto refilled = [](unsigned rounds, bool with_wait, bool with_barrier) {
    const Memory memory;
    return first_line(lines_found_in([&] {
      refill<<<1, tile_floats>>>(memory.in, memory.out, rounds, with_wait, with_barrier);
    }));
  };
  const std::string too_early =
      "race: a bulk copy writes memory that another thread of its block has read, and nothing "
      "orders "
      "the two";
  const std::string unfinished =
      "race: the kernel reads shared memory that a bulk copy may still be writing";
  const std::string for_ever = "misused-barrier: a thread waits forever at an mbarrier: its phase ";
  CHECK(found_with(none).empty());
  CHECK(refilled(5, true, true).empty());
  CHECK(refilled(1, false, true) == unfinished);
  CHECK(refilled(5, true, false) == too_early);
  CHECK(found_with(no_wait_for_full) ==
        "uninitialised: the kernel reads shared memory that nothing has written");
  CHECK(found_with(no_loop_around_wait) == unfinished);
  CHECK(found_with(full_of_wrong_parity) == too_early);
  CHECK(found_with(no_wait_for_empty) ==
        "misused-barrier: a thread arrives at an mbarrier for the next phase, and this one is not "
        "complete: copies are in flight, and nothing has waited for them");
  CHECK(found_with(arrival_before_lanes_met) == too_early);
  CHECK(found_with(empty_of_wrong_parity) ==
        for_ever + "still waits for 1 of 1 arrivals; it may be waiting for the wrong phase");
  CHECK(found_with(no_fence_behind_init) ==
        "missing-fence: a bulk copy uses an mbarrier that was initialised with no fence after it");
  CHECK(found_with(no_barrier_behind_init) ==
        "race: a thread uses an mbarrier that another thread of its block initialises, and nothing "
        "orders the two");
  CHECK(found_with(bytes_too_many) == for_ever + "expects 272 bytes, and copies have brought 256");
  CHECK(found_with(bytes_too_few) == for_ever + "expects 240 bytes, and copies have brought 256");
  CHECK(found_with(arrivals_missing) == for_ever + "still waits for 1 of 3 arrivals");
}

TEST_CASE("bulk copies: out of shared memory, the checks want a fence before and a wait behind") {
  const Memory memory;
  CHECK(lines_found_in([&] { turn<<<1, tile_floats>>>(memory.in, true, true); }).empty());
  CHECK(first_line(lines_found_in([&] { turn<<<1, tile_floats>>>(memory.in, false, true); })) ==
        "missing-fence: a bulk copy reads shared memory that threads have written, with no fence "
        "for the asynchronous proxy after the write");
  CHECK(first_line(lines_found_in([&] { turn<<<1, tile_floats>>>(memory.in, true, false); })) ==
        "race: the kernel writes shared memory that a bulk copy may still be reading");
  for (int way = 0; way < 3; ++way) {
    CAPTURE(way);
    CHECK(
        lines_found_in([&] { by_class<<<1, tile_floats>>>(memory.in, memory.out, way); }).empty());
  }
  CHECK(lines_found_in([&] { reverse<<<1, tile_floats>>>(memory.in, memory.out, true); }).empty());
  CHECK(first_line(lines_found_in([&] {
          reverse<<<1, tile_floats>>>(memory.in, memory.out, false);
        })).starts_with("race: "));
}

TEST_CASE("bulk copies: what has not been waited for has not arrived") {
  Shared<float> in(7 * tile_floats);
  Shared<float> out(tile_floats);
  for (unsigned i = 0; i < 7 * tile_floats; ++i) in[i] = 1;
  refill<<<1, tile_floats>>>(in.get(), out.get(), 1U, false, true);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(out[3] == -1);
}

TEST_CASE("bulk copies: what they move is counted apart, for each 128 bytes of shared memory") {
  Shared<float4> data(1024);
  const auto traffic = [&](std::size_t offset, unsigned bytes, unsigned copies) {
    return traffic_of([&] {
      copy_in<<<1, 32>>>(reinterpret_cast<const char*>(data.get()) + offset, bytes, copies);
    });
  };
  // As Nsight Compute has counted them on an H200.
  struct Case {
    std::size_t offset;
    unsigned bytes, copies, sectors;
  };
  const Case cases[] = {{0, 4096, 1, 128},   {16, 4096, 1, 160}, {64, 4096, 1, 128},
                        {0, 16, 1, 1},       {16, 16, 1, 1},     {0, 48, 1, 2},
                        {16, 48, 1, 2},      {48, 80, 1, 3},     {0, 16, 64, 64},
                        {112, 144, 32, 176}, {48, 80, 32, 104},  {112, 4096, 1, 160},
                        {80, 2048, 1, 80}};
  for (const Case& one : cases) {
    CAPTURE(one.offset);
    CAPTURE(one.bytes);
    const emulator::Traffic counted = traffic(one.offset, one.bytes, one.copies);
    CHECK(counted.bulk_load_sectors == one.sectors);
    CHECK(counted.bulk_load_copies == one.copies);
    CHECK(counted.bulk_load_bytes == one.bytes * one.copies);
    CHECK(counted.global_load_requests == 0);
    CHECK(counted.shared_store_instructions == 0);
  }
  Shared<float> row(tile_floats);
  const auto out = traffic_of([&] { turn<<<1, tile_floats>>>(row.get(), true, true); });
  CHECK(out.bulk_store_copies == 1);
  CHECK(out.bulk_store_sectors == tile_bytes / 32);
  CHECK(out.global_store_requests == 0);
}
#endif
