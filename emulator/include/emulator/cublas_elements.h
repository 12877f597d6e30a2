#pragma once
#pragma GCC system_header
/// \file
/// cuBLAS's products of matrices whose elements' types are arguments.
///
/// | computeType                          | alpha, beta | A and B    | C                 |
/// | ------------------------------------ | ----------- | ---------- | ----------------- |
/// | CUBLAS_COMPUTE_64F and its variants  | double      | double     | double            |
/// | CUBLAS_COMPUTE_32F and its variants  | float       | float      | float             |
/// | CUBLAS_COMPUTE_32F and its variants  | float       | half       | half or float     |
/// | CUBLAS_COMPUTE_32F and its variants  | float       | bfloat16   | bfloat16 or float |
/// | CUBLAS_COMPUTE_16F and its variant   | half        | half       | half              |
///
/// Other combinations return CUBLAS_STATUS_NOT_SUPPORTED and are named on stderr. Sums are always
/// added up in single or double precision, and rounded once, to C's type. The algorithm is checked
/// and without effect. Otherwise these functions are cublasSgemm() and its batched forms.

#include "emulator/cublas_forms.h"

// For alpha, beta, A, B and C whatever the types, and sizes of 32 and of 64 bits.
#define EMULATOR_CUBLAS_EX(name, PARAMETERS)                \
  cublasStatus_t name PARAMETERS(int, cublasComputeType_t); \
  cublasStatus_t name##_64 PARAMETERS(int64_t, cublasComputeType_t);

extern "C" {

/// C = alpha op(A) op(B) + beta C.
#define EMULATOR_CUBLAS_GEMM_EX(Int, Compute)                                                      \
  (cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, Int m, Int n, Int k, \
   const void* alpha, const void* A, cudaDataType Atype, Int lda, const void* B,                   \
   cudaDataType Btype, Int ldb, const void* beta, void* C, cudaDataType Ctype, Int ldc,            \
   Compute computeType, cublasGemmAlgo_t algo)
EMULATOR_CUBLAS_EX(cublasGemmEx, EMULATOR_CUBLAS_GEMM_EX)

#define EMULATOR_CUBLAS_GEMM_BATCHED_EX(Int, Compute)                                              \
  (cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, Int m, Int n, Int k, \
   const void* alpha, const void* const Aarray[], cudaDataType Atype, Int lda,                     \
   const void* const Barray[], cudaDataType Btype, Int ldb, const void* beta,                      \
   void* const Carray[], cudaDataType Ctype, Int ldc, Int batchCount, Compute computeType,         \
   cublasGemmAlgo_t algo)
EMULATOR_CUBLAS_EX(cublasGemmBatchedEx, EMULATOR_CUBLAS_GEMM_BATCHED_EX)

#define EMULATOR_CUBLAS_GEMM_STRIDED_EX(Int, Compute)                                              \
  (cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, Int m, Int n, Int k, \
   const void* alpha, const void* A, cudaDataType Atype, Int lda, long long strideA,               \
   const void* B, cudaDataType Btype, Int ldb, long long strideB, const void* beta, void* C,       \
   cudaDataType Ctype, Int ldc, long long strideC, Int batchCount, Compute computeType,            \
   cublasGemmAlgo_t algo)
EMULATOR_CUBLAS_EX(cublasGemmStridedBatchedEx, EMULATOR_CUBLAS_GEMM_STRIDED_EX)

/// cublasGemmEx() that computes with float.
#define EMULATOR_CUBLAS_SGEMM_EX(Int)                                                              \
  (cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, Int m, Int n, Int k, \
   const float* alpha, const void* A, cudaDataType Atype, Int lda, const void* B,                  \
   cudaDataType Btype, Int ldb, const float* beta, void* C, cudaDataType Ctype, Int ldc)
cublasStatus_t cublasSgemmEx EMULATOR_CUBLAS_SGEMM_EX(int);
cublasStatus_t cublasSgemmEx_64 EMULATOR_CUBLAS_SGEMM_EX(int64_t);

}  // extern "C"

// The form before CUDA 11, where computeType is a type of elements.
cublasStatus_t cublasGemmEx EMULATOR_CUBLAS_GEMM_EX(int, cudaDataType);
cublasStatus_t cublasGemmBatchedEx EMULATOR_CUBLAS_GEMM_BATCHED_EX(int, cudaDataType);
cublasStatus_t cublasGemmStridedBatchedEx EMULATOR_CUBLAS_GEMM_STRIDED_EX(int, cudaDataType);
