/// @file
/// The shapes at which the bench measures: one line each in shapes.cpp.
#pragma once

#include <cstddef>
#include <vector>

namespace course::measure {

/// Extent of a matrix.
struct MatrixShape {
  int rows;
  int cols;
  bool whole_ladder = false;  ///< or chapter 07's kernels only: the best, and the library
};

/// Extents of a product of matrices.
struct ProductShape {
  int m;
  int n;
  int k;
  bool large = false;  ///< only for the kernels that are meant for it
};

// The first of each kind is all that --quick measures.
std::vector<MatrixShape> matrix_shapes();
std::vector<std::size_t> vector_sizes();
std::vector<ProductShape> product_shapes();

}  // namespace course::measure
