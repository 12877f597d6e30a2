#pragma once
/// \file
/// What 16-bit floating-point arithmetic should give, found without rounding: the value of a number
/// by its definition, and the nearest number by a search through all of them.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace oracle {

using Exact = __int128;  // a multiple of some small power of two, without error

/// A format by its fields: `fraction_bits` of fraction, and the exponent of the smallest normal
/// number.
struct Format {
  int fraction_bits;
  int min_exponent;
  unsigned infinity() const { return 0x7FFFU >> fraction_bits << fraction_bits; }
};
inline constexpr Format half_format{10, -14};
inline constexpr Format bfloat16_format{7, -126};

inline bool is_nan(const Format& format, unsigned bits) {
  return (bits & 0x7FFF) > format.infinity();
}

/// The value, by the definition of the format.
inline double value(const Format& format, unsigned bits) {
  const unsigned magnitude = bits & 0x7FFF;
  const double sign = bits >= 0x8000 ? -1 : 1;
  if (magnitude > format.infinity()) return std::nan("");
  if (magnitude == format.infinity()) return sign * HUGE_VAL;
  const unsigned exponent = magnitude >> format.fraction_bits;
  const unsigned fraction = magnitude & ((1U << format.fraction_bits) - 1);
  const unsigned significand = exponent == 0 ? fraction : fraction | 1U << format.fraction_bits;
  const int steps = exponent == 0 ? 0 : static_cast<int>(exponent) - 1;
  return sign * std::ldexp(significand, format.min_exponent - format.fraction_bits + steps);
}

/// `value * 2^scale`, which must be an integer below 2^126.
inline Exact exact(double value, int scale) {
  int exponent = 0;
  const double fraction = std::frexp(value, &exponent);
  const auto significand = static_cast<std::int64_t>(std::ldexp(fraction, 53));
  const int shift = exponent - 53 + scale;
  return shift >= 0 ? static_cast<Exact>(significand) * (static_cast<Exact>(1) << shift)
                    : static_cast<Exact>(significand) / (static_cast<Exact>(1) << -shift);
}

/// All finite numbers that are not negative, as multiples of 2^-scale. Those that would be none of
/// these, or too large, are left out at both ends.
class Table {
 public:
  Table(const Format& format, int scale, int highest_exponent) : format_(format) {
    for (unsigned bits = 0; bits < format.infinity(); ++bits) {
      const double number = value(format, bits);
      const bool is_multiple = std::ldexp(number, scale) == std::floor(std::ldexp(number, scale));
      if (number > std::ldexp(1.0, highest_exponent)) break;
      if (!is_multiple) continue;
      bits_.push_back(bits);
      values_.push_back(exact(number, scale));
    }
  }

  /// The number nearest to a sum that is not 0; of two equally near, the even one.
  unsigned nearest(Exact sum) const {
    const unsigned sign = sum < 0 ? 0x8000 : 0;
    const Exact magnitude = sum < 0 ? -sum : sum;
    const auto above = std::lower_bound(values_.begin(), values_.end(), magnitude);
    if (above == values_.end()) {
      const Exact step = values_.back() - values_[values_.size() - 2];
      const bool rounds_up = magnitude - values_.back() >= step - (magnitude - values_.back());
      return sign | (bits_.back() + (rounds_up ? 1 : 0));
    }
    const auto i = static_cast<std::size_t>(above - values_.begin());
    if (*above == magnitude || i == 0) return sign | bits_[i];
    const Exact to_upper = *above - magnitude;
    const Exact to_lower = magnitude - values_[i - 1];
    const bool take_upper = to_upper < to_lower || (to_upper == to_lower && bits_[i] % 2 == 0);
    return sign | bits_[take_upper ? i : i - 1];
  }

 private:
  Format format_;
  std::vector<unsigned> bits_;
  std::vector<Exact> values_;
};

/// Pseudo-random numbers, the same on every machine (Marsaglia's xorshift).
class Random {
 public:
  std::uint32_t operator()() {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 17;
    state_ ^= state_ << 5;
    return state_;
  }

 private:
  std::uint32_t state_ = 2463534242U;
};

}  // namespace oracle
