#pragma once
/// \file
/// What the older functions of cuSPARSE's have in common: matrices that are given as arrays.

#include <type_traits>

#include "libraries/cusparse/calls.hpp"

// The lists of parameters are the header's: a buffer, a policy, or the type of the values, is not
// needed by all.
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wunused-local-typedefs"

namespace emulator::cusparse {

/// The functions of one name for all types of values. `call` has the parameters, and the type that
/// the emulator computes with as T.
#define CUSPARSE_OF_ALL_TYPES(name, PARAMETERS, call)            \
  cusparseStatus_t cusparseS##name PARAMETERS(float) {           \
    using T = float;                                             \
    return call;                                                 \
  }                                                              \
  cusparseStatus_t cusparseD##name PARAMETERS(double) {          \
    using T = double;                                            \
    return call;                                                 \
  }                                                              \
  cusparseStatus_t cusparseC##name PARAMETERS(cuComplex) {       \
    using T = std::complex<float>;                               \
    return call;                                                 \
  }                                                              \
  cusparseStatus_t cusparseZ##name PARAMETERS(cuDoubleComplex) { \
    using T = std::complex<double>;                              \
    return call;                                                 \
  }

template <class T>
constexpr cudaDataType data_type = CUDA_R_32F;
template <>
inline constexpr cudaDataType data_type<double> = CUDA_R_64F;
template <>
inline constexpr cudaDataType data_type<std::complex<float>> = CUDA_C_32F;
template <>
inline constexpr cudaDataType data_type<std::complex<double>> = CUDA_C_64F;

/// Indices of 32 bits.
inline Indices indices_at(const int* data, std::int64_t base = 0) {
  return {const_cast<int*>(data), CUSPARSE_INDEX_32I, base};
}
/// Values, of whatever type the program names: cuComplex is std::complex here.
template <class T>
Strips<T> strip(const void* values, std::int64_t count) {
  return {static_cast<T*>(const_cast<void*>(values)), count};
}

/// A matrix in CSR, by a descriptor of the older kind and arrays.
struct CsrMatrix {
  const char* name;
  Copy<cusparseMatDescr> properties;
  std::int64_t rows;
  std::int64_t columns;
  std::int64_t nnz;
  const void* values;
  const int* offsets;
  const int* indices;

  void check(Work& work) const {
    work.require(rows >= 0 && columns >= 0, std::string("the sizes of ") + name + " are negative");
    work.require(nnz >= 0, std::string("the number of elements of ") + name + " is negative");
    work.require(properties.lives, std::string("the descriptor of ") + name + " is not live");
    if (work.ok() && properties->type != CUSPARSE_MATRIX_TYPE_GENERAL) {
      work.refuse(CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED,
                  std::string(name) + " is not of CUSPARSE_MATRIX_TYPE_GENERAL");
    }
    work.require(offsets != nullptr, std::string("the offsets of ") + name + " are a null pointer");
    work.require(nnz == 0 || indices != nullptr,
                 std::string("the indices of ") + name + " are a null pointer");
  }
  /// As the generic interface would describe it.
  cusparseSpMatDescr described(cudaDataType type) const {
    return {CUSPARSE_FORMAT_CSR,
            rows,
            columns,
            nnz,
            const_cast<int*>(offsets),
            const_cast<int*>(indices),
            const_cast<void*>(values),
            CUSPARSE_INDEX_32I,
            CUSPARSE_INDEX_32I,
            properties->base,
            type};
  }
};

}  // namespace emulator::cusparse
