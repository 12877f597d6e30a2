#pragma once
/// \file
/// What the emulator's cuSPARSE remembers: handles, and descriptors of vectors and matrices.

#include <complex>
#include <cstdint>
#include <memory>

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
/// Of all formats. `outer` are CSR's rows and CSC's columns, BSR's rows of blocks and the slices of
/// sliced ELL: offsets, one more than there are; COO has the row of each element. `inner` is the
/// other index of each. `nnz` counts what is stored, with what only fills rows and blocks.
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
  cusparseFillMode_t fill_mode = CUSPARSE_FILL_MODE_LOWER;  // for the solvers
  cusparseDiagType_t diagonal = CUSPARSE_DIAG_TYPE_NON_UNIT;
  int batch_count = 1;
  std::int64_t outer_distance = 0;  // of the matrices of a batch, in elements
  std::int64_t inner_distance = 0;
  std::int64_t block_rows = 1;     // of a block; sliced ELL: of a slice
  std::int64_t block_columns = 1;  // of a block
  std::int64_t width = 0;          // columns that blocked ELL stores of each row
  cusparseOrder_t block_order = CUSPARSE_ORDER_ROW;
  std::int64_t told_nnz = -1;  // as the program has said, if that is another number
};
struct cusparseDnMatDescr {
  std::int64_t rows;
  std::int64_t columns;
  std::int64_t ld;
  void* values;
  cudaDataType type;
  cusparseOrder_t order;
  int batch_count = 1;
  std::int64_t distance = 0;
};

/// What a solver keeps of a matrix, made by the analysis.
namespace emulator::cusparse {
struct Triangle;
struct SparseProduct;
}  // namespace emulator::cusparse
struct cusparseSpSVDescr {
  std::shared_ptr<emulator::cusparse::Triangle> triangle;
};
struct cusparseSpSMDescr {
  std::shared_ptr<emulator::cusparse::Triangle> triangle;
};
struct cusparseSpGEMMDescr {
  std::shared_ptr<emulator::cusparse::SparseProduct> product;
};

namespace emulator::cusparse {
/// What a factorisation knows of its matrix. Rows count from 0.
struct FactorInfo {
  bool is_analysed = false;
  std::int64_t base = 0;
  std::int64_t missing = -1;  ///< the first row without an element on the diagonal
  std::int64_t zero = -1;     ///< the first row without a usable pivot
  bool boosts = false;
  double tolerance = 0;
  std::complex<double> boost;
};
}  // namespace emulator::cusparse
struct csrilu02Info {
  emulator::cusparse::FactorInfo factor;
};
struct csric02Info {
  emulator::cusparse::FactorInfo factor;
};

namespace emulator::cusparse {

/// Whether a handle or a descriptor is one that has been made, and not destroyed.
bool is_live(const void* descriptor);

// What a descriptor may be made of.
inline bool is_index(cusparseIndexType_t type) {
  return type == CUSPARSE_INDEX_32I || type == CUSPARSE_INDEX_64I;
}
inline bool is_base(cusparseIndexBase_t base) {
  return base == CUSPARSE_INDEX_BASE_ZERO || base == CUSPARSE_INDEX_BASE_ONE;
}
/// A descriptor of what is constant is only read by.
inline void* mutable_of(const void* pointer) {
  return const_cast<void*>(pointer);
}

}  // namespace emulator::cusparse
