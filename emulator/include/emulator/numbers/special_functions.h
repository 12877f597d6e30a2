#pragma once
#pragma GCC system_header
/// \file
/// Functions of CUDA that the C library lacks: sines of multiples of pi, the normal distribution,
/// and the inverse and scaled error functions.
///
/// Each is computed once, in double, and rounded for float.

#include <math.h>

#include "emulator/inline.h"

namespace emulator::detail {

inline constexpr double pi = 0x1.921fb54442d18p+1;
inline constexpr double pi_rest = 0x1.1a62633145c07p-53;  ///< pi minus the constant above
inline constexpr double half_root_of_2 = 0x1.6a09e667f3bcdp-1;
inline constexpr double half_root_of_2_rest = -0x1.bdd3413b26456p-55;
inline constexpr double two_over_root_of_pi = 0x1.20dd750429b6dp+0;

/// sin(pi y) and cos(pi y) for |y| <= 1/4. The product with pi is kept to twice the precision: its
/// rest goes in by the derivative.
EMULATOR_LEAF double sin_of_pi_times(double y) noexcept {
  const double angle = pi * y;
  const double rest = __builtin_fma(pi, y, -angle) + pi_rest * y;
  return __builtin_sin(angle) + rest * __builtin_cos(angle);
}
EMULATOR_LEAF double cos_of_pi_times(double y) noexcept {
  const double angle = pi * y;
  const double rest = __builtin_fma(pi, y, -angle) + pi_rest * y;
  return __builtin_cos(angle) - rest * __builtin_sin(angle);
}

/// sin(pi x). The remainder by the period 2 is exact, and so are the reflections.
EMULATOR_LEAF double sin_pi(double x) noexcept {
  const double in_period = __builtin_remainder(x, 2.0);  // in [-1, 1]; NaN for infinite x
  const double magnitude = __builtin_fabs(in_period);
  const double from_zero = magnitude > 0.5 ? 1.0 - magnitude : magnitude;
  if (from_zero == 0.0) return __builtin_copysign(0.0, x);
  const double sine =
      from_zero <= 0.25 ? sin_of_pi_times(from_zero) : cos_of_pi_times(0.5 - from_zero);
  return __builtin_copysign(sine, in_period);
}

/// cos(pi x).
EMULATOR_LEAF double cos_pi(double x) noexcept {
  const double from_zero = __builtin_fabs(__builtin_remainder(x, 2.0));
  if (from_zero <= 0.25) return cos_of_pi_times(from_zero);
  if (from_zero >= 0.75) return -cos_of_pi_times(1.0 - from_zero);
  if (from_zero == 0.5) return 0.0;
  return sin_of_pi_times(0.5 - from_zero);
}

/// exp(x^2) erfc(x). Beyond 12 by the asymptotic series (Abramowitz and Stegun, 7.1.23), of which
/// ten terms are enough there; below, the rounding error of x^2 goes in by the derivative.
EMULATOR_LEAF double scaled_erfc(double x) noexcept {
  if (x < 12.0) {
    const double square = x * x;
    if (square > 720.0) return HUGE_VAL;  // only for x < 0
    const double rest = __builtin_fma(x, x, -square);
    const double power = __builtin_exp(square);
    return (power + power * rest) * __builtin_erfc(x);
  }
  const double step = -0.5 / x / x;
  double sum = 1.0;
  for (int k = 10; k >= 1; --k) sum = 1.0 + (2 * k - 1) * step * sum;
  return 0.5 * two_over_root_of_pi / x * sum;
}

/// The integral of the normal distribution's density from -infinity to x: erfc(-x / sqrt 2) / 2. In
/// the tail erfc multiplies the relative error of its argument: the rest of the quotient goes in by
/// the derivative.
EMULATOR_LEAF double normal_distribution(double x) noexcept {
  const double argument = -x * half_root_of_2;
  const double value = __builtin_erfc(argument);
  if (!(__builtin_fabs(x) < 40.0)) return 0.5 * value;
  const double rest = __builtin_fma(-x, half_root_of_2, -argument) - x * half_root_of_2_rest;
  return 0.5 * (value - rest * two_over_root_of_pi * __builtin_exp(-argument * argument));
}

/// The x >= 0 with erf(x) = p, given p >= 0 and q = 1 - p (each is exact where the other is not).
/// Winitzki's closed approximation (2008), good to 2 parts in 1000, then Halley's method, which
/// trebles the number of right digits at each step, on erf where p is the smaller and on erfc where
/// q is.
EMULATOR_LEAF double inverse_error_function(double p, double q) noexcept {
  const double a = 0.147;
  const double logarithm = p < 0.5 ? __builtin_log1p(-p * p) : __builtin_log(q * (1.0 + p));
  const double g = 2.0 / (pi * a) + 0.5 * logarithm;
  const double root = __builtin_sqrt(g * g - logarithm / a);
  double x = __builtin_sqrt(g > 0.0 ? -logarithm / a / (root + g) : root - g);
  if (q < 1e-3) {
    // Far out erfc is too steep: Newton's method on its logarithm, log erfcx(x) - x^2.
    const double target = __builtin_log(q);
    for (int step = 0; step < 4; ++step) {
      const double scaled = scaled_erfc(x);
      const double error = __builtin_log(scaled) - x * x - target;
      x += error * scaled / two_over_root_of_pi;
    }
    return x;
  }
  for (int step = 0; step < 3; ++step) {
    const double error = p < 0.5 ? __builtin_erf(x) - p : q - __builtin_erfc(x);
    const double newton = error / (two_over_root_of_pi * __builtin_exp(-x * x));
    x -= newton / (1.0 + x * newton);
  }
  return x;
}

/// The x with erf(x) = y.
EMULATOR_LEAF double inverse_erf(double y) noexcept {
  const double p = __builtin_fabs(y);
  if (p == 1.0) return y * HUGE_VAL;
  if (!(p < 1.0)) return __builtin_nan("");
  if (p == 0.0) return y;
  return __builtin_copysign(inverse_error_function(p, 1.0 - p), y);
}

/// The x with erfc(x) = y.
EMULATOR_LEAF double inverse_erfc(double y) noexcept {
  if (y == 0.0) return HUGE_VAL;
  if (y == 2.0) return -HUGE_VAL;
  if (!(y > 0.0 && y < 2.0)) return __builtin_nan("");
  return y <= 1.0 ? inverse_error_function(1.0 - y, y) : -inverse_error_function(y - 1.0, 2.0 - y);
}

}  // namespace emulator::detail

#define EMULATOR_SPECIAL_FUNCTION(name, expression)          \
  EMULATOR_INLINE double name(double x) noexcept {           \
    return expression;                                       \
  }                                                          \
  EMULATOR_INLINE float name##f(float x) noexcept {          \
    return static_cast<float>(name(static_cast<double>(x))); \
  }

EMULATOR_SPECIAL_FUNCTION(sinpi, ::emulator::detail::sin_pi(x))
EMULATOR_SPECIAL_FUNCTION(cospi, ::emulator::detail::cos_pi(x))
EMULATOR_SPECIAL_FUNCTION(normcdf, ::emulator::detail::normal_distribution(x))
EMULATOR_SPECIAL_FUNCTION(normcdfinv, -2.0 * ::emulator::detail::half_root_of_2 *
                                          ::emulator::detail::inverse_erfc(2.0 * x))
EMULATOR_SPECIAL_FUNCTION(erfinv, ::emulator::detail::inverse_erf(x))
EMULATOR_SPECIAL_FUNCTION(erfcinv, ::emulator::detail::inverse_erfc(x))
EMULATOR_SPECIAL_FUNCTION(erfcx, ::emulator::detail::scaled_erfc(x))
#undef EMULATOR_SPECIAL_FUNCTION

EMULATOR_INLINE void sincospi(double x, double* sine, double* cosine) noexcept {
  *sine = ::emulator::detail::sin_pi(x);
  *cosine = ::emulator::detail::cos_pi(x);
}
EMULATOR_INLINE void sincospif(float x, float* sine, float* cosine) noexcept {
  *sine = ::sinpif(x);
  *cosine = ::cospif(x);
}
