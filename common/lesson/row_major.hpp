/// @file
/// Row-major matrices: where their elements lie, and how their rows are spread over grids.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>

namespace course {

/// Where element (row, col) lies in a row-major matrix with so many columns. 32 bits are not enough
/// for the result: 46341 x 46341 elements are more than 2^31.
constexpr __host__ __device__ std::size_t at(int row, int col, int cols) {
  return static_cast<std::size_t>(row) * cols + col;
}

/// The most blocks that a grid has in y, on every GPU. In x it has 2^31 - 1.
inline constexpr int most_blocks_in_y = 65535;

/// Calls launch(first, count) once for each band of the rows 0 .. rows - 1 that a single grid with
/// blocks of `block_rows` rows can cover: once, for all but the tallest matrices; never for none.
template <class Launch>
void for_each_band(int rows, int block_rows, Launch launch, int most_blocks = most_blocks_in_y) {
  const long long band = static_cast<long long>(block_rows) * most_blocks;
  for (long long first = 0; first < rows; first += band) {
    launch(static_cast<int>(first), static_cast<int>(std::min(band, rows - first)));
  }
}

}  // namespace course
