#pragma once
/// \file
/// The arithmetic of tensor cores, and nothing else: what one element of D = A B + C becomes, to
/// the last bit.
///
/// NVIDIA documents none of it. What is here is what has been published of it (see the table in
/// matrix_products.cpp); ten million results of an H200 are the same (emulator/evidence/matrices).

#include <cstdint>

#include "base/rooms.hpp"
#include "emulator/device/matrix.h"

namespace emulator::engine {

/// Matrices as the bits of their elements: A row by row, B column by column, C and D row by row.
struct MatrixBits {
  const std::uint64_t* a;
  const std::uint64_t* b;
  const std::uint64_t* c;
  std::uint64_t* d;
};

/// D = A B + C.
void multiply(const MatrixProduct& product, const MatrixBits& matrices);

}  // namespace emulator::engine
