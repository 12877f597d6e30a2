#pragma once
/// \file
/// Dense matrices, and operations on their columns.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "libraries/common/numbers.hpp"

namespace emulator::cusolver {

using namespace libraries;

/// A matrix, stored column by column.
template <class T>
struct Matrix {
  T* data;
  std::int64_t rows;
  std::int64_t columns;
  std::int64_t ld;

  T& operator()(std::int64_t i, std::int64_t j) const { return data[i + j * ld]; }
  T* column(std::int64_t j) const { return data + j * ld; }
  /// From an element on.
  Matrix from(std::int64_t i, std::int64_t j) const {
    return {data + i + j * ld, rows - i, columns - j, ld};
  }
  Matrix first(std::int64_t count) const { return {data, rows, count, ld}; }
};

/// Some of OpenBLAS's kernels, as cgemv's, read a few numbers beyond a matrix.
inline constexpr std::size_t read_beyond = 16;

/// One with memory of its own, of zeros.
template <class T>
struct Owned : Matrix<T> {
  std::vector<T> numbers;

  Owned(std::int64_t m, std::int64_t n)
      : Matrix<T>{nullptr, m, n, m > 0 ? m : 1},
        numbers(static_cast<std::size_t>(m > 0 && n > 0 ? m * n : 1) + read_beyond) {
    this->data = numbers.data();
  }
  template <class U>
  explicit Owned(const Matrix<U>& a) : Owned(a.rows, a.columns) {
    for (std::int64_t j = 0; j < a.columns; ++j) {
      for (std::int64_t i = 0; i < a.rows; ++i) (*this)(i, j) = a(i, j);
    }
  }
  Owned(const Owned& other) : Owned(static_cast<const Matrix<T>&>(other)) {}
  Owned& operator=(const Owned&) = delete;
};

template <class T, class U>
void copy(const Matrix<T>& from, const Matrix<U>& to) {
  for (std::int64_t j = 0; j < from.columns; ++j) {
    for (std::int64_t i = 0; i < from.rows; ++i) to(i, j) = from(i, j);
  }
}
/// A copy for OpenBLAS, which cannot read beyond a matrix at the end of device memory. What becomes
/// of the copy is written back in the end.
template <class T>
struct Local : Owned<T> {
  Matrix<T> original;

  explicit Local(const Matrix<T>& a) : Owned<T>(a), original(a) {}
  Local(const Local&) = delete;
  ~Local() { copy<T, T>(*this, original); }
};

template <class T>
void make_identity(const Matrix<T>& a) {
  for (std::int64_t j = 0; j < a.columns; ++j) {
    for (std::int64_t i = 0; i < a.rows; ++i) a(i, j) = i == j ? 1 : 0;
  }
}
/// The other triangle of a Hermitian matrix, of which one is given.
template <class T>
void complete(bool upper, const Matrix<T>& a) {
  for (std::int64_t j = 0; j < a.columns; ++j) {
    a(j, j) = real_part(a(j, j));
    for (std::int64_t i = j + 1; i < a.rows; ++i) {
      (upper ? a(i, j) : a(j, i)) = conjugate(upper ? a(j, i) : a(i, j));
    }
  }
}

/// The sum of conj(x) y.
template <class T>
T dot(std::int64_t n, const T* x, const T* y) {
  T sum = 0;
  for (std::int64_t i = 0; i < n; ++i) sum += conjugate(x[i]) * y[i];
  return sum;
}
/// y += factor x.
template <class T>
void add(std::int64_t n, T factor, const T* x, T* y) {
  for (std::int64_t i = 0; i < n; ++i) y[i] += factor * x[i];
}
template <class T>
Real<T> square(T x) {
  if constexpr (is_complex<T>) {
    return x.real() * x.real() + x.imag() * x.imag();
  } else {
    return x * x;
  }
}
/// The Euclidean norm, without a square that would be too large or too small.
template <class T>
Real<T> norm(std::int64_t n, const T* x) {
  Real<T> largest = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    const Real<T> size = std::abs(x[i]);
    if (!(size <= largest)) largest = size;  // also what is not a number
  }
  if (largest == 0 || !std::isfinite(largest)) return largest;
  Real<T> sum = 0;
  for (std::int64_t i = 0; i < n; ++i) sum += square(x[i] / largest);
  return largest * std::sqrt(sum);
}
template <class T>
Real<T> norm(const Matrix<T>& a) {
  Real<T> sum = 0;
  for (std::int64_t j = 0; j < a.columns; ++j) sum = std::hypot(sum, norm(a.rows, a.column(j)));
  return sum;
}

}  // namespace emulator::cusolver
