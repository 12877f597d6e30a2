#pragma once
#pragma GCC system_header
/// \file
/// The part of cuBLAS 13 that the emulator models, computed by OpenBLAS. Programs that use it link
/// emulator_cublas.
///
/// Functions for float, double and their complex numbers: cublas_vectors.h, cublas_matrix_vector.h
/// and cublas_matrices.h. Those for elements of types that are arguments, halves among them:
/// cublas_elements.h, which also says how exact products are. What is missing, as factorisations,
/// is in cublas_unmodelled.h.
///
/// Matrices are stored column by column: element (i, j) of A is `A[i + j * lda]`, where the leading
/// dimension lda is the distance from a column to the next, at least the number of rows that are
/// stored. To cuBLAS, a matrix stored row by row is the transposed one. m, n, k, the dimensions,
/// are those of the result and of op(A), op(B), as mathematics has them, so that op() decides
/// whether the stored A has m rows or m columns. The functions whose names end in _64 differ only
/// in that their sizes have 64 bits.
///
/// Calls need a live handle, else they return CUBLAS_STATUS_NOT_INITIALIZED; arguments that make no
/// sense are CUBLAS_STATUS_INVALID_VALUE, and a line on stderr names the first of them. Work has
/// finished when the call that asked for it returns, whatever the handle's stream.
/// CUBLAS_STATUS_EXECUTION_FAILED is for work that could not run: after a kernel has failed, in a
/// host function called from a stream, with a stream that was destroyed, and, unlike on a GPU,
/// right when a vector or matrix does not be in memory that the device can reach. That last is the
/// illegal access of a kernel: one line on stderr tells which operand, and the device keeps the
/// error until cudaDeviceReset().
///
/// With the checks on (EMULATOR_CHECK), that a call reads elements which nobody has written is a
/// finding, and what it writes counts as written: elements, not the gaps between them.
///
/// Unless a comment says so, no call leaves an error for cudaGetLastError().

#include <cstddef>
#include <cstdint>

#include "emulator/libraries/cublas_matrices.h"
#include "emulator/libraries/cublas_matrix_vector.h"
#include "emulator/libraries/cublas_names.h"
#include "emulator/libraries/cublas_types.h"
#include "emulator/libraries/cublas_vectors.h"

extern "C" {

// Handles and what they remember ------------------------------------------------------------------

/// \restricted Makes a handle, with the default stream and factors on the host. It stays live
/// through cudaDeviceReset(), which on a GPU it does not.
/// \return CUBLAS_STATUS_NOT_INITIALIZED if
/// the device cannot be used
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
/// \restricted Where the library may put intermediate results. Checked, and without effect.
/// \return CUBLAS_STATUS_INVALID_VALUE unless the address is a multiple of 256
cublasStatus_t cublasSetWorkspace(cublasHandle_t handle, void* workspace, std::size_t bytes);
/// Whether factors and single results, as that of cublasSdot(), are in the host's memory or the
/// device's.
cublasStatus_t cublasSetPointerMode(cublasHandle_t handle, cublasPointerMode_t mode);
cublasStatus_t cublasGetPointerMode(cublasHandle_t handle, cublasPointerMode_t* mode);
/// \restricted Whether atomic operations, which add up in no fixed order, may be used: on a GPU two
/// runs may then differ in their last bits. Without effect here, where they never do.
cublasStatus_t cublasSetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t mode);
cublasStatus_t cublasGetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t* mode);
/// How exact products of floats are: see cublas_elements.h.
cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode);
cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t* mode);
/// \restricted How many multiprocessors the library may use; 0, as at first, for all. Without
/// effect.
/// \return CUBLAS_STATUS_INVALID_VALUE for a number below 0 or above the device's
cublasStatus_t cublasSetSmCountTarget(cublasHandle_t handle, int target);
cublasStatus_t cublasGetSmCountTarget(cublasHandle_t handle, int* target);

/// \restricted How floats may be made out of smaller numbers. Without effect: they never are.
cublasStatus_t cublasSetEmulationStrategy(cublasHandle_t handle,
                                          cublasEmulationStrategy_t strategy);
cublasStatus_t cublasGetEmulationStrategy(cublasHandle_t handle,
                                          cublasEmulationStrategy_t* strategy);

// The log -----------------------------------------------------------------------------------------

/// Asks for a line about each call, to stdout, to stderr, to a new file, or to
/// several of them; an earlier file is closed. The line names the function, those of its arguments
/// that are numbers, and what the call returned:
///
///     I! cuBLAS (v13.1) function cublasSgemm(transa=CUBLAS_OP_N, …, ldc=2) called:
///     CUBLAS_STATUS_SUCCESS
///
/// NVIDIA's begins with the same words, has all arguments, each with its type in a line of its own,
/// and is written before the call's work. At first the log is off, unless CUBLAS_LOGINFO_DBG is 1
/// in the environment; CUBLAS_LOGDEST_DBG then says where it goes: stdout, stderr or a file.
/// \return CUBLAS_STATUS_INVALID_VALUE if the file cannot be written
cublasStatus_t cublasLoggerConfigure(int log_is_on, int log_to_stdout, int log_to_stderr,
                                     const char* file_name);
/// Turns the log on and has the function called with each line as well; null ends that. It may
/// call cuBLAS, but what it calls is logged as well.
cublasStatus_t cublasSetLoggerCallback(cublasLogCallback callback);
cublasStatus_t cublasGetLoggerCallback(cublasLogCallback* callback);

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

}  // extern "C"
