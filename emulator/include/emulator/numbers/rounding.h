#pragma once
#pragma GCC system_header
/// \file
/// Arithmetic that names its rounding: `__fadd_rn`, `__dmul_rz`, `__fmaf_ru`, ... The suffixes are:
/// to the nearest, ties to even (`rn`), towards zero (`rz`), up (`ru`) and down (`rd`).
///
/// Results are exact in all four. What is not modelled: a GPU returns one particular NaN
/// (0x7FFFFFFF as a float) wherever a NaN arises, the host may return another one.

#include <math.h>

#include <cfenv>

#include "emulator/inline.h"

namespace emulator::detail {

// By hand, because g++ would call (and instrument) the float overloads of the C++ library.
EMULATOR_INLINE float root(float x) noexcept {
  return __builtin_sqrtf(x);
}
EMULATOR_INLINE double root(double x) noexcept {
  return __builtin_sqrt(x);
}
EMULATOR_INLINE float fused(float x, float y, float z) noexcept {
  return __builtin_fmaf(x, y, z);
}
EMULATOR_INLINE double fused(double x, double y, double z) noexcept {
  return __builtin_fma(x, y, z);
}

// The host computes in whatever direction its floating-point unit is set to. The operands and the
// result are volatile so that the compiler can neither compute the result itself nor move it out
// from between the two calls that set the direction.
#define EMULATOR_IN_DIRECTION(mode, T, expression) \
  const int before = fegetround();                 \
  fesetround(mode);                                \
  volatile T result = (expression);                \
  fesetround(before);                              \
  return result;

template <int mode, class T>
EMULATOR_LEAF T rounded_sum(T x, T y) noexcept {
  volatile T a = x, b = y;
  EMULATOR_IN_DIRECTION(mode, T, a + b)
}
template <int mode, class T>
EMULATOR_LEAF T rounded_product(T x, T y) noexcept {
  volatile T a = x, b = y;
  EMULATOR_IN_DIRECTION(mode, T, a * b)
}
template <int mode, class T>
EMULATOR_LEAF T rounded_quotient(T x, T y) noexcept {
  volatile T a = x, b = y;
  EMULATOR_IN_DIRECTION(mode, T, a / b)
}
template <int mode, class T>
EMULATOR_LEAF T rounded_root(T x) noexcept {
  volatile T a = x;
  EMULATOR_IN_DIRECTION(mode, T, root(a))
}
template <int mode, class T>
EMULATOR_LEAF T rounded_fma(T x, T y, T z) noexcept {
  volatile T a = x, b = y, c = z;
  EMULATOR_IN_DIRECTION(mode, T, fused(a, b, c))
}
template <int mode, class To, class From>
EMULATOR_LEAF To rounded_conversion(From x) noexcept {
  volatile From a = x;
  EMULATOR_IN_DIRECTION(mode, To, static_cast<To>(a))
}
#undef EMULATOR_IN_DIRECTION

/// The value itself, in a form that the compiler cannot fuse with what is done to it next: CUDA
/// promises that
/// `__fmul_rn(a, b) + c` rounds twice, and g++ would make one fused instruction of it for a
/// processor that has one.
template <class T>
EMULATOR_INLINE T rounded_here(T value) noexcept {
#if defined(__x86_64__)
  __asm__("" : "+x"(value));
#elif defined(__aarch64__)
  __asm__("" : "+w"(value));
#else
  __asm__("" : "+m"(value));
#endif
  return value;
}

/// 1/sqrt(x), correctly rounded. The double is off by far less than any float x is from a tie:
/// tried for every significand, with both parities of the exponent.
EMULATOR_LEAF float reciprocal_root(float x) noexcept {
  return static_cast<float>(1.0 / __builtin_sqrt(static_cast<double>(x)));
}

}  // namespace emulator::detail

// The four directions of one operation: a function `name##_rn` that is `nearest`, and three that
// call the template `directed` with their direction. PARAMETERS and ARGUMENTS come in parentheses.
#define EMULATOR_FOUR_DIRECTIONS(T, name, PARAMETERS, ARGUMENTS, nearest, directed) \
  EMULATOR_INLINE T name##_rn PARAMETERS noexcept {                                 \
    return ::emulator::detail::rounded_here<T>(nearest);                            \
  }                                                                                 \
  EMULATOR_INLINE T name##_rz PARAMETERS noexcept {                                 \
    return ::emulator::detail::directed<FE_TOWARDZERO, T> ARGUMENTS;                \
  }                                                                                 \
  EMULATOR_INLINE T name##_ru PARAMETERS noexcept {                                 \
    return ::emulator::detail::directed<FE_UPWARD, T> ARGUMENTS;                    \
  }                                                                                 \
  EMULATOR_INLINE T name##_rd PARAMETERS noexcept {                                 \
    return ::emulator::detail::directed<FE_DOWNWARD, T> ARGUMENTS;                  \
  }

EMULATOR_FOUR_DIRECTIONS(float, __fadd, (float x, float y), (x, y), x + y, rounded_sum)
EMULATOR_FOUR_DIRECTIONS(float, __fsub, (float x, float y), (x, -y), x - y, rounded_sum)
EMULATOR_FOUR_DIRECTIONS(float, __fmul, (float x, float y), (x, y), x* y, rounded_product)
EMULATOR_FOUR_DIRECTIONS(float, __fdiv, (float x, float y), (x, y), x / y, rounded_quotient)
EMULATOR_FOUR_DIRECTIONS(float, __frcp, (float x), (1.0f, x), 1.0f / x, rounded_quotient)
EMULATOR_FOUR_DIRECTIONS(float, __fsqrt, (float x), (x), ::emulator::detail::root(x), rounded_root)
EMULATOR_FOUR_DIRECTIONS(float, __fmaf, (float x, float y, float z), (x, y, z),
                         ::emulator::detail::fused(x, y, z), rounded_fma)

EMULATOR_FOUR_DIRECTIONS(double, __dadd, (double x, double y), (x, y), x + y, rounded_sum)
EMULATOR_FOUR_DIRECTIONS(double, __dsub, (double x, double y), (x, -y), x - y, rounded_sum)
EMULATOR_FOUR_DIRECTIONS(double, __dmul, (double x, double y), (x, y), x* y, rounded_product)
EMULATOR_FOUR_DIRECTIONS(double, __ddiv, (double x, double y), (x, y), x / y, rounded_quotient)
EMULATOR_FOUR_DIRECTIONS(double, __drcp, (double x), (1.0, x), 1.0 / x, rounded_quotient)
EMULATOR_FOUR_DIRECTIONS(double, __dsqrt, (double x), (x), ::emulator::detail::root(x),
                         rounded_root)
EMULATOR_FOUR_DIRECTIONS(double, __fma, (double x, double y, double z), (x, y, z),
                         ::emulator::detail::fused(x, y, z), rounded_fma)
#undef EMULATOR_FOUR_DIRECTIONS

/// 1/sqrt(x) to the nearest float; other directions do not exist.
EMULATOR_INLINE float __frsqrt_rn(float x) noexcept {
  return ::emulator::detail::reciprocal_root(x);
}
