#pragma once
#pragma GCC system_header
/// \file
/// Floating-point numbers of 8 bits, on their bits: what cuda_fp8.h, PTX's cvt and the matrix
/// instructions share. A NaN that arises is 0x7F.

#include "emulator/numbers/float16_format.h"

namespace emulator::detail {

/// Four bits of exponent, three of fraction. No infinity; only 0x7F and 0xFF are NaN.
struct E4m3Format {
  static constexpr int fraction_bits = 3;
  static constexpr int min_exponent = -6;     ///< of the smallest normal number
  static constexpr unsigned greatest = 0x7E;  ///< 448
  static constexpr unsigned overflow = 0x7F;  ///< what is too large becomes: NaN
};

/// The upper half of a binary16.
struct E5m2Format {
  static constexpr int fraction_bits = 2;
  static constexpr int min_exponent = -14;
  static constexpr unsigned greatest = 0x7B;  ///< 57,344
  static constexpr unsigned overflow = 0x7C;  ///< infinity
};

/// The 8-bit number nearest to `value`, ties to even; what is too large becomes the greatest one if
/// `saturates`.
template <class Format>
EMULATOR_LEAF unsigned char encode8(double value, bool saturates) noexcept {
  if (value != value) return 0x7F;
  const unsigned sign = __builtin_signbit(value) != 0 ? 0x80 : 0;
  const unsigned too_large = saturates ? Format::greatest : Format::overflow;
  const double size = __builtin_fabs(value);
  unsigned bits = too_large;
  if (size < 0x1p20) {
    int exponent = size == 0 ? Format::min_exponent : __builtin_ilogb(size);
    if (exponent < Format::min_exponent) exponent = Format::min_exponent;
    const auto steps = static_cast<unsigned>(
        __builtin_rint(__builtin_ldexp(size, Format::fraction_bits - exponent)));
    bits =
        (static_cast<unsigned>(exponent - Format::min_exponent) << Format::fraction_bits) + steps;
    if (bits > Format::greatest) bits = too_large;
  }
  return static_cast<unsigned char>(sign | bits);
}

/// The value as a half, which holds every 8-bit number.
template <class Format>
EMULATOR_LEAF unsigned short half_of_8(unsigned bits) noexcept {
  constexpr int places = Format::fraction_bits;
  const unsigned size = bits & 0x7FU;
  if (places == 2) return static_cast<unsigned short>(size > 0x7C ? nan16 : (bits & 0xFFU) << 8);
  if (size == 0x7F) return nan16;
  const int field = static_cast<int>(size >> places);
  const auto steps = static_cast<unsigned long long>((size & 7U) | (field > 0 ? 8U : 0U));
  return round16<HalfFormat>((bits & 0x80U) != 0, steps,
                             (field > 0 ? field - 1 : 0) + Format::min_exponent - places,
                             Rounding::nearest_even);
}

}  // namespace emulator::detail
