// What the checks find in programs with clusters, and what is counted of them. Of the emulator
// alone.

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

struct What {
  bool waits_first = true;
  bool orders = true;  // what one writes and the other reads
  bool waits_last = true;
};

// The blocks of a pair write to each other's memory.
__global__ void __cluster_dims__(2) hand_over(int* out, What what) {
  __shared__ int box[threads];
  __shared__ int unused[threads];
  const cg::cluster_group cluster = cg::this_cluster();
  if (what.waits_first) cluster.sync();
  const int other = static_cast<int>(1 - cluster.block_rank());
  int* const there = cluster.map_shared_rank(box, other);
  there[threadIdx.x] = static_cast<int>(blockIdx.x * 100 + threadIdx.x);
  if (what.orders) {
    cluster.sync();
  } else {
    __syncthreads();
  }
  out[blockIdx.x * threads + threadIdx.x] = box[threadIdx.x];
  cluster.map_shared_rank(unused, other)[threadIdx.x] = 1;
  if (what.waits_last) cluster.sync();
}

enum class Mistake : std::uint8_t {
  none,
  not_ordered,
  arrives_twice,
  does_not_arrive,
  waits_there,
  one_ends,
  zero_ends
};

// Block 1 reads what block 0 has written, once that has arrived at its barrier.
__global__ void __cluster_dims__(2) signal(int* out, Mistake mistake) {
  __shared__ int box[threads];
  __shared__ std::uint64_t ready;
  const cg::cluster_group cluster = cg::this_cluster();
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&ready, threads);
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
  }
  asm volatile("barrier.cluster.arrive.relaxed.aligned;\n barrier.cluster.wait.aligned;" ::
                   : "memory");
  if (mistake == Mistake::one_ends || mistake == Mistake::zero_ends) {
    const int other = mistake == Mistake::one_ends ? 1 : 0;
    if (static_cast<int>(cluster.block_rank()) == other) return;
    ptx::mbarrier_arrive(ptx::sem_release, ptx::scope_cluster, ptx::space_cluster,
                         cluster.map_shared_rank(&ready, other));
    return;
  }
  if (cluster.block_rank() == 0) {
    box[threadIdx.x] = static_cast<int>(threadIdx.x);
    std::uint64_t* const there = cluster.map_shared_rank(&ready, 1);
    ptx::mbarrier_arrive(ptx::sem_release, ptx::scope_cluster, ptx::space_cluster, there);
    if (mistake == Mistake::waits_there) ptx::mbarrier_try_wait_parity(there, 0);
  } else {
    const int* const there = cluster.map_shared_rank(box, 0);
    if (mistake != Mistake::not_ordered) {
      while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cluster, &ready, 0)) {
      }
    }
    out[threadIdx.x] = there[threadIdx.x];
  }
  if (mistake == Mistake::arrives_twice) cluster.barrier_arrive();
  if (mistake != Mistake::does_not_arrive) cluster.barrier_arrive();
  cluster.barrier_wait();
}

__global__ void __cluster_dims__(2) copy_to(float* out, const float* in, unsigned short mask) {
  alignas(16) __shared__ float tile[threads];
  __shared__ std::uint64_t full;
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&full, 1);
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full,
                                   threads * sizeof(float));
  }
  cg::this_cluster().sync();
  if (threadIdx.x == 0 && blockIdx.x % 2 == 0) {
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile, in, threads * sizeof(float),
                       &full, mask);
  }
  while (!ptx::mbarrier_try_wait_parity(&full, 0)) {
  }
  out[blockIdx.x * threads + threadIdx.x] = tile[threadIdx.x];
  cg::this_cluster().sync();
}

// The findings of what is launched with an array of that many numbers. A launch that fails takes
// the array along, which is not a finding any more.
template <class T, class Launch>
std::string found_with(unsigned count, Launch launch) {
  emulator::set_checking(true);
  Shared<T> array(count);
  const std::string text = lines_found_in([&] { launch(array.get()); });
  emulator::set_checking(false);
  return text;
}

// Which of the two comes first is no matter.
bool races_with_other_block(const std::string& found) {
  const std::string line = first_line(found);
  return line.starts_with("race: one thread ") &&
         line.find(" a word of shared memory that a thread of another block has ") !=
             std::string::npos;
}

std::string found_in(What what) {
  return found_with<int>(4 * threads, [&](int* out) { hand_over<<<4, threads>>>(out, what); });
}

std::string found_in(Mistake mistake) {
  return found_with<int>(threads, [&](int* out) { signal<<<2, threads>>>(out, mistake); });
}

}  // namespace

TEST_CASE("clusters: the checks find unordered uses of other blocks' memory") {
  CHECK(found_in(What{}).empty());
  CHECK(first_line(found_in(What{false, true, true})) ==
        "race: a thread writes shared memory of another block of its cluster, which may not have "
        "begun");
  CHECK(races_with_other_block(found_in(What{true, false, true})));
  CHECK(
      first_line(found_in(What{true, true, false})) ==
      "race: a thread writes shared memory of another block of its cluster, which may have ended");
}

TEST_CASE("clusters: an mbarrier of another block orders what was done before") {
  CHECK(found_in(Mistake::none).empty());
  CHECK(races_with_other_block(found_in(Mistake::not_ordered)));
  CHECK(first_line(found_in(Mistake::waits_there)) ==
        "misused-barrier: a thread waits at an mbarrier of another block of the cluster: it can "
        "only arrive there");
}

// Whether the block has ended by then is up to chance, on a GPU.
TEST_CASE("clusters: to arrive at an mbarrier of a block that may have ended is found") {
  CHECK(first_line(found_in(Mistake::zero_ends)) ==
        "race: a thread uses shared memory of another block of its cluster, which may have ended");
  CHECK(
      first_line(found_in(Mistake::one_ends)) ==
      "race: a thread atomically changes shared memory of another block of its cluster, which may "
      "have ended");
}

TEST_CASE("clusters: who arrives twice at the barrier, or not at all, ends the launch") {
  CHECK(first_line(found_in(Mistake::arrives_twice)) ==
        "misused-barrier: a thread arrives at the barrier of its cluster, and has not waited since "
        "it last arrived");
  CHECK(first_line(found_in(Mistake::does_not_arrive)) ==
        "misused-barrier: a thread waits at the barrier of its cluster without arriving");
}

TEST_CASE("clusters: a copy to several blocks goes to those of the mask, which must be there") {
  const auto found = [](unsigned short mask) {
    return first_line(found_with<float>(
        5 * threads, [&](float* out) { copy_to<<<4, threads>>>(out, out + 4 * threads, mask); }));
  };
  CHECK(found(3).empty());
  CHECK(
      found(6) ==
      "failed-kernel: a multicast copy goes to the blocks of the mask 0x0006, and the cluster has "
      "only those of 0x0003");
  CHECK(found(1) ==
        "misused-barrier: a thread waits forever at an mbarrier: its phase expects 256 bytes, and "
        "copies have brought 0");
}

TEST_CASE("clusters: what is done in other blocks' memory is not counted, a copy to several once") {
  Shared<int> out(4 * threads);
  Shared<float> floats(4 * threads);
  const emulator::Traffic own = traffic_of([&] { hand_over<<<4, threads>>>(out.get(), What{}); });
  CHECK(own.shared_store_instructions == 0);
  CHECK(own.shared_load_instructions == 4 * threads / 32);
  const emulator::Traffic copied =
      traffic_of([&] { copy_to<<<4, threads>>>(floats.get(), floats.get(), 3); });
  CHECK(copied.bulk_load_bytes == 2 * threads * sizeof(float));
  CHECK(copied.bulk_load_sectors == 2 * threads * sizeof(float) / 32);
}
