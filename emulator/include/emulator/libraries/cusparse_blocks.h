#pragma once
#pragma GCC system_header
/// \file
/// Sparse matrices in blocks: BSR, blocked ELL, and ELL in slices. cusparse.h includes this file.

extern "C" {

/// \restricted For SpMV, SpMM, SDDMM and conversions to dense matrices only.
cusparseStatus_t cusparseCreateBsr(cusparseSpMatDescr_t* descr, int64_t brows, int64_t bcols,
                                   int64_t bnnz, int64_t rowBlockSize, int64_t colBlockSize,
                                   void* bsrRowOffsets, void* bsrColInd, void* bsrValues,
                                   cusparseIndexType_t bsrRowOffsetsType,
                                   cusparseIndexType_t bsrColIndType, cusparseIndexBase_t idxBase,
                                   cudaDataType valueType, cusparseOrder_t order);
cusparseStatus_t cusparseCreateConstBsr(
    cusparseConstSpMatDescr_t* descr, int64_t brows, int64_t bcols, int64_t bnnz,
    int64_t rowBlockSize, int64_t colBlockSize, const void* bsrRowOffsets, const void* bsrColInd,
    const void* bsrValues, cusparseIndexType_t bsrRowOffsetsType, cusparseIndexType_t bsrColIndType,
    cusparseIndexBase_t idxBase, cudaDataType valueType, cusparseOrder_t order);

/// \restricted For SpMM and conversions from and to dense matrices only.
cusparseStatus_t cusparseCreateBlockedEll(cusparseSpMatDescr_t* descr, int64_t rows, int64_t cols,
                                          int64_t ellBlockSize, int64_t ellCols, void* ellColInd,
                                          void* ellValue, cusparseIndexType_t ellIdxType,
                                          cusparseIndexBase_t idxBase, cudaDataType valueType);
cusparseStatus_t cusparseCreateConstBlockedEll(cusparseConstSpMatDescr_t* descr, int64_t rows,
                                               int64_t cols, int64_t ellBlockSize, int64_t ellCols,
                                               const void* ellColInd, const void* ellValue,
                                               cusparseIndexType_t ellIdxType,
                                               cusparseIndexBase_t idxBase, cudaDataType valueType);
cusparseStatus_t cusparseBlockedEllGet(cusparseSpMatDescr_t descr, int64_t* rows, int64_t* cols,
                                       int64_t* ellBlockSize, int64_t* ellCols, void** ellColInd,
                                       void** ellValue, cusparseIndexType_t* ellIdxType,
                                       cusparseIndexBase_t* idxBase, cudaDataType* valueType);
cusparseStatus_t cusparseConstBlockedEllGet(cusparseConstSpMatDescr_t descr, int64_t* rows,
                                            int64_t* cols, int64_t* ellBlockSize, int64_t* ellCols,
                                            const void** ellColInd, const void** ellValue,
                                            cusparseIndexType_t* ellIdxType,
                                            cusparseIndexBase_t* idxBase, cudaDataType* valueType);

/// \restricted For SpMV, SpSV, SpSM and conversions to dense matrices only.
cusparseStatus_t cusparseCreateSlicedEll(cusparseSpMatDescr_t* descr, int64_t rows, int64_t cols,
                                         int64_t nnz, int64_t sellValuesSize, int64_t sliceSize,
                                         void* sellSliceOffsets, void* sellColInd, void* sellValues,
                                         cusparseIndexType_t sellSliceOffsetsType,
                                         cusparseIndexType_t sellColIndType,
                                         cusparseIndexBase_t idxBase, cudaDataType valueType);
cusparseStatus_t cusparseCreateConstSlicedEll(cusparseConstSpMatDescr_t* descr, int64_t rows,
                                              int64_t cols, int64_t nnz, int64_t sellValuesSize,
                                              int64_t sliceSize, const void* sellSliceOffsets,
                                              const void* sellColInd, const void* sellValues,
                                              cusparseIndexType_t sellSliceOffsetsType,
                                              cusparseIndexType_t sellColIndType,
                                              cusparseIndexBase_t idxBase, cudaDataType valueType);
}
