/// \file
/// cuBLAS's copies of vectors and matrices: the runtime's copies with their own checks before.

#include "emulator/host/host_api.h"
#include "libraries/cublas/state.hpp"

namespace emulator::cublas {
namespace {

// `count` pieces of `width` bytes, their distances given in elements.
cublasStatus_t copy_pieces(std::int64_t width, std::int64_t count, std::int64_t element_size,
                           const void* from, std::int64_t from_distance, void* to,
                           std::int64_t to_distance, cudaMemcpyKind kind, cudaStream_t stream) {
  std::int64_t from_pitch = 0;
  std::int64_t to_pitch = 0;
  if (__builtin_mul_overflow(from_distance, element_size, &from_pitch) ||
      __builtin_mul_overflow(to_distance, element_size, &to_pitch)) {
    return CUBLAS_STATUS_MAPPING_ERROR;
  }
  const QuietErrors quiet;
  const cudaError_t error = cudaMemcpy2DAsync(
      to, static_cast<std::size_t>(to_pitch), from, static_cast<std::size_t>(from_pitch),
      static_cast<std::size_t>(width), static_cast<std::size_t>(count), kind, stream);
  return error == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_MAPPING_ERROR;
}

cublasStatus_t copy_vector(std::int64_t n, std::int64_t element_size, const void* x,
                           std::int64_t incx, void* y, std::int64_t incy, cudaMemcpyKind kind,
                           cudaStream_t stream) {
  if (element_size <= 0 || incx <= 0 || incy <= 0) return CUBLAS_STATUS_INVALID_VALUE;
  if (n == 0) return CUBLAS_STATUS_SUCCESS;
  if (n < 0) return CUBLAS_STATUS_MAPPING_ERROR;
  return copy_pieces(element_size, n, element_size, x, incx, y, incy, kind, stream);
}

cublasStatus_t copy_matrix(std::int64_t rows, std::int64_t columns, std::int64_t element_size,
                           const void* a, std::int64_t lda, void* b, std::int64_t ldb,
                           cudaMemcpyKind kind, cudaStream_t stream) {
  if (rows < 0 || columns < 0 || element_size <= 0 || lda <= 0 || ldb <= 0) {
    return CUBLAS_STATUS_INVALID_VALUE;
  }
  if (rows == 0 || columns == 0) return CUBLAS_STATUS_SUCCESS;
  std::int64_t width = 0;
  if (__builtin_mul_overflow(rows, element_size, &width)) return CUBLAS_STATUS_MAPPING_ERROR;
  return copy_pieces(width, columns, element_size, a, lda, b, ldb, kind, stream);
}

}  // namespace
}  // namespace emulator::cublas

using namespace emulator::cublas;

// Each function in its four forms: sizes of 32 or 64 bits, with a stream or without.
#define EMULATOR_VECTOR_COPY(name, kind)                                                          \
  cublasStatus_t name(int n, int element_size, const void* x, int incx, void* y, int incy) {      \
    return copy_vector(n, element_size, x, incx, y, incy, kind, nullptr);                         \
  }                                                                                               \
  cublasStatus_t name##_64(std::int64_t n, std::int64_t element_size, const void* x,              \
                           std::int64_t incx, void* y, std::int64_t incy) {                       \
    return copy_vector(n, element_size, x, incx, y, incy, kind, nullptr);                         \
  }                                                                                               \
  cublasStatus_t name##Async(int n, int element_size, const void* x, int incx, void* y, int incy, \
                             cudaStream_t stream) {                                               \
    return copy_vector(n, element_size, x, incx, y, incy, kind, stream);                          \
  }                                                                                               \
  cublasStatus_t name##Async_64(std::int64_t n, std::int64_t element_size, const void* x,         \
                                std::int64_t incx, void* y, std::int64_t incy,                    \
                                cudaStream_t stream) {                                            \
    return copy_vector(n, element_size, x, incx, y, incy, kind, stream);                          \
  }

#define EMULATOR_MATRIX_COPY(name, kind)                                                        \
  cublasStatus_t name(int rows, int columns, int element_size, const void* A, int lda, void* B, \
                      int ldb) {                                                                \
    return copy_matrix(rows, columns, element_size, A, lda, B, ldb, kind, nullptr);             \
  }                                                                                             \
  cublasStatus_t name##_64(std::int64_t rows, std::int64_t columns, std::int64_t element_size,  \
                           const void* A, std::int64_t lda, void* B, std::int64_t ldb) {        \
    return copy_matrix(rows, columns, element_size, A, lda, B, ldb, kind, nullptr);             \
  }                                                                                             \
  cublasStatus_t name##Async(int rows, int columns, int element_size, const void* A, int lda,   \
                             void* B, int ldb, cudaStream_t stream) {                           \
    return copy_matrix(rows, columns, element_size, A, lda, B, ldb, kind, stream);              \
  }                                                                                             \
  cublasStatus_t name##Async_64(std::int64_t rows, std::int64_t columns,                        \
                                std::int64_t element_size, const void* A, std::int64_t lda,     \
                                void* B, std::int64_t ldb, cudaStream_t stream) {               \
    return copy_matrix(rows, columns, element_size, A, lda, B, ldb, kind, stream);              \
  }

EMULATOR_VECTOR_COPY(cublasSetVector, cudaMemcpyHostToDevice)
EMULATOR_VECTOR_COPY(cublasGetVector, cudaMemcpyDeviceToHost)
EMULATOR_MATRIX_COPY(cublasSetMatrix, cudaMemcpyHostToDevice)
EMULATOR_MATRIX_COPY(cublasGetMatrix, cudaMemcpyDeviceToHost)
