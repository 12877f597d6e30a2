/// @file
/// Copies of matrices, transposed, to where each row is aligned to 16 bytes: for instructions that
/// take an operand in one order only (chapter 22).
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "check.hpp"
#include "device.hpp"

namespace course {

/// The side of a tile that a block transposes: 128 bytes, four warps' words.
template <class Element>
constexpr int transposed_side = 128 / static_cast<int>(sizeof(Element));

/// to[c][r] = from[r][c]: as chapter 11, a tile goes through shared memory, whose rows have a word
/// more than they need. Beyond the last row of `from`, `to` gets zeros, up to `to_ld`.
template <class Element>
__global__ void transpose_rows(const Element* from, std::int64_t from_ld, int rows, int cols,
                               Element* to, std::int64_t to_ld) {
  constexpr int side = transposed_side<Element>;
  __shared__ Element tile[side][side + 4 / sizeof(Element)];
  const int row = static_cast<int>(blockIdx.y) * side;
  const int col = static_cast<int>(blockIdx.x) * side;
  const int x = static_cast<int>(threadIdx.x);
  for (int y = static_cast<int>(threadIdx.y); y < side; y += static_cast<int>(blockDim.y)) {
#pragma unroll
    for (int i = x; i < side; i += 32) {
      const bool inside = row + y < rows && col + i < cols;
      tile[y][i] = inside ? from[(row + y) * from_ld + col + i] : Element(0.0F);
    }
  }
  __syncthreads();
  for (int y = static_cast<int>(threadIdx.y); y < side; y += static_cast<int>(blockDim.y)) {
    if (col + y >= cols) continue;
#pragma unroll
    for (int i = x; i < side; i += 32) {
      if (row + i < to_ld) to[(col + y) * to_ld + row + i] = tile[i][y];
    }
  }
}

/// Memory for the transposed copy of a matrix, which is kept for the next one. Two streams need two
/// of them.
template <class Element>
class TransposedRows {
 public:
  /// @param ld distance from one row to the next, in numbers; afterwards the copy's
  const Element* transposed(const Element* matrix, int rows, int cols, std::int64_t& ld) {
    constexpr int count = 16 / sizeof(Element);
    constexpr unsigned side = transposed_side<Element>;
    const std::int64_t from_ld = ld;
    ld = (std::int64_t{rows} + count - 1) / count * count;
    const std::size_t all = static_cast<std::size_t>(cols) * static_cast<std::size_t>(ld);
    if (all == 0) return matrix;
    if (!copy_ || copy_->size() < all) {
      copy_.reset();
      copy_ = std::make_unique<DeviceArray<Element>>(all, unset);
    }
    const dim3 blocks((static_cast<unsigned>(cols) - 1) / side + 1,
                      (static_cast<unsigned>(rows) - 1) / side + 1);
    transpose_rows<<<blocks, dim3(32, 8)>>>(matrix, from_ld, rows, cols,
                                            static_cast<Element*>(*copy_), ld);
    CUDA_CHECK_LAUNCH();
    return *copy_;
  }

 private:
  std::unique_ptr<DeviceArray<Element>> copy_;
};

}  // namespace course
