#pragma once
#pragma GCC system_header
/// \file
/// cuSOLVER's functions that solve dense systems at once, and those that take the types of numbers
/// as arguments. cusolverDn.h includes this file.

extern "C" {

// Solutions at once -------------------------------------------------------------------------------

#define EMULATOR_CUSOLVER_GESV_BUFFER_SIZE(T)                                                     \
  (cusolverDnHandle_t handle, cusolver_int_t n, cusolver_int_t nrhs, T * dA, cusolver_int_t ldda, \
   cusolver_int_t * dipiv, T * dB, cusolver_int_t lddb, T * dX, cusolver_int_t lddx,              \
   void* dWorkspace, std::size_t* lwork_bytes)
/// The second letter is the type of the factors: lower than that of the numbers, they are refined.
/// Here all are of the type of the numbers.
EMULATOR_CUSOLVER_MIXED(gesv_bufferSize, EMULATOR_CUSOLVER_GESV_BUFFER_SIZE)
#define EMULATOR_CUSOLVER_GESV(T)                                                                 \
  (cusolverDnHandle_t handle, cusolver_int_t n, cusolver_int_t nrhs, T * dA, cusolver_int_t ldda, \
   cusolver_int_t * dipiv, T * dB, cusolver_int_t lddb, T * dX, cusolver_int_t lddx,              \
   void* dWorkspace, std::size_t lwork_bytes, cusolver_int_t* iter, cusolver_int_t* d_info)
/// Solves A X = B. A and B are left as they are unless iter, on the host, is negative: A then
/// holds its factors. Here it is 1 for factors of a lower type, as if one step had been enough, and
/// 0 for others. d_info is as getrf's devInfo; X is not written if it is not 0: stricter than the
/// library, which leaves an iter of -5, a d_info of 0, and NaN in X.
EMULATOR_CUSOLVER_MIXED(gesv, EMULATOR_CUSOLVER_GESV)
#define EMULATOR_CUSOLVER_GELS_BUFFER_SIZE(T)                                                  \
  (cusolverDnHandle_t handle, cusolver_int_t m, cusolver_int_t n, cusolver_int_t nrhs, T * dA, \
   cusolver_int_t ldda, T * dB, cusolver_int_t lddb, T * dX, cusolver_int_t lddx,              \
   void* dWorkspace, std::size_t* lwork_bytes)
EMULATOR_CUSOLVER_MIXED(gels_bufferSize, EMULATOR_CUSOLVER_GELS_BUFFER_SIZE)
#define EMULATOR_CUSOLVER_GELS(T)                                                              \
  (cusolverDnHandle_t handle, cusolver_int_t m, cusolver_int_t n, cusolver_int_t nrhs, T * dA, \
   cusolver_int_t ldda, T * dB, cusolver_int_t lddb, T * dX, cusolver_int_t lddx,              \
   void* dWorkspace, std::size_t lwork_bytes, cusolver_int_t* iter, cusolver_int_t* d_info)
/// Least squares: the X for which A X is nearest to B. iter is as gesv's if A X is B, and otherwise
/// -50, as no number of steps is enough. If an element of R's diagonal is 0, iter is -3, d_info
/// -30, and X 0. A and B are left as they are. \return CUSOLVER_STATUS_IRS_PARAMS_INVALID for m
/// below n, with a d_info of -2
EMULATOR_CUSOLVER_MIXED(gels, EMULATOR_CUSOLVER_GELS)
cusolverStatus_t cusolverDnIRSInfosCreate(cusolverDnIRSInfos_t* infos_ptr);
cusolverStatus_t cusolverDnIRSInfosDestroy(cusolverDnIRSInfos_t infos);
cusolverStatus_t cusolverDnIRSInfosGetMaxIters(cusolverDnIRSInfos_t infos,
                                               cusolver_int_t* maxiters);
cusolverStatus_t cusolverDnIRSInfosGetNiters(cusolverDnIRSInfos_t infos, cusolver_int_t* niters);
cusolverStatus_t cusolverDnIRSInfosGetOuterNiters(cusolverDnIRSInfos_t infos,
                                                  cusolver_int_t* outer_niters);
cusolverStatus_t cusolverDnIRSInfosGetResidualHistory(cusolverDnIRSInfos_t infos,
                                                      void** residual_history);
cusolverStatus_t cusolverDnIRSInfosRequestResidual(cusolverDnIRSInfos_t infos);
cusolverStatus_t cusolverDnIRSParamsCreate(cusolverDnIRSParams_t* params_ptr);
cusolverStatus_t cusolverDnIRSParamsDestroy(cusolverDnIRSParams_t params);
cusolverStatus_t cusolverDnIRSParamsDisableFallback(cusolverDnIRSParams_t params);
cusolverStatus_t cusolverDnIRSParamsEnableFallback(cusolverDnIRSParams_t params);
cusolverStatus_t cusolverDnIRSParamsGetMaxIters(cusolverDnIRSParams_t params,
                                                cusolver_int_t* maxiters);
cusolverStatus_t cusolverDnIRSParamsSetMaxIters(cusolverDnIRSParams_t params,
                                                cusolver_int_t maxiters);
cusolverStatus_t cusolverDnIRSParamsSetMaxItersInner(cusolverDnIRSParams_t params,
                                                     cusolver_int_t maxiters_inner);
cusolverStatus_t cusolverDnIRSParamsSetRefinementSolver(cusolverDnIRSParams_t params,
                                                        cusolverIRSRefinement_t refinement_solver);
cusolverStatus_t cusolverDnIRSParamsSetSolverLowestPrecision(
    cusolverDnIRSParams_t params, cusolverPrecType_t solver_lowest_precision);
cusolverStatus_t cusolverDnIRSParamsSetSolverMainPrecision(
    cusolverDnIRSParams_t params, cusolverPrecType_t solver_main_precision);
cusolverStatus_t cusolverDnIRSParamsSetSolverPrecisions(cusolverDnIRSParams_t params,
                                                        cusolverPrecType_t solver_main_precision,
                                                        cusolverPrecType_t solver_lowest_precision);
cusolverStatus_t cusolverDnIRSParamsSetTol(cusolverDnIRSParams_t params, double val);
cusolverStatus_t cusolverDnIRSParamsSetTolInner(cusolverDnIRSParams_t params, double val);
cusolverStatus_t cusolverDnIRSXgesv_bufferSize(cusolverDnHandle_t handle,
                                               cusolverDnIRSParams_t params, cusolver_int_t n,
                                               cusolver_int_t nrhs, std::size_t* lwork_bytes);
/// As gesv, with the types of the parameters' precisions. Nothing is refined.
/// \return CUSOLVER_STATUS_IRS_PARAMS_INVALID without precisions, as from bufferSize, and
///         CUSOLVER_STATUS_IRS_PARAMS_INVALID_REFINE without a solver, which bufferSize does not
///         need
cusolverStatus_t cusolverDnIRSXgesv(cusolverDnHandle_t handle,
                                    cusolverDnIRSParams_t gesv_irs_params,
                                    cusolverDnIRSInfos_t gesv_irs_infos, cusolver_int_t n,
                                    cusolver_int_t nrhs, void* dA, cusolver_int_t ldda, void* dB,
                                    cusolver_int_t lddb, void* dX, cusolver_int_t lddx,
                                    void* dWorkspace, std::size_t lwork_bytes,
                                    cusolver_int_t* niters, cusolver_int_t* d_info);
cusolverStatus_t cusolverDnIRSXgels_bufferSize(cusolverDnHandle_t handle,
                                               cusolverDnIRSParams_t params, cusolver_int_t m,
                                               cusolver_int_t n, cusolver_int_t nrhs,
                                               std::size_t* lwork_bytes);
/// As gels.
cusolverStatus_t cusolverDnIRSXgels(cusolverDnHandle_t handle,
                                    cusolverDnIRSParams_t gels_irs_params,
                                    cusolverDnIRSInfos_t gels_irs_infos, cusolver_int_t m,
                                    cusolver_int_t n, cusolver_int_t nrhs, void* dA,
                                    cusolver_int_t ldda, void* dB, cusolver_int_t lddb, void* dX,
                                    cusolver_int_t lddx, void* dWorkspace, std::size_t lwork_bytes,
                                    cusolver_int_t* niters, cusolver_int_t* d_info);

// Functions for all types, with sizes of 64 bits --------------------------------------------------

/// The work on the host has no size, here and below.
cusolverStatus_t cusolverDnXpotrf_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                             cublasFillMode_t uplo, std::int64_t n,
                                             cudaDataType dataTypeA, const void* A,
                                             std::int64_t lda, cudaDataType computeType,
                                             std::size_t* workspaceInBytesOnDevice,
                                             std::size_t* workspaceInBytesOnHost);
/// As potrf. dataTypeA and computeType are CUDA_R_32F, CUDA_R_64F, CUDA_C_32F or CUDA_C_64F, and
/// the same, which potrf's bufferSize does not check; types of other operands are those that
/// belong to it. info reports no arguments, here and below.
cusolverStatus_t cusolverDnXpotrf(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                  cublasFillMode_t uplo, std::int64_t n, cudaDataType dataTypeA,
                                  void* A, std::int64_t lda, cudaDataType computeType,
                                  void* bufferOnDevice, std::size_t workspaceInBytesOnDevice,
                                  void* bufferOnHost, std::size_t workspaceInBytesOnHost,
                                  int* info);
cusolverStatus_t cusolverDnXpotrs(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                  cublasFillMode_t uplo, std::int64_t n, std::int64_t nrhs,
                                  cudaDataType dataTypeA, const void* A, std::int64_t lda,
                                  cudaDataType dataTypeB, void* B, std::int64_t ldb, int* info);
cusolverStatus_t cusolverDnXgetrf_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                             std::int64_t m, std::int64_t n, cudaDataType dataTypeA,
                                             const void* A, std::int64_t lda,
                                             cudaDataType computeType,
                                             std::size_t* workspaceInBytesOnDevice,
                                             std::size_t* workspaceInBytesOnHost);
/// As getrf, with pivots of 64 bits.
cusolverStatus_t cusolverDnXgetrf(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                  std::int64_t m, std::int64_t n, cudaDataType dataTypeA, void* A,
                                  std::int64_t lda, std::int64_t* ipiv, cudaDataType computeType,
                                  void* bufferOnDevice, std::size_t workspaceInBytesOnDevice,
                                  void* bufferOnHost, std::size_t workspaceInBytesOnHost,
                                  int* info);
cusolverStatus_t cusolverDnXgetrs(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                  cublasOperation_t trans, std::int64_t n, std::int64_t nrhs,
                                  cudaDataType dataTypeA, const void* A, std::int64_t lda,
                                  const std::int64_t* ipiv, cudaDataType dataTypeB, void* B,
                                  std::int64_t ldb, int* info);
cusolverStatus_t cusolverDnXsytrs_bufferSize(cusolverDnHandle_t handle, cublasFillMode_t uplo,
                                             std::int64_t n, std::int64_t nrhs,
                                             cudaDataType dataTypeA, const void* A,
                                             std::int64_t lda, const std::int64_t* ipiv,
                                             cudaDataType dataTypeB, void* B, std::int64_t ldb,
                                             std::size_t* workspaceInBytesOnDevice,
                                             std::size_t* workspaceInBytesOnHost);
/// Solves A X = B, by the factors that sytrf has left in A, with its pivots as numbers of 64 bits,
/// or null. It needs no work, and bufferSize checks nothing. info is 0, or -i if the argument i,
/// counted without the handle, is refused. \return CUSOLVER_STATUS_MATRIX_TYPE_NOT_SUPPORTED for
/// two types, and CUSOLVER_STATUS_EXECUTION_FAILED for an ipiv that sytrf cannot have left
cusolverStatus_t cusolverDnXsytrs(cusolverDnHandle_t handle, cublasFillMode_t uplo, std::int64_t n,
                                  std::int64_t nrhs, cudaDataType dataTypeA, const void* A,
                                  std::int64_t lda, const std::int64_t* ipiv,
                                  cudaDataType dataTypeB, void* B, std::int64_t ldb,
                                  void* bufferOnDevice, std::size_t workspaceInBytesOnDevice,
                                  void* bufferOnHost, std::size_t workspaceInBytesOnHost,
                                  int* info);
cusolverStatus_t cusolverDnXgeqrf_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                             std::int64_t m, std::int64_t n, cudaDataType dataTypeA,
                                             const void* A, std::int64_t lda,
                                             cudaDataType dataTypeTau, const void* tau,
                                             cudaDataType computeType,
                                             std::size_t* workspaceInBytesOnDevice,
                                             std::size_t* workspaceInBytesOnHost);
cusolverStatus_t cusolverDnXgeqrf(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                  std::int64_t m, std::int64_t n, cudaDataType dataTypeA, void* A,
                                  std::int64_t lda, cudaDataType dataTypeTau, void* tau,
                                  cudaDataType computeType, void* bufferOnDevice,
                                  std::size_t workspaceInBytesOnDevice, void* bufferOnHost,
                                  std::size_t workspaceInBytesOnHost, int* info);
cusolverStatus_t cusolverDnXsyevd_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                             cusolverEigMode_t jobz, cublasFillMode_t uplo,
                                             std::int64_t n, cudaDataType dataTypeA, const void* A,
                                             std::int64_t lda, cudaDataType dataTypeW,
                                             const void* W, cudaDataType computeType,
                                             std::size_t* workspaceInBytesOnDevice,
                                             std::size_t* workspaceInBytesOnHost);
cusolverStatus_t cusolverDnXsyevd(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                  cusolverEigMode_t jobz, cublasFillMode_t uplo, std::int64_t n,
                                  cudaDataType dataTypeA, void* A, std::int64_t lda,
                                  cudaDataType dataTypeW, void* W, cudaDataType computeType,
                                  void* bufferOnDevice, std::size_t workspaceInBytesOnDevice,
                                  void* bufferOnHost, std::size_t workspaceInBytesOnHost,
                                  int* info);
cusolverStatus_t cusolverDnXsyevdx_bufferSize(
    cusolverDnHandle_t handle, cusolverDnParams_t params, cusolverEigMode_t jobz,
    cusolverEigRange_t range, cublasFillMode_t uplo, std::int64_t n, cudaDataType dataTypeA,
    const void* A, std::int64_t lda, void* vl, void* vu, std::int64_t il, std::int64_t iu,
    std::int64_t* h_meig, cudaDataType dataTypeW, const void* W, cudaDataType computeType,
    std::size_t* workspaceInBytesOnDevice, std::size_t* workspaceInBytesOnHost);
/// As syevdx. vl and vu point to numbers of the eigenvalues' type, on the host.
cusolverStatus_t cusolverDnXsyevdx(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                   cusolverEigMode_t jobz, cusolverEigRange_t range,
                                   cublasFillMode_t uplo, std::int64_t n, cudaDataType dataTypeA,
                                   void* A, std::int64_t lda, void* vl, void* vu, std::int64_t il,
                                   std::int64_t iu, std::int64_t* meig64, cudaDataType dataTypeW,
                                   void* W, cudaDataType computeType, void* bufferOnDevice,
                                   std::size_t workspaceInBytesOnDevice, void* bufferOnHost,
                                   std::size_t workspaceInBytesOnHost, int* info);
cusolverStatus_t cusolverDnXsyevBatched_bufferSize(
    cusolverDnHandle_t handle, cusolverDnParams_t params, cusolverEigMode_t jobz,
    cublasFillMode_t uplo, std::int64_t n, cudaDataType dataTypeA, const void* A, std::int64_t lda,
    cudaDataType dataTypeW, const void* W, cudaDataType computeType,
    std::size_t* workspaceInBytesOnDevice, std::size_t* workspaceInBytesOnHost,
    std::int64_t batchSize);
/// As syevd for matrices that follow each other.
cusolverStatus_t cusolverDnXsyevBatched(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                        cusolverEigMode_t jobz, cublasFillMode_t uplo,
                                        std::int64_t n, cudaDataType dataTypeA, void* A,
                                        std::int64_t lda, cudaDataType dataTypeW, void* W,
                                        cudaDataType computeType, void* bufferOnDevice,
                                        std::size_t workspaceInBytesOnDevice, void* bufferOnHost,
                                        std::size_t workspaceInBytesOnHost, int* info,
                                        std::int64_t batchSize);
cusolverStatus_t cusolverDnXgeev_bufferSize(
    cusolverDnHandle_t handle, cusolverDnParams_t params, cusolverEigMode_t jobvl,
    cusolverEigMode_t jobvr, std::int64_t n, cudaDataType dataTypeA, const void* A,
    std::int64_t lda, cudaDataType dataTypeW, const void* W, cudaDataType dataTypeVL,
    const void* VL, std::int64_t ldvl, cudaDataType dataTypeVR, const void* VR, std::int64_t ldvr,
    cudaDataType computeType, std::size_t* workspaceInBytesOnDevice,
    std::size_t* workspaceInBytesOnHost);
/// The eigenvalues of a general n x n matrix A, which is overwritten, and its right eigenvectors,
/// as the columns of VR. Those of one pair of a real A follow each other, the one with the positive
/// imaginary part first: two columns of VR are then the real and the imaginary part of the first
/// one's eigenvector, of which the other's is the conjugate. W has n complex numbers; if it is
/// real, n real parts and then n imaginary ones. Eigenvectors are of length 1, and the largest
/// element of a complex one is real. info is 0, or how many eigenvalues were not found: those that
/// follow them in W were, and VR is not written. With n 0 info is not, either. The sizes of the
/// work are ignored. The call cannot become part of a graph. \return CUSOLVER_STATUS_INVALID_VALUE
/// unless all types are A's; only W may be complex with a real A. CUSOLVER_STATUS_INTERNAL_ERROR
/// for a jobvl of CUSOLVER_EIG_MODE_VECTOR, for sizes for which bufferSize returns
/// CUSOLVER_STATUS_INVALID_VALUE, and, with an info of 0, for an A with a number that is not
/// finite. Unknown modes are refused: stricter than the library
cusolverStatus_t cusolverDnXgeev(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                 cusolverEigMode_t jobvl, cusolverEigMode_t jobvr, std::int64_t n,
                                 cudaDataType dataTypeA, void* A, std::int64_t lda,
                                 cudaDataType dataTypeW, void* W, cudaDataType dataTypeVL, void* VL,
                                 std::int64_t ldvl, cudaDataType dataTypeVR, void* VR,
                                 std::int64_t ldvr, cudaDataType computeType, void* bufferOnDevice,
                                 std::size_t workspaceInBytesOnDevice, void* bufferOnHost,
                                 std::size_t workspaceInBytesOnHost, int* info);
cusolverStatus_t cusolverDnXgesvd_bufferSize(
    cusolverDnHandle_t handle, cusolverDnParams_t params, signed char jobu, signed char jobvt,
    std::int64_t m, std::int64_t n, cudaDataType dataTypeA, const void* A, std::int64_t lda,
    cudaDataType dataTypeS, const void* S, cudaDataType dataTypeU, const void* U, std::int64_t ldu,
    cudaDataType dataTypeVT, const void* VT, std::int64_t ldvt, cudaDataType computeType,
    std::size_t* workspaceInBytesOnDevice, std::size_t* workspaceInBytesOnHost);
/// As gesvd.
cusolverStatus_t cusolverDnXgesvd(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                  signed char jobu, signed char jobvt, std::int64_t m,
                                  std::int64_t n, cudaDataType dataTypeA, void* A, std::int64_t lda,
                                  cudaDataType dataTypeS, void* S, cudaDataType dataTypeU, void* U,
                                  std::int64_t ldu, cudaDataType dataTypeVT, void* VT,
                                  std::int64_t ldvt, cudaDataType computeType, void* bufferOnDevice,
                                  std::size_t workspaceInBytesOnDevice, void* bufferOnHost,
                                  std::size_t workspaceInBytesOnHost, int* info);
cusolverStatus_t cusolverDnXgesvdp_bufferSize(
    cusolverDnHandle_t handle, cusolverDnParams_t params, cusolverEigMode_t jobz, int econ,
    std::int64_t m, std::int64_t n, cudaDataType dataTypeA, const void* A, std::int64_t lda,
    cudaDataType dataTypeS, const void* S, cudaDataType dataTypeU, const void* U, std::int64_t ldu,
    cudaDataType dataTypeV, const void* V, std::int64_t ldv, cudaDataType computeType,
    std::size_t* workspaceInBytesOnDevice, std::size_t* workspaceInBytesOnHost);
/// As gesvdj. h_err_sigma, on the host, is 0 here.
cusolverStatus_t cusolverDnXgesvdp(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                   cusolverEigMode_t jobz, int econ, std::int64_t m, std::int64_t n,
                                   cudaDataType dataTypeA, void* A, std::int64_t lda,
                                   cudaDataType dataTypeS, void* S, cudaDataType dataTypeU, void* U,
                                   std::int64_t ldu, cudaDataType dataTypeV, void* V,
                                   std::int64_t ldv, cudaDataType computeType, void* bufferOnDevice,
                                   std::size_t workspaceInBytesOnDevice, void* bufferOnHost,
                                   std::size_t workspaceInBytesOnHost, int* d_info,
                                   double* h_err_sigma);
cusolverStatus_t cusolverDnXgesvdr_bufferSize(
    cusolverDnHandle_t handle, cusolverDnParams_t params, signed char jobu, signed char jobv,
    std::int64_t m, std::int64_t n, std::int64_t k, std::int64_t p, std::int64_t niters,
    cudaDataType dataTypeA, const void* A, std::int64_t lda, cudaDataType dataTypeSrand,
    const void* Srand, cudaDataType dataTypeUrand, const void* Urand, std::int64_t ldUrand,
    cudaDataType dataTypeVrand, const void* Vrand, std::int64_t ldVrand, cudaDataType computeType,
    std::size_t* workspaceInBytesOnDevice, std::size_t* workspaceInBytesOnHost);
/// As gesvd with the first k singular values and vectors, with V in place of V^H. They are not
/// estimated by random vectors here, but computed.
cusolverStatus_t cusolverDnXgesvdr(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                   signed char jobu, signed char jobv, std::int64_t m,
                                   std::int64_t n, std::int64_t k, std::int64_t p,
                                   std::int64_t niters, cudaDataType dataTypeA, void* A,
                                   std::int64_t lda, cudaDataType dataTypeSrand, void* Srand,
                                   cudaDataType dataTypeUrand, void* Urand, std::int64_t ldUrand,
                                   cudaDataType dataTypeVrand, void* Vrand, std::int64_t ldVrand,
                                   cudaDataType computeType, void* bufferOnDevice,
                                   std::size_t workspaceInBytesOnDevice, void* bufferOnHost,
                                   std::size_t workspaceInBytesOnHost, int* d_info);
cusolverStatus_t cusolverDnXtrtri_bufferSize(cusolverDnHandle_t handle, cublasFillMode_t uplo,
                                             cublasDiagType_t diag, std::int64_t n,
                                             cudaDataType dataTypeA, void* A, std::int64_t lda,
                                             std::size_t* workspaceInBytesOnDevice,
                                             std::size_t* workspaceInBytesOnHost);
/// The inverse of a triangular matrix. info is the first element of its diagonal that is 0, counted
/// from 1, or 0.
cusolverStatus_t cusolverDnXtrtri(cusolverDnHandle_t handle, cublasFillMode_t uplo,
                                  cublasDiagType_t diag, std::int64_t n, cudaDataType dataTypeA,
                                  void* A, std::int64_t lda, void* bufferOnDevice,
                                  std::size_t workspaceInBytesOnDevice, void* bufferOnHost,
                                  std::size_t workspaceInBytesOnHost, int* devInfo);
}
