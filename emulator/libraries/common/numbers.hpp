#pragma once
/// \file
/// What real and complex numbers have in common, for functions that are written once for both.

#include <complex>
#include <cstdint>
#include <type_traits>

#include "cuda_fp16.h"
#include "emulator/device/vector_types.h"
#include "libraries/common/elements.hpp"

namespace emulator::libraries {

template <class T>
inline constexpr bool is_complex = false;
template <class Real>
inline constexpr bool is_complex<std::complex<Real>> = true;

template <class T>
struct RealOf {
  using Type = T;
};
template <class T>
struct RealOf<std::complex<T>> {
  using Type = T;
};
/// The type of a number's parts.
template <class T>
using Real = typename RealOf<T>::Type;

/// The number, or its conjugate if it is complex and that is asked for.
template <class T>
T conjugate(T x, bool is_asked_for = true) {
  if constexpr (is_complex<T>) {
    return is_asked_for ? std::conj(x) : x;
  } else {
    return x;
  }
}

/// The real part as a number of the type: what counts of a Hermitian matrix's diagonal.
template <class T>
T real_part(T x) {
  if constexpr (is_complex<T>) {
    return T(x.real());
  } else {
    return x;
  }
}

template <class T>
struct NumberOf {
  using Type = T;
};
template <>
struct NumberOf<float2> {
  using Type = std::complex<float>;
};
template <>
struct NumberOf<__half> {
  using Type = Half;
};
template <>
struct NumberOf<double2> {
  using Type = std::complex<double>;
};
/// What stands for a type of CUDA's: for cuComplex, which has no arithmetic, C++'s complex numbers,
/// which have the same layout.
template <class T>
using Number = typename NumberOf<T>::Type;

/// A function's argument with these types in place of CUDA's: addresses, and addresses of
/// addresses. Other arguments are themselves.
template <class T>
T as_number(T argument) {
  return argument;
}
#define EMULATOR_AS_NUMBERS(Complex)                                        \
  inline const Number<Complex>* as_number(const Complex* x) {               \
    return reinterpret_cast<const Number<Complex>*>(x);                     \
  }                                                                         \
  inline Number<Complex>* as_number(Complex* x) {                           \
    return reinterpret_cast<Number<Complex>*>(x);                           \
  }                                                                         \
  inline const Number<Complex>* const* as_number(const Complex* const* x) { \
    return reinterpret_cast<const Number<Complex>* const*>(x);              \
  }                                                                         \
  inline Number<Complex>* const* as_number(Complex* const* x) {             \
    return reinterpret_cast<Number<Complex>* const*>(x);                    \
  }
EMULATOR_AS_NUMBERS(float2)
EMULATOR_AS_NUMBERS(double2)
EMULATOR_AS_NUMBERS(__half)
#undef EMULATOR_AS_NUMBERS

/// Calls `use` with such arguments.
template <class Use, class... Arguments>
auto with_numbers(Use use, Arguments... arguments) {
  return use(as_number(arguments)...);
}

}  // namespace emulator::libraries
