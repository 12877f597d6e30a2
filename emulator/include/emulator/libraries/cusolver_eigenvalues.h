#pragma once
#pragma GCC system_header
/// \file
/// cuSOLVER's eigenvalues and singular values of dense matrices. Letters, and what is refused, are
/// as in emulator/libraries/cusolver_factors.h; but what bufferSize returns for eigenvalues it
/// returns for any leading dimension and range. cusolverDn.h includes this file.

extern "C" {

// Eigenvalues of symmetric and Hermitian matrices -------------------------------------------------

#define EMULATOR_CUSOLVER_SYEVD_BUFFER_SIZE(T, R)                                               \
  (cusolverDnHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, const T* A, \
   int lda, const R* W, int* lwork)
EMULATOR_CUSOLVER_REAL(syevd_bufferSize, EMULATOR_CUSOLVER_SYEVD_BUFFER_SIZE)
EMULATOR_CUSOLVER_COMPLEX(heevd_bufferSize, EMULATOR_CUSOLVER_SYEVD_BUFFER_SIZE)
#define EMULATOR_CUSOLVER_SYEVD(T, R)                                                              \
  (cusolverDnHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, T* A, int lda, \
   R* W, T* work, int lwork, int* info)
/// W gets the eigenvalues, which ascend, and A the eigenvectors if jobz asks for them. info is the
/// number of those that were not found, or 0; with NaN in A it can differ from a GPU's.
EMULATOR_CUSOLVER_REAL(syevd, EMULATOR_CUSOLVER_SYEVD)
EMULATOR_CUSOLVER_COMPLEX(heevd, EMULATOR_CUSOLVER_SYEVD)
#define EMULATOR_CUSOLVER_SYEVDX_BUFFER_SIZE(T, R)                                           \
  (cusolverDnHandle_t handle, cusolverEigMode_t jobz, cusolverEigRange_t range,              \
   cublasFillMode_t uplo, int n, const T* A, int lda, R vl, R vu, int il, int iu, int* meig, \
   const R* W, int* lwork)
EMULATOR_CUSOLVER_REAL(syevdx_bufferSize, EMULATOR_CUSOLVER_SYEVDX_BUFFER_SIZE)
EMULATOR_CUSOLVER_COMPLEX(heevdx_bufferSize, EMULATOR_CUSOLVER_SYEVDX_BUFFER_SIZE)
#define EMULATOR_CUSOLVER_SYEVDX(T, R)                                                       \
  (cusolverDnHandle_t handle, cusolverEigMode_t jobz, cusolverEigRange_t range,              \
   cublasFillMode_t uplo, int n, T* A, int lda, R vl, R vu, int il, int iu, int* meig, R* W, \
   T* work, int lwork, int* info)
/// Those of a range only: by their numbers, from 1, il to iu; or above vl and up to vu. meig, on
/// the host, gets their number.
EMULATOR_CUSOLVER_REAL(syevdx, EMULATOR_CUSOLVER_SYEVDX)
EMULATOR_CUSOLVER_COMPLEX(heevdx, EMULATOR_CUSOLVER_SYEVDX)
#define EMULATOR_CUSOLVER_SYGVD_BUFFER_SIZE(T, R)                              \
  (cusolverDnHandle_t handle, cusolverEigType_t itype, cusolverEigMode_t jobz, \
   cublasFillMode_t uplo, int n, const T* A, int lda, const T* B, int ldb, const R* W, int* lwork)
EMULATOR_CUSOLVER_REAL(sygvd_bufferSize, EMULATOR_CUSOLVER_SYGVD_BUFFER_SIZE)
EMULATOR_CUSOLVER_COMPLEX(hegvd_bufferSize, EMULATOR_CUSOLVER_SYGVD_BUFFER_SIZE)
#define EMULATOR_CUSOLVER_SYGVD(T, R)                                                    \
  (cusolverDnHandle_t handle, cusolverEigType_t itype, cusolverEigMode_t jobz,           \
   cublasFillMode_t uplo, int n, T* A, int lda, T* B, int ldb, R* W, T* work, int lwork, \
   int* info)
/// Of A x = w B x, or of A B x = w x or B A x = w x; B, which is positive, becomes its factor. info
/// is n + i if the leading minor of B of order i is not positive.
EMULATOR_CUSOLVER_REAL(sygvd, EMULATOR_CUSOLVER_SYGVD)
EMULATOR_CUSOLVER_COMPLEX(hegvd, EMULATOR_CUSOLVER_SYGVD)
#define EMULATOR_CUSOLVER_SYGVDX_BUFFER_SIZE(T, R)                                          \
  (cusolverDnHandle_t handle, cusolverEigType_t itype, cusolverEigMode_t jobz,              \
   cusolverEigRange_t range, cublasFillMode_t uplo, int n, const T* A, int lda, const T* B, \
   int ldb, R vl, R vu, int il, int iu, int* meig, const R* W, int* lwork)
EMULATOR_CUSOLVER_REAL(sygvdx_bufferSize, EMULATOR_CUSOLVER_SYGVDX_BUFFER_SIZE)
EMULATOR_CUSOLVER_COMPLEX(hegvdx_bufferSize, EMULATOR_CUSOLVER_SYGVDX_BUFFER_SIZE)
#define EMULATOR_CUSOLVER_SYGVDX(T, R)                                                         \
  (cusolverDnHandle_t handle, cusolverEigType_t itype, cusolverEigMode_t jobz,                 \
   cusolverEigRange_t range, cublasFillMode_t uplo, int n, T* A, int lda, T* B, int ldb, R vl, \
   R vu, int il, int iu, int* meig, R* W, T* work, int lwork, int* info)
/// The same for a range of eigenvalues.
EMULATOR_CUSOLVER_REAL(sygvdx, EMULATOR_CUSOLVER_SYGVDX)
EMULATOR_CUSOLVER_COMPLEX(hegvdx, EMULATOR_CUSOLVER_SYGVDX)
#define EMULATOR_CUSOLVER_SYEVJ_BUFFER_SIZE(T, R)                                               \
  (cusolverDnHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, const T* A, \
   int lda, const R* W, int* lwork, syevjInfo_t params)
EMULATOR_CUSOLVER_REAL(syevj_bufferSize, EMULATOR_CUSOLVER_SYEVJ_BUFFER_SIZE)
EMULATOR_CUSOLVER_COMPLEX(heevj_bufferSize, EMULATOR_CUSOLVER_SYEVJ_BUFFER_SIZE)
#define EMULATOR_CUSOLVER_SYEVJ(T, R)                                                              \
  (cusolverDnHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, T* A, int lda, \
   R* W, T* work, int lwork, int* info, syevjInfo_t params)
/// As syevd, by Jacobi's rotations, with the tolerance and at most as many sweeps as params says.
/// info is n + 1 if these were not enough. bufferSize needs no params.
EMULATOR_CUSOLVER_REAL(syevj, EMULATOR_CUSOLVER_SYEVJ)
EMULATOR_CUSOLVER_COMPLEX(heevj, EMULATOR_CUSOLVER_SYEVJ)
#define EMULATOR_CUSOLVER_SYEVJ_BATCHED_BUFFER_SIZE(T, R)                                       \
  (cusolverDnHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, const T* A, \
   int lda, const R* W, int* lwork, syevjInfo_t params, int batchSize)
EMULATOR_CUSOLVER_REAL(syevjBatched_bufferSize, EMULATOR_CUSOLVER_SYEVJ_BATCHED_BUFFER_SIZE)
EMULATOR_CUSOLVER_COMPLEX(heevjBatched_bufferSize, EMULATOR_CUSOLVER_SYEVJ_BATCHED_BUFFER_SIZE)
#define EMULATOR_CUSOLVER_SYEVJ_BATCHED(T, R)                                                      \
  (cusolverDnHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, T* A, int lda, \
   R* W, T* work, int lwork, int* info, syevjInfo_t params, int batchSize)
/// The same for matrices that follow each other.
EMULATOR_CUSOLVER_REAL(syevjBatched, EMULATOR_CUSOLVER_SYEVJ_BATCHED)
EMULATOR_CUSOLVER_COMPLEX(heevjBatched, EMULATOR_CUSOLVER_SYEVJ_BATCHED)
#define EMULATOR_CUSOLVER_SYGVJ_BUFFER_SIZE(T, R)                                                  \
  (cusolverDnHandle_t handle, cusolverEigType_t itype, cusolverEigMode_t jobz,                     \
   cublasFillMode_t uplo, int n, const T* A, int lda, const T* B, int ldb, const R* W, int* lwork, \
   syevjInfo_t params)
EMULATOR_CUSOLVER_REAL(sygvj_bufferSize, EMULATOR_CUSOLVER_SYGVJ_BUFFER_SIZE)
EMULATOR_CUSOLVER_COMPLEX(hegvj_bufferSize, EMULATOR_CUSOLVER_SYGVJ_BUFFER_SIZE)
#define EMULATOR_CUSOLVER_SYGVJ(T, R)                                                    \
  (cusolverDnHandle_t handle, cusolverEigType_t itype, cusolverEigMode_t jobz,           \
   cublasFillMode_t uplo, int n, T* A, int lda, T* B, int ldb, R* W, T* work, int lwork, \
   int* info, syevjInfo_t params)
/// As sygvd, by Jacobi's rotations.
EMULATOR_CUSOLVER_REAL(sygvj, EMULATOR_CUSOLVER_SYGVJ)
EMULATOR_CUSOLVER_COMPLEX(hegvj, EMULATOR_CUSOLVER_SYGVJ)

// Singular values ---------------------------------------------------------------------------------

#define EMULATOR_CUSOLVER_GESVD_BUFFER_SIZE(T, R) \
  (cusolverDnHandle_t handle, int m, int n, int* lwork)
EMULATOR_CUSOLVER_ALL(gesvd_bufferSize, EMULATOR_CUSOLVER_GESVD_BUFFER_SIZE)
#define EMULATOR_CUSOLVER_GESVD(T, R)                                                           \
  (cusolverDnHandle_t handle, signed char jobu, signed char jobvt, int m, int n, T* A, int lda, \
   R* S, T* U, int ldu, T* VT, int ldvt, T* work, int lwork, R* rwork, int* info)
/// A = U S V^H by one-sided rotations of Jacobi's. jobu and jobvt are 'A' for all vectors, 'S' for
/// the first min(m, n), 'O' for these in the place of A, and 'N' for none. A is overwritten, and
/// rwork not written. info is -i if the argument i, counted without the handle, is refused.
/// \return CUSOLVER_STATUS_INVALID_VALUE for m below n, with an info of 0; bufferSize checks no
///         sizes
EMULATOR_CUSOLVER_ALL(gesvd, EMULATOR_CUSOLVER_GESVD)
#define EMULATOR_CUSOLVER_GESVDJ_BUFFER_SIZE(T, R)                                                 \
  (cusolverDnHandle_t handle, cusolverEigMode_t jobz, int econ, int m, int n, const T* A, int lda, \
   const R* S, const T* U, int ldu, const T* V, int ldv, int* lwork, gesvdjInfo_t params)
EMULATOR_CUSOLVER_ALL(gesvdj_bufferSize, EMULATOR_CUSOLVER_GESVDJ_BUFFER_SIZE)
#define EMULATOR_CUSOLVER_GESVDJ(T, R)                                                             \
  (cusolverDnHandle_t handle, cusolverEigMode_t jobz, int econ, int m, int n, T* A, int lda, R* S, \
   T* U, int ldu, T* V, int ldv, T* work, int lwork, int* info, gesvdjInfo_t params)
/// The same with V, not V^H, and for any m and n; econ is 1 for the first min(m, n) vectors only.
/// info is min(m, n) + 1 if there were too few sweeps.
EMULATOR_CUSOLVER_ALL(gesvdj, EMULATOR_CUSOLVER_GESVDJ)
#define EMULATOR_CUSOLVER_GESVDJ_BATCHED_BUFFER_SIZE(T, R)                                \
  (cusolverDnHandle_t handle, cusolverEigMode_t jobz, int m, int n, const T* A, int lda,  \
   const R* S, const T* U, int ldu, const T* V, int ldv, int* lwork, gesvdjInfo_t params, \
   int batchSize)
EMULATOR_CUSOLVER_ALL(gesvdjBatched_bufferSize, EMULATOR_CUSOLVER_GESVDJ_BATCHED_BUFFER_SIZE)
#define EMULATOR_CUSOLVER_GESVDJ_BATCHED(T, R)                                                 \
  (cusolverDnHandle_t handle, cusolverEigMode_t jobz, int m, int n, T* A, int lda, R* S, T* U, \
   int ldu, T* V, int ldv, T* work, int lwork, int* info, gesvdjInfo_t params, int batchSize)
/// The same for matrices of up to 32 x 32 that follow each other; bufferSize takes larger ones.
EMULATOR_CUSOLVER_ALL(gesvdjBatched, EMULATOR_CUSOLVER_GESVDJ_BATCHED)
#define EMULATOR_CUSOLVER_GESVDA_STRIDED_BATCHED_BUFFER_SIZE(T, R)                          \
  (cusolverDnHandle_t handle, cusolverEigMode_t jobz, int rank, int m, int n, const T* d_A, \
   int lda, long long strideA, const R* d_S, long long strideS, const T* d_U, int ldu,      \
   long long strideU, const T* d_V, int ldv, long long strideV, int* lwork, int batchSize)
EMULATOR_CUSOLVER_ALL(gesvdaStridedBatched_bufferSize,
                      EMULATOR_CUSOLVER_GESVDA_STRIDED_BATCHED_BUFFER_SIZE)
#define EMULATOR_CUSOLVER_GESVDA_STRIDED_BATCHED(T, R)                                        \
  (cusolverDnHandle_t handle, cusolverEigMode_t jobz, int rank, int m, int n, const T* d_A,   \
   int lda, long long strideA, R* d_S, long long strideS, T* d_U, int ldu, long long strideU, \
   T* d_V, int ldv, long long strideV, T* d_work, int lwork, int* d_info, double* h_R_nrmF,   \
   int batchSize)
/// The first `rank` singular values and vectors. h_R_nrmF, on the host, gets the norm of what is
/// left of each A. bufferSize takes any rank, and m below n, which the call does not.
EMULATOR_CUSOLVER_ALL(gesvdaStridedBatched, EMULATOR_CUSOLVER_GESVDA_STRIDED_BATCHED)
}
