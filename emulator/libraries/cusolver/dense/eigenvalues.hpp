#pragma once
/// \file
/// Eigenvalues of Hermitian matrices, by LAPACK and by Jacobi's rotations.

#include <limits>
#include <numeric>

#include "libraries/cusolver/dense/factors.hpp"
#include "libraries/cusolver/handles.hpp"

namespace emulator::cusolver {

/// The eigenvalues of a Hermitian matrix, of which a triangle is given; they ascend. The
/// eigenvectors take its place. \return 0, or how many were not found
template <class T>
int find_eigenvalues(bool upper, const Matrix<T>& a, std::vector<Real<T>>& values,
                     bool with_vectors) {
  const std::int64_t n = a.columns;
  values.assign(static_cast<std::size_t>(n), 0);
  const char job = with_vectors ? 'V' : 'N';
  std::vector<int> integers(static_cast<std::size_t>(3 + 5 * n));
  const auto of_integers = static_cast<std::int64_t>(integers.size());
  std::vector<Real<T>> real_work(static_cast<std::size_t>(1 + 6 * n + 2 * n * n));
  const auto of_real = static_cast<std::int64_t>(real_work.size());
  if constexpr (is_complex<T>) {
    return lapack::with_work<T>([&](T* work, std::int64_t length) {
      return lapack::run(lapack::syevd<T>, job, triangle_letter(upper), n, a.data, a.ld,
                         values.data(), work, length, real_work.data(), of_real, integers.data(),
                         of_integers);
    });
  } else {
    return lapack::run(lapack::syevd<T>, job, triangle_letter(upper), n, a.data, a.ld,
                       values.data(), real_work.data(), of_real, integers.data(), of_integers);
  }
}

/// Two columns, turned: x = c x - conj(s) y and y = s x + c y.
template <class T>
void rotate(std::int64_t n, T* x, T* y, Real<T> c, T s) {
  for (std::int64_t i = 0; i < n; ++i) {
    const T old = x[i];
    x[i] = c * old - conjugate(s) * y[i];
    y[i] = s * old + c * y[i];
  }
}
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

/// The same by cyclic Jacobi rotations (Golub and Van Loan, Matrix Computations, section 8.5), of a
/// matrix of which both triangles are given. LAPACK has none for eigenvalues, and no limit of
/// sweeps.
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
  std::vector<std::int64_t> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), std::int64_t{0});
  const auto value = [&](std::int64_t i) { return std::real(a(i, i)); };
  if (how.sorts) {
    std::stable_sort(order.begin(), order.end(),
                     [&](std::int64_t i, std::int64_t j) { return value(i) < value(j); });
  }
  values.clear();
  for (const std::int64_t i : order) values.push_back(value(i));
  for (std::int64_t j = 0; j < v.columns; ++j) {
    std::copy_n(v.column(order[static_cast<std::size_t>(j)]), n, a.column(j));
  }
}

}  // namespace emulator::cusolver
