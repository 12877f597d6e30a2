#pragma once
/// \file
/// Elements of tensors as numbers to compute with, and the operators on them. T is float, double or
/// a complex number of one of them.

#include <bit>
#include <cmath>
#include <complex>
#include <cstdint>
#include <type_traits>

#include "libraries/common/elements.hpp"
#include "libraries/cutensor/objects.hpp"

namespace emulator::cutensor {

using namespace libraries;

template <class T>
inline constexpr bool is_complex_number = !std::is_floating_point_v<T>;

// Reading and writing elements --------------------------------------------------------------------

template <class T, class Element>
T load_as(const void* data, std::int64_t i) {
  const Element& element = static_cast<const Element*>(data)[i];
  if constexpr (std::is_same_v<T, Element>) {
    return element;
  } else if constexpr (is_complex_number<Element> && std::is_class_v<Element> &&
                       !std::is_same_v<Element, Half> && !std::is_same_v<Element, Bfloat16>) {
    using Part = typename T::value_type;
    return {static_cast<Part>(element.real()), static_cast<Part>(element.imag())};
  } else if constexpr (is_complex_number<T>) {
    return static_cast<typename T::value_type>(to_number(element));
  } else {
    return static_cast<T>(to_number(element));
  }
}

template <class T, class Element>
void store_as(void* data, std::int64_t i, T value) {
  Element& element = static_cast<Element*>(data)[i];
  if constexpr (std::is_same_v<T, Element>) {
    element = value;
  } else if constexpr (is_complex_number<T>) {
    using Part = typename Element::value_type;
    element = {static_cast<Part>(value.real()), static_cast<Part>(value.imag())};
  } else if constexpr (std::is_floating_point_v<Element>) {
    element = static_cast<Element>(value);
  } else {
    round_to(element, static_cast<float>(value));
  }
}

template <class T>
using Load = T (*)(const void* data, std::int64_t i);
template <class T>
using Store = void (*)(void* data, std::int64_t i, T value);

/// How to read an element as a T. A real one can be read as a complex one, not the other way round.
template <class T>
Load<T> load_of(cudaDataType_t type) {
  switch (type) {
    case CUDA_R_16F:
      return load_as<T, Half>;
    case CUDA_R_16BF:
      return load_as<T, Bfloat16>;
    case CUDA_R_32F:
      return load_as<T, float>;
    case CUDA_R_64F:
      return load_as<T, double>;
    default:
      break;
  }
  if constexpr (is_complex_number<T>) {
    if (type == CUDA_C_32F) return load_as<T, std::complex<float>>;
    if (type == CUDA_C_64F) return load_as<T, std::complex<double>>;
  }
  return nullptr;
}

/// The same for writing; complex numbers to complex elements, real ones to real ones.
template <class T>
Store<T> store_of(cudaDataType_t type) {
  if constexpr (is_complex_number<T>) {
    if (type == CUDA_C_32F) return store_as<T, std::complex<float>>;
    if (type == CUDA_C_64F) return store_as<T, std::complex<double>>;
  } else {
    switch (type) {
      case CUDA_R_16F:
        return store_as<T, Half>;
      case CUDA_R_16BF:
        return store_as<T, Bfloat16>;
      case CUDA_R_32F:
        return store_as<T, float>;
      case CUDA_R_64F:
        return store_as<T, double>;
      default:
        break;
    }
  }
  return nullptr;
}

// Rounding ----------------------------------------------------------------------------------------

/// To the 10 bits of fraction of TF32, halfway away from 0.
inline float to_tf32(float x) {
  if (!std::isfinite(x)) return x;
  return std::bit_cast<float>((std::bit_cast<std::uint32_t>(x) + 0x1000U) & 0xFFFF'E000U);
}

inline float rounded(float x, Precision precision) {
  switch (precision) {
    case Precision::r16: {
      Half half{};
      round_to(half, x);
      return to_number(half);
    }
    case Precision::b16: {
      Bfloat16 upper{};
      round_to(upper, x);
      return to_number(upper);
    }
    case Precision::tf32:
      return to_tf32(x);
    default:
      return x;
  }
}
inline double rounded(double x, Precision) {
  return x;
}
template <class T>
std::complex<T> rounded(std::complex<T> x, Precision precision) {
  return {rounded(x.real(), precision), rounded(x.imag(), precision)};
}

// Operators ---------------------------------------------------------------------------------------

/// Whether this is an operator for one real element.
inline bool is_unary_operator(cutensorOperator_t op) {
  switch (op) {
    case CUTENSOR_OP_IDENTITY:
    case CUTENSOR_OP_SQRT:
    case CUTENSOR_OP_RELU:
    case CUTENSOR_OP_RCP:
    case CUTENSOR_OP_SIGMOID:
    case CUTENSOR_OP_TANH:
      return true;
    default:
      return op >= CUTENSOR_OP_EXP && op <= CUTENSOR_OP_SOFT_SIGN;
  }
}

template <class T>
T apply(cutensorOperator_t op, T x) {
  if constexpr (is_complex_number<T>) {
    return op == CUTENSOR_OP_CONJ ? std::conj(x) : x;
  } else {
    switch (op) {
      case CUTENSOR_OP_SQRT:
        return std::sqrt(x);
      case CUTENSOR_OP_RELU:
        return x < 0 ? 0 : x;
      case CUTENSOR_OP_RCP:
        return 1 / x;
      case CUTENSOR_OP_SIGMOID:
        return 1 / (1 + std::exp(-x));
      case CUTENSOR_OP_TANH:
        return std::tanh(x);
      case CUTENSOR_OP_EXP:
        return std::exp(x);
      case CUTENSOR_OP_LOG:
        return std::log(x);
      case CUTENSOR_OP_ABS:
        return std::abs(x);
      case CUTENSOR_OP_NEG:
        return -x;
      case CUTENSOR_OP_SIN:
        return std::sin(x);
      case CUTENSOR_OP_COS:
        return std::cos(x);
      case CUTENSOR_OP_TAN:
        return std::tan(x);
      case CUTENSOR_OP_SINH:
        return std::sinh(x);
      case CUTENSOR_OP_COSH:
        return std::cosh(x);
      case CUTENSOR_OP_ASIN:
        return std::asin(x);
      case CUTENSOR_OP_ACOS:
        return std::acos(x);
      case CUTENSOR_OP_ATAN:
        return std::atan(x);
      case CUTENSOR_OP_ASINH:
        return std::asinh(x);
      case CUTENSOR_OP_ACOSH:
        return std::acosh(x);
      case CUTENSOR_OP_ATANH:
        return std::atanh(x);
      case CUTENSOR_OP_CEIL:
        return std::ceil(x);
      case CUTENSOR_OP_FLOOR:
        return std::floor(x);
      case CUTENSOR_OP_MISH:
        return x * std::tanh(std::log1p(std::exp(x)));
      case CUTENSOR_OP_SWISH:
        return x / (1 + std::exp(-x));
      case CUTENSOR_OP_SOFT_PLUS:
        return std::log1p(std::exp(x));
      case CUTENSOR_OP_SOFT_SIGN:
        return x / (std::abs(x) + 1);
      default:
        return x;
    }
  }
}

template <class T>
T apply(cutensorOperator_t op, T x, T y) {
  if (op == CUTENSOR_OP_MUL) return x * y;
  if constexpr (!is_complex_number<T>) {
    if (op == CUTENSOR_OP_MAX) return x < y ? y : x;
    if (op == CUTENSOR_OP_MIN) return y < x ? y : x;
  }
  return x + y;
}

}  // namespace emulator::cutensor
