#pragma once
#pragma GCC system_header
/// \file
/// Complex numbers as CUDA's libraries see them: a pair of a real and an imaginary part, and plain
/// functions on it. All of them serve host and device.

#include <math.h>

#include "cuda_runtime.h"

using cuFloatComplex = float2;
using cuDoubleComplex = double2;
using cuComplex = cuFloatComplex;

// Defines the functions for one precision; `f` is what their names end in.
#define EMULATOR_COMPLEX(Complex, Real, f)                                                      \
  EMULATOR_INLINE Real cuCreal##f(Complex x) {                                                  \
    return x.x;                                                                                 \
  }                                                                                             \
  EMULATOR_INLINE Real cuCimag##f(Complex x) {                                                  \
    return x.y;                                                                                 \
  }                                                                                             \
  EMULATOR_INLINE Complex make_##Complex(Real real, Real imaginary) {                           \
    return {real, imaginary};                                                                   \
  }                                                                                             \
  EMULATOR_INLINE Complex cuConj##f(Complex x) {                                                \
    return {x.x, -x.y};                                                                         \
  }                                                                                             \
  EMULATOR_INLINE Complex cuCadd##f(Complex x, Complex y) {                                     \
    return {x.x + y.x, x.y + y.y};                                                              \
  }                                                                                             \
  EMULATOR_INLINE Complex cuCsub##f(Complex x, Complex y) {                                     \
    return {x.x - y.x, x.y - y.y};                                                              \
  }                                                                                             \
  EMULATOR_INLINE Complex cuCmul##f(Complex x, Complex y) {                                     \
    return {x.x * y.x - x.y * y.y, x.x * y.y + x.y * y.x};                                      \
  }                                                                                             \
  /* The divisor is scaled first, so that its square does not overflow. */                      \
  EMULATOR_INLINE Complex cuCdiv##f(Complex x, Complex y) {                                     \
    const Real scale = 1 / (fabs##f(y.x) + fabs##f(y.y));                                       \
    const Complex a = {x.x * scale, x.y * scale};                                               \
    const Complex b = {y.x * scale, y.y * scale};                                               \
    const Real square = 1 / (b.x * b.x + b.y * b.y);                                            \
    return {(a.x * b.x + a.y * b.y) * square, (a.y * b.x - a.x * b.y) * square};                \
  }                                                                                             \
  /* The magnitude, without overflow on the way. */                                             \
  EMULATOR_INLINE Real cuCabs##f(Complex x) {                                                   \
    return hypot##f(x.x, x.y);                                                                  \
  }                                                                                             \
  /* x y + d. */                                                                                \
  EMULATOR_INLINE Complex cuCfma##f(Complex x, Complex y, Complex d) {                          \
    return {fma##f(-x.y, y.y, fma##f(x.x, y.x, d.x)), fma##f(x.y, y.x, fma##f(x.x, y.y, d.y))}; \
  }

EMULATOR_COMPLEX(cuFloatComplex, float, f)
EMULATOR_COMPLEX(cuDoubleComplex, double, )

#undef EMULATOR_COMPLEX

EMULATOR_INLINE cuComplex make_cuComplex(float real, float imaginary) {
  return {real, imaginary};
}
EMULATOR_INLINE cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex x) {
  return {x.x, x.y};
}
EMULATOR_INLINE cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex x) {
  return {static_cast<float>(x.x), static_cast<float>(x.y)};
}
