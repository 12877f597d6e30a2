#pragma once
#pragma GCC system_header
/// \file
/// cuSPARSE: sparse matrices and vectors, by its generic interface. The older functions are in
/// emulator/libraries/cusparse_legacy.h. Programs that call it link emulator_cusparse (`-lcusparse`
/// with emucc).
///
/// Sums are added up entry by entry, in the order in which the entries are stored, in the type of
/// the values: the last bits can differ from a GPU's. Values are float, double, or complex ones of
/// these, all of a call of the same type; indices have 32 or 64 bits. Work has finished when the
/// call that asked for it returns, and the emulator counts no memory traffic for it. Only
/// cusparseSpGEMM needs buffers here: the sizes of others are 0. Products and solvers refuse
/// CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE for matrices of real numbers with
/// CUSPARSE_STATUS_INVALID_VALUE, as NVIDIA's library does.

#include <stdio.h>  // as NVIDIA's does: programs print without including it themselves

#include <cstddef>
#include <cstdint>

#include "cuComplex.h"
#include "cuda_runtime.h"
#include "library_types.h"

/// Programs ask by this name of NVIDIA's include guard whether cuSPARSE's types are there.
#define CUSPARSE_H_

#define CUSPARSE_VER_MAJOR 12
#define CUSPARSE_VER_MINOR 6
#define CUSPARSE_VER_PATCH 3
#define CUSPARSE_VER_BUILD 3
#define CUSPARSE_VERSION 12603
#define CUSPARSEAPI

enum cusparseStatus_t {
  CUSPARSE_STATUS_SUCCESS = 0,
  CUSPARSE_STATUS_NOT_INITIALIZED = 1,
  CUSPARSE_STATUS_ALLOC_FAILED = 2,
  CUSPARSE_STATUS_INVALID_VALUE = 3,
  CUSPARSE_STATUS_ARCH_MISMATCH = 4,
  CUSPARSE_STATUS_MAPPING_ERROR = 5,
  CUSPARSE_STATUS_EXECUTION_FAILED = 6,
  CUSPARSE_STATUS_INTERNAL_ERROR = 7,
  CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED = 8,
  CUSPARSE_STATUS_ZERO_PIVOT = 9,
  CUSPARSE_STATUS_NOT_SUPPORTED = 10,
  CUSPARSE_STATUS_INSUFFICIENT_RESOURCES = 11
};
enum cusparsePointerMode_t { CUSPARSE_POINTER_MODE_HOST = 0, CUSPARSE_POINTER_MODE_DEVICE = 1 };
enum cusparseAction_t { CUSPARSE_ACTION_SYMBOLIC = 0, CUSPARSE_ACTION_NUMERIC = 1 };
enum cusparseMatrixType_t {
  CUSPARSE_MATRIX_TYPE_GENERAL = 0,
  CUSPARSE_MATRIX_TYPE_SYMMETRIC = 1,
  CUSPARSE_MATRIX_TYPE_HERMITIAN = 2,
  CUSPARSE_MATRIX_TYPE_TRIANGULAR = 3
};
enum cusparseFillMode_t { CUSPARSE_FILL_MODE_LOWER = 0, CUSPARSE_FILL_MODE_UPPER = 1 };
enum cusparseDiagType_t { CUSPARSE_DIAG_TYPE_NON_UNIT = 0, CUSPARSE_DIAG_TYPE_UNIT = 1 };
enum cusparseIndexBase_t { CUSPARSE_INDEX_BASE_ZERO = 0, CUSPARSE_INDEX_BASE_ONE = 1 };
enum cusparseOperation_t {
  CUSPARSE_OPERATION_NON_TRANSPOSE = 0,
  CUSPARSE_OPERATION_TRANSPOSE = 1,
  CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE = 2
};
enum cusparseDirection_t { CUSPARSE_DIRECTION_ROW = 0, CUSPARSE_DIRECTION_COLUMN = 1 };
enum cusparseFormat_t {
  CUSPARSE_FORMAT_CSR = 1,
  CUSPARSE_FORMAT_CSC = 2,
  CUSPARSE_FORMAT_COO = 3,
  CUSPARSE_FORMAT_BLOCKED_ELL = 5,
  CUSPARSE_FORMAT_BSR = 6,
  CUSPARSE_FORMAT_SLICED_ELLPACK = 7
};
enum cusparseOrder_t { CUSPARSE_ORDER_COL = 1, CUSPARSE_ORDER_ROW = 2 };
enum cusparseIndexType_t { CUSPARSE_INDEX_16U = 1, CUSPARSE_INDEX_32I = 2, CUSPARSE_INDEX_64I = 3 };
enum cusparseSpMatAttribute_t { CUSPARSE_SPMAT_FILL_MODE, CUSPARSE_SPMAT_DIAG_TYPE };
enum cusparseSpMVAlg_t {
  CUSPARSE_SPMV_ALG_DEFAULT = 0,
  CUSPARSE_SPMV_COO_ALG1 = 1,
  CUSPARSE_SPMV_CSR_ALG1 = 2,
  CUSPARSE_SPMV_CSR_ALG2 = 3,
  CUSPARSE_SPMV_COO_ALG2 = 4,
  CUSPARSE_SPMV_SELL_ALG1 = 5,
  CUSPARSE_SPMV_BSR_ALG1 = 6
};
enum cusparseSpMMAlg_t {
  CUSPARSE_SPMM_ALG_DEFAULT = 0,
  CUSPARSE_SPMM_COO_ALG1 = 1,
  CUSPARSE_SPMM_COO_ALG2 = 2,
  CUSPARSE_SPMM_COO_ALG3 = 3,
  CUSPARSE_SPMM_CSR_ALG1 = 4,
  CUSPARSE_SPMM_COO_ALG4 = 5,
  CUSPARSE_SPMM_CSR_ALG2 = 6,
  CUSPARSE_SPMM_CSR_ALG3 = 12,
  CUSPARSE_SPMM_BLOCKED_ELL_ALG1 = 13,
  CUSPARSE_SPMM_BSR_ALG1 = 14
};
enum cusparseSparseToDenseAlg_t { CUSPARSE_SPARSETODENSE_ALG_DEFAULT = 0 };
enum cusparseDenseToSparseAlg_t { CUSPARSE_DENSETOSPARSE_ALG_DEFAULT = 0 };

using cusparseHandle_t = struct cusparseContext*;
using cusparseMatDescr_t = struct cusparseMatDescr*;
using cusparseSpVecDescr_t = struct cusparseSpVecDescr*;
using cusparseDnVecDescr_t = struct cusparseDnVecDescr*;
using cusparseSpMatDescr_t = struct cusparseSpMatDescr*;
using cusparseDnMatDescr_t = struct cusparseDnMatDescr*;
using cusparseConstSpVecDescr_t = const cusparseSpVecDescr*;
using cusparseConstDnVecDescr_t = const cusparseDnVecDescr*;
using cusparseConstSpMatDescr_t = const cusparseSpMatDescr*;
using cusparseConstDnMatDescr_t = const cusparseDnMatDescr*;

extern "C" {

// Handles -----------------------------------------------------------------------------------------

cusparseStatus_t cusparseCreate(cusparseHandle_t* handle);
/// \return CUSPARSE_STATUS_NOT_INITIALIZED for a handle that is not live, here and below
cusparseStatus_t cusparseDestroy(cusparseHandle_t handle);
cusparseStatus_t cusparseGetVersion(cusparseHandle_t handle, int* version);
cusparseStatus_t cusparseGetProperty(libraryPropertyType type, int* value);
const char* cusparseGetErrorName(cusparseStatus_t status);
const char* cusparseGetErrorString(cusparseStatus_t status);
cusparseStatus_t cusparseSetStream(cusparseHandle_t handle, cudaStream_t stream);
cusparseStatus_t cusparseGetStream(cusparseHandle_t handle, cudaStream_t* stream);
cusparseStatus_t cusparseSetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t mode);
cusparseStatus_t cusparseGetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t* mode);

// Properties for the older functions --------------------------------------------------------------

cusparseStatus_t cusparseCreateMatDescr(cusparseMatDescr_t* descr);
cusparseStatus_t cusparseDestroyMatDescr(cusparseMatDescr_t descr);
cusparseStatus_t cusparseSetMatType(cusparseMatDescr_t descr, cusparseMatrixType_t type);
cusparseMatrixType_t cusparseGetMatType(cusparseMatDescr_t descr);
cusparseStatus_t cusparseSetMatFillMode(cusparseMatDescr_t descr, cusparseFillMode_t fillMode);
cusparseFillMode_t cusparseGetMatFillMode(cusparseMatDescr_t descr);
cusparseStatus_t cusparseSetMatDiagType(cusparseMatDescr_t descr, cusparseDiagType_t diagType);
cusparseDiagType_t cusparseGetMatDiagType(cusparseMatDescr_t descr);
cusparseStatus_t cusparseSetMatIndexBase(cusparseMatDescr_t descr, cusparseIndexBase_t base);
cusparseIndexBase_t cusparseGetMatIndexBase(cusparseMatDescr_t descr);

// Vectors -----------------------------------------------------------------------------------------

/// `nnz` elements of a vector of `size`.
cusparseStatus_t cusparseCreateSpVec(cusparseSpVecDescr_t* descr, int64_t size, int64_t nnz,
                                     void* indices, void* values, cusparseIndexType_t idxType,
                                     cusparseIndexBase_t idxBase, cudaDataType valueType);
cusparseStatus_t cusparseCreateConstSpVec(cusparseConstSpVecDescr_t* descr, int64_t size,
                                          int64_t nnz, const void* indices, const void* values,
                                          cusparseIndexType_t idxType, cusparseIndexBase_t idxBase,
                                          cudaDataType valueType);
cusparseStatus_t cusparseDestroySpVec(cusparseConstSpVecDescr_t descr);
cusparseStatus_t cusparseSpVecGet(cusparseSpVecDescr_t descr, int64_t* size, int64_t* nnz,
                                  void** indices, void** values, cusparseIndexType_t* idxType,
                                  cusparseIndexBase_t* idxBase, cudaDataType* valueType);
cusparseStatus_t cusparseConstSpVecGet(cusparseConstSpVecDescr_t descr, int64_t* size, int64_t* nnz,
                                       const void** indices, const void** values,
                                       cusparseIndexType_t* idxType, cusparseIndexBase_t* idxBase,
                                       cudaDataType* valueType);
cusparseStatus_t cusparseSpVecGetIndexBase(cusparseConstSpVecDescr_t descr,
                                           cusparseIndexBase_t* idxBase);
cusparseStatus_t cusparseSpVecGetValues(cusparseSpVecDescr_t descr, void** values);
cusparseStatus_t cusparseConstSpVecGetValues(cusparseConstSpVecDescr_t descr, const void** values);
cusparseStatus_t cusparseSpVecSetValues(cusparseSpVecDescr_t descr, void* values);
cusparseStatus_t cusparseCreateDnVec(cusparseDnVecDescr_t* descr, int64_t size, void* values,
                                     cudaDataType valueType);
cusparseStatus_t cusparseCreateConstDnVec(cusparseConstDnVecDescr_t* descr, int64_t size,
                                          const void* values, cudaDataType valueType);
cusparseStatus_t cusparseDestroyDnVec(cusparseConstDnVecDescr_t descr);
cusparseStatus_t cusparseDnVecGet(cusparseDnVecDescr_t descr, int64_t* size, void** values,
                                  cudaDataType* valueType);
cusparseStatus_t cusparseConstDnVecGet(cusparseConstDnVecDescr_t descr, int64_t* size,
                                       const void** values, cudaDataType* valueType);
cusparseStatus_t cusparseDnVecGetValues(cusparseDnVecDescr_t descr, void** values);
cusparseStatus_t cusparseConstDnVecGetValues(cusparseConstDnVecDescr_t descr, const void** values);
cusparseStatus_t cusparseDnVecSetValues(cusparseDnVecDescr_t descr, void* values);

// Matrices ----------------------------------------------------------------------------------------

/// \restricted What the arrays hold is looked at when it is used: offsets that do not ascend and
/// indices outside the matrix fail the call in the emulator.
cusparseStatus_t cusparseCreateCsr(cusparseSpMatDescr_t* descr, int64_t rows, int64_t cols,
                                   int64_t nnz, void* csrRowOffsets, void* csrColInd, void* values,
                                   cusparseIndexType_t offsetsType, cusparseIndexType_t indType,
                                   cusparseIndexBase_t idxBase, cudaDataType valueType);
cusparseStatus_t cusparseCreateConstCsr(cusparseConstSpMatDescr_t* descr, int64_t rows,
                                        int64_t cols, int64_t nnz, const void* csrRowOffsets,
                                        const void* csrColInd, const void* values,
                                        cusparseIndexType_t offsetsType,
                                        cusparseIndexType_t indType, cusparseIndexBase_t idxBase,
                                        cudaDataType valueType);
cusparseStatus_t cusparseCsrGet(cusparseSpMatDescr_t descr, int64_t* rows, int64_t* cols,
                                int64_t* nnz, void** csrRowOffsets, void** csrColInd, void** values,
                                cusparseIndexType_t* offsetsType, cusparseIndexType_t* indType,
                                cusparseIndexBase_t* idxBase, cudaDataType* valueType);
cusparseStatus_t cusparseConstCsrGet(cusparseConstSpMatDescr_t descr, int64_t* rows, int64_t* cols,
                                     int64_t* nnz, const void** csrRowOffsets,
                                     const void** csrColInd, const void** values,
                                     cusparseIndexType_t* offsetsType, cusparseIndexType_t* indType,
                                     cusparseIndexBase_t* idxBase, cudaDataType* valueType);
cusparseStatus_t cusparseCsrSetPointers(cusparseSpMatDescr_t descr, void* csrRowOffsets,
                                        void* csrColInd, void* values);
cusparseStatus_t cusparseCreateCsc(cusparseSpMatDescr_t* descr, int64_t rows, int64_t cols,
                                   int64_t nnz, void* cscColOffsets, void* cscRowInd, void* values,
                                   cusparseIndexType_t offsetsType, cusparseIndexType_t indType,
                                   cusparseIndexBase_t idxBase, cudaDataType valueType);
cusparseStatus_t cusparseCreateConstCsc(cusparseConstSpMatDescr_t* descr, int64_t rows,
                                        int64_t cols, int64_t nnz, const void* cscColOffsets,
                                        const void* cscRowInd, const void* values,
                                        cusparseIndexType_t offsetsType,
                                        cusparseIndexType_t indType, cusparseIndexBase_t idxBase,
                                        cudaDataType valueType);
cusparseStatus_t cusparseCscGet(cusparseSpMatDescr_t descr, int64_t* rows, int64_t* cols,
                                int64_t* nnz, void** cscColOffsets, void** cscRowInd, void** values,
                                cusparseIndexType_t* offsetsType, cusparseIndexType_t* indType,
                                cusparseIndexBase_t* idxBase, cudaDataType* valueType);
cusparseStatus_t cusparseConstCscGet(cusparseConstSpMatDescr_t descr, int64_t* rows, int64_t* cols,
                                     int64_t* nnz, const void** cscColOffsets,
                                     const void** cscRowInd, const void** values,
                                     cusparseIndexType_t* offsetsType, cusparseIndexType_t* indType,
                                     cusparseIndexBase_t* idxBase, cudaDataType* valueType);
cusparseStatus_t cusparseCscSetPointers(cusparseSpMatDescr_t descr, void* cscColOffsets,
                                        void* cscRowInd, void* values);
cusparseStatus_t cusparseCreateCoo(cusparseSpMatDescr_t* descr, int64_t rows, int64_t cols,
                                   int64_t nnz, void* cooRowInd, void* cooColInd, void* values,
                                   cusparseIndexType_t idxType, cusparseIndexBase_t idxBase,
                                   cudaDataType valueType);
cusparseStatus_t cusparseCreateConstCoo(cusparseConstSpMatDescr_t* descr, int64_t rows,
                                        int64_t cols, int64_t nnz, const void* cooRowInd,
                                        const void* cooColInd, const void* values,
                                        cusparseIndexType_t idxType, cusparseIndexBase_t idxBase,
                                        cudaDataType valueType);
cusparseStatus_t cusparseCooGet(cusparseSpMatDescr_t descr, int64_t* rows, int64_t* cols,
                                int64_t* nnz, void** cooRowInd, void** cooColInd, void** values,
                                cusparseIndexType_t* idxType, cusparseIndexBase_t* idxBase,
                                cudaDataType* valueType);
cusparseStatus_t cusparseConstCooGet(cusparseConstSpMatDescr_t descr, int64_t* rows, int64_t* cols,
                                     int64_t* nnz, const void** cooRowInd, const void** cooColInd,
                                     const void** values, cusparseIndexType_t* idxType,
                                     cusparseIndexBase_t* idxBase, cudaDataType* valueType);
cusparseStatus_t cusparseCooSetPointers(cusparseSpMatDescr_t descr, void* cooRowInd,
                                        void* cooColInd, void* values);
cusparseStatus_t cusparseDestroySpMat(cusparseConstSpMatDescr_t descr);
cusparseStatus_t cusparseSpMatGetFormat(cusparseConstSpMatDescr_t descr, cusparseFormat_t* format);
cusparseStatus_t cusparseSpMatGetIndexBase(cusparseConstSpMatDescr_t descr,
                                           cusparseIndexBase_t* idxBase);
cusparseStatus_t cusparseSpMatGetSize(cusparseConstSpMatDescr_t descr, int64_t* rows, int64_t* cols,
                                      int64_t* nnz);
cusparseStatus_t cusparseSpMatGetValues(cusparseSpMatDescr_t descr, void** values);
cusparseStatus_t cusparseConstSpMatGetValues(cusparseConstSpMatDescr_t descr, const void** values);
cusparseStatus_t cusparseSpMatSetValues(cusparseSpMatDescr_t descr, void* values);
/// Which triangle of the matrix a solver takes, and whether its diagonal counts as ones. \return
/// CUSPARSE_STATUS_INVALID_VALUE for a value that the attribute does not have, which a GPU's
/// library takes
cusparseStatus_t cusparseSpMatSetAttribute(cusparseSpMatDescr_t descr,
                                           cusparseSpMatAttribute_t attribute, void* data,
                                           std::size_t dataSize);
cusparseStatus_t cusparseSpMatGetAttribute(cusparseConstSpMatDescr_t descr,
                                           cusparseSpMatAttribute_t attribute, void* data,
                                           std::size_t dataSize);
/// Several matrices whose arrays are a fixed distance apart, in elements. With a distance of 0 it
/// is one matrix for all. \return CUSPARSE_STATUS_INVALID_VALUE for other distances at which
/// matrices overlap
cusparseStatus_t cusparseCsrSetStridedBatch(cusparseSpMatDescr_t descr, int batchCount,
                                            int64_t offsetsBatchStride,
                                            int64_t columnsValuesBatchStride);
cusparseStatus_t cusparseCooSetStridedBatch(cusparseSpMatDescr_t descr, int batchCount,
                                            int64_t batchStride);
cusparseStatus_t cusparseSpMatGetStridedBatch(cusparseConstSpMatDescr_t descr, int* batchCount);
cusparseStatus_t cusparseDnMatSetStridedBatch(cusparseDnMatDescr_t descr, int batchCount,
                                              int64_t batchStride);
cusparseStatus_t cusparseDnMatGetStridedBatch(cusparseConstDnMatDescr_t descr, int* batchCount,
                                              int64_t* batchStride);
cusparseStatus_t cusparseCreateDnMat(cusparseDnMatDescr_t* descr, int64_t rows, int64_t cols,
                                     int64_t ld, void* values, cudaDataType valueType,
                                     cusparseOrder_t order);
cusparseStatus_t cusparseCreateConstDnMat(cusparseConstDnMatDescr_t* descr, int64_t rows,
                                          int64_t cols, int64_t ld, const void* values,
                                          cudaDataType valueType, cusparseOrder_t order);
cusparseStatus_t cusparseDestroyDnMat(cusparseConstDnMatDescr_t descr);
cusparseStatus_t cusparseDnMatGet(cusparseDnMatDescr_t descr, int64_t* rows, int64_t* cols,
                                  int64_t* ld, void** values, cudaDataType* type,
                                  cusparseOrder_t* order);
cusparseStatus_t cusparseConstDnMatGet(cusparseConstDnMatDescr_t descr, int64_t* rows,
                                       int64_t* cols, int64_t* ld, const void** values,
                                       cudaDataType* type, cusparseOrder_t* order);
cusparseStatus_t cusparseDnMatGetValues(cusparseDnMatDescr_t descr, void** values);
cusparseStatus_t cusparseConstDnMatGetValues(cusparseConstDnMatDescr_t descr, const void** values);
cusparseStatus_t cusparseDnMatSetValues(cusparseDnMatDescr_t descr, void* values);

// Products ----------------------------------------------------------------------------------------

/// \restricted The size of the buffer is 0 in the emulator.
cusparseStatus_t cusparseSpVV_bufferSize(cusparseHandle_t handle, cusparseOperation_t opX,
                                         cusparseConstSpVecDescr_t vecX,
                                         cusparseConstDnVecDescr_t vecY, void* result,
                                         cudaDataType computeType, std::size_t* bufferSize);
/// The sum of the products of a sparse vector, conjugated or not, and a dense one. \return
/// CUSPARSE_STATUS_INVALID_VALUE for the conjugates of real numbers.
cusparseStatus_t cusparseSpVV(cusparseHandle_t handle, cusparseOperation_t opX,
                              cusparseConstSpVecDescr_t vecX, cusparseConstDnVecDescr_t vecY,
                              void* result, cudaDataType computeType, void* externalBuffer);
/// \restricted The size of the buffer is 0 in the emulator.
cusparseStatus_t cusparseSpMV_bufferSize(cusparseHandle_t handle, cusparseOperation_t opA,
                                         const void* alpha, cusparseConstSpMatDescr_t matA,
                                         cusparseConstDnVecDescr_t vecX, const void* beta,
                                         cusparseDnVecDescr_t vecY, cudaDataType computeType,
                                         cusparseSpMVAlg_t alg, std::size_t* bufferSize);
/// \restricted Without effect.
cusparseStatus_t cusparseSpMV_preprocess(cusparseHandle_t handle, cusparseOperation_t opA,
                                         const void* alpha, cusparseConstSpMatDescr_t matA,
                                         cusparseConstDnVecDescr_t vecX, const void* beta,
                                         cusparseDnVecDescr_t vecY, cudaDataType computeType,
                                         cusparseSpMVAlg_t alg, void* externalBuffer);
/// y = alpha op(A) x + beta y. If beta is 0, y is not read.
cusparseStatus_t cusparseSpMV(cusparseHandle_t handle, cusparseOperation_t opA, const void* alpha,
                              cusparseConstSpMatDescr_t matA, cusparseConstDnVecDescr_t vecX,
                              const void* beta, cusparseDnVecDescr_t vecY, cudaDataType computeType,
                              cusparseSpMVAlg_t alg, void* externalBuffer);
/// \restricted The size of the buffer is 0 in the emulator.
cusparseStatus_t cusparseSpMM_bufferSize(cusparseHandle_t handle, cusparseOperation_t opA,
                                         cusparseOperation_t opB, const void* alpha,
                                         cusparseConstSpMatDescr_t matA,
                                         cusparseConstDnMatDescr_t matB, const void* beta,
                                         cusparseDnMatDescr_t matC, cudaDataType computeType,
                                         cusparseSpMMAlg_t alg, std::size_t* bufferSize);
/// \restricted Without effect.
cusparseStatus_t cusparseSpMM_preprocess(cusparseHandle_t handle, cusparseOperation_t opA,
                                         cusparseOperation_t opB, const void* alpha,
                                         cusparseConstSpMatDescr_t matA,
                                         cusparseConstDnMatDescr_t matB, const void* beta,
                                         cusparseDnMatDescr_t matC, cudaDataType computeType,
                                         cusparseSpMMAlg_t alg, void* externalBuffer);
/// C = alpha op(A) op(B) + beta C. If beta is 0, C is not read. C is a batch if A or B is one; a
/// single factor serves all.
cusparseStatus_t cusparseSpMM(cusparseHandle_t handle, cusparseOperation_t opA,
                              cusparseOperation_t opB, const void* alpha,
                              cusparseConstSpMatDescr_t matA, cusparseConstDnMatDescr_t matB,
                              const void* beta, cusparseDnMatDescr_t matC, cudaDataType computeType,
                              cusparseSpMMAlg_t alg, void* externalBuffer);

// Conversions -------------------------------------------------------------------------------------

/// y = alpha x + beta y, with x sparse.
cusparseStatus_t cusparseAxpby(cusparseHandle_t handle, const void* alpha,
                               cusparseConstSpVecDescr_t vecX, const void* beta,
                               cusparseDnVecDescr_t vecY);
cusparseStatus_t cusparseGather(cusparseHandle_t handle, cusparseConstDnVecDescr_t vecY,
                                cusparseSpVecDescr_t vecX);
cusparseStatus_t cusparseScatter(cusparseHandle_t handle, cusparseConstSpVecDescr_t vecX,
                                 cusparseDnVecDescr_t vecY);
/// \restricted The size of the buffer is 0 in the emulator, here and below.
cusparseStatus_t cusparseSparseToDense_bufferSize(cusparseHandle_t handle,
                                                  cusparseConstSpMatDescr_t matA,
                                                  cusparseDnMatDescr_t matB,
                                                  cusparseSparseToDenseAlg_t alg,
                                                  std::size_t* bufferSize);
cusparseStatus_t cusparseSparseToDense(cusparseHandle_t handle, cusparseConstSpMatDescr_t matA,
                                       cusparseDnMatDescr_t matB, cusparseSparseToDenseAlg_t alg,
                                       void* externalBuffer);
cusparseStatus_t cusparseDenseToSparse_bufferSize(cusparseHandle_t handle,
                                                  cusparseConstDnMatDescr_t matA,
                                                  cusparseSpMatDescr_t matB,
                                                  cusparseDenseToSparseAlg_t alg,
                                                  std::size_t* bufferSize);
/// Writes the offsets and counts the elements that are not 0: cusparseSpMatGetSize returns how many
/// there are.
cusparseStatus_t cusparseDenseToSparse_analysis(cusparseHandle_t handle,
                                                cusparseConstDnMatDescr_t matA,
                                                cusparseSpMatDescr_t matB,
                                                cusparseDenseToSparseAlg_t alg,
                                                void* externalBuffer);
/// Writes indices and values. \return CUSPARSE_STATUS_INVALID_VALUE before the analysis
cusparseStatus_t cusparseDenseToSparse_convert(cusparseHandle_t handle,
                                               cusparseConstDnMatDescr_t matA,
                                               cusparseSpMatDescr_t matB,
                                               cusparseDenseToSparseAlg_t alg,
                                               void* externalBuffer);
}

#include "emulator/libraries/cusparse_blocks.h"
#include "emulator/libraries/cusparse_legacy.h"
#include "emulator/libraries/cusparse_solvers.h"
#include "emulator/libraries/cusparse_unmodelled.h"
