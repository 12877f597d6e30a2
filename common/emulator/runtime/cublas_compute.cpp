/// \file
/// Products by OpenBLAS, in blocks whose sizes its ints hold; sums by plain loops.

#include "cublas_compute.hpp"

#include <cblas.h>

#include <algorithm>
#include <cstdlib>

namespace emulator::detail {
namespace {

CBLAS_TRANSPOSE transposition(const ConstMatrix& matrix) {
  return matrix.transposed ? CblasTrans : CblasNoTrans;
}

// Calls `use` with the start and the length of each block.
template <class Use>
void for_blocks(std::int64_t size, std::int64_t step, Use use) {
  for (std::int64_t start = 0; start < size; start += step) {
    use(start, std::min(step, size - start));
  }
}

// How many columns of a stored matrix may be given at once: of one alone the distance to the next
// does not matter, so that it may be longer than an int.
std::int64_t columns_at_once(std::int64_t leading_dimension, std::int64_t limit) {
  return leading_dimension > limit ? 1 : limit;
}

int leading_dimension_of_block(std::int64_t leading_dimension, std::int64_t rows,
                               std::int64_t columns) {
  return static_cast<int>(columns == 1 ? rows : leading_dimension);
}

int leading_dimension_of_block(const ConstMatrix& matrix, std::int64_t rows, std::int64_t columns) {
  return matrix.transposed ? leading_dimension_of_block(matrix.leading_dimension, columns, rows)
                           : leading_dimension_of_block(matrix.leading_dimension, rows, columns);
}

// A vector as OpenBLAS takes it.
template <class T>
struct Block {
  T* lowest;
  int increment;
};

template <class T>
Block<T> block_of(Vector<T> vector, std::int64_t start, std::int64_t size) {
  T* const first = vector.first + start * vector.increment;
  if (size == 1) return {first, 1};
  const bool down = vector.increment < 0;
  return {down ? first + (size - 1) * vector.increment : first, static_cast<int>(vector.increment)};
}

// How many elements of a vector may be given at once, so that the whole distance is within limits.
template <class T>
std::int64_t elements_at_once(Vector<T> vector, std::int64_t limit) {
  if (vector.increment > limit || vector.increment < -limit) return 1;
  return limit / std::abs(vector.increment);
}

float value_at(float factor, const ConstMatrix& matrix, std::int64_t row, std::int64_t column) {
  return factor == 0 ? 0 : factor * *matrix.at(row, column);
}

}  // namespace

void scale(float beta, Vector<float> y, std::int64_t n) {
  if (beta == 1) return;
  for (std::int64_t i = 0; i < n; ++i) {
    float& value = y.first[i * y.increment];
    value = beta == 0 ? 0 : beta * value;
  }
}

void scale(float beta, Matrix c, std::int64_t rows, std::int64_t columns) {
  for (std::int64_t j = 0; j < columns; ++j) scale(beta, Vector<float>{c.at(0, j), 1}, rows);
}

void add_product(std::int64_t rows, std::int64_t columns, float alpha, ConstMatrix a,
                 Vector<const float> x, Vector<float> y, std::int64_t limit) {
  const std::int64_t stored_columns = columns_at_once(a.leading_dimension, limit);
  const std::int64_t row_step =
      std::min(elements_at_once(y, limit), a.transposed ? stored_columns : limit);
  const std::int64_t column_step =
      std::min(elements_at_once(x, limit), a.transposed ? limit : stored_columns);
  for_blocks(columns, column_step, [&](std::int64_t j, std::int64_t width) {
    for_blocks(rows, row_step, [&](std::int64_t i, std::int64_t height) {
      const auto x_block = block_of(x, j, width);
      const auto y_block = block_of(y, i, height);
      // OpenBLAS asks for the sizes of the matrix as it is stored.
      const auto m = static_cast<int>(a.transposed ? width : height);
      const auto n = static_cast<int>(a.transposed ? height : width);
      cblas_sgemv(CblasColMajor, transposition(a), m, n, alpha, a.at(i, j),
                  leading_dimension_of_block(a, height, width), x_block.lowest, x_block.increment,
                  1, y_block.lowest, y_block.increment);
    });
  });
}

void add_product(std::int64_t m, std::int64_t n, std::int64_t k, float alpha, ConstMatrix a,
                 ConstMatrix b, Matrix c, std::int64_t limit) {
  const std::int64_t a_columns = columns_at_once(a.leading_dimension, limit);
  const std::int64_t b_columns = columns_at_once(b.leading_dimension, limit);
  const std::int64_t c_columns = columns_at_once(c.leading_dimension, limit);
  const std::int64_t m_step = a.transposed ? a_columns : limit;
  const std::int64_t n_step = std::min(c_columns, b.transposed ? limit : b_columns);
  const std::int64_t k_step =
      std::min(a.transposed ? limit : a_columns, b.transposed ? b_columns : limit);
  for_blocks(n, n_step, [&](std::int64_t j, std::int64_t columns) {
    for_blocks(m, m_step, [&](std::int64_t i, std::int64_t rows) {
      for_blocks(k, k_step, [&](std::int64_t l, std::int64_t depth) {
        cblas_sgemm(CblasColMajor, transposition(a), transposition(b), static_cast<int>(rows),
                    static_cast<int>(columns), static_cast<int>(depth), alpha, a.at(i, l),
                    leading_dimension_of_block(a, rows, depth), b.at(l, j),
                    leading_dimension_of_block(b, depth, columns), 1, c.at(i, j),
                    leading_dimension_of_block(c.leading_dimension, rows, columns));
      });
    });
  });
}

void weighted_sum(std::int64_t m, std::int64_t n, float alpha, ConstMatrix a, float beta,
                  ConstMatrix b, Matrix c) {
  // Tiles, so that a matrix that is read across its columns stays in the cache.
  constexpr std::int64_t tile = 32;
  for_blocks(n, tile, [&](std::int64_t first_column, std::int64_t columns) {
    for_blocks(m, tile, [&](std::int64_t first_row, std::int64_t rows) {
      for (std::int64_t j = first_column; j < first_column + columns; ++j) {
        for (std::int64_t i = first_row; i < first_row + rows; ++i) {
          *c.at(i, j) = value_at(alpha, a, i, j) + value_at(beta, b, i, j);
        }
      }
    });
  });
}

}  // namespace emulator::detail
