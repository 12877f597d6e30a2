#pragma once
#pragma GCC system_header
/// \file
/// PTX's cvt: from any number to any other.

#include "emulator/numbers/conversions.h"
#include "emulator/numbers/float8_format.h"
#include "emulator/ptx/ptx_float16.h"

namespace emulator::ptx {

constexpr ::emulator::detail::Rounding rounding16(Option rounding) {
  using ::emulator::detail::Rounding;
  switch (direction(rounding)) {
    case FE_TOWARDZERO:
      return Rounding::to_zero;
    case FE_UPWARD:
      return Rounding::up;
    case FE_DOWNWARD:
      return Rounding::down;
    default:
      return Rounding::nearest_even;
  }
}

/// Bits that do not fit go; or the nearest number that does fit is taken.
template <class To, Option sat, class From>
EMULATOR_LEAF To integer_of_integer(From x) {
  if (sat == Option::none) return static_cast<To>(x);
  using Exact = ::emulator::detail::Int128;
  const Exact value = x;
  if (value < Exact{std::numeric_limits<To>::min()}) return std::numeric_limits<To>::min();
  if (value > Exact{std::numeric_limits<To>::max()}) return std::numeric_limits<To>::max();
  return static_cast<To>(x);
}

template <class T>
EMULATOR_UNSEEN inline auto widened(T x) {
  if constexpr (is_16<T>) {
    return ::emulator::detail::decode16<Format<T>>(x.bits);
  } else {
    return x;
  }
}
/// A whole number of the same type.
template <Option rounding, class T>
EMULATOR_LEAF T whole(T x) {
  switch (rounding) {
    case Option::rzi_:
      return ::emulator::detail::truncated(x);
    case Option::rpi_:
      return ::emulator::detail::rounded_up(x);
    case Option::rmi_:
      return ::emulator::detail::rounded_down(x);
    default:
      return ::emulator::detail::nearest_integer(x);
  }
}
template <class To, Option rounding, Option ftz, class From>
EMULATOR_LEAF To integer_of_real(From x) {
  const auto value = whole<rounding>(flushed<ftz>(widened(x)));
  if constexpr (sizeof(To) < 4) {
    if (value != value) return 0;
    constexpr To lowest = std::numeric_limits<To>::min();
    constexpr To highest = std::numeric_limits<To>::max();
    return value <= lowest ? lowest : value >= highest ? highest : static_cast<To>(value);
  } else if constexpr (is_16<From>) {
    return ::emulator::detail::integer16<Format<From>, To>(x.bits, rounding16(rounding));
  } else {
    return ::emulator::detail::saturate<To>(value);
  }
}
template <class To, Option rounding, Option sat, class From>
EMULATOR_LEAF To real_of_integer(From x) {
  if constexpr (is_16<To>) {
    return finished16<Option::none, sat, To>(
        ::emulator::detail::encode16_integer<Format<To>>(x, rounding16(rounding)));
  } else {
    return finished<Option::none, sat>(
        ::emulator::detail::rounded_conversion<direction(rounding), To>(x));
  }
}
/// With `.rni` and the like to a whole number, else to the nearest one of the other type.
template <class To, Option rounding, Option ftz, Option sat, class From>
EMULATOR_LEAF To real_of_real(From x) {
  constexpr bool is_whole = rounding >= Option::rni_ && rounding <= Option::rpi_;
  constexpr bool is_rounded = rounding >= Option::rn_ && rounding <= Option::rp_;
  constexpr bool keeps_all = sizeof(To) > sizeof(From) || std::is_same_v<To, From>;
  static_assert(keeps_all ? !is_rounded : is_rounded,
                "cvt names a rounding where the result has fewer bits, and only there");
  static_assert(!is_whole || std::is_same_v<To, From>,
                "cvt rounds to a whole number only within a type");
  auto value = flushed<ftz>(widened(x));
  if constexpr (is_whole) value = whole<rounding>(value);
  if constexpr (is_16<To>) {
    return finished16<Option::none, sat, To>(
        ::emulator::detail::encode16<Format<To>>(value, rounding16(rounding)));
  } else {
    return finished<ftz, sat>(
        ::emulator::detail::rounded_conversion<direction(rounding), To>(value));
  }
}

/// A float as a number of 16 bits; `satfinite` knows no infinity.
template <class To, Option rounding, Option relu, Option satfinite>
EMULATOR_LEAF To narrowed(float x) {
  using Narrow = Format<To>;
  u16 bits = ::emulator::detail::encode16<Narrow>(x, rounding16(rounding));
  if (relu != Option::none) bits = ::emulator::detail::rectified16<Narrow>(bits);
  if (satfinite != Option::none && (bits & 0x7FFFU) == Narrow::infinity) --bits;
  return {bits};
}
/// Two floats, the first in the upper half.
template <class To, Option rounding, Option relu, Option satfinite>
EMULATOR_LEAF To narrowed_pair(float high, float low) {
  using Single = Element<To>;
  return {static_cast<u32>(narrowed<Single, rounding, relu, satfinite>(high).bits) << 16 |
          narrowed<Single, rounding, relu, satfinite>(low).bits};
}

/// A float of which 13 bits are 0: rounded to the nearest, ties away from zero (`rna`) or to even.
template <Option rounding, Option relu, Option satfinite>
EMULATOR_LEAF u32 tf32_of(float x) {
  if (x != x) return 0x7FFFFFFFU;
  if (relu != Option::none && x <= 0) return 0;
  u32 bits = as<u32>(x);
  if ((bits & 0x7FFFFFFFU) == 0x7F800000U) return bits - (satfinite != Option::none ? 0x2000U : 0U);
  if (rounding == Option::rna_) bits += 0x1000U;
  if (rounding == Option::rn_) bits += 0xFFFU + (bits >> 13 & 1U);
  bits &= ~0x1FFFU;
  if (satfinite != Option::none && (bits & 0x7FFFFFFFU) == 0x7F800000U) bits -= 0x2000U;
  return bits;
}

/// Numbers of 8 bits.
template <class Narrow, Option relu>
EMULATOR_LEAF u32 byte_of_real(double x) {
  return relu != Option::none && x < 0 ? 0 : ::emulator::detail::encode8<Narrow>(x, true);
}
template <class T>
using ByteFormat = std::conditional_t<std::is_same_v<T, e4m3x2>, ::emulator::detail::E4m3Format,
                                      ::emulator::detail::E5m2Format>;

template <class To, Option relu>
EMULATOR_LEAF To bytes_of(float high, float low) {
  using Narrow = ByteFormat<To>;
  return {
      static_cast<u16>(byte_of_real<Narrow, relu>(high) << 8 | byte_of_real<Narrow, relu>(low))};
}
template <class To, Option relu>
EMULATOR_LEAF To bytes_of_halves(f16x2 x) {
  using HalfBits = ::emulator::detail::HalfFormat;
  return bytes_of<To, relu>(::emulator::detail::decode16<HalfBits>(static_cast<u16>(x.bits >> 16)),
                            ::emulator::detail::decode16<HalfBits>(static_cast<u16>(x.bits)));
}
template <Option relu, class From>
EMULATOR_LEAF f16x2 halves_of_bytes(From x) {
  using Narrow = ByteFormat<From>;
  u32 result = 0;
  for (unsigned i = 0; i < 2; ++i) {
    u16 half = ::emulator::detail::half_of_8<Narrow>(static_cast<u32>(x.bits) >> (8 * i) & 0xFFU);
    if (relu != Option::none) {
      half = ::emulator::detail::rectified16<::emulator::detail::HalfFormat>(half);
    }
    result |= static_cast<u32>(half) << (16 * i);
  }
  return {result};
}

/// Two numbers, each limited to what fits, the second one lowest; above them what c has.
template <class T>
EMULATOR_LEAF u32 packed(s32 a, s32 b, u32 c = 0) {
  constexpr unsigned bits = 8 * sizeof(T);
  using U = Unsigned<T>;
  const u32 low = static_cast<U>(integer_of_integer<T, Option::sat_>(b));
  const u32 next = static_cast<U>(integer_of_integer<T, Option::sat_>(a));
  return (bits == 16 ? 0 : c << 16) | next << bits | low;
}
/// The same with two and four bits.
template <Option type>
EMULATOR_LEAF u32 packed_bits(s32 a, s32 b, u32 c) {
  constexpr unsigned bits = type == Option::u4_ || type == Option::s4_ ? 4 : 2;
  constexpr bool is_signed = type == Option::s4_ || type == Option::s2_;
  constexpr s32 highest = (1 << (is_signed ? bits - 1 : bits)) - 1;
  constexpr s32 lowest = is_signed ? -highest - 1 : 0;
  const auto limited = [](s32 x) EMULATOR_UNSEEN {
    return static_cast<u32>(x < lowest ? lowest : x > highest ? highest : x) & ((1U << bits) - 1);
  };
  return c << (2 * bits) | limited(a) << bits | limited(b);
}

}  // namespace emulator::ptx
