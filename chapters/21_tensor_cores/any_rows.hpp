/// @file
/// Products of matrices whose rows begin anywhere.
///
/// Copies of 16 bytes need rows that are aligned to 16 bytes. Rows of an odd number of 2-byte
/// numbers are not even aligned to 4, and then no asynchronous copy is possible. So such a matrix
/// is copied first, row by row, to where each row is aligned to 16 bytes. That costs one more pass
/// through memory for data that the product reads hundreds of times.
#pragma once

#include "kernels.hpp"
#include "tensor_cores/padded_rows.hpp"

namespace tensor {

/// Like launch_whole_tiles(), for any alignment of the rows.
template <class Tile>
void launch_any_rows(const Product<typename Tile::Element>& product) {
  using Element = typename Tile::Element;
  if (product.m == 0 || product.n == 0) return;
  static course::PaddedRows<Element> padded_A, padded_B;
  Product<Element> g = product;
  g.A = padded_A.aligned(g.A, g.m, g.k, g.lda);
  g.B = padded_B.aligned(g.B, g.k, g.n, g.ldb);
  launch_whole_tiles<Tile>(g);
}

}  // namespace tensor
