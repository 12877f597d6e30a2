/// @file
/// Copies of matrices whose rows begin anywhere, to where each row is aligned to 16 bytes: copies
/// of 16 bytes require that, and so do tensor maps (chapters 21 and 22).
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "check.hpp"
#include "scratch.hpp"

namespace course {

/// Copies rows of `cols` numbers, `from_ld` apart, to rows `ld` apart, a multiple of 16 bytes. A
/// warp copies eight times 32 words of a row: lanes next to each other have words next to each
/// other. The padding is zero, because the product also reads it.
template <class Element>
__global__ void pad_rows(const Element* from, std::int64_t from_ld, int rows, int cols, Element* to,
                         std::int64_t ld) {
  constexpr int count = 4 / sizeof(Element);  // per word
  const int first = static_cast<int>(blockIdx.x * 8 * 32 + threadIdx.x);
  for (int row = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y); row < rows;
       row += static_cast<int>(gridDim.y * blockDim.y)) {
    const Element* line = from + row * from_ld;
    alignas(4) Element numbers[8][count];  // all are in flight before the first is written
#pragma unroll
    for (int i = 0; i < 8; ++i) {
#pragma unroll
      for (int j = 0; j < count; ++j) {
        const int col = count * (first + 32 * i) + j;
        numbers[i][j] = col < cols ? line[col] : Element(0.0F);
      }
    }
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      const int word = first + 32 * i;
      if (word >= ld / count) continue;
      reinterpret_cast<std::uint32_t*>(to + row * ld)[word] =
          *reinterpret_cast<const std::uint32_t*>(numbers[i]);
    }
  }
}

/// Memory for the copy of a matrix, which is kept for the next one. Two streams need two of them.
template <class Element>
class PaddedRows {
 public:
  /// The matrix itself, or a copy of it.
  /// @param ld distance from one row to the next, in numbers; afterwards the copy's
  const Element* aligned(const Element* matrix, int rows, int cols, std::int64_t& ld) {
    constexpr int count = 16 / sizeof(Element);
    if (reinterpret_cast<std::uintptr_t>(matrix) % 16 == 0 && ld % count == 0) return matrix;
    const std::int64_t from_ld = ld;
    ld = (std::int64_t{cols} + count - 1) / count * count;
    const std::size_t all = static_cast<std::size_t>(rows) * static_cast<std::size_t>(ld);
    if (all == 0) return matrix;
    Element* copy = copy_.at_least(all);
    constexpr int in_block = 8 * 32 * 4 / sizeof(Element);  // of a row
    const dim3 blocks(static_cast<unsigned>((ld - 1) / in_block + 1),
                      std::min((rows - 1) / 8 + 1, 32768));
    pad_rows<<<blocks, dim3(32, 8)>>>(matrix, from_ld, rows, cols, copy, ld);
    CUDA_CHECK_LAUNCH();
    return copy;
  }

 private:
  Scratch<Element> copy_;
};

}  // namespace course
