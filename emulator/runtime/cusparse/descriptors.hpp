#pragma once
/// \file
/// What the emulator's cuSPARSE remembers: handles, and descriptors of vectors and matrices.

#include <cstdint>

#include "cusparse.h"

struct cusparseContext {
  cudaStream_t stream = nullptr;
  cusparsePointerMode_t pointer_mode = CUSPARSE_POINTER_MODE_HOST;
};
struct cusparseMatDescr {
  cusparseMatrixType_t type = CUSPARSE_MATRIX_TYPE_GENERAL;
  cusparseFillMode_t fill_mode = CUSPARSE_FILL_MODE_LOWER;
  cusparseDiagType_t diagonal = CUSPARSE_DIAG_TYPE_NON_UNIT;
  cusparseIndexBase_t base = CUSPARSE_INDEX_BASE_ZERO;
};
struct cusparseSpVecDescr {
  std::int64_t size;
  std::int64_t nnz;
  void* indices;
  void* values;
  cusparseIndexType_t index_type;
  cusparseIndexBase_t base;
  cudaDataType type;
};
struct cusparseDnVecDescr {
  std::int64_t size;
  void* values;
  cudaDataType type;
};
/// Of the three formats. `outer` are CSR's rows and CSC's columns: offsets, one more than there
/// are; COO has the row of each element. `inner` is the other index of each.
struct cusparseSpMatDescr {
  cusparseFormat_t format;
  std::int64_t rows;
  std::int64_t columns;
  std::int64_t nnz;
  void* outer;
  void* inner;
  void* values;
  cusparseIndexType_t outer_type;
  cusparseIndexType_t inner_type;
  cusparseIndexBase_t base;
  cudaDataType type;
  bool is_analysed =
      false;  ///< cusparseDenseToSparse_analysis has said how many elements there are
};
struct cusparseDnMatDescr {
  std::int64_t rows;
  std::int64_t columns;
  std::int64_t ld;
  void* values;
  cudaDataType type;
  cusparseOrder_t order;
};

namespace emulator::detail {

/// Whether a handle or a descriptor is one that has been made, and not destroyed.
bool is_live(const void* descriptor);

}  // namespace emulator::detail
