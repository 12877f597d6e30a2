#pragma once
/// \file
/// Householder's reflections H = I - tau v v^H, with 1 as the first element of v, and what is made
/// of them: Q R, and matrices of three diagonals. What is stored where is as LAPACK has it.

#include <algorithm>

#include "libraries/cusolver/dense/factors.hpp"

namespace emulator::cusolver {

/// Finds H with H^H x = beta e1, where beta is real. beta takes the place of x[0], and v, but for
/// its 1, that of the others. \return tau
template <class T>
T reflector(std::int64_t n, T* x) {
  const Real<T> rest = norm(n - 1, x + 1);
  if (rest == 0 && std::imag(x[0]) == 0) return 0;
  const Real<T> whole = std::hypot(std::abs(x[0]), rest);
  const Real<T> beta = std::real(x[0]) > 0 ? -whole : whole;
  const T alpha = x[0];
  for (std::int64_t i = 1; i < n; ++i) x[i] /= alpha - beta;
  x[0] = beta;
  return (T(beta) - alpha) / beta;
}

/// C = H C; n is the length of v, and `rest` begins with its second element.
template <class T>
void reflect_columns(std::int64_t n, const T* rest, T tau, const Matrix<T>& c) {
  for (std::int64_t j = 0; j < c.columns && tau != T(0); ++j) {
    T* const x = c.column(j);
    const T factor = tau * (x[0] + dot(n - 1, rest, x + 1));
    x[0] -= factor;
    add(n - 1, -factor, rest, x + 1);
  }
}
/// C = C H.
template <class T>
void reflect_rows(std::int64_t n, const T* rest, T tau, const Matrix<T>& c) {
  if (tau == T(0)) return;
  std::vector<T> products(c.column(0), c.column(0) + c.rows);
  for (std::int64_t k = 1; k < n; ++k) add(c.rows, rest[k - 1], c.column(k), products.data());
  for (std::int64_t k = 0; k < n; ++k) {
    const T factor = k == 0 ? T(1) : conjugate(rest[k - 1]);
    add(c.rows, -tau * factor, products.data(), c.column(k));
  }
}

/// A = Q R.
template <class T>
void factorise_qr(const Matrix<T>& a, T* tau) {
  for (std::int64_t k = 0; k < std::min(a.rows, a.columns); ++k) {
    tau[k] = reflector(a.rows - k, &a(k, k));
    if (k + 1 == a.columns) break;
    reflect_columns(a.rows - k, &a(k, k) + 1, conjugate(tau[k]), a.from(k, k + 1));
  }
}
/// C = op(Q) C, with the Q of k reflections, whose vectors stand below the diagonal of A.
template <class T, class U>
void multiply_left(const Matrix<T>& a, const U* tau, std::int64_t k, bool turned,
                   const Matrix<U>& c) {
  for (std::int64_t step = 0; step < k; ++step) {
    const std::int64_t i = turned ? step : k - 1 - step;
    reflect_columns<U>(c.rows - i, &a(i, i) + 1, conjugate(tau[i], turned), c.from(i, 0));
  }
}
/// C = C op(Q).
template <class T, class U>
void multiply_right(const Matrix<T>& a, const U* tau, std::int64_t k, bool turned,
                    const Matrix<U>& c) {
  for (std::int64_t step = 0; step < k; ++step) {
    const std::int64_t i = turned ? k - 1 - step : step;
    reflect_rows<U>(c.columns - i, &a(i, i) + 1, conjugate(tau[i], turned), c.from(0, i));
  }
}
/// The first columns of Q, in the place of the vectors.
template <class T>
void make_q(const Matrix<T>& a, const T* tau, std::int64_t k) {
  const Owned<T> q(a.rows, a.columns);
  make_identity(q);
  multiply_left<T, T>(a, tau, k, false, q);
  copy(q, a);
}

/// A Hermitian matrix, of which both triangles are given, as Q T Q^H. The vectors of Q's
/// reflections stand below the diagonal beside the main one: these are A's triangle if that is the
/// lower one.
template <class T>
void make_tridiagonal(const Matrix<T>& a, Real<T>* d, Real<T>* e, T* tau) {
  const std::int64_t n = a.columns;
  std::vector<T> w(static_cast<std::size_t>(n));
  for (std::int64_t k = 0; k + 1 < n; ++k) {
    const std::int64_t rest = n - k - 1;
    T* const v = &a(k + 1, k);
    tau[k] = reflector(rest, v);
    e[k] = std::real(v[0]);
    v[0] = 1;
    const Matrix<T> b = a.from(k + 1, k + 1);
    std::fill(w.begin(), w.end(), T(0));
    for (std::int64_t j = 0; j < rest; ++j) add(rest, tau[k] * v[j], b.column(j), w.data());
    const T half = tau[k] / Real<T>(2) * dot(rest, w.data(), v);
    add(rest, -half, v, w.data());
    for (std::int64_t j = 0; j < rest; ++j) {
      add(rest, -conjugate(w[static_cast<std::size_t>(j)]), v, b.column(j));
      add(rest, -conjugate(v[j]), w.data(), b.column(j));
    }
    v[0] = e[k];
  }
  for (std::int64_t k = 0; k < n; ++k) d[k] = std::real(a(k, k));
}

}  // namespace emulator::cusolver
