#pragma once
#pragma GCC system_header
/// \file
/// The arithmetic of 16-bit floating-point numbers, on their bits: what cuda_fp16.h and cuda_bf16.h
/// share.
///
/// Every operation rounds its exact result once. What a double holds exactly, or to so many places
/// that rounding it again cannot go wrong, is computed in double; the comments say why it suffices.
/// A NaN that arises is 0x7FFF, as on a GPU.

#include <math.h>

#include "emulator/inline.h"

namespace emulator::detail {

/// IEEE 754's binary16: `half`.
struct HalfFormat {
  static constexpr int fraction_bits = 10;
  static constexpr int min_exponent = -14;  ///< of the smallest normal number
  static constexpr unsigned infinity = 0x7C00;
};

/// The upper half of a float: `bfloat16`.
struct Bfloat16Format {
  static constexpr int fraction_bits = 7;
  static constexpr int min_exponent = -126;
  static constexpr unsigned infinity = 0x7F80;
};

enum class Rounding : unsigned char { nearest_even, to_zero, up, down };

inline constexpr unsigned short nan16 = 0x7FFF;

/// The 16-bit number nearest to `significand * 2^exponent`, in the direction asked for.
template <class Format>
EMULATOR_LEAF constexpr unsigned short round16(bool negative, unsigned long long significand,
                                               int exponent, Rounding rounding) noexcept {
  const unsigned sign = negative ? 0x8000 : 0;
  if (significand == 0) return static_cast<unsigned short>(sign);
  const int top = exponent + 63 - __builtin_clzll(significand);
  const int normal = top > Format::min_exponent ? top : Format::min_exponent;
  const int last_place = normal - Format::fraction_bits;
  const int dropped = last_place - exponent;  // how many binary places go
  unsigned long long kept = 0;
  bool half_set = false;  // the first place that goes
  bool rest_set = false;  // any place below it
  if (dropped <= 0) {
    kept = significand << -dropped;
  } else if (dropped > 64) {
    rest_set = true;
  } else {
    kept = dropped == 64 ? 0 : significand >> dropped;
    half_set = (significand >> (dropped - 1) & 1) != 0;
    rest_set = (significand & ((1ULL << (dropped - 1)) - 1)) != 0;
  }
  const bool inexact = half_set || rest_set;
  const bool away =
      (rounding == Rounding::nearest_even && half_set && (rest_set || kept % 2 != 0)) ||
      (rounding == Rounding::up && inexact && !negative) ||
      (rounding == Rounding::down && inexact && negative);
  if (away) ++kept;
  // The leading 1 of a normal number adds itself to the exponent; a carry also goes there.
  const int steps = last_place - (Format::min_exponent - Format::fraction_bits);
  constexpr int greatest_steps = (Format::infinity >> Format::fraction_bits) - 1;
  const unsigned long long bits =
      (static_cast<unsigned long long>(steps < greatest_steps ? steps : greatest_steps)
       << Format::fraction_bits) +
      kept;
  if (bits < Format::infinity) return static_cast<unsigned short>(sign | bits);
  const bool stays_finite = rounding == Rounding::to_zero ||
                            (rounding == Rounding::up && negative) ||
                            (rounding == Rounding::down && !negative);
  return static_cast<unsigned short>(sign | (Format::infinity - (stays_finite ? 1 : 0)));
}

/// The 16-bit number nearest to `value`.
template <class Format>
EMULATOR_LEAF constexpr unsigned short encode16(
    double value, Rounding rounding = Rounding::nearest_even) noexcept {
  const unsigned long long bits = __builtin_bit_cast(unsigned long long, value);
  const bool negative = bits >> 63 != 0;
  const int field = static_cast<int>(bits >> 52 & 0x7FF);
  const unsigned long long fraction = bits & ((1ULL << 52) - 1);
  // By far most numbers are normal ones before and after. Adding just less than half of the last
  // place that stays, and 1 more if that place is odd, rounds them; a carry goes to the exponent.
  constexpr int least_field = 1023 + Format::min_exponent;
  if (rounding == Rounding::nearest_even && field >= least_field &&
      field <= 1023 - Format::min_exponent) {
    constexpr int places_off = 52 - Format::fraction_bits;
    const unsigned long long wide =
        (static_cast<unsigned long long>(field - least_field + 1) << 52) | fraction;
    const unsigned long long rounded =
        (wide + (1ULL << (places_off - 1)) - 1 + (wide >> places_off & 1)) >> places_off;
    return static_cast<unsigned short>((negative ? 0x8000U : 0U) | rounded);
  }
  if (field == 0x7FF) {
    if (fraction != 0) return nan16;
    return static_cast<unsigned short>((negative ? 0x8000U : 0U) | Format::infinity);
  }
  // A denormal double is far below the smallest 16-bit number: only that it is not 0 counts.
  const unsigned long long leading = field == 0 ? 0 : 1ULL << 52;
  return round16<Format>(negative, fraction | leading, (field == 0 ? 1 : field) - 1075, rounding);
}

/// The 16-bit number nearest to an integer.
template <class Format, class Integer>
EMULATOR_LEAF constexpr unsigned short encode16_integer(
    Integer value, Rounding rounding = Rounding::nearest_even) noexcept {
  const bool negative = value < 0;
  const auto magnitude = static_cast<unsigned long long>(value);
  return round16<Format>(negative, negative ? 0 - magnitude : magnitude, 0, rounding);
}

/// The value as a float, which holds every 16-bit number.
template <class Format>
EMULATOR_LEAF constexpr float decode16(unsigned short bits) noexcept {
  const auto wide = static_cast<unsigned>(bits);
  if (Format::fraction_bits == 7) return __builtin_bit_cast(float, wide << 16);
  const unsigned sign = (wide & 0x8000) << 16;
  const unsigned magnitude = wide & 0x7FFF;
  if (magnitude > Format::infinity) return __builtin_bit_cast(float, 0x7FFFFFFFU);
  if (magnitude == Format::infinity) return __builtin_bit_cast(float, sign | 0x7F800000U);
  if (magnitude >> 10 == 0) {  // a denormal number: a multiple of the smallest one
    const float value = static_cast<float>(magnitude) * 0x1p-24F;
    return sign == 0 ? value : -value;
  }
  return __builtin_bit_cast(float, sign | ((magnitude << 13) + ((127U - 15U) << 23)));
}

template <class Format>
EMULATOR_UNSEEN constexpr bool is_nan16(unsigned short bits) noexcept {
  return (bits & 0x7FFFU) > Format::infinity;
}

// A double has 53 places: more than twice the places of either format and two more, so that the
// sum, the product, the quotient and the root may be rounded to double first.

template <class Format>
EMULATOR_LEAF unsigned short sum16(unsigned short a, unsigned short b) noexcept {
  return encode16<Format>(static_cast<double>(decode16<Format>(a)) + decode16<Format>(b));
}
template <class Format>
EMULATOR_LEAF unsigned short difference16(unsigned short a, unsigned short b) noexcept {
  return encode16<Format>(static_cast<double>(decode16<Format>(a)) - decode16<Format>(b));
}
template <class Format>
EMULATOR_LEAF unsigned short product16(unsigned short a, unsigned short b) noexcept {
  return encode16<Format>(static_cast<double>(decode16<Format>(a)) * decode16<Format>(b));
}
template <class Format>
EMULATOR_LEAF unsigned short quotient16(unsigned short a, unsigned short b) noexcept {
  return encode16<Format>(static_cast<double>(decode16<Format>(a)) / decode16<Format>(b));
}

/// a * b + c. The product is exact in double; the sum may not be, and its error could decide a tie.
/// So a sum that is not exact is made odd: then it is not a tie, and on the right side of one
/// (Boldo and Melquiond, "Emulation of a FMA and correctly rounded sums", 2008).
template <class Format>
EMULATOR_LEAF unsigned short fma16(unsigned short a, unsigned short b, unsigned short c) noexcept {
  const double product = static_cast<double>(decode16<Format>(a)) * decode16<Format>(b);
  const double addend = decode16<Format>(c);
  double sum = product + addend;
  if (sum - sum == 0) {  // finite
    const double of_addend = sum - product;
    const double error = (product - (sum - of_addend)) + (addend - of_addend);
    auto bits = __builtin_bit_cast(unsigned long long, sum);
    if (error != 0 && bits % 2 == 0) {
      bits = (error > 0) == (sum > 0) ? bits + 1 : bits - 1;
      sum = __builtin_bit_cast(double, bits);
    }
  }
  return encode16<Format>(sum);
}

/// To 0 what is below it, to 1 what is above that; NaN to 0.
template <class Format>
EMULATOR_LEAF unsigned short saturated16(unsigned short bits) noexcept {
  if (is_nan16<Format>(bits) || bits >= 0x8000) return 0;
  constexpr unsigned one = (Format::infinity >> 1) & ~((1U << Format::fraction_bits) - 1);
  return bits > one ? static_cast<unsigned short>(one) : bits;
}
/// To 0 what is below it; NaN stays.
template <class Format>
EMULATOR_LEAF unsigned short rectified16(unsigned short bits) noexcept {
  if (is_nan16<Format>(bits)) return nan16;
  return bits >= 0x8000 ? 0 : bits;
}

/// The greater and the lesser one. Of a number and a NaN, the number, or, if `keep_nan`, the NaN;
/// -0 is less than 0.
template <class Format>
EMULATOR_LEAF unsigned short extreme16(unsigned short a, unsigned short b, bool greater,
                                       bool keep_nan) noexcept {
  if (is_nan16<Format>(a) || is_nan16<Format>(b)) {
    if (keep_nan || (is_nan16<Format>(a) && is_nan16<Format>(b))) return nan16;
    return is_nan16<Format>(a) ? b : a;
  }
  const float x = decode16<Format>(a);
  const float y = decode16<Format>(b);
  const bool a_is_greater = x > y || (x == y && a < b);  // of two zeros, the one without a sign
  return a_is_greater == greater ? a : b;
}

/// How two numbers compare, as bits.
enum Comparison : unsigned { is_less = 1, is_equal = 2, is_greater = 4, is_unordered = 8 };

template <class Format>
EMULATOR_LEAF unsigned compare16(unsigned short a, unsigned short b) noexcept {
  const float x = decode16<Format>(a);
  const float y = decode16<Format>(b);
  return x < y ? is_less : x > y ? is_greater : x == y ? is_equal : is_unordered;
}

/// A function of one number, computed in double.
template <class Format>
EMULATOR_LEAF unsigned short apply16(double (*function)(double), unsigned short bits) noexcept {
  return encode16<Format>(function(static_cast<double>(decode16<Format>(bits))));
}
EMULATOR_LEAF double reciprocal(double x) noexcept {
  return 1.0 / x;
}
EMULATOR_LEAF double reciprocal_of_root(double x) noexcept {
  return 1.0 / __builtin_sqrt(x);
}

/// As an integer; a number that does not fit becomes the nearest one that does. NaN becomes 0, or
/// of 64 bits the one with only its top bit set.
template <class Format, class Integer>
EMULATOR_LEAF Integer integer16(unsigned short bits, Rounding rounding) noexcept {
  if (is_nan16<Format>(bits)) {
    return sizeof(Integer) < 8 ? Integer{0} : static_cast<Integer>(1ULL << 63);
  }
  const double value = decode16<Format>(bits);
  const double whole = rounding == Rounding::nearest_even ? __builtin_rint(value)
                       : rounding == Rounding::to_zero    ? __builtin_trunc(value)
                       : rounding == Rounding::up         ? __builtin_ceil(value)
                                                          : __builtin_floor(value);
  constexpr bool is_signed = static_cast<Integer>(-1) < Integer{1};
  constexpr int value_bits = 8 * static_cast<int>(sizeof(Integer)) - (is_signed ? 1 : 0);
  constexpr auto highest = static_cast<Integer>(~0ULL >> (64 - value_bits));
  constexpr auto lowest =
      static_cast<Integer>(is_signed ? -static_cast<long long>(highest) - 1 : 0);
  if (whole >= 2.0 * static_cast<double>(1ULL << (value_bits - 1))) return highest;
  if (whole <= static_cast<double>(lowest)) return lowest;
  return static_cast<Integer>(whole);
}

}  // namespace emulator::detail
