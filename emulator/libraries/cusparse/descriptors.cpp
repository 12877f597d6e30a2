/// \file
/// Descriptors of vectors and matrices: made, asked, changed, destroyed.

#include "libraries/cusparse/descriptors.hpp"

#include "libraries/cusparse/registry.hpp"

namespace emulator::cusparse {
namespace {

// What can be described. Which types of values can be computed with, the calls say.
bool makes_sense(const cusparseSpVecDescr& v) {
  return v.size >= 0 && v.nnz >= 0 && v.nnz <= v.size && is_index(v.index_type) && is_base(v.base);
}
bool makes_sense(const cusparseSpMatDescr& m) {
  return m.rows >= 0 && m.columns >= 0 && m.nnz >= 0 && is_index(m.outer_type) &&
         is_index(m.inner_type) && is_base(m.base);
}
bool makes_sense(const cusparseDnVecDescr& v) {
  return v.size >= 0;
}
bool makes_sense(const cusparseDnMatDescr& m) {
  const bool by_rows = m.order == CUSPARSE_ORDER_ROW;
  return m.rows >= 0 && m.columns >= 0 && (by_rows || m.order == CUSPARSE_ORDER_COL) &&
         m.ld >= (by_rows ? m.columns : m.rows);
}
template <class Result, class T>
cusparseStatus_t described(Result** result, const T& value) {
  if (result == nullptr || !makes_sense(value)) return CUSPARSE_STATUS_INVALID_VALUE;
  return made(result, value);
}

}  // namespace
}  // namespace emulator::cusparse

using namespace emulator::cusparse;

cusparseStatus_t cusparseCreateSpVec(cusparseSpVecDescr_t* descr, int64_t size, int64_t nnz,
                                     void* indices, void* values, cusparseIndexType_t idxType,
                                     cusparseIndexBase_t idxBase, cudaDataType valueType) {
  return described(descr, cusparseSpVecDescr{size, nnz, mutable_of(indices), mutable_of(values),
                                             idxType, idxBase, valueType});
}
cusparseStatus_t cusparseCreateConstSpVec(cusparseConstSpVecDescr_t* descr, int64_t size,
                                          int64_t nnz, const void* indices, const void* values,
                                          cusparseIndexType_t idxType, cusparseIndexBase_t idxBase,
                                          cudaDataType valueType) {
  return described(descr, cusparseSpVecDescr{size, nnz, mutable_of(indices), mutable_of(values),
                                             idxType, idxBase, valueType});
}
cusparseStatus_t cusparseCreateDnVec(cusparseDnVecDescr_t* descr, int64_t size, void* values,
                                     cudaDataType valueType) {
  return described(descr, cusparseDnVecDescr{size, mutable_of(values), valueType});
}
cusparseStatus_t cusparseCreateConstDnVec(cusparseConstDnVecDescr_t* descr, int64_t size,
                                          const void* values, cudaDataType valueType) {
  return described(descr, cusparseDnVecDescr{size, mutable_of(values), valueType});
}
cusparseStatus_t cusparseCreateDnMat(cusparseDnMatDescr_t* descr, int64_t rows, int64_t cols,
                                     int64_t ld, void* values, cudaDataType valueType,
                                     cusparseOrder_t order) {
  return described(descr, cusparseDnMatDescr{rows, cols, ld, mutable_of(values), valueType, order});
}
cusparseStatus_t cusparseCreateConstDnMat(cusparseConstDnMatDescr_t* descr, int64_t rows,
                                          int64_t cols, int64_t ld, const void* values,
                                          cudaDataType valueType, cusparseOrder_t order) {
  return described(descr, cusparseDnMatDescr{rows, cols, ld, mutable_of(values), valueType, order});
}
cusparseStatus_t cusparseCreateCsr(cusparseSpMatDescr_t* descr, int64_t rows, int64_t cols,
                                   int64_t nnz, void* offsets, void* indices, void* values,
                                   cusparseIndexType_t offsetsType, cusparseIndexType_t indType,
                                   cusparseIndexBase_t idxBase, cudaDataType valueType) {
  return described(descr,
                   cusparseSpMatDescr{CUSPARSE_FORMAT_CSR, rows, cols, nnz, mutable_of(offsets),
                                      mutable_of(indices), mutable_of(values), offsetsType, indType,
                                      idxBase, valueType});
}
cusparseStatus_t cusparseCreateConstCsr(cusparseConstSpMatDescr_t* descr, int64_t rows,
                                        int64_t cols, int64_t nnz, const void* offsets,
                                        const void* indices, const void* values,
                                        cusparseIndexType_t offsetsType,
                                        cusparseIndexType_t indType, cusparseIndexBase_t idxBase,
                                        cudaDataType valueType) {
  return described(descr,
                   cusparseSpMatDescr{CUSPARSE_FORMAT_CSR, rows, cols, nnz, mutable_of(offsets),
                                      mutable_of(indices), mutable_of(values), offsetsType, indType,
                                      idxBase, valueType});
}
cusparseStatus_t cusparseCreateCsc(cusparseSpMatDescr_t* descr, int64_t rows, int64_t cols,
                                   int64_t nnz, void* offsets, void* indices, void* values,
                                   cusparseIndexType_t offsetsType, cusparseIndexType_t indType,
                                   cusparseIndexBase_t idxBase, cudaDataType valueType) {
  return described(descr,
                   cusparseSpMatDescr{CUSPARSE_FORMAT_CSC, rows, cols, nnz, mutable_of(offsets),
                                      mutable_of(indices), mutable_of(values), offsetsType, indType,
                                      idxBase, valueType});
}
cusparseStatus_t cusparseCreateConstCsc(cusparseConstSpMatDescr_t* descr, int64_t rows,
                                        int64_t cols, int64_t nnz, const void* offsets,
                                        const void* indices, const void* values,
                                        cusparseIndexType_t offsetsType,
                                        cusparseIndexType_t indType, cusparseIndexBase_t idxBase,
                                        cudaDataType valueType) {
  return described(descr,
                   cusparseSpMatDescr{CUSPARSE_FORMAT_CSC, rows, cols, nnz, mutable_of(offsets),
                                      mutable_of(indices), mutable_of(values), offsetsType, indType,
                                      idxBase, valueType});
}
cusparseStatus_t cusparseCreateCoo(cusparseSpMatDescr_t* descr, int64_t rows, int64_t cols,
                                   int64_t nnz, void* rowInd, void* colInd, void* values,
                                   cusparseIndexType_t idxType, cusparseIndexBase_t idxBase,
                                   cudaDataType valueType) {
  return described(
      descr, cusparseSpMatDescr{CUSPARSE_FORMAT_COO, rows, cols, nnz, mutable_of(rowInd),
                                mutable_of(colInd), mutable_of(values), idxType, idxType, idxBase,
                                valueType});
}
cusparseStatus_t cusparseCreateConstCoo(cusparseConstSpMatDescr_t* descr, int64_t rows,
                                        int64_t cols, int64_t nnz, const void* rowInd,
                                        const void* colInd, const void* values,
                                        cusparseIndexType_t idxType, cusparseIndexBase_t idxBase,
                                        cudaDataType valueType) {
  return described(
      descr, cusparseSpMatDescr{CUSPARSE_FORMAT_COO, rows, cols, nnz, mutable_of(rowInd),
                                mutable_of(colInd), mutable_of(values), idxType, idxType, idxBase,
                                valueType});
}
cusparseStatus_t cusparseDestroySpVec(cusparseConstSpVecDescr_t descr) {
  return destroyed(descr, CUSPARSE_STATUS_INVALID_VALUE);
}
cusparseStatus_t cusparseSpVecGetValues(cusparseSpVecDescr_t descr, void** values) {
  return with(descr, {values}, [&] { *values = descr->values; });
}
cusparseStatus_t cusparseSpVecSetValues(cusparseSpVecDescr_t descr, void* values) {
  return with(descr, {values}, [&] { descr->values = values; });
}
cusparseStatus_t cusparseDestroyDnVec(cusparseConstDnVecDescr_t descr) {
  return destroyed(descr, CUSPARSE_STATUS_INVALID_VALUE);
}
cusparseStatus_t cusparseDnVecGetValues(cusparseDnVecDescr_t descr, void** values) {
  return with(descr, {values}, [&] { *values = descr->values; });
}
cusparseStatus_t cusparseDnVecSetValues(cusparseDnVecDescr_t descr, void* values) {
  return with(descr, {values}, [&] { descr->values = values; });
}
cusparseStatus_t cusparseDestroySpMat(cusparseConstSpMatDescr_t descr) {
  return destroyed(descr, CUSPARSE_STATUS_INVALID_VALUE);
}
cusparseStatus_t cusparseSpMatGetValues(cusparseSpMatDescr_t descr, void** values) {
  return with(descr, {values}, [&] { *values = descr->values; });
}
cusparseStatus_t cusparseSpMatSetValues(cusparseSpMatDescr_t descr, void* values) {
  return with(descr, {values}, [&] { descr->values = values; });
}
cusparseStatus_t cusparseDestroyDnMat(cusparseConstDnMatDescr_t descr) {
  return destroyed(descr, CUSPARSE_STATUS_INVALID_VALUE);
}
cusparseStatus_t cusparseDnMatGetValues(cusparseDnMatDescr_t descr, void** values) {
  return with(descr, {values}, [&] { *values = descr->values; });
}
cusparseStatus_t cusparseDnMatSetValues(cusparseDnMatDescr_t descr, void* values) {
  return with(descr, {values}, [&] { descr->values = values; });
}
cusparseStatus_t cusparseSpVecGet(cusparseSpVecDescr_t descr, int64_t* size, int64_t* nnz,
                                  void** indices, void** values, cusparseIndexType_t* idxType,
                                  cusparseIndexBase_t* idxBase, cudaDataType* valueType) {
  return with(descr, {size, nnz, indices, values, idxType, idxBase, valueType}, [&] {
    *size = descr->size;
    *nnz = descr->nnz;
    *indices = descr->indices;
    *values = descr->values;
    *idxType = descr->index_type;
    *idxBase = descr->base;
    *valueType = descr->type;
  });
}
cusparseStatus_t cusparseDnVecGet(cusparseDnVecDescr_t descr, int64_t* size, void** values,
                                  cudaDataType* valueType) {
  return with(descr, {size, values, valueType}, [&] {
    *size = descr->size;
    *values = descr->values;
    *valueType = descr->type;
  });
}
cusparseStatus_t cusparseConstSpVecGet(cusparseConstSpVecDescr_t descr, int64_t* size, int64_t* nnz,
                                       const void** indices, const void** values,
                                       cusparseIndexType_t* idxType, cusparseIndexBase_t* idxBase,
                                       cudaDataType* valueType) {
  return with(descr, {size, nnz, indices, values, idxType, idxBase, valueType}, [&] {
    *size = descr->size;
    *nnz = descr->nnz;
    *indices = descr->indices;
    *values = descr->values;
    *idxType = descr->index_type;
    *idxBase = descr->base;
    *valueType = descr->type;
  });
}
cusparseStatus_t cusparseConstDnVecGet(cusparseConstDnVecDescr_t descr, int64_t* size,
                                       const void** values, cudaDataType* valueType) {
  return with(descr, {size, values, valueType}, [&] {
    *size = descr->size;
    *values = descr->values;
    *valueType = descr->type;
  });
}
cusparseStatus_t cusparseSpVecGetIndexBase(cusparseConstSpVecDescr_t descr,
                                           cusparseIndexBase_t* idxBase) {
  return with(descr, {idxBase}, [&] { *idxBase = descr->base; });
}
cusparseStatus_t cusparseCsrGet(cusparseSpMatDescr_t descr, int64_t* rows, int64_t* cols,
                                int64_t* nnz, void** outer, void** inner, void** values,
                                cusparseIndexType_t* offsetsType, cusparseIndexType_t* indType,
                                cusparseIndexBase_t* idxBase, cudaDataType* valueType) {
  return with(descr,
              {rows, cols, nnz, outer, inner, values, offsetsType, indType, idxBase, valueType},
              [&] {
                *rows = descr->rows;
                *cols = descr->columns;
                *nnz = descr->nnz;
                *outer = descr->outer;
                *inner = descr->inner;
                *values = descr->values;
                *offsetsType = descr->outer_type;
                *indType = descr->inner_type;
                *idxBase = descr->base;
                *valueType = descr->type;
              });
}
cusparseStatus_t cusparseCscGet(cusparseSpMatDescr_t descr, int64_t* rows, int64_t* cols,
                                int64_t* nnz, void** outer, void** inner, void** values,
                                cusparseIndexType_t* offsetsType, cusparseIndexType_t* indType,
                                cusparseIndexBase_t* idxBase, cudaDataType* valueType) {
  return with(descr,
              {rows, cols, nnz, outer, inner, values, offsetsType, indType, idxBase, valueType},
              [&] {
                *rows = descr->rows;
                *cols = descr->columns;
                *nnz = descr->nnz;
                *outer = descr->outer;
                *inner = descr->inner;
                *values = descr->values;
                *offsetsType = descr->outer_type;
                *indType = descr->inner_type;
                *idxBase = descr->base;
                *valueType = descr->type;
              });
}
cusparseStatus_t cusparseCooGet(cusparseSpMatDescr_t descr, int64_t* rows, int64_t* cols,
                                int64_t* nnz, void** outer, void** inner, void** values,
                                cusparseIndexType_t* idxType, cusparseIndexBase_t* idxBase,
                                cudaDataType* valueType) {
  return with(descr, {rows, cols, nnz, outer, inner, values, idxType, idxBase, valueType}, [&] {
    *rows = descr->rows;
    *cols = descr->columns;
    *nnz = descr->nnz;
    *outer = descr->outer;
    *inner = descr->inner;
    *values = descr->values;
    *idxType = descr->inner_type;
    *idxBase = descr->base;
    *valueType = descr->type;
  });
}
cusparseStatus_t cusparseCsrSetPointers(cusparseSpMatDescr_t descr, void* outer, void* inner,
                                        void* values) {
  return with(descr, {outer, inner, values}, [&] {
    descr->outer = outer;
    descr->inner = inner;
    descr->values = values;
  });
}
cusparseStatus_t cusparseCscSetPointers(cusparseSpMatDescr_t descr, void* outer, void* inner,
                                        void* values) {
  return with(descr, {outer, inner, values}, [&] {
    descr->outer = outer;
    descr->inner = inner;
    descr->values = values;
  });
}
cusparseStatus_t cusparseCooSetPointers(cusparseSpMatDescr_t descr, void* outer, void* inner,
                                        void* values) {
  return with(descr, {outer, inner, values}, [&] {
    descr->outer = outer;
    descr->inner = inner;
    descr->values = values;
  });
}
cusparseStatus_t cusparseSpMatGetFormat(cusparseConstSpMatDescr_t descr, cusparseFormat_t* format) {
  return with(descr, {format}, [&] { *format = descr->format; });
}
cusparseStatus_t cusparseSpMatGetIndexBase(cusparseConstSpMatDescr_t descr,
                                           cusparseIndexBase_t* idxBase) {
  return with(descr, {idxBase}, [&] { *idxBase = descr->base; });
}
cusparseStatus_t cusparseSpMatGetSize(cusparseConstSpMatDescr_t descr, int64_t* rows, int64_t* cols,
                                      int64_t* nnz) {
  return with(descr, {rows, cols, nnz}, [&] {
    *rows = descr->rows;
    *cols = descr->columns;
    *nnz = descr->told_nnz >= 0 ? descr->told_nnz : descr->nnz;
  });
}
cusparseStatus_t cusparseDnMatGet(cusparseDnMatDescr_t descr, int64_t* rows, int64_t* cols,
                                  int64_t* ld, void** values, cudaDataType* type,
                                  cusparseOrder_t* order) {
  return with(descr, {rows, cols, ld, values, type, order}, [&] {
    *rows = descr->rows;
    *cols = descr->columns;
    *ld = descr->ld;
    *values = descr->values;
    *type = descr->type;
    *order = descr->order;
  });
}
