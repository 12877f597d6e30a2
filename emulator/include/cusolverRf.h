#pragma once
#pragma GCC system_header
/// \file
/// cuSOLVER's refactorisation: L and U of sparse matrices whose pattern and pivots are known.
/// Numbers are double, indices count from 0. What differs from a GPU is as in cusolverSp.h.

#include "cuda_runtime.h"
#include "cusolver_common.h"

/// Programs ask by this name of NVIDIA's include guard whether cuSOLVER's types are there.
#define CUSOLVERRF_H_

enum cusolverRfResetValuesFastMode_t {
  CUSOLVERRF_RESET_VALUES_FAST_MODE_OFF = 0,
  CUSOLVERRF_RESET_VALUES_FAST_MODE_ON = 1
};
enum cusolverRfMatrixFormat_t {
  CUSOLVERRF_MATRIX_FORMAT_CSR = 0,
  CUSOLVERRF_MATRIX_FORMAT_CSC = 1
};
enum cusolverRfUnitDiagonal_t {
  CUSOLVERRF_UNIT_DIAGONAL_STORED_L = 0,
  CUSOLVERRF_UNIT_DIAGONAL_STORED_U = 1,
  CUSOLVERRF_UNIT_DIAGONAL_ASSUMED_L = 2,
  CUSOLVERRF_UNIT_DIAGONAL_ASSUMED_U = 3
};
enum cusolverRfFactorization_t {
  CUSOLVERRF_FACTORIZATION_ALG0 = 0,
  CUSOLVERRF_FACTORIZATION_ALG1 = 1,
  CUSOLVERRF_FACTORIZATION_ALG2 = 2
};
enum cusolverRfTriangularSolve_t {
  CUSOLVERRF_TRIANGULAR_SOLVE_ALG1 = 1,
  CUSOLVERRF_TRIANGULAR_SOLVE_ALG2 = 2,
  CUSOLVERRF_TRIANGULAR_SOLVE_ALG3 = 3
};
enum cusolverRfNumericBoostReport_t {
  CUSOLVERRF_NUMERIC_BOOST_NOT_USED = 0,
  CUSOLVERRF_NUMERIC_BOOST_USED = 1
};
using cusolverRfHandle_t = struct cusolverRfCommon*;

extern "C" {
cusolverStatus_t cusolverRfCreate(cusolverRfHandle_t* handle);
cusolverStatus_t cusolverRfDestroy(cusolverRfHandle_t handle);
cusolverStatus_t cusolverRfGetMatrixFormat(cusolverRfHandle_t handle,
                                           cusolverRfMatrixFormat_t* format,
                                           cusolverRfUnitDiagonal_t* diag);
cusolverStatus_t cusolverRfSetMatrixFormat(cusolverRfHandle_t handle,
                                           cusolverRfMatrixFormat_t format,
                                           cusolverRfUnitDiagonal_t diag);
/// A pivot whose magnitude is below zero becomes boost, if zero is not 0.
cusolverStatus_t cusolverRfSetNumericProperties(cusolverRfHandle_t handle, double zero,
                                                double boost);
cusolverStatus_t cusolverRfGetNumericProperties(cusolverRfHandle_t handle, double* zero,
                                                double* boost);
/// Whether one has, in the last cusolverRfRefactor.
cusolverStatus_t cusolverRfGetNumericBoostReport(cusolverRfHandle_t handle,
                                                 cusolverRfNumericBoostReport_t* report);
/// \restricted Without effect: there is one way to compute them.
cusolverStatus_t cusolverRfSetAlgs(cusolverRfHandle_t handle, cusolverRfFactorization_t factAlg,
                                   cusolverRfTriangularSolve_t solveAlg);
cusolverStatus_t cusolverRfGetAlgs(cusolverRfHandle_t handle, cusolverRfFactorization_t* factAlg,
                                   cusolverRfTriangularSolve_t* solveAlg);
cusolverStatus_t cusolverRfGetResetValuesFastMode(cusolverRfHandle_t handle,
                                                  cusolverRfResetValuesFastMode_t* fastMode);
/// \restricted Without effect.
cusolverStatus_t cusolverRfSetResetValuesFastMode(cusolverRfHandle_t handle,
                                                  cusolverRfResetValuesFastMode_t fastMode);
/// Takes A, and L, U, P and Q with P A Q^T = L U. All arrays are on the host.
/// \return CUSOLVER_STATUS_INVALID_VALUE for sizes that are not positive, and null pointers:
/// stricter
///         than the library, which divides by an n of 0
cusolverStatus_t cusolverRfSetupHost(int n, int nnzA, int* h_csrRowPtrA, int* h_csrColIndA,
                                     double* h_csrValA, int nnzL, int* h_csrRowPtrL,
                                     int* h_csrColIndL, double* h_csrValL, int nnzU,
                                     int* h_csrRowPtrU, int* h_csrColIndU, double* h_csrValU,
                                     int* h_P, int* h_Q, cusolverRfHandle_t handle);
/// The same with all arrays in the memory of the device.
cusolverStatus_t cusolverRfSetupDevice(int n, int nnzA, int* csrRowPtrA, int* csrColIndA,
                                       double* csrValA, int nnzL, int* csrRowPtrL, int* csrColIndL,
                                       double* csrValL, int nnzU, int* csrRowPtrU, int* csrColIndU,
                                       double* csrValU, int* P, int* Q, cusolverRfHandle_t handle);
/// New values of A, in the memory of the device.
cusolverStatus_t cusolverRfResetValues(int n, int nnzA, int* csrRowPtrA, int* csrColIndA,
                                       double* csrValA, int* P, int* Q, cusolverRfHandle_t handle);
/// Before the setup nothing is done, here and below, and that is not an error.
cusolverStatus_t cusolverRfAnalyze(cusolverRfHandle_t handle);
/// New L and U, of the same pattern and without pivots.
/// \return CUSOLVER_STATUS_ZERO_PIVOT for a pivot that is 0
cusolverStatus_t cusolverRfRefactor(cusolverRfHandle_t handle);
/// L and U in one matrix, without L's diagonal. The arrays are malloc()ed: the program frees them.
cusolverStatus_t cusolverRfExtractBundledFactorsHost(cusolverRfHandle_t handle, int* h_nnzM,
                                                     int** h_Mp, int** h_Mi, double** h_Mx);
/// The same apart, L with its diagonal.
cusolverStatus_t cusolverRfExtractSplitFactorsHost(cusolverRfHandle_t handle, int* h_nnzL,
                                                   int** h_csrRowPtrL, int** h_csrColIndL,
                                                   double** h_csrValL, int* h_nnzU,
                                                   int** h_csrRowPtrU, int** h_csrColIndU,
                                                   double** h_csrValU);
/// Solves A X = B into B, in the memory of the device. Temp is not used here.
cusolverStatus_t cusolverRfSolve(cusolverRfHandle_t handle, int* P, int* Q, int nrhs, double* Temp,
                                 int ldt, double* XF, int ldxf);
/// Several matrices of one pattern. The analysis of two of 2 x 2 crashes in the library.
cusolverStatus_t cusolverRfBatchSetupHost(int batchSize, int n, int nnzA, int* h_csrRowPtrA,
                                          int* h_csrColIndA, double* h_csrValA_array[], int nnzL,
                                          int* h_csrRowPtrL, int* h_csrColIndL, double* h_csrValL,
                                          int nnzU, int* h_csrRowPtrU, int* h_csrColIndU,
                                          double* h_csrValU, int* h_P, int* h_Q,
                                          cusolverRfHandle_t handle);
cusolverStatus_t cusolverRfBatchResetValues(int batchSize, int n, int nnzA, int* csrRowPtrA,
                                            int* csrColIndA, double* csrValA_array[], int* P,
                                            int* Q, cusolverRfHandle_t handle);
cusolverStatus_t cusolverRfBatchAnalyze(cusolverRfHandle_t handle);
cusolverStatus_t cusolverRfBatchRefactor(cusolverRfHandle_t handle);
cusolverStatus_t cusolverRfBatchSolve(cusolverRfHandle_t handle, int* P, int* Q, int nrhs,
                                      double* Temp, int ldt, double* XF_array[], int ldxf);
/// The first pivot of each matrix that is 0, on the host; or -1.
/// \return CUSOLVER_STATUS_ZERO_PIVOT if there is one
cusolverStatus_t cusolverRfBatchZeroPivot(cusolverRfHandle_t handle, int* position);
}

namespace emulator::detail {
/// Prints "emulator: <what> is not modelled", the first time for each.
cusolverStatus_t cusolver_not_modelled(const char* what);
}  // namespace emulator::detail
template <class... Arguments>
cusolverStatus_t cusolverRfAccessBundledFactorsDevice(const Arguments&...) {
  return emulator::detail::cusolver_not_modelled("cusolverRfAccessBundledFactorsDevice");
}
