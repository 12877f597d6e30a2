#pragma once
/// \file
/// Numbers of 16 bits as elements of matrices and tensors.

#include <bit>
#include <cmath>
#include <cstdint>

namespace emulator::detail {

/// IEEE's half precision: 5 bits of exponent, 10 of fraction.
struct Half {
  std::uint16_t bits;
};

/// The upper half of a float.
struct Bfloat16 {
  std::uint16_t bits;
};

inline float to_number(float x) {
  return x;
}
inline double to_number(double x) {
  return x;
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

}  // namespace emulator::detail
