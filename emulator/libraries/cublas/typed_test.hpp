#pragma once
/// \file
/// What the tests of cuBLAS's functions for float and double share. Like cublas/api_test.cpp it
/// works with NVIDIA's library as well.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "libraries/cublas/cublas_test.hpp"

namespace cublas_test {

template <class T>
inline constexpr T nothing = std::numeric_limits<T>::quiet_NaN();

/// Of a function for float and the same for double, the one for T.
template <class T, class Single, class Double>
constexpr auto of(Single single, Double twice) {
  if constexpr (std::is_same_v<T, float>) {
    return single;
  } else {
    return twice;
  }
}

/// Whether the numbers agree, within `error` of the largest; what is not a number, with itself.
template <class T>
bool agree(const std::vector<T>& a, const std::vector<T>& b, double error = 0) {
  const auto scale = [](T x) { return std::isnan(x) ? 0.0 : std::abs(static_cast<double>(x)); };
  double largest = 0;
  for (const T x : b) largest = std::max(largest, scale(x));
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](T x, T y) {
    if (std::isnan(x) || std::isnan(y)) return std::isnan(x) && std::isnan(y);
    return std::abs(static_cast<double>(x) - static_cast<double>(y)) <= error * largest;
  });
}

/// A matrix as mathematics has it, or with one column per vector. Small whole numbers, whose
/// products and sums are exact, in no particular order.
template <class T>
struct Dense {
  int rows;
  int columns;
  std::vector<T> values;

  Dense(int m, int n) : rows(m), columns(n), values(static_cast<std::size_t>(m * n)) {}
  Dense(int m, int n, int seed) : Dense(m, n) {
    int i = seed;
    for (T& value : values) {
      value = static_cast<T>((i * 7 + i / 5) % 9 - 4);
      ++i;
    }
  }
  T& operator()(int i, int j = 0) { return values[static_cast<std::size_t>(i + j * rows)]; }
  T operator()(int i, int j = 0) const { return values[static_cast<std::size_t>(i + j * rows)]; }
};

/// A matrix whose element (i, j) is `value(i, j)`.
template <class T, class Value>
Dense<T> dense(int rows, int columns, Value value) {
  Dense<T> result(rows, columns);
  for (int j = 0; j < columns; ++j) {
    for (int i = 0; i < rows; ++i) result(i, j) = static_cast<T>(value(i, j));
  }
  return result;
}

template <class T>
Dense<T> op(const Dense<T>& a, cublasOperation_t operation) {
  if (operation == op_n) return a;
  return dense<T>(a.columns, a.rows, [&](int i, int j) { return a(j, i); });
}

/// alpha A B + beta C.
template <class T>
Dense<T> product(T alpha, const Dense<T>& a, const Dense<T>& b, T beta, const Dense<T>& c) {
  return dense<T>(c.rows, c.columns, [&](int i, int j) {
    T sum = 0;
    for (int l = 0; l < a.columns; ++l) sum += a(i, l) * b(l, j);
    return alpha * sum + (beta == 0 ? 0 : beta * c(i, j));
  });
}

/// Stored with a leading dimension. What is not part of the matrix is not a number.
template <class T>
std::vector<T> stored(const Dense<T>& a, int ld) {
  std::vector<T> memory(static_cast<std::size_t>(ld * a.columns), nothing<T>);
  for (int j = 0; j < a.columns; ++j) {
    for (int i = 0; i < a.rows; ++i) memory[static_cast<std::size_t>(i + j * ld)] = a(i, j);
  }
  return memory;
}

/// A vector stored with an increment of either sign.
template <class T>
std::vector<T> spread(const Dense<T>& x, int increment) {
  const int distance = std::abs(increment);
  std::vector<T> memory(static_cast<std::size_t>(x.rows * distance), nothing<T>);
  for (int i = 0; i < x.rows; ++i) {
    memory[static_cast<std::size_t>((increment < 0 ? x.rows - 1 - i : i) * distance)] = x(i);
  }
  return memory;
}

inline constexpr auto lower = CUBLAS_FILL_MODE_LOWER;
inline constexpr auto upper = CUBLAS_FILL_MODE_UPPER;
inline constexpr auto unit = CUBLAS_DIAG_UNIT;
inline constexpr auto non_unit = CUBLAS_DIAG_NON_UNIT;
inline constexpr auto left = CUBLAS_SIDE_LEFT;
inline constexpr auto right = CUBLAS_SIDE_RIGHT;

inline bool in_triangle(cublasFillMode_t uplo, int i, int j) {
  return uplo == upper ? i <= j : i >= j;
}

/// What is stored of a symmetric or triangular matrix. The rest is not a number, so that reading it
/// is noticed.
template <class T>
Dense<T> one_triangle(const Dense<T>& a, cublasFillMode_t uplo, cublasDiagType_t diag = non_unit) {
  return dense<T>(a.rows, a.columns, [&](int i, int j) {
    return in_triangle(uplo, i, j) && !(diag == unit && i == j) ? a(i, j) : nothing<T>;
  });
}

/// A band as BLAS stores it, of a matrix with kl diagonals below the main one and ku above.
template <class T>
std::vector<T> banded(const Dense<T>& a, int kl, int ku, int ld) {
  std::vector<T> memory(static_cast<std::size_t>(ld * a.columns), nothing<T>);
  for (int j = 0; j < a.columns; ++j) {
    for (int i = std::max(0, j - ku); i <= std::min(a.rows - 1, j + kl); ++i) {
      memory[static_cast<std::size_t>(ku + i - j + j * ld)] = a(i, j);
    }
  }
  return memory;
}

/// A triangle without gaps.
template <class T>
std::vector<T> packed(const Dense<T>& a, cublasFillMode_t uplo) {
  std::vector<T> memory;
  for (int j = 0; j < a.columns; ++j) {
    for (int i = 0; i < a.rows; ++i) {
      if (in_triangle(uplo, i, j)) memory.push_back(a(i, j));
    }
  }
  return memory;
}

/// A symmetric matrix with k diagonals on either side of the main one.
template <class T>
Dense<T> symmetric(int n, int k, int seed) {
  const Dense<T> a(n, n, seed);
  return dense<T>(n, n, [&](int i, int j) {
    return std::abs(i - j) > k ? 0 : a(std::min(i, j), std::max(i, j));
  });
}

/// A triangular one. Its equations have whole solutions for the right sides that product() makes.
template <class T>
Dense<T> triangular(int n, int k, cublasFillMode_t uplo, cublasDiagType_t diag) {
  return dense<T>(n, n, [&](int i, int j) {
    if (i == j) return diag == unit ? 1 : 2 - i % 4 / 2 * 4;  // 2 2 -2 -2
    return in_triangle(uplo, i, j) && std::abs(i - j) <= k && (i * 3 + j) % 4 == 0 ? (i + j) % 3 - 1
                                                                                   : 0;
  });
}

}  // namespace cublas_test
