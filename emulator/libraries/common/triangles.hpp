#pragma once
/// \file
/// Products, solutions and sums with a symmetric or triangular matrix, however its triangle is
/// stored: plain loops over its columns.

#include <cstdint>
#include <vector>

#include "libraries/common/numbers.hpp"
#include "libraries/common/regions.hpp"

namespace emulator::libraries {

/// y += alpha A x, where A is symmetric, or Hermitian.
template <class T>
void add_symmetric_product(T alpha, const Triangle<const T>& a, const Line<const T>& x,
                           const Line<T>& y, bool hermitian) {
  for (std::int64_t j = 0; j < a.n; ++j) {
    const T* element = a.column(j);
    const T factor = alpha * x[j];
    T sum = 0;
    for (std::int64_t i = a.begin(j); i < a.end(j); ++i, ++element) {
      if (i == j) {
        y[j] += factor * (hermitian ? real_part(*element) : *element);
      } else {
        sum += conjugate(*element, hermitian) * x[i];
        y[i] += factor * *element;
      }
    }
    y[j] += alpha * sum;
  }
}

/// How a triangular matrix is meant.
struct TriangleUse {
  bool transposed;
  bool conjugated;
  bool unit;  ///< its diagonal counts as ones
};

/// x = op(A) x, where A is triangular.
template <class T>
void multiply_by_triangle(const Triangle<const T>& a, TriangleUse use, const Line<T>& x) {
  std::vector<T> old(static_cast<std::size_t>(a.n));
  for (std::int64_t i = 0; i < a.n; ++i) {
    old[static_cast<std::size_t>(i)] = x[i];
    x[i] = use.unit ? x[i] : T(0);
  }
  for (std::int64_t j = 0; j < a.n; ++j) {
    const T* element = a.column(j);
    for (std::int64_t i = a.begin(j); i < a.end(j); ++i, ++element) {
      if (use.unit && i == j) continue;
      x[use.transposed ? j : i] += conjugate(*element, use.conjugated) *
                                   old[static_cast<std::size_t>(use.transposed ? i : j)];
    }
  }
}

/// Solves op(A) y = x, and puts y into x.
template <class T>
void solve_triangle(const Triangle<const T>& a, TriangleUse use, const Line<T>& x) {
  // The unknown that stands alone in its equation comes first: the last one of an upper triangle.
  const bool upwards = a.upper == use.transposed;
  for (std::int64_t step = 0; step < a.n; ++step) {
    const std::int64_t j = upwards ? step : a.n - 1 - step;
    const T* const column = a.column(j);
    const auto at = [&](std::int64_t i) {
      return conjugate(column[i - a.begin(j)], use.conjugated);
    };
    const std::int64_t begin = a.upper ? a.begin(j) : j + 1;
    const std::int64_t end = a.upper ? j : a.end(j);
    if (use.transposed) {
      for (std::int64_t i = begin; i < end; ++i) x[j] -= at(i) * x[i];
    }
    if (!use.unit) x[j] /= at(j);
    if (!use.transposed) {
      for (std::int64_t i = begin; i < end; ++i) x[i] -= at(i) * x[j];
    }
  }
}

/// A += alpha x y^T + alpha y x^T, or if A is Hermitian A += alpha x y^H + conj(alpha) y x^H.
template <class T>
void add_outer_products(T alpha, const Line<const T>& x, const Line<const T>& y,
                        const Triangle<T>& a, bool hermitian) {
  for (std::int64_t j = 0; j < a.n; ++j) {
    T* element = a.column(j);
    const T x_factor = conjugate(alpha * x[j], hermitian);
    const T y_factor = alpha * conjugate(y[j], hermitian);
    for (std::int64_t i = a.begin(j); i < a.end(j); ++i, ++element) {
      *element += x[i] * y_factor + y[i] * x_factor;
      if (hermitian && i == j) *element = real_part(*element);
    }
  }
}

/// A += alpha x x^T, or if A is Hermitian A += alpha x x^H.
template <class T>
void add_outer_product(T alpha, const Line<const T>& x, const Triangle<T>& a, bool hermitian) {
  for (std::int64_t j = 0; j < a.n; ++j) {
    T* element = a.column(j);
    const T factor = alpha * conjugate(x[j], hermitian);
    for (std::int64_t i = a.begin(j); i < a.end(j); ++i, ++element) {
      *element += x[i] * factor;
      if (hermitian && i == j) *element = real_part(*element);
    }
  }
}

}  // namespace emulator::libraries
