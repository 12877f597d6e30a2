/// \file
/// What can be said of a matrix beside its arrays: batches, and which part of it a solver takes.
/// And the readers of constant descriptors.

#include "libraries/cusparse/registry.hpp"

namespace emulator::cusparse {
namespace {

// An attribute's place in a descriptor, and its two values.
template <class Matrix, class Use>
cusparseStatus_t use_attribute(Matrix* matrix, cusparseSpMatAttribute_t attribute, const void* data,
                               std::size_t size, Use use) {
  if (!is_live(matrix) || data == nullptr) return CUSPARSE_STATUS_INVALID_VALUE;
  const auto sized = [&](auto& place) {
    if (size != sizeof(place)) return CUSPARSE_STATUS_INVALID_VALUE;
    return use(place);
  };
  if (attribute == CUSPARSE_SPMAT_FILL_MODE) return sized(matrix->fill_mode);
  if (attribute == CUSPARSE_SPMAT_DIAG_TYPE) return sized(matrix->diagonal);
  return CUSPARSE_STATUS_INVALID_VALUE;
}

// Matrices of a batch are apart, or are all the same.
bool is_distance(std::int64_t distance, std::int64_t length) {
  return distance == 0 || distance >= length;
}
template <class Matrix>
bool can_be_batch(const Matrix* matrix, int count) {
  return is_live(matrix) && count >= 1;
}

}  // namespace
}  // namespace emulator::cusparse

using namespace emulator::cusparse;

cusparseStatus_t cusparseSpMatSetAttribute(cusparseSpMatDescr_t descr,
                                           cusparseSpMatAttribute_t attribute, void* data,
                                           std::size_t dataSize) {
  return use_attribute(descr, attribute, data, dataSize, [&](auto& place) {
    int value = 0;  // both are enumerations of 0 and 1
    __builtin_memcpy(&value, data, sizeof(value));
    if (value != 0 && value != 1) return CUSPARSE_STATUS_INVALID_VALUE;
    __builtin_memcpy(&place, data, sizeof(place));
    return CUSPARSE_STATUS_SUCCESS;
  });
}
cusparseStatus_t cusparseSpMatGetAttribute(cusparseConstSpMatDescr_t descr,
                                           cusparseSpMatAttribute_t attribute, void* data,
                                           std::size_t dataSize) {
  return use_attribute(descr, attribute, data, dataSize, [&](const auto& place) {
    __builtin_memcpy(data, &place, sizeof(place));
    return CUSPARSE_STATUS_SUCCESS;
  });
}

cusparseStatus_t cusparseCsrSetStridedBatch(cusparseSpMatDescr_t descr, int batchCount,
                                            int64_t offsetsBatchStride,
                                            int64_t columnsValuesBatchStride) {
  if (!can_be_batch(descr, batchCount) || descr->format != CUSPARSE_FORMAT_CSR ||
      !is_distance(offsetsBatchStride, descr->rows + 1) ||
      !is_distance(columnsValuesBatchStride, descr->nnz)) {
    return CUSPARSE_STATUS_INVALID_VALUE;
  }
  descr->batch_count = batchCount;
  descr->outer_distance = offsetsBatchStride;
  descr->inner_distance = columnsValuesBatchStride;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseCooSetStridedBatch(cusparseSpMatDescr_t descr, int batchCount,
                                            int64_t batchStride) {
  if (!can_be_batch(descr, batchCount) || descr->format != CUSPARSE_FORMAT_COO ||
      !is_distance(batchStride, descr->nnz)) {
    return CUSPARSE_STATUS_INVALID_VALUE;
  }
  descr->batch_count = batchCount;
  descr->outer_distance = batchStride;
  descr->inner_distance = batchStride;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpMatGetStridedBatch(cusparseConstSpMatDescr_t descr, int* batchCount) {
  return with(descr, {batchCount}, [&] { *batchCount = descr->batch_count; });
}
cusparseStatus_t cusparseDnMatSetStridedBatch(cusparseDnMatDescr_t descr, int batchCount,
                                              int64_t batchStride) {
  if (!can_be_batch(descr, batchCount)) return CUSPARSE_STATUS_INVALID_VALUE;
  const bool by_rows = descr->order == CUSPARSE_ORDER_ROW;
  if (!is_distance(batchStride, descr->ld * (by_rows ? descr->rows : descr->columns))) {
    return CUSPARSE_STATUS_INVALID_VALUE;
  }
  descr->batch_count = batchCount;
  descr->distance = batchStride;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseDnMatGetStridedBatch(cusparseConstDnMatDescr_t descr, int* batchCount,
                                              int64_t* batchStride) {
  return with(descr, {batchCount, batchStride}, [&] {
    *batchCount = descr->batch_count;
    *batchStride = descr->distance;
  });
}

cusparseStatus_t cusparseConstSpVecGetValues(cusparseConstSpVecDescr_t descr, const void** values) {
  return with(descr, {values}, [&] { *values = descr->values; });
}
cusparseStatus_t cusparseConstDnVecGetValues(cusparseConstDnVecDescr_t descr, const void** values) {
  return with(descr, {values}, [&] { *values = descr->values; });
}
cusparseStatus_t cusparseConstSpMatGetValues(cusparseConstSpMatDescr_t descr, const void** values) {
  return with(descr, {values}, [&] { *values = descr->values; });
}
cusparseStatus_t cusparseConstDnMatGetValues(cusparseConstDnMatDescr_t descr, const void** values) {
  return with(descr, {values}, [&] { *values = descr->values; });
}
cusparseStatus_t cusparseConstDnMatGet(cusparseConstDnMatDescr_t descr, int64_t* rows,
                                       int64_t* cols, int64_t* ld, const void** values,
                                       cudaDataType* type, cusparseOrder_t* order) {
  void* place = nullptr;
  if (values == nullptr) return CUSPARSE_STATUS_INVALID_VALUE;
  const cusparseStatus_t status = cusparseDnMatGet(const_cast<cusparseDnMatDescr_t>(descr), rows,
                                                   cols, ld, &place, type, order);
  if (status == CUSPARSE_STATUS_SUCCESS) *values = place;
  return status;
}

namespace {

// The readers of matrices that may be written to know how: this turns their pointers.
using GetCompressed = decltype(&cusparseCsrGet);
cusparseStatus_t get_constant(GetCompressed get, cusparseConstSpMatDescr_t descr, int64_t* rows,
                              int64_t* cols, int64_t* nnz, const void** outer, const void** inner,
                              const void** values, cusparseIndexType_t* outer_type,
                              cusparseIndexType_t* inner_type, cusparseIndexBase_t* base,
                              cudaDataType* type) {
  if (outer == nullptr || inner == nullptr || values == nullptr) {
    return CUSPARSE_STATUS_INVALID_VALUE;
  }
  void* places[3] = {};
  const cusparseStatus_t status =
      get(const_cast<cusparseSpMatDescr_t>(descr), rows, cols, nnz, &places[0], &places[1],
          &places[2], outer_type, inner_type, base, type);
  if (status == CUSPARSE_STATUS_SUCCESS) {
    *outer = places[0];
    *inner = places[1];
    *values = places[2];
  }
  return status;
}

}  // namespace

cusparseStatus_t cusparseConstCsrGet(cusparseConstSpMatDescr_t descr, int64_t* rows, int64_t* cols,
                                     int64_t* nnz, const void** csrRowOffsets,
                                     const void** csrColInd, const void** values,
                                     cusparseIndexType_t* offsetsType, cusparseIndexType_t* indType,
                                     cusparseIndexBase_t* idxBase, cudaDataType* valueType) {
  return get_constant(cusparseCsrGet, descr, rows, cols, nnz, csrRowOffsets, csrColInd, values,
                      offsetsType, indType, idxBase, valueType);
}
cusparseStatus_t cusparseConstCscGet(cusparseConstSpMatDescr_t descr, int64_t* rows, int64_t* cols,
                                     int64_t* nnz, const void** cscColOffsets,
                                     const void** cscRowInd, const void** values,
                                     cusparseIndexType_t* offsetsType, cusparseIndexType_t* indType,
                                     cusparseIndexBase_t* idxBase, cudaDataType* valueType) {
  return get_constant(cusparseCscGet, descr, rows, cols, nnz, cscColOffsets, cscRowInd, values,
                      offsetsType, indType, idxBase, valueType);
}
cusparseStatus_t cusparseConstCooGet(cusparseConstSpMatDescr_t descr, int64_t* rows, int64_t* cols,
                                     int64_t* nnz, const void** cooRowInd, const void** cooColInd,
                                     const void** values, cusparseIndexType_t* idxType,
                                     cusparseIndexBase_t* idxBase, cudaDataType* valueType) {
  cusparseIndexType_t outer_type{};
  return get_constant(
      [](cusparseSpMatDescr_t matrix, int64_t* m, int64_t* n, int64_t* count, void** outer,
         void** inner, void** elements, cusparseIndexType_t*, cusparseIndexType_t* inner_type,
         cusparseIndexBase_t* base, cudaDataType* type) {
        return cusparseCooGet(matrix, m, n, count, outer, inner, elements, inner_type, base, type);
      },
      descr, rows, cols, nnz, cooRowInd, cooColInd, values, &outer_type, idxType, idxBase,
      valueType);
}
