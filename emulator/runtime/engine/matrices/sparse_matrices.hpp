#pragma once
/// \file
/// Sparse matrices: of each two, four or eight neighbours along k, A has only half.

#include <array>
#include <cstdint>
#include <vector>

#include "base/rooms.hpp"
#include "engine/matrices/matrix_products.hpp"

namespace emulator::engine {

/// Where along k the elements of A are, row by row, by what the lanes' metadata say. None if the
/// metadata name no such elements, or there are no lanes of that selector.
std::vector<std::uint8_t> sparse_positions(const MatrixProduct& product,
                                           const std::array<std::uint32_t, 32>& metadata,
                                           unsigned selector);

/// D = A B + C, where A has k / 2 columns.
void multiply_sparse(const MatrixProduct& product, const MatrixBits& matrices,
                     const std::vector<std::uint8_t>& positions);

}  // namespace emulator::engine
