// Clusters. nvcc (-arch=sm_90a) compiles this file as well. What the checks find:
// cluster_checks_test.cu

#include <cooperative_groups.h>
#include <doctest/doctest.h>

#include <cstdint>
#include <cuda/ptx>
#include <string>
#include <vector>

#include "tests/kernel_test.hpp"

namespace {

namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;

enum : unsigned { threads = 64 };

// Each block takes the elements of the block before it in its cluster, by way of its own memory.
__global__ void __cluster_dims__(4, 1, 1) rotate(int* out, const int* in) {
  __shared__ int mine[threads];
  const cg::cluster_group cluster = cg::this_cluster();
  const unsigned i = blockIdx.x * threads + threadIdx.x;
  mine[threadIdx.x] = in[i];
  cluster.sync();
  const unsigned before = (cluster.block_rank() + 3) % cluster.num_blocks();
  out[i] = cluster.map_shared_rank(mine, static_cast<int>(before))[threadIdx.x];
  cluster.sync();
}

template <int x, int y>
__global__ void __cluster_dims__(x * 1, y) count_blocks(unsigned* out) {
  if (threadIdx.x != 0) return;
  unsigned rank = 0;
  unsigned blocks = 0;
  unsigned column = 0;
  unsigned row = 0;
  unsigned cluster = 0;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  asm volatile("mov.u32 %0, %%cluster_nctarank;" : "=r"(blocks));
  asm volatile("mov.u32 %0, %%cluster_ctaid.x;" : "=r"(column));
  asm volatile("mov.u32 %0, %%cluster_ctaid.y;" : "=r"(row));
  asm volatile("mov.u32 %0, %%clusterid.x;" : "=r"(cluster));
  out[blockIdx.x + gridDim.x * blockIdx.y] =
      rank + 16 * blocks + 256 * column + 4096 * row + 65536 * cluster;
}

__global__ void nothing(int* out) {
  if (out != nullptr) *out = 1;
}

// PTX: every block adds to a counter of the cluster's block 0, and then reads it.
__global__ void add_by_ptx(unsigned* out) {
  __shared__ unsigned counter;
  if (threadIdx.x == 0) counter = 0;
  const auto address = static_cast<unsigned>(__cvta_generic_to_shared(&counter));
  asm volatile("barrier.cluster.arrive.aligned;\n barrier.cluster.wait.aligned;" ::: "memory");
  unsigned first = 0;
  asm volatile("mapa.shared::cluster.u32 %0, %1, 0;" : "=r"(first) : "r"(address));
  asm volatile("red.relaxed.cluster.shared::cluster.add.u32 [%0], %1;" ::"r"(first), "r"(1U)
               : "memory");
  asm volatile("barrier.cluster.arrive.release;\n barrier.cluster.wait.acquire;" ::: "memory");
  unsigned sum = 0;
  unsigned owner = 9;
  asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(sum) : "r"(first) : "memory");
  asm volatile("getctarank.shared::cluster.u32 %0, %1;" : "=r"(owner) : "r"(first));
  if (threadIdx.x == 0) out[blockIdx.x] = sum + 1000 * owner;
  asm volatile("barrier.cluster.arrive;\n barrier.cluster.wait;" ::: "memory");
}

// Block 0 has tiles copied to both blocks of its pair; each tells both when it has read one.
enum : unsigned { tile_floats = 128, stages = 2 };
__global__ void __cluster_dims__(2)
    share_tiles(float* out, const float* in, unsigned tiles, unsigned short mask) {
  alignas(16) __shared__ float tile[stages][tile_floats];
  __shared__ std::uint64_t full[stages];
  __shared__ std::uint64_t empty[stages];
  const cg::cluster_group cluster = cg::this_cluster();
  if (threadIdx.x == 0) {
    for (unsigned s = 0; s < stages; ++s) {
      ptx::mbarrier_init(&full[s], 1);
      ptx::mbarrier_init(&empty[s], 2);
    }
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
  }
  asm volatile("barrier.cluster.arrive.relaxed.aligned;\n barrier.cluster.wait.aligned;" ::
                   : "memory");
  float sum = 0;
  for (unsigned t = 0; t < tiles; ++t) {
    const unsigned s = t % stages;
    const unsigned round = t / stages;
    if (threadIdx.x == 0) {
      ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full[s],
                                     tile_floats * sizeof(float));
      if (cluster.block_rank() == 0) {
        while (round > 0 && !ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cluster,
                                                           &empty[s], (round + 1) % 2)) {
        }
        const auto to = static_cast<unsigned>(__cvta_generic_to_shared(tile[s]));
        const auto bar = static_cast<unsigned>(__cvta_generic_to_shared(&full[s]));
        asm volatile(
            "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster "
            "[%0], [%1], %2, [%3], %4;" ::"r"(to),
            "l"(in + t * tile_floats), "r"(static_cast<unsigned>(tile_floats * sizeof(float))),
            "r"(bar), "h"(mask)
            : "memory");
      }
    }
    while (!ptx::mbarrier_try_wait_parity(&full[s], round % 2)) {
    }
    sum += tile[s][threadIdx.x] + tile[s][threads + threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0) {
      const auto here = static_cast<unsigned>(__cvta_generic_to_shared(&empty[s]));
      asm volatile(
          "{\n .reg .b32 there;\n mapa.shared::cluster.u32 there, %0, %1;\n"
          "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [there], %2;\n}" ::"r"(here),
          "r"(0U), "r"(1U)
          : "memory");
    }
  }
  out[blockIdx.x * threads + threadIdx.x] = sum;
  cluster.sync();
}

// From a block's shared memory to that of the next one.
__global__ void __cluster_dims__(2) copy_over(float* out) {
  alignas(16) __shared__ float from[threads];
  alignas(16) __shared__ float to[threads];
  __shared__ std::uint64_t full;
  const cg::cluster_group cluster = cg::this_cluster();
  from[threadIdx.x] = static_cast<float>(blockIdx.x * 100 + threadIdx.x);
  ptx::fence_proxy_async();
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&full, 1);
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full,
                                   threads * sizeof(float));
  }
  cluster.sync();
  if (threadIdx.x == 0) {
    const int other = static_cast<int>(1 - cluster.block_rank());
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_shared, cluster.map_shared_rank(to, other),
                       from, threads * sizeof(float), cluster.map_shared_rank(&full, other));
  }
  while (!ptx::mbarrier_try_wait_parity(&full, 0)) {
  }
  out[blockIdx.x * threads + threadIdx.x] = to[threadIdx.x];
  cluster.sync();
}

template <class Kernel, class... Arguments>
cudaError_t launch_in(dim3 cluster, Kernel kernel, dim3 grid, Arguments... arguments) {
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = cluster.x;
  attribute.val.clusterDim.y = cluster.y;
  attribute.val.clusterDim.z = cluster.z;
  cudaLaunchConfig_t config{};
  config.gridDim = grid;
  config.blockDim = threads;
  config.attrs = &attribute;
  config.numAttrs = 1;
  const cudaError_t error = cudaLaunchKernelEx(&config, kernel, arguments...);
  static_cast<void>(cudaGetLastError());
  return error;
}

}  // namespace

TEST_CASE("clusters: blocks read each other's shared memory") {
  Shared<int> in(8 * threads);
  Shared<int> out(8 * threads);
  for (unsigned i = 0; i < 8 * threads; ++i) in[i] = static_cast<int>(i);
  rotate<<<8, threads>>>(out.get(), in.get());
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  unsigned wrong = 0;
  for (unsigned i = 0; i < 8 * threads; ++i) {
    const unsigned block = i / threads;
    const unsigned before = block / 4 * 4 + (block + 3) % 4;
    wrong += out[i] == static_cast<int>(before * threads + i % threads) ? 0U : 1U;
  }
  CHECK(wrong == 0);
}

TEST_CASE("clusters: special registers say where a block is") {
  Shared<unsigned> out(16);
  count_blocks<2, 2><<<dim3(4, 4), threads>>>(out.get());
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  for (unsigned y = 0; y < 4; ++y) {
    for (unsigned x = 0; x < 4; ++x) {
      CHECK(out[x + 4 * y] ==
            x % 2 + 2 * (y % 2) + 16 * 4 + 256 * (x % 2) + 4096 * (y % 2) + 65536 * (x / 2));
    }
  }
}

TEST_CASE("clusters: PTX adds to another block's memory, in a launch that says what a cluster is") {
  Shared<unsigned> out(8);
  REQUIRE(launch_in(dim3(4), add_by_ptx, dim3(8), out.get()) == cudaSuccess);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  for (unsigned i = 0; i < 8; ++i) CHECK(out[i] == 4 * threads);
  add_by_ptx<<<8, threads>>>(out.get());  // each block is a cluster of its own
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  for (unsigned i = 0; i < 8; ++i) CHECK(out[i] == threads);
}

// As an H200 answers.
TEST_CASE("clusters: those that do not fit are refused") {
  int* const none = nullptr;
  CHECK(launch_in(2, nothing, 4, none) == cudaSuccess);
  CHECK(launch_in(3, nothing, 3, none) == cudaSuccess);
  CHECK(launch_in(8, nothing, 8, none) == cudaSuccess);
  CHECK(launch_in(dim3(0, 0, 0), nothing, 4, none) == cudaSuccess);
  CHECK(launch_in(2, nothing, 3, none) == cudaErrorInvalidClusterSize);
  CHECK(launch_in(2, nothing, 1, none) == cudaErrorInvalidClusterSize);
  CHECK(launch_in(16, nothing, 16, none) == cudaErrorInvalidClusterSize);
  CHECK(launch_in(dim3(0, 1, 1), nothing, 4, none) == cudaErrorInvalidClusterSize);
  unsigned* const nowhere = nullptr;
  CHECK(launch_in(4, count_blocks<2, 1>, 4, nowhere) == cudaErrorInvalidClusterSize);
  CHECK(launch_in(1, count_blocks<2, 1>, 4, nowhere) == cudaErrorInvalidClusterSize);
  count_blocks<2, 1><<<3, threads>>>(nowhere);
  CHECK(cudaGetLastError() == cudaErrorInvalidClusterSize);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  int blocks = 0;
  cudaLaunchConfig_t config{};
  config.gridDim = 64;
  config.blockDim = 256;
  CHECK(cudaOccupancyMaxPotentialClusterSize(&blocks, nothing, &config) == cudaSuccess);
  CHECK(blocks == 8);
  CHECK(cudaOccupancyMaxActiveClusters(&blocks, nothing, &config) == cudaSuccess);
  CHECK(blocks == 0);  // it was not said what a cluster is
  const auto allowed = cudaFuncAttributeNonPortableClusterSizeAllowed;
  CHECK(cudaFuncSetAttribute(nothing, allowed, 1) == cudaSuccess);
  CHECK(launch_in(16, nothing, 16, none) == cudaSuccess);
  CHECK(launch_in(32, nothing, 32, none) == cudaErrorInvalidClusterSize);
  CHECK(cudaOccupancyMaxPotentialClusterSize(&blocks, nothing, &config) == cudaSuccess);
  CHECK(blocks == 16);
  CHECK(cudaFuncSetAttribute(nothing, allowed, 0) == cudaSuccess);
}

TEST_CASE("clusters: tiles go to several blocks, which tell each other when they have read them") {
  constexpr unsigned tiles = 7;
  Shared<float> in(tiles * tile_floats);
  Shared<float> out(4 * threads);
  for (unsigned i = 0; i < tiles * tile_floats; ++i) in[i] = static_cast<float>(i % 101);
  share_tiles<<<4, threads>>>(out.get(), in.get(), tiles, 3);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  for (unsigned i = 0; i < 4 * threads; ++i) {
    float sum = 0;
    for (unsigned t = 0; t < tiles; ++t) {
      const unsigned at = t * tile_floats + i % threads;
      sum += in[at] + in[at + threads];
    }
    REQUIRE(out[i] == sum);
  }
}

TEST_CASE("clusters: a copy goes from one block's shared memory to another's") {
  Shared<float> out(2 * threads);
  copy_over<<<2, threads>>>(out.get());
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  for (unsigned i = 0; i < threads; ++i) {
    CHECK(out[i] == static_cast<float>(100 + i));
    CHECK(out[threads + i] == static_cast<float>(i));
  }
}
