#pragma once
/// \file
/// The products of the emulator's cuBLAS, on arguments that were checked, for T = float, double
/// and their complex numbers. Matrices are stored column by column.

#include <cstdint>
#include <type_traits>

#include "libraries/common/numbers.hpp"
#include "libraries/common/regions.hpp"

namespace emulator::cublas {

using namespace libraries;

template <class T>
struct ConstMatrix {
  const T* data;
  std::int64_t leading_dimension;
  bool transposed;          ///< to be used as its transpose
  bool conjugated = false;  ///< to be used with its elements' conjugates

  const T* at(std::int64_t row, std::int64_t column) const {
    return transposed ? data + column + row * leading_dimension
                      : data + row + column * leading_dimension;
  }
};

template <class T>
struct Matrix {
  T* data;
  std::int64_t leading_dimension;

  T* at(std::int64_t row, std::int64_t column) const {
    return data + row + column * leading_dimension;
  }
};

/// A type that is not deduced from this argument.
template <class T>
using Same = std::type_identity_t<T>;

/// The largest size that OpenBLAS is given at once: it computes with ints, and adds up two of them.
inline constexpr std::int64_t largest_block = std::int64_t{1} << 29;

/// y = beta y. What is multiplied by 0 becomes 0, be it infinite or not a number.
template <class T>
void scale(Same<T> beta, Line<T> y);
/// The same for all of a matrix, a triangle's elements or whatever has such pieces.
template <class T, class Region>
void scale_pieces(T beta, const Region& region) {
  region.for_pieces([&](T* first, std::int64_t n) { scale<T>(beta, {first, n}); });
}

/// y += alpha op(A) x, where op(A) has as many rows as y and columns as x has elements, in blocks
/// of at most `limit` in any size, leading dimension or increment.
template <class T>
void add_product(Same<T> alpha, ConstMatrix<T> a, Line<const Same<T>> x, Line<Same<T>> y,
                 std::int64_t limit = largest_block);

/// C += alpha op(A) op(B), where op(A) is m x k and op(B) k x n, likewise.
template <class T>
void add_product(std::int64_t m, std::int64_t n, std::int64_t k, Same<T> alpha, ConstMatrix<T> a,
                 ConstMatrix<T> b, Matrix<Same<T>> c, std::int64_t limit = largest_block);

/// The same, but only for one triangle of C, which is n x n.
template <class T>
void add_product_to_triangle(bool upper, std::int64_t n, std::int64_t k, Same<T> alpha,
                             ConstMatrix<T> a, ConstMatrix<T> b, Matrix<Same<T>> c);

/// C = alpha op(A) + beta op(B); a matrix whose factor is 0 is not read.
template <class T>
void weighted_sum(std::int64_t m, std::int64_t n, Same<T> alpha, ConstMatrix<T> a, Same<T> beta,
                  ConstMatrix<T> b, Matrix<Same<T>> c);

}  // namespace emulator::cublas
