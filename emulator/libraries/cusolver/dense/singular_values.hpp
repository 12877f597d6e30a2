#pragma once
/// \file
/// Singular values by LAPACK, with two diagonals or by Jacobi's rotations.

#include <limits>

#include "libraries/cusolver/dense/factors.hpp"
#include "libraries/cusolver/handles.hpp"

namespace emulator::cusolver {

/// A = U S V^H. U and V have as many columns as are wanted, but not fewer than there are values.
template <class T>
struct SingularValues {
  std::vector<Real<T>> values;  // which descend
  Owned<T> u;
  Owned<T> v;
  int info = 0;

  SingularValues(const Matrix<T>& a, std::int64_t columns_of_u, std::int64_t columns_of_v)
      : values(static_cast<std::size_t>(std::min(a.rows, a.columns))),
        u(a.rows, std::max(columns_of_u, count())),
        v(a.columns, std::max(columns_of_v, count())) {}
  std::int64_t count() const { return static_cast<std::int64_t>(values.size()); }
  /// The norm of what is left of A.
  Real<T> residual(const Matrix<T>& a) const {
    const Owned<T> left(a);
    for (std::int64_t j = 0; j < a.columns; ++j) {
      for (std::int64_t k = 0; k < count(); ++k) {
        add(a.rows, -conjugate(v(j, k)) * values[static_cast<std::size_t>(k)], u.column(k),
            left.column(j));
      }
    }
    return norm<T>(left);
  }
};

template <class T>
void copy_adjoint(const Matrix<T>& from, const Matrix<T>& to) {
  for (std::int64_t j = 0; j < to.columns; ++j) {
    for (std::int64_t i = 0; i < to.rows; ++i) to(i, j) = conjugate(from(j, i));
  }
}

template <class T>
void find_singular_values(const Matrix<T>& a, SingularValues<T>& found) {
  const Owned<T> spoilt(a);
  const Owned<T> vt(found.v.columns, found.v.rows);
  const auto job = [](const Matrix<T>& vectors) {
    return vectors.columns == vectors.rows ? 'A' : 'S';
  };
  if constexpr (is_complex<T>) {
    std::vector<Real<T>> real_work(5 * found.values.size() + 1);
    found.info = lapack::with_work<T>([&](T* work, std::int64_t length) {
      return lapack::run(lapack::gesvd<T>, job(found.u), job(found.v), a.rows, a.columns,
                         spoilt.data, spoilt.ld, found.values.data(), found.u.data, found.u.ld,
                         vt.data, vt.ld, work, length, real_work.data());
    });
  } else {
    found.info = lapack::run_with_work<T>(lapack::gesvd<T>, job(found.u), job(found.v), a.rows,
                                          a.columns, spoilt.data, spoilt.ld, found.values.data(),
                                          found.u.data, found.u.ld, vt.data, vt.ld);
  }
  copy_adjoint<T>(vt, found.v);
  if (found.info < 0) {  // LAPACK 3.11 and later ones refuse what is not a number
    std::fill(found.values.begin(), found.values.end(), std::numeric_limits<Real<T>>::quiet_NaN());
    found.info = static_cast<int>(found.count());
  }
}

/// Fills the columns from `count` on so that all are orthogonal.
template <class T>
void complete_columns(const Matrix<T>& a, std::int64_t count) {
  if (count == a.columns) return;
  const Owned<T> q(a);
  std::vector<T> tau(static_cast<std::size_t>(count));
  factorise_qr<T>(q.first(count), tau.data());
  make_q<T>(q, tau.data(), count);
  copy(q.from(0, count), a.from(0, count));
}

/// The same by rotations of columns, of A's or, if these are more than its rows, of A^H's.
template <class T>
void rotate_singular_values(const Matrix<T>& a, SingularValues<T>& found, Rotations& how) {
  using R = Real<T>;
  const bool lies = a.rows < a.columns;
  const Matrix<T>& u = lies ? found.v : found.u;
  const Matrix<T>& v = lies ? found.u : found.v;
  if (lies) {
    copy_adjoint(a, u.first(a.rows));
  } else {
    copy(a, u.first(a.columns));
  }
  const std::int64_t n = found.count();
  std::vector<R> told(static_cast<std::size_t>(std::max<std::int64_t>(u.rows + n, 6)));
  const auto length = static_cast<std::int64_t>(told.size());
  // In LAPACK's unit, the half of C++'s. Without a tolerance LAPACK has its own.
  told[0] = std::max<R>(static_cast<R>(how.tolerance) / std::numeric_limits<R>::epsilon() * 2, 1);
  const char of_u = how.tolerance > 0 ? 'C' : 'U';
  if constexpr (is_complex<T>) {
    std::vector<T> work(told.size());
    found.info =
        lapack::run(lapack::gesvj<T>, 'G', of_u, 'V', u.rows, n, u.data, u.ld, found.values.data(),
                    0, v.data, v.ld, work.data(), length, told.data(), length);
  } else {
    found.info = lapack::run(lapack::gesvj<T>, 'G', of_u, 'V', u.rows, n, u.data, u.ld,
                             found.values.data(), 0, v.data, v.ld, told.data(), length);
  }
  for (R& value : found.values) value *= told[0];
  complete_columns(u, static_cast<std::int64_t>(told[1]));
  how.sweeps = static_cast<int>(told[3]);
  // LAPACK goes on to the end.
  how.converged = found.info == 0 && how.sweeps <= how.most_sweeps;
  how.residual = static_cast<double>(found.residual(a));
}

}  // namespace emulator::cusolver
