/// \file
/// Conversions, and arithmetic with a named rounding, at the edges of their types.
///
/// Where CUDA leaves a result open (a NaN as an integer, say) the expected value is what an NVIDIA
/// H200 computes.

#include <doctest/doctest.h>

#include <cfloat>
#include <climits>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

#include "emulator/numbers/bits.h"
#include "emulator/numbers/math.h"

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();
constexpr float smallest = std::numeric_limits<float>::denorm_min();
constexpr double smallest_double = std::numeric_limits<double>::denorm_min();

/// Floats of every kind: any 32 bits.
float random_float(std::mt19937& bits) {
  return __uint_as_float(static_cast<unsigned>(bits()));
}

/// A double of any size that a product, a quotient and a sum of some neither over- nor underflow.
double random_double(std::mt19937& bits) {
  const double fraction =
      static_cast<double>(bits()) * 0x1p-32 + static_cast<double>(bits()) * 0x1p-64;
  const double sign = (bits() & 1) != 0 ? -1.0 : 1.0;
  return sign * std::ldexp(1.0 + fraction, static_cast<int>(bits() % 600) - 300);
}

/// The four roundings of one exact result agree with each other: down <= nearest <= up, down and up
/// are equal or neighbours, and towards zero is the one of the two that is nearer to zero.
template <class T>
bool consistent(T nearest, T to_zero, T up, T down) {
  if (std::isnan(nearest)) return std::isnan(to_zero) && std::isnan(up) && std::isnan(down);
  if (!(down <= nearest && nearest <= up)) return false;
  if (down != up && std::nextafter(down, up) != up) return false;
  if (nearest != up && nearest != down) return false;
  return to_zero == (nearest > 0 || (nearest == 0 && up > 0) ? down : up);
}

/// On which side of an inexact result is the exact one? 1 above, -1 below, 0 if it is exact.
template <class T>
int sign_of(T x) {
  return x > 0 ? 1 : x < 0 ? -1 : 0;
}

#define CHECK_FOUR(name, nearest, to_zero, up, down, ...) \
  CHECK(name##_rn(__VA_ARGS__) == (nearest));             \
  CHECK(name##_rz(__VA_ARGS__) == (to_zero));             \
  CHECK(name##_ru(__VA_ARGS__) == (up));                  \
  CHECK(name##_rd(__VA_ARGS__) == (down))

}  // namespace

TEST_CASE("a number becomes an integer by the named rounding") {
  CHECK_FOUR(__float2int, 0, 0, 1, 0, 0.5f);
  CHECK_FOUR(__float2int, 2, 1, 2, 1, 1.5f);
  CHECK_FOUR(__float2int, 2, 2, 3, 2, 2.5f);
  CHECK_FOUR(__float2int, -2, -2, -2, -3, -2.5f);
  CHECK_FOUR(__float2int, 0, 0, 1, 0, smallest);
  CHECK_FOUR(__float2int, 0, 0, 0, -1, -smallest);
  CHECK_FOUR(__float2int, 0, 0, 1, 0, 0.49999997f);
  CHECK_FOUR(__double2int, INT_MAX, INT_MAX, INT_MAX, INT_MAX, 2147483647.0);
  CHECK_FOUR(__double2int, INT_MAX, INT_MAX, INT_MAX, INT_MAX, 2147483647.5);
  CHECK_FOUR(__double2int, 2147483646, 2147483646, INT_MAX, 2147483646, 2147483646.5);
  CHECK_FOUR(__double2uint, 4, 3, 4, 3, 3.5);
  CHECK_FOUR(__float2uint, 0U, 0U, 0U, 0U, -0.5f);
  CHECK_FOUR(__double2ll, -4, -3, -3, -4, -3.5);
  CHECK_FOUR(__float2ull, 8388608ULL, 8388607ULL, 8388608ULL, 8388607ULL, 8388607.5f);
  CHECK_FOUR(__float2ll, 1LL << 62, 1LL << 62, 1LL << 62, 1LL << 62, 0x1p62f);
  CHECK_FOUR(__double2ull, 1ULL << 63, 1ULL << 63, 1ULL << 63, 1ULL << 63, 0x1p63);
}

TEST_CASE("a number that does not fit becomes the nearest integer that does, NaN a fixed one") {
  CHECK_FOUR(__float2int, INT_MAX, INT_MAX, INT_MAX, INT_MAX, 2147483648.0f);
  CHECK_FOUR(__float2int, INT_MIN, INT_MIN, INT_MIN, INT_MIN, -2147483648.0f);
  CHECK_FOUR(__float2int, INT_MIN, INT_MIN, INT_MIN, INT_MIN, -infinity);
  CHECK_FOUR(__float2uint, UINT_MAX, UINT_MAX, UINT_MAX, UINT_MAX, 4294967296.0f);
  CHECK_FOUR(__float2uint, 0U, 0U, 0U, 0U, -1e30f);
  CHECK_FOUR(__float2ll, LLONG_MAX, LLONG_MAX, LLONG_MAX, LLONG_MAX, 0x1p63f);
  CHECK_FOUR(__float2ll, LLONG_MIN, LLONG_MIN, LLONG_MIN, LLONG_MIN, -0x1p63f);
  CHECK_FOUR(__float2ull, ULLONG_MAX, ULLONG_MAX, ULLONG_MAX, ULLONG_MAX, 0x1p64f);
  CHECK_FOUR(__double2ull, ULLONG_MAX, ULLONG_MAX, ULLONG_MAX, ULLONG_MAX, 1e300);
  CHECK_FOUR(__double2int, INT_MIN, INT_MIN, INT_MIN, INT_MIN, -2147483649.0);

  CHECK_FOUR(__float2int, 0, 0, 0, 0, not_a_number);
  CHECK_FOUR(__float2uint, 0U, 0U, 0U, 0U, not_a_number);
  CHECK_FOUR(__float2ll, LLONG_MIN, LLONG_MIN, LLONG_MIN, LLONG_MIN, not_a_number);
  CHECK_FOUR(__float2ull, 1ULL << 63, 1ULL << 63, 1ULL << 63, 1ULL << 63, not_a_number);
  const double nan_double = not_a_number;
  CHECK_FOUR(__double2int, INT_MIN, INT_MIN, INT_MIN, INT_MIN, nan_double);
  CHECK_FOUR(__double2uint, 1U << 31, 1U << 31, 1U << 31, 1U << 31, nan_double);
  CHECK_FOUR(__double2ll, LLONG_MIN, LLONG_MIN, LLONG_MIN, LLONG_MIN, nan_double);
}

TEST_CASE("an integer becomes a number by the named rounding") {
  CHECK_FOUR(__int2float, 16777216.0f, 16777216.0f, 16777218.0f, 16777216.0f, 16777217);
  CHECK_FOUR(__int2float, 16777220.0f, 16777218.0f, 16777220.0f, 16777218.0f, 16777219);
  CHECK_FOUR(__int2float, -16777216.0f, -16777216.0f, -16777216.0f, -16777218.0f, -16777217);
  CHECK_FOUR(__int2float, 0x1p31f, 2147483520.0f, 0x1p31f, 2147483520.0f, INT_MAX);
  CHECK_FOUR(__int2float, -0x1p31f, -0x1p31f, -0x1p31f, -0x1p31f, INT_MIN);
  CHECK_FOUR(__uint2float, 0x1p32f, 4294967040.0f, 0x1p32f, 4294967040.0f, UINT_MAX);
  CHECK_FOUR(__ll2float, 0x1p63f, 0x1.fffffep62f, 0x1p63f, 0x1.fffffep62f, LLONG_MAX);
  CHECK_FOUR(__ull2float, 0x1p64f, 0x1.fffffep63f, 0x1p64f, 0x1.fffffep63f, ULLONG_MAX);
  CHECK_FOUR(__ll2double, 0x1p53, 0x1p53, 0x1p53 + 2, 0x1p53, (1LL << 53) + 1);
  CHECK_FOUR(__ull2double, 0x1p64, 0x1.fffffffffffffp63, 0x1p64, 0x1.fffffffffffffp63, ULLONG_MAX);
  CHECK(__int2double_rn(INT_MIN) == -2147483648.0);
  CHECK(__int2double_rn(INT_MAX) == 2147483647.0);
  CHECK(__uint2double_rn(UINT_MAX) == 4294967295.0);
  CHECK_FOUR(__double2float, 0.1f, std::nextafter(0.1f, 0.0f), 0.1f, std::nextafter(0.1f, 0.0f),
             0.1);
  CHECK_FOUR(__double2float, infinity, FLT_MAX, infinity, FLT_MAX, 1e300);
  CHECK_FOUR(__double2float, -infinity, -FLT_MAX, -FLT_MAX, -infinity, -1e300);
  CHECK_FOUR(__double2float, 0.0f, 0.0f, smallest, 0.0f, 1e-50);
  CHECK_FOUR(__double2float, infinity, infinity, infinity, infinity, HUGE_VAL);
}

TEST_CASE("bits read as another type") {
  static_assert(__float_as_int(-0.0f) == INT_MIN && __float_as_uint(1.0f) == 0x3F800000U);
  static_assert(__int_as_float(0x40490FDB) == 3.14159274f && __uint_as_float(1) == smallest);
  static_assert(__double_as_longlong(-2.0) == static_cast<long long>(0xC000000000000000ULL));
  static_assert(__longlong_as_double(0x3FF0000000000000LL) == 1.0);
  static_assert(__double2hiint(-2.0) == static_cast<int>(0xC0000000U) && __double2loint(-2.0) == 0);
  static_assert(__double2loint(__longlong_as_double(0x3FF00000FFFFFFFFLL)) == -1);
  static_assert(__hiloint2double(-0x40000000, 0) == -2.0);
  static_assert(__double_as_longlong(__hiloint2double(1, -1)) == 0x1FFFFFFFFLL);
}

TEST_CASE("each direction of float arithmetic, at the edges") {
  const float above_one = std::nextafter(1.0f, 2.0f), below_one = std::nextafter(1.0f, 0.0f);
  CHECK_FOUR(__fadd, 1.0f, 1.0f, above_one, 1.0f, 1.0f, 0x1p-24f);
  CHECK_FOUR(__fadd, 1.0f, below_one, 1.0f, below_one, 1.0f, -0x1p-26f);
  CHECK_FOUR(__fadd, infinity, FLT_MAX, infinity, FLT_MAX, FLT_MAX, FLT_MAX);
  CHECK_FOUR(__fadd, -infinity, -FLT_MAX, -FLT_MAX, -infinity, -FLT_MAX, -FLT_MAX);
  CHECK_FOUR(__fsub, 1.0f, below_one, 1.0f, below_one, 1.0f, 0x1p-26f);
  CHECK_FOUR(__fmul, 0.0f, 0.0f, smallest, 0.0f, smallest, 0.5f);
  CHECK_FOUR(__fmul, 0.0f, 0.0f, 0.0f, -smallest, smallest, -0.5f);
  CHECK_FOUR(__fdiv, infinity, infinity, infinity, infinity, 1.0f, 0.0f);
  CHECK_FOUR(__frcp, -infinity, -infinity, -infinity, -infinity, -0.0f);
  CHECK_FOUR(__frcp, 0x1.555556p-2f, 0x1.555554p-2f, 0x1.555556p-2f, 0x1.555554p-2f, 3.0f);
  CHECK_FOUR(__fsqrt, 0x1.6a09e6p+0f, 0x1.6a09e6p+0f, 0x1.6a09e8p+0f, 0x1.6a09e6p+0f, 2.0f);
  CHECK_FOUR(__fsqrt, 0.0f, 0.0f, 0.0f, 0.0f, -0.0f);
  // The exact sum of a number and its opposite is +0, but -0 when rounding down.
  CHECK(!std::signbit(__fadd_rn(1.0f, -1.0f)));
  CHECK(!std::signbit(__fadd_ru(1.0f, -1.0f)));
  CHECK(std::signbit(__fadd_rd(1.0f, -1.0f)));
  CHECK(std::signbit(__fsub_rd(1.0f, 1.0f)));
  CHECK(std::signbit(__fmaf_rd(1.0f, 1.0f, -1.0f)));
  // One rounding, not two: (1 + 2^-23)^2 - (1 + 2^-22) is 2^-46.
  CHECK_FOUR(__fmaf, 0x1p-46f, 0x1p-46f, 0x1p-46f, 0x1p-46f, above_one, above_one, -(1 + 0x1p-22f));
  CHECK(std::isnan(__fadd_rz(infinity, -infinity)));
  CHECK(std::isnan(__fsqrt_ru(-1.0f)));
  CHECK(std::isnan(__fmaf_rd(infinity, 0.0f, 1.0f)));
}

TEST_CASE("the directions of float arithmetic agree with the exact result") {
  std::mt19937 bits(1);
  int inexact = 0;
  for (int i = 0; i < 20000; ++i) {
    const float x = random_float(bits), y = random_float(bits), z = random_float(bits);
    REQUIRE(consistent(__fadd_rn(x, y), __fadd_rz(x, y), __fadd_ru(x, y), __fadd_rd(x, y)));
    REQUIRE(consistent(__fsub_rn(x, y), __fsub_rz(x, y), __fsub_ru(x, y), __fsub_rd(x, y)));
    REQUIRE(consistent(__fmul_rn(x, y), __fmul_rz(x, y), __fmul_ru(x, y), __fmul_rd(x, y)));
    REQUIRE(consistent(__fdiv_rn(x, y), __fdiv_rz(x, y), __fdiv_ru(x, y), __fdiv_rd(x, y)));
    REQUIRE(consistent(__frcp_rn(x), __frcp_rz(x), __frcp_ru(x), __frcp_rd(x)));
    REQUIRE(consistent(__fsqrt_rn(x), __fsqrt_rz(x), __fsqrt_ru(x), __fsqrt_rd(x)));
    REQUIRE(
        consistent(__fmaf_rn(x, y, z), __fmaf_rz(x, y, z), __fmaf_ru(x, y, z), __fmaf_rd(x, y, z)));
    // A double holds the product of two floats exactly.
    const double product = static_cast<double>(x) * static_cast<double>(y);
    if (std::isnan(product)) continue;
    REQUIRE(static_cast<double>(__fmul_rd(x, y)) <= product);
    REQUIRE(static_cast<double>(__fmul_ru(x, y)) >= product);
    if (__fmul_rd(x, y) != __fmul_ru(x, y)) ++inexact;
  }
  CHECK(inexact > 5000);
}

TEST_CASE("each direction of double arithmetic") {
  const double above_one = 1.0 + DBL_EPSILON;
  CHECK_FOUR(__dadd, 1.0, 1.0, above_one, 1.0, 1.0, 0x1p-53);
  CHECK_FOUR(__dsub, HUGE_VAL, DBL_MAX, HUGE_VAL, DBL_MAX, DBL_MAX, -DBL_MAX);
  CHECK_FOUR(__dmul, 0.0, 0.0, smallest_double, 0.0, smallest_double, 0.25);
  CHECK_FOUR(__ddiv, 0x1.5555555555555p-2, 0x1.5555555555555p-2, 0x1.5555555555556p-2,
             0x1.5555555555555p-2, 1.0, 3.0);
  CHECK_FOUR(__drcp, 0x1.999999999999ap-4, 0x1.9999999999999p-4, 0x1.999999999999ap-4,
             0x1.9999999999999p-4, 10.0);
  CHECK_FOUR(__dsqrt, 0x1.6a09e667f3bcdp+0, 0x1.6a09e667f3bccp+0, 0x1.6a09e667f3bcdp+0,
             0x1.6a09e667f3bccp+0, 2.0);
  CHECK_FOUR(__fma, 0x1p-104, 0x1p-104, 0x1p-104, 0x1p-104, above_one, above_one,
             -(1.0 + 2 * DBL_EPSILON));
  CHECK_FOUR(__fma, 1.0, 1.0, above_one, 1.0, 0x1p-500, 0x1p-500, 1.0);
  CHECK(std::signbit(__dadd_rd(1.0, -1.0)));

  std::mt19937 bits(2);
  for (int i = 0; i < 5000; ++i) {
    const double x = random_double(bits), y = random_double(bits), z = std::fabs(y);
    REQUIRE(consistent(__dadd_rn(x, y), __dadd_rz(x, y), __dadd_ru(x, y), __dadd_rd(x, y)));
    REQUIRE(consistent(__dmul_rn(x, y), __dmul_rz(x, y), __dmul_ru(x, y), __dmul_rd(x, y)));
    REQUIRE(consistent(__ddiv_rn(x, y), __ddiv_rz(x, y), __ddiv_ru(x, y), __ddiv_rd(x, y)));
    REQUIRE(consistent(__drcp_rn(x), __drcp_rz(x), __drcp_ru(x), __drcp_rd(x)));
    REQUIRE(consistent(__dsqrt_rn(z), __dsqrt_rz(z), __dsqrt_ru(z), __dsqrt_rd(z)));
    // What the nearest product lacks is exact in a double, and says which neighbour is on which
    // side.
    const double nearest = __dmul_rn(x, y);
    const int exact_lies = sign_of(std::fma(x, y, -nearest));
    REQUIRE((__dmul_ru(x, y) > nearest) == (exact_lies > 0));
    REQUIRE((__dmul_rd(x, y) < nearest) == (exact_lies < 0));
  }
}

TEST_CASE("a named rounding is never fused with what follows") {
  // x * x is 1 + 2^-11 + 2^-24, of which a float keeps all but the last term.
  volatile float x = 1 + 0x1p-12f;
  volatile double y = 1 + 0x1p-27;
  CHECK(__fmul_rn(x, x) - (1 + 0x1p-11f) == 0.0f);
  CHECK(__dmul_rn(y, y) - (1 + 0x1p-26) == 0.0);
}

TEST_CASE("a directed operation leaves the host's rounding as it was") {
  CHECK(__fadd_ru(1.0f, 0x1p-30f) > 1.0f);
  CHECK(std::fegetround() == FE_TONEAREST);
}

TEST_CASE("__frsqrt_rn is the float nearest to 1/sqrt(x)") {
  using Wide = emulator::detail::Uint128;
  // x = X 2^a and the result y = Y 2^b with integers X and Y of 24 bits: y is right if one half
  // unit below it (2Y - 1) and one above (2Y + 1) give products y y x on either side of 1, exactly.
  for (std::uint32_t pattern = 0x3F800000U; pattern < 0x40800000U; pattern += 257) {
    const std::uint32_t result = __float_as_uint(__frsqrt_rn(__uint_as_float(pattern)));
    const Wide X = (pattern & 0x7FFFFFU) | 0x800000U, Y = (result & 0x7FFFFFU) | 0x800000U;
    const int a = static_cast<int>(pattern >> 23) - 150, b = static_cast<int>(result >> 23) - 150;
    const Wide one = Wide{1} << -(a + 2 * b - 2);
    // Just below a power of two the floats are twice as close: a quarter of a unit there.
    const Wide below =
        Y == 0x800000U ? (4 * Y - 1) * (4 * Y - 1) * X / 4 : (2 * Y - 1) * (2 * Y - 1) * X;
    REQUIRE(below <= one);
    REQUIRE((2 * Y + 1) * (2 * Y + 1) * X >= one);
  }
  CHECK(__frsqrt_rn(4.0f) == 0.5f);
  CHECK(__frsqrt_rn(smallest) == 0x1.6a09e6p+74f);
  CHECK(__frsqrt_rn(infinity) == 0.0f);
  CHECK(__frsqrt_rn(0.0f) == infinity);
  CHECK(__frsqrt_rn(-0.0f) == -infinity);
  CHECK(std::isnan(__frsqrt_rn(-1.0f)));
}
