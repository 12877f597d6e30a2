/// \file
/// Products by OpenBLAS, in blocks whose sizes its ints hold; sums by plain loops.

#include "libraries/cublas/compute.hpp"

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "libraries/cublas/openblas.hpp"

namespace emulator::cublas {
namespace {

template <class T>
CBLAS_TRANSPOSE transposition(const ConstMatrix<T>& matrix) {
  if (is_complex<T> && matrix.conjugated) {
    return matrix.transposed ? CblasConjTrans : CblasConjNoTrans;
  }
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

template <class T>
int leading_dimension_of_block(const ConstMatrix<T>& matrix, std::int64_t rows,
                               std::int64_t columns) {
  return matrix.transposed ? leading_dimension_of_block(matrix.leading_dimension, columns, rows)
                           : leading_dimension_of_block(matrix.leading_dimension, rows, columns);
}

// A part of a vector as OpenBLAS takes it.
template <class T>
struct Block {
  T* lowest;
  int increment;
};

template <class T>
Block<T> block_of(const Line<T>& line, std::int64_t start, std::int64_t size) {
  if (size == 1) return {&line[start], 1};
  const std::int64_t lowest = line.increment < 0 ? start + size - 1 : start;
  return {&line[lowest], static_cast<int>(line.increment)};
}

// How many elements of a vector may be given at once, so that the whole distance is within limits.
template <class T>
std::int64_t elements_at_once(const Line<T>& line, std::int64_t limit) {
  if (line.increment > limit || line.increment < -limit) return 1;
  return limit / std::abs(line.increment);
}

template <class T>
T value_at(T factor, const ConstMatrix<T>& matrix, std::int64_t row, std::int64_t column) {
  return factor == T(0) ? T(0) : factor * conjugate(*matrix.at(row, column), matrix.conjugated);
}

}  // namespace

template <class T>
void scale(Same<T> beta, Line<T> y) {
  if (beta == T(1)) return;
  for (std::int64_t i = 0; i < y.n; ++i) y[i] = beta == T(0) ? T(0) : beta * y[i];
}

template <class T>
void add_product(Same<T> alpha, ConstMatrix<T> a, Line<const Same<T>> x, Line<Same<T>> y,
                 std::int64_t limit) {
  const std::int64_t stored_columns = columns_at_once(a.leading_dimension, limit);
  const std::int64_t row_step =
      std::min(elements_at_once(y, limit), a.transposed ? stored_columns : limit);
  const std::int64_t column_step =
      std::min(elements_at_once(x, limit), a.transposed ? limit : stored_columns);
  for_blocks(x.n, column_step, [&](std::int64_t j, std::int64_t width) {
    for_blocks(y.n, row_step, [&](std::int64_t i, std::int64_t height) {
      const auto x_block = block_of(x, j, width);
      const auto y_block = block_of(y, i, height);
      // OpenBLAS asks for the sizes of the matrix as it is stored.
      const auto m = static_cast<int>(a.transposed ? width : height);
      const auto n = static_cast<int>(a.transposed ? height : width);
      of_type<T>(cblas_sgemv, cblas_dgemv, cblas_cgemv, cblas_zgemv)(
          CblasColMajor, transposition(a), m, n, as_factor(alpha), a.at(i, j),
          leading_dimension_of_block(a, height, width), x_block.lowest, x_block.increment,
          as_factor(T(1)), y_block.lowest, y_block.increment);
    });
  });
}

template <class T>
void add_product(std::int64_t m, std::int64_t n, std::int64_t k, Same<T> alpha, ConstMatrix<T> a,
                 ConstMatrix<T> b, Matrix<Same<T>> c, std::int64_t limit) {
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
        of_type<T>(cblas_sgemm, cblas_dgemm, cblas_cgemm, cblas_zgemm)(
            CblasColMajor, transposition(a), transposition(b), static_cast<int>(rows),
            static_cast<int>(columns), static_cast<int>(depth), as_factor(alpha), a.at(i, l),
            leading_dimension_of_block(a, rows, depth), b.at(l, j),
            leading_dimension_of_block(b, depth, columns), as_factor(T(1)), c.at(i, j),
            leading_dimension_of_block(c.leading_dimension, rows, columns));
      });
    });
  });
}

template <class T>
void add_product_to_triangle(bool upper, std::int64_t n, std::int64_t k, Same<T> alpha,
                             ConstMatrix<T> a, ConstMatrix<T> b, Matrix<Same<T>> c) {
  // Columns by the dozen: the square on the diagonal is computed apart, and half of it thrown away.
  constexpr std::int64_t step = 96;
  std::vector<T> square;
  for_blocks(n, step, [&](std::int64_t j, std::int64_t columns) {
    const auto rows_from = [&](std::int64_t i) {
      return ConstMatrix<T>{a.at(i, 0), a.leading_dimension, a.transposed, a.conjugated};
    };
    const ConstMatrix<T> b_part{b.at(0, j), b.leading_dimension, b.transposed, b.conjugated};
    if (upper && j > 0)
      add_product(j, columns, k, alpha, a, b_part, {c.at(0, j), c.leading_dimension});
    const std::int64_t below = j + columns;
    if (!upper && below < n) {
      add_product(n - below, columns, k, alpha, rows_from(below), b_part,
                  {c.at(below, j), c.leading_dimension});
    }
    square.assign(static_cast<std::size_t>(columns * columns), T(0));
    add_product(columns, columns, k, alpha, rows_from(j), b_part, {square.data(), columns});
    const Triangle<T> part{c.at(j, j), columns, upper, Storage::full, c.leading_dimension, columns};
    for (std::int64_t q = 0; q < columns; ++q) {
      for (std::int64_t p = part.begin(q); p < part.end(q); ++p) {
        *c.at(j + p, j + q) += square[static_cast<std::size_t>(p + q * columns)];
      }
    }
  });
}

template <class T>
void weighted_sum(std::int64_t m, std::int64_t n, Same<T> alpha, ConstMatrix<T> a, Same<T> beta,
                  ConstMatrix<T> b, Matrix<Same<T>> c) {
  // Tiles, so that a matrix that is read across its columns stays in the cache.
  constexpr std::int64_t tile = 32;
  for_blocks(n, tile, [&](std::int64_t first_column, std::int64_t columns) {
    for_blocks(m, tile, [&](std::int64_t first_row, std::int64_t rows) {
      for (std::int64_t j = first_column; j < first_column + columns; ++j) {
        for (std::int64_t i = first_row; i < first_row + rows; ++i) {
          *c.at(i, j) = value_at<T>(alpha, a, i, j) + value_at<T>(beta, b, i, j);
        }
      }
    });
  });
}

#define INSTANTIATE(T)                                                                            \
  template void scale<T>(T, Line<T>);                                                             \
  template void add_product<T>(T, ConstMatrix<T>, Line<const T>, Line<T>, std::int64_t);          \
  template void add_product<T>(std::int64_t, std::int64_t, std::int64_t, T, ConstMatrix<T>,       \
                               ConstMatrix<T>, Matrix<T>, std::int64_t);                          \
  template void add_product_to_triangle<T>(bool, std::int64_t, std::int64_t, T, ConstMatrix<T>,   \
                                           ConstMatrix<T>, Matrix<T>);                            \
  template void weighted_sum<T>(std::int64_t, std::int64_t, T, ConstMatrix<T>, T, ConstMatrix<T>, \
                                Matrix<T>);
INSTANTIATE(float)
INSTANTIATE(double)
INSTANTIATE(std::complex<float>)
INSTANTIATE(std::complex<double>)

}  // namespace emulator::cublas
