#pragma once
/// \file
/// Where the elements of a sparse matrix are, in each of its formats.

#include <cstdint>

#include "libraries/cusparse/descriptors.hpp"

namespace emulator::cusparse {

/// An array of indices of either width.
struct Indices {
  void* data;
  cusparseIndexType_t type;
  std::int64_t base;

  std::int64_t operator[](std::int64_t i) const {
    return (type == CUSPARSE_INDEX_32I ? static_cast<const std::int32_t*>(data)[i]
                                       : static_cast<const std::int64_t*>(data)[i]) -
           base;
  }
  void set(std::int64_t i, std::int64_t value) const {
    if (type == CUSPARSE_INDEX_32I) {
      static_cast<std::int32_t*>(data)[i] = static_cast<std::int32_t>(value + base);
    } else {
      static_cast<std::int64_t*>(data)[i] = value + base;
    }
  }
};

inline Indices outer_of(const cusparseSpMatDescr& m) {
  return {m.outer, m.outer_type, m.base};
}
inline Indices inner_of(const cusparseSpMatDescr& m) {
  return {m.inner, m.inner_type, m.base};
}
inline std::int64_t outer_count(const cusparseSpMatDescr& m) {
  switch (m.format) {
    case CUSPARSE_FORMAT_CSR:
      return m.rows + 1;
    case CUSPARSE_FORMAT_CSC:
      return m.columns + 1;
    case CUSPARSE_FORMAT_BSR:
    case CUSPARSE_FORMAT_SLICED_ELLPACK:
      return (m.rows + m.block_rows - 1) / m.block_rows + 1;
    case CUSPARSE_FORMAT_BLOCKED_ELL:
      return 0;
    default:
      return m.nnz;
  }
}
/// How many indices there are: of blocks one for each.
inline std::int64_t inner_count(const cusparseSpMatDescr& m) {
  const bool has_blocks =
      m.format == CUSPARSE_FORMAT_BSR || m.format == CUSPARSE_FORMAT_BLOCKED_ELL;
  return has_blocks ? m.nnz / (m.block_rows * m.block_columns) : m.nnz;
}

/// The elements of a block in the row `block_row` of blocks: the first one has that number, and its
/// neighbours in a row and in a column are so many away.
template <class Use>
void for_block(const cusparseSpMatDescr& m, std::int64_t block_row, std::int64_t block_column,
               std::int64_t first, std::int64_t row_step, std::int64_t column_step, Use use) {
  for (std::int64_t i = 0; i < m.block_rows; ++i) {
    for (std::int64_t j = 0; j < m.block_columns; ++j) {
      use(block_row * m.block_rows + i, block_column * m.block_columns + j,
          first + i * row_step + j * column_step);
    }
  }
}

template <class Use>
void for_entries_of_bsr(const cusparseSpMatDescr& m, Use use) {
  const Indices offsets = outer_of(m);
  const Indices columns = inner_of(m);
  const bool by_rows = m.block_order == CUSPARSE_ORDER_ROW;
  for (std::int64_t row = 0; row < m.rows / m.block_rows; ++row) {
    for (std::int64_t block = offsets[row]; block < offsets[row + 1]; ++block) {
      for_block(m, row, columns[block], block * m.block_rows * m.block_columns,
                by_rows ? m.block_columns : 1, by_rows ? 1 : m.block_rows, use);
    }
  }
}

/// The rows of each block are as far apart as those of the matrix of all that is stored. A block
/// without a column is none.
template <class Use>
void for_entries_of_blocked_ell(const cusparseSpMatDescr& m, Use use) {
  const Indices columns = inner_of(m);
  const std::int64_t blocks = m.width / m.block_columns;
  for (std::int64_t row = 0; row < m.rows / m.block_rows; ++row) {
    for (std::int64_t block = 0; block < blocks; ++block) {
      const std::int64_t column = columns[row * blocks + block];
      if (column < 0) continue;
      for_block(m, row, column, row * m.block_rows * m.width + block * m.block_columns, m.width, 1,
                use);
    }
  }
}

/// A slice is stored column by column.
template <class Use>
void for_entries_of_sliced_ell(const cusparseSpMatDescr& m, Use use) {
  const Indices slices = outer_of(m);
  const Indices columns = inner_of(m);
  for (std::int64_t i = 0; i < m.rows; ++i) {
    const std::int64_t slice = i / m.block_rows;
    for (std::int64_t k = slices[slice] + i % m.block_rows; k < slices[slice + 1];
         k += m.block_rows) {
      if (columns[k] >= 0) use(i, columns[k], k);
    }
  }
}

/// Calls `use` with the row, the column and the number of each element that a matrix has.
template <class Use>
void for_entries(const cusparseSpMatDescr& m, Use use) {
  const Indices outer = outer_of(m);
  const Indices inner = inner_of(m);
  if (m.format == CUSPARSE_FORMAT_COO) {
    for (std::int64_t k = 0; k < m.nnz; ++k) use(outer[k], inner[k], k);
    return;
  }
  if (m.format == CUSPARSE_FORMAT_BSR) return for_entries_of_bsr(m, use);
  if (m.format == CUSPARSE_FORMAT_BLOCKED_ELL) return for_entries_of_blocked_ell(m, use);
  if (m.format == CUSPARSE_FORMAT_SLICED_ELLPACK) return for_entries_of_sliced_ell(m, use);
  const bool by_rows = m.format == CUSPARSE_FORMAT_CSR;
  for (std::int64_t i = 0; i < (by_rows ? m.rows : m.columns); ++i) {
    for (std::int64_t k = outer[i]; k < outer[i + 1]; ++k) {
      by_rows ? use(i, inner[k], k) : use(inner[k], i, k);
    }
  }
}

}  // namespace emulator::cusparse
