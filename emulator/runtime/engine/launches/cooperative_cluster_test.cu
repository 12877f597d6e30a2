// Cooperative launches of clusters: all blocks of the grid wait for each other, and those of a
// cluster see each other's shared memory. nvcc (-arch=sm_90a) compiles this file as well.

#include <cooperative_groups.h>
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/kernel_test.hpp"

namespace {

namespace cg = cooperative_groups;

enum : unsigned { threads = 64 };

enum class Mistake : unsigned char {
  none,
  without_grid,     // nothing orders what clusters tell each other
  without_cluster,  // nothing orders what blocks of a cluster tell each other
  block_stays_away,
  cluster_stays_away,
  half_wait_for_the_cluster,
  one_fails
};

// Each block tells the next one of its cluster a number, by shared memory, and that one the cluster
// after its own, by global memory; again and again.
__device__ void pass_on(int* values, int* out, int rounds, Mistake mistake) {
  __shared__ int box;
  const cg::grid_group grid = cg::this_grid();
  const cg::cluster_group cluster = cg::this_cluster();
  const unsigned size = cluster.num_blocks();
  const unsigned block = blockIdx.x;
  int* const next = cluster.map_shared_rank(&box, (cluster.block_rank() + 1) % size);
  int own = static_cast<int>(block);
  grid.sync();
  if (mistake == Mistake::block_stays_away && block == size + 1) return;
  if (mistake == Mistake::cluster_stays_away && block / size == 1) return;
  for (int round = 0; round < rounds; ++round) {
    if (threadIdx.x == 0) *next = own + round;
    if (mistake != Mistake::without_cluster) cluster.sync();
    if (threadIdx.x == 0) values[block] = box;
    if (mistake == Mistake::half_wait_for_the_cluster && cluster.block_rank() == 0) {
      cluster.sync();
    } else if (mistake != Mistake::without_grid) {
      grid.sync();
    }
    if (mistake == Mistake::one_fails && block == 2) __trap();
    own += values[(block + size) % gridDim.x];
    grid.sync();
  }
  if (threadIdx.x == 0) out[block] = own;
  if (!grid.is_valid() || grid.cluster_rank() != block / size ||
      grid.num_clusters() != gridDim.x / size) {
    out[block] = -1;
  }
}

__global__ void by_attribute(int* values, int* out, int rounds, Mistake mistake) {
  pass_on(values, out, rounds, mistake);
}

__global__ void __cluster_dims__(2)
    by_declaration(int* values, int* out, int rounds, Mistake mistake) {
  pass_on(values, out, rounds, mistake);
}

constexpr int rounds = 3;

std::vector<int> expected(unsigned blocks, unsigned size) {
  std::vector<int> own(blocks);
  for (unsigned i = 0; i < blocks; ++i) own[i] = static_cast<int>(i);
  for (int round = 0; round < rounds; ++round) {
    const std::vector<int> before = own;
    for (unsigned i = 0; i < blocks; ++i) {
      const unsigned from = (i + size) % blocks;
      own[i] += before[from / size * size + (from % size + size - 1) % size] + round;
    }
  }
  return own;
}

cudaLaunchAttribute clusters_of(unsigned size) {
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim = {size, 1, 1};
  return attribute;
}

cudaLaunchAttribute cooperative() {
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeCooperative;
  attribute.val.cooperative = 1;
  return attribute;
}

cudaError_t launch_by_attribute(unsigned blocks, unsigned size, int* values, int* out,
                                Mistake mistake = Mistake::none) {
  cudaLaunchAttribute attributes[] = {clusters_of(size), cooperative()};
  cudaLaunchConfig_t config{};
  config.gridDim = blocks;
  config.blockDim = threads;
  config.attrs = attributes;
  config.numAttrs = 2;
  return cudaLaunchKernelEx(&config, by_attribute, values, out, rounds, mistake);
}

cudaError_t launch_by_declaration(unsigned blocks, int* values, int* out) {
  int count = rounds;
  Mistake mistake = Mistake::none;
  void* arguments[] = {&values, &out, &count, &mistake};
  return cudaLaunchCooperativeKernel((void*)by_declaration, dim3(blocks), dim3(threads), arguments);
}

// How many of the numbers are wrong.
int wrong(Shared<int>& out, unsigned blocks, unsigned size) {
  const std::vector<int> right = expected(blocks, size);
  int count = 0;
  for (unsigned i = 0; i < blocks; ++i) count += out[i] == right[i] ? 0 : 1;
  return count;
}

}  // namespace

TEST_CASE("cooperative clusters: all blocks of the grid wait for each other") {
  for (const unsigned size : {1U, 2U, 4U}) {
    CAPTURE(size);
    Shared<int> values(12);
    Shared<int> out(12);
    REQUIRE(launch_by_attribute(12, size, values.get(), out.get()) == cudaSuccess);
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
    CHECK(wrong(out, 12, size) == 0);
  }
  Shared<int> values(8);
  Shared<int> out(8);
  REQUIRE(launch_by_declaration(8, values.get(), out.get()) == cudaSuccess);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(wrong(out, 8, 2) == 0);
  CHECK(launch_by_declaration(3, values.get(), out.get()) == cudaErrorInvalidClusterSize);
  CHECK(cudaGetLastError() == cudaErrorInvalidClusterSize);
}

TEST_CASE("cooperative clusters: all must fit on the device at once") {
  cudaLaunchAttribute attributes[] = {clusters_of(8), cooperative()};
  cudaLaunchConfig_t config{};
  config.blockDim = 1024;
  config.gridDim = 8;
  config.attrs = attributes;
  config.numAttrs = 2;
  const cudaFuncAttribute allowed = cudaFuncAttributeNonPortableClusterSizeAllowed;
  REQUIRE(cudaFuncSetAttribute(by_attribute, allowed, 1) == cudaSuccess);
  int most = 0;
  REQUIRE(cudaOccupancyMaxActiveClusters(&most, by_attribute, &config) == cudaSuccess);
  config.gridDim = static_cast<unsigned>(8 * (most + 1));
  int* const none = nullptr;
  CHECK(cudaLaunchKernelEx(&config, by_attribute, none, none, 0, Mistake::none) ==
        cudaErrorCooperativeLaunchTooLarge);
  CHECK(cudaGetLastError() == cudaErrorCooperativeLaunchTooLarge);
  CHECK(cudaFuncSetAttribute(by_attribute, allowed, 0) == cudaSuccess);
}

#ifdef CUDA_EMULATOR

namespace {

std::string found_in(Mistake mistake) {
  constexpr unsigned blocks = 8;
  emulator::set_checking(true);
  Shared<int> values(blocks);
  Shared<int> out(blocks);
  std::string found = lines_found_in([&] {
    CHECK(launch_by_attribute(blocks, 2, values.get(), out.get(), mistake) == cudaSuccess);
  });
  emulator::set_checking(false);
  if (mistake == Mistake::none) CHECK(wrong(out, blocks, 2) == 0);
  return found;
}

bool contains(const std::string& text, const char* part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("cooperative clusters: what is found in them") {
  CHECK(found_in(Mistake::none).empty());
  CHECK(contains(found_in(Mistake::without_grid),
                 " a word of global memory that a thread of another block has "));
  CHECK(contains(found_in(Mistake::without_cluster),
                 " a word of shared memory that a thread of another block has "));
  const char* const absent =
      "divergent-barrier: a barrier of the grid waits for blocks that ended without reaching it";
  CHECK(contains(found_in(Mistake::block_stays_away), absent));
  CHECK(first_line(found_in(Mistake::cluster_stays_away)) == absent);
  CHECK(contains(found_in(Mistake::half_wait_for_the_cluster),
                 "divergent-barrier: some threads of a cluster wait at a barrier of the grid, and "
                 "the others elsewhere"));
  CHECK(first_line(found_in(Mistake::one_fails)).starts_with("failed-kernel: "));
}

TEST_CASE("cooperative clusters: what is recorded is the same each time") {
  Shared<int> values(8);
  Shared<int> out(8);
  const auto launch = [&] {
    CHECK(launch_by_attribute(8, 2, values.get(), out.get()) == cudaSuccess);
  };
  const emulator::Traffic first = traffic_of(launch);
  CHECK(wrong(out, 8, 2) == 0);
  CHECK(first.global_load_requests == 8 * rounds * threads / 32);
  CHECK(first.global_store_requests == 8 * rounds + 8);
  const emulator::Traffic second = traffic_of(launch);
  CHECK(second.global_load_sectors == first.global_load_sectors);
}

#endif
