/// @file
/// Products of matrices whose rows begin anywhere.
///
/// Copies of 16 bytes want rows that begin on 16 bytes. Rows of an odd number of short numbers do
/// not even begin on 4, and then nothing is copied asynchronously at all. So such a matrix is
/// copied first, row by row, to where each begins on 16 bytes. That costs one more way through
/// memory for what the product reads hundreds of times.
#pragma once

#include <memory>

#include "kernels.hpp"

namespace tensor {

/// Rows of `cols` numbers to where they are `ld` apart, a multiple of 16 bytes. A thread writes 16
/// bytes. Behind the numbers there are zeros: they are multiplied, too.
template <class Element>
__global__ void pad_rows(const Element* from, int rows, int cols, Element* to, std::int64_t ld) {
  constexpr int count = 16 / sizeof(Element);
  const int col = count * static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (col >= ld) return;
  for (int row = blockIdx.y; row < rows; row += gridDim.y) {
    const Element* line = from + std::int64_t{row} * cols;
    alignas(16) Element numbers[count];
#pragma unroll
    for (int i = 0; i < count; ++i) numbers[i] = col + i < cols ? line[col + i] : Element(0.0F);
    *reinterpret_cast<uint4*>(to + std::int64_t{row} * ld + col) =
        *reinterpret_cast<const uint4*>(numbers);
  }
}

/// Room for copies of A and B. It is made once; two streams need two.
template <class Element>
class Room {
 public:
  /// The matrix itself, or a copy of it.
  /// @param ld from row to row, in numbers; the copy's afterwards
  const Element* suited(const Element* matrix, int rows, int cols, std::int64_t& ld) {
    constexpr int count = 16 / sizeof(Element);
    if (reinterpret_cast<std::uintptr_t>(matrix) % 16 == 0 && ld % count == 0) return matrix;
    ld = (cols + count - 1) / count * count;
    const std::size_t all = static_cast<std::size_t>(rows) * static_cast<std::size_t>(ld);
    if (all == 0) return matrix;
    if (!copy_ || copy_->size() < all) {
      copy_.reset();
      copy_ = std::make_unique<course::DeviceArray<Element>>(all, course::unset);
    }
    const dim3 blocks(static_cast<unsigned>((ld / count - 1) / 128 + 1), std::min(rows, 32768));
    pad_rows<<<blocks, 128>>>(matrix, rows, cols, static_cast<Element*>(*copy_), ld);
    CUDA_CHECK_LAUNCH();
    return *copy_;
  }

 private:
  std::unique_ptr<course::DeviceArray<Element>> copy_;
};

/// As launch_whole_tiles(), whatever the rows begin on.
template <class Tile>
void launch_any_rows(const Product<typename Tile::Element>& product) {
  using Element = typename Tile::Element;
  if (product.m == 0 || product.n == 0) return;
  static Room<Element> room_of_A, room_of_B;
  Product<Element> g = product;
  g.A = room_of_A.suited(g.A, g.m, g.k, g.lda);
  g.B = room_of_B.suited(g.B, g.k, g.n, g.ldb);
  launch_whole_tiles<Tile>(g);
}

}  // namespace tensor
