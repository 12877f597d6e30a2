#pragma once
#pragma GCC system_header
/// \file
/// Bits and bytes of PTX: shifts, fields, permutations, small dot products.

#include "emulator/ptx/ptx_integers.h"

namespace emulator::ptx {

template <class T>
EMULATOR_LEAF T and_bits(T a, T b) {
  return static_cast<T>(a & b);
}
template <class T>
EMULATOR_LEAF T or_bits(T a, T b) {
  return static_cast<T>(a | b);
}
template <class T>
EMULATOR_LEAF T xor_bits(T a, T b) {
  return static_cast<T>(a ^ b);
}
/// By as many bits as there are, or more: nothing is left, or only the sign.
template <class T>
EMULATOR_LEAF T shift_left(T a, u32 by) {
  return by >= 8 * sizeof(T) ? T{0} : static_cast<T>(a << by);
}
template <class T>
EMULATOR_LEAF T shift_right(T a, u32 by) {
  if (by >= 8 * sizeof(T)) by = std::is_signed_v<T> ? 8 * sizeof(T) - 1 : 8 * sizeof(T);
  return by >= 8 * sizeof(T) ? T{0} : static_cast<T>(a >> by);
}
/// Any function of three bits, whose table of results is `table`.
EMULATOR_LEAF u32 lop3(u32 a, u32 b, u32 c, unsigned table) {
  u32 result = 0;
  for (unsigned i = 0; i < 8; ++i) {
    if ((table >> i & 1U) == 0) continue;
    result |= ((i & 4U) != 0 ? a : ~a) & ((i & 2U) != 0 ? b : ~b) & ((i & 1U) != 0 ? c : ~c);
  }
  return result;
}
/// Four of eight bytes; with the highest bit of its selector set, a byte is the sign of that one.
EMULATOR_LEAF u32 prmt(u32 a, u32 b, u32 selectors) {
  const u64 bytes = u64{b} << 32 | a;
  u32 result = 0;
  for (unsigned i = 0; i < 4; ++i) {
    const unsigned selector = selectors >> (4 * i) & 15U;
    auto byte = static_cast<u32>(bytes >> (8 * (selector & 7U)) & 0xFFU);
    if ((selector & 8U) != 0) byte = (byte & 0x80U) != 0 ? 0xFFU : 0;
    result |= byte << (8 * i);
  }
  return result;
}
/// `length` bits from `first` on; signed ones are filled with the highest of them.
template <class T>
EMULATOR_LEAF T bfe(T value, u32 first, u32 length) {
  constexpr u32 bits = 8 * sizeof(T);
  first &= 0xFFU;
  length &= 0xFFU;
  using Bits = std::make_unsigned_t<T>;
  if (length == 0) return 0;
  const u32 highest = first + length - 1 < bits - 1 ? first + length - 1 : bits - 1;
  const bool sign = std::is_signed_v<T> && (static_cast<Bits>(value) >> highest & 1U) != 0;
  Bits result = 0;
  for (u32 i = 0; i < bits; ++i) {
    const bool is_inside = i < length && first + i < bits;
    const bool bit = is_inside ? (static_cast<Bits>(value) >> (first + i) & 1U) != 0 : sign;
    if (bit) result |= Bits{1} << i;
  }
  return static_cast<T>(result);
}
/// `into`, with the lowest `length` bits of `value` from `first` on.
template <class T>
EMULATOR_LEAF T bfi(T value, T into, u32 first, u32 length) {
  first &= 0xFFU;
  length &= 0xFFU;
  for (u32 i = 0; i < length && first + i < 8 * sizeof(T); ++i) {
    const T bit = T{1} << (first + i);
    into = (value >> i & 1U) != 0 ? into | bit : into & ~bit;
  }
  return into;
}

/// The upper word of b:a shifted to the left, or the lower one of it shifted to the right.
template <Option direction, Option mode>
EMULATOR_LEAF u32 funnel_shift(u32 a, u32 b, u32 by) {
  by = mode == Option::wrap_ ? by & 31U : by > 32U ? 32U : by;
  const u64 both = u64{b} << 32 | a;
  if (direction == Option::l_) return by == 32 ? a : static_cast<u32>((both << by) >> 32);
  return static_cast<u32>(both >> by);
}
/// A result and whether it has a bit, together with another predicate.
template <Option operation>
EMULATOR_LEAF Pair<u32> lop3_tested(u32 result, bool other) {
  return {result, operation == Option::and_ ? (result != 0) && other : (result != 0) || other};
}
/// The modes of prmt, of which the selector has two bits.
template <Option mode>
EMULATOR_LEAF u32 prmt_mode(u32 a, u32 b, u32 selector) {
  const unsigned s = selector & 3U;
  u32 selectors = 0;
  for (unsigned i = 0; i < 4; ++i) {
    const unsigned from = mode == Option::f4e_   ? s + i
                          : mode == Option::b4e_ ? (s + 8 - i) & 7U
                          : mode == Option::rc8_ ? s
                          : mode == Option::ecl_ ? (i > s ? i : s)
                          : mode == Option::ecr_ ? (i < s ? i : s)
                                                 : (s & 1U) * 2 + (i & 1U);
    selectors |= from << (4 * i);
  }
  return prmt(a, b, selectors);
}
/// `length` bits set from `first` on.
template <Option mode>
EMULATOR_LEAF u32 bit_mask(u32 first, u32 length) {
  if (mode == Option::wrap_) {
    first &= 31U;
    length &= 31U;
  }
  if (first > 31 || length == 0) return 0;
  const u32 mask = length > 31 ? ~0U : (1U << length) - 1;
  return mask << first;
}
/// The lowest `length` bits as a number.
template <Option mode, class T>
EMULATOR_LEAF T extend(T value, u32 length) {
  if (mode == Option::wrap_) length &= 31U;
  if (length == 0) return 0;
  if (length > 31) return value;
  return static_cast<T>(static_cast<T>(static_cast<u32>(value) << (32 - length)) >> (32 - length));
}
/// Where the highest bit is that differs from the sign; all bits set if there is none. With
/// shiftamt: by how far it is to be shifted to be the highest.
template <Option shiftamt, class T>
EMULATOR_LEAF u32 bfind(T value) {
  auto bits = static_cast<Unsigned<T>>(value);
  if (std::is_signed_v<T> && value < 0) bits = static_cast<Unsigned<T>>(~bits);
  if (bits == 0) return ~0U;
  const auto place = 63U - static_cast<u32>(__builtin_clzl(u64{bits}));
  return shiftamt != Option::none ? 8 * static_cast<u32>(sizeof(T)) - 1 - place : place;
}

/// Byte or half `index`, as a number.
template <class T>
EMULATOR_UNSEEN inline s64 byte_of(u32 word, unsigned index) {
  const auto byte = static_cast<u8>(word >> (8 * index));
  return std::is_signed_v<T> ? s64{static_cast<s8>(byte)} : s64{byte};
}
template <class T>
EMULATOR_UNSEEN inline s64 half_of(u32 word, unsigned index) {
  const auto half = static_cast<u16>(word >> (16 * index));
  return std::is_signed_v<T> ? s64{static_cast<s16>(half)} : s64{half};
}
template <class TypeA, class TypeB>
EMULATOR_LEAF u32 dp4a(u32 a, u32 b, u32 c) {
  s64 sum = 0;
  for (unsigned i = 0; i < 4; ++i) sum += byte_of<TypeA>(a, i) * byte_of<TypeB>(b, i);
  return c + static_cast<u32>(sum);
}
template <Option part, class TypeA, class TypeB>
EMULATOR_LEAF u32 dp2a(u32 a, u32 b, u32 c) {
  s64 sum = 0;
  for (unsigned i = 0; i < 2; ++i) {
    sum += half_of<TypeA>(a, i) * byte_of<TypeB>(b, i + (part == Option::hi_ ? 2 : 0));
  }
  return c + static_cast<u32>(sum);
}
/// Absolute differences of bytes: each in its place, or their sum, which is added to c.
template <class TypeA, class TypeB, Option add>
EMULATOR_LEAF u32 byte_differences(u32 a, u32 b, u32 c) {
  u32 result = add == Option::add_ ? c : 0;
  for (unsigned i = 0; i < 4; ++i) {
    const s64 difference = byte_of<TypeA>(a, i) - byte_of<TypeB>(b, i);
    const auto size = static_cast<u32>(difference < 0 ? -difference : difference);
    result += add == Option::add_ ? size : (size & 0xFFU) << (8 * i);
  }
  return result;
}

}  // namespace emulator::ptx
