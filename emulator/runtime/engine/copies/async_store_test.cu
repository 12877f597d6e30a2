// Stores and reductions in other blocks' shared memory whose end an mbarrier there signals:
// st.async, red.async. nvcc (-arch=sm_90a) compiles this file as well.

#include <cooperative_groups.h>
#include <doctest/doctest.h>

#include <cstdint>
#include <cuda/ptx>
#include <string>

#include "tests/kernel_test.hpp"

namespace {

namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;

enum : unsigned { threads = 64 };

enum class Mistake : unsigned char {
  none,
  does_not_wait,
  expects_too_much,
  expects_too_little,
  own_barrier,   // and not that of the block that is stored to
  overwrites,    // what the other block may still read
  ends_before,   // the other block
  nobody_waits,  // ever
  not_aligned,
  begins_too_early  // before the other block has made its barrier
};

__device__ unsigned shared_address(const void* pointer) {
  return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}

__device__ void wait(std::uint64_t* barrier, unsigned parity) {
  while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cluster, barrier, parity)) {
  }
}

// Each block of a pair has the other one's numbers stored in its own memory, twice.
__global__ void __cluster_dims__(2) exchange(int* out, Mistake mistake) {
  alignas(16) __shared__ int box[threads];
  __shared__ std::uint64_t full;
  const cg::cluster_group cluster = cg::this_cluster();
  const int other = static_cast<int>(1 - cluster.block_rank());
  box[threadIdx.x] = -1;
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&full, 1);
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
  }
  if (mistake != Mistake::begins_too_early) cluster.sync();
  if (mistake == Mistake::ends_before && other == 0) return;
  int* const there = cluster.map_shared_rank(box, other) + threadIdx.x;
  std::uint64_t* const barrier = cluster.map_shared_rank(&full, other);
  int sum = 0;
  for (unsigned round = 0; round < 2; ++round) {
    const unsigned bytes = mistake == Mistake::expects_too_much     ? sizeof(box) + 4
                           : mistake == Mistake::expects_too_little ? sizeof(box) - 4
                                                                    : sizeof(box);
    if (threadIdx.x == 0) {
      ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full,
                                     bytes);
    }
    const int value = static_cast<int>(blockIdx.x * 100 + threadIdx.x + 1000 * round);
    int* const to = mistake == Mistake::not_aligned
                        ? reinterpret_cast<int*>(reinterpret_cast<char*>(there) + 2)
                        : there;
    ptx::st_async(to, value, mistake == Mistake::own_barrier ? &full : barrier);
    if (mistake == Mistake::nobody_waits) break;
    if (mistake != Mistake::does_not_wait) wait(&full, round);
    sum += box[threadIdx.x];
    if (mistake == Mistake::does_not_wait) wait(&full, round);
    if (mistake != Mistake::overwrites) cluster.sync();
  }
  out[blockIdx.x * threads + threadIdx.x] = sum;
  cluster.sync();
}

// All blocks count in the memory of the cluster's first.
enum : unsigned { words = 9 };
__global__ void count_all(unsigned* out, unsigned long long* sum) {
  __shared__ unsigned counts[words];
  __shared__ unsigned long long wide;
  __shared__ std::uint64_t full;
  const cg::cluster_group cluster = cg::this_cluster();
  const unsigned all = cluster.num_blocks() * threads;
  if (cluster.block_rank() == 0 && threadIdx.x == 0) {
    for (unsigned i = 0; i < words; ++i) counts[i] = i == 5 ? 0xFFFFU : 40;
    wide = 1ULL << 40;
    ptx::mbarrier_init(&full, 1);
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full,
                                   all * (4 * words + 8));
  }
  cluster.sync();
  unsigned* const there = cluster.map_shared_rank(counts, 0);
  std::uint64_t* const barrier = cluster.map_shared_rank(&full, 0);
  const unsigned n = cluster.block_rank() * threads + threadIdx.x;
  int* const numbers = reinterpret_cast<int*>(there);
  ptx::red_async(ptx::op_add, &there[0], n, barrier);
  ptx::red_async(ptx::op_add, &numbers[1], -1, barrier);
  ptx::red_async(ptx::op_min, &numbers[2], static_cast<int>(n) - 7, barrier);
  ptx::red_async(ptx::op_max, &there[3], n, barrier);
  ptx::red_async(ptx::op_inc, &there[4], 99U, barrier);
  ptx::red_async(ptx::op_and_op, &there[5], ~(n & 0xF0U), barrier);
  ptx::red_async(ptx::op_or_op, &there[6], n & 0xF00U, barrier);
  ptx::red_async(ptx::op_xor_op, &there[7], n, barrier);
  const unsigned address = shared_address(there);
  asm volatile(
      "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.dec.u32 [%0+32], %1, "
      "[%2];" ::"r"(address),
      "r"(50U), "r"(shared_address(barrier))
      : "memory");
  ptx::red_async(ptx::op_add, reinterpret_cast<std::uint64_t*>(cluster.map_shared_rank(&wide, 0)),
                 static_cast<std::uint64_t>(n), barrier);
  if (cluster.block_rank() == 0) {
    wait(&full, 0);
    if (threadIdx.x < words) out[threadIdx.x] = counts[threadIdx.x];
    if (threadIdx.x == 0) *sum = wide;
  }
  cluster.sync();
}

// The widths, as PTX: of each block of a pair one thread stores to the other block.
__global__ void __cluster_dims__(2) widths(unsigned* out) {
  alignas(16) __shared__ unsigned box[16];
  __shared__ std::uint64_t full;
  const cg::cluster_group cluster = cg::this_cluster();
  const unsigned other = 1 - cluster.block_rank();
  ptx::mbarrier_init(&full, 1);
  ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
  ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full, 52);
  cluster.sync();
  unsigned* const there = cluster.map_shared_rank(box, other);
  std::uint64_t* const barrier_there = cluster.map_shared_rank(&full, other);
  const unsigned to = shared_address(there);
  const unsigned barrier = shared_address(barrier_there);
  asm volatile(
      "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v4.b32 [%0], "
      "{%1, %2, %3, %4}, [%5];" ::"r"(to),
      "r"(1U), "r"(2U), "r"(3U), "r"(4U), "r"(barrier)
      : "memory");
  asm volatile(
      "st.async.shared::cluster.mbarrier::complete_tx::bytes.v2.u64 [%0+16], {%1, %2}, "
      "[%3];" ::"r"(to),
      "l"(5ULL << 32 | (6 + blockIdx.x)), "l"(7ULL), "r"(barrier)
      : "memory");
  asm volatile(
      "st.async.shared::cluster.mbarrier::complete_tx::bytes.f64 [%0+32], %1, [%2];" ::"r"(to),
      "d"(1.5), "r"(barrier)
      : "memory");
  const unsigned pair[2] = {8, 9};
  ptx::st_async(&there[10], pair, barrier_there);
  asm volatile(
      "st.async.shared::cluster.mbarrier::complete_tx::bytes.s32 [%0+48], 10, [%1];" ::"r"(to),
      "r"(barrier)
      : "memory");
  wait(&full, 0);
  for (unsigned i = 0; i < 13; ++i) out[blockIdx.x * 13 + i] = box[i];
  cluster.sync();
}

cudaError_t launch_in_clusters_of(unsigned size, unsigned* out, unsigned long long* sum) {
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim = {size, 1, 1};
  cudaLaunchConfig_t config{};
  config.gridDim = size;
  config.blockDim = threads;
  config.attrs = &attribute;
  config.numAttrs = 1;
  return cudaLaunchKernelEx(&config, count_all, out, sum);
}

}  // namespace

TEST_CASE("asynchronous stores: the other block waits for them, and has them") {
  Shared<int> out(2 * threads);
  exchange<<<2, threads>>>(out.get(), Mistake::none);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  for (unsigned i = 0; i < 2 * threads; ++i) {
    const unsigned from = 1 - i / threads;
    CHECK(out[i] == static_cast<int>(2 * (from * 100 + i % threads) + 1000));
  }
}

TEST_CASE("asynchronous stores: all widths") {
  Shared<unsigned> out(2 * 13);
  widths<<<2, 1>>>(out.get());
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  for (unsigned block = 0; block < 2; ++block) {
    const unsigned expected[] = {1, 2, 3, 4, 7 - block, 5, 7, 0, 0, 0x3FF80000, 8, 9, 10};
    for (unsigned i = 0; i < 13; ++i) CHECK(out[block * 13 + i] == expected[i]);
  }
}

TEST_CASE("asynchronous reductions: all blocks count in one") {
  Shared<unsigned> out(words);
  Shared<unsigned long long> sum(1);
  REQUIRE(launch_in_clusters_of(4, out.get(), sum.get()) == cudaSuccess);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  constexpr unsigned all = 4 * threads;
  unsigned bits = 40;
  unsigned together = 40;
  unsigned fewer = 40;
  for (unsigned n = 0; n < all; ++n) {
    bits ^= n;
    together |= n & 0xF00U;
    fewer = fewer == 0 ? 50 : fewer - 1;
  }
  CHECK(out[0] == 40 + all * (all - 1) / 2);
  CHECK(static_cast<int>(out[1]) == 40 - static_cast<int>(all));
  CHECK(static_cast<int>(out[2]) == -7);
  CHECK(out[3] == all - 1);
  CHECK(out[4] == (40 + all) % 100);
  CHECK(out[5] == 0xFF0F);
  CHECK(out[6] == together);
  CHECK(out[7] == bits);
  CHECK(out[8] == fewer);
  CHECK(sum[0] == (1ULL << 40) + all * (all - 1) / 2);
}

#ifdef CUDA_EMULATOR

namespace {

enum class How : unsigned char { stores, reduces, copies };

__global__ void store_to_itself(How how) {
  alignas(16) __shared__ unsigned box[8];
  __shared__ std::uint64_t full;
  ptx::mbarrier_init(&full, 1);
  ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full, 4);
  if (how == How::stores) ptx::st_async(&box[0], 1U, &full);
  if (how == How::reduces) ptx::red_async(ptx::op_add, &box[0], 1U, &full);
  if (how == How::copies) {
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_shared, &box[0], &box[4], 16, &full);
  }
  wait(&full, 0);
}

std::string found_in(Mistake mistake) {
  emulator::set_checking(true);
  Shared<int> out(2 * threads);
  const std::string found = lines_found_in([&] { exchange<<<2, threads>>>(out.get(), mistake); });
  emulator::set_checking(false);
  return found;
}

}  // namespace

TEST_CASE("asynchronous stores: what is found") {
  const auto finds = [](Mistake mistake, const char* what) {
    const std::string found = found_in(mistake);
    INFO(found);
    CHECK(found.find(what) != std::string::npos);
  };
  CHECK(found_in(Mistake::none).empty());
  finds(Mistake::does_not_wait,
        "race: the kernel reads shared memory that an asynchronous store may still be writing");
  finds(Mistake::overwrites, "race: an asynchronous store writes ");
  finds(Mistake::expects_too_much,
        "misused-barrier: a thread waits forever at an mbarrier: its phase expects 260 bytes, and "
        "copies have brought 256");
  finds(Mistake::expects_too_little,
        "misused-barrier: a thread waits forever at an mbarrier: its phase expects 252 bytes, and "
        "copies have brought 256");
  finds(Mistake::own_barrier,
        "misused-barrier: an asynchronous store signals an mbarrier in another block than "
        "its target");
  finds(Mistake::nobody_waits,
        "misused-barrier: a block ends while an asynchronous store to its shared memory is in "
        "flight: nothing has waited for the phase that it belongs to");
  finds(Mistake::not_aligned,
        "misaligned: an asynchronous store of 4 bytes has an address that is not a multiple of "
        "that");
  for (const Mistake gone : {Mistake::ends_before, Mistake::begins_too_early}) {
    finds(gone,
          "misused-barrier: a thread uses an mbarrier of block 1 of the cluster that is not "
          "initialised, or no longer is: wait for the cluster first");
  }
}

TEST_CASE("asynchronous stores and reductions: an illegal instruction without clusters") {
  for (const How how : {How::stores, How::reduces, How::copies}) {
    store_to_itself<<<1, 1>>>(how);
    CHECK(cudaDeviceSynchronize() == cudaErrorIllegalInstruction);
    CHECK(cudaDeviceReset() == cudaSuccess);
  }
}

TEST_CASE("asynchronous reductions: nothing is found where there is nothing") {
  emulator::set_checking(true);
  Shared<unsigned> out(words);
  Shared<unsigned long long> sum(1);
  CHECK(lines_found_in([&] { launch_in_clusters_of(2, out.get(), sum.get()); }).empty());
  emulator::set_checking(false);
}

TEST_CASE("asynchronous stores: they are no traffic, as all that goes to other blocks' memory") {
  Shared<int> out(2 * threads);
  const emulator::Traffic traffic =
      traffic_of([&] { exchange<<<2, threads>>>(out.get(), Mistake::none); });
  CHECK(traffic.bulk_load_copies == 0);
  CHECK(traffic.shared_store_instructions == 2 * threads / 32);
  CHECK(traffic.global_store_requests == 2 * threads / 32);
}

#endif
