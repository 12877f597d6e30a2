#pragma once
#pragma GCC system_header
/// \file
/// cuSPARSE's older functions, which are given arrays in place of descriptors: conversions, sums of
/// sparse matrices, incomplete factorisations, and systems of three and of five diagonals. Indices
/// have 32 bits. The letter of a name is the type of the values: S and D are float and double, C
/// and Z complex numbers of these. cusparse.h includes this file.
///
/// \return CUSPARSE_STATUS_INVALID_VALUE for negative sizes and null pointers,
///         CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED for a matrix whose type is not
///         CUSPARSE_MATRIX_TYPE_GENERAL. A line on stderr tells which.

enum cusparseSolvePolicy_t {
  CUSPARSE_SOLVE_POLICY_NO_LEVEL = 0,
  CUSPARSE_SOLVE_POLICY_USE_LEVEL = 1
};
enum cusparseCsr2CscAlg_t { CUSPARSE_CSR2CSC_ALG_DEFAULT = 1, CUSPARSE_CSR2CSC_ALG1 = 1 };
using csrilu02Info_t = struct csrilu02Info*;
using csric02Info_t = struct csric02Info*;

/// For float and double, and for their complex numbers.
#define EMULATOR_CUSPARSE_ALL(name, PARAMETERS)           \
  cusparseStatus_t cusparseS##name PARAMETERS(float);     \
  cusparseStatus_t cusparseD##name PARAMETERS(double);    \
  cusparseStatus_t cusparseC##name PARAMETERS(cuComplex); \
  cusparseStatus_t cusparseZ##name PARAMETERS(cuDoubleComplex);

extern "C" {

// Conversions -------------------------------------------------------------------------------------

/// \restricted The size of the buffer is 0 in the emulator, here and below.
cusparseStatus_t cusparseCsr2cscEx2_bufferSize(cusparseHandle_t handle, int m, int n, int nnz,
                                               const void* csrVal, const int* csrRowPtr,
                                               const int* csrColInd, void* cscVal, int* cscColPtr,
                                               int* cscRowInd, cudaDataType valType,
                                               cusparseAction_t copyValues,
                                               cusparseIndexBase_t idxBase,
                                               cusparseCsr2CscAlg_t alg, std::size_t* bufferSize);
/// The same matrix by columns, which is its transpose by rows. The values can be of any type that
/// matrices have, or CUDA_R_32I, and are left alone with CUSPARSE_ACTION_SYMBOLIC.
cusparseStatus_t cusparseCsr2cscEx2(cusparseHandle_t handle, int m, int n, int nnz,
                                    const void* csrVal, const int* csrRowPtr, const int* csrColInd,
                                    void* cscVal, int* cscColPtr, int* cscRowInd,
                                    cudaDataType valType, cusparseAction_t copyValues,
                                    cusparseIndexBase_t idxBase, cusparseCsr2CscAlg_t alg,
                                    void* buffer);
/// Rows of elements, which ascend, become offsets; and back.
cusparseStatus_t cusparseXcoo2csr(cusparseHandle_t handle, const int* cooRowInd, int nnz, int m,
                                  int* csrSortedRowPtr, cusparseIndexBase_t idxBase);
cusparseStatus_t cusparseXcsr2coo(cusparseHandle_t handle, const int* csrSortedRowPtr, int nnz,
                                  int m, int* cooRowInd, cusparseIndexBase_t idxBase);
/// p = 0, 1, …, n - 1: where the elements come from that are then sorted.
cusparseStatus_t cusparseCreateIdentityPermutation(cusparseHandle_t handle, int n, int* p);
cusparseStatus_t cusparseXcsrsort_bufferSizeExt(cusparseHandle_t handle, int m, int n, int nnz,
                                                const int* csrRowPtrA, const int* csrColIndA,
                                                std::size_t* pBufferSizeInBytes);
/// Sorts the columns of each row, and P with them. \return CUSPARSE_STATUS_INVALID_VALUE without
/// P, for which a GPU's library has CUSPARSE_STATUS_INTERNAL_ERROR
cusparseStatus_t cusparseXcsrsort(cusparseHandle_t handle, int m, int n, int nnz,
                                  const cusparseMatDescr_t descrA, const int* csrRowPtrA,
                                  int* csrColIndA, int* P, void* pBuffer);
cusparseStatus_t cusparseXcscsort_bufferSizeExt(cusparseHandle_t handle, int m, int n, int nnz,
                                                const int* cscColPtrA, const int* cscRowIndA,
                                                std::size_t* pBufferSizeInBytes);
/// Sorts the rows of each column, and P with them, as cusparseXcsrsort does.
cusparseStatus_t cusparseXcscsort(cusparseHandle_t handle, int m, int n, int nnz,
                                  const cusparseMatDescr_t descrA, const int* cscColPtrA,
                                  int* cscRowIndA, int* P, void* pBuffer);
cusparseStatus_t cusparseXcoosort_bufferSizeExt(cusparseHandle_t handle, int m, int n, int nnz,
                                                const int* cooRowsA, const int* cooColsA,
                                                std::size_t* pBufferSizeInBytes);
/// Sorts by rows, and within a row by columns; P, if there is one, goes with them.
cusparseStatus_t cusparseXcoosortByRow(cusparseHandle_t handle, int m, int n, int nnz,
                                       int* cooRowsA, int* cooColsA, int* P, void* pBuffer);
/// Sorts by columns, and within a column by rows.
cusparseStatus_t cusparseXcoosortByColumn(cusparseHandle_t handle, int m, int n, int nnz,
                                          int* cooRowsA, int* cooColsA, int* P, void* pBuffer);
/// How many elements of a dense matrix are not 0: in each row or column, and in all. The total goes
/// to the host or to the device, as the handle's mode says. Nothing is written for a matrix without
/// rows or columns.
#define EMULATOR_CUSPARSE_NNZ(T)                                            \
  (cusparseHandle_t handle, cusparseDirection_t dirA, int m, int n,         \
   const cusparseMatDescr_t descrA, const T* A, int lda, int* nnzPerRowCol, \
   int* nnzTotalDevHostPtr)
EMULATOR_CUSPARSE_ALL(nnz, EMULATOR_CUSPARSE_NNZ)

// Vectors, and sums of sparse matrices ------------------------------------------------------------

#define EMULATOR_CUSPARSE_GEMVI_SIZE(T) \
  (cusparseHandle_t handle, cusparseOperation_t transA, int m, int n, int nnz, int* pBufferSize)
EMULATOR_CUSPARSE_ALL(gemvi_bufferSize, EMULATOR_CUSPARSE_GEMVI_SIZE)
/// y = alpha op(A) x + beta y with A dense, m x n, by columns, and x sparse.
#define EMULATOR_CUSPARSE_GEMVI(T)                                                                \
  (cusparseHandle_t handle, cusparseOperation_t transA, int m, int n, const T* alpha, const T* A, \
   int lda, int nnz, const T* xVal, const int* xInd, const T* beta, T* y,                         \
   cusparseIndexBase_t idxBase, void* pBuffer)
EMULATOR_CUSPARSE_ALL(gemvi, EMULATOR_CUSPARSE_GEMVI)
/// A rotation in the plane of x and y, where x has elements: x = c x + s y, y = c y - s x.
cusparseStatus_t cusparseRot(cusparseHandle_t handle, const void* c_coeff, const void* s_coeff,
                             cusparseSpVecDescr_t vecX, cusparseDnVecDescr_t vecY);
#define EMULATOR_CUSPARSE_GEAM_SIZE(T)                                                         \
  (cusparseHandle_t handle, int m, int n, const T* alpha, const cusparseMatDescr_t descrA,     \
   int nnzA, const T* csrSortedValA, const int* csrSortedRowPtrA, const int* csrSortedColIndA, \
   const T* beta, const cusparseMatDescr_t descrB, int nnzB, const T* csrSortedValB,           \
   const int* csrSortedRowPtrB, const int* csrSortedColIndB, const cusparseMatDescr_t descrC,  \
   const T* csrSortedValC, const int* csrSortedRowPtrC, const int* csrSortedColIndC,           \
   std::size_t* pBufferSizeInBytes)
EMULATOR_CUSPARSE_ALL(csrgeam2_bufferSizeExt, EMULATOR_CUSPARSE_GEAM_SIZE)
/// Writes the offsets of a sum: it has an element wherever A or B has one. \return
/// CUSPARSE_STATUS_INVALID_VALUE if the indices of A, B and C do not all count from 0, or all from
/// 1: a GPU's library compares them as they stand, and makes another sum of them
cusparseStatus_t cusparseXcsrgeam2Nnz(cusparseHandle_t handle, int m, int n,
                                      const cusparseMatDescr_t descrA, int nnzA,
                                      const int* csrSortedRowPtrA, const int* csrSortedColIndA,
                                      const cusparseMatDescr_t descrB, int nnzB,
                                      const int* csrSortedRowPtrB, const int* csrSortedColIndB,
                                      const cusparseMatDescr_t descrC, int* csrSortedRowPtrC,
                                      int* nnzTotalDevHostPtr, void* workspace);
/// C = alpha A + beta B, with the offsets that cusparseXcsrgeam2Nnz has written. Columns of A and
/// of B ascend in each row, and count from the same as C's.
#define EMULATOR_CUSPARSE_GEAM(T)                                                              \
  (cusparseHandle_t handle, int m, int n, const T* alpha, const cusparseMatDescr_t descrA,     \
   int nnzA, const T* csrSortedValA, const int* csrSortedRowPtrA, const int* csrSortedColIndA, \
   const T* beta, const cusparseMatDescr_t descrB, int nnzB, const T* csrSortedValB,           \
   const int* csrSortedRowPtrB, const int* csrSortedColIndB, const cusparseMatDescr_t descrC,  \
   T* csrSortedValC, int* csrSortedRowPtrC, int* csrSortedColIndC, void* pBuffer)
EMULATOR_CUSPARSE_ALL(csrgeam2, EMULATOR_CUSPARSE_GEAM)

// Incomplete factorisations -----------------------------------------------------------------------

cusparseStatus_t cusparseCreateCsrilu02Info(csrilu02Info_t* info);
cusparseStatus_t cusparseDestroyCsrilu02Info(csrilu02Info_t info);
cusparseStatus_t cusparseCreateCsric02Info(csric02Info_t* info);
cusparseStatus_t cusparseDestroyCsric02Info(csric02Info_t info);
#define EMULATOR_CUSPARSE_BOOST(T) \
  (cusparseHandle_t handle, csrilu02Info_t info, int enable_boost, double* tol, T* boost_val)
/// From now on boost_val takes the place of a pivot whose magnitude is at most tol.
EMULATOR_CUSPARSE_ALL(csrilu02_numericBoost, EMULATOR_CUSPARSE_BOOST)
#define EMULATOR_CUSPARSE_FACTOR_SIZE(T, Info, Size)                                           \
  (cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t descrA, T* csrSortedValA, \
   const int* csrSortedRowPtrA, const int* csrSortedColIndA, Info info, Size* pBufferSizeInBytes)
#define EMULATOR_CUSPARSE_FACTOR_ANALYSIS(T, Info)                                              \
  (cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t descrA,                    \
   const T* csrSortedValA, const int* csrSortedRowPtrA, const int* csrSortedColIndA, Info info, \
   cusparseSolvePolicy_t policy, void* pBuffer)
#define EMULATOR_CUSPARSE_FACTOR(T, Info)                                                      \
  (cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t descrA,                   \
   T* csrSortedValA_valM, const int* csrSortedRowPtrA, const int* csrSortedColIndA, Info info, \
   cusparseSolvePolicy_t policy, void* pBuffer)
#define EMULATOR_CUSPARSE_ILU_SIZE(T) EMULATOR_CUSPARSE_FACTOR_SIZE(T, csrilu02Info_t, int)
#define EMULATOR_CUSPARSE_ILU_SIZE_EXT(T) \
  EMULATOR_CUSPARSE_FACTOR_SIZE(T, csrilu02Info_t, std::size_t)
#define EMULATOR_CUSPARSE_ILU_ANALYSIS(T) EMULATOR_CUSPARSE_FACTOR_ANALYSIS(T, csrilu02Info_t)
#define EMULATOR_CUSPARSE_ILU(T) EMULATOR_CUSPARSE_FACTOR(T, csrilu02Info_t)
#define EMULATOR_CUSPARSE_IC_SIZE(T) EMULATOR_CUSPARSE_FACTOR_SIZE(T, csric02Info_t, int)
#define EMULATOR_CUSPARSE_IC_SIZE_EXT(T) \
  EMULATOR_CUSPARSE_FACTOR_SIZE(T, csric02Info_t, std::size_t)
#define EMULATOR_CUSPARSE_IC_ANALYSIS(T) EMULATOR_CUSPARSE_FACTOR_ANALYSIS(T, csric02Info_t)
#define EMULATOR_CUSPARSE_IC(T) EMULATOR_CUSPARSE_FACTOR(T, csric02Info_t)
EMULATOR_CUSPARSE_ALL(csrilu02_bufferSize, EMULATOR_CUSPARSE_ILU_SIZE)
EMULATOR_CUSPARSE_ALL(csrilu02_bufferSizeExt, EMULATOR_CUSPARSE_ILU_SIZE_EXT)
/// Looks for rows whose element on the diagonal is not stored.
EMULATOR_CUSPARSE_ALL(csrilu02_analysis, EMULATOR_CUSPARSE_ILU_ANALYSIS)
/// A becomes L U where it has elements: below the diagonal L, whose own is 1, from there on U.
/// \return CUSPARSE_STATUS_INVALID_VALUE before the analysis, for which a GPU's library has
///         CUSPARSE_STATUS_INTERNAL_ERROR
EMULATOR_CUSPARSE_ALL(csrilu02, EMULATOR_CUSPARSE_ILU)
/// The first row whose pivot is missing or 0, as CUSPARSE_STATUS_ZERO_PIVOT; or -1. \return
/// CUSPARSE_STATUS_INVALID_VALUE before the analysis
cusparseStatus_t cusparseXcsrilu02_zeroPivot(cusparseHandle_t handle, csrilu02Info_t info,
                                             int* position);
EMULATOR_CUSPARSE_ALL(csric02_bufferSize, EMULATOR_CUSPARSE_IC_SIZE)
EMULATOR_CUSPARSE_ALL(csric02_bufferSizeExt, EMULATOR_CUSPARSE_IC_SIZE_EXT)
/// As the analysis for csrilu02.
EMULATOR_CUSPARSE_ALL(csric02_analysis, EMULATOR_CUSPARSE_IC_ANALYSIS)
/// The lower triangle of A becomes L with L L^H = A where A has elements. The upper one is not
/// read. A pivot that is negative counts as its magnitude, and cusparseXcsric02_zeroPivot reports
/// it.
EMULATOR_CUSPARSE_ALL(csric02, EMULATOR_CUSPARSE_IC)
/// The first row whose pivot is missing or not positive, as CUSPARSE_STATUS_ZERO_PIVOT; or -1.
/// \return CUSPARSE_STATUS_INVALID_VALUE before the analysis
cusparseStatus_t cusparseXcsric02_zeroPivot(cusparseHandle_t handle, csric02Info_t info,
                                            int* position);

// Systems of three and of five diagonals ----------------------------------------------------------

#define EMULATOR_CUSPARSE_GTSV_SIZE(T)                                                      \
  (cusparseHandle_t handle, int m, int n, const T* dl, const T* d, const T* du, const T* B, \
   int ldb, std::size_t* bufferSizeInBytes)
#define EMULATOR_CUSPARSE_GTSV(T)                                                              \
  (cusparseHandle_t handle, int m, int n, const T* dl, const T* d, const T* du, T* B, int ldb, \
   void* pBuffer)
/// Sizes of buffers, here and below, are also returned for what the calls themselves refuse: m
/// below 3, an ldb below m, and any algo of gpsvInterleavedBatch. gtsv2StridedBatch's is not.
EMULATOR_CUSPARSE_ALL(gtsv2_bufferSizeExt, EMULATOR_CUSPARSE_GTSV_SIZE)
/// Solves A X = B into B, of n columns, with pivoting. dl[0] and du[m - 1] are ignored; m is
/// 3 or more.
EMULATOR_CUSPARSE_ALL(gtsv2, EMULATOR_CUSPARSE_GTSV)
EMULATOR_CUSPARSE_ALL(gtsv2_nopivot_bufferSizeExt, EMULATOR_CUSPARSE_GTSV_SIZE)
/// The same without pivoting.
EMULATOR_CUSPARSE_ALL(gtsv2_nopivot, EMULATOR_CUSPARSE_GTSV)
#define EMULATOR_CUSPARSE_GTSV_STRIDED_SIZE(T)                                       \
  (cusparseHandle_t handle, int m, const T* dl, const T* d, const T* du, const T* x, \
   int batchCount, int batchStride, std::size_t* bufferSizeInBytes)
#define EMULATOR_CUSPARSE_GTSV_STRIDED(T)                                                      \
  (cusparseHandle_t handle, int m, const T* dl, const T* d, const T* du, T* x, int batchCount, \
   int batchStride, void* pBuffer)
EMULATOR_CUSPARSE_ALL(gtsv2StridedBatch_bufferSizeExt, EMULATOR_CUSPARSE_GTSV_STRIDED_SIZE)
/// Several systems, each batchStride elements after the one before, without pivoting. batchStride
/// is at least m, whatever batchCount is, also where the size of the buffer is asked for.
EMULATOR_CUSPARSE_ALL(gtsv2StridedBatch, EMULATOR_CUSPARSE_GTSV_STRIDED)
#define EMULATOR_CUSPARSE_GTSV_INTERLEAVED_SIZE(T)                                             \
  (cusparseHandle_t handle, int algo, int m, const T* dl, const T* d, const T* du, const T* x, \
   int batchCount, std::size_t* pBufferSizeInBytes)
#define EMULATOR_CUSPARSE_GTSV_INTERLEAVED(T)                                          \
  (cusparseHandle_t handle, int algo, int m, T* dl, T* d, T* du, T* x, int batchCount, \
   void* pBuffer)
EMULATOR_CUSPARSE_ALL(gtsvInterleavedBatch_bufferSizeExt, EMULATOR_CUSPARSE_GTSV_INTERLEAVED_SIZE)
/// \restricted Several systems whose first elements are side by side, then their second ones, and
/// so on. algo is 0, without pivoting, 1 or 2. The diagonals are overwritten: here by something
/// that is not a number, on a GPU by what the algorithm leaves.
EMULATOR_CUSPARSE_ALL(gtsvInterleavedBatch, EMULATOR_CUSPARSE_GTSV_INTERLEAVED)
#define EMULATOR_CUSPARSE_GPSV_SIZE(T)                                                          \
  (cusparseHandle_t handle, int algo, int m, const T* ds, const T* dl, const T* d, const T* du, \
   const T* dw, const T* x, int batchCount, std::size_t* pBufferSizeInBytes)
#define EMULATOR_CUSPARSE_GPSV(T)                                                    \
  (cusparseHandle_t handle, int algo, int m, T* ds, T* dl, T* d, T* du, T* dw, T* x, \
   int batchCount, void* pBuffer)
EMULATOR_CUSPARSE_ALL(gpsvInterleavedBatch_bufferSizeExt, EMULATOR_CUSPARSE_GPSV_SIZE)
/// The same of five diagonals. algo is 0.
EMULATOR_CUSPARSE_ALL(gpsvInterleavedBatch, EMULATOR_CUSPARSE_GPSV)
}
