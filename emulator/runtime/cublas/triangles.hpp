#pragma once
/// \file
/// Products, solutions and sums with a symmetric or triangular matrix, however its triangle is
/// stored: plain loops over its columns.

#include <cstdint>
#include <vector>

#include "cublas/regions.hpp"

namespace emulator::detail {

/// y += alpha A x, where A is symmetric.
template <class T>
void add_symmetric_product(T alpha, const Triangle<const T>& a, const Line<const T>& x,
                           const Line<T>& y) {
  for (std::int64_t j = 0; j < a.n; ++j) {
    const T* element = a.column(j);
    const T factor = alpha * x[j];
    T sum = 0;
    for (std::int64_t i = a.begin(j); i < a.end(j); ++i, ++element) {
      if (i != j) sum += *element * x[i];
      y[i] += factor * *element;
    }
    y[j] += alpha * sum;
  }
}

/// x = op(A) x, where A is triangular, with ones on its diagonal or not.
template <class T>
void multiply_by_triangle(const Triangle<const T>& a, bool transposed, bool unit,
                          const Line<T>& x) {
  std::vector<T> old(static_cast<std::size_t>(a.n));
  for (std::int64_t i = 0; i < a.n; ++i) {
    old[static_cast<std::size_t>(i)] = x[i];
    x[i] = unit ? x[i] : 0;
  }
  for (std::int64_t j = 0; j < a.n; ++j) {
    const T* element = a.column(j);
    for (std::int64_t i = a.begin(j); i < a.end(j); ++i, ++element) {
      if (unit && i == j) continue;
      x[transposed ? j : i] += *element * old[static_cast<std::size_t>(transposed ? i : j)];
    }
  }
}

/// Solves op(A) y = x, and puts y into x.
template <class T>
void solve_triangle(const Triangle<const T>& a, bool transposed, bool unit, const Line<T>& x) {
  // The unknown that stands alone in its equation comes first: the last one of an upper triangle.
  const bool upwards = a.upper == transposed;
  for (std::int64_t step = 0; step < a.n; ++step) {
    const std::int64_t j = upwards ? step : a.n - 1 - step;
    const T* const column = a.column(j);
    const auto at = [&](std::int64_t i) { return column[i - a.begin(j)]; };
    const std::int64_t begin = a.upper ? a.begin(j) : j + 1;
    const std::int64_t end = a.upper ? j : a.end(j);
    if (transposed) {
      for (std::int64_t i = begin; i < end; ++i) x[j] -= at(i) * x[i];
    }
    if (!unit) x[j] /= at(j);
    if (!transposed) {
      for (std::int64_t i = begin; i < end; ++i) x[i] -= at(i) * x[j];
    }
  }
}

/// A += alpha (x y^T + y x^T).
template <class T>
void add_outer_products(T alpha, const Line<const T>& x, const Line<const T>& y,
                        const Triangle<T>& a) {
  for (std::int64_t j = 0; j < a.n; ++j) {
    T* element = a.column(j);
    const T x_factor = alpha * x[j];
    const T y_factor = alpha * y[j];
    for (std::int64_t i = a.begin(j); i < a.end(j); ++i, ++element) {
      *element += x[i] * y_factor + y[i] * x_factor;
    }
  }
}

/// A += alpha x x^T.
template <class T>
void add_outer_product(T alpha, const Line<const T>& x, const Triangle<T>& a) {
  for (std::int64_t j = 0; j < a.n; ++j) {
    T* element = a.column(j);
    const T factor = alpha * x[j];
    for (std::int64_t i = a.begin(j); i < a.end(j); ++i, ++element) *element += x[i] * factor;
  }
}

}  // namespace emulator::detail
