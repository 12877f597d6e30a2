#include "engine/matrices/sparse_matrices.hpp"

namespace emulator::engine {
namespace {

// Four bits of metadata belong to a group of neighbours.
struct Group {
  unsigned elements;  // along k
  unsigned at_once;   // of them share an index
};

Group group_of(MatrixType type) {
  switch (bits_of(type)) {
    case 32:
      return {2, 1};
    case 4:
      return {8, 2};
    default:
      return {4, 1};
  }
}

// The four bits of a group. A lane's register has four groups of a row in its lower half and four
// of the eighth row below in the upper one; of elements of 8 and 4 bits, eight groups of a row.
unsigned bits_of_group(MatrixType type, const std::array<std::uint32_t, 32>& metadata,
                       unsigned first_lane, unsigned row, unsigned group) {
  const unsigned quad = 4 * (row % 8) + first_lane;
  if (bits_of(type) >= 16) {
    return metadata[quad + group / 4] >> (16 * (row / 8) + group % 4 * 4) & 0xFU;
  }
  return metadata[quad + row / 8 + group / 8 * 2] >> (group % 8 * 4) & 0xFU;
}

}  // namespace

std::vector<std::uint8_t> sparse_positions(const MatrixProduct& product,
                                           const std::array<std::uint32_t, 32>& metadata,
                                           unsigned selector) {
  const Group group = group_of(product.a);
  const unsigned groups = product.k / group.elements;
  const unsigned lanes = groups * product.m * 4 / (8 * 32);  // of four, that have metadata
  if (selector >= 4 / lanes) return {};
  std::vector<std::uint8_t> positions;
  positions.reserve(std::size_t{product.m} * product.k / 2);
  for (unsigned row = 0; row < product.m; ++row) {
    for (unsigned i = 0; i < groups; ++i) {
      const unsigned bits = bits_of_group(product.a, metadata, selector * lanes, row, i);
      const unsigned begin = i * group.elements;
      if (group.elements == 2) {  // two numbers of 32 bits: four of 16, of which a pair is there
        if (bits != 0b0100 && bits != 0b1110) return {};
        positions.push_back(static_cast<std::uint8_t>(begin + (bits == 0b1110 ? 1 : 0)));
        continue;
      }
      const unsigned first = bits & 3U;
      const unsigned second = bits >> 2;
      const bool is_ordered = product.form == MatrixForm::sparse_ordered;
      if (first == second || (is_ordered && first > second)) return {};
      for (const unsigned index : {first, second}) {
        for (unsigned j = 0; j < group.at_once; ++j) {
          positions.push_back(static_cast<std::uint8_t>(begin + index * group.at_once + j));
        }
      }
    }
  }
  return positions;
}

// Row by row, as the product of the elements that are there: what is in B beside the others
// does not count, not even an infinity.
void multiply_sparse(const MatrixProduct& product, const MatrixBits& matrices,
                     const std::vector<std::uint8_t>& positions) {
  const unsigned columns = product.k / 2;
  MatrixProduct row_product = product;
  row_product.m = 1;
  row_product.k = columns;
  std::vector<std::uint64_t> b(std::size_t{columns} * product.n);
  for (unsigned row = 0; row < product.m; ++row) {
    for (unsigned j = 0; j < product.n; ++j) {
      for (unsigned l = 0; l < columns; ++l) {
        b[j * columns + l] = matrices.b[j * product.k + positions[row * columns + l]];
      }
    }
    multiply(row_product, {matrices.a + std::size_t{row} * columns, b.data(),
                           matrices.c + std::size_t{row} * product.n,
                           matrices.d + std::size_t{row} * product.n});
  }
}

}  // namespace emulator::engine
