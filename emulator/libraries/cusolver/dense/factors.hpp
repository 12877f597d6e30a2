#pragma once
/// \file
/// Cholesky's and Gauss's factors of dense matrices, and solutions by them: textbook loops over
/// columns (Golub and Van Loan, Matrix Computations, chapters 3 and 4).

#include <utility>

#include "libraries/common/triangles.hpp"
#include "libraries/cusolver/dense/matrix.hpp"

namespace emulator::cusolver {

enum class Operation { no, transposed, conjugated };

/// Solves op(A) X = B into B, where A is triangular.
template <class T, class U>
void solve_triangle(const Matrix<T>& a, bool upper, Operation turned, bool unit,
                    const Matrix<U>& b) {
  if (a.columns == 0) return;
  const libraries::Triangle<const U> triangle{a.data,        a.columns, upper,
                                              Storage::full, a.ld,      a.columns - 1};
  for (std::int64_t j = 0; j < b.columns; ++j) {
    libraries::solve_triangle(triangle,
                              {turned != Operation::no, turned == Operation::conjugated, unit},
                              Line<U>{b.column(j), a.columns});
  }
}

/// A = U^H U or L L^H. \return 0, or the order of the first leading minor that is not positive
template <class T>
int cholesky(bool upper, const Matrix<T>& a) {
  const std::int64_t n = a.columns;
  for (std::int64_t j = 0; j < n; ++j) {
    if (upper) {
      for (std::int64_t i = 0; i < j; ++i) {
        a(i, j) = (a(i, j) - dot(i, a.column(i), a.column(j))) / a(i, i);
      }
      a(j, j) = real_part(a(j, j) - dot(j, a.column(j), a.column(j)));
    } else {
      for (std::int64_t k = 0; k < j; ++k) add(n - j, -conjugate(a(j, k)), &a(j, k), &a(j, j));
      a(j, j) = real_part(a(j, j));
    }
    const Real<T> pivot = std::real(a(j, j));
    if (!(pivot > 0)) return static_cast<int>(j + 1);
    const Real<T> root = std::sqrt(pivot);
    a(j, j) = root;
    if (upper) continue;
    for (std::int64_t i = j + 1; i < n; ++i) a(i, j) /= root;
  }
  return 0;
}
template <class T, class U>
void solve_cholesky(bool upper, const Matrix<T>& a, const Matrix<U>& b) {
  solve_triangle(a, upper, upper ? Operation::conjugated : Operation::no, false, b);
  solve_triangle(a, upper, upper ? Operation::no : Operation::conjugated, false, b);
}

/// The first element of the diagonal that is 0, counted from 1, or 0.
template <class T>
int zero_on_diagonal(const Matrix<T>& a) {
  for (std::int64_t i = 0; i < a.columns; ++i) {
    if (a(i, i) == T(0)) return static_cast<int>(i + 1);
  }
  return 0;
}
/// Writes one triangle, with or without the diagonal, over that of another matrix.
template <class T>
void copy_triangle(const Matrix<T>& from, bool upper, bool with_diagonal, const Matrix<T>& to) {
  const std::int64_t gap = with_diagonal ? 0 : 1;
  for (std::int64_t j = 0; j < from.columns; ++j) {
    for (std::int64_t i = upper ? 0 : j + gap; i < (upper ? j + 1 - gap : from.rows); ++i) {
      to(i, j) = from(i, j);
    }
  }
}
/// The inverse by Cholesky's factor, in the factor's triangle.
template <class T>
int invert_cholesky(bool upper, const Matrix<T>& a) {
  if (const int zero = zero_on_diagonal(a); zero != 0) return zero;
  const Owned<T> inverse(a.rows, a.columns);
  make_identity(inverse);
  solve_cholesky<T, T>(upper, a, inverse);
  copy_triangle<T>(inverse, upper, true, a);
  return 0;
}
template <class T>
int invert_triangle(bool upper, bool unit, const Matrix<T>& a) {
  if (const int zero = unit ? 0 : zero_on_diagonal(a); zero != 0) return zero;
  const Owned<T> inverse(a.rows, a.columns);
  make_identity(inverse);
  solve_triangle<T, T>(a, upper, Operation::no, unit, inverse);
  copy_triangle<T>(inverse, upper, !unit, a);
  return 0;
}
/// U U^H or L^H L, in the factor's triangle.
template <class T>
void square_triangle(bool upper, const Matrix<T>& a) {
  const Owned<T> product(a.rows, a.columns);
  for (std::int64_t j = 0; j < a.columns; ++j) {
    for (std::int64_t i = upper ? 0 : j; i < (upper ? j + 1 : a.rows); ++i) {
      T sum = 0;
      for (std::int64_t k = upper ? j : i; k < a.columns; ++k) {
        sum += upper ? a(i, k) * conjugate(a(j, k)) : conjugate(a(k, i)) * a(k, j);
      }
      product(i, j) = sum;
    }
  }
  copy_triangle<T>(product, upper, true, a);
}

template <class T>
Real<T> pivot_size(T x) {
  return std::abs(std::real(x)) + std::abs(std::imag(x));  // as LAPACK measures it
}
/// P A = L U, with pivots from 1; or A = L U if `pivots` is null.
/// \return 0, or the first element of U's diagonal that is 0, from 1
template <class T, class Pivot>
int factorise(const Matrix<T>& a, Pivot* pivots) {
  int first_zero = 0;
  for (std::int64_t j = 0; j < std::min(a.rows, a.columns); ++j) {
    if (pivots != nullptr) {
      std::int64_t largest = j;
      for (std::int64_t i = j + 1; i < a.rows; ++i) {
        if (pivot_size(a(i, j)) > pivot_size(a(largest, j))) largest = i;
      }
      pivots[j] = static_cast<Pivot>(largest + 1);
      for (std::int64_t l = 0; largest != j && l < a.columns; ++l) {
        std::swap(a(j, l), a(largest, l));
      }
    }
    if (a(j, j) == T(0)) {
      if (first_zero == 0) first_zero = static_cast<int>(j + 1);
      if (pivots != nullptr) continue;  // without pivots what follows is infinite
    }
    for (std::int64_t i = j + 1; i < a.rows; ++i) a(i, j) /= a(j, j);
    for (std::int64_t l = j + 1; l < a.columns; ++l) {
      add(a.rows - j - 1, -a(j, l), &a(j, j) + 1, &a(j, l) + 1);
    }
  }
  return first_zero;
}
/// Solves op(A) X = B by its factors.
template <class T, class U, class Pivot>
void solve_factorised(const Matrix<T>& lu, const Pivot* pivots, Operation turned,
                      const Matrix<U>& b) {
  const auto exchange = [&](std::int64_t i) {
    for (std::int64_t j = 0; pivots != nullptr && j < b.columns; ++j) {
      std::swap(b(i, j), b(static_cast<std::int64_t>(pivots[i]) - 1, j));
    }
  };
  if (turned == Operation::no) {
    for (std::int64_t i = 0; i < lu.columns; ++i) exchange(i);
  }
  solve_triangle(lu, turned != Operation::no, turned, turned == Operation::no, b);
  solve_triangle(lu, turned == Operation::no, turned, turned != Operation::no, b);
  if (turned != Operation::no) {
    for (std::int64_t i = lu.columns - 1; i >= 0; --i) exchange(i);
  }
}

}  // namespace emulator::cusolver
