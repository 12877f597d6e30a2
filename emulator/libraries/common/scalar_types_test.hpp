#pragma once
/// \file
/// The four types of numbers that the tests of libraries try, and NVIDIA's names for them. It works
/// with NVIDIA's libraries as well.

#include <cuComplex.h>
#include <library_types.h>

#include <complex>
#include <type_traits>

namespace libraries {

template <class T>
constexpr bool is_complex = !std::is_floating_point_v<T>;

template <class T>
constexpr cudaDataType type_of = CUDA_R_32F;
template <>
inline constexpr cudaDataType type_of<double> = CUDA_R_64F;
template <>
inline constexpr cudaDataType type_of<std::complex<float>> = CUDA_C_32F;
template <>
inline constexpr cudaDataType type_of<std::complex<double>> = CUDA_C_64F;

template <class T>
struct NamedType {
  using Type = T;
};
template <>
struct NamedType<std::complex<float>> {
  using Type = cuComplex;
};
template <>
struct NamedType<std::complex<double>> {
  using Type = cuDoubleComplex;
};
/// NVIDIA's name for a type.
template <class T>
using Named = typename NamedType<T>::Type;
template <class T>
Named<T>* named(T* values) {
  return reinterpret_cast<Named<T>*>(values);
}
template <class T>
const Named<T>* named(const T* values) {
  return reinterpret_cast<const Named<T>*>(values);
}

}  // namespace libraries
