// What PTX computes. nvcc compiles this file as well, for a GPU of compute capability 9.0
// (-arch=sm_90a). Expected are the bits that the PTX manual asks for.

#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

#include "tests/kernel_test.hpp"

namespace {

// One result after the other, each beside what it should be.
struct Results {
  std::uint32_t* out;
  unsigned count;
  __device__ void add(std::uint32_t result, std::uint32_t expected) {
    out[2 * count] = result;
    out[2 * count + 1] = expected;
    ++count;
  }
};

// PTX with one result of 32 bits, and with up to three operands of 32 bits; and what it should be.
#define CHECK_1(text, a, expected) \
  asm(text : "=r"(r) : "r"(a));    \
  results.add(r, expected)
#define CHECK_2(text, a, b, expected)   \
  asm(text : "=r"(r) : "r"(a), "r"(b)); \
  results.add(r, expected)
#define CHECK_3(text, a, b, c, expected)        \
  asm(text : "=r"(r) : "r"(a), "r"(b), "r"(c)); \
  results.add(r, expected)

constexpr std::uint32_t one = 0x3F800000;
constexpr std::uint32_t tiny = 0x00000001;  // the least denormal number
constexpr std::uint32_t next_to_one = 0x3F800001;
constexpr std::uint32_t nan_of_gpu = 0x7FFFFFFF;
constexpr std::uint32_t infinity = 0x7F800000;

__global__ void floats(std::uint32_t* out, unsigned* count) {
  Results results{out, 0};
  std::uint32_t r = 0;
  // 1 + 2^-149 in four directions, and denormal numbers.
  CHECK_2("add.rn.f32 %0, %1, %2;", one, tiny, one);
  CHECK_2("add.rz.f32 %0, %1, %2;", one, tiny, one);
  CHECK_2("add.rp.f32 %0, %1, %2;", one, tiny, next_to_one);
  CHECK_2("sub.rm.f32 %0, %1, %2;", one, tiny, 0x3F7FFFFFU);
  CHECK_2("add.f32 %0, %1, %2;", tiny, tiny, 2U);
  CHECK_2("add.ftz.f32 %0, %1, %2;", tiny, tiny, 0U);
  CHECK_2("mul.ftz.f32 %0, %1, %2;", 0x80800000U, 0x3F000000U, 0x80000000U);
  CHECK_2("mul.sat.f32 %0, %1, %2;", 0x40000000U, one, one);
  CHECK_2("add.sat.f32 %0, %1, %2;", infinity, 0xFF800000U, 0U);
  CHECK_2("add.f32 %0, %1, %2;", infinity, 0xFF800000U, nan_of_gpu);
  CHECK_2("add.f32 %0, %1, %2;", 0x7FC12345U, one, nan_of_gpu);
  CHECK_3("fma.rn.f32 %0, %1, %2, %3;", next_to_one, next_to_one, 0xBF800002U, 0x28800000U);
  CHECK_3("fma.rp.f32 %0, %1, %2, %3;", one, one, tiny, next_to_one);
  CHECK_2("div.rn.f32 %0, %1, %2;", one, 0x40400000U, 0x3EAAAAABU);
  CHECK_2("div.rz.f32 %0, %1, %2;", one, 0x40400000U, 0x3EAAAAAAU);
  CHECK_1("rcp.rn.f32 %0, %1;", 0x40400000U, 0x3EAAAAABU);
  CHECK_1("sqrt.rn.f32 %0, %1;", 0x40000000U, 0x3FB504F3U);
  CHECK_1("ex2.approx.ftz.f32 %0, %1;", 0x40400000U, 0x41000000U);
  CHECK_2("min.f32 %0, %1, %2;", 0x80000000U, 0U, 0x80000000U);
  CHECK_2("max.f32 %0, %1, %2;", 0x7FC00000U, one, one);
  CHECK_2("max.NaN.f32 %0, %1, %2;", 0x7FC00000U, one, nan_of_gpu);
  CHECK_2("max.xorsign.abs.f32 %0, %1, %2;", 0xC0000000U, one, 0xC0000000U);
  CHECK_1("abs.ftz.f32 %0, %1;", 0x80000001U, 0U);
  CHECK_2("copysign.f32 %0, %1, %2;", 0x80000000U, one, 0xBF800000U);
  CHECK_2("{ .reg .pred p, q; setp.ltu.f32 p|q, %1, %2; selp.u32 %0, 1, 2, q; }", nan_of_gpu, one,
          2U);
  CHECK_2("{ .reg .pred p; setp.ne.f32 p, %1, %2; selp.u32 %0, 1, 2, p; }", nan_of_gpu, one, 2U);
  CHECK_2("set.lt.u32.f32 %0, %1, %2;", 0U, one, 0xFFFFFFFFU);
  CHECK_1("{ .reg .pred p; testp.subnormal.f32 p, %1; selp.u32 %0, 1, 2, p; }", tiny, 1U);
  *count = results.count;
}

__global__ void small_floats(std::uint32_t* out, unsigned* count) {
  Results results{out, 0};
  std::uint32_t r = 0;
  // Pairs: 1 and 2, in the lower and the upper half.
  CHECK_2("add.f16x2 %0, %1, %2;", 0x40003C00U, 0x3C003C00U, 0x42004000U);
  CHECK_2("mul.rn.bf16x2 %0, %1, %2;", 0x40003F80U, 0x40404040U, 0x40C04040U);
  CHECK_3("fma.rn.relu.f16x2 %0, %1, %2, %3;", 0x40003C00U, 0xBC003C00U, 0U, 0x3C00U);
  CHECK_3("fma.rn.f16x2 %0, %1, %2, %3;", 0x3C013C01U, 0x3C013C01U, 0xBC02BC02U, 0x00100010U);
  CHECK_3("fma.rn.ftz.f16x2 %0, %1, %2, %3;", 0x3C013C01U, 0x3C013C01U, 0xBC02BC02U, 0U);
  CHECK_2("max.NaN.bf16x2 %0, %1, %2;", 0x7FC03F80U, 0x3F804000U, 0x7FFF4000U);
  CHECK_1("neg.f16x2 %0, %1;", 0x3C00U, 0x8000BC00U);
  // From 32 bits, and to them.
  CHECK_2("cvt.rn.f16x2.f32 %0, %1, %2;", 0x477FF000U, one, 0x7C003C00U);  // 65,520: a tie
  CHECK_2("cvt.rz.f16x2.f32 %0, %1, %2;", 0x477FF000U, one, 0x7BFF3C00U);
  CHECK_2("cvt.rn.satfinite.bf16x2.f32 %0, %1, %2;", infinity, 0xFF800000U, 0x7F7FFF7FU);
  CHECK_2("cvt.rn.relu.bf16x2.f32 %0, %1, %2;", 0xBF800000U, one, 0x00003F80U);
  CHECK_1("{ .reg .b16 h; cvt.rp.f16.f32 h, %1; cvt.u32.u16 %0, h; }", tiny, 1U);
  CHECK_1("{ .reg .b16 h; cvt.u16.u32 h, %1; cvt.f32.f16 %0, h; }", 1U, 0x33800000U);
  CHECK_1("cvt.rna.tf32.f32 %0, %1;", 0x3F801000U, 0x3F802000U);
  CHECK_1("cvt.rn.tf32.f32 %0, %1;", 0x3F801000U, one);
  CHECK_1("{ .reg .b16 b; cvt.rn.satfinite.e4m3x2.f32 b, %1, %1; cvt.u32.u16 %0, b; }", 0x44000000U,
          0x7E7EU);
  CHECK_1("{ .reg .b16 b; cvt.rn.satfinite.e5m2x2.f32 b, %1, 0f3FA00000; cvt.u32.u16 %0, b; }",
          0xBFB00000U, 0xBE3DU);
  CHECK_1("{ .reg .b16 b; cvt.u16.u32 b, %1; cvt.rn.f16x2.e4m3x2 %0, b; }", 0x0178U, 0x18005C00U);
  CHECK_1("cvt.rni.s32.f32 %0, %1;", 0x40200000U, 2U);
  CHECK_1("cvt.rzi.u32.f32 %0, %1;", 0xC0200000U, 0U);
  CHECK_1("cvt.rpi.sat.s8.f32 %0, %1;", 0x43960000U, 127U);
  CHECK_1("cvt.rni.s32.f32 %0, %1;", nan_of_gpu, 0U);
  CHECK_1("cvt.rni.f32.f32 %0, %1;", 0x40200000U, 0x40000000U);
  CHECK_1("cvt.rp.f32.s32 %0, %1;", 0x01000001U, 0x4B800001U);
  CHECK_1("cvt.s32.s8 %0, %1;", 0x1FFU, 0xFFFFFFFFU);
  CHECK_1("cvt.sat.u8.s32 %0, %1;", 0xFFFFFFFFU, 0U);
  CHECK_3("cvt.pack.sat.s8.s32.b32 %0, %1, %2, %3;", 200U, 0xFFFFFF00U, 0x1234U, 0x12347F80U);
  CHECK_3("cvt.pack.sat.u4.s32.b32 %0, %1, %2, %3;", 20U, 0xFFFFFF00U, 0x1234U, 0x001234F0U);
  *count = results.count;
}

__global__ void integers(std::uint32_t* out, unsigned* count) {
  Results results{out, 0};
  std::uint32_t r = 0;
  CHECK_2("add.sat.s32 %0, %1, %2;", 0x7FFFFFFFU, 1U, 0x7FFFFFFFU);
  CHECK_2("sub.sat.s32 %0, %1, %2;", 0x80000000U, 1U, 0x80000000U);
  CHECK_2("mul.hi.s32 %0, %1, %2;", 0xFFFFFFFEU, 3U, 0xFFFFFFFFU);
  CHECK_2("mul24.hi.u32 %0, %1, %2;", 0xFF800001U, 0xFF000002U, 0x100U);
  CHECK_3("mad.hi.u32 %0, %1, %2, %3;", 0x80000000U, 6U, 5U, 8U);
  CHECK_3("sad.s32 %0, %1, %2, %3;", 0xFFFFFFFFU, 4U, 10U, 15U);
  CHECK_2("max.relu.s32 %0, %1, %2;", 0xFFFFFFFFU, 0xFFFFFFFEU, 0U);
  CHECK_2("min.s16x2 %0, %1, %2;", 0xFFFF0003U, 0x00020002U, 0xFFFF0002U);
  // 64 bits by halves: 0xFFFFFFFF:FFFFFFFF + 1, and the product of two numbers.
  CHECK_2("{ .reg .u32 low; add.cc.u32 low, %1, %2; addc.u32 %0, %1, 0; }", 0xFFFFFFFFU, 1U, 0U);
  CHECK_2("{ .reg .u32 low; sub.cc.u32 low, %1, %2; subc.u32 %0, 7, 0; }", 0U, 1U, 6U);
  CHECK_3("{ .reg .u32 low; mad.lo.cc.u32 low, %1, %2, %3; madc.hi.u32 %0, %1, %2, 0; }",
          0xFFFFFFFFU, 2U, 2U, 2U);
  // Bits and bytes.
  CHECK_3("shf.l.wrap.b32 %0, %1, %2, %3;", 0x80000001U, 0x7U, 33U, 0xFU);
  CHECK_3("shf.r.clamp.b32 %0, %1, %2, %3;", 0x80000001U, 0x7U, 40U, 0x7U);
  CHECK_2("{ .reg .pred p; lop3.or.b32 %0|p, %1, %2, %1, 0x3C, 0; selp.u32 %0, 1, %0, p; }", 5U, 5U,
          0U);
  CHECK_2("prmt.b32.f4e %0, %1, %2, 1;", 0x33221100U, 0x77665544U, 0x44332211U);
  CHECK_2("prmt.b32.b4e %0, %1, %2, 1;", 0x33221100U, 0x77665544U, 0x66770011U);
  CHECK_2("prmt.b32.rc16 %0, %1, %2, 1;", 0x33221100U, 0x77665544U, 0x33223322U);
  CHECK_2("prmt.b32.ecl %0, %1, %2, 2;", 0x33221100U, 0x77665544U, 0x33222222U);
  CHECK_1("bfind.u32 %0, %1;", 0x00010000U, 16U);
  CHECK_1("bfind.s32 %0, %1;", 0xFFFFFFFEU, 0U);
  CHECK_1("bfind.shiftamt.u32 %0, %1;", 0x00010000U, 15U);
  CHECK_1("bfind.u32 %0, %1;", 0U, 0xFFFFFFFFU);
  CHECK_2("bmsk.clamp.b32 %0, %1, %2;", 4U, 8U, 0xFF0U);
  CHECK_2("szext.clamp.s32 %0, %1, %2;", 0x8U, 4U, 0xFFFFFFF8U);
  CHECK_3("dp4a.s32.u32 %0, %1, %2, %3;", 0xFF010203U, 0x01010101U, 1U, 6U);
  CHECK_3("dp2a.hi.s32.s32 %0, %1, %2, %3;", 0xFFFF0002U, 0x03040000U, 1U, 6U);
  CHECK_3("vabsdiff4.u32.u32.u32.add %0, %1, %2, %3;", 0x00FF0001U, 0x01000300U, 1U, 261U);
  // Taken apart and put together; names of a scope; a vector of registers.
  CHECK_1("{ .reg .b8 a, b, c, d; mov.b32 {a, b, c, d}, %1; mov.b32 %0, {d, c, b, a}; }",
          0x12345678U, 0x78563412U);
  CHECK_1("{ .reg .b32 t; mov.b32 t, %1; { .reg .b32 t; mov.b32 t, 9; } mov.b32 %0, t; }", 4U, 4U);
  CHECK_1("{ .reg .v2 .b32 t; mov.b32 t.x, %1; add.u32 t.y, t.x, 1; mov.b32 %0, t.y; }", 4U, 5U);
  CHECK_1("lop3 .b32 %0, %1, %1, %1, 0x0F;", 1U, 0xFFFFFFFEU);
  *count = results.count;
}
#undef CHECK_1
#undef CHECK_2
#undef CHECK_3

template <class Kernel>
void check_all(Kernel kernel) {
  Shared<std::uint32_t> out(200);
  Shared<unsigned> count(1);
  kernel<<<1, 1>>>(out.get(), count.get());
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(count[0] > 20);
  for (unsigned i = 0; i < count[0]; ++i) {
    CAPTURE(i);
    CHECK(out[2 * i] == out[2 * i + 1]);
  }
}

// Among lanes: what each of them has in the end.
__global__ void lanes(std::uint32_t* out) {
  const std::uint32_t lane = threadIdx.x;
  std::uint32_t r = 0;
  std::uint32_t p = 0;
  asm volatile(
      "{ .reg .pred q; shfl.sync.down.b32 %0|q, %2, 3, 0x1807, 0xFFFFFFFF; "
      "selp.u32 %1, 1, 0, q; }"
      : "=r"(r), "=r"(p)
      : "r"(lane));
  out[lane] = r + 100 * p;
  asm volatile("shfl.sync.up.b32 %0, %1, 1, 0, 0xFFFFFFFF;" : "=r"(r) : "r"(lane));
  out[32 + lane] = r;
  asm volatile("{ .reg .pred q; setp.lt.u32 q, %1, 5; vote.sync.ballot.b32 %0, q, 0xFFFFFFFF; }"
               : "=r"(r)
               : "r"(lane));
  out[64 + lane] = r;
  asm volatile("redux.sync.max.s32 %0, %1, 0xFFFFFFFF;" : "=r"(r) : "r"(lane - 20));
  out[96 + lane] = r;
  asm volatile("{ .reg .pred q; elect.sync %0|q, 0xFFFFFFFF; selp.u32 %0, 1, 0, q; }" : "=r"(r));
  out[128 + lane] = r;
  asm volatile("{ .reg .pred q; setp.eq.u32 q, %1, 31; bar.red.popc.u32 %0, 0, q; }"
               : "=r"(r)
               : "r"(lane));
  out[160 + lane] = r;
  asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;"
               : "=r"(r)
               : "r"((lane / 4 * 16 + lane % 4 * 2) | (lane / 4 * 16 + lane % 4 * 2 + 1) << 16));
  out[192 + lane] = r;
}

}  // namespace

TEST_CASE("asm: floating-point numbers, to the bit") {
  check_all(floats);
}
TEST_CASE("asm: numbers of 16 and 8 bits, conversions") {
  check_all(small_floats);
}
TEST_CASE("asm: whole numbers, carries, bytes") {
  check_all(integers);
}

TEST_CASE("asm: the lanes of a warp") {
  Shared<std::uint32_t> out(224);
  lanes<<<1, 32>>>(out.get());
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  for (unsigned lane = 0; lane < 32; ++lane) {
    CAPTURE(lane);
    CHECK(out[lane] == (lane % 8 < 5 ? lane + 103 : lane));  // segments of 8 lanes
    CHECK(out[32 + lane] == (lane > 0 ? lane - 1 : 0));
    CHECK(out[64 + lane] == 31);
    CHECK(out[96 + lane] == 11);
    CHECK(out[128 + lane] == (lane == 0 ? 1 : 0));
    CHECK(out[160 + lane] == 1);
    const unsigned row = lane / 4;
    const unsigned column = lane % 4 * 2;
    CHECK(out[192 + lane] == ((column * 16 + row) | ((column + 1) * 16 + row) << 16));
  }
}
