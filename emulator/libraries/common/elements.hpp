#pragma once
/// \file
/// Elements of matrices and tensors that are not computed with as they are: small floating-point
/// numbers and whole ones.

#include <bit>
#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>

namespace emulator::libraries {

/// IEEE's half precision: 5 bits of exponent, 10 of fraction.
struct Half {
  std::uint16_t bits;
};

/// The upper half of a float.
struct Bfloat16 {
  std::uint16_t bits;
};

/// A complex number of bytes.
struct ComplexInt8 {
  std::int8_t real;
  std::int8_t imaginary;
};

inline float to_number(float x) {
  return x;
}
inline double to_number(double x) {
  return x;
}
template <class Real>
std::complex<Real> to_number(std::complex<Real> x) {
  return x;
}
inline int to_number(std::int8_t x) {
  return x;
}
inline double to_number(std::int32_t x) {
  return x;
}
inline std::complex<float> to_number(ComplexInt8 x) {
  return {static_cast<float>(x.real), static_cast<float>(x.imaginary)};
}
inline float to_number(Bfloat16 x) {
  return std::bit_cast<float>(std::uint32_t{x.bits} << 16U);
}
inline float to_number(Half x) {
  const std::uint32_t sign = (x.bits & 0x8000U) << 16U;
  const std::uint32_t exponent = (x.bits >> 10U) & 31U;
  const std::uint32_t fraction = x.bits & 1023U;
  if (exponent == 0) {
    const float magnitude = std::ldexp(static_cast<float>(fraction), -24);
    return sign != 0 ? -magnitude : magnitude;
  }
  const std::uint32_t float_exponent = exponent == 31 ? 255 : exponent + (127 - 15);
  return std::bit_cast<float>(sign | (float_exponent << 23U) | (fraction << 13U));
}

// Rounds to the nearest number, and halfway to the even one.
inline void round_to(float& result, float x) {
  result = x;
}
inline void round_to(double& result, double x) {
  result = x;
}
template <class Real>
void round_to(std::complex<Real>& result, std::complex<Real> x) {
  result = x;
}
// What is too large becomes the largest.
inline void round_to(std::int32_t& result, double x) {
  using Limits = std::numeric_limits<std::int32_t>;
  const double whole = std::nearbyint(x);
  result = whole >= Limits::max()   ? Limits::max()
           : whole <= Limits::min() ? Limits::min()
                                    : static_cast<std::int32_t>(whole);
}
inline void round_to(Bfloat16& result, float x) {
  const auto bits = std::bit_cast<std::uint32_t>(x);
  const std::uint32_t rounded = (bits + 0x7FFFU + ((bits >> 16U) & 1U)) >> 16U;
  result.bits = static_cast<std::uint16_t>(std::isnan(x) ? 0x7FFFU : rounded);
}
inline void round_to(Half& result, float x) {
  const auto bits = std::bit_cast<std::uint32_t>(x);
  const std::uint32_t sign = (bits >> 16U) & 0x8000U;
  const std::uint32_t magnitude = bits & 0x7FFF'FFFFU;
  std::uint32_t half = 0;
  if (std::isnan(x)) {
    half = 0x7FFF;
  } else if (std::abs(x) >= 65520) {  // halfway from the largest number to the next, and above
    half = 0x7C00;
  } else if (std::abs(x) < 0x1p-14F) {
    half = static_cast<std::uint32_t>(std::nearbyint(std::ldexp(std::abs(x), 24)));
  } else {
    half = ((magnitude + 0xFFFU + ((magnitude >> 13U) & 1U)) >> 13U) - ((127U - 15U) << 10U);
  }
  result.bits = static_cast<std::uint16_t>(sign | half);
}

/// The float that a number becomes which is kept as such an element.
template <class Element>
float rounded_by(float x) {
  Element element{};
  round_to(element, x);
  return to_number(element);
}

/// To the 10 bits of fraction that a tensor core multiplies of a float: to the nearest, and halfway
/// away from 0, as the conversion does that CUDA has for it (cvt.rna.tf32.f32).
inline float rounded_to_tf32(float x) {
  if (!std::isfinite(x)) return x;
  return std::bit_cast<float>((std::bit_cast<std::uint32_t>(x) + 0x1000U) & ~0x1FFFU);
}

}  // namespace emulator::libraries
