// Loads, stores and atomic operations of PTX: what they do, what is counted of them, what is found.
// nvcc compiles this file as well, for a GPU of compute capability 9.0 (-arch=sm_90a).

#include <doctest/doctest.h>

#include <cstdint>
#include <string>

#include "tests/kernel_test.hpp"

namespace {

__global__ void atomics(std::uint32_t* words, float* reals, std::uint32_t* out) {
  const std::uint32_t lane = threadIdx.x;
  std::uint32_t old = 0;
  asm volatile("atom.global.add.u32 %0, [%1], 2;" : "=r"(old) : "l"(words) : "memory");
  out[lane] = old;
  asm volatile("atom.relaxed.gpu.global.max.s32 %0, [%1 + 4], %2;"
               : "=r"(old)
               : "l"(words), "r"(lane - 16)
               : "memory");
  asm volatile("atom.cas.b32 %0, [%1 + 8], %2, 77;" : "=r"(old) : "l"(words), "r"(0) : "memory");
  asm volatile("atom.inc.u32 %0, [%1 + 12], 9;" : "=r"(old) : "l"(words) : "memory");
  asm volatile("red.release.gpu.global.or.b32 [%0 + 16], %1;" ::"l"(words), "r"(1U << lane)
               : "memory");
  asm volatile("red.add.noftz.f16x2 [%0 + 20], %1;" ::"l"(words), "r"(0x40003C00U) : "memory");
  asm volatile("red.global.add.f32 [%0], %1;" ::"l"(reals), "f"(0.5F) : "memory");
  asm volatile("atom.exch.b32 %0, [%1 + 4], %2;"
               : "=r"(old)
               : "l"(reals), "r"(0x40000000U)
               : "memory");
}

// Loads and stores with hints and in other widths: everything is copied as it is.
__global__ void copies(const std::uint32_t* in, std::uint32_t* out) {
  __shared__ alignas(16) std::uint32_t tile[128];
  const auto at = static_cast<unsigned>(__cvta_generic_to_shared(&tile[4 * threadIdx.x]));
  const std::uint32_t* const from = in + 4 * threadIdx.x;
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  std::uint64_t policy = 0;
  asm volatile("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(policy));
  asm volatile("ld.global.nc.L1::no_allocate.L2::128B.v2.u32 {%0, %1}, [%2];"
               : "=r"(a), "=r"(b)
               : "l"(from));
  asm volatile("st.shared.v2.b32 [%0], {%1, %2};" ::"r"(at), "r"(a), "r"(b) : "memory");
  std::uint16_t half = 0;
  asm volatile("ld.global.L2::cache_hint.u16 %0, [%1 + 8], %2;"
               : "=h"(half)
               : "l"(from), "l"(policy));
  asm volatile("st.shared::cta.u16 [%0 + 8], %1;" ::"r"(at), "h"(half) : "memory");
  asm volatile("ld.global.s8 %0, [%1 + 12];" : "=r"(a) : "l"(from));
  asm volatile("st.shared.b32 [%0 + 12], %1;" ::"r"(at), "r"(a) : "memory");
  asm volatile("{ .reg .b128 all; ld.shared.b128 all, [%0]; st.global.b128 [%1], all; }" ::"r"(at),
               "l"(out + 4 * threadIdx.x)
               : "memory");
}

// A flag is set after the data, by the block that draws the first number.
__global__ void message(std::uint32_t* data, std::uint32_t* flag, std::uint32_t* out,
                        std::uint32_t* drawn, bool ordered) {
  if (atomicAdd(drawn, 1U) == 0) {
    asm volatile("st.global.b32 [%0], 42;" ::"l"(data) : "memory");
    if (ordered) {
      asm volatile("st.release.gpu.global.b32 [%0], 1;" ::"l"(flag) : "memory");
    } else {
      asm volatile("st.relaxed.gpu.global.b32 [%0], 1;" ::"l"(flag) : "memory");
    }
  } else {
    std::uint32_t seen = 0;
    while (seen == 0) {
      asm volatile("ld.acquire.gpu.global.b32 %0, [%1];" : "=r"(seen) : "l"(flag) : "memory");
    }
    asm volatile("ld.global.b32 %0, [%1];" : "=r"(seen) : "l"(data) : "memory");
    out[0] = seen;
  }
}

}  // namespace

TEST_CASE("asm: atomic operations") {
  Shared<std::uint32_t> words(8);
  Shared<float> reals(2);
  Shared<std::uint32_t> out(32);
  atomics<<<1, 32>>>(words.get(), reals.get(), out.get());
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(words[0] == 64);
  CHECK(words[1] == 15);
  CHECK(words[2] == 77);
  CHECK(words[3] == 2);  // 32 times round a ring of ten
  CHECK(words[4] == 0xFFFFFFFF);
  CHECK(words[5] == 0x54005000U);  // 64 and 32
  CHECK(reals[0] == 16);
  CHECK(reals[1] == 2);
  std::uint32_t sum = 0;
  for (unsigned i = 0; i < 32; ++i) sum += out[i];
  CHECK(sum == 2 * 31 * 16);
}

TEST_CASE("asm: loads and stores with hints, and of other widths") {
  Shared<std::uint32_t> in(128);
  Shared<std::uint32_t> out(128);
  for (unsigned i = 0; i < 128; ++i) in[i] = 0x01020380U + i % 4;
  copies<<<1, 32>>>(in.get(), out.get());
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(out[4] == in[4]);
  CHECK(out[5] == in[5]);
  CHECK((out[6] & 0xFFFF) == 0x0382);
  CHECK(out[7] == 0xFFFFFF83U);
}

TEST_CASE("asm: a message from block to block") {
  Shared<std::uint32_t> words(4);
  message<<<2, 1>>>(&words[0], &words[1], &words[2], &words[3], true);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(words[2] == 42);
}

#ifdef CUDA_EMULATOR
#include <emulator/findings.h>

namespace {

constexpr int line_of_mistakes = __LINE__;
__global__ void mistakes(std::uint32_t* data, int mistake) {
  __shared__ std::uint32_t tile[64];
  const auto at = static_cast<unsigned>(__cvta_generic_to_shared(&tile[threadIdx.x]));
  std::uint32_t r = threadIdx.x, next = threadIdx.x < 32 ? at + 128 : at - 128;
  if (mistake == 1) asm volatile("ld.global.u32 %0, [%1];" : "=r"(r) : "l"(data + 64));
  if (mistake == 2) asm volatile("st.global.b32 [%0], %1;" ::"l"(data - 1), "r"(r) : "memory");
  if (mistake == 3) asm volatile("ld.shared.u32 %0, [%1];" : "=r"(r) : "r"(at));
  if (mistake == 4) asm volatile("st.shared.b32 [%0], %1;" ::"r"(at), "r"(r) : "memory");
  if (mistake == 4) asm volatile("ld.shared.u32 %0, [%1];" : "=r"(r) : "r"(next));
  if (mistake == 5) asm volatile("red.add.u32 [%0], %1;" ::"l"(data + 64), "r"(r) : "memory");
  if (mistake == 6) asm volatile("ld.global.v4.u32 {%0, _, _, _}, [%1];" : "=r"(r) : "l"(data + 1));
  data[threadIdx.x] = r;
}

// What is found, and in which line after that of `line_of_mistakes`.
std::string found(int mistake) {
  emulator::clear_findings();
  emulator::set_checking(true);
  std::uint32_t* data = nullptr;
  REQUIRE(cudaMalloc(&data, 256) == cudaSuccess);
  REQUIRE(cudaMemset(data, 0, 256) == cudaSuccess);
  mistakes<<<1, 64>>>(data, mistake);
  if (cudaDeviceSynchronize() != cudaSuccess) CHECK(cudaDeviceReset() == cudaSuccess);
  emulator::set_checking(false);
  std::string text;
  for (const emulator::Finding& finding : emulator::findings()) {
    if (text.empty()) {
      text = finding.kind + " " + std::to_string(finding.place.line - line_of_mistakes);
    }
  }
  emulator::clear_findings();
  return text;
}

std::string found_of_message(bool ordered) {
  emulator::clear_findings();
  emulator::set_checking(true);
  Shared<std::uint32_t> words(4);
  message<<<2, 1>>>(&words[0], &words[1], &words[2], &words[3], ordered);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  emulator::set_checking(false);
  const std::string kind = emulator::findings().empty() ? "" : emulator::findings()[0].kind;
  emulator::clear_findings();
  return kind;
}

}  // namespace

TEST_CASE("asm: mistakes are found in their line") {
  CHECK(found(0).empty());
  CHECK(found(1) == "out-of-bounds 5");
  CHECK(found(2) == "out-of-bounds 6");
  CHECK(found(3) == "uninitialised 7");
  CHECK(found(4) == "race 8");
  CHECK(found(5) == "out-of-bounds 10");
  CHECK(found(6) == "misaligned 11");
}

TEST_CASE("asm: a flag orders the data only with release and acquire") {
  CHECK(found_of_message(true).empty());
  CHECK(found_of_message(false) == "race");
}

TEST_CASE("asm: atomic operations are counted as such") {
  Shared<std::uint32_t> words(8);
  Shared<float> reals(2);
  Shared<std::uint32_t> out(32);
  const auto traffic = traffic_of([&] { atomics<<<1, 32>>>(words.get(), reals.get(), out.get()); });
  CHECK(traffic.global_atomic_requests == 8);
  CHECK(traffic.global_load_requests == 0);
  CHECK(traffic.global_store_requests == 1);
  Shared<std::uint32_t> in(128);
  Shared<std::uint32_t> copy(128);
  const auto moved = traffic_of([&] { copies<<<1, 32>>>(in.get(), copy.get()); });
  CHECK(moved.global_load_requests == 3);
  CHECK(moved.global_store_requests == 1);
  CHECK(moved.global_store_sectors == 16);
  CHECK(moved.shared_load_instructions == 1);
  CHECK(moved.shared_store_instructions == 3);
}
#endif
