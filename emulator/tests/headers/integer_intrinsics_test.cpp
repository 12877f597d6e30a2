/// \file
/// Integer intrinsics at the edges of their types: bits, products' high halves, numbers in parts of
/// a word.

#include <doctest/doctest.h>

#include <algorithm>
#include <climits>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <random>
#include <vector>

#include "emulator/numbers/bits.h"
#include "emulator/numbers/simd.h"

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
