// Lesson 1: the workflow. A handle, memory, set, compute, get, destroy; and matrices with leading
// dimensions, with which a submatrix is a matrix, and a row is a vector.
#pragma once

#include <cstddef>
#include <vector>

#include "tour.hpp"

// The whole workflow without our own wrappers: y = A x for A, x and y in the host's memory.
void whole_way(const Matrix<float>& A, const Vector<float>& x, Vector<float>& y) {
  const int m = A.rows;
  const int n = A.cols;
  if (m == 0 || n == 0) return;

  cublasHandle_t handle = nullptr;
  CUDA_CHECK(cublasCreate(&handle));
  float* d_A = nullptr;
  float* d_x = nullptr;
  float* d_y = nullptr;
  CUDA_CHECK(cudaMalloc(&d_A, idx2c(0, n, m) * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&d_x, n * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&d_y, m * sizeof(float)));

  // The most common mistake: each side has its own leading dimension. The host's matrix may have
  // gaps, the device's need not have them.
  CUDA_CHECK(cublasSetMatrix(m, n, sizeof(float), A.elements.data(), A.ld, d_A, m));
  CUDA_CHECK(cublasSetVector(n, sizeof(float), x.elements.data(), x.stride, d_x, 1));
  CUDA_CHECK(cublasSgemv(handle, CUBLAS_OP_N, m, n, &one, d_A, m, d_x, 1, &zero, d_y, 1));
  CUDA_CHECK(cublasGetVector(m, sizeof(float), d_y, 1, y.elements.data(), y.stride));

  CUDA_CHECK(cudaFree(d_y));
  CUDA_CHECK(cudaFree(d_x));
  CUDA_CHECK(cudaFree(d_A));
  CUDA_CHECK(cublasDestroy(handle));
}

// A submatrix is a matrix: the address of its first element, and the same ld.
void set_part(const Matrix<float>& part, float* A, int i, int j, int ld) {
  if (part.rows == 0 || part.cols == 0) return;
  CUDA_CHECK(cublasSetMatrix(part.rows, part.cols, sizeof(float), part.elements.data(), part.ld,
                             A + idx2c(i, j, ld), ld));
}

// Row i times `factor`. The most common mistake: in a column-major matrix the elements of a row are
// ld apart, and not 1.
void scale_row(cublasHandle_t handle, float* A, int i, int n, int ld, float factor) {
  if (n == 0) return;
  CUDA_CHECK(cublasSscal(handle, n, &factor, A + idx2c(i, 0, ld), ld));
}

// Column j times `factor`: contiguous.
void scale_column(cublasHandle_t handle, float* A, int j, int m, int ld, float factor) {
  if (m == 0) return;
  CUDA_CHECK(cublasSscal(handle, m, &factor, A + idx2c(0, j, ld), 1));
}

// y = A x in double, from the definition.
inline void reference_product(const Matrix<float>& A, const Vector<float>& x, Vector<float>& y) {
  for (int i = 0; i < A.rows; ++i) {
    double sum = 0;
    for (int j = 0; j < A.cols; ++j) sum += static_cast<double>(A(i, j)) * x[j];
    y[i] = static_cast<float>(sum);
  }
}

// A is m x n with three unused rows below each column.
void workflow(Tour& tour, int m, int n) {
  const course::Work moved = work_of<float>(2.0 * m * n, 0);
  const int ld = m + 3;
  const Matrix<float> A = exact_matrix<float>(m, n, ld, n, 1);

  // From a vector with a stride into one without, and back into one with another stride.
  const Vector<float> x = exact_strided<float>(n, 2, n, 2);
  Vector<float> back(n, 3);
  Vector<float> expected(n, 3);
  for (int i = 0; i < n; ++i) expected[i] = x[i];
  tour.judged_rung(
      "set and get a vector", work_of<float>(2.0 * n, 0), [&] { back = Vector<float>(n, 3); },
      [&] {
        if (n == 0) return;
        course::DeviceArray<float> d_x(static_cast<size_t>(n));
        CUDA_CHECK(cublasSetVector(n, sizeof(float), x.elements.data(), 2, d_x, 1));
        CUDA_CHECK(cublasGetVector(n, sizeof(float), d_x, 1, back.elements.data(), 3));
      },
      [&] { return same_elements(back.elements, expected.elements); });

  // The same for a matrix. The copy on the host has gaps of another size, which must not change.
  Matrix<float> copy(m, n, m + 1);
  Matrix<float> same(m, n, m + 1);
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < m; ++i) same(i, j) = A(i, j);
  }
  tour.judged_rung(
      "set and get a matrix", moved, [&] { copy = Matrix<float>(m, n, m + 1); },
      [&] {
        if (m == 0 || n == 0) return;
        course::DeviceArray<float> d_A(idx2c(0, n, m));
        CUDA_CHECK(cublasSetMatrix(m, n, sizeof(float), A.elements.data(), ld, d_A, m));
        CUDA_CHECK(cublasGetMatrix(m, n, sizeof(float), d_A, m, copy.elements.data(), m + 1));
      },
      [&] { return same_elements(copy.elements, same.elements); });

  // The lower right quarter is replaced.
  const int i0 = m / 2;
  const int j0 = n / 2;
  const Matrix<float> part = exact_matrix<float>(m - i0, n - j0, m - i0 + 2, n, 3);
  Matrix<float> replaced = A;
  for (int j = j0; j < n; ++j) {
    for (int i = i0; i < m; ++i) replaced(i, j) = part(i - i0, j - j0);
  }
  tour.rung("set a part", work_of<float>(2.0 * (m - i0) * (n - j0), 0), A.elements,
            replaced.elements, [&](float* d_A) { set_part(part, d_A, i0, j0, ld); });

  if (m != 0 && n != 0) {
    Matrix<float> scaled = A;
    for (int j = 0; j < n; ++j) scaled(i0, j) *= 2;
    for (int i = 0; i < m; ++i) scaled(i, j0) *= -4;
    tour.rung("scale row and column", work_of<float>(2.0 * (m + n), 1.0 * m + n), A.elements,
              scaled.elements, [&](float* d_A) {
                scale_row(tour.handle(), d_A, i0, n, ld, 2);
                scale_column(tour.handle(), d_A, j0, m, ld, -4);
              });
  }

  Vector<float> y(m, 2);
  Vector<float> right(m, 2);
  if (n != 0) reference_product(A, x, right);
  tour.judged_rung(
      "the whole way", course::sgemv_work(m, n), [&] { y = Vector<float>(m, 2); },
      [&] { whole_way(A, x, y); }, [&] { return same_elements(y.elements, right.elements); });

  // A handle is a set of settings, memory on the device, and much loaded code: make it once.
  tour.judged_rung(
      "create and destroy", {}, [] {},
      [] {
        cublasHandle_t handle = nullptr;
        CUDA_CHECK(cublasCreate(&handle));
        CUDA_CHECK(cublasDestroy(handle));
      },
      [] {
        return course::Verdict{true, ""};
      });
}
