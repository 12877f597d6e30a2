#pragma once
/// \file
/// OpenBLAS's functions for T = float or double.

#include <cblas.h>

#include <type_traits>

namespace emulator::detail {

/// Of a function for float and the same for double, the one for T.
template <class T, class Single, class Double>
constexpr auto of_type(Single for_float, Double for_double) {
  if constexpr (std::is_same_v<T, float>) {
    return for_float;
  } else {
    return for_double;
  }
}

}  // namespace emulator::detail
