#pragma once
#pragma GCC system_header
/// \file
/// cuBLAS's products of matrices whose elements' types are arguments.
///
/// | computeType                          | alpha, beta   | A and B       | C                 |
/// | ------------------------------------ | ------------- | ------------- | ----------------- |
/// | CUBLAS_COMPUTE_64F and its variants  | double        | double        | double            |
/// | CUBLAS_COMPUTE_64F and its variants  | complex, of double, all of them                   |
/// | CUBLAS_COMPUTE_32F and its variants  | float         | float         | float             |
/// | CUBLAS_COMPUTE_32F and its variants  | float         | half          | half or float     |
/// | CUBLAS_COMPUTE_32F and its variants  | float         | bfloat16      | bfloat16 or float |
/// | CUBLAS_COMPUTE_32F and its variants  | float         | int8          | float             |
/// | CUBLAS_COMPUTE_32F and its variants  | complex, of float, all; A and B also of int8      |
/// | CUBLAS_COMPUTE_16F and its variant   | half          | half          | half              |
/// | CUBLAS_COMPUTE_32I and its variant   | int           | int8          | int               |
///
/// Other combinations return CUBLAS_STATUS_NOT_SUPPORTED and are named on stderr, and so is, with
/// CUBLAS_COMPUTE_32I, a leading dimension of A or B that is not a multiple of 4.
///
/// **How exact they are.** Floats are first rounded to what a GPU's tensor cores would multiply:
/// with CUBLAS_COMPUTE_32F_FAST_TF32, and with CUBLAS_COMPUTE_32F after
/// cublasSetMathMode(CUBLAS_TF32_TENSOR_OP_MATH), to TF32's 10 bits of fraction, the nearest number
/// and halfway the one away from 0; with CUBLAS_COMPUTE_32F_FAST_16F to half, and what is too large
/// for it is infinite; with CUBLAS_COMPUTE_32F_FAST_16BF to bfloat16. The same goes for the
/// parts of complex floats. CUBLAS_TENSOR_OP_MATH, a mode's name of before, means half; algorithms
/// that end in TENSOR_OP change nothing, as on an H200. The products of such numbers are exact, and
/// sums are floats. (A GPU may keep floats all the same, for shapes where its tensor cores would be
/// no gain.)
/// With CUBLAS_COMPUTE_16F sums are halves: they are rounded after 16 products each, as if by
/// tensor cores, and with its PEDANTIC variant after each one. All other sums are added up in
/// single or double precision, and rounded once, to C's type: also those that a GPU would compute
/// from several bfloat16 or integers (EMULATED). cublasSgemm(), cublasCgemm(), cublasHgemm() and
/// their batched forms go by the same rules, with CUBLAS_COMPUTE_32F or 16F; no other function
/// does.
///
/// The algorithm is checked and otherwise without effect. Otherwise these functions are
/// cublasSgemm() and its batched forms.

#include "emulator/libraries/cublas_forms.h"

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

/// cublasSgemmGroupedBatched() for other types of elements.
#define EMULATOR_CUBLAS_GEMM_GROUPED_EX(Int)                                                     \
  (cublasHandle_t handle, const cublasOperation_t transa_array[],                                \
   const cublasOperation_t transb_array[], const Int m_array[], const Int n_array[],             \
   const Int k_array[], const void* alpha_array, const void* const Aarray[], cudaDataType Atype, \
   const Int lda_array[], const void* const Barray[], cudaDataType Btype, const Int ldb_array[], \
   const void* beta_array, void* const Carray[], cudaDataType Ctype, const Int ldc_array[],      \
   Int group_count, const Int group_size[], cublasComputeType_t computeType)
cublasStatus_t cublasGemmGroupedBatchedEx EMULATOR_CUBLAS_GEMM_GROUPED_EX(int);
cublasStatus_t cublasGemmGroupedBatchedEx_64 EMULATOR_CUBLAS_GEMM_GROUPED_EX(int64_t);

#define EMULATOR_CUBLAS_GEMM_STRIDED_EX(Int, Compute)                                              \
  (cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, Int m, Int n, Int k, \
   const void* alpha, const void* A, cudaDataType Atype, Int lda, long long strideA,               \
   const void* B, cudaDataType Btype, Int ldb, long long strideB, const void* beta, void* C,       \
   cudaDataType Ctype, Int ldc, long long strideC, Int batchCount, Compute computeType,            \
   cublasGemmAlgo_t algo)
EMULATOR_CUBLAS_EX(cublasGemmStridedBatchedEx, EMULATOR_CUBLAS_GEMM_STRIDED_EX)

/// cublasGemmEx() that computes with float, or with its complex numbers.
#define EMULATOR_CUBLAS_TYPED_GEMM_EX(Factor, Int)                                                 \
  (cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, Int m, Int n, Int k, \
   const Factor* alpha, const void* A, cudaDataType Atype, Int lda, const void* B,                 \
   cudaDataType Btype, Int ldb, const Factor* beta, void* C, cudaDataType Ctype, Int ldc)
cublasStatus_t cublasSgemmEx EMULATOR_CUBLAS_TYPED_GEMM_EX(float, int);
cublasStatus_t cublasSgemmEx_64 EMULATOR_CUBLAS_TYPED_GEMM_EX(float, int64_t);
cublasStatus_t cublasCgemmEx EMULATOR_CUBLAS_TYPED_GEMM_EX(cuComplex, int);
cublasStatus_t cublasCgemmEx_64 EMULATOR_CUBLAS_TYPED_GEMM_EX(cuComplex, int64_t);
cublasStatus_t cublasCgemm3mEx EMULATOR_CUBLAS_TYPED_GEMM_EX(cuComplex, int);
cublasStatus_t cublasCgemm3mEx_64 EMULATOR_CUBLAS_TYPED_GEMM_EX(cuComplex, int64_t);

/// cublasCsyrk() and cublasCherk(), where the elements of A may be complex bytes (CUDA_C_8I).
#define EMULATOR_CUBLAS_RANK_EX(Factor, Int)                                                     \
  (cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, Int n, Int k,          \
   const Factor* alpha, const void* A, cudaDataType Atype, Int lda, const Factor* beta, void* C, \
   cudaDataType Ctype, Int ldc)
cublasStatus_t cublasCsyrkEx EMULATOR_CUBLAS_RANK_EX(cuComplex, int);
cublasStatus_t cublasCsyrkEx_64 EMULATOR_CUBLAS_RANK_EX(cuComplex, int64_t);
cublasStatus_t cublasCherkEx EMULATOR_CUBLAS_RANK_EX(float, int);
cublasStatus_t cublasCherkEx_64 EMULATOR_CUBLAS_RANK_EX(float, int64_t);
// The same by other names.
cublasStatus_t cublasCsyrk3mEx EMULATOR_CUBLAS_RANK_EX(cuComplex, int);
cublasStatus_t cublasCsyrk3mEx_64 EMULATOR_CUBLAS_RANK_EX(cuComplex, int64_t);
cublasStatus_t cublasCherk3mEx EMULATOR_CUBLAS_RANK_EX(float, int);
cublasStatus_t cublasCherk3mEx_64 EMULATOR_CUBLAS_RANK_EX(float, int64_t);

// Vectors -----------------------------------------------------------------------------------------
//
// The functions of cublas_vectors.h for elements whose types are arguments: float, double, their
// complex numbers, half and bfloat16. x and y have one type, the result and the factors too, but
// for halves and bfloat16, whose factors are floats: they are computed with float and rounded once.
// executionType is float for these, else the type itself.

#define EMULATOR_CUBLAS_VECTOR_EX(name, PARAMETERS) \
  cublasStatus_t name PARAMETERS(int);              \
  cublasStatus_t name##_64 PARAMETERS(int64_t);

#define EMULATOR_CUBLAS_AXPY_EX(Int)                                                       \
  (cublasHandle_t handle, Int n, const void* alpha, cudaDataType alphaType, const void* x, \
   cudaDataType xType, Int incx, void* y, cudaDataType yType, Int incy,                    \
   cudaDataType executionType)
EMULATOR_CUBLAS_VECTOR_EX(cublasAxpyEx, EMULATOR_CUBLAS_AXPY_EX)

#define EMULATOR_CUBLAS_COPY_EX(Int)                                                   \
  (cublasHandle_t handle, Int n, const void* x, cudaDataType xType, Int incx, void* y, \
   cudaDataType yType, Int incy)
EMULATOR_CUBLAS_VECTOR_EX(cublasCopyEx, EMULATOR_CUBLAS_COPY_EX)

#define EMULATOR_CUBLAS_SWAP_EX(Int)                                             \
  (cublasHandle_t handle, Int n, void* x, cudaDataType xType, Int incx, void* y, \
   cudaDataType yType, Int incy)
EMULATOR_CUBLAS_VECTOR_EX(cublasSwapEx, EMULATOR_CUBLAS_SWAP_EX)

/// The sum of x[i] y[i]; with the c, of the conjugates of x[i].
#define EMULATOR_CUBLAS_DOT_EX(Int)                                                          \
  (cublasHandle_t handle, Int n, const void* x, cudaDataType xType, Int incx, const void* y, \
   cudaDataType yType, Int incy, void* result, cudaDataType resultType,                      \
   cudaDataType executionType)
EMULATOR_CUBLAS_VECTOR_EX(cublasDotEx, EMULATOR_CUBLAS_DOT_EX)
EMULATOR_CUBLAS_VECTOR_EX(cublasDotcEx, EMULATOR_CUBLAS_DOT_EX)

/// The result of complex numbers is a real one.
#define EMULATOR_CUBLAS_REDUCE_EX(Int)                                                      \
  (cublasHandle_t handle, Int n, const void* x, cudaDataType xType, Int incx, void* result, \
   cudaDataType resultType, cudaDataType executionType)
EMULATOR_CUBLAS_VECTOR_EX(cublasNrm2Ex, EMULATOR_CUBLAS_REDUCE_EX)
EMULATOR_CUBLAS_VECTOR_EX(cublasAsumEx, EMULATOR_CUBLAS_REDUCE_EX)

#define EMULATOR_CUBLAS_INDEX_EX(Int) \
  (cublasHandle_t handle, Int n, const void* x, cudaDataType xType, Int incx, Int* result)
EMULATOR_CUBLAS_VECTOR_EX(cublasIamaxEx, EMULATOR_CUBLAS_INDEX_EX)
EMULATOR_CUBLAS_VECTOR_EX(cublasIaminEx, EMULATOR_CUBLAS_INDEX_EX)

#define EMULATOR_CUBLAS_SCAL_EX(Int)                                                 \
  (cublasHandle_t handle, Int n, const void* alpha, cudaDataType alphaType, void* x, \
   cudaDataType xType, Int incx, cudaDataType executionType)
EMULATOR_CUBLAS_VECTOR_EX(cublasScalEx, EMULATOR_CUBLAS_SCAL_EX)

/// With complex points c and s are both real or both complex, of which c only counts by its real
/// part. With halves and bfloat16 they have the type of the points.
#define EMULATOR_CUBLAS_ROT_EX(Int)                                                 \
  (cublasHandle_t handle, Int n, void* x, cudaDataType xType, Int incx, void* y,    \
   cudaDataType yType, Int incy, const void* c, const void* s, cudaDataType csType, \
   cudaDataType executionType)
EMULATOR_CUBLAS_VECTOR_EX(cublasRotEx, EMULATOR_CUBLAS_ROT_EX)

/// For float and double, as the next two.
#define EMULATOR_CUBLAS_ROTM_EX(Int)                                             \
  (cublasHandle_t handle, Int n, void* x, cudaDataType xType, Int incx, void* y, \
   cudaDataType yType, Int incy, const void* param, cudaDataType paramType,      \
   cudaDataType executionType)
EMULATOR_CUBLAS_VECTOR_EX(cublasRotmEx, EMULATOR_CUBLAS_ROTM_EX)
cublasStatus_t cublasRotgEx(cublasHandle_t handle, void* a, void* b, cudaDataType abType, void* c,
                            void* s, cudaDataType csType, cudaDataType executionType);
cublasStatus_t cublasRotmgEx(cublasHandle_t handle, void* d1, cudaDataType d1Type, void* d2,
                             cudaDataType d2Type, void* x1, cudaDataType x1Type, const void* y1,
                             cudaDataType y1Type, void* param, cudaDataType paramType,
                             cudaDataType executionType);

}  // extern "C"

// The form before CUDA 11, where computeType is a type of elements.
cublasStatus_t cublasGemmEx EMULATOR_CUBLAS_GEMM_EX(int, cudaDataType);
cublasStatus_t cublasGemmBatchedEx EMULATOR_CUBLAS_GEMM_BATCHED_EX(int, cudaDataType);
cublasStatus_t cublasGemmStridedBatchedEx EMULATOR_CUBLAS_GEMM_STRIDED_EX(int, cudaDataType);
