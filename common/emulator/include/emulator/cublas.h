#pragma once
#pragma GCC system_header
/// \file
/// The part of cuBLAS 13 that the emulator models, computed by OpenBLAS. Programs that use it link
/// emulator_cublas.
///
/// Matrices are stored column by column: element (i, j) of A is `A[i + j * lda]`, where the leading
/// dimension lda is the distance from a column to the next, at least the number of rows that are
/// stored. To cuBLAS, a matrix stored row by row is the transposed one. m, n, k, the dimensions,
/// are those of the result and of op(A), op(B), as mathematics has them, so that op() decides
/// whether the stored A has m rows or m columns. The functions whose names end in _64 differ only
/// in that their sizes have 64 bits.
///
/// Calls need a live handle, else they return CUBLAS_STATUS_NOT_INITIALIZED; arguments that make no
/// sense are CUBLAS_STATUS_INVALID_VALUE. Work has finished when the call that asked for it
/// returns, whatever the handle's stream. CUBLAS_STATUS_EXECUTION_FAILED is for work that could not
/// run: after a kernel has failed, in a host function called from a stream, with a stream that was
/// destroyed, and, unlike on a GPU, right when a vector or matrix does not lie in memory that the
/// device can reach. That last is the illegal access of a kernel: one line on stderr tells which
/// operand, and the device keeps the error until cudaDeviceReset().
///
/// Unless a comment says so, no call leaves an error for cudaGetLastError().

#include <cstddef>
#include <cstdint>

#include "emulator/cublas_types.h"

// The names a program uses, for the second version of the interface, which is what this is.
#define cublasCreate cublasCreate_v2
#define cublasDestroy cublasDestroy_v2
#define cublasGetVersion cublasGetVersion_v2
#define cublasSetWorkspace cublasSetWorkspace_v2
#define cublasSetStream cublasSetStream_v2
#define cublasGetStream cublasGetStream_v2
#define cublasGetPointerMode cublasGetPointerMode_v2
#define cublasSetPointerMode cublasSetPointerMode_v2
#define cublasSgemv cublasSgemv_v2
#define cublasSgemv_64 cublasSgemv_v2_64
#define cublasSgemm cublasSgemm_v2
#define cublasSgemm_64 cublasSgemm_v2_64

extern "C" {

// Handles and what they remember ------------------------------------------------------------------

/// Makes a handle, with the default stream and factors on the host. It stays live through
/// cudaDeviceReset(), which on a GPU it does not.
/// \return CUBLAS_STATUS_NOT_INITIALIZED if the device cannot be used
cublasStatus_t cublasCreate(cublasHandle_t* handle);
cublasStatus_t cublasDestroy(cublasHandle_t handle);
/// CUBLAS_VERSION. Asks for no handle.
cublasStatus_t cublasGetVersion(cublasHandle_t handle, int* version);
cublasStatus_t cublasGetProperty(libraryPropertyType type, int* value);
std::size_t cublasGetCudartVersion();

/// The status's name as in source code, or "unrecognized status".
const char* cublasGetStatusName(cublasStatus_t status);
/// A short description of the status, or "unrecognized status".
const char* cublasGetStatusString(cublasStatus_t status);

/// \return CUBLAS_STATUS_INVALID_VALUE for a stream that is not live
cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream);
cublasStatus_t cublasGetStream(cublasHandle_t handle, cudaStream_t* stream);
/// Where the library may put intermediate results. Checked, and without effect.
/// \return CUBLAS_STATUS_INVALID_VALUE unless the address is a multiple of 256
cublasStatus_t cublasSetWorkspace(cublasHandle_t handle, void* workspace, std::size_t bytes);
/// Whether alpha and beta point to the host's memory or to the device's.
cublasStatus_t cublasSetPointerMode(cublasHandle_t handle, cublasPointerMode_t mode);
cublasStatus_t cublasGetPointerMode(cublasHandle_t handle, cublasPointerMode_t* mode);
/// Whether atomic operations, which add up in no fixed order, may be used. Without effect.
cublasStatus_t cublasSetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t mode);
cublasStatus_t cublasGetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t* mode);
/// Without effect.
cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode);
cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t* mode);

// Copies ------------------------------------------------------------------------------------------

/// Copies n elements to the device: element i from `x + i * incx` to `y + i * incy`, counted in
/// elements of `element_size` bytes. The Get functions copy the other way.
/// \return CUBLAS_STATUS_INVALID_VALUE if an increment or the size is not positive,
///         CUBLAS_STATUS_MAPPING_ERROR if the copy fails, as with an n that is negative
cublasStatus_t cublasSetVector(int n, int element_size, const void* x, int incx, void* y, int incy);
cublasStatus_t cublasSetVector_64(std::int64_t n, std::int64_t element_size, const void* x,
                                  std::int64_t incx, void* y, std::int64_t incy);
cublasStatus_t cublasGetVector(int n, int element_size, const void* x, int incx, void* y, int incy);
cublasStatus_t cublasGetVector_64(std::int64_t n, std::int64_t element_size, const void* x,
                                  std::int64_t incx, void* y, std::int64_t incy);
cublasStatus_t cublasSetVectorAsync(int n, int element_size, const void* x, int incx, void* y,
                                    int incy, cudaStream_t stream);
cublasStatus_t cublasSetVectorAsync_64(std::int64_t n, std::int64_t element_size, const void* x,
                                       std::int64_t incx, void* y, std::int64_t incy,
                                       cudaStream_t stream);
cublasStatus_t cublasGetVectorAsync(int n, int element_size, const void* x, int incx, void* y,
                                    int incy, cudaStream_t stream);
cublasStatus_t cublasGetVectorAsync_64(std::int64_t n, std::int64_t element_size, const void* x,
                                       std::int64_t incx, void* y, std::int64_t incy,
                                       cudaStream_t stream);

/// Copies a matrix of rows x columns elements to the device, from A with leading dimension lda to B
/// with ldb. The Get functions copy the other way.
/// \return CUBLAS_STATUS_INVALID_VALUE if a size is negative, or element_size, lda or ldb not
///         positive, CUBLAS_STATUS_MAPPING_ERROR if the copy fails, as with fewer than `rows`
///         elements from column to column
cublasStatus_t cublasSetMatrix(int rows, int columns, int element_size, const void* A, int lda,
                               void* B, int ldb);
cublasStatus_t cublasSetMatrix_64(std::int64_t rows, std::int64_t columns,
                                  std::int64_t element_size, const void* A, std::int64_t lda,
                                  void* B, std::int64_t ldb);
cublasStatus_t cublasGetMatrix(int rows, int columns, int element_size, const void* A, int lda,
                               void* B, int ldb);
cublasStatus_t cublasGetMatrix_64(std::int64_t rows, std::int64_t columns,
                                  std::int64_t element_size, const void* A, std::int64_t lda,
                                  void* B, std::int64_t ldb);
cublasStatus_t cublasSetMatrixAsync(int rows, int columns, int element_size, const void* A, int lda,
                                    void* B, int ldb, cudaStream_t stream);
cublasStatus_t cublasSetMatrixAsync_64(std::int64_t rows, std::int64_t columns,
                                       std::int64_t element_size, const void* A, std::int64_t lda,
                                       void* B, std::int64_t ldb, cudaStream_t stream);
cublasStatus_t cublasGetMatrixAsync(int rows, int columns, int element_size, const void* A, int lda,
                                    void* B, int ldb, cudaStream_t stream);
cublasStatus_t cublasGetMatrixAsync_64(std::int64_t rows, std::int64_t columns,
                                       std::int64_t element_size, const void* A, std::int64_t lda,
                                       void* B, std::int64_t ldb, cudaStream_t stream);

// Products and sums -------------------------------------------------------------------------------

/// y = alpha op(A) x + beta y, where the stored A has m rows and n columns whatever op() is. With a
/// negative increment a vector is taken from its end. If *beta is 0, y is only written; if *alpha
/// is 0, A and x are not read. Without rows or without columns nothing is done, not even to y.
/// \return CUBLAS_STATUS_INVALID_VALUE for an unknown op(), a negative size, lda < max(1, m), an
///         increment of 0, null factors
cublasStatus_t cublasSgemv(cublasHandle_t handle, cublasOperation_t op, int m, int n,
                           const float* alpha, const float* A, int lda, const float* x, int incx,
                           const float* beta, float* y, int incy);
cublasStatus_t cublasSgemv_64(cublasHandle_t handle, cublasOperation_t op, std::int64_t m,
                              std::int64_t n, const float* alpha, const float* A, std::int64_t lda,
                              const float* x, std::int64_t incx, const float* beta, float* y,
                              std::int64_t incy);

/// C = alpha op(A) op(B) + beta C, where op(A) is m x k, op(B) k x n, and C m x n. If *beta is 0, C
/// is only written; if *alpha or k is 0, A and B are not read.
/// \return CUBLAS_STATUS_INVALID_VALUE for an unknown op(), a negative size, a leading dimension
///         below 1 or the number of rows that are stored, null factors, a null C
cublasStatus_t cublasSgemm(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b,
                           int m, int n, int k, const float* alpha, const float* A, int lda,
                           const float* B, int ldb, const float* beta, float* C, int ldc);
cublasStatus_t cublasSgemm_64(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b,
                              std::int64_t m, std::int64_t n, std::int64_t k, const float* alpha,
                              const float* A, std::int64_t lda, const float* B, std::int64_t ldb,
                              const float* beta, float* C, std::int64_t ldc);

/// C = alpha op(A) + beta op(B), all m x n; with *beta = 0 it transposes A. A matrix whose factor
/// is 0 is not read. C may be A or B if that one has op() N and C's leading dimension. \return
/// CUBLAS_STATUS_INVALID_VALUE as cublasSgemm(), and for other ways of C being A or B
cublasStatus_t cublasSgeam(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b,
                           int m, int n, const float* alpha, const float* A, int lda,
                           const float* beta, const float* B, int ldb, float* C, int ldc);
cublasStatus_t cublasSgeam_64(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b,
                              std::int64_t m, std::int64_t n, const float* alpha, const float* A,
                              std::int64_t lda, const float* beta, const float* B, std::int64_t ldb,
                              float* C, std::int64_t ldc);

}  // extern "C"
