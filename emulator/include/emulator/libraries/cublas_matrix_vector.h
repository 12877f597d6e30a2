#pragma once
#pragma GCC system_header
/// \file
/// cuBLAS's functions on a matrix and vectors ("level 2").
///
/// A symmetric or triangular matrix is n x n, and `uplo` says which of its triangles is stored: the
/// other one is neither read nor written. With CUBLAS_DIAG_UNIT the diagonal counts as ones and is
/// not read either. In a band matrix element (i, j) is in row ku + i - j of column j of what is
/// stored, where ku is the number of diagonals above the main one; a triangular or symmetric one
/// has k beside the main one, and in a lower triangle ku is 0. Packed, a triangle's columns follow
/// each other without gaps. A Hermitian matrix, which is its own conjugate transposed, is stored
/// like a symmetric one; the imaginary parts of its diagonal are not read, and written as 0.
///
/// Vectors are as in cublas_vectors.h, but for n = 0. A matrix or vector whose factor is 0 is not
/// read: with *beta = 0, y is only written. Without rows or without columns nothing is done.
/// \return CUBLAS_STATUS_INVALID_VALUE for an unknown op(), uplo or diag, a negative size, a
///         leading dimension below 1 or the number of rows that are stored, an increment of 0, null
///         factors. A line on stderr tells which.

#include "emulator/libraries/cublas_forms.h"

extern "C" {

/// y = alpha op(A) x + beta y, where the stored A has m rows and n columns whatever op() is.
#define EMULATOR_CUBLAS_GEMV(Real, Int)                                                            \
  (cublasHandle_t handle, cublasOperation_t trans, Int m, Int n, const Real* alpha, const Real* A, \
   Int lda, const Real* x, Int incx, const Real* beta, Real* y, Int incy)
EMULATOR_CUBLAS_V2_ALL(gemv, EMULATOR_CUBLAS_GEMV)

/// The same for a band matrix with kl diagonals below the main one and ku above it.
#define EMULATOR_CUBLAS_GBMV(Real, Int)                                                           \
  (cublasHandle_t handle, cublasOperation_t trans, Int m, Int n, Int kl, Int ku,                  \
   const Real* alpha, const Real* A, Int lda, const Real* x, Int incx, const Real* beta, Real* y, \
   Int incy)
EMULATOR_CUBLAS_V2_ALL(gbmv, EMULATOR_CUBLAS_GBMV)

/// A = alpha x y^T + A, where A is m x n.
#define EMULATOR_CUBLAS_GER(Real, Int)                                                             \
  (cublasHandle_t handle, Int m, Int n, const Real* alpha, const Real* x, Int incx, const Real* y, \
   Int incy, Real* A, Int lda)
EMULATOR_CUBLAS_V2(ger, EMULATOR_CUBLAS_GER)
// The same for complex numbers, and with the conjugates of y.
EMULATOR_CUBLAS_V2_COMPLEX(geru, EMULATOR_CUBLAS_GER)
EMULATOR_CUBLAS_V2_COMPLEX(gerc, EMULATOR_CUBLAS_GER)

/// y = alpha A x + beta y, where A is symmetric.
#define EMULATOR_CUBLAS_SYMV(Real, Int)                                                            \
  (cublasHandle_t handle, cublasFillMode_t uplo, Int n, const Real* alpha, const Real* A, Int lda, \
   const Real* x, Int incx, const Real* beta, Real* y, Int incy)
EMULATOR_CUBLAS_V2_ALL(symv, EMULATOR_CUBLAS_SYMV)

/// The same for a band matrix.
#define EMULATOR_CUBLAS_SBMV(Real, Int)                                                          \
  (cublasHandle_t handle, cublasFillMode_t uplo, Int n, Int k, const Real* alpha, const Real* A, \
   Int lda, const Real* x, Int incx, const Real* beta, Real* y, Int incy)
EMULATOR_CUBLAS_V2(sbmv, EMULATOR_CUBLAS_SBMV)

/// The same for a packed matrix.
#define EMULATOR_CUBLAS_SPMV(Real, Int)                                                    \
  (cublasHandle_t handle, cublasFillMode_t uplo, Int n, const Real* alpha, const Real* AP, \
   const Real* x, Int incx, const Real* beta, Real* y, Int incy)
EMULATOR_CUBLAS_V2(spmv, EMULATOR_CUBLAS_SPMV)

/// A = alpha x x^T + A, where A is symmetric.
#define EMULATOR_CUBLAS_SYR(Real, Int)                                                    \
  (cublasHandle_t handle, cublasFillMode_t uplo, Int n, const Real* alpha, const Real* x, \
   Int incx, Real* A, Int lda)
EMULATOR_CUBLAS_V2_ALL(syr, EMULATOR_CUBLAS_SYR)

/// The same for a packed matrix.
#define EMULATOR_CUBLAS_SPR(Real, Int)                                                    \
  (cublasHandle_t handle, cublasFillMode_t uplo, Int n, const Real* alpha, const Real* x, \
   Int incx, Real* AP)
EMULATOR_CUBLAS_V2(spr, EMULATOR_CUBLAS_SPR)

/// A = alpha (x y^T + y x^T) + A, where A is symmetric.
#define EMULATOR_CUBLAS_SYR2(Real, Int)                                                   \
  (cublasHandle_t handle, cublasFillMode_t uplo, Int n, const Real* alpha, const Real* x, \
   Int incx, const Real* y, Int incy, Real* A, Int lda)
EMULATOR_CUBLAS_V2_ALL(syr2, EMULATOR_CUBLAS_SYR2)

/// The same for a packed matrix.
#define EMULATOR_CUBLAS_SPR2(Real, Int)                                                   \
  (cublasHandle_t handle, cublasFillMode_t uplo, Int n, const Real* alpha, const Real* x, \
   Int incx, const Real* y, Int incy, Real* AP)
EMULATOR_CUBLAS_V2(spr2, EMULATOR_CUBLAS_SPR2)

// symv, sbmv and spmv for Hermitian matrices.
EMULATOR_CUBLAS_V2_COMPLEX(hemv, EMULATOR_CUBLAS_SYMV)
EMULATOR_CUBLAS_V2_COMPLEX(hbmv, EMULATOR_CUBLAS_SBMV)
EMULATOR_CUBLAS_V2_COMPLEX(hpmv, EMULATOR_CUBLAS_SPMV)
/// A = alpha x x^H + A, where alpha is real and A Hermitian.
#define EMULATOR_CUBLAS_HER(Real, Int)                                                             \
  (cublasHandle_t handle, cublasFillMode_t uplo, Int n, const emulator::detail::Part<Real>* alpha, \
   const Real* x, Int incx, Real* A, Int lda)
EMULATOR_CUBLAS_V2_COMPLEX(her, EMULATOR_CUBLAS_HER)
#define EMULATOR_CUBLAS_HPR(Real, Int)                                                             \
  (cublasHandle_t handle, cublasFillMode_t uplo, Int n, const emulator::detail::Part<Real>* alpha, \
   const Real* x, Int incx, Real* AP)
EMULATOR_CUBLAS_V2_COMPLEX(hpr, EMULATOR_CUBLAS_HPR)
// A = alpha x y^H + conj(alpha) y x^H + A.
EMULATOR_CUBLAS_V2_COMPLEX(her2, EMULATOR_CUBLAS_SYR2)
EMULATOR_CUBLAS_V2_COMPLEX(hpr2, EMULATOR_CUBLAS_SPR2)

/// x = op(A) x, where A is triangular.
#define EMULATOR_CUBLAS_TRMV(Real, Int)                                                          \
  (cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, \
   Int n, const Real* A, Int lda, Real* x, Int incx)
EMULATOR_CUBLAS_V2_ALL(trmv, EMULATOR_CUBLAS_TRMV)

/// The same for a band matrix.
#define EMULATOR_CUBLAS_TBMV(Real, Int)                                                          \
  (cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, \
   Int n, Int k, const Real* A, Int lda, Real* x, Int incx)
EMULATOR_CUBLAS_V2_ALL(tbmv, EMULATOR_CUBLAS_TBMV)

/// The same for a packed matrix.
#define EMULATOR_CUBLAS_TPMV(Real, Int)                                                          \
  (cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, \
   Int n, const Real* AP, Real* x, Int incx)
EMULATOR_CUBLAS_V2_ALL(tpmv, EMULATOR_CUBLAS_TPMV)

/// Solves op(A) y = x for y, where A is triangular; y takes the place of x. Whether there is a
/// solution is not checked.
#define EMULATOR_CUBLAS_TRSV(Real, Int) EMULATOR_CUBLAS_TRMV(Real, Int)
EMULATOR_CUBLAS_V2_ALL(trsv, EMULATOR_CUBLAS_TRSV)

/// The same for a band matrix.
#define EMULATOR_CUBLAS_TBSV(Real, Int) EMULATOR_CUBLAS_TBMV(Real, Int)
EMULATOR_CUBLAS_V2_ALL(tbsv, EMULATOR_CUBLAS_TBSV)

/// The same for a packed matrix.
#define EMULATOR_CUBLAS_TPSV(Real, Int) EMULATOR_CUBLAS_TPMV(Real, Int)
EMULATOR_CUBLAS_V2_ALL(tpsv, EMULATOR_CUBLAS_TPSV)

/// cublasSgemv() for batchCount problems of one shape: the device's arrays Aarray, xarray and
/// yarray hold their addresses.
#define EMULATOR_CUBLAS_GEMV_BATCHED(Real, Int)                                                 \
  (cublasHandle_t handle, cublasOperation_t trans, Int m, Int n, const Real* alpha,             \
   const Real* const Aarray[], Int lda, const Real* const xarray[], Int incx, const Real* beta, \
   Real* const yarray[], Int incy, Int batchCount)
EMULATOR_CUBLAS_ALL(gemvBatched, EMULATOR_CUBLAS_GEMV_BATCHED)

/// The same where the problems' matrices and vectors are a fixed number of elements apart.
#define EMULATOR_CUBLAS_GEMV_STRIDED(Real, Int)                                                    \
  (cublasHandle_t handle, cublasOperation_t trans, Int m, Int n, const Real* alpha, const Real* A, \
   Int lda, long long strideA, const Real* x, Int incx, long long stridex, const Real* beta,       \
   Real* y, Int incy, long long stridey, Int batchCount)
EMULATOR_CUBLAS_ALL(gemvStridedBatched, EMULATOR_CUBLAS_GEMV_STRIDED)

}  // extern "C"
