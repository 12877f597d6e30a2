#pragma once
/// \file
/// Eigenvalues of Hermitian matrices, by three diagonals and the implicit Q R method, and by
/// Jacobi's rotations (Golub and Van Loan, Matrix Computations, sections 8.3 and 8.5).

#include <limits>
#include <numeric>

#include "libraries/cusolver/dense/reflections.hpp"

namespace emulator::cusolver {

/// Brings values, and the columns that belong to them, into their order.
template <class R, class T>
void sort_values(std::vector<R>& values, bool descend, const std::vector<Matrix<T>>& vectors) {
  const std::size_t n = values.size();
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return descend ? values[a] > values[b] : values[a] < values[b];
  });
  const std::vector<R> old = values;
  for (std::size_t i = 0; i < n; ++i) values[i] = old[order[i]];
  for (const Matrix<T>& matrix : vectors) {
    const Owned<T> before(matrix);
    for (std::size_t i = 0; i < n; ++i) {
      std::copy_n(before.column(static_cast<std::int64_t>(order[i])), matrix.rows,
                  matrix.column(static_cast<std::int64_t>(i)));
    }
  }
}

/// One step with Wilkinson's shift, for the diagonals from `first` to `last`.
template <class R, class T>
void step_qr(R* d, R* e, std::int64_t first, std::int64_t last, const Matrix<T>& q) {
  const R half = (d[last - 1] - d[last]) / 2;
  const R side = e[last - 1];
  const R root = std::hypot(half, side);
  const R shift = d[last] - side * (side / (half + (half < 0 ? -root : root)));
  R x = d[first] - shift;
  R z = e[first];
  for (std::int64_t k = first; k < last; ++k) {
    const R length = std::hypot(x, z);
    const R c = length == 0 ? 1 : x / length;
    const R s = length == 0 ? 0 : z / length;
    if (k > first) e[k - 1] = length;
    const R upper = d[k];
    const R lower = d[k + 1];
    const R beside = e[k];
    d[k] = c * c * upper + 2 * c * s * beside + s * s * lower;
    d[k + 1] = s * s * upper - 2 * c * s * beside + c * c * lower;
    e[k] = (c * c - s * s) * beside + c * s * (lower - upper);
    if (k + 1 < last) {
      x = e[k];
      z = s * e[k + 1];
      e[k + 1] *= c;
    }
    if (q.columns > 0) rotate(q.rows, q.column(k), q.column(k + 1), c, T(-s));
  }
}

/// The eigenvalues of a matrix of three diagonals, in d; the columns of q turn with it, if there
/// are any. \return how many were not found
template <class R, class T>
int diagonalise(std::vector<R>& d, std::vector<R>& e, const Matrix<T>& q) {
  const auto n = static_cast<std::int64_t>(d.size());
  std::int64_t last = n - 1;
  for (std::int64_t steps = 0; last > 0 && steps < 30 * n; ++steps) {
    const auto is_small = [&](std::int64_t k) {
      const R scale =
          std::abs(d[static_cast<std::size_t>(k)]) + std::abs(d[static_cast<std::size_t>(k) + 1]);
      return std::abs(e[static_cast<std::size_t>(k)]) <=
             std::numeric_limits<R>::epsilon() * scale + std::numeric_limits<R>::min();
    };
    while (last > 0 && is_small(last - 1)) e[static_cast<std::size_t>(--last)] = 0;
    if (last == 0) break;
    std::int64_t first = last - 1;
    while (first > 0 && !is_small(first - 1)) --first;
    step_qr(d.data(), e.data(), first, last, q);
  }
  return static_cast<int>(last > 0 ? last : 0);
}

/// The eigenvalues of a Hermitian matrix, of which both triangles are given; they ascend. The
/// eigenvectors take its place.
template <class T>
int find_eigenvalues(const Matrix<T>& a, std::vector<Real<T>>& values, bool with_vectors) {
  const std::int64_t n = a.columns;
  const auto size = static_cast<std::size_t>(n);
  values.assign(size, 0);
  if (n == 0) return 0;
  std::vector<Real<T>> e(size);
  std::vector<T> tau(size);
  make_tridiagonal(a, values.data(), e.data(), tau.data());
  const Owned<T> q(n, with_vectors ? n : 0);
  if (with_vectors) {
    make_identity(q);
    if (n > 1) multiply_left<T, T>(a.from(1, 0), tau.data(), n - 1, false, q.from(1, 0));
  }
  const int missing = diagonalise<Real<T>, T>(values, e, q);
  if (with_vectors) {
    sort_values<Real<T>, T>(values, false, {q});
    copy(q, a);
  } else {
    std::sort(values.begin(), values.end());
  }
  return missing;
}

/// How long Jacobi's rotations go on, and what came of them.
struct Rotations {
  double tolerance = 0;  ///< 0: that of the numbers' type
  int most_sweeps = 100;
  bool sorts = true;
  int sweeps = 0;
  double residual = 0;
  bool converged = true;
};

/// The rotation that makes the element between two others 0: its cosine and sine.
template <class T>
std::pair<Real<T>, T> rotation(Real<T> first, Real<T> last, T between) {
  const Real<T> size = std::abs(between);
  const Real<T> ratio = (last - first) / (2 * size);
  const Real<T> tangent =
      (ratio < 0 ? Real<T>(-1) : Real<T>(1)) / (std::abs(ratio) + std::hypot(Real<T>(1), ratio));
  const Real<T> c = 1 / std::hypot(Real<T>(1), tangent);
  return {c, tangent * c * (between / size)};
}

/// The same by cyclic Jacobi rotations.
template <class T>
void rotate_eigenvalues(const Matrix<T>& a, std::vector<Real<T>>& values, bool with_vectors,
                        Rotations& how) {
  const std::int64_t n = a.columns;
  const Owned<T> v(n, with_vectors ? n : 0);
  if (with_vectors) make_identity(v);
  const Real<T> whole = norm(a);
  const Real<T> tolerance = how.tolerance > 0 ? static_cast<Real<T>>(how.tolerance)
                                              : std::numeric_limits<Real<T>>::epsilon();
  const auto outside = [&] {
    Real<T> sum = 0;
    for (std::int64_t j = 0; j < n; ++j) {
      sum = std::hypot(sum, std::hypot(norm(j, a.column(j)), norm(n - j - 1, &a(j, j) + 1)));
    }
    return sum;
  };
  Real<T> left = outside();
  for (how.sweeps = 0; left > tolerance * whole && how.sweeps < how.most_sweeps; ++how.sweeps) {
    for (std::int64_t p = 0; p < n; ++p) {
      for (std::int64_t q = p + 1; q < n; ++q) {
        if (a(p, q) == T(0)) continue;
        const auto [c, s] = rotation<T>(std::real(a(p, p)), std::real(a(q, q)), a(p, q));
        rotate(n, a.column(p), a.column(q), c, s);
        for (std::int64_t j = 0; j < n; ++j) {
          const T old = a(p, j);
          a(p, j) = c * old - s * a(q, j);
          a(q, j) = conjugate(s) * old + c * a(q, j);
        }
        a(p, q) = a(q, p) = 0;
        if (with_vectors) rotate(n, v.column(p), v.column(q), c, s);
      }
    }
    left = outside();
  }
  how.residual = left;
  how.converged = left <= tolerance * whole;
  values.clear();
  for (std::int64_t i = 0; i < n; ++i) values.push_back(std::real(a(i, i)));
  if (with_vectors) {
    if (how.sorts) sort_values<Real<T>, T>(values, false, {v});
    copy(v, a);
  } else if (how.sorts) {
    std::sort(values.begin(), values.end());
  }
}

}  // namespace emulator::cusolver
