#pragma once
#pragma GCC system_header
/// \file
/// Conversions between numbers that name their rounding (`__float2int_rn`, `__ll2double_rz`, ...),
/// and the reinterpretation of bits (`__float_as_int`, `__hiloint2double`, ...).
///
/// A number that does not fit into the integer becomes the nearest integer that does. NaN becomes 0
/// where both types have 32 bits, and the integer with only its top bit set where one of them
/// has 64. (That is how the hardware converts; CUDA leaves it open.)

#include <math.h>

#include <limits>

#include "emulator/inline.h"
#include "emulator/numbers/rounding.h"

namespace emulator::detail {

EMULATOR_INLINE float nearest_integer(float x) noexcept {
  return __builtin_rintf(x);
}
EMULATOR_INLINE double nearest_integer(double x) noexcept {
  return __builtin_rint(x);
}
EMULATOR_INLINE float truncated(float x) noexcept {
  return __builtin_truncf(x);
}
EMULATOR_INLINE double truncated(double x) noexcept {
  return __builtin_trunc(x);
}
EMULATOR_INLINE float rounded_up(float x) noexcept {
  return __builtin_ceilf(x);
}
EMULATOR_INLINE double rounded_up(double x) noexcept {
  return __builtin_ceil(x);
}
EMULATOR_INLINE float rounded_down(float x) noexcept {
  return __builtin_floorf(x);
}
EMULATOR_INLINE double rounded_down(double x) noexcept {
  return __builtin_floor(x);
}

/// An integral (or infinite, or not-a-number) `value` as an Integer, see the top of this file.
template <class Integer, class Real>
EMULATOR_LEAF Integer saturate(Real value) noexcept {
  constexpr Integer lowest = std::numeric_limits<Integer>::min();
  constexpr Integer highest = std::numeric_limits<Integer>::max();
  if (value != value) {
    if (sizeof(Integer) == 4 && sizeof(Real) == 4) return 0;
    return static_cast<Integer>(1ULL << (8 * sizeof(Integer) - 1));
  }
  // The highest integer may be no Real, but the one after it, a power of two, is.
  constexpr Real beyond = static_cast<Real>(highest / 2 + 1) * 2;
  if (value >= beyond) return highest;
  if (value <= static_cast<Real>(lowest)) return lowest;
  return static_cast<Integer>(value);
}

}  // namespace emulator::detail

#define EMULATOR_TO_INTEGER(name, Real, Integer)                                          \
  EMULATOR_INLINE Integer name##_rn(Real x) noexcept {                                    \
    return ::emulator::detail::saturate<Integer>(::emulator::detail::nearest_integer(x)); \
  }                                                                                       \
  EMULATOR_INLINE Integer name##_rz(Real x) noexcept {                                    \
    return ::emulator::detail::saturate<Integer>(::emulator::detail::truncated(x));       \
  }                                                                                       \
  EMULATOR_INLINE Integer name##_ru(Real x) noexcept {                                    \
    return ::emulator::detail::saturate<Integer>(::emulator::detail::rounded_up(x));      \
  }                                                                                       \
  EMULATOR_INLINE Integer name##_rd(Real x) noexcept {                                    \
    return ::emulator::detail::saturate<Integer>(::emulator::detail::rounded_down(x));    \
  }

EMULATOR_TO_INTEGER(__float2int, float, int)
EMULATOR_TO_INTEGER(__float2uint, float, unsigned int)
EMULATOR_TO_INTEGER(__float2ll, float, long long)
EMULATOR_TO_INTEGER(__float2ull, float, unsigned long long)
EMULATOR_TO_INTEGER(__double2int, double, int)
EMULATOR_TO_INTEGER(__double2uint, double, unsigned int)
EMULATOR_TO_INTEGER(__double2ll, double, long long)
EMULATOR_TO_INTEGER(__double2ull, double, unsigned long long)
#undef EMULATOR_TO_INTEGER

#define EMULATOR_TO_REAL(name, From, Real)                                 \
  EMULATOR_INLINE Real name##_rn(From x) noexcept {                        \
    return static_cast<Real>(x);                                           \
  }                                                                        \
  EMULATOR_INLINE Real name##_rz(From x) noexcept {                        \
    return ::emulator::detail::rounded_conversion<FE_TOWARDZERO, Real>(x); \
  }                                                                        \
  EMULATOR_INLINE Real name##_ru(From x) noexcept {                        \
    return ::emulator::detail::rounded_conversion<FE_UPWARD, Real>(x);     \
  }                                                                        \
  EMULATOR_INLINE Real name##_rd(From x) noexcept {                        \
    return ::emulator::detail::rounded_conversion<FE_DOWNWARD, Real>(x);   \
  }

EMULATOR_TO_REAL(__int2float, int, float)
EMULATOR_TO_REAL(__uint2float, unsigned int, float)
EMULATOR_TO_REAL(__ll2float, long long, float)
EMULATOR_TO_REAL(__ull2float, unsigned long long, float)
EMULATOR_TO_REAL(__ll2double, long long, double)
EMULATOR_TO_REAL(__ull2double, unsigned long long, double)
EMULATOR_TO_REAL(__double2float, double, float)
#undef EMULATOR_TO_REAL

// Every 32-bit integer is a double: there is nothing to round.
EMULATOR_INLINE constexpr double __int2double_rn(int x) noexcept {
  return x;
}
EMULATOR_INLINE constexpr double __uint2double_rn(unsigned int x) noexcept {
  return x;
}

// The same bits, read as another type.
EMULATOR_INLINE constexpr int __float_as_int(float x) noexcept {
  return __builtin_bit_cast(int, x);
}
EMULATOR_INLINE constexpr unsigned int __float_as_uint(float x) noexcept {
  return __builtin_bit_cast(unsigned int, x);
}
EMULATOR_INLINE constexpr float __int_as_float(int x) noexcept {
  return __builtin_bit_cast(float, x);
}
EMULATOR_INLINE constexpr float __uint_as_float(unsigned int x) noexcept {
  return __builtin_bit_cast(float, x);
}
EMULATOR_INLINE constexpr long long __double_as_longlong(double x) noexcept {
  return __builtin_bit_cast(long long, x);
}
EMULATOR_INLINE constexpr double __longlong_as_double(long long x) noexcept {
  return __builtin_bit_cast(double, x);
}

/// The upper and the lower half of a double, and a double from its halves.
EMULATOR_INLINE constexpr int __double2hiint(double x) noexcept {
  return static_cast<int>(__builtin_bit_cast(unsigned long long, x) >> 32);
}
EMULATOR_INLINE constexpr int __double2loint(double x) noexcept {
  return static_cast<int>(__builtin_bit_cast(unsigned long long, x) & 0xFFFFFFFFu);
}
EMULATOR_INLINE constexpr double __hiloint2double(int hi, int lo) noexcept {
  return __builtin_bit_cast(
      double, static_cast<unsigned long long>(hi) << 32 | static_cast<unsigned int>(lo));
}
