#pragma once
/// \file
/// OpenBLAS's functions for T = float, double and their complex numbers.

#include <cblas.h>

#include <complex>
#include <type_traits>

namespace emulator::cublas {

/// Of functions for float, double and their complex numbers, the one for T.
template <class T, class Single, class Double, class SingleComplex = int, class DoubleComplex = int>
constexpr auto of_type(Single for_float, Double for_double, SingleComplex for_complex = 0,
                       DoubleComplex for_double_complex = 0) {
  if constexpr (std::is_same_v<T, float>) {
    return for_float;
  } else if constexpr (std::is_same_v<T, double>) {
    return for_double;
  } else if constexpr (std::is_same_v<T, std::complex<float>>) {
    return for_complex;
  } else {
    return for_double_complex;
  }
}

/// A factor as OpenBLAS takes it: by its value, or if it is complex by its address.
inline float as_factor(const float& x) {
  return x;
}
inline double as_factor(const double& x) {
  return x;
}
template <class Real>
const std::complex<Real>* as_factor(const std::complex<Real>& x) {
  return &x;
}

}  // namespace emulator::cublas
