/// \file
/// Integer intrinsics, conversions, and arithmetic with a named rounding, at the edges of their
/// types.
///
/// Where CUDA leaves a result open (a NaN as an integer, say) the expected value is what an NVIDIA
/// H200 computes.

#include <doctest/doctest.h>

#include <algorithm>
#include <cfloat>
#include <climits>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <random>
#include <vector>

#include "emulator/numbers/bits.h"
#include "emulator/numbers/math.h"
#include "emulator/numbers/simd.h"

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

/// On which side of an inexact result lies the exact one? 1 above, -1 below, 0 if it is exact.
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

TEST_CASE("counting bits") {
  static_assert(__popc(0) == 0 && __popc(UINT_MAX) == 32 && __popc(0x80000001U) == 2);
  static_assert(__popcll(0) == 0 && __popcll(ULLONG_MAX) == 64 && __popcll(1ULL << 40) == 1);
  static_assert(__clz(0) == 32 && __clz(1) == 31 && __clz(-1) == 0 && __clz(INT_MAX) == 1);
  static_assert(__clzll(0) == 64 && __clzll(1) == 63 && __clzll(-1) == 0 &&
                __clzll(1LL << 32) == 31);
  static_assert(__ffs(0) == 0 && __ffs(1) == 1 && __ffs(INT_MIN) == 32 && __ffs(12) == 3);
  static_assert(__ffsll(0) == 0 && __ffsll(LLONG_MIN) == 64 && __ffsll(1LL << 32) == 33);
  for (int bit = 0; bit < 32; ++bit) {
    CHECK(__clz(static_cast<int>(1U << bit)) == 31 - bit);
    CHECK(__ffs(static_cast<int>(1U << bit)) == bit + 1);
  }
  CHECK(__fns(0b10110, 1, 0) == 1);
  CHECK(__fns(0b10110, 0, 0) == UINT_MAX);
  CHECK(__fns(0b10110, 0, 1) == 1);
  CHECK(__fns(0b10110, 1, 1) == 1);
  CHECK(__fns(0b10110, 0, 3) == 4);
  CHECK(__fns(0b10110, 0, 4) == UINT_MAX);
  CHECK(__fns(0b10110, 3, -1) == 2);
  CHECK(__fns(0b10110, 31, -3) == 1);
  CHECK(__fns(UINT_MAX, 31, -32) == 0);
  CHECK(__fns(UINT_MAX, 0, 33) == UINT_MAX);
  CHECK(__fns(UINT_MAX, 0, INT_MIN) == UINT_MAX);
}

TEST_CASE("permuting bits and bytes") {
  static_assert(__brev(0) == 0 && __brev(1) == 0x80000000U && __brev(0x12345678U) == 0x1E6A2C48U);
  static_assert(__brev(UINT_MAX) == UINT_MAX && __brevll(1) == 1ULL << 63);
  static_assert(__brevll(0x123456789ABCDEF0ULL) == 0x0F7B3D591E6A2C48ULL);
  static_assert(__nv_bswap16(0x1234) == 0x3412 && __nv_bswap32(0x12345678U) == 0x78563412U);
  static_assert(__nv_bswap64(0x0102030405060708ULL) == 0x0807060504030201ULL);

  static_assert(__byte_perm(0x33221100U, 0x77665544U, 0x3210) == 0x33221100U);
  static_assert(__byte_perm(0x33221100U, 0x77665544U, 0x7654) == 0x77665544U);
  static_assert(__byte_perm(0x33221100U, 0x77665544U, 0x0527) == 0x00552277U);
  static_assert(__byte_perm(0xFFU, 0x7FFFFFC0U, 0xFFFF) == 0x7F7F7F7FU, "no sign replication");
  static_assert(__byte_perm(0x33221100U, 0x77665544U, 0xABCD3210U) == 0x33221100U);

  constexpr unsigned low = 0x89ABCDEFU, high = 0x01234567U;
  static_assert(__funnelshift_l(low, high, 0) == high &&
                __funnelshift_l(low, high, 8) == 0x23456789U);
  static_assert(__funnelshift_l(low, high, 32) == high && __funnelshift_lc(low, high, 32) == low);
  static_assert(__funnelshift_lc(low, high, UINT_MAX) == low &&
                __funnelshift_lc(low, high, 4) == 0x12345678U);
  static_assert(__funnelshift_r(low, high, 0) == low &&
                __funnelshift_r(low, high, 8) == 0x6789ABCDU);
  static_assert(__funnelshift_r(low, high, 40) == 0x6789ABCDU &&
                __funnelshift_r(low, high, 32) == low);
  static_assert(__funnelshift_rc(low, high, 32) == high && __funnelshift_rc(low, high, 33) == high);
  static_assert(__funnelshift_rc(low, high, 31) == 0x02468ACFU);
}

TEST_CASE("high halves and 24-bit products") {
  static_assert(__mul24(0x7FFFFF, 2) == 0xFFFFFE && __mul24(0x800000, 1) == -0x800000);
  static_assert(__mul24(0x01000002, 3) == 6 && __mul24(-1, -1) == 1);
  static_assert(__mul24(0x7FFFFF, 0x7FFFFF) == static_cast<int>(0xFF000001U));
  static_assert(__umul24(0xFFFFFFU, 0xFFFFFFU) == 0xFE000001U &&
                __umul24(0xFF000002U, 0xFF000003U) == 6);
  static_assert(__mulhi(INT_MIN, INT_MIN) == 0x40000000 && __mulhi(-1, 1) == -1);
  static_assert(__umulhi(UINT_MAX, UINT_MAX) == UINT_MAX - 1 && __umulhi(1U << 31, 2) == 1);
  static_assert(__mul64hi(LLONG_MIN, LLONG_MIN) == 1LL << 62 && __mul64hi(-1, 1) == -1);
  static_assert(__umul64hi(ULLONG_MAX, ULLONG_MAX) == ULLONG_MAX - 1);
}

TEST_CASE("sums of absolute differences and averages") {
  static_assert(__sad(INT_MIN, INT_MAX, 1) == 0 && __sad(-3, 4, 10) == 17 &&
                __sad(4, -3, 10) == 17);
  static_assert(__usad(0, UINT_MAX, 0) == UINT_MAX && __usad(7, 3, 1) == 5);
  static_assert(__hadd(INT_MAX, INT_MAX) == INT_MAX && __hadd(-1, 0) == -1 && __hadd(1, 2) == 1);
  static_assert(__hadd(INT_MIN, INT_MAX) == -1 && __rhadd(INT_MIN, INT_MAX) == 0);
  static_assert(__rhadd(-1, 0) == 0 && __rhadd(1, 2) == 2 && __rhadd(INT_MIN, INT_MIN) == INT_MIN);
  static_assert(__uhadd(UINT_MAX, UINT_MAX) == UINT_MAX && __uhadd(1, 2) == 1);
  static_assert(__urhadd(UINT_MAX, 0) == 0x80000000U && __urhadd(1, 2) == 2);
}

namespace {

/// A word of which each part is what `compute` makes of the parts of two others, as T.
template <class T, class Compute>
unsigned part_by_part(unsigned a, unsigned b, Compute compute) {
  unsigned result = 0;
  for (unsigned place = 0; place < 4 / sizeof(T); ++place) {
    const unsigned bits = 8 * static_cast<unsigned>(sizeof(T));
    const unsigned mask = (1U << bits) - 1;
    const long x = static_cast<T>(a >> (place * bits) & mask);
    const long y = static_cast<T>(b >> (place * bits) & mask);
    result |= (static_cast<unsigned>(static_cast<long>(compute(x, y))) & mask) << (place * bits);
  }
  return result;
}

/// Words of parts at the edges of their types, and of any.
std::vector<unsigned> words_of_parts() {
  std::vector<unsigned> words = {0,          0x80808080, 0x7F7F7F7F, 0xFFFFFFFF, 0x80008000,
                                 0x7FFF7FFF, 0x01FF0180, 0xFF01FE02, 0x0001FFFF, 0xFFFE8001};
  std::mt19937 bits(3);
  for (int i = 0; i < 40; ++i) words.push_back(static_cast<unsigned>(bits()));
  return words;
}

}  // namespace

// NOLINTBEGIN(cppcoreguidelines-macro-usage,bugprone-macro-parentheses)
#define CHECK_PARTS(function, T, expression) \
  CHECK(function(a, b) == part_by_part<T>(a, b, [](long x, long y) { return expression; }))
#define CHECK_EACH(function, T, expression) \
  CHECK(function(a) == part_by_part<T>(a, 0, [](long x, long) { return expression; }))
#define CHECK_COMPARISONS(T, U, n)                          \
  CHECK_PARTS(__vcmpeq##n, U, x == y ? -1L : 0L);           \
  CHECK_PARTS(__vcmpne##n, U, x != y ? -1L : 0L);           \
  CHECK_PARTS(__vcmpges##n, T, x >= y ? -1L : 0L);          \
  CHECK_PARTS(__vcmpgeu##n, U, x >= y ? -1L : 0L);          \
  CHECK_PARTS(__vcmpgts##n, T, x > y ? -1L : 0L);           \
  CHECK_PARTS(__vcmpgtu##n, U, x > y ? -1L : 0L);           \
  CHECK_PARTS(__vcmples##n, T, x <= y ? -1L : 0L);          \
  CHECK_PARTS(__vcmpleu##n, U, x <= y ? -1L : 0L);          \
  CHECK_PARTS(__vcmplts##n, T, x < y ? -1L : 0L);           \
  CHECK_PARTS(__vcmpltu##n, U, x < y ? -1L : 0L);           \
  CHECK(__vseteq##n(a, b) == (__vcmpeq##n(a, b) & ones));   \
  CHECK(__vsetne##n(a, b) == (__vcmpne##n(a, b) & ones));   \
  CHECK(__vsetges##n(a, b) == (__vcmpges##n(a, b) & ones)); \
  CHECK(__vsetgeu##n(a, b) == (__vcmpgeu##n(a, b) & ones)); \
  CHECK(__vsetgts##n(a, b) == (__vcmpgts##n(a, b) & ones)); \
  CHECK(__vsetgtu##n(a, b) == (__vcmpgtu##n(a, b) & ones)); \
  CHECK(__vsetles##n(a, b) == (__vcmples##n(a, b) & ones)); \
  CHECK(__vsetleu##n(a, b) == (__vcmpleu##n(a, b) & ones)); \
  CHECK(__vsetlts##n(a, b) == (__vcmplts##n(a, b) & ones)); \
  CHECK(__vsetltu##n(a, b) == (__vcmpltu##n(a, b) & ones))
#define CHECK_ARITHMETIC(T, U, n)                                                                 \
  CHECK_PARTS(__vmins##n, T, std::min(x, y));                                                     \
  CHECK_PARTS(__vminu##n, U, std::min(x, y));                                                     \
  CHECK_PARTS(__vmaxs##n, T, std::max(x, y));                                                     \
  CHECK_PARTS(__vmaxu##n, U, std::max(x, y));                                                     \
  CHECK_EACH(__vabs##n, T, std::abs(x));                                                          \
  CHECK_EACH(__vabsss##n, T, std::min<long>(std::abs(x), std::numeric_limits<T>::max()));         \
  CHECK_EACH(__vneg##n, T, -x);                                                                   \
  CHECK_EACH(__vnegss##n, T, std::min<long>(-x, std::numeric_limits<T>::max()));                  \
  CHECK_PARTS(__vabsdiffs##n, T, std::abs(x - y));                                                \
  CHECK_PARTS(__vabsdiffu##n, U, std::abs(x - y));                                                \
  CHECK_PARTS(__vadd##n, T, x + y);                                                               \
  CHECK_PARTS(__vsub##n, T, x - y);                                                               \
  CHECK_PARTS(                                                                                    \
      __vaddss##n, T,                                                                             \
      (std::clamp<long>(x + y, std::numeric_limits<T>::min(), std::numeric_limits<T>::max())));   \
  CHECK_PARTS(                                                                                    \
      __vsubss##n, T,                                                                             \
      (std::clamp<long>(x - y, std::numeric_limits<T>::min(), std::numeric_limits<T>::max())));   \
  CHECK_PARTS(__vaddus##n, U, std::min<long>(x + y, std::numeric_limits<U>::max()));              \
  CHECK_PARTS(__vsubus##n, U, std::max(x - y, 0L));                                               \
  CHECK_PARTS(__vavgs##n, T, std::lround((static_cast<double>(x) + static_cast<double>(y)) / 2)); \
  CHECK_PARTS(__vavgu##n, U, std::lround((static_cast<double>(x) + static_cast<double>(y)) / 2)); \
  CHECK_PARTS(__vhaddu##n, U, (x + y) / 2)
// NOLINTEND(cppcoreguidelines-macro-usage,bugprone-macro-parentheses)

TEST_CASE("two or four numbers in a word") {
  for (const unsigned a : words_of_parts()) {
    for (const unsigned b : words_of_parts()) {
      unsigned ones = 0x00010001;
      CHECK_COMPARISONS(short, unsigned short, 2);
      CHECK_ARITHMETIC(short, unsigned short, 2);
      ones = 0x01010101;
      CHECK_COMPARISONS(signed char, unsigned char, 4);
      CHECK_ARITHMETIC(signed char, unsigned char, 4);
    }
  }
  CHECK(__vsads2(0x80000003, 0x7FFF0001) == 65535 + 2);
  CHECK(__vsadu2(0x80000003, 0x7FFF0005) == 1 + 2);
  CHECK(__vsads4(0x80010203, 0x7F000000) == 255 + 1 + 2 + 3);
  CHECK(__vsadu4(0x80010203, 0x7F000005) == 1 + 1 + 2 + 2);
}

TEST_CASE("dot products of bytes") {
  static_assert(__dp4a(static_cast<int>(0x80FF7F01U), 0x01010101, 10) == 10 - 128 - 1 + 127 + 1);
  static_assert(__dp4a(0x80FF7F01U, 0x01010101U, 10U) == 10 + 128 + 255 + 127 + 1);
  static_assert(__dp4a(0x02010101, 0x03010101, 0) == 9);
  static_assert(__dp4a(make_char4(1, -2, 3, -4), make_char4(5, 6, -7, -128), 0) ==
                5 - 12 - 21 + 512);
  static_assert(__dp4a(make_uchar4(255, 255, 255, 255), make_uchar4(255, 255, 255, 255), 1) ==
                260101);
  static_assert(__dp4a(0x01010101, 0x01010101, INT_MAX) == INT_MIN + 3, "wraps around");
  static_assert(__dp2a_lo(static_cast<int>(0x8000FFFFU), 0x04030201, 0) == -32768 * 2 - 1);
  static_assert(__dp2a_hi(static_cast<int>(0x8000FFFFU), 0x04030201, 0) == -32768 * 4 - 3);
  static_assert(__dp2a_lo(0x8000FFFFU, 0x04030201U, 1U) == 1 + 32768 * 2 + 65535);
  static_assert(__dp2a_hi(0x8000FFFFU, 0x04030201U, 1U) == 1 + 32768 * 4 + 65535 * 3);
  static_assert(__dp2a_lo(make_short2(-1, 2), make_char4(3, 4, 5, 6), 7) == 12);
  static_assert(__dp2a_hi(make_ushort2(1, 2), make_uchar4(3, 4, 5, 6), 7) == 24);
}

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
    // Just below a power of two the floats lie twice as close: a quarter of a unit there.
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
