/// \file
/// Descriptors of sparse matrices in blocks, and in slices.

#include "libraries/cusparse/descriptors.hpp"
#include "libraries/cusparse/registry.hpp"

namespace emulator::cusparse {
namespace {

bool blocks_make_sense(const cusparseSpMatDescr& m) {
  return m.rows >= 0 && m.columns >= 0 && m.nnz >= 0 && m.block_rows > 0 && m.block_columns > 0 &&
         is_index(m.outer_type) && is_index(m.inner_type) && is_base(m.base) &&
         (m.block_order == CUSPARSE_ORDER_ROW || m.block_order == CUSPARSE_ORDER_COL);
}

template <class Result>
cusparseStatus_t described_blocks(Result** result, const cusparseSpMatDescr& m) {
  if (result == nullptr || !blocks_make_sense(m)) return CUSPARSE_STATUS_INVALID_VALUE;
  return made(result, m);
}

// Rows and columns of blocks, of so many rows and columns each.
cusparseSpMatDescr bsr(std::int64_t rows, std::int64_t columns, std::int64_t blocks,
                       std::int64_t block_rows, std::int64_t block_columns, const void* offsets,
                       const void* indices, const void* values, cusparseIndexType_t offsets_type,
                       cusparseIndexType_t index_type, cusparseIndexBase_t base, cudaDataType type,
                       cusparseOrder_t order) {
  cusparseSpMatDescr m{CUSPARSE_FORMAT_BSR,
                       rows * block_rows,
                       columns * block_columns,
                       blocks * block_rows * block_columns,
                       mutable_of(offsets),
                       mutable_of(indices),
                       mutable_of(values),
                       offsets_type,
                       index_type,
                       base,
                       type};
  m.block_rows = block_rows;
  m.block_columns = block_columns;
  m.block_order = order;
  return m;
}

// The sizes have to be multiples of the blocks.
template <class Result>
cusparseStatus_t make_blocked_ell(Result** result, std::int64_t rows, std::int64_t columns,
                                  std::int64_t block, std::int64_t width, const void* indices,
                                  const void* values, cusparseIndexType_t index_type,
                                  cusparseIndexBase_t base, cudaDataType type) {
  if (block <= 0 || rows % block != 0 || columns % block != 0 || width < 0 || width % block != 0 ||
      width > columns) {
    return CUSPARSE_STATUS_INVALID_VALUE;
  }
  cusparseSpMatDescr m{CUSPARSE_FORMAT_BLOCKED_ELL,
                       rows,
                       columns,
                       rows * width,
                       nullptr,
                       mutable_of(indices),
                       mutable_of(values),
                       index_type,
                       index_type,
                       base,
                       type};
  m.block_rows = m.block_columns = block;
  m.width = width;
  return described_blocks(result, m);
}

cusparseSpMatDescr sliced_ell(std::int64_t rows, std::int64_t columns, std::int64_t nnz,
                              std::int64_t stored, std::int64_t slice, const void* offsets,
                              const void* indices, const void* values,
                              cusparseIndexType_t offsets_type, cusparseIndexType_t index_type,
                              cusparseIndexBase_t base, cudaDataType type) {
  cusparseSpMatDescr m{CUSPARSE_FORMAT_SLICED_ELLPACK,
                       rows,
                       columns,
                       stored,
                       mutable_of(offsets),
                       mutable_of(indices),
                       mutable_of(values),
                       offsets_type,
                       index_type,
                       base,
                       type};
  m.block_rows = slice;
  m.told_nnz = nnz;
  return m;
}

template <class Pointer>
cusparseStatus_t get_blocked_ell(cusparseConstSpMatDescr_t descr, std::int64_t* rows,
                                 std::int64_t* columns, std::int64_t* block, std::int64_t* width,
                                 Pointer* indices, Pointer* values, cusparseIndexType_t* index_type,
                                 cusparseIndexBase_t* base, cudaDataType* type) {
  return with(descr, {rows, columns, block, width, indices, values, index_type, base, type}, [&] {
    *rows = descr->rows;
    *columns = descr->columns;
    *block = descr->block_rows;
    *width = descr->width;
    *indices = descr->inner;
    *values = descr->values;
    *index_type = descr->inner_type;
    *base = descr->base;
    *type = descr->type;
  });
}

}  // namespace
}  // namespace emulator::cusparse

using namespace emulator::cusparse;

cusparseStatus_t cusparseCreateBsr(cusparseSpMatDescr_t* descr, int64_t brows, int64_t bcols,
                                   int64_t bnnz, int64_t rowBlockSize, int64_t colBlockSize,
                                   void* bsrRowOffsets, void* bsrColInd, void* bsrValues,
                                   cusparseIndexType_t bsrRowOffsetsType,
                                   cusparseIndexType_t bsrColIndType, cusparseIndexBase_t idxBase,
                                   cudaDataType valueType, cusparseOrder_t order) {
  return described_blocks(
      descr, bsr(brows, bcols, bnnz, rowBlockSize, colBlockSize, bsrRowOffsets, bsrColInd,
                 bsrValues, bsrRowOffsetsType, bsrColIndType, idxBase, valueType, order));
}
cusparseStatus_t cusparseCreateConstBsr(
    cusparseConstSpMatDescr_t* descr, int64_t brows, int64_t bcols, int64_t bnnz,
    int64_t rowBlockSize, int64_t colBlockSize, const void* bsrRowOffsets, const void* bsrColInd,
    const void* bsrValues, cusparseIndexType_t bsrRowOffsetsType, cusparseIndexType_t bsrColIndType,
    cusparseIndexBase_t idxBase, cudaDataType valueType, cusparseOrder_t order) {
  return described_blocks(
      descr, bsr(brows, bcols, bnnz, rowBlockSize, colBlockSize, bsrRowOffsets, bsrColInd,
                 bsrValues, bsrRowOffsetsType, bsrColIndType, idxBase, valueType, order));
}
cusparseStatus_t cusparseCreateBlockedEll(cusparseSpMatDescr_t* descr, int64_t rows, int64_t cols,
                                          int64_t ellBlockSize, int64_t ellCols, void* ellColInd,
                                          void* ellValue, cusparseIndexType_t ellIdxType,
                                          cusparseIndexBase_t idxBase, cudaDataType valueType) {
  return make_blocked_ell(descr, rows, cols, ellBlockSize, ellCols, ellColInd, ellValue, ellIdxType,
                          idxBase, valueType);
}
cusparseStatus_t cusparseCreateConstBlockedEll(cusparseConstSpMatDescr_t* descr, int64_t rows,
                                               int64_t cols, int64_t ellBlockSize, int64_t ellCols,
                                               const void* ellColInd, const void* ellValue,
                                               cusparseIndexType_t ellIdxType,
                                               cusparseIndexBase_t idxBase,
                                               cudaDataType valueType) {
  return make_blocked_ell(descr, rows, cols, ellBlockSize, ellCols, ellColInd, ellValue, ellIdxType,
                          idxBase, valueType);
}
cusparseStatus_t cusparseBlockedEllGet(cusparseSpMatDescr_t descr, int64_t* rows, int64_t* cols,
                                       int64_t* ellBlockSize, int64_t* ellCols, void** ellColInd,
                                       void** ellValue, cusparseIndexType_t* ellIdxType,
                                       cusparseIndexBase_t* idxBase, cudaDataType* valueType) {
  return get_blocked_ell(descr, rows, cols, ellBlockSize, ellCols, ellColInd, ellValue, ellIdxType,
                         idxBase, valueType);
}
cusparseStatus_t cusparseConstBlockedEllGet(cusparseConstSpMatDescr_t descr, int64_t* rows,
                                            int64_t* cols, int64_t* ellBlockSize, int64_t* ellCols,
                                            const void** ellColInd, const void** ellValue,
                                            cusparseIndexType_t* ellIdxType,
                                            cusparseIndexBase_t* idxBase, cudaDataType* valueType) {
  return get_blocked_ell(descr, rows, cols, ellBlockSize, ellCols, ellColInd, ellValue, ellIdxType,
                         idxBase, valueType);
}
cusparseStatus_t cusparseCreateSlicedEll(cusparseSpMatDescr_t* descr, int64_t rows, int64_t cols,
                                         int64_t nnz, int64_t sellValuesSize, int64_t sliceSize,
                                         void* sellSliceOffsets, void* sellColInd, void* sellValues,
                                         cusparseIndexType_t sellSliceOffsetsType,
                                         cusparseIndexType_t sellColIndType,
                                         cusparseIndexBase_t idxBase, cudaDataType valueType) {
  return described_blocks(
      descr, sliced_ell(rows, cols, nnz, sellValuesSize, sliceSize, sellSliceOffsets, sellColInd,
                        sellValues, sellSliceOffsetsType, sellColIndType, idxBase, valueType));
}
cusparseStatus_t cusparseCreateConstSlicedEll(cusparseConstSpMatDescr_t* descr, int64_t rows,
                                              int64_t cols, int64_t nnz, int64_t sellValuesSize,
                                              int64_t sliceSize, const void* sellSliceOffsets,
                                              const void* sellColInd, const void* sellValues,
                                              cusparseIndexType_t sellSliceOffsetsType,
                                              cusparseIndexType_t sellColIndType,
                                              cusparseIndexBase_t idxBase, cudaDataType valueType) {
  return described_blocks(
      descr, sliced_ell(rows, cols, nnz, sellValuesSize, sliceSize, sellSliceOffsets, sellColInd,
                        sellValues, sellSliceOffsetsType, sellColIndType, idxBase, valueType));
}
