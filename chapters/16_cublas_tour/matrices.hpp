// Lesson 5: level 3, matrices. Each number is used many times: here arithmetic is the limit.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>

#include "matrix_vector.hpp"  // triangular()
#include "tour.hpp"

// C = alpha op(A) op(B) + beta C. m and n are C's, k is the length of the sums, whatever op is. The
// most common mistake: lda, which belongs to A as it is stored. With CUBLAS_OP_T that is k x m.
void multiply(cublasHandle_t handle, cublasOperation_t op_A, cublasOperation_t op_B, int m, int n,
              int k, float alpha, const float* A, int lda, const float* B, int ldb, float beta,
              float* C, int ldc) {
  if (m == 0 || n == 0) return;
  CUDA_CHECK(cublasSgemm(handle, op_A, op_B, m, n, k, &alpha, A, lda, B, ldb, &beta, C, ldc));
}

// C = A B or B A, with a symmetric A of which only the lower half is read. The most common mistake:
// the side. The order of the arguments stays A, B.
void multiply_symmetric(cublasHandle_t handle, cublasSideMode_t side, int m, int n, const float* A,
                        int lda, const float* B, int ldb, float* C, int ldc) {
  if (m == 0 || n == 0) return;
  CUDA_CHECK(
      cublasSsymm(handle, side, CUBLAS_FILL_MODE_LOWER, m, n, &one, A, lda, B, ldb, &zero, C, ldc));
}

// C = A A^T, of which only the lower half is written: half of the work. The most common mistake:
// code that reads the other half afterwards.
void multiply_by_itself(cublasHandle_t handle, int n, int k, const float* A, int lda, float* C,
                        int ldc) {
  if (n == 0) return;
  CUDA_CHECK(
      cublasSsyrk(handle, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, n, k, &one, A, lda, &zero, C, ldc));
}

// Solves A X = B for all columns of B at once; X takes B's place.
void solve_all(cublasHandle_t handle, int m, int n, const float* A, int lda, float* B, int ldb) {
  if (m == 0 || n == 0) return;
  CUDA_CHECK(cublasStrsm(handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N,
                         CUBLAS_DIAG_NON_UNIT, m, n, &one, A, lda, B, ldb));
}

// C = alpha op(A) + beta op(B), which BLAS does not have: sums, copies and transposes. The most
// common mistake: m and n, which are C's.
void add(cublasHandle_t handle, cublasOperation_t op_A, int m, int n, float alpha, const float* A,
         int lda, float beta, const float* B, int ldb, float* C, int ldc) {
  if (m == 0 || n == 0) return;
  CUDA_CHECK(cublasSgeam(handle, op_A, CUBLAS_OP_N, m, n, &alpha, A, lda, &beta, B, ldb, C, ldc));
}

// C = alpha (A B) + beta C in double, from any A(i, p) and B(p, j).
template <class ElementA, class ElementB>
void reference_multiply(double alpha, ElementA A, ElementB B, int k, double beta,
                        Matrix<float>& C) {
  for (int j = 0; j < C.cols; ++j) {
    for (int i = 0; i < C.rows; ++i) {
      double sum = 0;
      for (int p = 0; p < k; ++p) sum += static_cast<double>(A(i, p)) * B(p, j);
      // As in the library: with beta = 0 the old C does not matter, even if it is a NaN.
      C(i, j) = static_cast<float>(alpha * sum + (beta == 0 ? 0 : beta * C(i, j)));
    }
  }
}

inline void gemm(Tour& tour, int m, int n, int k) {
  const struct {
    const char* name;
    bool A_transposed, B_transposed;
    float alpha, beta;
  } cases[] = {{"gemm", false, false, 1, 0},
               {"gemm, A transposed", true, false, 1, 0},
               {"gemm, B transposed", false, true, 1, 0},
               {"gemm, both", true, true, 1, 0},
               {"gemm, added to C", false, false, -2, 3}};
  for (const auto& c : cases) {
    const int terms = 4 * (k + 1);
    const Matrix<float> A = c.A_transposed ? exact_matrix<float>(k, m, k + 2, terms, 1)
                                           : exact_matrix<float>(m, k, m + 2, terms, 1);
    const Matrix<float> B = c.B_transposed ? exact_matrix<float>(n, k, n + 3, terms, 2)
                                           : exact_matrix<float>(k, n, k + 3, terms, 2);
    Matrix<float> C = exact_matrix<float>(m, n, m + 1, terms, 3);
    if (c.beta == 0) {
      for (int j = 0; j < n; ++j) {
        for (int i = 0; i < m; ++i) C(i, j) = forbidden;
      }
    }
    Matrix<float> product = C;
    reference_multiply(
        c.alpha, [&](int i, int p) { return c.A_transposed ? A(p, i) : A(i, p); },
        [&](int p, int j) { return c.B_transposed ? B(j, p) : B(p, j); }, k, c.beta, product);
    const course::DeviceArray<float> d_A(A.elements);
    const course::DeviceArray<float> d_B(B.elements);
    tour.rung(c.name, course::gemm_work(m, n, k), C.elements, product.elements, [&](float* d_C) {
      multiply(tour.handle(), c.A_transposed ? CUBLAS_OP_T : CUBLAS_OP_N,
               c.B_transposed ? CUBLAS_OP_T : CUBLAS_OP_N, m, n, k, c.alpha, d_A, A.ld, d_B, B.ld,
               c.beta, d_C, C.ld);
    });
  }
}

inline void symm(Tour& tour, int m, int n) {
  for (const bool left : {true, false}) {
    const int size = left ? m : n;
    Matrix<float> A = exact_matrix<float>(size, size, size + 1, size, 1);
    const Matrix<float> B = exact_matrix<float>(m, n, m + 2, size, 2);
    const Matrix<float> before(m, n, m);
    Matrix<float> after = before;
    const auto symmetric = [&](int i, int j) { return i >= j ? A(i, j) : A(j, i); };
    const auto B_of = [&](int i, int j) { return B(i, j); };
    left ? reference_multiply(1, symmetric, B_of, size, 0, after)
         : reference_multiply(1, B_of, symmetric, size, 0, after);
    for (int j = 0; j < size; ++j) {
      for (int i = 0; i < j; ++i) A(i, j) = forbidden;
    }
    const course::DeviceArray<float> d_A(A.elements);
    const course::DeviceArray<float> d_B(B.elements);
    tour.rung(left ? "symm, left" : "symm, right", course::gemm_work(m, n, size), before.elements,
              after.elements, [&](float* d_C) {
                multiply_symmetric(tour.handle(), left ? CUBLAS_SIDE_LEFT : CUBLAS_SIDE_RIGHT, m, n,
                                   d_A, A.ld, d_B, B.ld, d_C, m);
              });
  }
}

inline void syrk(Tour& tour, int n, int k) {
  const Matrix<float> A = exact_matrix<float>(n, k, n + 1, k, 1);
  const Matrix<float> before(n, n, n + 1);
  Matrix<float> after = before;
  reference_multiply(
      1, [&](int i, int p) { return A(i, p); }, [&](int p, int j) { return A(j, p); }, k, 0, after);
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < j; ++i) after(i, j) = before(i, j);
  }
  const course::DeviceArray<float> d_A(A.elements);
  tour.rung("syrk", work_of<float>(1.0 * n * k + 0.5 * n * (n + 1.0), 1.0 * n * (n + 1) * k),
            before.elements, after.elements, [&](float* d_C) {
              multiply_by_itself(tour.handle(), n, k, d_A, A.ld, d_C, before.ld);
            });
}

inline void trsm(Tour& tour, int m, int n) {
  const Matrix<float> A = triangular(m, m + 1, true, false, 1);
  const Matrix<float> X = exact_matrix<float>(m, n, m + 2, 4 * m, 2);
  Matrix<float> B = X;
  reference_multiply(
      1, [&](int i, int p) { return triangular_element(A, i, p, true, false); },
      [&](int p, int j) { return X(p, j); }, m, 0, B);
  const course::DeviceArray<float> d_A(A.elements);
  tour.rung("trsm", work_of<float>(0.5 * m * (m + 1.0) + 2.0 * m * n, 1.0 * m * m * n), B.elements,
            X.elements, [&](float* d_B) { solve_all(tour.handle(), m, n, d_A, A.ld, d_B, X.ld); });
}

inline void geam(Tour& tour, int m, int n) {
  const Matrix<float> A = exact_matrix<float>(n, m, n + 1, 4, 1);  // it will be transposed
  const Matrix<float> B = exact_matrix<float>(m, n, m + 2, 4, 2);
  const Matrix<float> before(m, n, m + 3);
  Matrix<float> turned = before;
  Matrix<float> sum = before;
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < m; ++i) {
      turned(i, j) = A(j, i);
      sum(i, j) = 2 * A(j, i) - 3 * B(i, j);
    }
  }
  const course::DeviceArray<float> d_A(A.elements);
  const course::DeviceArray<float> d_B(B.elements);
  const course::Work two = work_of<float>(2.0 * m * n, 0);
  const course::Work three = work_of<float>(3.0 * m * n, 3.0 * m * n);
  tour.rung("geam, a transpose", two, before.elements, turned.elements, [&](float* d_C) {
    add(tour.handle(), CUBLAS_OP_T, m, n, 1, d_A, A.ld, 0, d_C, before.ld, d_C, before.ld);
  });
  tour.rung("geam, a sum", three, before.elements, sum.elements, [&](float* d_C) {
    add(tour.handle(), CUBLAS_OP_T, m, n, 2, d_A, A.ld, -3, d_B, B.ld, d_C, before.ld);
  });
}

void matrices(Tour& tour, int m, int n, int k) {
  gemm(tour, m, n, k);
  symm(tour, m, n);
  syrk(tour, n, k);
  trsm(tour, m, n);
  geam(tour, m, n);
}
