#pragma once
/// \file
/// What the tests of cuBLAS share. Like cublas/api_test.cpp it works with NVIDIA's library as well.

#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <doctest/doctest.h>

#include <limits>
#include <vector>

#include "libraries/common/array_test.hpp"

template <>
struct doctest::StringMaker<cublasStatus_t> {
  static doctest::String convert(cublasStatus_t status) { return cublasGetStatusName(status); }
};

namespace cublas_test {

using Numbers = std::vector<float>;

inline constexpr auto success = CUBLAS_STATUS_SUCCESS;
inline constexpr auto invalid = CUBLAS_STATUS_INVALID_VALUE;
inline constexpr auto no_handle = CUBLAS_STATUS_NOT_INITIALIZED;
inline constexpr auto mapping_error = CUBLAS_STATUS_MAPPING_ERROR;
inline constexpr auto op_n = CUBLAS_OP_N;
inline constexpr auto op_t = CUBLAS_OP_T;
inline constexpr auto op_c = CUBLAS_OP_C;
inline constexpr float no_number = std::numeric_limits<float>::quiet_NaN();
inline constexpr float zero = 0;
inline constexpr float one = 1;
inline constexpr float two = 2;
inline constexpr float three = 3;

/// A handle for the length of a scope.
class Handle {
 public:
  Handle() { REQUIRE(cublasCreate(&handle_) == success); }
  ~Handle() { cublasDestroy(handle_); }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  operator cublasHandle_t() const { return handle_; }

 private:
  cublasHandle_t handle_ = nullptr;
};

using libraries::Array;
using OnDevice = Array<float>;

/// Small whole numbers, whose products and sums are exact, in no particular order.
inline Numbers some_numbers(int size, int seed) {
  Numbers numbers;
  for (int i = 0; i < size; ++i) {
    numbers.push_back(static_cast<float>((i * 7 + i / 5 + seed) % 9 - 4));
  }
  return numbers;
}

/// Element (row, column) of op(A), where A is stored column by column.
inline float element(const Numbers& a, int lda, cublasOperation_t op, int row, int column) {
  return a[static_cast<std::size_t>(op == op_n ? row + column * lda : column + row * lda)];
}

}  // namespace cublas_test
