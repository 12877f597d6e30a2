#pragma once
#pragma GCC system_header
/// \file
/// Matrix instructions: what all lanes of a warp do together with a matrix that is spread over
/// their registers. PTX in the source (ptx.h) and mma.h call these functions.

#include "emulator/inline.h"

namespace emulator::detail {

enum class MatrixType : unsigned char {
  f16,
  bf16,
  tf32,
  f32,
  f64,
  s8,
  u8,
  s4,
  u4,
  b1,
  s32,
  e4m3,
  e5m2
};

/// What a product of bits does with a pair of them before it counts those that are set.
enum class BitOperation : unsigned char { exclusive_or, both };

/// What else an instruction's name says of its matrices.
enum class MatrixForm : unsigned char {
  dense,
  sparse,          ///< of each few elements along k, A has only half, and metadata say which
  sparse_ordered,  ///< the same, and they are in order
  quads,           ///< four products at once, of eight lanes each
  warpgroup        ///< of wgmma, which has arithmetic of its own for FP8
};

/// D = A B + C, with A of m rows and k columns, and B of k rows and n columns.
struct MatrixProduct {
  unsigned m, n, k;
  MatrixType a, b, c, d;
  bool saturates = false;  ///< integers stop at the ends of their range, and do not wrap round
  BitOperation bits = BitOperation::exclusive_or;
  MatrixForm form = MatrixForm::dense;
  bool a_by_columns = false;  ///< in four products of quads, the layouts that the name gives
  bool b_by_rows = false;
};

/// How many bits an element has in a register.
EMULATOR_UNSEEN constexpr unsigned bits_of(MatrixType type) {
  switch (type) {
    case MatrixType::f64:
      return 64;
    case MatrixType::f16:
    case MatrixType::bf16:
      return 16;
    case MatrixType::s8:
    case MatrixType::u8:
    case MatrixType::e4m3:
    case MatrixType::e5m2:
      return 8;
    case MatrixType::s4:
    case MatrixType::u4:
      return 4;
    case MatrixType::b1:
      return 1;
    default:
      return 32;
  }
}

/// How many elements of one matrix a register holds: as many as go into 32 bits.
EMULATOR_UNSEEN constexpr unsigned elements_of_register(MatrixType type) {
  return bits_of(type) < 32 ? 32 / bits_of(type) : 1;
}

/// The place of an element in its matrix.
struct MatrixPlace {
  unsigned row, column;
};

// Which lane holds what. Four lanes share a row of eight rows (of A and C) or a column of eight
// columns (of B), and each of them has one register of it; such blocks follow each other down the
// rows first, and of A all blocks of 16 rows come before those of the next. The PTX ISA draws this
// for each shape of mma.sync. For wmma it is not documented, but has been read off a GPU of compute
// capability 9.0: there a product of 8 rows and 32 columns is one of 32 rows, turned over.

/// Of element `index` of a lane's fragment of A. (Fragments of B are laid out like those of A
/// transposed.)
EMULATOR_UNSEEN constexpr MatrixPlace place_in_a(MatrixType type, unsigned rows, unsigned k,
                                                 unsigned lane, unsigned index) {
  const unsigned per_register = elements_of_register(type);
  const unsigned down = rows > 8 ? 2 : 1;
  const unsigned of_16_rows = down * k / (4 * per_register);
  const unsigned block = index / per_register % of_16_rows;
  const unsigned first_row = index / per_register / of_16_rows * 16;
  return {first_row + block % down * 8 + lane / 4,
          block / down * 4 * per_register + lane % 4 * per_register + index % per_register};
}
/// Here the blocks also follow each other down the rows, so k is what counts.
EMULATOR_UNSEEN constexpr MatrixPlace place_in_b(MatrixType type, unsigned k, unsigned lane,
                                                 unsigned index) {
  const unsigned per_register = elements_of_register(type);
  const unsigned block = index / per_register;
  const unsigned down = k / (4 * per_register);
  return {block % down * 4 * per_register + lane % 4 * per_register + index % per_register,
          block / down * 8 + lane / 4};
}
/// Of C and D: two neighbours of a row in each block of eight by eight.
EMULATOR_UNSEEN constexpr MatrixPlace place_in_c(unsigned rows, unsigned lane, unsigned index) {
  const unsigned block = index / 2;
  const unsigned down = rows / 8;
  return {block % down * 8 + lane / 4, block / down * 8 + lane % 4 * 2 + index % 2};
}

/// The place in the matrix turned over.
EMULATOR_UNSEEN constexpr MatrixPlace turned_over(MatrixPlace place) {
  return {place.column, place.row};
}
/// Whether a product of this shape is made as B^T A^T, so that its fragments are those of that.
EMULATOR_UNSEEN constexpr bool is_turned_over(unsigned m, unsigned n) {
  return m == 8 && n == 32;
}

/// What says which elements a sparse A has: a register of each lane, and which lanes' count.
struct MatrixMetadata {
  unsigned bits = 0;
  unsigned selector = 0;
};

/// The calling lane's part in a product. Fragments are registers, one after another.
/// \param name of the instruction, for messages
/// \param site where the kernel calls it
void multiply_matrices(const MatrixProduct& product, const void* a, const void* b, const void* c,
                       void* d, const char* name, const void* site, MatrixMetadata metadata = {});

/// ldmatrix: of each of `count` matrices, the rows of eight numbers of 16 bits at the addresses
/// that eight lanes bring, as a register for each lane.
void load_matrices(unsigned count, bool is_transposed, const void* row, unsigned* registers,
                   const void* site);

/// stmatrix: the way back.
void store_matrices(unsigned count, bool is_transposed, void* row, const unsigned* registers,
                    const void* site);

}  // namespace emulator::detail
