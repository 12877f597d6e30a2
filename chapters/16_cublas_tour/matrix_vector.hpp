// Lesson 4: level 2, a matrix and a vector. Each element of A is used once: memory is again the
// limit, except for the solver, whose steps wait for each other.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>

#include "tour.hpp"

// y = op(A) x. The most common mistake: m and n are A's as it is stored, with or without op.
void multiply(cublasHandle_t handle, cublasOperation_t op, int m, int n, const float* A, int lda,
              const float* x, int x_stride, float* y, int y_stride) {
  if (m == 0 || n == 0) return;
  CUDA_CHECK(cublasSgemv(handle, op, m, n, &one, A, lda, x, x_stride, &zero, y, y_stride));
}

// A band matrix: 0 except on the diagonal, on `below` diagonals under it and `above` over it. Only
// these are stored, each diagonal as a row: element (i, j) is in column j, row above + i - j. The
// most common mistakes: that row, and the unused corners of the array.
constexpr int band_row(int i, int j, int above) {
  return above + i - j;
}

void multiply_band(cublasHandle_t handle, int m, int n, int below, int above, const float* band,
                   int ld, const float* x, float* y) {
  if (m == 0 || n == 0) return;
  CUDA_CHECK(
      cublasSgbmv(handle, CUBLAS_OP_N, m, n, below, above, &one, band, ld, x, 1, &zero, y, 1));
}

// A symmetric matrix of which only the lower triangle is read. The most common mistake: which half
// is "lower" in a row-major matrix. For the library it is the upper one.
void multiply_symmetric(cublasHandle_t handle, int n, const float* A, int lda, const float* x,
                        float* y) {
  if (n == 0) return;
  CUDA_CHECK(cublasSsymv(handle, CUBLAS_FILL_MODE_LOWER, n, &one, A, lda, x, 1, &zero, y, 1));
}

// Solves op(A) x = b for a triangular A; b goes in as x, and is overwritten.
void solve(cublasHandle_t handle, cublasFillMode_t half, cublasOperation_t op,
           cublasDiagType_t diagonal, int n, const float* A, int lda, float* x) {
  if (n == 0) return;
  CUDA_CHECK(cublasStrsv(handle, half, op, diagonal, n, A, lda, x, 1));
}

// A = alpha x y^T + A: the sum stays in A. The most common mistake: there is no beta, so A must be
// initialised.
void add_outer_product(cublasHandle_t handle, int m, int n, float alpha, const float* x,
                       const float* y, float* A, int lda) {
  if (m == 0 || n == 0) return;
  CUDA_CHECK(cublasSger(handle, m, n, &alpha, x, 1, y, 1, A, lda));
}

// y = op(A) x, with any A(i, j): the caller defines what the stored elements mean.
template <class Element>
void reference_multiply(int rows, int cols, Element element, const Vector<float>& x,
                        Vector<float>& y) {
  for (int i = 0; i < rows; ++i) {
    double sum = 0;
    for (int j = 0; j < cols; ++j) sum += static_cast<double>(element(i, j)) * x[j];
    y[i] = static_cast<float>(sum);
  }
}

// A triangular matrix that any algorithm of the library solves without rounding: D (I + N)
// with powers of two in D, and an N that is not 0 only in odd columns of even rows. Then N N
// = 0, so the inverse is (I - N) / D, and likewise that of each block on the diagonal.
// Libraries invert such blocks. The other half must not be read, nor the diagonal where it
// counts as 1.
inline Matrix<float> triangular(int n, int ld, bool lower, bool unit, int seed) {
  Matrix<float> A = exact_matrix<float>(n, n, ld, 4 * n, seed);
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) {
      if (i == j) {
        A(i, j) = unit ? forbidden : static_cast<float>(1 << i % 3);
      } else if (lower != (i > j)) {
        A(i, j) = forbidden;
      } else if (i % 2 != 0 || j % 2 == 0) {
        A(i, j) = 0;
      } else if (!unit) {
        A(i, j) *= static_cast<float>(1 << i % 3);
      }
    }
  }
  return A;
}

// Element (i, j) of such a matrix, of which only one half is stored.
inline float triangular_element(const Matrix<float>& A, int i, int j, bool lower, bool unit) {
  if (i == j) return unit ? 1.0F : A(i, j);
  return lower == (i > j) ? A(i, j) : 0.0F;
}

inline void gemv(Tour& tour, int m, int n) {
  const int lda = m + 3;
  const Matrix<float> A = exact_matrix<float>(m, n, lda, std::max(m, n), 1);
  const course::DeviceArray<float> d_A(A.elements);
  const struct {
    const char* name;
    cublasOperation_t op;
    int rows, cols, x_stride, y_stride;
  } cases[] = {{"gemv", CUBLAS_OP_N, m, n, 1, 1},
               {"gemv, transposed", CUBLAS_OP_T, n, m, 1, 1},
               {"gemv, strides 2, -1", CUBLAS_OP_N, m, n, 2, -1}};
  for (const auto& c : cases) {
    const Vector<float> x = exact_strided<float>(c.cols, c.x_stride, std::max(m, n), 2);
    const Vector<float> before(c.rows, c.y_stride);
    Vector<float> after = before;
    if (c.cols != 0) {
      reference_multiply(
          c.rows, c.cols, [&](int i, int j) { return c.op == CUBLAS_OP_N ? A(i, j) : A(j, i); }, x,
          after);
    }
    const course::DeviceArray<float> d_x(x.elements);
    tour.rung(c.name, course::sgemv_work(m, n), before.elements, after.elements, [&](float* y) {
      multiply(tour.handle(), c.op, m, n, d_A, lda, d_x, c.x_stride, y, c.y_stride);
    });
  }
}

inline void gbmv(Tour& tour, int m, int n, int below, int above) {
  const int ld = below + above + 2;  // one row more than needed
  Matrix<float> band(below + above + 1, n, ld);
  std::fill(band.elements.begin(), band.elements.end(), forbidden);  // corners included
  const course::ExactValues values(static_cast<size_t>(below + above + 1), 1);
  const auto element = [&](int i, int j) {
    return i - j <= below && j - i <= above ? values(i, j) : 0.0F;
  };
  for (int j = 0; j < n; ++j) {
    for (int i = std::max(0, j - above); i < std::min(m, j + below + 1); ++i) {
      band(band_row(i, j, above), j) = element(i, j);
    }
  }
  const Vector<float> x = exact_strided<float>(n, 1, below + above + 1, 2);
  const Vector<float> before(m, 1);
  Vector<float> after = before;
  if (n != 0) reference_multiply(m, n, element, x, after);
  const course::DeviceArray<float> d_band(band.elements);
  const course::DeviceArray<float> d_x(x.elements);
  const double stored = static_cast<double>(below + above + 1) * n;
  tour.rung(
      "gbmv", work_of<float>(stored + m + n, 2 * stored), before.elements, after.elements,
      [&](float* y) { multiply_band(tour.handle(), m, n, below, above, d_band, ld, d_x, y); });
}

inline void symv(Tour& tour, int n) {
  const int lda = n + 1;
  Matrix<float> A = exact_matrix<float>(n, n, lda, n, 1);
  const auto element = [&](int i, int j) { return i >= j ? A(i, j) : A(j, i); };
  const Vector<float> x = exact_strided<float>(n, 1, n, 2);
  const Vector<float> before(n, 1);
  Vector<float> after = before;
  reference_multiply(n, n, element, x, after);
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < j; ++i) A(i, j) = forbidden;
  }
  const course::DeviceArray<float> d_A(A.elements);
  const course::DeviceArray<float> d_x(x.elements);
  tour.rung("symv", work_of<float>(0.5 * n * (n + 1.0) + 2.0 * n, 2.0 * n * n), before.elements,
            after.elements,
            [&](float* y) { multiply_symmetric(tour.handle(), n, d_A, lda, d_x, y); });
}

inline void trsv(Tour& tour, int n) {
  const int lda = n + 2;
  for (const bool lower : {true, false}) {
    for (const bool unit : {false, true}) {
      const Matrix<float> A = triangular(n, lda, lower, unit, 1);
      const course::DeviceArray<float> d_A(A.elements);
      for (const bool transposed : {false, true}) {
        const Vector<float> x = exact_strided<float>(n, 1, 4 * n, 2);
        Vector<float> b(n, 1);
        reference_multiply(
            n, n,
            [&](int i, int j) {
              return triangular_element(A, transposed ? j : i, transposed ? i : j, lower, unit);
            },
            x, b);
        const std::string name = std::string("trsv, ") + (lower ? "lower" : "upper") +
                                 (transposed ? ", T" : "") + (unit ? ", unit" : "");
        tour.rung(name, work_of<float>(0.5 * n * (n + 1.0) + 2.0 * n, 1.0 * n * n), b.elements,
                  x.elements, [&](float* d_x) {
                    solve(tour.handle(), lower ? CUBLAS_FILL_MODE_LOWER : CUBLAS_FILL_MODE_UPPER,
                          transposed ? CUBLAS_OP_T : CUBLAS_OP_N,
                          unit ? CUBLAS_DIAG_UNIT : CUBLAS_DIAG_NON_UNIT, n, d_A, lda, d_x);
                  });
      }
    }
  }
}

inline void ger(Tour& tour, int m, int n) {
  const int lda = m + 1;
  const Matrix<float> A = exact_matrix<float>(m, n, lda, 4, 1);
  const Vector<float> x = exact_strided<float>(m, 1, 4, 2);
  const Vector<float> y = exact_strided<float>(n, 1, 4, 3);
  Matrix<float> sum = A;
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < m; ++i) sum(i, j) += 2 * x[i] * y[j];
  }
  const course::DeviceArray<float> d_x(x.elements);
  const course::DeviceArray<float> d_y(y.elements);
  tour.rung("ger", work_of<float>(2.0 * m * n + m + n, 3.0 * m * n), A.elements, sum.elements,
            [&](float* d_A) { add_outer_product(tour.handle(), m, n, 2, d_x, d_y, d_A, lda); });
}

void matrix_vector(Tour& tour, int m, int n) {
  gemv(tour, m, n);
  gbmv(tour, m, n, 2, 1);
  symv(tour, n);
  trsv(tour, n);
  ger(tour, m, n);
}
