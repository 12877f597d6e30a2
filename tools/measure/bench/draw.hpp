/// @file
/// Shapes drawn at random. Those of shapes.cpp are the ones that kernels were made for, and a rule
/// that chooses among kernels may be right for just these. Nobody can have fitted anything to the
/// shapes of a seed that is chosen afterwards.
#pragma once

#include <cstdint>
#include <vector>

#include "bench/shapes.hpp"

namespace course::measure {

/// A matrix, and where it starts.
struct DrawnMatrix {
  int rows;
  int cols;
  int offset;  ///< floats past a multiple of 16 bytes: matrix and vector start there
};

/// Matrices of 10^5 to 5 * 10^8 elements. Their elements and then their rows are uniform on a
/// logarithmic scale: flat ones, tall ones, and all between. Half of them have extents that are
/// multiples of 4, where these are 4 or more, and one in four is not aligned to 16 bytes.
std::vector<DrawnMatrix> draw_matrices(int count, std::uint64_t seed);

/// Products of matrices, each extent uniform on a logarithmic scale from 1 to 20,000, of which
/// those stay that have at least 10^9 operations.
std::vector<ProductShape> draw_products(int count, std::uint64_t seed);

/// The same for tensor cores: at least 4 * 10^9 operations; and of every ten shapes the first seven
/// have extents that are multiples of 8, as those of most networks are.
std::vector<ProductShape> draw_short_products(int count, std::uint64_t seed);

/// C = alpha A B + beta C, with any distance between rows.
struct GeneralProduct {
  int m, n, k;
  std::int64_t lda, ldb, ldc;
  int offset;  ///< floats past a multiple of 16 bytes: all three matrices start there
  float alpha, beta;
};

/// Products as BLAS has them, of at least 4 * 10^9 operations: every other one has odd leading
/// dimensions, one to eight more than its rows need, and half of these are not aligned to
/// 16 bytes; the others' rows are as long as necessary, and all are aligned to 16 bytes. Every two
/// of four have a beta that is not 0.
std::vector<GeneralProduct> draw_general_products(int count, std::uint64_t seed);

}  // namespace course::measure
