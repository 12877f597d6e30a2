#pragma once
/// \file
/// The arithmetic of the emulator's cuBLAS, on arguments that were checked. Matrices are stored
/// column by column.

#include <cstdint>

namespace emulator::detail {

struct ConstMatrix {
  const float* data;
  std::int64_t leading_dimension;
  bool transposed;  ///< to be used as its transpose

  const float* at(std::int64_t row, std::int64_t column) const {
    return transposed ? data + column + row * leading_dimension
                      : data + row + column * leading_dimension;
  }
};

struct Matrix {
  float* data;
  std::int64_t leading_dimension;

  float* at(std::int64_t row, std::int64_t column) const {
    return data + row + column * leading_dimension;
  }
};

/// Element i lies at `first[i * increment]`; a negative increment goes down from the last address.
template <class T>
struct Vector {
  T* first;
  std::int64_t increment;
};

/// A vector as BLAS passes it: its lowest address, whatever the sign of the increment.
template <class T>
Vector<T> blas_vector(T* lowest, std::int64_t n, std::int64_t increment) {
  return {increment < 0 ? lowest - (n - 1) * increment : lowest, increment};
}

/// The largest size that OpenBLAS is given at once: it computes with ints, and adds up two of them.
inline constexpr std::int64_t largest_block = std::int64_t{1} << 29;

/// y = beta y for n elements. What is multiplied by 0 becomes 0, be it infinite or not a number.
void scale(float beta, Vector<float> y, std::int64_t n);
/// C = beta C, likewise.
void scale(float beta, Matrix c, std::int64_t rows, std::int64_t columns);

/// y += alpha op(A) x, where op(A) is rows x columns, in blocks of at most `limit` in any size,
/// leading dimension or increment.
void add_product(std::int64_t rows, std::int64_t columns, float alpha, ConstMatrix a,
                 Vector<const float> x, Vector<float> y, std::int64_t limit = largest_block);

/// C += alpha op(A) op(B), where op(A) is m x k, likewise.
void add_product(std::int64_t m, std::int64_t n, std::int64_t k, float alpha, ConstMatrix a,
                 ConstMatrix b, Matrix c, std::int64_t limit = largest_block);

/// C = alpha op(A) + beta op(B); a matrix whose factor is 0 is not read.
void weighted_sum(std::int64_t m, std::int64_t n, float alpha, ConstMatrix a, float beta,
                  ConstMatrix b, Matrix c);

}  // namespace emulator::detail
