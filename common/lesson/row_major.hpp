/// @file
/// Row-major matrices: the positions of their elements, and how grids cover their rows.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>

namespace course {

/// The index of element (row, col) in a row-major matrix with `cols` columns. 32 bits are not
/// enough for the result: 46341 x 46341 elements are more than 2^31.
constexpr __host__ __device__ std::size_t at(int row, int col, int cols) {
  return static_cast<std::size_t>(row) * cols + col;
}

/// The largest number of blocks of a grid in y, on every GPU. In x it is 2^31 - 1.
inline constexpr int most_blocks_in_y = 65535;

/// Calls launch(first, count) for each band of the rows 0 .. rows - 1 that one grid with blocks of
/// `block_rows` rows can cover: once, except for the tallest matrices; never if rows is 0.
template <class Launch>
void for_each_band(int rows, int block_rows, Launch launch, int most_blocks = most_blocks_in_y) {
  const long long band = static_cast<long long>(block_rows) * most_blocks;
  for (long long first = 0; first < rows; first += band) {
    launch(static_cast<int>(first), static_cast<int>(std::min(band, rows - first)));
  }
}

}  // namespace course
