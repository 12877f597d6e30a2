#pragma once
#pragma GCC system_header
/// \file
/// cuSOLVER's factors of sparse matrices in steps: analysis, factors, solutions. What is refused,
/// and what differs from a GPU, is as in cusolverSp.h.

#include "cusolverSp.h"

using csrluInfoHost_t = struct csrluInfoHost*;
using csrqrInfoHost_t = struct csrqrInfoHost*;
using csrcholInfoHost_t = struct csrcholInfoHost*;
using csrcholInfo_t = struct csrcholInfo*;

extern "C" {

// L and U, on the host ----------------------------------------------------------------------------

cusolverStatus_t cusolverSpCreateCsrluInfoHost(csrluInfoHost_t* info);
cusolverStatus_t cusolverSpDestroyCsrluInfoHost(csrluInfoHost_t info);
/// Keeps the pattern.
cusolverStatus_t cusolverSpXcsrluAnalysisHost(cusolverSpHandle_t handle, int n, int nnzA,
                                              const cusparseMatDescr_t descrA,
                                              const int* csrRowPtrA, const int* csrColIndA,
                                              csrluInfoHost_t info);
#define EMULATOR_CUSOLVER_SP_CSRLU_BUFFER_INFO_HOST(T, R)                                         \
  (cusolverSpHandle_t handle, int n, int nnzA, const cusparseMatDescr_t descrA, const T* csrValA, \
   const int* csrRowPtrA, const int* csrColIndA, csrluInfoHost_t info,                            \
   std::size_t* internalDataInBytes, std::size_t* workspaceInBytes)
/// \restricted The sizes differ from those on a GPU, here and below.
EMULATOR_CUSOLVER_SP_ALL(csrluBufferInfoHost, EMULATOR_CUSOLVER_SP_CSRLU_BUFFER_INFO_HOST)
#define EMULATOR_CUSOLVER_SP_CSRLU_FACTOR_HOST(T, R)                                              \
  (cusolverSpHandle_t handle, int n, int nnzA, const cusparseMatDescr_t descrA, const T* csrValA, \
   const int* csrRowPtrA, const int* csrColIndA, csrluInfoHost_t info, R pivot_threshold,         \
   void* pBuffer)
/// P A Q^T = L U. A pivot is the diagonal's element where that is not smaller than the column's
/// largest times pivot_threshold. Q is 0, 1, …, n - 1 here. \return CUSOLVER_STATUS_INVALID_VALUE
/// before the analysis, here and below
EMULATOR_CUSOLVER_SP_ALL(csrluFactorHost, EMULATOR_CUSOLVER_SP_CSRLU_FACTOR_HOST)
#define EMULATOR_CUSOLVER_SP_CSRLU_ZERO_PIVOT_HOST(T, R) \
  (cusolverSpHandle_t handle, csrluInfoHost_t info, R tol, int* position)
/// The first pivot that is not above tol, or -1, here and below.
EMULATOR_CUSOLVER_SP_ALL(csrluZeroPivotHost, EMULATOR_CUSOLVER_SP_CSRLU_ZERO_PIVOT_HOST)
#define EMULATOR_CUSOLVER_SP_CSRLU_SOLVE_HOST(T, R) \
  (cusolverSpHandle_t handle, int n, const T* b, T* x, csrluInfoHost_t info, void* pBuffer)
EMULATOR_CUSOLVER_SP_ALL(csrluSolveHost, EMULATOR_CUSOLVER_SP_CSRLU_SOLVE_HOST)
/// How many elements the factors have, without L's diagonal of ones.
cusolverStatus_t cusolverSpXcsrluNnzHost(cusolverSpHandle_t handle, int* nnzLRef, int* nnzURef,
                                         csrluInfoHost_t info);
#define EMULATOR_CUSOLVER_SP_CSRLU_EXTRACT_HOST(T, R)                                              \
  (cusolverSpHandle_t handle, int* P, int* Q, const cusparseMatDescr_t descrL, T* csrValL,         \
   int* csrRowPtrL, int* csrColIndL, const cusparseMatDescr_t descrU, T* csrValU, int* csrRowPtrU, \
   int* csrColIndU, csrluInfoHost_t info, void* pBuffer)
/// Writes P and Q, and the factors in CSR; the ones of L's diagonal are not among its elements.
EMULATOR_CUSOLVER_SP_ALL(csrluExtractHost, EMULATOR_CUSOLVER_SP_CSRLU_EXTRACT_HOST)

// Q and R, on the host ----------------------------------------------------------------------------

cusolverStatus_t cusolverSpCreateCsrqrInfoHost(csrqrInfoHost_t* info);
cusolverStatus_t cusolverSpDestroyCsrqrInfoHost(csrqrInfoHost_t info);
/// Keeps the pattern.
cusolverStatus_t cusolverSpXcsrqrAnalysisHost(cusolverSpHandle_t handle, int m, int n, int nnzA,
                                              const cusparseMatDescr_t descrA,
                                              const int* csrRowPtrA, const int* csrColIndA,
                                              csrqrInfoHost_t info);
#define EMULATOR_CUSOLVER_SP_CSRQR_BUFFER_INFO_HOST(T, R)                                \
  (cusolverSpHandle_t handle, int m, int n, int nnzA, const cusparseMatDescr_t descrA,   \
   const T* csrValA, const int* csrRowPtrA, const int* csrColIndA, csrqrInfoHost_t info, \
   std::size_t* internalDataInBytes, std::size_t* workspaceInBytes)
EMULATOR_CUSOLVER_SP_ALL(csrqrBufferInfoHost, EMULATOR_CUSOLVER_SP_CSRQR_BUFFER_INFO_HOST)
#define EMULATOR_CUSOLVER_SP_CSRQR_SETUP_HOST(T, R)                                    \
  (cusolverSpHandle_t handle, int m, int n, int nnzA, const cusparseMatDescr_t descrA, \
   const T* csrValA, const int* csrRowPtrA, const int* csrColIndA, T mu, csrqrInfoHost_t info)
/// The matrix is A - mu I.
EMULATOR_CUSOLVER_SP_ALL(csrqrSetupHost, EMULATOR_CUSOLVER_SP_CSRQR_SETUP_HOST)
#define EMULATOR_CUSOLVER_SP_CSRQR_FACTOR_HOST(T, R)                                    \
  (cusolverSpHandle_t handle, int m, int n, int nnzA, T* b, T* x, csrqrInfoHost_t info, \
   void* pBuffer)
/// Makes the factors; and solves, if b and x are not null pointers.
EMULATOR_CUSOLVER_SP_ALL(csrqrFactorHost, EMULATOR_CUSOLVER_SP_CSRQR_FACTOR_HOST)
#define EMULATOR_CUSOLVER_SP_CSRQR_ZERO_PIVOT_HOST(T, R) \
  (cusolverSpHandle_t handle, csrqrInfoHost_t info, R tol, int* position)
EMULATOR_CUSOLVER_SP_ALL(csrqrZeroPivotHost, EMULATOR_CUSOLVER_SP_CSRQR_ZERO_PIVOT_HOST)
#define EMULATOR_CUSOLVER_SP_CSRQR_SOLVE_HOST(T, R) \
  (cusolverSpHandle_t handle, int m, int n, T* b, T* x, csrqrInfoHost_t info, void* pBuffer)
EMULATOR_CUSOLVER_SP_ALL(csrqrSolveHost, EMULATOR_CUSOLVER_SP_CSRQR_SOLVE_HOST)

// Q and R -----------------------------------------------------------------------------------------

/// Keeps the pattern.
cusolverStatus_t cusolverSpXcsrqrAnalysis(cusolverSpHandle_t handle, int m, int n, int nnzA,
                                          const cusparseMatDescr_t descrA, const int* csrRowPtrA,
                                          const int* csrColIndA, csrqrInfo_t info);
#define EMULATOR_CUSOLVER_SP_CSRQR_BUFFER_INFO(T, R)                                   \
  (cusolverSpHandle_t handle, int m, int n, int nnzA, const cusparseMatDescr_t descrA, \
   const T* csrValA, const int* csrRowPtrA, const int* csrColIndA, csrqrInfo_t info,   \
   std::size_t* internalDataInBytes, std::size_t* workspaceInBytes)
EMULATOR_CUSOLVER_SP_ALL(csrqrBufferInfo, EMULATOR_CUSOLVER_SP_CSRQR_BUFFER_INFO)
#define EMULATOR_CUSOLVER_SP_CSRQR_SETUP(T, R)                                         \
  (cusolverSpHandle_t handle, int m, int n, int nnzA, const cusparseMatDescr_t descrA, \
   const T* csrValA, const int* csrRowPtrA, const int* csrColIndA, T mu, csrqrInfo_t info)
/// The matrix is A - mu I.
EMULATOR_CUSOLVER_SP_ALL(csrqrSetup, EMULATOR_CUSOLVER_SP_CSRQR_SETUP)
#define EMULATOR_CUSOLVER_SP_CSRQR_FACTOR(T, R) \
  (cusolverSpHandle_t handle, int m, int n, int nnzA, T* b, T* x, csrqrInfo_t info, void* pBuffer)
/// Makes the factors; and solves, if b and x are not null pointers.
EMULATOR_CUSOLVER_SP_ALL(csrqrFactor, EMULATOR_CUSOLVER_SP_CSRQR_FACTOR)
#define EMULATOR_CUSOLVER_SP_CSRQR_ZERO_PIVOT(T, R) \
  (cusolverSpHandle_t handle, csrqrInfo_t info, R tol, int* position)
EMULATOR_CUSOLVER_SP_ALL(csrqrZeroPivot, EMULATOR_CUSOLVER_SP_CSRQR_ZERO_PIVOT)
#define EMULATOR_CUSOLVER_SP_CSRQR_SOLVE(T, R) \
  (cusolverSpHandle_t handle, int m, int n, T* b, T* x, csrqrInfo_t info, void* pBuffer)
EMULATOR_CUSOLVER_SP_ALL(csrqrSolve, EMULATOR_CUSOLVER_SP_CSRQR_SOLVE)

// Cholesky's factor, on the host ------------------------------------------------------------------

cusolverStatus_t cusolverSpCreateCsrcholInfoHost(csrcholInfoHost_t* info);
cusolverStatus_t cusolverSpDestroyCsrcholInfoHost(csrcholInfoHost_t info);
/// Keeps the pattern.
cusolverStatus_t cusolverSpXcsrcholAnalysisHost(cusolverSpHandle_t handle, int n, int nnzA,
                                                const cusparseMatDescr_t descrA,
                                                const int* csrRowPtrA, const int* csrColIndA,
                                                csrcholInfoHost_t info);
#define EMULATOR_CUSOLVER_SP_CSRCHOL_BUFFER_INFO_HOST(T, R)                                       \
  (cusolverSpHandle_t handle, int n, int nnzA, const cusparseMatDescr_t descrA, const T* csrValA, \
   const int* csrRowPtrA, const int* csrColIndA, csrcholInfoHost_t info,                          \
   std::size_t* internalDataInBytes, std::size_t* workspaceInBytes)
EMULATOR_CUSOLVER_SP_ALL(csrcholBufferInfoHost, EMULATOR_CUSOLVER_SP_CSRCHOL_BUFFER_INFO_HOST)
#define EMULATOR_CUSOLVER_SP_CSRCHOL_FACTOR_HOST(T, R)                                            \
  (cusolverSpHandle_t handle, int n, int nnzA, const cusparseMatDescr_t descrA, const T* csrValA, \
   const int* csrRowPtrA, const int* csrColIndA, csrcholInfoHost_t info, void* pBuffer)
EMULATOR_CUSOLVER_SP_ALL(csrcholFactorHost, EMULATOR_CUSOLVER_SP_CSRCHOL_FACTOR_HOST)
#define EMULATOR_CUSOLVER_SP_CSRCHOL_ZERO_PIVOT_HOST(T, R) \
  (cusolverSpHandle_t handle, csrcholInfoHost_t info, R tol, int* position)
EMULATOR_CUSOLVER_SP_ALL(csrcholZeroPivotHost, EMULATOR_CUSOLVER_SP_CSRCHOL_ZERO_PIVOT_HOST)
#define EMULATOR_CUSOLVER_SP_CSRCHOL_SOLVE_HOST(T, R) \
  (cusolverSpHandle_t handle, int n, const T* b, T* x, csrcholInfoHost_t info, void* pBuffer)
EMULATOR_CUSOLVER_SP_ALL(csrcholSolveHost, EMULATOR_CUSOLVER_SP_CSRCHOL_SOLVE_HOST)

// Cholesky's factor -------------------------------------------------------------------------------

cusolverStatus_t cusolverSpCreateCsrcholInfo(csrcholInfo_t* info);
cusolverStatus_t cusolverSpDestroyCsrcholInfo(csrcholInfo_t info);
/// Keeps the pattern.
cusolverStatus_t cusolverSpXcsrcholAnalysis(cusolverSpHandle_t handle, int n, int nnzA,
                                            const cusparseMatDescr_t descrA, const int* csrRowPtrA,
                                            const int* csrColIndA, csrcholInfo_t info);
#define EMULATOR_CUSOLVER_SP_CSRCHOL_BUFFER_INFO(T, R)                                            \
  (cusolverSpHandle_t handle, int n, int nnzA, const cusparseMatDescr_t descrA, const T* csrValA, \
   const int* csrRowPtrA, const int* csrColIndA, csrcholInfo_t info,                              \
   std::size_t* internalDataInBytes, std::size_t* workspaceInBytes)
EMULATOR_CUSOLVER_SP_ALL(csrcholBufferInfo, EMULATOR_CUSOLVER_SP_CSRCHOL_BUFFER_INFO)
#define EMULATOR_CUSOLVER_SP_CSRCHOL_FACTOR(T, R)                                                 \
  (cusolverSpHandle_t handle, int n, int nnzA, const cusparseMatDescr_t descrA, const T* csrValA, \
   const int* csrRowPtrA, const int* csrColIndA, csrcholInfo_t info, void* pBuffer)
EMULATOR_CUSOLVER_SP_ALL(csrcholFactor, EMULATOR_CUSOLVER_SP_CSRCHOL_FACTOR)
#define EMULATOR_CUSOLVER_SP_CSRCHOL_ZERO_PIVOT(T, R) \
  (cusolverSpHandle_t handle, csrcholInfo_t info, R tol, int* position)
EMULATOR_CUSOLVER_SP_ALL(csrcholZeroPivot, EMULATOR_CUSOLVER_SP_CSRCHOL_ZERO_PIVOT)
#define EMULATOR_CUSOLVER_SP_CSRCHOL_SOLVE(T, R) \
  (cusolverSpHandle_t handle, int n, const T* b, T* x, csrcholInfo_t info, void* pBuffer)
EMULATOR_CUSOLVER_SP_ALL(csrcholSolve, EMULATOR_CUSOLVER_SP_CSRCHOL_SOLVE)
#define EMULATOR_CUSOLVER_SP_CSRCHOL_DIAG(T, R) \
  (cusolverSpHandle_t handle, csrcholInfo_t info, R * diag)
/// L's diagonal, into the memory of the device.
EMULATOR_CUSOLVER_SP_ALL(csrcholDiag, EMULATOR_CUSOLVER_SP_CSRCHOL_DIAG)
}
