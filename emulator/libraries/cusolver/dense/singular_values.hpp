#pragma once
/// \file
/// Singular values by one-sided rotations of Jacobi's (Golub and Van Loan, Matrix
/// Computations, section 8.6.3), after a factorisation into Q and R.

#include "libraries/cusolver/dense/eigenvalues.hpp"

namespace emulator::cusolver {

/// A = U S V^H. U has as many columns as A has rows, V as A has columns.
template <class T>
struct SingularValues {
  std::vector<Real<T>> values;  // which descend, if they are sorted
  Owned<T> u;
  Owned<T> v;

  SingularValues(std::int64_t m, std::int64_t n) : u(m, m), v(n, n) {}
};

/// Makes columns orthogonal by rotations from the right, which v gets, too. Columns whose norm is
/// `negligible` are left: rounding has made them.
template <class T>
void make_orthogonal(const Matrix<T>& x, const Matrix<T>& v, Real<T> negligible, Rotations& how) {
  const Real<T> epsilon = std::numeric_limits<Real<T>>::epsilon();
  const Real<T> tolerance =
      std::max(how.tolerance > 0 ? static_cast<Real<T>>(how.tolerance) : epsilon, epsilon);
  std::vector<Real<T>> norms;
  for (std::int64_t j = 0; j < x.columns; ++j) norms.push_back(norm(x.rows, x.column(j)));
  bool turned = true;
  for (how.sweeps = 0; turned && how.sweeps < how.most_sweeps; ++how.sweeps) {
    turned = false;
    for (std::int64_t p = 0; p < x.columns; ++p) {
      for (std::int64_t q = p + 1; q < x.columns; ++q) {
        const Real<T> first = norms[static_cast<std::size_t>(p)];
        const Real<T> last = norms[static_cast<std::size_t>(q)];
        if (first <= negligible || last <= negligible) continue;
        // Measured against the larger one, lest squares become too small.
        const Real<T> scale = std::max(first, last);
        T between = 0;
        for (std::int64_t i = 0; i < x.rows; ++i) {
          between += conjugate(x(i, p) / scale) * (x(i, q) / scale);
        }
        if (!(std::abs(between) > tolerance * (first / scale) * (last / scale))) continue;
        turned = true;
        const auto [c, s] = rotation<T>(square(first / scale), square(last / scale), between);
        rotate(x.rows, x.column(p), x.column(q), c, s);
        rotate(v.rows, v.column(p), v.column(q), c, s);
        norms[static_cast<std::size_t>(p)] = norm(x.rows, x.column(p));
        norms[static_cast<std::size_t>(q)] = norm(x.rows, x.column(q));
      }
    }
  }
  how.converged = !turned;
}

/// Fills the columns from `count` on so that all are orthogonal.
template <class T>
void complete_columns(const Matrix<T>& a, std::int64_t count) {
  if (count == a.columns) return;
  const Owned<T> q(a.rows, a.columns);
  copy(a.first(count), Matrix<T>(q));
  std::vector<T> tau(static_cast<std::size_t>(a.columns));
  factorise_qr<T>(q.first(count), tau.data());
  make_q<T>(q, tau.data(), count);
  copy(q.from(0, count), a.from(0, count));
}

/// For at least as many rows as columns. A is spoilt.
template <class T>
void find_tall(const Matrix<T>& a, std::vector<Real<T>>& values, const Matrix<T>& u,
               const Matrix<T>& v, Rotations& how) {
  const std::int64_t n = a.columns;
  values.clear();
  make_identity(u);
  if (n == 0) return;
  std::vector<T> tau(static_cast<std::size_t>(n));
  factorise_qr(a, tau.data());
  // R^H = V S Y^H, so that R = Y S V^H: the columns of R^H are soon orthogonal.
  make_identity(v);
  const Owned<T> x(n, n);
  for (std::int64_t j = 0; j < n; ++j) {
    for (std::int64_t i = j; i < n; ++i) x(i, j) = conjugate(a(j, i));
  }
  const Owned<T> y(n, n);
  make_identity(y);
  const Real<T> epsilon = std::numeric_limits<Real<T>>::epsilon();
  const Real<T> negligible = epsilon * epsilon * norm<T>(x);
  make_orthogonal<T>(x, y, negligible, how);
  for (std::int64_t j = 0; j < n; ++j) values.push_back(norm(n, x.column(j)));
  sort_values<Real<T>, T>(values, true, {x, y});
  std::int64_t count = 0;
  for (; count < n && values[static_cast<std::size_t>(count)] > negligible; ++count) {
    for (std::int64_t i = 0; i < n; ++i) {
      x(i, count) /= values[static_cast<std::size_t>(count)];
    }
  }
  complete_columns<T>(x, count);
  copy(x, v);
  copy(y, u);
  multiply_left<T, T>(a, tau.data(), n, false, u);
}

template <class T>
SingularValues<T> find_singular_values(const Matrix<T>& a, Rotations& how) {
  SingularValues<T> result(a.rows, a.columns);
  const bool lies = a.rows < a.columns;
  const Owned<T> copied(lies ? a.columns : a.rows, lies ? a.rows : a.columns);
  for (std::int64_t j = 0; j < a.columns; ++j) {
    for (std::int64_t i = 0; i < a.rows; ++i) {
      (lies ? copied(j, i) : copied(i, j)) = conjugate(a(i, j), lies);
    }
  }
  find_tall<T>(copied, result.values, lies ? result.v : result.u, lies ? result.u : result.v, how);
  // What is left of A.
  how.residual = 0;
  for (std::int64_t j = 0; j < a.columns; ++j) {
    std::vector<T> left(a.column(j), a.column(j) + a.rows);
    for (std::size_t k = 0; k < result.values.size(); ++k) {
      const auto column = static_cast<std::int64_t>(k);
      add(a.rows, -conjugate(result.v(j, column)) * result.values[k], result.u.column(column),
          left.data());
    }
    how.residual = std::hypot(how.residual, static_cast<double>(norm(a.rows, left.data())));
  }
  return result;
}

}  // namespace emulator::cusolver
