// Matrix instructions. nvcc compiles this file as well, for a GPU of compute capability 9.0.

#include <cuda_fp16.h>
#include <doctest/doctest.h>

#include <cstdint>
#include <string>

#include "tests/kernel_test.hpp"

namespace {

__device__ unsigned shared_address(const void* pointer) {
  return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}

// Four matrices of 8 x 8, each in eight rows that follow each other at `stride` numbers.
__global__ void load(std::uint32_t* out, int stride, bool is_transposed, int shift) {
  extern __shared__ std::uint16_t rows[];
  for (int i = 0; i < 8; ++i) {
    rows[static_cast<int>(threadIdx.x) * stride + i] =
        static_cast<std::uint16_t>(threadIdx.x * 8 + static_cast<unsigned>(i));
  }
  __syncwarp();
  const unsigned row = shared_address(&rows[static_cast<int>(threadIdx.x) * stride + shift]);
  std::uint32_t r[4];
  if (is_transposed) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(row));
  } else {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared::cta.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(row));
  }
  for (unsigned i = 0; i < 4; ++i) out[threadIdx.x * 4 + i] = r[i];
}

// Two matrices into shared memory, turned over on the way, and out of it again by one lane each.
__global__ void store(std::uint32_t* out) {
  __shared__ alignas(16) std::uint16_t rows[16][8];
  const std::uint32_t first = threadIdx.x | threadIdx.x << 16;
  const std::uint32_t second = (100 + threadIdx.x) | (200 + threadIdx.x) << 16;
  asm volatile("stmatrix.sync.aligned.m8n8.x2.trans.shared.b16 [%0], {%1, %2};" ::"r"(
                   shared_address(rows[threadIdx.x % 16])),
               "r"(first), "r"(second)
               : "memory");
  __syncwarp();
  for (int i = 0; i < 4; ++i)
    out[threadIdx.x * 4 + static_cast<unsigned>(i)] =
        rows[threadIdx.x / 2][threadIdx.x % 2 * 4 + static_cast<unsigned>(i)];
}

__device__ unsigned pack(float low, float high) {
  return __half_as_ushort(__float2half(low)) |
         static_cast<unsigned>(__half_as_ushort(__float2half(high))) << 16;
}

// A[i][l] = i + l, B[l][j] = l - j, by the layout of the PTX ISA.
__global__ void multiply(float* d, int* integers, int* bits) {
  const auto group = static_cast<float>(threadIdx.x / 4);
  const auto pair = static_cast<float>(threadIdx.x % 4 * 2);
  float c[4] = {};
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
      "{%8, %9}, {%0, %1, %2, %3};"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
      : "r"(pack(group + pair, group + pair + 1)), "r"(pack(group + pair + 8, group + pair + 9)),
        "r"(pack(group + pair + 8, group + pair + 9)),
        "r"(pack(group + pair + 16, group + pair + 17)), "r"(pack(pair - group, pair + 1 - group)),
        "r"(pack(pair + 8 - group, pair + 9 - group)));
  int sums[4] = {0x7FFFFFF0, 1, 2, 3};
  asm volatile(
      "mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.u8.s32 {%0, %1, %2, %3}, "
      "{%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+r"(sums[0]), "+r"(sums[1]), "+r"(sums[2]), "+r"(sums[3])
      : "r"(0x01010101), "r"(0xFFFFFFFF), "r"(0x01010101), "r"(0xFFFFFFFF), "r"(0x02020202),
        "r"(0xFF020202));
  int counts[2] = {1000, 0};
  asm volatile(
      "mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.and.popc {%0, %1}, {%2}, {%3}, {%0, %1};"
      : "+r"(counts[0]), "+r"(counts[1])
      : "r"(threadIdx.x < 4 ? 0xFU : 0x3U), "r"(0x7U));
  for (unsigned i = 0; i < 4; ++i) {
    const unsigned row = threadIdx.x / 4 + i / 2 * 8;
    const unsigned column = threadIdx.x % 4 * 2 + i % 2;
    d[row * 8 + column] = c[i];
    integers[row * 8 + column] = sums[i];
    if (i < 2) bits[row * 8 + column] = counts[i];
  }
}

}  // namespace

TEST_CASE("ldmatrix gives each lane two neighbours of a row, or of a column") {
  Shared<std::uint32_t> out(128);
  for (const bool is_transposed : {false, true}) {
    load<<<1, 32, 512>>>(out.get(), 8, is_transposed, 0);
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
    for (unsigned lane = 0; lane < 32; ++lane) {
      for (unsigned i = 0; i < 4; ++i) {
        const unsigned a = lane / 4;
        const unsigned b = lane % 4 * 2;
        const unsigned low = is_transposed ? b * 8 + a : a * 8 + b;
        const unsigned high = is_transposed ? low + 8 : low + 1;
        CHECK(out[lane * 4 + i] == (64 * i + low) + ((64 * i + high) << 16));
      }
    }
  }
}

TEST_CASE("stmatrix is the way back") {
  Shared<std::uint32_t> out(128);
  store<<<1, 32>>>(out.get());
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  for (unsigned i = 0; i < 64; ++i) {
    const unsigned lane = i % 8 * 4 + i / 8 / 2;  // whose register it was: row and column change
    CHECK(out[i] == lane);
    CHECK(out[64 + i] == (i / 8 % 2 == 0 ? 100 : 200) + lane);
  }
}

TEST_CASE("mma.sync: of halves, integers and bits") {
  Shared<float> d(128);
  Shared<int> integers(128);
  Shared<int> bits(128);
  multiply<<<1, 32>>>(d.get(), integers.get(), bits.get());
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  for (int i = 0; i < 16; ++i) {
    for (int j = 0; j < 8; ++j) {
      int sum = 0;
      for (int l = 0; l < 16; ++l) sum += (i + l) * (l - j);
      CAPTURE(i);
      CAPTURE(j);
      const auto at = static_cast<unsigned>(i * 8 + j);
      CHECK(d[at] == static_cast<float>(sum));
      const int of_bytes = 28 * 2 + 4 * 255;  // in each column of B
      const int c = i < 8 ? (j % 2 == 0 ? 0x7FFFFFF0 : 1) : 2 + j % 2;
      CHECK(integers[at] == (i < 8 ? (j % 2 == 0 ? 0x7FFFFFFF : c + of_bytes) : c - of_bytes));
      if (i < 8) CHECK(bits[at] == (j % 2 == 0 ? 1000 : 0) + 4 * (i == 0 ? 3 : 2));
    }
  }
}

#ifdef CUDA_EMULATOR
#include <emulator/findings.h>

namespace {

enum class Mistake { none, lane_ends, other_branch, other_instruction, unwritten, outside };

__global__ void mistaken(std::uint32_t* out, Mistake mistake) {
  __shared__ alignas(16) std::uint16_t rows[8][8];
  if (mistake == Mistake::lane_ends && threadIdx.x == 7) return;
  if (mistake != Mistake::unwritten || threadIdx.x != 3) {
    if (threadIdx.x < 8) *reinterpret_cast<uint4*>(rows[threadIdx.x]) = uint4{};
  }
  __syncwarp(__activemask());
  std::uint32_t r = 0;
  const unsigned row =
      shared_address(rows[threadIdx.x % 8]) + (mistake == Mistake::outside ? 1U << 16 : 0);
  const bool other = threadIdx.x >= 16 && mistake == Mistake::other_branch;
  if (other || (threadIdx.x == 9 && mistake == Mistake::other_instruction)) {
    if (other) {
      asm volatile("ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%0}, [%1];"
                   : "=r"(r)
                   : "r"(row));
    } else {
      __syncwarp();
    }
  } else {
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(r) : "r"(row));
  }
  out[threadIdx.x] = r;
}

template <class Launch>
std::string findings_of(Launch launch) {
  emulator::clear_findings();
  emulator::set_checking(true);
  std::uint32_t* out = nullptr;
  REQUIRE(cudaMalloc(&out, 512) == cudaSuccess);
  launch(out);
  if (cudaDeviceSynchronize() != cudaSuccess) CHECK(cudaDeviceReset() == cudaSuccess);
  emulator::set_checking(false);
  std::string text;
  for (const emulator::Finding& finding : emulator::findings()) {
    text += finding.kind + ": " + finding.what + "\n";
  }
  emulator::clear_findings();
  return text;
}

std::string found(Mistake mistake) {
  return findings_of([&](std::uint32_t* out) { mistaken<<<1, 32>>>(out, mistake); });
}

}  // namespace

TEST_CASE("a matrix instruction needs the whole warp, at the same instruction") {
  CHECK(found(Mistake::none).empty());
  CHECK(found(Mistake::lane_ends) ==
        "bad-mask: ldmatrix needs all 32 lanes of the warp, and only those of the mask 0xffffff7f "
        "come\n");
  CHECK(found(Mistake::other_branch) ==
        "bad-mask: ldmatrix must be the same instruction in all lanes of the warp, and lane 16 is "
        "at a different one\n");
  CHECK(found(Mistake::other_instruction)
            .starts_with("bad-mask: a warp operation with mask 0xffffffff waits for lane 9, which "
                         "never comes"));
}

TEST_CASE("what is wrong with a row of shared memory shows through ldmatrix") {
  CHECK(found(Mistake::unwritten).starts_with("uninitialised"));
  CHECK(found(Mistake::outside) != "");
  CHECK(findings_of([](std::uint32_t* out) { load<<<1, 32, 1024>>>(out, 8, false, 4); })
            .starts_with("misaligned: an element of type row of a matrix is at an address that is "
                         "not a multiple of 16"));
}

TEST_CASE("ldmatrix counts as a load of shared memory, a wavefront for each matrix at best") {
  Shared<std::uint32_t> out(128);
  const auto loads = [&](int stride) {
    return traffic_of([&] { load<<<1, 32, 32 * 256>>>(out.get(), stride, false, 0); });
  };
  CHECK(loads(8).shared_load_instructions == 1);
  CHECK(loads(8).shared_load_wavefronts == 4);
  CHECK(loads(64).shared_load_wavefronts == 32);     // all rows of a matrix in the same banks
  CHECK(loads(64 + 8).shared_load_wavefronts == 4);  // padded
  CHECK(loads(0).shared_load_wavefronts == 4);       // all rows are the same one
  CHECK(loads(0).shared_load_bank_conflicts == 0);
  const auto stores = traffic_of([&] { store<<<1, 32>>>(out.get()); });
  CHECK(stores.shared_store_instructions == 1);
  CHECK(stores.shared_store_wavefronts == 2);
}
#endif
