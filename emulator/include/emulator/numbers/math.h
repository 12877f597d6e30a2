#pragma once
#pragma GCC system_header
/// \file
/// The mathematical functions of CUDA C++: those of the C library, in the global namespace and
/// overloaded for float, and those that CUDA adds.
///
/// They come from the host's mathematical library, which is as accurate as a GPU's: results can
/// differ from a GPU's in the last bits. Not so the arithmetic operators, `sqrt`, `fma` and all of
/// rounding.h and conversions.h, which have one right answer. The modified Bessel functions
/// (`cyl_bessel_i0`) are left out.
///
/// What the C library itself writes through a pointer (`sincosf`, `modff`, `frexp`, `remquo`) is
/// not seen as a store of the kernel.

#include <math.h>    // libstdc++'s: with float overloads in the global namespace
#include <stdlib.h>  // likewise, for abs

#include <type_traits>

#include "emulator/inline.h"
#include "emulator/numbers/conversions.h"
#include "emulator/numbers/fast_math.h"
#include "emulator/numbers/rounding.h"
#include "emulator/numbers/special_functions.h"

// Minimum and maximum.

namespace emulator::detail {

/// `condition ? yes : no` for integers, without a branch: a GPU has an instruction for the minimum,
/// so it must not look like divergence.
template <class T>
EMULATOR_INLINE constexpr T choose_integer(bool condition, T yes, T no) noexcept {
  using Bits = std::make_unsigned_t<T>;
  const Bits mask = Bits{0} - static_cast<Bits>(condition);
  return static_cast<T>((static_cast<Bits>(yes) & mask) | (static_cast<Bits>(no) & ~mask));
}

template <class T>
EMULATOR_INLINE constexpr T min_integer(T a, T b) noexcept {
  return choose_integer(a < b, a, b);
}
template <class T>
EMULATOR_INLINE constexpr T max_integer(T a, T b) noexcept {
  return choose_integer(a < b, b, a);
}

template <class T>
EMULATOR_LEAF T min_real(T a, T b) noexcept {
  if (a != a) return b;
  if (b != b) return a;
  if (a == b) return __builtin_signbit(a) ? a : b;
  return a < b ? a : b;
}
template <class T>
EMULATOR_LEAF T max_real(T a, T b) noexcept {
  if (a != a) return b;
  if (b != b) return a;
  if (a == b) return __builtin_signbit(a) ? b : a;
  return a < b ? b : a;
}

}  // namespace emulator::detail

// CUDA's overloads, no more: `min(1L, 2)` is ambiguous here because it is ambiguous there. A signed
// and an unsigned operand are both taken as unsigned: `max(-1, 0u)` is 4294967295.
#define EMULATOR_INTEGER_MIN_MAX(Result, TypeA, TypeB)                                      \
  EMULATOR_INLINE constexpr Result min(TypeA a, TypeB b) noexcept {                         \
    return ::emulator::detail::min_integer(static_cast<Result>(a), static_cast<Result>(b)); \
  }                                                                                         \
  EMULATOR_INLINE constexpr Result max(TypeA a, TypeB b) noexcept {                         \
    return ::emulator::detail::max_integer(static_cast<Result>(a), static_cast<Result>(b)); \
  }
#define EMULATOR_SIGNED_AND_UNSIGNED_MIN_MAX(T)                \
  EMULATOR_INTEGER_MIN_MAX(T, T, T)                            \
  EMULATOR_INTEGER_MIN_MAX(unsigned T, unsigned T, unsigned T) \
  EMULATOR_INTEGER_MIN_MAX(unsigned T, T, unsigned T)          \
  EMULATOR_INTEGER_MIN_MAX(unsigned T, unsigned T, T)
EMULATOR_SIGNED_AND_UNSIGNED_MIN_MAX(int)
EMULATOR_SIGNED_AND_UNSIGNED_MIN_MAX(long)
EMULATOR_SIGNED_AND_UNSIGNED_MIN_MAX(long long)
#undef EMULATOR_SIGNED_AND_UNSIGNED_MIN_MAX
#undef EMULATOR_INTEGER_MIN_MAX

// Of a number and a NaN, the number; -0 is less than 0.
EMULATOR_INLINE float min(float a, float b) noexcept {
  return ::emulator::detail::min_real<float>(a, b);
}
EMULATOR_INLINE float max(float a, float b) noexcept {
  return ::emulator::detail::max_real<float>(a, b);
}
EMULATOR_INLINE double min(double a, double b) noexcept {
  return ::emulator::detail::min_real<double>(a, b);
}
EMULATOR_INLINE double max(double a, double b) noexcept {
  return ::emulator::detail::max_real<double>(a, b);
}
EMULATOR_INLINE double min(float a, double b) noexcept {
  return ::emulator::detail::min_real<double>(a, b);
}
EMULATOR_INLINE double max(float a, double b) noexcept {
  return ::emulator::detail::max_real<double>(a, b);
}
EMULATOR_INLINE double min(double a, float b) noexcept {
  return ::emulator::detail::min_real<double>(a, b);
}
EMULATOR_INLINE double max(double a, float b) noexcept {
  return ::emulator::detail::max_real<double>(a, b);
}

EMULATOR_INLINE constexpr unsigned int umin(unsigned int a, unsigned int b) noexcept {
  return min(a, b);
}
EMULATOR_INLINE constexpr unsigned int umax(unsigned int a, unsigned int b) noexcept {
  return max(a, b);
}
EMULATOR_INLINE constexpr long long llmin(long long a, long long b) noexcept {
  return min(a, b);
}
EMULATOR_INLINE constexpr long long llmax(long long a, long long b) noexcept {
  return max(a, b);
}
EMULATOR_INLINE constexpr unsigned long long ullmin(unsigned long long a,
                                                    unsigned long long b) noexcept {
  return min(a, b);
}
EMULATOR_INLINE constexpr unsigned long long ullmax(unsigned long long a,
                                                    unsigned long long b) noexcept {
  return max(a, b);
}

// Powers, roots, lengths.

namespace emulator::detail {

/// Length of a vector, computed in a type whose range the squares do not leave.
/// An infinite component makes it infinite, even beside a NaN.
template <class Wide>
EMULATOR_LEAF Wide length(Wide a, Wide b, Wide c, Wide d) noexcept {
  if (__builtin_isinf(a) || __builtin_isinf(b) || __builtin_isinf(c) || __builtin_isinf(d)) {
    return HUGE_VAL;
  }
  return static_cast<Wide>(::sqrtl(a * a + b * b + c * c + d * d));
}
/// The type to compute lengths in.
template <class T>
using Wider = std::conditional_t<sizeof(T) == 4, double, long double>;

/// Length of a vector of `dim` elements. Its loads belong to the caller.
template <class T>
EMULATOR_INLINE Wider<T> length_of_array(int dim, const T* p) noexcept {
  Wider<T> sum = 0;
  for (int i = 0; i < dim; ++i) {
    const Wider<T> element = p[i];
    sum = length<Wider<T>>(sum, element, 0, 0);
  }
  return sum;
}

}  // namespace emulator::detail

#define EMULATOR_LENGTHS(T, f)                                                                   \
  EMULATOR_INLINE T norm3d##f(T a, T b, T c) noexcept {                                          \
    return static_cast<T>(::emulator::detail::length<::emulator::detail::Wider<T>>(a, b, c, 0)); \
  }                                                                                              \
  EMULATOR_INLINE T norm4d##f(T a, T b, T c, T d) noexcept {                                     \
    return static_cast<T>(::emulator::detail::length<::emulator::detail::Wider<T>>(a, b, c, d)); \
  }                                                                                              \
  EMULATOR_INLINE T norm##f(int dim, const T* p) noexcept {                                      \
    return static_cast<T>(::emulator::detail::length_of_array(dim, p));                          \
  }                                                                                              \
  EMULATOR_INLINE T rhypot##f(T a, T b) noexcept {                                               \
    return static_cast<T>(1 /                                                                    \
                          ::emulator::detail::length<::emulator::detail::Wider<T>>(a, b, 0, 0)); \
  }                                                                                              \
  EMULATOR_INLINE T rnorm3d##f(T a, T b, T c) noexcept {                                         \
    return static_cast<T>(1 /                                                                    \
                          ::emulator::detail::length<::emulator::detail::Wider<T>>(a, b, c, 0)); \
  }                                                                                              \
  EMULATOR_INLINE T rnorm4d##f(T a, T b, T c, T d) noexcept {                                    \
    return static_cast<T>(1 /                                                                    \
                          ::emulator::detail::length<::emulator::detail::Wider<T>>(a, b, c, d)); \
  }                                                                                              \
  EMULATOR_INLINE T rnorm##f(int dim, const T* p) noexcept {                                     \
    return static_cast<T>(1 / ::emulator::detail::length_of_array(dim, p));                      \
  }
EMULATOR_LENGTHS(float, f)
EMULATOR_LENGTHS(double, )
#undef EMULATOR_LENGTHS

EMULATOR_INLINE float rsqrtf(float x) noexcept {
  return ::emulator::detail::reciprocal_root(x);
}
EMULATOR_INLINE double rsqrt(double x) noexcept {
  return static_cast<double>(1.0L / ::sqrtl(x));
}
EMULATOR_INLINE float rcbrtf(float x) noexcept {
  return static_cast<float>(1.0 / ::cbrt(static_cast<double>(x)));
}
EMULATOR_INLINE double rcbrt(double x) noexcept {
  return static_cast<double>(1.0L / ::cbrtl(x));
}

// Float overloads of what CUDA and the C library know only by the name with an f.

EMULATOR_INLINE float exp10(float x) noexcept {
  return ::exp10f(x);
}
EMULATOR_INLINE float rsqrt(float x) noexcept {
  return ::rsqrtf(x);
}
EMULATOR_INLINE float rcbrt(float x) noexcept {
  return ::rcbrtf(x);
}
EMULATOR_INLINE float sinpi(float x) noexcept {
  return ::sinpif(x);
}
EMULATOR_INLINE float cospi(float x) noexcept {
  return ::cospif(x);
}
EMULATOR_INLINE float normcdf(float x) noexcept {
  return ::normcdff(x);
}
EMULATOR_INLINE float normcdfinv(float x) noexcept {
  return ::normcdfinvf(x);
}
EMULATOR_INLINE float erfinv(float x) noexcept {
  return ::erfinvf(x);
}
EMULATOR_INLINE float erfcinv(float x) noexcept {
  return ::erfcinvf(x);
}
EMULATOR_INLINE float erfcx(float x) noexcept {
  return ::erfcxf(x);
}
EMULATOR_INLINE float j0(float x) noexcept {
  return ::j0f(x);
}
EMULATOR_INLINE float j1(float x) noexcept {
  return ::j1f(x);
}
EMULATOR_INLINE float jn(int n, float x) noexcept {
  return ::jnf(n, x);
}
EMULATOR_INLINE float y0(float x) noexcept {
  return ::y0f(x);
}
EMULATOR_INLINE float y1(float x) noexcept {
  return ::y1f(x);
}
EMULATOR_INLINE float yn(int n, float x) noexcept {
  return ::ynf(n, x);
}
EMULATOR_INLINE double copysign(double x, float sign) noexcept {
  return ::copysign(x, static_cast<double>(sign));
}
EMULATOR_INLINE double copysign(float x, double sign) noexcept {
  return ::copysign(static_cast<double>(x), sign);
}
EMULATOR_INLINE void sincospi(float x, float* sine, float* cosine) noexcept {
  ::sincospif(x, sine, cosine);
}
EMULATOR_INLINE void sincos(float x, float* sine, float* cosine) noexcept {
  *sine = ::sinf(x);
  *cosine = ::cosf(x);
}
