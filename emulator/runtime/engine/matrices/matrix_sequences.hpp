#pragma once
/// \file
/// Products that a GPU of compute capability 9.0 has no one instruction for: its assembler makes
/// several of each. What they add up, and in which order, is what ptxas 13.0 makes of them.

#include <array>
#include <cstdint>

#include "base/rooms.hpp"
#include "engine/matrices/matrix_products.hpp"

namespace emulator::engine {

/// D = A B + C of numbers of 8 bits: as halves, in two products, to which C is added in the end.
void multiply_bytes(const MatrixProduct& product, const MatrixBits& matrices);

/// Four halves times four, and c: by the instructions for single numbers.
std::uint64_t multiply_four(const std::array<std::uint64_t, 4>& a,
                            const std::array<std::uint64_t, 4>& b, std::uint64_t c,
                            MatrixType result);

}  // namespace emulator::engine
