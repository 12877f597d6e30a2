/// @file
/// Products of matrices whose rows begin anywhere.
///
/// Copies of 16 bytes want rows that begin on 16 bytes. Rows of an odd number of short numbers do
/// not even begin on 4, and then nothing is copied asynchronously at all. So such a matrix is
/// copied first, row by row, to where each begins on 16 bytes. That costs one more way through
/// memory for what the product reads hundreds of times.
#pragma once

#include "kernels.hpp"
#include "padded_rows.hpp"

namespace tensor {

/// As launch_whole_tiles(), whatever the rows begin on.
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
