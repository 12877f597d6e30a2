#pragma once
#pragma GCC system_header
/// \file
/// CUDA's fast approximations: `__expf`, `__sinf`, `__fdividef`, ... (what `-use_fast_math` puts in
/// place of `expf` and the others).
///
/// On a GPU these are a few instructions and lose some accuracy; here they are as accurate as the
/// functions they stand for, which is within the error that CUDA allows them. Their documented
/// oddities are kept.
///
/// glibc declares many of these names for its own use (it does not define them), hence `noexcept`:
/// the declarations must agree.

#include <math.h>

#include "emulator/inline.h"

namespace emulator::detail {

/// x / y, but 0 (or NaN for an infinite x) where |y| is so large that a GPU's reciprocal of it is
/// lost.
EMULATOR_LEAF float fast_quotient(float x, float y) noexcept {
  if (__builtin_fabsf(y) > 0x1p126f) return x * __builtin_copysignf(0.0f, y);
  return x / y;
}

/// x limited to [0, 1]; NaN and -0 become 0.
EMULATOR_LEAF float saturate_to_one(float x) noexcept {
  if (x >= 1.0f) return 1.0f;
  return x > 0.0f ? x : 0.0f;
}

}  // namespace emulator::detail

/// x / y with the quick reciprocal: 0 for 2^126 < |y| < 2^128, where an infinite x gives NaN.
EMULATOR_INLINE float __fdividef(float x, float y) noexcept {
  return ::emulator::detail::fast_quotient(x, y);
}

/// x / y; only `-use_fast_math` makes `fdividef` the quick form.
EMULATOR_INLINE float fdividef(float x, float y) noexcept {
  return x / y;
}
EMULATOR_INLINE double fdivide(double x, double y) noexcept {
  return x / y;
}

/// x limited to [0, 1]; 0 for NaN.
EMULATOR_INLINE float __saturatef(float x) noexcept {
  return ::emulator::detail::saturate_to_one(x);
}

EMULATOR_INLINE float __expf(float x) noexcept {
  return ::expf(x);
}
EMULATOR_INLINE float __exp10f(float x) noexcept {
  return ::exp10f(x);
}
EMULATOR_INLINE float __logf(float x) noexcept {
  return ::logf(x);
}
EMULATOR_INLINE float __log2f(float x) noexcept {
  return ::log2f(x);
}
EMULATOR_INLINE float __log10f(float x) noexcept {
  return ::log10f(x);
}
EMULATOR_INLINE float __sinf(float x) noexcept {
  return ::sinf(x);
}
EMULATOR_INLINE float __cosf(float x) noexcept {
  return ::cosf(x);
}
EMULATOR_INLINE float __tanhf(float x) noexcept {
  return ::tanhf(x);
}
EMULATOR_INLINE float __tanf(float x) noexcept {
  return __fdividef(::sinf(x), ::cosf(x));
}

EMULATOR_INLINE void __sincosf(float x, float* sine, float* cosine) noexcept {
  *sine = ::sinf(x);
  *cosine = ::cosf(x);
}

/// 2^(y log2 x), in just that way: NaN for every negative x, and for 0^0.
EMULATOR_INLINE float __powf(float x, float y) noexcept {
  return static_cast<float>(::exp2(static_cast<double>(y) * ::log2(static_cast<double>(x))));
}
