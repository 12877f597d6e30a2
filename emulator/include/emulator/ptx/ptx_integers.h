#pragma once
#pragma GCC system_header
/// \file
/// Whole numbers and bits of PTX. They wrap round, signed ones too.

#include <limits>

#include "emulator/ptx/ptx_types.h"

namespace emulator::ptx {

template <class T>
using Unsigned = std::make_unsigned_t<T>;

/// A type of twice the width.
template <class T>
struct WideOf;
template <>
struct WideOf<u16> {
  using type = u32;
};
template <>
struct WideOf<s16> {
  using type = s32;
};
template <>
struct WideOf<u32> {
  using type = u64;
};
template <>
struct WideOf<s32> {
  using type = s64;
};
template <>
struct WideOf<u64> {
  using type = u128;
};
template <>
struct WideOf<s64> {
  using type = ::emulator::detail::Int128;
};
template <class T>
using Wide = typename WideOf<T>::type;

template <class T>
EMULATOR_LEAF T add(T a, T b) {
  return static_cast<T>(static_cast<Unsigned<T>>(a) + static_cast<Unsigned<T>>(b));
}
template <class T>
EMULATOR_LEAF T sub(T a, T b) {
  return static_cast<T>(static_cast<Unsigned<T>>(a) - static_cast<Unsigned<T>>(b));
}
template <class T>
EMULATOR_LEAF Wide<T> mul_wide(T a, T b) {
  return static_cast<Wide<T>>(static_cast<Wide<T>>(a) * static_cast<Wide<T>>(b));
}
template <class T>
EMULATOR_LEAF T mul_lo(T a, T b) {
  return static_cast<T>(static_cast<u64>(a) * static_cast<u64>(b));
}
template <class T>
EMULATOR_LEAF T mul_hi(T a, T b) {
  return static_cast<T>(mul_wide(a, b) >> (8 * sizeof(T)));
}
template <Option part, class T>
EMULATOR_LEAF T mul_part(T a, T b) {
  return part == Option::lo_ ? mul_lo(a, b) : mul_hi(a, b);
}
template <class T>
EMULATOR_LEAF Wide<T> mad_wide(T a, T b, Wide<T> c) {
  return add<Wide<T>>(mul_wide(a, b), c);
}
EMULATOR_LEAF s32 add_sat(s32 a, s32 b) {
  s32 sum = 0;
  if (!__builtin_add_overflow(a, b, &sum)) return sum;
  return a < 0 ? std::numeric_limits<s32>::min() : std::numeric_limits<s32>::max();
}
EMULATOR_LEAF s32 sub_sat(s32 a, s32 b) {
  s32 difference = 0;
  if (!__builtin_sub_overflow(a, b, &difference)) return difference;
  return a < 0 ? std::numeric_limits<s32>::min() : std::numeric_limits<s32>::max();
}
/// The lower or the upper 32 of the 48 bits of a product of 24-bit numbers.
template <Option part, class T>
EMULATOR_LEAF T mul24(T a, T b) {
  using Exact = Wide<T>;
  const Exact product = static_cast<Exact>(static_cast<T>(static_cast<u32>(a) << 8) >> 8) *
                        static_cast<Exact>(static_cast<T>(static_cast<u32>(b) << 8) >> 8);
  return static_cast<T>(part == Option::lo_ ? product : product >> 16);
}
/// What a GPU makes of a division by 0 is all bits set, and the dividend.
template <class T>
EMULATOR_LEAF T div(T a, T b) {
  if (b == 0) return static_cast<T>(~T{0});
  if (std::is_signed_v<T> && b == static_cast<T>(-1)) {
    return static_cast<T>(Unsigned<T>{0} - static_cast<Unsigned<T>>(a));
  }
  return static_cast<T>(a / b);
}
template <class T>
EMULATOR_LEAF T rem(T a, T b) {
  if (b == 0) return a;
  if (std::is_signed_v<T> && b == static_cast<T>(-1)) return 0;
  return static_cast<T>(a % b);
}
template <class T>
EMULATOR_LEAF T min(T a, T b) {
  return a < b ? a : b;
}
template <class T>
EMULATOR_LEAF T max(T a, T b) {
  return a > b ? a : b;
}
template <Option which, class T>
EMULATOR_LEAF T option_extreme(T a, T b) {
  return which == Option::min_ ? min(a, b) : max(a, b);
}
template <class T>
EMULATOR_LEAF T sad(T a, T b, T c) {
  return add(c, static_cast<T>(a < b ? static_cast<Unsigned<T>>(b) - static_cast<Unsigned<T>>(a)
                                     : static_cast<Unsigned<T>>(a) - static_cast<Unsigned<T>>(b)));
}
template <class T>
EMULATOR_LEAF T neg(T a) {
  return static_cast<T>(Unsigned<T>{0} - static_cast<Unsigned<T>>(a));
}
template <class T>
EMULATOR_LEAF T abs(T a) {
  return a < 0 ? neg(a) : a;
}

/// Two numbers of 16 bits in a word.
template <class Halves>
EMULATOR_LEAF Halves add_halves(Halves a, Halves b) {
  const u32 low = (a.bits + b.bits) & 0xFFFFU;
  return {((a.bits >> 16) + (b.bits >> 16)) << 16 | low};
}
template <Option which, Option relu, class Halves>
EMULATOR_LEAF Halves extreme_halves(Halves a, Halves b) {
  using T = std::conditional_t<std::is_same_v<Halves, s16x2>, s16, u16>;
  u32 result = 0;
  for (unsigned shift = 0; shift < 32; shift += 16) {
    T one = option_extreme<which>(static_cast<T>(a.bits >> shift), static_cast<T>(b.bits >> shift));
    if (relu != Option::none && one < 0) one = 0;
    result |= static_cast<u32>(static_cast<u16>(one)) << shift;
  }
  return {result};
}

/// a + b + the carry; the one that takes two also leaves one.
template <class T>
EMULATOR_LEAF T add_carry(T a, T b, bool carry) {
  return static_cast<T>(static_cast<Unsigned<T>>(a) + static_cast<Unsigned<T>>(b) + carry);
}
template <class T>
EMULATOR_UNSEEN inline T add_carry(T a, T b, bool carry, bool& out) {
  const u128 sum = u128{static_cast<Unsigned<T>>(a)} + static_cast<Unsigned<T>>(b) + carry;
  out = (sum >> (8 * sizeof(T))) != 0;
  return static_cast<T>(sum);
}
/// a - b - what was borrowed.
template <class T>
EMULATOR_LEAF T sub_carry(T a, T b, bool borrow) {
  return static_cast<T>(static_cast<Unsigned<T>>(a) - static_cast<Unsigned<T>>(b) - borrow);
}
template <class T>
EMULATOR_UNSEEN inline T sub_carry(T a, T b, bool borrow, bool& out) {
  const u128 whole = u128{static_cast<Unsigned<T>>(b)} + borrow;
  out = whole > static_cast<Unsigned<T>>(a);
  return static_cast<T>(static_cast<Unsigned<T>>(a) - static_cast<Unsigned<T>>(b) - borrow);
}

}  // namespace emulator::ptx
