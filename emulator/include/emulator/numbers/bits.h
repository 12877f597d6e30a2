#pragma once
#pragma GCC system_header
/// \file
/// Integer intrinsics: counting and permuting bits, funnel shifts, high halves of products,
/// averages, sums of absolute differences and small dot products. The packed SIMD-in-a-word
/// intrinsics, `__vadd4` and its family, are in emulator/numbers/simd.h.
///
/// What a GPU computes without a branch is written without one here too, so that these functions
/// never show up as divergence.

#include "emulator/device/vector_types.h"
#include "emulator/inline.h"

namespace emulator::detail {

__extension__ typedef __int128 Int128;
__extension__ typedef unsigned __int128 Uint128;

/// `condition ? yes : no`, without a branch.
EMULATOR_INLINE constexpr unsigned choose(bool condition, unsigned yes, unsigned no) noexcept {
  const unsigned mask = 0u - static_cast<unsigned>(condition);
  return (yes & mask) | (no & ~mask);
}

/// The byte of `bytes` that the lowest three bits of `selector` name.
EMULATOR_INLINE constexpr unsigned select_byte(unsigned long long bytes,
                                               unsigned selector) noexcept {
  return static_cast<unsigned>(bytes >> (8 * (selector & 7))) & 0xFF;
}

/// One 64-bit word from its halves.
EMULATOR_INLINE constexpr unsigned long long join(unsigned low, unsigned high) noexcept {
  return static_cast<unsigned long long>(high) << 32 | low;
}

/// Byte `index` of a word, with its sign.
EMULATOR_INLINE constexpr int signed_byte(int word, int index) noexcept {
  return static_cast<signed char>(static_cast<unsigned>(word) >> (8 * index) & 0xFF);
}

/// Byte `index` of a word.
EMULATOR_INLINE constexpr unsigned unsigned_byte(unsigned word, int index) noexcept {
  return word >> (8 * index) & 0xFF;
}

/// The low 24 bits of x, taken as a signed number.
EMULATOR_INLINE constexpr int signed_24(int x) noexcept {
  return static_cast<int>(static_cast<unsigned>(x) << 8) >> 8;
}

/// The position of the `offset`-th set bit of a mask, see `__fns`.
EMULATOR_LEAF unsigned find_nth_set(unsigned mask, unsigned base, int offset) noexcept {
  constexpr unsigned none = 0xFFFFFFFFu;
  if (base > 31) return none;
  if (offset == 0) return (mask >> base & 1) != 0 ? base : none;
  const int step = offset > 0 ? 1 : -1;
  // A count beyond 32 can never be found, so that the most negative offset needs no care.
  int left = offset > 32 || offset < -32 ? 33 : offset * step;
  for (int position = static_cast<int>(base); position >= 0 && position < 32; position += step) {
    if ((mask >> position & 1) != 0 && --left == 0) return static_cast<unsigned>(position);
  }
  return none;
}

}  // namespace emulator::detail

// Counting.

/// Number of bits that are set.
EMULATOR_INLINE constexpr int __popc(unsigned x) noexcept {
  return __builtin_popcount(x);
}
EMULATOR_INLINE constexpr int __popcll(unsigned long long x) noexcept {
  return __builtin_popcountll(x);
}

/// Number of zero bits above the highest set bit; all of them for 0.
EMULATOR_INLINE constexpr int __clz(int x) noexcept {
  return __builtin_clz(static_cast<unsigned>(x) | 1u) + static_cast<int>(x == 0);
}
EMULATOR_INLINE constexpr int __clzll(long long x) noexcept {
  return __builtin_clzll(static_cast<unsigned long long>(x) | 1u) + static_cast<int>(x == 0);
}

/// Position of the lowest set bit, counted from 1; 0 for 0.
EMULATOR_INLINE constexpr int __ffs(int x) noexcept {
  return __builtin_ffs(x);
}
EMULATOR_INLINE constexpr int __ffsll(long long x) noexcept {
  return __builtin_ffsll(x);
}

/// Position of a set bit of `mask`: bit `base` itself if `offset` is 0; else the `offset`-th set
/// bit from `base` on, upwards, or downwards for a negative offset. 0xFFFFFFFF if there is no such
/// bit.
EMULATOR_INLINE unsigned __fns(unsigned mask, unsigned base, int offset) noexcept {
  return ::emulator::detail::find_nth_set(mask, base, offset);
}

// Permuting.

/// The order of the bytes reversed.
EMULATOR_INLINE constexpr unsigned short __nv_bswap16(unsigned short x) noexcept {
  return __builtin_bswap16(x);
}
EMULATOR_INLINE constexpr unsigned __nv_bswap32(unsigned x) noexcept {
  return __builtin_bswap32(x);
}
EMULATOR_INLINE constexpr unsigned long long __nv_bswap64(unsigned long long x) noexcept {
  return __builtin_bswap64(x);
}

/// The order of the bits reversed: bits of a byte swapped by ones, twos and fours, then the bytes.
EMULATOR_INLINE constexpr unsigned long long __brevll(unsigned long long x) noexcept {
  x = (x >> 1 & 0x5555555555555555u) | (x & 0x5555555555555555u) << 1;
  x = (x >> 2 & 0x3333333333333333u) | (x & 0x3333333333333333u) << 2;
  x = (x >> 4 & 0x0F0F0F0F0F0F0F0Fu) | (x & 0x0F0F0F0F0F0F0F0Fu) << 4;
  return __builtin_bswap64(x);
}
EMULATOR_INLINE constexpr unsigned __brev(unsigned x) noexcept {
  return static_cast<unsigned>(__brevll(x) >> 32);
}

/// Four bytes chosen from the eight of x (bytes 0 to 3) and y (4 to 7): the low three bits of digit
/// i of the hexadecimal `s` name byte i of the result. (The instruction itself would take the
/// top bit of a digit to mean the sign of the byte; this function ignores it.)
EMULATOR_INLINE constexpr unsigned __byte_perm(unsigned x, unsigned y, unsigned s) noexcept {
  const unsigned long long bytes = ::emulator::detail::join(x, y);
  return ::emulator::detail::select_byte(bytes, s) |
         ::emulator::detail::select_byte(bytes, s >> 4) << 8 |
         ::emulator::detail::select_byte(bytes, s >> 8) << 16 |
         ::emulator::detail::select_byte(bytes, s >> 12) << 24;
}

/// The upper (`_l`, shifted left) or lower (`_r`, shifted right) word of the shifted pair hi:lo.
/// The shift is taken modulo 32; the forms `lc` and `rc` take every shift beyond 32 as 32.
EMULATOR_INLINE constexpr unsigned __funnelshift_l(unsigned lo, unsigned hi,
                                                   unsigned shift) noexcept {
  return static_cast<unsigned>(::emulator::detail::join(lo, hi) << (shift & 31) >> 32);
}
EMULATOR_INLINE constexpr unsigned __funnelshift_lc(unsigned lo, unsigned hi,
                                                    unsigned shift) noexcept {
  const unsigned by = ::emulator::detail::choose(shift < 32, shift, 32);
  return static_cast<unsigned>(::emulator::detail::join(lo, hi) << by >> 32);
}
EMULATOR_INLINE constexpr unsigned __funnelshift_r(unsigned lo, unsigned hi,
                                                   unsigned shift) noexcept {
  return static_cast<unsigned>(::emulator::detail::join(lo, hi) >> (shift & 31));
}
EMULATOR_INLINE constexpr unsigned __funnelshift_rc(unsigned lo, unsigned hi,
                                                    unsigned shift) noexcept {
  const unsigned by = ::emulator::detail::choose(shift < 32, shift, 32);
  return static_cast<unsigned>(::emulator::detail::join(lo, hi) >> by);
}

// Products.

/// The low 32 bits of the product of the low 24 bits of x and y.
EMULATOR_INLINE constexpr int __mul24(int x, int y) noexcept {
  const long long product =
      static_cast<long long>(::emulator::detail::signed_24(x)) * ::emulator::detail::signed_24(y);
  return static_cast<int>(product);
}
EMULATOR_INLINE constexpr unsigned __umul24(unsigned x, unsigned y) noexcept {
  return (x & 0xFFFFFFu) * (y & 0xFFFFFFu);
}

/// The high half of the full product.
EMULATOR_INLINE constexpr int __mulhi(int x, int y) noexcept {
  return static_cast<int>(static_cast<long long>(x) * y >> 32);
}
EMULATOR_INLINE constexpr unsigned __umulhi(unsigned x, unsigned y) noexcept {
  return static_cast<unsigned>(static_cast<unsigned long long>(x) * y >> 32);
}
EMULATOR_INLINE constexpr long long __mul64hi(long long x, long long y) noexcept {
  return static_cast<long long>(static_cast<::emulator::detail::Int128>(x) * y >> 64);
}
EMULATOR_INLINE constexpr unsigned long long __umul64hi(unsigned long long x,
                                                        unsigned long long y) noexcept {
  return static_cast<unsigned long long>(static_cast<::emulator::detail::Uint128>(x) * y >> 64);
}

// Sums.

/// |x - y| + z.
EMULATOR_INLINE constexpr unsigned __sad(int x, int y, unsigned z) noexcept {
  const unsigned difference = static_cast<unsigned>(x) - static_cast<unsigned>(y);
  return ::emulator::detail::choose(x < y, 0u - difference, difference) + z;
}
EMULATOR_INLINE constexpr unsigned __usad(unsigned x, unsigned y, unsigned z) noexcept {
  return ::emulator::detail::choose(x < y, y - x, x - y) + z;
}

/// The average of x and y without overflow: `__hadd` rounds down, `__rhadd` rounds up.
EMULATOR_INLINE constexpr int __hadd(int x, int y) noexcept {
  return static_cast<int>((static_cast<long long>(x) + y) >> 1);
}
EMULATOR_INLINE constexpr int __rhadd(int x, int y) noexcept {
  return static_cast<int>((static_cast<long long>(x) + y + 1) >> 1);
}
EMULATOR_INLINE constexpr unsigned __uhadd(unsigned x, unsigned y) noexcept {
  return static_cast<unsigned>((static_cast<unsigned long long>(x) + y) >> 1);
}
EMULATOR_INLINE constexpr unsigned __urhadd(unsigned x, unsigned y) noexcept {
  return static_cast<unsigned>((static_cast<unsigned long long>(x) + y + 1) >> 1);
}

// Dot products.

/// c plus the four products of the bytes of a and b; wraps around on overflow.
EMULATOR_INLINE constexpr unsigned __dp4a(unsigned a, unsigned b, unsigned c) noexcept {
  using ::emulator::detail::unsigned_byte;
  return c + unsigned_byte(a, 0) * unsigned_byte(b, 0) + unsigned_byte(a, 1) * unsigned_byte(b, 1) +
         unsigned_byte(a, 2) * unsigned_byte(b, 2) + unsigned_byte(a, 3) * unsigned_byte(b, 3);
}
EMULATOR_INLINE constexpr int __dp4a(int a, int b, int c) noexcept {
  using ::emulator::detail::signed_byte;
  const int sum = signed_byte(a, 0) * signed_byte(b, 0) + signed_byte(a, 1) * signed_byte(b, 1) +
                  signed_byte(a, 2) * signed_byte(b, 2) + signed_byte(a, 3) * signed_byte(b, 3);
  return static_cast<int>(static_cast<unsigned>(c) + static_cast<unsigned>(sum));
}
EMULATOR_INLINE constexpr int __dp4a(char4 a, char4 b, int c) noexcept {
  const int sum = a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
  return static_cast<int>(static_cast<unsigned>(c) + static_cast<unsigned>(sum));
}
EMULATOR_INLINE constexpr unsigned __dp4a(uchar4 a, uchar4 b, unsigned c) noexcept {
  return c + static_cast<unsigned>(a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w);
}

/// c plus two products: the 16-bit halves of a times the low (`_lo`) or high (`_hi`) two bytes of
/// b.
EMULATOR_INLINE constexpr int __dp2a_lo(short2 a, char4 b, int c) noexcept {
  const int sum = a.x * b.x + a.y * b.y;
  return static_cast<int>(static_cast<unsigned>(c) + static_cast<unsigned>(sum));
}
EMULATOR_INLINE constexpr int __dp2a_hi(short2 a, char4 b, int c) noexcept {
  const int sum = a.x * b.z + a.y * b.w;
  return static_cast<int>(static_cast<unsigned>(c) + static_cast<unsigned>(sum));
}
EMULATOR_INLINE constexpr unsigned __dp2a_lo(ushort2 a, uchar4 b, unsigned c) noexcept {
  return c + static_cast<unsigned>(a.x * b.x + a.y * b.y);
}
EMULATOR_INLINE constexpr unsigned __dp2a_hi(ushort2 a, uchar4 b, unsigned c) noexcept {
  return c + static_cast<unsigned>(a.x * b.z + a.y * b.w);
}
EMULATOR_INLINE constexpr int __dp2a_lo(int a, int b, int c) noexcept {
  return __dp2a_lo(__builtin_bit_cast(short2, a), __builtin_bit_cast(char4, b), c);
}
EMULATOR_INLINE constexpr int __dp2a_hi(int a, int b, int c) noexcept {
  return __dp2a_hi(__builtin_bit_cast(short2, a), __builtin_bit_cast(char4, b), c);
}
EMULATOR_INLINE constexpr unsigned __dp2a_lo(unsigned a, unsigned b, unsigned c) noexcept {
  return __dp2a_lo(__builtin_bit_cast(ushort2, a), __builtin_bit_cast(uchar4, b), c);
}
EMULATOR_INLINE constexpr unsigned __dp2a_hi(unsigned a, unsigned b, unsigned c) noexcept {
  return __dp2a_hi(__builtin_bit_cast(ushort2, a), __builtin_bit_cast(uchar4, b), c);
}
