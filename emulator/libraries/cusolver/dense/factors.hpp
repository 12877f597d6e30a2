#pragma once
/// \file
/// Factors of dense matrices, and solutions by them, as several of the library's functions need
/// them.

#include "libraries/cusolver/dense/lapack.hpp"

namespace emulator::cusolver {

inline char triangle_letter(bool upper) {
  return upper ? 'U' : 'L';
}
/// An operation, where a transposed complex matrix is also conjugated.
template <class T>
char adjoint_letter(bool turned) {
  return !turned ? 'N' : is_complex<T> ? 'C' : 'T';
}

/// Solves op(A) X = B into B, where A is triangular.
/// \return 0, or the first element of A's diagonal that is 0, from 1: then nothing is solved
template <class T>
int solve_triangle(bool upper, char operation, bool unit, const Matrix<T>& a, const Matrix<T>& b) {
  return lapack::run(lapack::trtrs<T>, triangle_letter(upper), operation, unit ? 'U' : 'N',
                     a.columns, b.columns, a.data, a.ld, b.data, b.ld);
}

/// A = U^H U or L L^H. \return 0, or the order of the first leading minor that is not positive
template <class T>
int cholesky(bool upper, const Matrix<T>& a) {
  const int info = lapack::run(lapack::potrf<T>, triangle_letter(upper), a.columns, a.data, a.ld);
  // OpenBLAS goes on with what is not a number, which is not positive either.
  for (std::int64_t i = 0; info == 0 && i < a.columns; ++i) {
    if (std::isnan(std::real(a(i, i)))) return static_cast<int>(i + 1);
  }
  return info;
}

/// P A = L U, with pivots from 1. \return 0, or the first element of U's diagonal that is 0, from 1
template <class T>
int factorise(const Matrix<T>& a, int* pivots) {
  return lapack::run(lapack::getrf<T>, a.rows, a.columns, a.data, a.ld, pivots);
}
/// Solves op(A) X = B by its factors.
template <class T>
void solve_factorised(const Matrix<T>& lu, const int* pivots, char operation, const Matrix<T>& b) {
  lapack::run(lapack::getrs<T>, operation, lu.columns, b.columns, lu.data, lu.ld, pivots, b.data,
              b.ld);
}

/// A = Q R.
template <class T>
void factorise_qr(const Matrix<T>& a, T* tau) {
  lapack::run_with_work<T>(lapack::geqrf<T>, a.rows, a.columns, a.data, a.ld, tau);
}
/// The first columns of the Q of k reflections, in the place of their vectors.
template <class T>
void make_q(const Matrix<T>& a, const T* tau, std::int64_t k) {
  lapack::run_with_work<T>(lapack::orgqr<T>, a.rows, a.columns, k, a.data, a.ld, tau);
}
/// C = op(Q) C or C op(Q), with as many reflections as A has columns.
template <class T>
void multiply_by_q(bool left, bool turned, const Matrix<T>& a, const T* tau, const Matrix<T>& c) {
  lapack::run_with_work<T>(lapack::ormqr<T>, left ? 'L' : 'R', adjoint_letter<T>(turned), c.rows,
                           c.columns, a.columns, a.data, a.ld, tau, c.data, c.ld);
}

}  // namespace emulator::cusolver
