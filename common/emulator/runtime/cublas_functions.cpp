/// \file
/// cuBLAS's products and sums: the checks that its manual promises, then the work. The library of
/// CUDA 13 is laxer at times: cublasSgemv() succeeds without a word for negative sizes, an
/// increment of 0, an unknown operation, or a single column with a leading dimension that is too
/// small.

#include <algorithm>

#include "cublas_compute.hpp"
#include "cublas_state.hpp"

namespace emulator::detail {
namespace {

bool is_operation(cublasOperation_t op) {
  return op == CUBLAS_OP_N || op == CUBLAS_OP_T || op == CUBLAS_OP_C;
}

bool is_transposed(cublasOperation_t op) {
  return op != CUBLAS_OP_N;
}

bool is_leading_dimension(std::int64_t leading_dimension, std::int64_t rows) {
  return leading_dimension >= std::max<std::int64_t>(rows, 1);
}

// Alpha and beta, once they are read.
struct Factors {
  float alpha = 0;
  float beta = 0;
};

cublasStatus_t read_factors(const char* function, const CublasContext& context, const float* alpha,
                            const float* beta, Factors& factors) {
  const cublasStatus_t status = read_factor(function, "alpha", context, alpha, factors.alpha);
  if (status != CUBLAS_STATUS_SUCCESS) return status;
  return read_factor(function, "beta", context, beta, factors.beta);
}

// op(A), which has so many rows and columns, as it is stored.
Operand operand_of(const char* name, const ConstMatrix& a, std::int64_t rows,
                   std::int64_t columns) {
  return a.transposed ? matrix_operand(name, a.data, columns, rows, a.leading_dimension)
                      : matrix_operand(name, a.data, rows, columns, a.leading_dimension);
}

cublasStatus_t sgemv(cublasHandle_t handle, cublasOperation_t op, std::int64_t m, std::int64_t n,
                     const float* alpha, const float* a_data, std::int64_t lda, const float* x,
                     std::int64_t incx, const float* beta, float* y, std::int64_t incy) {
  constexpr auto name = "cublasSgemv";
  const auto context = find_context(handle);
  if (!context) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!is_operation(op) || m < 0 || n < 0 || !is_leading_dimension(lda, m) || incx == 0 ||
      incy == 0) {
    return CUBLAS_STATUS_INVALID_VALUE;
  }
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  if (alpha == nullptr || beta == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  if (!can_run(*context)) return CUBLAS_STATUS_EXECUTION_FAILED;
  const DeviceWindow window;
  Factors factors;
  const cublasStatus_t status = read_factors(name, *context, alpha, beta, factors);
  if (status != CUBLAS_STATUS_SUCCESS) return status;

  const ConstMatrix a{a_data, lda, is_transposed(op)};
  const std::int64_t rows = a.transposed ? n : m;
  const std::int64_t columns = a.transposed ? m : n;
  if ((factors.alpha != 0 && !are_reachable(name, {operand_of("A", a, rows, columns),
                                                   vector_operand("x", x, columns, incx)})) ||
      !are_reachable(name, {vector_operand("y", y, rows, incy)})) {
    return CUBLAS_STATUS_EXECUTION_FAILED;
  }
  const auto result = blas_vector(y, rows, incy);
  scale(factors.beta, result, rows);
  if (factors.alpha != 0) {
    add_product(rows, columns, factors.alpha, a, blas_vector(x, columns, incx), result);
  }
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t sgemm(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b,
                     std::int64_t m, std::int64_t n, std::int64_t k, const float* alpha,
                     const float* a_data, std::int64_t lda, const float* b_data, std::int64_t ldb,
                     const float* beta, float* c_data, std::int64_t ldc) {
  constexpr auto name = "cublasSgemm";
  const auto context = find_context(handle);
  if (!context) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!is_operation(op_a) || !is_operation(op_b) || m < 0 || n < 0 || k < 0 ||
      !is_leading_dimension(lda, is_transposed(op_a) ? k : m) ||
      !is_leading_dimension(ldb, is_transposed(op_b) ? n : k) || !is_leading_dimension(ldc, m)) {
    return CUBLAS_STATUS_INVALID_VALUE;
  }
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  if (alpha == nullptr || beta == nullptr || c_data == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  if (!can_run(*context)) return CUBLAS_STATUS_EXECUTION_FAILED;
  const DeviceWindow window;
  Factors factors;
  const cublasStatus_t status = read_factors(name, *context, alpha, beta, factors);
  if (status != CUBLAS_STATUS_SUCCESS) return status;

  const ConstMatrix a{a_data, lda, is_transposed(op_a)};
  const ConstMatrix b{b_data, ldb, is_transposed(op_b)};
  const Matrix c{c_data, ldc};
  const bool has_product = factors.alpha != 0 && k != 0;
  if ((has_product && !are_reachable(name, {operand_of("A", a, m, k), operand_of("B", b, k, n)})) ||
      !are_reachable(name, {matrix_operand("C", c_data, m, n, ldc)})) {
    return CUBLAS_STATUS_EXECUTION_FAILED;
  }
  scale(factors.beta, c, m, n);
  if (has_product) add_product(m, n, k, factors.alpha, a, b, c);
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t sgeam(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b,
                     std::int64_t m, std::int64_t n, const float* alpha, const float* a_data,
                     std::int64_t lda, const float* beta, const float* b_data, std::int64_t ldb,
                     float* c_data, std::int64_t ldc) {
  constexpr auto name = "cublasSgeam";
  const auto context = find_context(handle);
  if (!context) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!is_operation(op_a) || !is_operation(op_b) || m < 0 || n < 0 ||
      !is_leading_dimension(lda, is_transposed(op_a) ? n : m) ||
      !is_leading_dimension(ldb, is_transposed(op_b) ? n : m) || !is_leading_dimension(ldc, m)) {
    return CUBLAS_STATUS_INVALID_VALUE;
  }
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  const bool may_be_a = op_a == CUBLAS_OP_N && lda == ldc;
  const bool may_be_b = op_b == CUBLAS_OP_N && ldb == ldc;
  if (alpha == nullptr || beta == nullptr || c_data == nullptr || (c_data == a_data && !may_be_a) ||
      (c_data == b_data && !may_be_b)) {
    return CUBLAS_STATUS_INVALID_VALUE;
  }
  if (!can_run(*context)) return CUBLAS_STATUS_EXECUTION_FAILED;
  const DeviceWindow window;
  Factors factors;
  const cublasStatus_t status = read_factors(name, *context, alpha, beta, factors);
  if (status != CUBLAS_STATUS_SUCCESS) return status;

  const ConstMatrix a{a_data, lda, is_transposed(op_a)};
  const ConstMatrix b{b_data, ldb, is_transposed(op_b)};
  if ((factors.alpha != 0 && !are_reachable(name, {operand_of("A", a, m, n)})) ||
      (factors.beta != 0 && !are_reachable(name, {operand_of("B", b, m, n)})) ||
      !are_reachable(name, {matrix_operand("C", c_data, m, n, ldc)})) {
    return CUBLAS_STATUS_EXECUTION_FAILED;
  }
  weighted_sum(m, n, factors.alpha, a, factors.beta, b, {c_data, ldc});
  return CUBLAS_STATUS_SUCCESS;
}

}  // namespace
}  // namespace emulator::detail

using namespace emulator::detail;

cublasStatus_t cublasSgemv(cublasHandle_t handle, cublasOperation_t op, int m, int n,
                           const float* alpha, const float* A, int lda, const float* x, int incx,
                           const float* beta, float* y, int incy) {
  return sgemv(handle, op, m, n, alpha, A, lda, x, incx, beta, y, incy);
}

cublasStatus_t cublasSgemv_64(cublasHandle_t handle, cublasOperation_t op, std::int64_t m,
                              std::int64_t n, const float* alpha, const float* A, std::int64_t lda,
                              const float* x, std::int64_t incx, const float* beta, float* y,
                              std::int64_t incy) {
  return sgemv(handle, op, m, n, alpha, A, lda, x, incx, beta, y, incy);
}

cublasStatus_t cublasSgemm(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b,
                           int m, int n, int k, const float* alpha, const float* A, int lda,
                           const float* B, int ldb, const float* beta, float* C, int ldc) {
  return sgemm(handle, op_a, op_b, m, n, k, alpha, A, lda, B, ldb, beta, C, ldc);
}

cublasStatus_t cublasSgemm_64(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b,
                              std::int64_t m, std::int64_t n, std::int64_t k, const float* alpha,
                              const float* A, std::int64_t lda, const float* B, std::int64_t ldb,
                              const float* beta, float* C, std::int64_t ldc) {
  return sgemm(handle, op_a, op_b, m, n, k, alpha, A, lda, B, ldb, beta, C, ldc);
}

cublasStatus_t cublasSgeam(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b,
                           int m, int n, const float* alpha, const float* A, int lda,
                           const float* beta, const float* B, int ldb, float* C, int ldc) {
  return sgeam(handle, op_a, op_b, m, n, alpha, A, lda, beta, B, ldb, C, ldc);
}

cublasStatus_t cublasSgeam_64(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b,
                              std::int64_t m, std::int64_t n, const float* alpha, const float* A,
                              std::int64_t lda, const float* beta, const float* B, std::int64_t ldb,
                              float* C, std::int64_t ldc) {
  return sgeam(handle, op_a, op_b, m, n, alpha, A, lda, beta, B, ldb, C, ldc);
}
