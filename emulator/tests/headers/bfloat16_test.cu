// Numbers of 16 bits: bfloat16. All of it is CUDA's own interface: nvcc compiles this file as well.

#include <cuda_bf16.h>
#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <cstring>

#include "tests/headers/float16_oracle.hpp"

namespace {

using oracle::bfloat16_format;

nv_bfloat16 number(unsigned bits) {
  return __ushort_as_bfloat16(static_cast<unsigned short>(bits));
}
unsigned bits_of(nv_bfloat16 x) {
  return __bfloat16_as_ushort(x);
}
double value(unsigned bits) {
  return oracle::value(bfloat16_format, bits);
}
bool is_nan(unsigned bits) {
  return oracle::is_nan(bfloat16_format, bits);
}

float float_of(std::uint32_t bits) {
  float result = 0;
  std::memcpy(&result, &bits, sizeof(result));
  return result;
}

}  // namespace

TEST_CASE("bfloat16: every number is the upper half of its float") {
  for (unsigned bits = 0; bits < 0x10000; ++bits) {
    const float as_float = __bfloat162float(number(bits));
    if (is_nan(bits)) {
      REQUIRE(std::isnan(as_float));
      REQUIRE(bits_of(__float2bfloat16(as_float)) == 0x7FFF);
      continue;
    }
    REQUIRE(static_cast<double>(as_float) == value(bits));
    REQUIRE(std::signbit(as_float) == (bits >= 0x8000));
    REQUIRE(bits_of(__float2bfloat16(as_float)) == bits);
    REQUIRE(bits_of(__double2bfloat16(as_float)) == bits);
  }
}

TEST_CASE("bfloat16: what lies between two numbers goes where the rounding says") {
  for (unsigned low = 0; low < 0x7F80; ++low) {
    const unsigned high = low + 1;
    const unsigned even = low % 2 == 0 ? low : high;
    // A float has 16 bits more, which say how far it is on the way.
    struct {
      std::uint32_t rest;
      unsigned nearest;
    } const places[] = {{1, low}, {0x7FFF, low}, {0x8000, even}, {0x8001, high}, {0xFFFF, high}};
    for (const auto& place : places) {
      const float between = float_of(std::uint32_t{low} << 16 | place.rest);
      REQUIRE(bits_of(__float2bfloat16(between)) == place.nearest);
      REQUIRE(bits_of(__float2bfloat16_rn(-between)) == (place.nearest | 0x8000));
      REQUIRE(bits_of(__float2bfloat16_rz(between)) == low);
      REQUIRE(bits_of(__float2bfloat16_rz(-between)) == (low | 0x8000));
      REQUIRE(bits_of(__float2bfloat16_rd(between)) == low);
      REQUIRE(bits_of(__float2bfloat16_rd(-between)) == (high | 0x8000));
      REQUIRE(bits_of(__float2bfloat16_ru(between)) == high);
      REQUIRE(bits_of(__float2bfloat16_ru(-between)) == (low | 0x8000));
    }
    const double middle = float_of(std::uint32_t{low} << 16 | 0x8000);
    REQUIRE(bits_of(__double2bfloat16(middle)) == even);
    REQUIRE(bits_of(__double2bfloat16(middle * (1 + 1e-15))) ==
            high);  // no float can tell them apart
  }
  CHECK(bits_of(__double2bfloat16(1e300)) == 0x7F80);
  CHECK(bits_of(__double2bfloat16(-1e-300)) == 0x8000);
}

TEST_CASE("bfloat16: sums, products and fused ones are rounded once") {
  // Between 2^-20 and 2^20, products and sums are multiples of 2^-54; far addends go down to 2^-75.
  const oracle::Table table(bfloat16_format, 82, 43);
  oracle::Random random;
  const auto near_one = [&] {
    const unsigned exponent = 127 - 16 + random() % 32;
    return (random() & 0x8000) | exponent << 7 | (random() >> 12 & 0x7F);
  };
  const auto check = [&](unsigned a, unsigned b, unsigned c) {
    const oracle::Exact x = oracle::exact(value(a), 41);
    const oracle::Exact y = oracle::exact(value(b), 41);
    const oracle::Exact z = oracle::exact(value(c), 82);
    const oracle::Exact unit = static_cast<oracle::Exact>(1) << 41;
    const nv_bfloat16 p = number(a);
    const nv_bfloat16 q = number(b);
    if (x + y != 0) REQUIRE(bits_of(__hadd(p, q)) == table.nearest((x + y) * unit));
    if (x - y != 0) REQUIRE(bits_of(p - q) == table.nearest((x - y) * unit));
    REQUIRE(bits_of(__hmul(p, q)) == table.nearest(x * y));
#ifdef CUDA_EMULATOR  // nvcc has it for the device only
    if (x * y + z != 0) REQUIRE(bits_of(__hfma(p, q, number(c))) == table.nearest(x * y + z));
#endif
  };
  for (int i = 0; i < 300000; ++i) {
    const unsigned a = near_one();
    const unsigned b = near_one();
    check(a, b, near_one());
    // Far below the product, where a double has no place for it any more: it decides ties only.
    check(a, b, (random() & 0x8000) | (127 - 70 + random() % 32) << 7 | (random() >> 25));
  }
}

TEST_CASE("bfloat16: the far addend decides a tie") {
#ifdef CUDA_EMULATOR
  // The product of two numbers that is in the middle between two others.
  unsigned ties = 0;
  for (unsigned a = 0x3F80; a < 0x4000; ++a) {
    for (unsigned b = 0x3F80; b < 0x4000; ++b) {
      const double product = value(a) * value(b);
      const unsigned low = bits_of(__double2bfloat16(product * (1 - 1e-10)));
      const unsigned high = bits_of(__double2bfloat16(product * (1 + 1e-10)));
      if (low == high) continue;
      ++ties;
      REQUIRE(bits_of(__hfma(number(a), number(b), number(0x0001))) == high);
      REQUIRE(bits_of(__hfma(number(a), number(b), number(0x8001))) == low);
    }
  }
  CHECK(ties > 50);
#endif
}

TEST_CASE("bfloat16: infinities, zeros and what is not a number") {
  CHECK(bits_of(CUDART_INF_BF16 - CUDART_INF_BF16) == 0x7FFF);
  CHECK(bits_of(CUDART_ONE_BF16 / CUDART_NEG_ZERO_BF16) == 0xFF80);
  CHECK(bits_of(CUDART_MAX_NORMAL_BF16 + CUDART_MAX_NORMAL_BF16) == 0x7F80);
  CHECK(bits_of(CUDART_MIN_DENORM_BF16 + CUDART_MIN_DENORM_BF16) == 2);
  CHECK(bits_of(CUDART_NEG_ZERO_BF16 + CUDART_ZERO_BF16) == 0);
  CHECK(bits_of(__hmax(CUDART_NAN_BF16, CUDART_ONE_BF16)) == 0x3F80);
  CHECK(bits_of(__hmin_nan(CUDART_NAN_BF16, CUDART_ONE_BF16)) == 0x7FFF);
  CHECK(__hisnan(CUDART_NAN_BF16));
  CHECK(CUDART_NAN_BF16 != CUDART_NAN_BF16);
  CHECK(!(CUDART_NAN_BF16 == CUDART_NAN_BF16));
  CHECK(CUDART_ZERO_BF16 == CUDART_NEG_ZERO_BF16);
}

TEST_CASE("bfloat16: quotients, against long arithmetic") {
  oracle::Random random;
  for (int i = 0; i < 200000; ++i) {
    const unsigned a = random() >> 17;
    const unsigned b = random() >> 17;
    if (a >= 0x7F80 || b >= 0x7F80 || a == 0 || b == 0) continue;
    const unsigned quotient = bits_of(number(a) / number(b));
    if (quotient >= 0x7F80) {
      REQUIRE(value(a) / value(b) >= 0x1.FFp127);
      continue;
    }
    const double distance = std::abs(std::fma(-value(quotient), value(b), value(a)));
    const double above = std::abs(std::fma(-value(quotient + 1), value(b), value(a)));
    REQUIRE((distance < above || (distance == above && quotient % 2 == 0) || quotient == 0x7F7F));
    if (quotient > 0) {
      const double below = std::abs(std::fma(-value(quotient - 1), value(b), value(a)));
      REQUIRE((distance < below || (distance == below && quotient % 2 == 0)));
    }
  }
}

TEST_CASE("bfloat16: integers, pairs, and halves") {
  CHECK(bits_of(nv_bfloat16(257)) == bits_of(nv_bfloat16(256)));  // a tie, to the even one
  CHECK(bits_of(nv_bfloat16(259)) == bits_of(nv_bfloat16(260)));
  CHECK(bits_of(__int2bfloat16_rn(-3)) == bits_of(nv_bfloat16(-3.0F)));
  CHECK(__bfloat162int_rz(nv_bfloat16(-2.75F)) == -2);
  CHECK(__bfloat162int_rz(nv_bfloat16(1e20F)) == 2147483647);
  CHECK(__bfloat162ushort_rz(nv_bfloat16(-1)) == 0);

  const nv_bfloat162 pair = __floats2bfloat162_rn(1, -2);
  unsigned word = 0;
  std::memcpy(&word, &pair, sizeof(word));
  CHECK(word == 0xC0003F80U);
  CHECK(__low2float(pair) == 1);
  CHECK(__bfloat1622float2(pair).y == -2);
  CHECK(__high2float(__bfloat162bfloat162(nv_bfloat16(3))) == 3);
  CHECK(__high2float(pair + __float22bfloat162_rn(make_float2(1, 5))) == 3);
  CHECK(bits_of(__high2bfloat16(pair)) == 0xC000);

  CHECK(bits_of(nv_bfloat16(__float2half(1.5F))) == 0x3FC0);
  CHECK(__half_as_ushort(__half(nv_bfloat16(1.5F))) == 0x3E00);
  CHECK(__half_as_ushort(__half(nv_bfloat16(1e20F))) == 0x7C00);
}
