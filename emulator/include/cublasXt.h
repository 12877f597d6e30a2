#pragma once
#pragma GCC system_header
/// \file
/// cublasXt: cuBLAS's products of matrices that are anywhere, in the host's memory or the device's,
/// with sizes of size_t. Programs link emulator_cublas.
///
/// On a machine with several GPUs the library cuts matrices into blocks and deals these out. Here
/// each matrix is copied to the device as a whole, the product is cuBLAS's (cublas_matrices.h), and
/// the result is copied back: all matrices of a call must fit into the device's memory together,
/// else it returns CUBLAS_STATUS_ALLOC_FAILED. Factors are on the host. A call returns when its
/// result is there.
///
/// \return from all products what cuBLAS's function of that name returns; and
///         CUBLAS_STATUS_NOT_INITIALIZED for a null handle, or one that no device was selected for.

#include <cstddef>

#include "cublas_api.h"

using cublasXtHandle_t = struct cublasXtContext*;

enum cublasXtPinnedMemMode_t : int {
  CUBLASXT_PINNING_DISABLED = 0,
  CUBLASXT_PINNING_ENABLED = 1,
};
enum cublasXtOpType_t : int {
  CUBLASXT_FLOAT = 0,
  CUBLASXT_DOUBLE = 1,
  CUBLASXT_COMPLEX = 2,
  CUBLASXT_DOUBLECOMPLEX = 3,
};
enum cublasXtBlasOp_t : int {
  CUBLASXT_GEMM = 0,
  CUBLASXT_SYRK = 1,
  CUBLASXT_HERK = 2,
  CUBLASXT_SYMM = 3,
  CUBLASXT_HEMM = 4,
  CUBLASXT_TRSM = 5,
  CUBLASXT_SYR2K = 6,
  CUBLASXT_HER2K = 7,
  CUBLASXT_SPMM = 8,
  CUBLASXT_SYRKX = 9,
  CUBLASXT_HERKX = 10,
  CUBLASXT_TRMM = 11,
  CUBLASXT_ROUTINE_MAX = 12,
};

extern "C" {

cublasStatus_t cublasXtCreate(cublasXtHandle_t* handle);
cublasStatus_t cublasXtDestroy(cublasXtHandle_t handle);
/// One board for each device.
cublasStatus_t cublasXtGetNumBoards(int nbDevices, int deviceId[], int* nbBoards);
cublasStatus_t cublasXtMaxBoards(int* nbGpuBoards);
/// Takes which devices there are, each once; the first does the work. Returns
/// CUBLAS_STATUS_INVALID_VALUE for none, and for one that is not there.
cublasStatus_t cublasXtDeviceSelect(cublasXtHandle_t handle, int nbDevices, int deviceId[]);
/// \restricted Kept, and without effect. Returns CUBLAS_STATUS_INVALID_VALUE below 1.
cublasStatus_t cublasXtSetBlockDim(cublasXtHandle_t handle, int blockDim);
cublasStatus_t cublasXtGetBlockDim(cublasXtHandle_t handle, int* blockDim);
/// \restricted Kept, and without effect.
cublasStatus_t cublasXtSetPinningMemMode(cublasXtHandle_t handle, cublasXtPinnedMemMode_t mode);
cublasStatus_t cublasXtGetPinningMemMode(cublasXtHandle_t handle, cublasXtPinnedMemMode_t* mode);
/// \restricted Checked, and without effect: the device does it all.
cublasStatus_t cublasXtSetCpuRoutine(cublasXtHandle_t handle, cublasXtBlasOp_t blasOp,
                                     cublasXtOpType_t type, void* blasFunctor);
cublasStatus_t cublasXtSetCpuRatio(cublasXtHandle_t handle, cublasXtBlasOp_t blasOp,
                                   cublasXtOpType_t type, float ratio);

#define EMULATOR_XT_COMPLEX(name, PARAMETERS)           \
  cublasStatus_t cublasXtC##name PARAMETERS(cuComplex); \
  cublasStatus_t cublasXtZ##name PARAMETERS(cuDoubleComplex);
#define EMULATOR_XT_ALL(name, PARAMETERS)            \
  cublasStatus_t cublasXtS##name PARAMETERS(float);  \
  cublasStatus_t cublasXtD##name PARAMETERS(double); \
  EMULATOR_XT_COMPLEX(name, PARAMETERS)

#define EMULATOR_XT_GEMM(Real)                                                                     \
  (cublasXtHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, std::size_t m,     \
   std::size_t n, std::size_t k, const Real* alpha, const Real* A, std::size_t lda, const Real* B, \
   std::size_t ldb, const Real* beta, Real* C, std::size_t ldc)
EMULATOR_XT_ALL(gemm, EMULATOR_XT_GEMM)

#define EMULATOR_XT_SYRK(Real)                                                                  \
  (cublasXtHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, std::size_t n,      \
   std::size_t k, const Real* alpha, const Real* A, std::size_t lda, const Real* beta, Real* C, \
   std::size_t ldc)
EMULATOR_XT_ALL(syrk, EMULATOR_XT_SYRK)
#define EMULATOR_XT_HERK(Real)                                                               \
  (cublasXtHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, std::size_t n,   \
   std::size_t k, const emulator::detail::Part<Real>* alpha, const Real* A, std::size_t lda, \
   const emulator::detail::Part<Real>* beta, Real* C, std::size_t ldc)
EMULATOR_XT_COMPLEX(herk, EMULATOR_XT_HERK)

#define EMULATOR_XT_SYR2K(Real)                                                            \
  (cublasXtHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, std::size_t n, \
   std::size_t k, const Real* alpha, const Real* A, std::size_t lda, const Real* B,        \
   std::size_t ldb, const Real* beta, Real* C, std::size_t ldc)
EMULATOR_XT_ALL(syr2k, EMULATOR_XT_SYR2K)
EMULATOR_XT_ALL(syrkx, EMULATOR_XT_SYR2K)
#define EMULATOR_XT_HER2K(Real)                                                            \
  (cublasXtHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, std::size_t n, \
   std::size_t k, const Real* alpha, const Real* A, std::size_t lda, const Real* B,        \
   std::size_t ldb, const emulator::detail::Part<Real>* beta, Real* C, std::size_t ldc)
EMULATOR_XT_COMPLEX(her2k, EMULATOR_XT_HER2K)
EMULATOR_XT_COMPLEX(herkx, EMULATOR_XT_HER2K)

#define EMULATOR_XT_SYMM(Real)                                                           \
  (cublasXtHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, std::size_t m, \
   std::size_t n, const Real* alpha, const Real* A, std::size_t lda, const Real* B,      \
   std::size_t ldb, const Real* beta, Real* C, std::size_t ldc)
EMULATOR_XT_ALL(symm, EMULATOR_XT_SYMM)
EMULATOR_XT_COMPLEX(hemm, EMULATOR_XT_SYMM)

/// symm with A packed: the columns of its triangle, one after the other.
#define EMULATOR_XT_SPMM(Real)                                                           \
  (cublasXtHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, std::size_t m, \
   std::size_t n, const Real* alpha, const Real* AP, const Real* B, std::size_t ldb,     \
   const Real* beta, Real* C, std::size_t ldc)
EMULATOR_XT_ALL(spmm, EMULATOR_XT_SPMM)

#define EMULATOR_XT_TRMM(Real)                                                                     \
  (cublasXtHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, cublasOperation_t trans, \
   cublasDiagType_t diag, std::size_t m, std::size_t n, const Real* alpha, const Real* A,          \
   std::size_t lda, const Real* B, std::size_t ldb, Real* C, std::size_t ldc)
EMULATOR_XT_ALL(trmm, EMULATOR_XT_TRMM)
#define EMULATOR_XT_TRSM(Real)                                                                     \
  (cublasXtHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, cublasOperation_t trans, \
   cublasDiagType_t diag, std::size_t m, std::size_t n, const Real* alpha, const Real* A,          \
   std::size_t lda, Real* B, std::size_t ldb)
EMULATOR_XT_ALL(trsm, EMULATOR_XT_TRSM)

}  // extern "C"
