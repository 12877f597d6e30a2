#pragma once
#pragma GCC system_header
/// \file
/// cuBLAS's functions on matrices ("level 3"), and its own beside BLAS's.
///
/// Symmetric and triangular matrices are as in cublas_matrix_vector.h. `side` says on which side of
/// the other factor they are. A matrix whose factor is 0 is not read: with *beta = 0, C is only
/// written. If C has no elements nothing is done.
/// For complex matrices op() may also conjugate; only a symmetric result takes no CUBLAS_OP_C, and
/// a Hermitian one no CUBLAS_OP_T.
///
/// \return CUBLAS_STATUS_INVALID_VALUE for an unknown op(), side, uplo or diag, a negative size, a
///         leading dimension below 1 or the number of rows that are stored, null factors, a null C.
///         A line on stderr tells which. CUBLAS_STATUS_NOT_SUPPORTED from the functions with
///         `side` for sizes above 2^29.

#include "cuda_fp16.h"
#include "emulator/libraries/cublas_forms.h"

extern "C" {

/// C = alpha op(A) op(B) + beta C, where op(A) is m x k, op(B) k x n, and C m x n. With k = 0, A
/// and B are not read.
#define EMULATOR_CUBLAS_GEMM(Real, Int)                                                            \
  (cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, Int m, Int n, Int k, \
   const Real* alpha, const Real* A, Int lda, const Real* B, Int ldb, const Real* beta, Real* C,   \
   Int ldc)
EMULATOR_CUBLAS_V2_ALL(gemm, EMULATOR_CUBLAS_GEMM)
// For halves, whose sums are also halves: see cublas_elements.h.
EMULATOR_CUBLAS_ONE(Hgemm, __half, EMULATOR_CUBLAS_GEMM)
// The same product of complex numbers. On a GPU it takes three multiplications for four; here it
// is another name.
EMULATOR_CUBLAS_COMPLEX(gemm3m, EMULATOR_CUBLAS_GEMM)

/// cublasSgemm() for batchCount problems of one shape: the device's arrays Aarray, Barray and
/// Carray hold their addresses.
#define EMULATOR_CUBLAS_GEMM_BATCHED(Real, Int)                                                    \
  (cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, Int m, Int n, Int k, \
   const Real* alpha, const Real* const Aarray[], Int lda, const Real* const Barray[], Int ldb,    \
   const Real* beta, Real* const Carray[], Int ldc, Int batchCount)
EMULATOR_CUBLAS_ALL(gemmBatched, EMULATOR_CUBLAS_GEMM_BATCHED)
EMULATOR_CUBLAS_ONE(HgemmBatched, __half, EMULATOR_CUBLAS_GEMM_BATCHED)
EMULATOR_CUBLAS_ONE(Cgemm3mBatched, cuComplex, EMULATOR_CUBLAS_GEMM_BATCHED)

/// The same for groups of problems, each of one shape: of group g there are group_size[g]. The
/// shapes and factors are arrays on the host, whatever the pointer mode; the device's arrays
/// Aarray, Barray and Carray hold the addresses of all groups, one after another.
#define EMULATOR_CUBLAS_GEMM_GROUPED(Real, Int)                                           \
  (cublasHandle_t handle, const cublasOperation_t transa_array[],                         \
   const cublasOperation_t transb_array[], const Int m_array[], const Int n_array[],      \
   const Int k_array[], const Real alpha_array[], const Real* const Aarray[],             \
   const Int lda_array[], const Real* const Barray[], const Int ldb_array[],              \
   const Real beta_array[], Real* const Carray[], const Int ldc_array[], Int group_count, \
   const Int group_size[])
EMULATOR_CUBLAS_ONE(SgemmGroupedBatched, float, EMULATOR_CUBLAS_GEMM_GROUPED)
EMULATOR_CUBLAS_ONE(DgemmGroupedBatched, double, EMULATOR_CUBLAS_GEMM_GROUPED)

/// The same where the problems' matrices are a fixed distance apart, in elements.
#define EMULATOR_CUBLAS_GEMM_STRIDED(Real, Int)                                                    \
  (cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, Int m, Int n, Int k, \
   const Real* alpha, const Real* A, Int lda, long long strideA, const Real* B, Int ldb,           \
   long long strideB, const Real* beta, Real* C, Int ldc, long long strideC, Int batchCount)
EMULATOR_CUBLAS_ALL(gemmStridedBatched, EMULATOR_CUBLAS_GEMM_STRIDED)
EMULATOR_CUBLAS_ONE(HgemmStridedBatched, __half, EMULATOR_CUBLAS_GEMM_STRIDED)
EMULATOR_CUBLAS_ONE(Cgemm3mStridedBatched, cuComplex, EMULATOR_CUBLAS_GEMM_STRIDED)

/// C = alpha A B + beta C with A symmetric and on the left, or alpha B A + beta C with it on the
/// right. B and C are m x n.
#define EMULATOR_CUBLAS_SYMM(Real, Int)                                                          \
  (cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, Int m, Int n,            \
   const Real* alpha, const Real* A, Int lda, const Real* B, Int ldb, const Real* beta, Real* C, \
   Int ldc)
EMULATOR_CUBLAS_V2_ALL(symm, EMULATOR_CUBLAS_SYMM)

/// C = alpha op(A) op(A)^T + beta C, where op(A) is n x k and C symmetric.
#define EMULATOR_CUBLAS_SYRK(Real, Int)                                                 \
  (cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, Int n, Int k, \
   const Real* alpha, const Real* A, Int lda, const Real* beta, Real* C, Int ldc)
EMULATOR_CUBLAS_V2_ALL(syrk, EMULATOR_CUBLAS_SYRK)

/// C = alpha (op(A) op(B)^T + op(B) op(A)^T) + beta C.
#define EMULATOR_CUBLAS_SYR2K(Real, Int)                                                         \
  (cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, Int n, Int k,          \
   const Real* alpha, const Real* A, Int lda, const Real* B, Int ldb, const Real* beta, Real* C, \
   Int ldc)
EMULATOR_CUBLAS_V2_ALL(syr2k, EMULATOR_CUBLAS_SYR2K)

/// C = alpha op(A) op(B)^T + beta C, for products that happen to be symmetric: one triangle.
#define EMULATOR_CUBLAS_SYRKX(Real, Int) EMULATOR_CUBLAS_SYR2K(Real, Int)
EMULATOR_CUBLAS_ALL(syrkx, EMULATOR_CUBLAS_SYRKX)

// symm for a Hermitian A.
EMULATOR_CUBLAS_V2_COMPLEX(hemm, EMULATOR_CUBLAS_SYMM)
/// For results that are Hermitian: C = alpha op(A) op(A)^H + beta C with real factors.
#define EMULATOR_CUBLAS_HERK(Real, Int)                                                 \
  (cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, Int n, Int k, \
   const emulator::detail::Part<Real>* alpha, const Real* A, Int lda,                   \
   const emulator::detail::Part<Real>* beta, Real* C, Int ldc)
EMULATOR_CUBLAS_V2_COMPLEX(herk, EMULATOR_CUBLAS_HERK)
/// C = alpha op(A) op(B)^H + conj(alpha) op(B) op(A)^H + beta C with a real beta, and the first of
/// these products alone.
#define EMULATOR_CUBLAS_HER2K(Real, Int)                                                \
  (cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, Int n, Int k, \
   const Real* alpha, const Real* A, Int lda, const Real* B, Int ldb,                   \
   const emulator::detail::Part<Real>* beta, Real* C, Int ldc)
EMULATOR_CUBLAS_V2_COMPLEX(her2k, EMULATOR_CUBLAS_HER2K)
EMULATOR_CUBLAS_COMPLEX(herkx, EMULATOR_CUBLAS_HER2K)

/// C = alpha op(A) B with A triangular and on the left, or alpha B op(A) with it on the right. B
/// and C are m x n. C may be B, with the same leading dimension.
#define EMULATOR_CUBLAS_TRMM(Real, Int)                                                           \
  (cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, cublasOperation_t trans,  \
   cublasDiagType_t diag, Int m, Int n, const Real* alpha, const Real* A, Int lda, const Real* B, \
   Int ldb, Real* C, Int ldc)
EMULATOR_CUBLAS_V2_ALL(trmm, EMULATOR_CUBLAS_TRMM)

/// Solves op(A) X = alpha B with A triangular and on the left, or X op(A) = alpha B with it on the
/// right. X takes the place of B, which is m x n. Whether there is a solution is not checked.
#define EMULATOR_CUBLAS_TRSM(Real, Int)                                                          \
  (cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, cublasOperation_t trans, \
   cublasDiagType_t diag, Int m, Int n, const Real* alpha, const Real* A, Int lda, Real* B,      \
   Int ldb)
EMULATOR_CUBLAS_V2_ALL(trsm, EMULATOR_CUBLAS_TRSM)
/// The same for batchCount problems of one shape: the device's arrays A and B hold their addresses.
#define EMULATOR_CUBLAS_TRSM_BATCHED(Real, Int)                                                  \
  (cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, cublasOperation_t trans, \
   cublasDiagType_t diag, Int m, Int n, const Real* alpha, const Real* const A[], Int lda,       \
   Real* const B[], Int ldb, Int batchCount)
EMULATOR_CUBLAS_ALL(trsmBatched, EMULATOR_CUBLAS_TRSM_BATCHED)

// Equations and inverses of many small square matrices, n x n, whose addresses are in the device's
// array Aarray. A negative size, or a leading dimension below the rows, is
// CUBLAS_STATUS_INVALID_VALUE.

/// A = P L U: puts L, whose diagonal of ones is not stored, and U in A's place. Row i was exchanged
/// for row PivotArray[i + n * problem], from 1; if that is null, none is. infoArray, on the device,
/// gets 0 for each problem, or i if U's element (i, i), from 1, is 0.
#define EMULATOR_CUBLAS_GETRF(Real, Int)                                                         \
  (cublasHandle_t handle, Int n, Real* const Aarray[], Int lda, int* PivotArray, int* infoArray, \
   Int batchSize)
/// Solves op(A) X = B with what getrfBatched() has made of A: X, n x nrhs, takes the place of B.
/// *info, on the host, is 0, or -i if argument i makes no sense.
#define EMULATOR_CUBLAS_GETRS(Real, Int)                                                        \
  (cublasHandle_t handle, cublasOperation_t trans, Int n, Int nrhs, const Real* const Aarray[], \
   Int lda, const int* PivotArray, Real* const Barray[], Int ldb, int* info, Int batchSize)
/// C = A^-1 with what getrfBatched() has made of A. C is another matrix than A.
#define EMULATOR_CUBLAS_GETRI(Real, Int)                                                     \
  (cublasHandle_t handle, Int n, const Real* const Aarray[], Int lda, const int* PivotArray, \
   Real* const Carray[], Int ldc, int* infoArray, Int batchSize)
/// C = A^-1 for n of at most 32; A stays as it is.
#define EMULATOR_CUBLAS_MATINV(Real, Int)                                                   \
  (cublasHandle_t handle, Int n, const Real* const Aarray[], Int lda, Real* const Carray[], \
   Int ldc, int* infoArray, Int batchSize)
EMULATOR_CUBLAS_INT_ALL(getrfBatched, EMULATOR_CUBLAS_GETRF)
EMULATOR_CUBLAS_INT_ALL(getrsBatched, EMULATOR_CUBLAS_GETRS)
EMULATOR_CUBLAS_INT_ALL(getriBatched, EMULATOR_CUBLAS_GETRI)
EMULATOR_CUBLAS_INT_ALL(matinvBatched, EMULATOR_CUBLAS_MATINV)

/// C = alpha op(A) + beta op(B), all m x n; with *beta = 0 it transposes A. C may be A or B if that
/// one has op() N and C's leading dimension; other ways are CUBLAS_STATUS_INVALID_VALUE.
#define EMULATOR_CUBLAS_GEAM(Real, Int)                                                          \
  (cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, Int m, Int n,      \
   const Real* alpha, const Real* A, Int lda, const Real* beta, const Real* B, Int ldb, Real* C, \
   Int ldc)
EMULATOR_CUBLAS_ALL(geam, EMULATOR_CUBLAS_GEAM)

/// C = A diag(x) with mode CUBLAS_SIDE_RIGHT, diag(x) A with CUBLAS_SIDE_LEFT. A and C are m x n. C
/// may be A, with the same leading dimension.
#define EMULATOR_CUBLAS_DGMM(Real, Int)                                                \
  (cublasHandle_t handle, cublasSideMode_t mode, Int m, Int n, const Real* A, Int lda, \
   const Real* x, Int incx, Real* C, Int ldc)
EMULATOR_CUBLAS_ALL(dgmm, EMULATOR_CUBLAS_DGMM)

/// One triangle of the n x n matrix A to packed storage, and back: the other triangle is not
/// touched.
#define EMULATOR_CUBLAS_TRTTP(Real, Int) \
  (cublasHandle_t handle, cublasFillMode_t uplo, Int n, const Real* A, Int lda, Real* AP)
EMULATOR_CUBLAS_INT_ALL(trttp, EMULATOR_CUBLAS_TRTTP)
#define EMULATOR_CUBLAS_TPTTR(Real, Int) \
  (cublasHandle_t handle, cublasFillMode_t uplo, Int n, const Real* AP, Real* A, Int lda)
EMULATOR_CUBLAS_INT_ALL(tpttr, EMULATOR_CUBLAS_TPTTR)

}  // extern "C"

#include "emulator/libraries/cublas_elements.h"
