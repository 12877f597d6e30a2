// Lesson 7: types. A name's first letter says which: S and D are float and double, C and Z complex
// numbers of these, H is half precision. For other types, GemmEx takes them as arguments.
#pragma once

#include <cuComplex.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tour.hpp"

using Complex = std::complex<float>;  // the same memory layout as the library's cuComplex
using DoubleComplex = std::complex<double>;

// C = op(A) B in four types: one function each. Only the letter differs.
void multiply(cublasHandle_t handle, cublasOperation_t op, int m, int n, int k, const float* A,
              int lda, const float* B, int ldb, float* C, int ldc) {
  if (m == 0 || n == 0) return;
  CUDA_CHECK(cublasSgemm(handle, op, CUBLAS_OP_N, m, n, k, &one, A, lda, B, ldb, &zero, C, ldc));
}

void multiply(cublasHandle_t handle, cublasOperation_t op, int m, int n, int k, const double* A,
              int lda, const double* B, int ldb, double* C, int ldc) {
  if (m == 0 || n == 0) return;
  const double alpha = 1;
  const double beta = 0;
  CUDA_CHECK(cublasDgemm(handle, op, CUBLAS_OP_N, m, n, k, &alpha, A, lda, B, ldb, &beta, C, ldc));
}

inline const cuComplex* library(const Complex* p) {
  return reinterpret_cast<const cuComplex*>(p);
}
inline cuComplex* library(Complex* p) {
  return reinterpret_cast<cuComplex*>(p);
}
inline const cuDoubleComplex* library(const DoubleComplex* p) {
  return reinterpret_cast<const cuDoubleComplex*>(p);
}
inline cuDoubleComplex* library(DoubleComplex* p) {
  return reinterpret_cast<cuDoubleComplex*>(p);
}

// The most common mistake: CUBLAS_OP_T, which transposes and does not conjugate. CUBLAS_OP_C does
// both. For real numbers the two are the same.
void multiply(cublasHandle_t handle, cublasOperation_t op, int m, int n, int k, const Complex* A,
              int lda, const Complex* B, int ldb, Complex* C, int ldc) {
  if (m == 0 || n == 0) return;
  const cuComplex alpha = {1, 0};
  const cuComplex beta = {0, 0};
  CUDA_CHECK(cublasCgemm(handle, op, CUBLAS_OP_N, m, n, k, &alpha, library(A), lda, library(B), ldb,
                         &beta, library(C), ldc));
}

void multiply(cublasHandle_t handle, cublasOperation_t op, int m, int n, int k,
              const DoubleComplex* A, int lda, const DoubleComplex* B, int ldb, DoubleComplex* C,
              int ldc) {
  if (m == 0 || n == 0) return;
  const cuDoubleComplex alpha = {1, 0};
  const cuDoubleComplex beta = {0, 0};
  CUDA_CHECK(cublasZgemm(handle, op, CUBLAS_OP_N, m, n, k, &alpha, library(A), lda, library(B), ldb,
                         &beta, library(C), ldc));
}

// Half precision throughout: the sums are also only as exact as a half.
void multiply(cublasHandle_t handle, int m, int n, int k, const __half* A, int lda, const __half* B,
              int ldb, __half* C, int ldc) {
  if (m == 0 || n == 0) return;
  const __half alpha = __float2half(1.0F);
  const __half beta = __float2half(0.0F);
  CUDA_CHECK(cublasHgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &alpha, A, lda, B, ldb, &beta,
                         C, ldc));
}

// Types as arguments: those of A and B, of C, and of the computation. The most common mistake:
// alpha and beta. They are void*, and must have the type that `compute` requires: floats for
// CUBLAS_COMPUTE_32F, whatever A and C are; ints for CUBLAS_COMPUTE_32I.
void multiply_mixed(cublasHandle_t handle, cudaDataType in, cudaDataType out,
                    cublasComputeType_t compute, int m, int n, int k, const void* A, int lda,
                    const void* B, int ldb, void* C, int ldc) {
  if (m == 0 || n == 0) return;
  const int whole_one = 1;
  const int whole_zero = 0;
  const bool whole = compute == CUBLAS_COMPUTE_32I;
  const void* const alpha = whole ? static_cast<const void*>(&whole_one) : &one;
  const void* const beta = whole ? static_cast<const void*>(&whole_zero) : &zero;
  CUDA_CHECK(cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, alpha, A, in, lda, B, in, ldb,
                          beta, C, out, ldc, compute, CUBLAS_GEMM_DEFAULT));
}

// How many real operations one multiply-add takes.
template <class T>
constexpr double operations_of = 2;
template <class T>
constexpr double operations_of<std::complex<T>> = 8;

template <class T>
T conjugate(T value) {
  return value;
}
template <class T>
std::complex<T> conjugate(std::complex<T> value) {
  return std::conj(value);
}

// Whole numbers, with a whole imaginary part where there is one.
template <class T>
Matrix<T> whole_matrix(int m, int n, int ld, int terms, int seed) {
  return exact_matrix<T>(m, n, ld, terms, seed);
}
template <class T>
requires requires(T value) {
  value.imag();
}
Matrix<T> whole_matrix(int m, int n, int ld, int terms, int seed) {
  using Real = typename T::value_type;
  const Matrix<Real> real = exact_matrix<Real>(m, n, ld, 4 * terms, seed);
  const Matrix<Real> imaginary = exact_matrix<Real>(m, n, ld, 4 * terms, seed + 100);
  Matrix<T> both(m, n, ld);
  for (size_t e = 0; e < both.elements.size(); ++e) {
    both.elements[e] = T(real.elements[e], imaginary.elements[e]);
  }
  return both;
}

// A is k x m, and op transposes it.
template <class T>
void turned_product(Tour& tour, const char* name, cublasOperation_t op, int m, int n, int k) {
  const Matrix<T> A = whole_matrix<T>(k, m, k + 1, k, 1);
  const Matrix<T> B = whole_matrix<T>(k, n, k + 2, k, 2);
  const Matrix<T> before(m, n, m + 3);
  Matrix<T> after = before;
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < m; ++i) {
      T sum = 0;
      for (int p = 0; p < k; ++p) {
        sum += (op == CUBLAS_OP_C ? conjugate(A(p, i)) : A(p, i)) * B(p, j);
      }
      after(i, j) = sum;  // whole numbers: exact in T itself
    }
  }
  const course::DeviceArray<T> d_A(A.elements);
  const course::DeviceArray<T> d_B(B.elements);
  course::Work work = course::gemm_work(m, n, k);
  work.bytes *= sizeof(T) / 4.0;
  work.operations *= operations_of<T> / 2;
  tour.rung(name, work, before.elements, after.elements, [&](T* d_C) {
    multiply(tour.handle(), op, m, n, k, static_cast<const T*>(d_A), A.ld,
             static_cast<const T*>(d_B), B.ld, d_C, before.ld);
  });
}

// Sums of k products of 1 and -1: whole numbers of at most k, which a half holds exactly up to
// 2,048, and every other type here as well. `columns_apart` must be a multiple of four for bytes.
template <class In, class Out, class Call>
void narrow_product(Tour& tour, const char* name, int m, int n, int k, Call call) {
  const auto apart = [](int rows) { return (rows + 3) / 4 * 4 + 4; };
  const Matrix<float> A = exact_matrix<float>(m, k, apart(m), 1 << 24, 1);
  const Matrix<float> B = exact_matrix<float>(k, n, apart(k), 1 << 24, 2);
  Matrix<float> C(m, n, apart(m));
  const std::vector<float> gaps = C.elements;
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < m; ++i) {
      float sum = 0;
      for (int p = 0; p < k; ++p) sum += A(i, p) * B(p, j);
      C(i, j) = sum;
    }
  }
  const auto converted = [](const std::vector<float>& floats, auto type) {
    std::vector<decltype(type)> all;
    all.reserve(floats.size());
    for (const float value : floats) all.push_back(static_cast<decltype(type)>(value));
    return all;
  };
  const course::DeviceArray<In> d_A(converted(A.elements, In()));
  const course::DeviceArray<In> d_B(converted(B.elements, In()));
  const std::vector<Out> before = converted(gaps, Out());
  const course::Work work{sizeof(In) * (1.0 * m * k + 1.0 * k * n) + sizeof(Out) * 1.0 * m * n,
                          2.0 * m * n * k};
  tour.rung(name, work, before, converted(C.elements, Out()), [&](Out* d_C) {
    call(static_cast<const In*>(d_A), A.ld, static_cast<const In*>(d_B), B.ld, d_C, C.ld);
  });
}

// Complex vectors. dotc conjugates its first vector, dotu does not. asum and amax measure a number
// by |real| + |imaginary|, and not by its absolute value; asum's result is real, and so the type of
// the result is part of its name.
inline void complex_vectors(Tour& tour, int n) {
  if (n == 0) return;
  cublasHandle_t handle = tour.handle();
  const Matrix<Complex> x = whole_matrix<Complex>(n, 1, n, n, 1);
  const Matrix<Complex> y = whole_matrix<Complex>(n, 1, n, n, 2);
  Complex plain = 0;
  Complex conjugated = 0;
  float absolutes = 0;
  for (int i = 0; i < n; ++i) {
    plain += x(i, 0) * y(i, 0);
    conjugated += std::conj(x(i, 0)) * y(i, 0);
    absolutes += std::fabs(x(i, 0).real()) + std::fabs(x(i, 0).imag());
  }
  const course::DeviceArray<Complex> d_x(x.elements);
  const course::DeviceArray<Complex> d_y(y.elements);
  const course::Work work = work_of<Complex>(2.0 * n, 8.0 * n);
  tour.number_rung("dotu, complex", work, plain, [&](Complex* sum) {
    CUDA_CHECK(cublasCdotu(handle, n, library(d_x), 1, library(d_y), 1, library(sum)));
  });
  tour.number_rung("dotc, complex", work, conjugated, [&](Complex* sum) {
    CUDA_CHECK(cublasCdotc(handle, n, library(d_x), 1, library(d_y), 1, library(sum)));
  });
  tour.number_rung("asum, complex", work_of<Complex>(n, 2.0 * n), absolutes,
                   [&](float* sum) { CUDA_CHECK(cublasScasum(handle, n, library(d_x), 1, sum)); });
}

// Whether the library multiplies bytes of this shape at all: tried on zeros.
inline bool takes_bytes(cublasHandle_t handle, int m, int n, int k) {
  if (m == 0 || n == 0 || k == 0) return true;
  course::DeviceArray<std::int8_t> bytes(idx2c(0, std::max(m, n), k));
  course::DeviceArray<std::int32_t> sums(idx2c(0, n, m));
  CUDA_CHECK(cudaMemset(bytes, 0, bytes.bytes()));
  const int factors[] = {1, 0};
  std::int8_t* const A = bytes;
  std::int32_t* const C = sums;
  const cublasStatus_t status = cublasGemmEx(
      handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &factors[0], A, CUDA_R_8I, m, A, CUDA_R_8I, k,
      &factors[1], C, CUDA_R_32I, m, CUBLAS_COMPUTE_32I, CUBLAS_GEMM_DEFAULT);
  if (status != CUBLAS_STATUS_NOT_SUPPORTED) CUDA_CHECK(status);
  return status == CUBLAS_STATUS_SUCCESS;
}

void types(Tour& tour, int m, int n, int k) {
  cublasHandle_t handle = tour.handle();
  turned_product<float>(tour, "Sgemm", CUBLAS_OP_T, m, n, k);
  turned_product<double>(tour, "Dgemm", CUBLAS_OP_T, m, n, k);
  turned_product<Complex>(tour, "Cgemm, transposed", CUBLAS_OP_T, m, n, k);
  turned_product<Complex>(tour, "Cgemm, conjugated", CUBLAS_OP_C, m, n, k);
  turned_product<DoubleComplex>(tour, "Zgemm, conjugated", CUBLAS_OP_C, m, n, k);
  complex_vectors(tour, m);
  const int few = std::min(k, 2048);  // terms: with more, a half cannot hold the sum
  narrow_product<__half, __half>(tour, "Hgemm", m, n, few, [&](auto... matrices) {
    multiply(handle, m, n, few, matrices...);
  });
  const auto mixed = [&](cudaDataType in, cudaDataType out, cublasComputeType_t compute) {
    return
        [=](auto... matrices) { multiply_mixed(handle, in, out, compute, m, n, few, matrices...); };
  };
  narrow_product<__half, float>(tour, "FP16 to FP32", m, n, few,
                                mixed(CUDA_R_16F, CUDA_R_32F, CUBLAS_COMPUTE_32F));
  narrow_product<__half, __half>(tour, "FP16, sums in FP32", m, n, few,
                                 mixed(CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_32F));
  narrow_product<__nv_bfloat16, float>(tour, "BF16 to FP32", m, n, few,
                                       mixed(CUDA_R_16BF, CUDA_R_32F, CUBLAS_COMPUTE_32F));
  // Bytes in multiples of four: not every GPU has a kernel for every shape.
  const auto up = [](int extent) { return (extent + 3) / 4 * 4; };
  if (!takes_bytes(handle, up(m), up(n), up(few))) {
    tour.note("INT8 to INT32: no kernel for this shape");
    return;
  }
  narrow_product<std::int8_t, std::int32_t>(
      tour, "INT8 to INT32", up(m), up(n), up(few), [&](auto... matrices) {
        multiply_mixed(handle, CUDA_R_8I, CUDA_R_32I, CUBLAS_COMPUTE_32I, up(m), up(n), up(few),
                       matrices...);
      });
}
