/// @file
/// Copies of matrices whose rows begin anywhere, to where each row is aligned to 16 bytes: copies
/// of 16 bytes require that, and so do tensor maps (chapters 21 and 22).
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "check.hpp"
#include "device.hpp"

namespace course {

/// Copies rows of `cols` numbers to rows `ld` apart, a multiple of 16 bytes. Each thread writes 16
/// bytes. The padding is zero, because the product also reads it.
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

/// Memory for the copy of a matrix, which is kept for the next one. Two streams need two of them.
template <class Element>
class PaddedRows {
 public:
  /// The matrix itself, or a copy of it.
  /// @param ld distance from one row to the next, in numbers; afterwards the copy's
  const Element* aligned(const Element* matrix, int rows, int cols, std::int64_t& ld) {
    constexpr int count = 16 / sizeof(Element);
    if (reinterpret_cast<std::uintptr_t>(matrix) % 16 == 0 && ld % count == 0) return matrix;
    ld = (std::int64_t{cols} + count - 1) / count * count;
    const std::size_t all = static_cast<std::size_t>(rows) * static_cast<std::size_t>(ld);
    if (all == 0) return matrix;
    if (!copy_ || copy_->size() < all) {
      copy_.reset();
      copy_ = std::make_unique<DeviceArray<Element>>(all, unset);
    }
    const dim3 blocks(static_cast<unsigned>((ld / count - 1) / 128 + 1), std::min(rows, 32768));
    pad_rows<<<blocks, 128>>>(matrix, rows, cols, static_cast<Element*>(*copy_), ld);
    CUDA_CHECK_LAUNCH();
    return *copy_;
  }

 private:
  std::unique_ptr<DeviceArray<Element>> copy_;
};

}  // namespace course
