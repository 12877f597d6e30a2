#pragma once
/// \file
/// cuBLASLt's layouts of matrices: what calls check of them, and where their elements lie.

#include <string>
#include <type_traits>

#include "libraries/cublas/call.hpp"
#include "libraries/cublas/lt/descriptions.hpp"
#include "libraries/cublas/products.hpp"

namespace emulator::cublas {

inline cublasHandle_t as_handle(cublasLtHandle_t handle) {
  return reinterpret_cast<cublasHandle_t>(handle);
}

/// A description that a call was given.
template <class Inside, class Opaque>
Inside description(Call& call, const char* name, const Opaque* opaque) {
  call.not_null({{name, opaque}});
  const auto inside = read<Inside>(opaque);
  if (!inside && opaque != nullptr) {
    call.refuse(CUBLAS_STATUS_INVALID_VALUE,
                name + std::string(" does not exist, or was destroyed"));
  }
  return inside.value_or(Inside{});
}

inline bool by_rows(const LtLayout& layout) {
  return layout.order == CUBLASLT_ORDER_ROW;
}
inline std::int64_t rows_of(const LtLayout& layout) {
  return static_cast<std::int64_t>(layout.rows);
}
inline std::int64_t columns_of(const LtLayout& layout) {
  return static_cast<std::int64_t>(layout.columns);
}
inline cudaDataType type_of(const LtLayout& layout) {
  return static_cast<cudaDataType>(layout.type);
}

/// As it is stored: what is stored row by row is the transposed one, column by column.
template <class T>
Rectangle<T> memory_of(const LtLayout& layout, T* data) {
  const bool rows_first = by_rows(layout);
  return {data, rows_first ? columns_of(layout) : rows_of(layout),
          rows_first ? rows_of(layout) : columns_of(layout), layout.leading_dimension};
}

template <class T>
ConstMatrix<T> operand(const LtLayout& layout, std::int32_t operation, const T* data) {
  const auto op = static_cast<cublasOperation_t>(operation);
  return {data, layout.leading_dimension, is_transposed(op) != by_rows(layout), is_conjugated(op)};
}

/// Element (i, j) of a matrix.
template <class T>
T& element(const LtLayout& layout, T* data, std::int64_t i, std::int64_t j) {
  return by_rows(layout) ? data[i * layout.leading_dimension + j]
                         : data[i + j * layout.leading_dimension];
}

inline std::string shape(std::uint64_t rows, std::uint64_t columns) {
  return std::to_string(rows) + " x " + std::to_string(columns);
}

inline void check_layout(Call& call, const std::string& matrix, const LtLayout& layout) {
  call.note(("rows of " + matrix).c_str(), rows_of(layout));
  call.note(("columns of " + matrix).c_str(), columns_of(layout));
  if (layout.order != CUBLASLT_ORDER_COL && layout.order != CUBLASLT_ORDER_ROW) {
    call.refuse(CUBLAS_STATUS_NOT_SUPPORTED, "the order of " + matrix + " is " +
                                                 std::to_string(layout.order) +
                                                 ", which is not modelled");
  }
  call.leading_dimension(("ld of " + matrix).c_str(), layout.leading_dimension,
                         by_rows(layout) ? columns_of(layout) : rows_of(layout));
  call.at_least(("batch count of " + matrix).c_str(), layout.count, 1);
}

template <class Factor>
constexpr cudaDataType scale_of() {
  if constexpr (std::is_same_v<Factor, float>) return CUDA_R_32F;
  if constexpr (std::is_same_v<Factor, double>) return CUDA_R_64F;
  if constexpr (std::is_same_v<Factor, std::complex<float>>) return CUDA_C_32F;
  if constexpr (std::is_same_v<Factor, std::complex<double>>) return CUDA_C_64F;
  if constexpr (std::is_same_v<Factor, std::int32_t>) return CUDA_R_32I;
  if constexpr (std::is_same_v<Factor, Bfloat16>) return CUDA_R_16BF;
  return CUDA_R_16F;
}

}  // namespace emulator::cublas
