#pragma once
#pragma GCC system_header
/// \file
/// cuSOLVER's factors of dense matrices, and what is solved by them. The letter of a name is the
/// type of the numbers: S and D are float and double, C and Z complex numbers of these. Matrices
/// are stored column by column. cusolverDn.h includes this file.
///
/// \return CUSOLVER_STATUS_INVALID_VALUE for negative sizes, for leading dimensions below the rows,
///         and for a work that is smaller than what the call's bufferSize returns. A line on stderr
///         tells which. The bufferSize of getrf, geqrf, orgqr, sytrf, and orgbr looks at no sizes,
///         and gebrd's only at m.

extern "C" {

// Cholesky's factors ------------------------------------------------------------------------------

#define EMULATOR_CUSOLVER_POTRF_BUFFER_SIZE(T, R) \
  (cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, T* A, int lda, int* Lwork)
/// \restricted The size of the work differs from that on a GPU, here and below.
EMULATOR_CUSOLVER_ALL(potrf_bufferSize, EMULATOR_CUSOLVER_POTRF_BUFFER_SIZE)
#define EMULATOR_CUSOLVER_POTRF(T, R)                                                    \
  (cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, T* A, int lda, T* Workspace, \
   int Lwork, int* devInfo)
/// A = L L^H or U^H U: the factor takes the place of its triangle, the other one is not read.
/// devInfo is the order of the first leading minor that is not positive, or 0; it is -i if the
/// argument i, counted without the handle, is refused. Lwork is ignored. \return
/// CUSOLVER_STATUS_INVALID_VALUE for a null Workspace: stricter than the library, which writes
/// there
EMULATOR_CUSOLVER_ALL(potrf, EMULATOR_CUSOLVER_POTRF)
#define EMULATOR_CUSOLVER_POTRS(T, R)                                                            \
  (cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, int nrhs, const T* A, int lda, T* B, \
   int ldb, int* devInfo)
/// Solves A X = B, by the factor that potrf has left in A.
EMULATOR_CUSOLVER_ALL(potrs, EMULATOR_CUSOLVER_POTRS)
#define EMULATOR_CUSOLVER_POTRF_BATCHED(T, R)                                                     \
  (cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, T* Aarray[], int lda, int* infoArray, \
   int batchSize)
/// Each element of infoArray is as potrf's devInfo, if no argument is refused.
/// \return CUSOLVER_STATUS_INVALID_VALUE also for a batchSize of 0
EMULATOR_CUSOLVER_ALL(potrfBatched, EMULATOR_CUSOLVER_POTRF_BATCHED)
#define EMULATOR_CUSOLVER_POTRS_BATCHED(T, R)                                                  \
  (cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, int nrhs, T* A[], int lda, T* B[], \
   int ldb, int* d_info, int batchSize)
/// The same with one column in each problem.
/// \return CUSOLVER_STATUS_INVALID_VALUE unless nrhs is 1
EMULATOR_CUSOLVER_ALL(potrsBatched, EMULATOR_CUSOLVER_POTRS_BATCHED)
#define EMULATOR_CUSOLVER_POTRI_BUFFER_SIZE(T, R) \
  (cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, T* A, int lda, int* lwork)
EMULATOR_CUSOLVER_ALL(potri_bufferSize, EMULATOR_CUSOLVER_POTRI_BUFFER_SIZE)
#define EMULATOR_CUSOLVER_POTRI(T, R)                                                          \
  (cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, T* A, int lda, T* work, int lwork, \
   int* devInfo)
/// The inverse, by the factor that potrf has left in A: its triangle.
EMULATOR_CUSOLVER_ALL(potri, EMULATOR_CUSOLVER_POTRI)
#define EMULATOR_CUSOLVER_LAUUM_BUFFER_SIZE(T, R) \
  (cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, T* A, int lda, int* lwork)
EMULATOR_CUSOLVER_ALL(lauum_bufferSize, EMULATOR_CUSOLVER_LAUUM_BUFFER_SIZE)
#define EMULATOR_CUSOLVER_LAUUM(T, R)                                                          \
  (cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, T* A, int lda, T* work, int lwork, \
   int* devInfo)
/// U U^H or L^H L, in the place of the factor.
EMULATOR_CUSOLVER_ALL(lauum, EMULATOR_CUSOLVER_LAUUM)

// Factors of symmetric matrices -------------------------------------------------------------------

#define EMULATOR_CUSOLVER_SYTRF_BUFFER_SIZE(T, R) \
  (cusolverDnHandle_t handle, int n, T* A, int lda, int* lwork)
EMULATOR_CUSOLVER_ALL(sytrf_bufferSize, EMULATOR_CUSOLVER_SYTRF_BUFFER_SIZE)
#define EMULATOR_CUSOLVER_SYTRF(T, R)                                                          \
  (cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, T* A, int lda, int* ipiv, T* work, \
   int lwork, int* info)
/// A = L D L^T or U D U^T for a matrix that is symmetric, not Hermitian, by Bunch's and Kaufman's
/// pivots, as LAPACK has them: D has blocks of one and of two rows, and exchanges are between the
/// factors of L. The factors take the place of A's triangle, the other one is not read. ipiv
/// has, from 1, the row that was exchanged with each of D's; for both of a block of two, the
/// negative number of the row that was exchanged with L's second one or U's first one. info is the
/// first element of D's diagonal that is 0, counted from 1 (for U, which begins with its last row,
/// the last one), or 0; the library reports 2 for a matrix of zeros, for L. It is -i if the
/// argument i, counted without the handle, is refused. If ipiv is null, there are no pivots, A is L
/// D L^T or U^T D U, and columns of L or rows of U that belong to a 0 in D are 0; the library
/// writes to the other triangle then, which is left here. With n 0 info is not written. lwork is
/// ignored.
EMULATOR_CUSOLVER_ALL(sytrf, EMULATOR_CUSOLVER_SYTRF)

// Factors of general matrices ---------------------------------------------------------------------

#define EMULATOR_CUSOLVER_GETRF_BUFFER_SIZE(T, R) \
  (cusolverDnHandle_t handle, int m, int n, T* A, int lda, int* Lwork)
EMULATOR_CUSOLVER_ALL(getrf_bufferSize, EMULATOR_CUSOLVER_GETRF_BUFFER_SIZE)
#define EMULATOR_CUSOLVER_GETRF(T, R) \
  (cusolverDnHandle_t handle, int m, int n, T* A, int lda, T* Workspace, int* devIpiv, int* devInfo)
/// P A = L U, with pivots, counted from 1, of each column's largest element; or without them if
/// devIpiv is null. devInfo is the first element of U's diagonal that is 0, counted from 1, or 0.
EMULATOR_CUSOLVER_ALL(getrf, EMULATOR_CUSOLVER_GETRF)
#define EMULATOR_CUSOLVER_LASWP(T, R) \
  (cusolverDnHandle_t handle, int n, T* A, int lda, int k1, int k2, const int* devIpiv, int incx)
/// Exchanges the rows k1 to k2 of A, counted from 1, with those that devIpiv names; none if k2 is
/// less than k1. With incx 0 all of them have the first pivot. \return
/// CUSOLVER_STATUS_INVALID_VALUE for k1 below 1, and CUSOLVER_STATUS_EXECUTION_FAILED for pivots
/// that are not rows: stricter than the library, which reads and writes there
EMULATOR_CUSOLVER_ALL(laswp, EMULATOR_CUSOLVER_LASWP)
#define EMULATOR_CUSOLVER_GETRS(T, R)                                                        \
  (cusolverDnHandle_t handle, cublasOperation_t trans, int n, int nrhs, const T* A, int lda, \
   const int* devIpiv, T* B, int ldb, int* devInfo)
/// Solves op(A) X = B, by the factors that getrf has left in A.
EMULATOR_CUSOLVER_ALL(getrs, EMULATOR_CUSOLVER_GETRS)

// Orthogonal factors ------------------------------------------------------------------------------

#define EMULATOR_CUSOLVER_GEQRF_BUFFER_SIZE(T, R) \
  (cusolverDnHandle_t handle, int m, int n, T* A, int lda, int* lwork)
EMULATOR_CUSOLVER_ALL(geqrf_bufferSize, EMULATOR_CUSOLVER_GEQRF_BUFFER_SIZE)
#define EMULATOR_CUSOLVER_GEQRF(T, R)                                                       \
  (cusolverDnHandle_t handle, int m, int n, T* A, int lda, T* TAU, T* Workspace, int Lwork, \
   int* devInfo)
/// A = Q R: R takes the place of the upper triangle. Q is a product of reflections, whose vectors
/// are below the diagonal, and their factors in TAU, as in LAPACK.
EMULATOR_CUSOLVER_ALL(geqrf, EMULATOR_CUSOLVER_GEQRF)
#define EMULATOR_CUSOLVER_ORGQR_BUFFER_SIZE(T, R) \
  (cusolverDnHandle_t handle, int m, int n, int k, const T* A, int lda, const T* tau, int* lwork)
EMULATOR_CUSOLVER_REAL(orgqr_bufferSize, EMULATOR_CUSOLVER_ORGQR_BUFFER_SIZE)
EMULATOR_CUSOLVER_COMPLEX(ungqr_bufferSize, EMULATOR_CUSOLVER_ORGQR_BUFFER_SIZE)
#define EMULATOR_CUSOLVER_ORGQR(T, R)                                                    \
  (cusolverDnHandle_t handle, int m, int n, int k, T* A, int lda, const T* tau, T* work, \
   int lwork, int* info)
/// The first n columns of the product of k reflections, in the place of their vectors.
EMULATOR_CUSOLVER_REAL(orgqr, EMULATOR_CUSOLVER_ORGQR)
EMULATOR_CUSOLVER_COMPLEX(ungqr, EMULATOR_CUSOLVER_ORGQR)
#define EMULATOR_CUSOLVER_ORMQR_BUFFER_SIZE(T, R)                                                  \
  (cusolverDnHandle_t handle, cublasSideMode_t side, cublasOperation_t trans, int m, int n, int k, \
   const T* A, int lda, const T* tau, const T* C, int ldc, int* lwork)
EMULATOR_CUSOLVER_REAL(ormqr_bufferSize, EMULATOR_CUSOLVER_ORMQR_BUFFER_SIZE)
EMULATOR_CUSOLVER_COMPLEX(unmqr_bufferSize, EMULATOR_CUSOLVER_ORMQR_BUFFER_SIZE)
#define EMULATOR_CUSOLVER_ORMQR(T, R)                                                              \
  (cusolverDnHandle_t handle, cublasSideMode_t side, cublasOperation_t trans, int m, int n, int k, \
   const T* A, int lda, const T* tau, T* C, int ldc, T* work, int lwork, int* devInfo)
/// C = op(Q) C or C op(Q), with the Q that geqrf has left in A and tau. \return
/// CUSOLVER_STATUS_INVALID_VALUE for CUBLAS_OP_T with complex numbers, which bufferSize does not
/// check
EMULATOR_CUSOLVER_REAL(ormqr, EMULATOR_CUSOLVER_ORMQR)
EMULATOR_CUSOLVER_COMPLEX(unmqr, EMULATOR_CUSOLVER_ORMQR)
#define EMULATOR_CUSOLVER_SYTRD_BUFFER_SIZE(T, R)                                            \
  (cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, const T* A, int lda, const R* d, \
   const R* e, const T* tau, int* lwork)
EMULATOR_CUSOLVER_REAL(sytrd_bufferSize, EMULATOR_CUSOLVER_SYTRD_BUFFER_SIZE)
EMULATOR_CUSOLVER_COMPLEX(hetrd_bufferSize, EMULATOR_CUSOLVER_SYTRD_BUFFER_SIZE)
#define EMULATOR_CUSOLVER_SYTRD(T, R)                                                          \
  (cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, T* A, int lda, R* d, R* e, T* tau, \
   T* work, int lwork, int* info)
/// A = Q T Q^H, where T has three diagonals, d and e. As LAPACK, Q is left in A and tau. What comes
/// after the columns, up to lda, stays, here and below: the library may write there.
EMULATOR_CUSOLVER_REAL(sytrd, EMULATOR_CUSOLVER_SYTRD)
EMULATOR_CUSOLVER_COMPLEX(hetrd, EMULATOR_CUSOLVER_SYTRD)
#define EMULATOR_CUSOLVER_ORGTR_BUFFER_SIZE(T, R)                                              \
  (cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, const T* A, int lda, const T* tau, \
   int* lwork)
EMULATOR_CUSOLVER_REAL(orgtr_bufferSize, EMULATOR_CUSOLVER_ORGTR_BUFFER_SIZE)
EMULATOR_CUSOLVER_COMPLEX(ungtr_bufferSize, EMULATOR_CUSOLVER_ORGTR_BUFFER_SIZE)
#define EMULATOR_CUSOLVER_ORGTR(T, R)                                                             \
  (cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, T* A, int lda, const T* tau, T* work, \
   int lwork, int* info)
/// The Q of sytrd.
EMULATOR_CUSOLVER_REAL(orgtr, EMULATOR_CUSOLVER_ORGTR)
EMULATOR_CUSOLVER_COMPLEX(ungtr, EMULATOR_CUSOLVER_ORGTR)
#define EMULATOR_CUSOLVER_ORMTR_BUFFER_SIZE(T, R)                                                 \
  (cusolverDnHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,                       \
   cublasOperation_t trans, int m, int n, const T* A, int lda, const T* tau, const T* C, int ldc, \
   int* lwork)
EMULATOR_CUSOLVER_REAL(ormtr_bufferSize, EMULATOR_CUSOLVER_ORMTR_BUFFER_SIZE)
EMULATOR_CUSOLVER_COMPLEX(unmtr_bufferSize, EMULATOR_CUSOLVER_ORMTR_BUFFER_SIZE)
#define EMULATOR_CUSOLVER_ORMTR(T, R)                                                    \
  (cusolverDnHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,              \
   cublasOperation_t trans, int m, int n, T* A, int lda, T* tau, T* C, int ldc, T* work, \
   int lwork, int* info)
/// C = op(Q) C or C op(Q), with the Q of sytrd.
EMULATOR_CUSOLVER_REAL(ormtr, EMULATOR_CUSOLVER_ORMTR)
EMULATOR_CUSOLVER_COMPLEX(unmtr, EMULATOR_CUSOLVER_ORMTR)
#define EMULATOR_CUSOLVER_GEBRD_BUFFER_SIZE(T, R) \
  (cusolverDnHandle_t handle, int m, int n, int* Lwork)
EMULATOR_CUSOLVER_ALL(gebrd_bufferSize, EMULATOR_CUSOLVER_GEBRD_BUFFER_SIZE)
#define EMULATOR_CUSOLVER_GEBRD(T, R)                                                             \
  (cusolverDnHandle_t handle, int m, int n, T* A, int lda, R* D, R* E, T* TAUQ, T* TAUP, T* Work, \
   int Lwork, int* devInfo)
/// A = Q B P^H, where B has two diagonals: n numbers D, and above them n - 1 numbers E. As in
/// LAPACK, B takes their place in A, the vectors of Q's reflections are below it, those of P's,
/// conjugated, right of it, and their factors in TAUQ and TAUP, n each. devInfo is 0, or -i if the
/// argument i, counted without the handle, is refused. Lwork is ignored. \return
/// CUSOLVER_STATUS_NOT_SUPPORTED for m below n, and CUSOLVER_STATUS_INVALID_VALUE for n 0, with
/// which the library aborts
EMULATOR_CUSOLVER_ALL(gebrd, EMULATOR_CUSOLVER_GEBRD)
#define EMULATOR_CUSOLVER_ORGBR_BUFFER_SIZE(T, R)                                              \
  (cusolverDnHandle_t handle, cublasSideMode_t side, int m, int n, int k, const T* A, int lda, \
   const T* tau, int* lwork)
EMULATOR_CUSOLVER_REAL(orgbr_bufferSize, EMULATOR_CUSOLVER_ORGBR_BUFFER_SIZE)
EMULATOR_CUSOLVER_COMPLEX(ungbr_bufferSize, EMULATOR_CUSOLVER_ORGBR_BUFFER_SIZE)
#define EMULATOR_CUSOLVER_ORGBR(T, R)                                                    \
  (cusolverDnHandle_t handle, cublasSideMode_t side, int m, int n, int k, T* A, int lda, \
   const T* tau, T* work, int lwork, int* info)
/// In the place of the vectors, the first n columns of gebrd's Q, of m rows, if side is
/// CUBLAS_SIDE_LEFT; k is how many columns gebrd's matrix had. Or the first m rows of its P^H, of n
/// columns, if it is CUBLAS_SIDE_RIGHT; k is how many rows that had. As in LAPACK, if m is less
/// than k, or n not more, the vectors begin one element later. info is as gebrd's. lwork is
/// ignored. \return CUSOLVER_STATUS_INVALID_VALUE unless m >= n >= min(m, k), or n >= m >= min(n,
/// k)
EMULATOR_CUSOLVER_REAL(orgbr, EMULATOR_CUSOLVER_ORGBR)
EMULATOR_CUSOLVER_COMPLEX(ungbr, EMULATOR_CUSOLVER_ORGBR)
}
