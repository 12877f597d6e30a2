#pragma once
/// \file
/// What the tests of cuBLAS's functions for complex numbers share. It works with NVIDIA's library
/// as well.

#include <complex>

#include "libraries/cublas/typed_test.hpp"

namespace cublas_test {

using Single = std::complex<float>;
using Double = std::complex<double>;

/// Of a function for complex floats and the same for doubles, the one for T.
template <class T, class ForSingle, class ForDouble>
constexpr auto pick(ForSingle single, ForDouble twice) {
  if constexpr (std::is_same_v<T, Single>) {
    return single;
  } else {
    return twice;
  }
}

template <class T>
using Cuda = std::conditional_t<std::is_same_v<T, Single>, cuComplex, cuDoubleComplex>;

/// The library's view of a complex number's address.
template <class T>
Cuda<T>* cu(T* x) {
  return reinterpret_cast<Cuda<T>*>(x);
}
template <class T>
const Cuda<T>* cu(const T* x) {
  return reinterpret_cast<const Cuda<T>*>(x);
}
template <class T>
Cuda<T>* cu(const Array<T>& x) {
  return cu(x.get());
}

/// Small whole numbers in both parts.
template <class T>
Dense<T> some(int m, int n, int seed) {
  using Part = typename T::value_type;
  const Dense<Part> real(m, n, seed);
  const Dense<Part> imaginary(m, n, seed + 13);
  Dense<T> result(m, n);
  for (std::size_t i = 0; i < result.values.size(); ++i) {
    result.values[i] = T(real.values[i], imaginary.values[i]);
  }
  return result;
}

template <class T, class Value>
Dense<T> filled(int m, int n, Value value) {
  Dense<T> result(m, n);
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < m; ++i) result(i, j) = value(i, j);
  }
  return result;
}

template <class T>
Dense<T> with_op(const Dense<T>& a, cublasOperation_t operation) {
  if (operation == op_n) return a;
  return filled<T>(a.columns, a.rows,
                   [&](int i, int j) { return operation == op_c ? std::conj(a(j, i)) : a(j, i); });
}

/// alpha A B + beta C.
template <class T>
Dense<T> sum_of(T alpha, const Dense<T>& a, const Dense<T>& b, T beta, const Dense<T>& c) {
  return filled<T>(c.rows, c.columns, [&](int i, int j) {
    T sum = 0;
    for (int l = 0; l < a.columns; ++l) sum += a(i, l) * b(l, j);
    return alpha * sum + beta * c(i, j);
  });
}

template <class T>
double distance(const std::vector<T>& a, const std::vector<T>& b) {
  REQUIRE(a.size() == b.size());
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    largest = std::max(largest, static_cast<double>(std::abs(a[i] - b[i])));
  }
  return largest;
}

/// A symmetric or Hermitian matrix, with k diagonals beside the main one.
template <class T>
Dense<T> own_transposed(int n, int k, bool hermitian) {
  const Dense<T> a = some<T>(n, n, 1);
  return filled<T>(n, n, [&](int i, int j) {
    if (std::abs(i - j) > k) return T(0);
    const T x = a(std::min(i, j), std::max(i, j));
    if (i == j && hermitian) return T(x.real());
    return hermitian && i > j ? std::conj(x) : x;
  });
}

/// A triangular one with easy solutions: its diagonal is 2i, 2, ... or ones.
template <class T>
Dense<T> triangle(int n, int k, cublasFillMode_t uplo, cublasDiagType_t diag) {
  const Dense<T> a = some<T>(n, n, 2);
  return filled<T>(n, n, [&](int i, int j) {
    if (i == j) return diag == unit ? T(1) : (i % 2 == 0 ? T(0, 2) : T(2));
    const bool is_part = in_triangle(uplo, i, j) && std::abs(i - j) <= k && (i + j) % 3 == 0;
    return is_part ? a(i, j) : T(0);
  });
}

/// The part that is stored, as a whole matrix.
template <class T>
Dense<T> kept(const Dense<T>& a, cublasFillMode_t uplo) {
  return filled<T>(a.rows, a.columns,
                   [&](int i, int j) { return in_triangle(uplo, i, j) ? a(i, j) : T(99, 99); });
}

/// What a call that writes only one triangle leaves.
template <class T>
Dense<T> mixed(const Dense<T>& written, const Dense<T>& before, cublasFillMode_t uplo) {
  return filled<T>(written.rows, written.columns, [&](int i, int j) {
    return in_triangle(uplo, i, j) ? written(i, j) : before(i, j);
  });
}

inline constexpr cublasOperation_t operations[] = {op_n, op_t, op_c};

}  // namespace cublas_test
