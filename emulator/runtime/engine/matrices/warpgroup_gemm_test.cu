// A product of matrices as Hopper wants it: a warp copies tiles by tensor maps, two warpgroups
// multiply them with wgmma, and two stages go round. And what the checks say of each mistake in it.
// nvcc (-arch=sm_90a) compiles this file as well.

#include <cuda.h>
#include <cuda_bf16.h>
#include <doctest/doctest.h>

#include <cstdint>
#include <cuda/ptx>
#include <string>

#include "tests/kernel_test.hpp"
#include "tests/tensor_map_encoder.hpp"

namespace {

namespace ptx = cuda::ptx;

// Enumerators, as device code cannot have references to the host's constants.
enum : unsigned { tile = 128, tile_k = 64, stages = 2, threads = 2 * 128 + 32 };
enum : unsigned { tile_bytes = tile * tile_k * 2 };

enum Mistake : int {
  none,
  no_wait_for_full,
  arrival_before_wait,  // the stage is given back while wgmma may read it
  no_fence,
  fence_forgotten_later,
  no_commit,
  no_wait,
  wrong_swizzle,
  one_warp_missing,
  bytes_too_many,
};

struct Stage {
  alignas(1024) __nv_bfloat16 a[tile * tile_k];
  alignas(1024) __nv_bfloat16 b[tile * tile_k];
};
struct Storage {
  Stage stage[stages];
  std::uint64_t full[stages];
  std::uint64_t empty[stages];
};

__device__ void wait(std::uint64_t* barrier, unsigned parity) {
  while (!ptx::mbarrier_try_wait_parity(barrier, parity)) {
  }
}

__device__ std::uint64_t descriptor(const void* matrix, std::uint64_t mode) {
  const auto field = [](std::uint64_t bytes) { return (bytes & 0x3FFFF) >> 4; };
  return field(__cvta_generic_to_shared(matrix)) | field(16) << 16 | field(1024) << 32 | mode << 62;
}

// D += A B, of 64 rows, 128 columns and k 16.
__device__ void multiply(float (&d)[64], std::uint64_t a, std::uint64_t b, bool adds) {
  asm volatile(
      "{\n"
      ".reg .pred p;\n"
      "setp.ne.b32 p, %66, 0;\n"
      "wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16 "
      "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
      "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
      "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
      "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63}, "
      "%64, %65, p, 1, 1, 0, 0;\n"
      "}\n"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]),
        "+f"(d[7]), "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]),
        "+f"(d[14]), "+f"(d[15]), "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]), "+f"(d[20]),
        "+f"(d[21]), "+f"(d[22]), "+f"(d[23]), "+f"(d[24]), "+f"(d[25]), "+f"(d[26]), "+f"(d[27]),
        "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31]), "+f"(d[32]), "+f"(d[33]), "+f"(d[34]),
        "+f"(d[35]), "+f"(d[36]), "+f"(d[37]), "+f"(d[38]), "+f"(d[39]), "+f"(d[40]), "+f"(d[41]),
        "+f"(d[42]), "+f"(d[43]), "+f"(d[44]), "+f"(d[45]), "+f"(d[46]), "+f"(d[47]), "+f"(d[48]),
        "+f"(d[49]), "+f"(d[50]), "+f"(d[51]), "+f"(d[52]), "+f"(d[53]), "+f"(d[54]), "+f"(d[55]),
        "+f"(d[56]), "+f"(d[57]), "+f"(d[58]), "+f"(d[59]), "+f"(d[60]), "+f"(d[61]), "+f"(d[62]),
        "+f"(d[63])
      : "l"(a), "l"(b), "r"(static_cast<int>(adds)));
}

// Of one tile of C; k in steps of 64, into stages that go round.
__device__ void produce(Storage& storage, const CUtensorMap* map_a, const CUtensorMap* map_b,
                        unsigned steps, Mistake mistake) {
  for (unsigned step = 0; step < steps; ++step) {
    const unsigned s = step % stages;
    Stage& stage = storage.stage[s];
    wait(&storage.empty[s], (step / stages + 1) & 1U);
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared,
                                   &storage.full[s],
                                   2 * tile_bytes + (mistake == bytes_too_many ? 16 : 0));
    const auto k = static_cast<int>(step * tile_k);
    const std::int32_t at_a[2] = {k, static_cast<int>(blockIdx.y * tile)};
    const std::int32_t at_b[2] = {k, static_cast<int>(blockIdx.x * tile)};
    ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, stage.a, map_a, at_a,
                              &storage.full[s]);
    ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, stage.b, map_b, at_b,
                              &storage.full[s]);
  }
}

__device__ void consume(Storage& storage, float* c, unsigned n, unsigned steps, Mistake mistake) {
  float d[64];
  for (float& one : d) one = 0;
  const unsigned group = threadIdx.x / 128;
  const std::uint64_t mode = mistake == wrong_swizzle ? 2 : 1;
  const bool takes_part = mistake != one_warp_missing || threadIdx.x / 32 != 3;
  for (unsigned step = 0; step < steps; ++step) {
    const unsigned s = step % stages;
    if (mistake != no_wait_for_full) wait(&storage.full[s], step / stages & 1U);
    if (mistake != no_fence && (mistake != fence_forgotten_later || step == 0)) {
      asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    }
    const __nv_bfloat16* const a = storage.stage[s].a + group * 64 * tile_k;
    for (unsigned k = 0; takes_part && k < tile_k; k += 16) {
      multiply(d, descriptor(a + k, mode), descriptor(storage.stage[s].b + k, mode), true);
    }
    if (mistake != no_commit) asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    if (mistake == arrival_before_wait && threadIdx.x % 128 == 0) {
      ptx::mbarrier_arrive(&storage.empty[s]);
    }
    if (mistake != no_wait) asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    if (mistake == fence_forgotten_later) d[5] *= 2;
    if (mistake == arrival_before_wait) continue;
    asm volatile("bar.sync %0, 128;" ::"r"(group + 1) : "memory");
    if (threadIdx.x % 128 == 0) ptx::mbarrier_arrive(&storage.empty[s]);
  }
  const unsigned row = blockIdx.y * tile + threadIdx.x / 32 * 16 + threadIdx.x % 32 / 4;
  for (unsigned i = 0; i < 64; ++i) {
    const unsigned column = blockIdx.x * tile + i / 4 * 8 + threadIdx.x % 4 * 2 + i % 2;
    c[(row + i / 2 % 2 * 8) * n + column] = d[i];
  }
}

// C = A Bt, with A and Bt row by row.
__global__ void __launch_bounds__(threads)
    multiply_tiles(const __grid_constant__ CUtensorMap map_a,
                   const __grid_constant__ CUtensorMap map_b, float* c, unsigned n, unsigned k,
                   Mistake mistake) {
  extern __shared__ __align__(1024) unsigned char memory[];
  Storage& storage = *reinterpret_cast<Storage*>(memory);
  if (threadIdx.x == 0) {
    for (unsigned s = 0; s < stages; ++s) {
      ptx::mbarrier_init(&storage.full[s], 1);
      ptx::mbarrier_init(&storage.empty[s], 2);
    }
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
  }
  __syncthreads();
  if (threadIdx.x < 256) {
    consume(storage, c, n, k / tile_k, mistake);
  } else if (threadIdx.x == 256) {
    produce(storage, &map_a, &map_b, k / tile_k, mistake);
  }
}

// Products one after the other, of ones, and nothing between them where threads meet: after a wait
// some lanes start the next product before others have even looked at the last.
__global__ void __launch_bounds__(128) multiply_ones(float* sums, int steps) {
  extern __shared__ __align__(1024) unsigned char memory[];
  Stage& stage = *reinterpret_cast<Stage*>(memory);
  for (unsigned i = threadIdx.x; i < tile * tile_k; i += blockDim.x) stage.a[i] = stage.b[i] = 1;
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  float d[64];
  for (float& one : d) one = 0;
  for (int step = 0; step < steps; ++step) {
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    multiply(d, descriptor(stage.a, 1), descriptor(stage.b, 1), true);
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    if (step % 2 == 0) {
      asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
      d[0] += 1;
    } else {
      asm volatile("wgmma.wait_group.sync.aligned 1;" ::: "memory");
    }
  }
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
  sums[2 * threadIdx.x] = d[0];
  sums[2 * threadIdx.x + 1] = d[63];
}

float a_value(unsigned row, unsigned k) {
  return static_cast<float>(static_cast<int>((row * 7 + k * 3 + row * k) % 9) - 4);
}
float b_value(unsigned column, unsigned k) {
  return static_cast<float>(static_cast<int>((column * 5 + k * 11 + column * k) % 7) - 3);
}

struct Problem {
  unsigned m, n, k;
  __nv_bfloat16* a = nullptr;
  __nv_bfloat16* b = nullptr;
  float* c = nullptr;

  Problem(unsigned rows, unsigned columns, unsigned inner) : m(rows), n(columns), k(inner) {
    REQUIRE(cudaMallocManaged(&a, sizeof(*a) * m * k) == cudaSuccess);
    REQUIRE(cudaMallocManaged(&b, sizeof(*b) * n * k) == cudaSuccess);
    REQUIRE(cudaMallocManaged(&c, sizeof(*c) * m * n) == cudaSuccess);
    for (unsigned i = 0; i < m * k; ++i) a[i] = a_value(i / k, i % k);
    for (unsigned i = 0; i < n * k; ++i) b[i] = b_value(i / k, i % k);
  }
  void run(Mistake mistake = none, unsigned width = 0) const {
    const CUtensorMap map_a =
        matrix_map(a, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, m, k, tile, tile_k, 128, width);
    const CUtensorMap map_b =
        matrix_map(b, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, n, k, tile, tile_k, 128, width);
    REQUIRE(cudaFuncSetAttribute(multiply_tiles, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                 sizeof(Storage)) == cudaSuccess);
    multiply_tiles<<<dim3(n / tile, m / tile), threads, sizeof(Storage)>>>(map_a, map_b, c, n, k,
                                                                           mistake);
  }
  unsigned wrong() const {
    unsigned count = 0;
    for (unsigned row = 0; row < m; ++row) {
      for (unsigned column = 0; column < n; ++column) {
        float sum = 0;
        for (unsigned i = 0; i < k; ++i) sum += a_value(row, i) * b_value(column, i);
        if (c[row * n + column] != sum) ++count;
      }
    }
    return count;
  }
};

}  // namespace

TEST_CASE("a product by tensor maps and wgmma, with a warp that copies and two stages") {
  const Problem problem(256, 256, 256);
  problem.run();
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(problem.wrong() == 0);
}

TEST_CASE("wgmma: lanes go on one by one after a wait") {
  constexpr int steps = 5;
  float* sums = nullptr;
  REQUIRE(cudaMallocManaged(&sums, sizeof(*sums) * 256) == cudaSuccess);
  REQUIRE(cudaFuncSetAttribute(multiply_ones, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               sizeof(Stage)) == cudaSuccess);
  multiply_ones<<<1, 128, sizeof(Stage)>>>(sums, steps);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  for (int i = 0; i < 256; ++i) {
    CAPTURE(i);
    CHECK(sums[i] == steps * 16 + (i % 2 == 0 ? (steps + 1) / 2 : 0));
  }
  CHECK(cudaFree(sums) == cudaSuccess);
}

#ifdef CUDA_EMULATOR

namespace {

std::string found_with(Mistake mistake, unsigned k = 256) {
  emulator::set_checking(true);
  const Problem problem(128, 128, k);
  const std::string text = first_line(lines_found_in([&] { problem.run(mistake); }));
  emulator::set_checking(false);
  return text;
}

}  // namespace

TEST_CASE("wgmma: the checks find each mistake in a pipeline, and nothing in what is right") {
  const std::string too_early =
      "race: a bulk copy writes memory that another thread of its block has read, and nothing "
      "orders the two";
  CHECK(found_with(none) == "");
  CHECK(found_with(no_fence) ==
        "missing-fence: a warp starts its first wgmma without a wgmma.fence before it");
  CHECK(found_with(fence_forgotten_later) ==
        "missing-fence: a thread has changed wgmma accumulators, and starts the next product "
        "without a wgmma.fence between the two");
  // With two steps no stage is filled again.
  CHECK(found_with(no_commit, 128) ==
        "misused-barrier: a block ends with wgmma products in no committed group: no wait covers "
        "them");
  CHECK(found_with(no_wait, 128) ==
        "misused-barrier: a block ends with wgmma products in flight: nothing has waited for their "
        "group, and the accumulators still hold their old values");
  CHECK(found_with(no_wait) ==
        "race: a bulk copy writes shared memory that wgmma may still be reading");
  CHECK(found_with(wrong_swizzle) ==
        "misused-barrier: a wgmma matrix descriptor names a different swizzle from the tensor map "
        "that copied the tile");
  CHECK(found_with(arrival_before_wait) == too_early);
  CHECK(found_with(no_wait_for_full) == too_early);
  CHECK(found_with(one_warp_missing) ==
        "misused-barrier: some warps of a warpgroup have started more wgmma products than others: "
        "all four must execute each of them");
  CHECK(found_with(bytes_too_many) ==
        "misused-barrier: a thread waits forever at an mbarrier: its phase expects 32784 bytes, "
        "and copies have brought 32768");
}

TEST_CASE("wgmma: the checks find nothing where the matrices end within a word") {
  emulator::set_checking(true);
  const Problem problem(128, 128, 128);
  CHECK(lines_found_in([&] { problem.run(none, 115); }).empty());
  emulator::set_checking(false);
}

TEST_CASE("wgmma: who does not wait finds the accumulators as they were") {
  const Problem problem(128, 128, 128);
  problem.run(no_commit);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(problem.c[77] == 0);
}

#endif
