// Numbers of 16 bits: half, and half2. All of it is CUDA's own interface: nvcc also compiles this
// file.

#include <cuda_fp16.h>
#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <cstring>

#include "tests/headers/float16_oracle.hpp"

namespace {

using oracle::half_format;

half number(unsigned bits) {
  return __ushort_as_half(static_cast<unsigned short>(bits));
}
unsigned bits_of(half h) {
  return __half_as_ushort(h);
}
double value(unsigned bits) {
  return oracle::value(half_format, bits);
}
bool is_nan(unsigned bits) {
  return oracle::is_nan(half_format, bits);
}

}  // namespace

TEST_CASE("half: every number becomes its float, and comes back from float and double") {
  for (unsigned bits = 0; bits < 0x10000; ++bits) {
    const float as_float = __half2float(number(bits));
    if (is_nan(bits)) {
      REQUIRE(std::isnan(as_float));
      REQUIRE(bits_of(__float2half(as_float)) == 0x7FFF);
      continue;
    }
    REQUIRE(static_cast<double>(as_float) == value(bits));
    REQUIRE(std::signbit(as_float) == (bits >= 0x8000));
    REQUIRE(bits_of(__float2half(as_float)) == bits);
    REQUIRE(bits_of(__double2half(as_float)) == bits);
    REQUIRE(static_cast<float>(number(bits)) == as_float);
  }
}

TEST_CASE("half: what lies between two numbers goes where the rounding says") {
  for (unsigned low = 0; low < 0x7C00; ++low) {
    const unsigned high = low + 1;  // infinity after the last one, as if it were 65536
    const double from = value(low);
    const double step = high == 0x7C00 ? 32 : value(high) - from;
    const unsigned even = low % 2 == 0 ? low : high;
    struct {
      double fraction;
      unsigned nearest;
    } const places[] = {
        {0.25, low}, {0.5 - 1e-3, low}, {0.5, even}, {0.5 + 1e-3, high}, {0.75, high}};
    for (const auto& place : places) {
      const auto between = static_cast<float>(from + place.fraction * step);
      REQUIRE(bits_of(__float2half(between)) == place.nearest);
      REQUIRE(bits_of(__float2half_rn(between)) == place.nearest);
      REQUIRE(bits_of(__float2half_rz(between)) == low);
      REQUIRE(bits_of(__float2half_rd(between)) == low);
      REQUIRE(bits_of(__float2half_ru(between)) == high);
      REQUIRE(bits_of(__float2half_rn(-between)) == (place.nearest | 0x8000));
      REQUIRE(bits_of(__float2half_rz(-between)) == (low | 0x8000));
      REQUIRE(bits_of(__float2half_rd(-between)) == (high | 0x8000));
      REQUIRE(bits_of(__float2half_ru(-between)) == (low | 0x8000));
    }
    // A double just beside the middle, which a float cannot tell from it.
    REQUIRE(bits_of(__double2half(std::nextafter(from + step / 2, 1e6))) == high);
    REQUIRE(bits_of(__double2half(from + step / 2)) == even);
  }
  CHECK(bits_of(__float2half_rz(1e30F)) == 0x7BFF);
  CHECK(bits_of(__float2half_rd(1e30F)) == 0x7BFF);
  CHECK(bits_of(__float2half_ru(1e30F)) == 0x7C00);
  CHECK(bits_of(__float2half_ru(-1e30F)) == 0xFBFF);
  CHECK(bits_of(__float2half_rz(HUGE_VALF)) == 0x7C00);
  CHECK(bits_of(__float2half_ru(1e-30F)) == 1);
  CHECK(bits_of(__float2half_rn(1e-30F)) == 0);
  CHECK(bits_of(__double2half(5e-324)) == 0);
  CHECK(bits_of(__float2half_rd(-1e-40F)) == 0x8001);
}

TEST_CASE("half: sums, products and fused ones are rounded once") {
  // All sums and products of halves are multiples of 2^-48 below 2^33.
  const oracle::Table table(half_format, 48, 16);
  oracle::Random random;
  const auto check = [&](unsigned a, unsigned b, unsigned c) {
    const oracle::Exact x = oracle::exact(value(a), 24);
    const oracle::Exact y = oracle::exact(value(b), 24);
    const oracle::Exact z = oracle::exact(value(c), 24);
    const oracle::Exact unit = 1 << 24;
    const auto nearest = [&](oracle::Exact sum) {
      const oracle::Exact limit = static_cast<oracle::Exact>(65536) << 48;
      if (sum >= limit) return 0x7C00U;
      if (sum <= -limit) return 0xFC00U;
      return table.nearest(sum);
    };
    const half h = number(a);
    const half k = number(b);
    const half l = number(c);
    if (x + y != 0) REQUIRE(bits_of(__hadd(h, k)) == nearest((x + y) * unit));
    if (x - y != 0) REQUIRE(bits_of(h - k) == nearest((x - y) * unit));
    if (x * y != 0) REQUIRE(bits_of(__hmul(h, k)) == nearest(x * y));
#ifdef CUDA_EMULATOR  // nvcc has it for the device only
    if (x * y + z * unit != 0) REQUIRE(bits_of(__hfma(h, k, l)) == nearest(x * y + z * unit));
#endif
  };
  for (int i = 0; i < 300000; ++i) {
    const unsigned a = random() >> 16;
    const unsigned b = random() >> 16;
    const unsigned c = random() >> 16;
    if ((a & 0x7C00) == 0x7C00 || (b & 0x7C00) == 0x7C00 || (c & 0x7C00) == 0x7C00) continue;
    check(a, b, c);
    check(a, b, (c & 0x83FF) | 0x0400);  // a small addend beside the product
    check(a, (b & 0x83FF) | 0x3C00, c);  // factors near 1: the sum of like numbers
  }
  check(0x3C01, 0x3C01, 0x0001);  // (1 + 2^-10)^2 + 2^-24
  check(0x4001, 0x3401, 0x8001);
  check(0x3801, 0x0400, 0x0001);
}

TEST_CASE("half: quotients are rounded once") {
  // Of two halves: the nearest to a / b is the one from which a differs by the least multiple of b.
  oracle::Random random;
  for (int i = 0; i < 200000; ++i) {
    const unsigned a = random() >> 17;
    const unsigned b = random() >> 17;
    if (a >= 0x7C00 || b >= 0x7C00 || a == 0 || b == 0) continue;
    const unsigned quotient = bits_of(__hdiv(number(a), number(b)));
    if (quotient >= 0x7C00) {
      REQUIRE(value(a) / value(b) >= 65520.0);
      continue;
    }
    // Its distance to the quotient, times b, is exact in double.
    const double distance = std::abs(std::fma(-value(quotient), value(b), value(a)));
    const double above = std::abs(std::fma(-value(quotient + 1), value(b), value(a)));
    REQUIRE((distance < above || (distance == above && quotient % 2 == 0)));
    if (quotient > 0) {
      const double below = std::abs(std::fma(-value(quotient - 1), value(b), value(a)));
      REQUIRE((distance < below || (distance == below && quotient % 2 == 0)));
    }
  }
}

#if defined(CUDA_EMULATOR) && defined(__FLT16_MANT_DIG__)
TEST_CASE("half: the same as the compiler's own type") {
  const auto of = [](unsigned bits) {
    return __builtin_bit_cast(_Float16, static_cast<unsigned short>(bits));
  };
  const auto bits = [](_Float16 x) { return unsigned{__builtin_bit_cast(unsigned short, x)}; };
  oracle::Random random;
  for (int i = 0; i < 300000; ++i) {
    const unsigned a = random() >> 16;
    const unsigned b = random() >> 16;
    const float any = __uint_as_float(random());
    if (!std::isnan(any)) REQUIRE(bits_of(__float2half(any)) == bits(static_cast<_Float16>(any)));
    if (is_nan(a) || is_nan(b)) continue;
    const auto same = [&](half ours, _Float16 theirs) {
      return bits_of(ours) == bits(theirs) || (is_nan(bits_of(ours)) && is_nan(bits(theirs)));
    };
    REQUIRE(same(number(a) + number(b), of(a) + of(b)));
    REQUIRE(same(number(a) - number(b), of(a) - of(b)));
    REQUIRE(same(number(a) * number(b), of(a) * of(b)));
    REQUIRE(same(number(a) / number(b), of(a) / of(b)));
    REQUIRE((number(a) < number(b)) == (of(a) < of(b)));
  }
}
#endif

TEST_CASE("half: infinities, zeros and what is not a number") {
  const half infinity = CUDART_INF_FP16;
  const half nan = CUDART_NAN_FP16;
  const half zero = CUDART_ZERO_FP16;
  const half minus_zero = CUDART_NEG_ZERO_FP16;
  const half one = CUDART_ONE_FP16;
  CHECK(bits_of(infinity - infinity) == 0x7FFF);
  CHECK(bits_of(zero * infinity) == 0x7FFF);
  CHECK(bits_of(one / minus_zero) == 0xFC00);
  CHECK(bits_of(minus_zero + minus_zero) == 0x8000);
  CHECK(bits_of(minus_zero + zero) == 0);
  CHECK(bits_of(-zero) == 0x8000);
  CHECK(bits_of(__habs(minus_zero)) == 0);
  CHECK(bits_of(CUDART_MAX_NORMAL_FP16 + CUDART_MAX_NORMAL_FP16) == 0x7C00);
  CHECK(bits_of(CUDART_MIN_DENORM_FP16 + CUDART_MIN_DENORM_FP16) == 2);

  CHECK(__hisnan(nan));
  CHECK(!__hisnan(infinity));
  CHECK(__hisinf(infinity) != 0);
  CHECK(__hisinf(nan) == 0);
  CHECK(bits_of(__hmax(nan, one)) == bits_of(one));
  CHECK(bits_of(__hmin(one, nan)) == bits_of(one));
  CHECK(bits_of(__hmax(nan, nan)) == 0x7FFF);
  CHECK(bits_of(__hmax_nan(nan, one)) == 0x7FFF);
  CHECK(bits_of(__hmax(minus_zero, zero)) == 0);
  CHECK(bits_of(__hmin(zero, minus_zero)) == 0x8000);
  CHECK(bits_of(__hmax(half(-2), half(-3))) == bits_of(half(-2)));

  CHECK(bits_of(__hadd_sat(half(0.75F), half(0.5F))) == bits_of(one));
  CHECK(bits_of(__hsub_sat(half(0.5F), half(0.75F))) == 0);
  CHECK(bits_of(__hmul_sat(half(0.5F), half(0.5F))) == bits_of(half(0.25F)));
  CHECK(bits_of(__hadd_sat(nan, one)) == 0);

  struct {
    half a, b;
    bool less, equal, greater;
  } const pairs[] = {{one, half(2), true, false, false}, {one, one, false, true, false},
                     {half(2), one, false, false, true}, {zero, minus_zero, false, true, false},
                     {nan, one, false, false, false},    {nan, nan, false, false, false}};
  for (const auto& pair : pairs) {
    const bool unordered = !pair.less && !pair.equal && !pair.greater;
    CHECK(__hlt(pair.a, pair.b) == pair.less);
    CHECK(__heq(pair.a, pair.b) == pair.equal);
    CHECK(__hgt(pair.a, pair.b) == pair.greater);
    CHECK(__hle(pair.a, pair.b) == (pair.less || pair.equal));
    CHECK(__hge(pair.a, pair.b) == (pair.greater || pair.equal));
    CHECK(__hne(pair.a, pair.b) == (pair.less || pair.greater));
    CHECK(__hltu(pair.a, pair.b) == (pair.less || unordered));
    CHECK(__hequ(pair.a, pair.b) == (pair.equal || unordered));
    CHECK(__hgtu(pair.a, pair.b) == (pair.greater || unordered));
    CHECK(__hleu(pair.a, pair.b) == !pair.greater);
    CHECK(__hgeu(pair.a, pair.b) == !pair.less);
    CHECK(__hneu(pair.a, pair.b) == !pair.equal);
    CHECK((pair.a == pair.b) == pair.equal);
    CHECK((pair.a != pair.b) == !pair.equal);
    CHECK((pair.a <= pair.b) == (pair.less || pair.equal));
  }
}

TEST_CASE("half: integers") {
  CHECK(bits_of(half(2049)) == bits_of(half(2048)));  // a tie, to the even one
  CHECK(bits_of(half(2051)) == bits_of(half(2052)));
  CHECK(bits_of(half(-7)) == bits_of(half(-7.0F)));
  CHECK(bits_of(half(65520)) == 0x7C00);
  CHECK(bits_of(__int2half_rz(65535)) == 0x7BFF);
  CHECK(bits_of(__int2half_rd(2049)) == bits_of(half(2048)));
  CHECK(bits_of(__int2half_ru(2049)) == bits_of(half(2050)));
  CHECK(bits_of(__ll2half_rn(-9223372036854775807LL - 1)) == 0xFC00);
  CHECK(bits_of(__ull2half_rn(2049ULL)) == bits_of(half(2048)));
  CHECK(bits_of(__ushort2half_rn(static_cast<unsigned short>(1))) == 0x3C00);

  CHECK(__half2int_rz(half(-2.75F)) == -2);
  CHECK(static_cast<int>(half(2.75F)) == 2);
  CHECK(__half2uint_rz(half(-2.75F)) == 0);
  CHECK(__half2short_rz(CUDART_INF_FP16) == 32767);
  CHECK(__half2short_rz(CUDART_NAN_FP16) == 0);
  CHECK(__half2int_rz(CUDART_NAN_FP16) == 0);
  CHECK(__half2int_rz(-CUDART_INF_FP16) == -2147483647 - 1);
  CHECK(__half2ll_rz(CUDART_INF_FP16) == 9223372036854775807LL);
  CHECK(__half2ull_rz(CUDART_INF_FP16) == 18446744073709551615ULL);
  CHECK(__half2char_rz(half(300)) == 127);
  CHECK(__half2uchar_rz(half(300)) == 255);
  CHECK(static_cast<bool>(CUDART_MIN_DENORM_FP16));
  CHECK(!static_cast<bool>(CUDART_NEG_ZERO_FP16));
}

TEST_CASE("half2: the first is the low half") {
  const half2 pair = make_half2(half(1), half(-2));
  unsigned word = 0;
  std::memcpy(&word, &pair, sizeof(word));
  CHECK(word == 0xC0003C00U);
  CHECK(sizeof(half2) == 4);
  CHECK(alignof(half2) == 4);
  CHECK(__low2float(pair) == 1);
  CHECK(__high2float(pair) == -2);
  CHECK(bits_of(__low2half(pair)) == 0x3C00);
  CHECK(__half22float2(pair).y == -2);
  CHECK(__low2float(__lowhigh2highlow(pair)) == -2);
  CHECK(__high2float(__half2half2(half(3))) == 3);
  CHECK(__high2float(__low2half2(pair)) == 1);
  CHECK(__low2float(__high2half2(pair)) == -2);
  const half2 other = __floats2half2_rn(0.5F, 4);
  CHECK(__high2float(__lows2half2(pair, other)) == 0.5F);
  CHECK(__low2float(__highs2half2(pair, other)) == -2);
  CHECK(__low2float(pair + other) == 1.5F);
  CHECK(__high2float(pair * other) == -8);
  CHECK(__high2float(__h2div(pair, other)) == -0.5F);
  CHECK(__high2float(__hneg2(pair)) == 2);
  CHECK(__high2float(__hmax2(pair, other)) == 4);
  CHECK(__hgt2_mask(pair, other) == 0xFFFF);
  CHECK(__low2float(__hgt2(pair, other)) == 1);
  CHECK(__high2float(__hgt2(pair, other)) == 0);
  CHECK(!__hbgt2(pair, other));
  CHECK(pair == pair);
  CHECK(pair != other);
  half2 sum = pair;
  sum += other;
  ++sum;
  CHECK(__low2float(sum) == 2.5F);
  CHECK(__high2float(sum) == 3);
}
