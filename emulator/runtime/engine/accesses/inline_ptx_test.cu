// PTX in the source. nvcc compiles this file as well, for a GPU of compute capability 9.0
// (-arch=sm_90a).

#include <doctest/doctest.h>

#include <cstdint>
#include <string>

#include "tests/kernel_test.hpp"

namespace {

__global__ void arithmetic(std::uint32_t a, std::uint32_t b, float x, std::uint32_t* out) {
  const std::uint32_t c = 0x12345678;
  std::uint32_t r = 0;
  asm("add.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
  out[0] = r;
  asm("lop3.b32 %0, %1, %2, %3, 0xE8;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
  out[1] = r;
  asm("prmt.b32 %0, %1, %2, 0x9035;" : "=r"(r) : "r"(0x8000U), "r"(c));
  out[2] = r;
  asm("bfe.u32 %0, %1, 8, 12;" : "=r"(r) : "r"(c));
  out[3] = r;
  asm("bfe.s32 %0, %1, %2, %3;" : "=r"(r) : "r"(0xF00U), "r"(8), "r"(4));
  out[4] = r;
  asm("bfi.b32 %0, %1, %2, 4, 8;" : "=r"(r) : "r"(0xABU), "r"(c));
  out[5] = r;
  float f = 0;
  asm("fma.rn.f32 %0, %1, %1, 0f3F800000;" : "=f"(f) : "f"(x));
  out[6] = __float_as_uint(f);
  asm("ex2.approx.f32 %0, %1;" : "=f"(f) : "f"(x));
  out[7] = static_cast<std::uint32_t>(f);
  // Registers of its own, a predicate, a loop: a sum of 1 to a.
  asm("{\n"
      "  .reg .pred p;\n"
      "  .reg .u32 i;\n"
      "  mov.u32 %0, 0;\n"
      "  mov.u32 i, %1;\n"
      "AGAIN%=:\n"
      "  setp.eq.u32 p, i, 0;\n"
      "  @p bra DONE%=;\n"
      "  add.u32 %0, %0, i;\n"
      "  sub.u32 i, i, 1;\n"
      "  bra AGAIN%=;\n"
      "DONE%=:\n"
      "}\n"
      : "=&r"(r)
      : "r"(a));
  out[8] = r;
  std::uint64_t wide = 0;
  asm("mul.wide.u32 %0, %1, %2;" : "=l"(wide) : "r"(0x80000000U), "r"(6U));
  out[9] = static_cast<std::uint32_t>(wide >> 32);
  asm("{ .reg .pred p; setp.lt.s32 p, %1, %2; selp.b32 %0, 7, 9, p; }" : "=r"(r) : "r"(-1), "r"(1));
  out[10] = r;
  asm("add.u32 %0, %0, %1;" : "+r"(r) : "n"(5));
  out[11] = r;
  asm volatile("mov.u32 %0, %%laneid;" : "=r"(r));
  out[12] = r;
}

// A tile turned round by cp.async and ld.shared.
__global__ void turn(const float4* in, float4* out, unsigned bytes) {
  __shared__ float4 tile[64];
  const auto to = static_cast<unsigned>(__cvta_generic_to_shared(&tile[threadIdx.x]));
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;\n" ::"r"(to), "l"(&in[threadIdx.x]),
               "r"(bytes));
  asm volatile("cp.async.commit_group;\n" ::);
  asm volatile("cp.async.wait_group %0;\n" ::"n"(0) : "memory");
  asm volatile("bar.sync 0;" ::: "memory");
  const auto from =
      static_cast<unsigned>(__cvta_generic_to_shared(&tile[blockDim.x - 1 - threadIdx.x]));
  float4 v;
  asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];"
               : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
               : "r"(from));
  asm volatile("st.global.cs.v4.f32 [%0], {%1, %2, %3, %4};" ::"l"(&out[threadIdx.x]), "f"(v.x),
               "f"(v.y), "f"(v.z), "f"(v.w)
               : "memory");
}

// As CUTLASS waits for a phase.
__device__ void wait(std::uint64_t* barrier, unsigned parity) {
  const auto address = static_cast<unsigned>(__cvta_generic_to_shared(barrier));
  asm volatile(
      "{\n"
      ".reg .pred       P1;\n"
      "LAB_WAIT: \n"
      "mbarrier.try_wait.parity.shared::cta.b64 P1, [%0], %1;\n"
      "@P1 bra DONE;\n"
      "bra     LAB_WAIT;\n"
      "DONE: \n"
      "}\n"
      :
      : "r"(address), "r"(parity));
}

// The last warp copies, and the others meet at a barrier of their own.
__global__ void with_producer(const float* in, float* out) {
  __shared__ alignas(128) float tile[64];
  __shared__ float sums[64];
  __shared__ alignas(8) std::uint64_t full;
  const auto barrier = static_cast<unsigned>(__cvta_generic_to_shared(&full));
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(1));
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  __syncthreads();
  if (threadIdx.x >= 64) {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
    if (threadIdx.x == 64) {
      const auto to = static_cast<unsigned>(__cvta_generic_to_shared(tile));
      asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier),
                   "r"(256U)
                   : "memory");
      asm volatile(
          "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, "
          "[%3];" ::"r"(to),
          "l"(in), "r"(256U), "r"(barrier)
          : "memory");
    }
    return;
  }
  asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(64));
  wait(&full, 0);
  sums[threadIdx.x] = 2 * tile[threadIdx.x];
  asm volatile("bar.sync 1, 64;" ::: "memory");
  out[threadIdx.x] = sums[63 - threadIdx.x];
}

// Operands may be members of unnamed unions, and parts of a structured binding.
__global__ void operands_of_unions(std::uint32_t* out) {
  union {
    std::uint32_t word;
    float real;
  };
  union {
    struct {
      std::uint16_t low, high;
    } halves;
    std::uint32_t whole;
  };
  real = 1.0F;
  asm("add.u32 %0, %1, 1;" : "=r"(whole) : "r"(word));
  out[0] = halves.high;
  asm("{ .reg .u32 a; mov.b32 a, {%1, %2}; add.u32 %0, a, 2; }"
      : "=r"(word)
      : "h"(halves.high), "h"(halves.low));
  out[1] = word;
  struct Two {
    std::uint32_t first, second;
  };
  auto [a, b] = Two{3, 4};
  asm volatile("{ .reg .pred p; setp.lt.u32 p, %0, %1; @!p bra OUT; add.u32 %0, %0, %1; OUT: }"
               : "+r"(a)
               : "r"(b));
  out[2] = a;
}

}  // namespace

TEST_CASE("asm: arithmetic, bits, predicates and labels") {
  Shared<std::uint32_t> out(13);
  arithmetic<<<1, 1>>>(100U, 0xFF00FFU, 3.0F, out.get());
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  const std::uint32_t a = 100;
  const std::uint32_t b = 0xFF00FF;
  const std::uint32_t c = 0x12345678;
  CHECK(out[0] == a + b);
  CHECK(out[1] == ((a & b) | (a & c) | (b & c)));
  CHECK(out[2] == 0xFF000056U);
  CHECK(out[3] == 0x456);
  CHECK(out[4] == 0xFFFFFFFFU);
  CHECK(out[5] == 0x12345AB8U);
  CHECK(out[6] == 0x41200000U);  // 10
  CHECK(out[7] == 8);
  CHECK(out[8] == 5050);
  CHECK(out[9] == 3);
  CHECK(out[10] == 7);
  CHECK(out[11] == 12);
  CHECK(out[12] == 0);
}

TEST_CASE("asm: copies, vectors, addresses of shared memory") {
  Shared<float4> in(64);
  Shared<float4> out(64);
  for (unsigned i = 0; i < 64; ++i) in[i] = make_float4(static_cast<float>(i), 1, 2, 3);
  turn<<<1, 64>>>(in.get(), out.get(), 16U);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  for (unsigned i = 0; i < 64; ++i) CHECK(out[i].x == static_cast<float>(63 - i));
  CHECK(out[9].w == 3);
  turn<<<1, 64>>>(in.get(), out.get(), 8U);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(out[9].y == 1);
  CHECK(out[9].z == 0);
}

TEST_CASE("asm: a producer warp, and a barrier of the others") {
  Shared<float> in(64);
  Shared<float> out(64);
  for (unsigned i = 0; i < 64; ++i) in[i] = static_cast<float>(i);
  with_producer<<<1, 96>>>(in.get(), out.get());
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  for (unsigned i = 0; i < 64; ++i) CHECK(out[i] == static_cast<float>(2 * (63 - i)));
}

#ifdef CUDA_EMULATOR
#include <emulator/findings.h>

namespace {

// Of the two warps that meet, one comes to the barrier of another number.
__global__ void meets(float* out, int mistake) {
  __shared__ float sums[96];
  if (threadIdx.x >= 64) return;
  sums[threadIdx.x] = 1;
  if (mistake == 0 || (mistake == 1 && threadIdx.x < 32)) asm volatile("bar.sync 1, 64;");
  if (mistake == 2) asm volatile("bar.sync 1, 40;");
  if (mistake == 3 && threadIdx.x < 32) asm volatile("bar.arrive 1, 64;");
  if (mistake == 3 && threadIdx.x >= 32) asm volatile("bar.sync 1, 64;");
  out[threadIdx.x] = sums[63 - threadIdx.x];
}

std::string found(int mistake) {
  emulator::clear_findings();
  emulator::set_checking(true);
  float* out = nullptr;
  REQUIRE(cudaMalloc(&out, 256) == cudaSuccess);
  meets<<<1, 96>>>(out, mistake);
  if (cudaDeviceSynchronize() != cudaSuccess) CHECK(cudaDeviceReset() == cudaSuccess);
  emulator::set_checking(false);
  std::string text;
  for (const emulator::Finding& finding : emulator::findings()) {
    text += finding.kind + ": " + finding.what + "\n";
  }
  emulator::clear_findings();
  return text;
}

}  // namespace

TEST_CASE("asm: numbered barriers are checked") {
  CHECK(found(0).empty());
  CHECK(found(1).find("divergent-barrier: barrier 1 is for 64 threads, and only 32 come") !=
        std::string::npos);
  CHECK(found(2) ==
        "misused-barrier: barrier 1 is for 40 threads: it must be a multiple of 32, and no more "
        "than the block has\n");
  CHECK(found(3).starts_with("race: "));  // a thread that only arrives knows nothing of the others
}

TEST_CASE("asm: what it moves is counted as anybody's") {
  Shared<float4> in(64);
  Shared<float4> out(64);
  const auto traffic = traffic_of([&] { turn<<<1, 32>>>(in.get(), out.get(), 16U); });
  CHECK(traffic.global_load_requests == 1);
  CHECK(traffic.global_load_sectors == 16);
  CHECK(traffic.shared_load_instructions == 1);
  CHECK(traffic.shared_load_wavefronts == 4);
  CHECK(traffic.global_store_requests == 1);
  CHECK(traffic.global_store_sectors == 16);
}
#endif

TEST_CASE("PTX: operands may be members of unnamed unions") {
  Shared<std::uint32_t> out(3);
  operands_of_unions<<<1, 1>>>(out.get());
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(out[0] == 0x3F80);
  CHECK(out[1] == 0x00013F82);
  CHECK(out[2] == 7);
}
