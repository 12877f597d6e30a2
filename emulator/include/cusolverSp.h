#pragma once
#pragma GCC system_header
/// \file
/// cuSOLVER for sparse matrices in CSR. Programs that call it link emulator_cusolver (`-lcusolver`
/// with emucc). The letter of a name is the type of the numbers: S and D are float and double, C
/// and Z complex numbers of these.
///
/// Loops of the emulator's own compute the results, in the type of the numbers: the last bits can
/// differ from a GPU's. Work has finished when the call that asked for it returns, and the emulator
/// counts no memory traffic for it. No call can become part of a graph.
///
/// \return CUSOLVER_STATUS_INVALID_VALUE for negative sizes and null pointers,
///         CUSOLVER_STATUS_MATRIX_TYPE_NOT_SUPPORTED for a matrix whose type is not
///         CUSPARSE_MATRIX_TYPE_GENERAL. A line on stderr tells which.

#include <cstddef>
#include <cstdint>

#include "cublas_api.h"
#include "cusolver_common.h"
#include "cusparse.h"

/// Programs ask by this name of NVIDIA's include guard whether cuSOLVER's types are there.
#define CUSOLVERSP_H_

using cusolverSpHandle_t = struct cusolverSpContext*;
using csrqrInfo_t = struct csrqrInfo*;

/// For float and double, and for their complex numbers. Lists of parameters have the type of the
/// numbers as T, that of their real parts as R.
#define EMULATOR_CUSOLVER_SP_ALL(name, PARAMETERS)                 \
  cusolverStatus_t cusolverSpS##name PARAMETERS(float, float);     \
  cusolverStatus_t cusolverSpD##name PARAMETERS(double, double);   \
  cusolverStatus_t cusolverSpC##name PARAMETERS(cuComplex, float); \
  cusolverStatus_t cusolverSpZ##name PARAMETERS(cuDoubleComplex, double);

extern "C" {
cusolverStatus_t cusolverSpCreate(cusolverSpHandle_t* handle);
/// \return CUSOLVER_STATUS_NOT_INITIALIZED for a handle that is not live, here and below
cusolverStatus_t cusolverSpDestroy(cusolverSpHandle_t handle);
cusolverStatus_t cusolverSpSetStream(cusolverSpHandle_t handle, cudaStream_t streamId);
cusolverStatus_t cusolverSpGetStream(cusolverSpHandle_t handle, cudaStream_t* streamId);

// Solutions ---------------------------------------------------------------------------------------

#define EMULATOR_CUSOLVER_SP_CSRLSVQR(T, R)                                                     \
  (cusolverSpHandle_t handle, int m, int nnz, const cusparseMatDescr_t descrA, const T* csrVal, \
   const int* csrRowPtr, const int* csrColInd, const T* b, R tol, int reorder, T* x,            \
   int* singularity)
/// Solves A x = b by Q and R. reorder is 1 for a narrow band, 2 or 3 for few elements in the
/// factors, 0 for A as it is; it decides how long a call takes, and which pivot is the first that
/// is too small. singularity, on the host, is its number, or -1 if all are larger than tol; it is 0
/// for another reorder, which is refused. Unknowns whose pivot is 0 are 0: stricter than the
/// library, which divides by it.
EMULATOR_CUSOLVER_SP_ALL(csrlsvqr, EMULATOR_CUSOLVER_SP_CSRLSVQR)
#define EMULATOR_CUSOLVER_SP_CSRLSVCHOL(T, R)                                                   \
  (cusolverSpHandle_t handle, int m, int nnz, const cusparseMatDescr_t descrA, const T* csrVal, \
   const int* csrRowPtr, const int* csrColInd, const T* b, R tol, int reorder, T* x,            \
   int* singularity)
/// By Cholesky's factor, for a Hermitian matrix that is positive; both its triangles are given. If
/// one of its minors is not positive, x is not written: stricter than the library, which writes a
/// wrong solution.
EMULATOR_CUSOLVER_SP_ALL(csrlsvchol, EMULATOR_CUSOLVER_SP_CSRLSVCHOL)
#define EMULATOR_CUSOLVER_SP_CSRLSVQR_HOST(T, R)                                                 \
  (cusolverSpHandle_t handle, int m, int nnz, const cusparseMatDescr_t descrA, const T* csrValA, \
   const int* csrRowPtrA, const int* csrColIndA, const T* b, R tol, int reorder, T* x,           \
   int* singularity)
/// The same with all arrays on the host, here and below.
EMULATOR_CUSOLVER_SP_ALL(csrlsvqrHost, EMULATOR_CUSOLVER_SP_CSRLSVQR_HOST)
#define EMULATOR_CUSOLVER_SP_CSRLSVCHOL_HOST(T, R)                                              \
  (cusolverSpHandle_t handle, int m, int nnz, const cusparseMatDescr_t descrA, const T* csrVal, \
   const int* csrRowPtr, const int* csrColInd, const T* b, R tol, int reorder, T* x,            \
   int* singularity)
EMULATOR_CUSOLVER_SP_ALL(csrlsvcholHost, EMULATOR_CUSOLVER_SP_CSRLSVCHOL_HOST)
#define EMULATOR_CUSOLVER_SP_CSRLSVLU_HOST(T, R)                                                  \
  (cusolverSpHandle_t handle, int n, int nnzA, const cusparseMatDescr_t descrA, const T* csrValA, \
   const int* csrRowPtrA, const int* csrColIndA, const T* b, R tol, int reorder, T* x,            \
   int* singularity)
/// By L and U with pivots of each column's largest element.
EMULATOR_CUSOLVER_SP_ALL(csrlsvluHost, EMULATOR_CUSOLVER_SP_CSRLSVLU_HOST)
#define EMULATOR_CUSOLVER_SP_CSRLSQVQR_HOST(T, R)                                                 \
  (cusolverSpHandle_t handle, int m, int n, int nnz, const cusparseMatDescr_t descrA,             \
   const T* csrValA, const int* csrRowPtrA, const int* csrColIndA, const T* b, R tol, int* rankA, \
   T* x, int* p, R* min_norm)
/// Least squares for at least as many rows as columns. rankA is how many pivots are larger than
/// tol; if they are less than n, x is the shortest of all that come as near to b. min_norm is the
/// norm of A x - b. p is 0, 1, …, n - 1 here.
EMULATOR_CUSOLVER_SP_ALL(csrlsqvqrHost, EMULATOR_CUSOLVER_SP_CSRLSQVQR_HOST)
#define EMULATOR_CUSOLVER_SP_CSREIGVSI(T, R)                                                     \
  (cusolverSpHandle_t handle, int m, int nnz, const cusparseMatDescr_t descrA, const T* csrValA, \
   const int* csrRowPtrA, const int* csrColIndA, T mu0, const T* x0, int maxite, R eps, T* mu,   \
   T* x)
/// The eigenvalue next to mu0, by inverse iteration from x0: x is its vector, of norm 1. mu and x
/// are in the memory of the device.
EMULATOR_CUSOLVER_SP_ALL(csreigvsi, EMULATOR_CUSOLVER_SP_CSREIGVSI)
#define EMULATOR_CUSOLVER_SP_CSREIGVSI_HOST(T, R)                                                \
  (cusolverSpHandle_t handle, int m, int nnz, const cusparseMatDescr_t descrA, const T* csrValA, \
   const int* csrRowPtrA, const int* csrColIndA, T mu0, const T* x0, int maxite, R tol, T* mu,   \
   T* x)
EMULATOR_CUSOLVER_SP_ALL(csreigvsiHost, EMULATOR_CUSOLVER_SP_CSREIGVSI_HOST)

// Many systems of one pattern ---------------------------------------------------------------------

cusolverStatus_t cusolverSpCreateCsrqrInfo(csrqrInfo_t* info);
cusolverStatus_t cusolverSpDestroyCsrqrInfo(csrqrInfo_t info);
/// Looks at the pattern, which all matrices of the batch have.
cusolverStatus_t cusolverSpXcsrqrAnalysisBatched(cusolverSpHandle_t handle, int m, int n, int nnzA,
                                                 const cusparseMatDescr_t descrA,
                                                 const int* csrRowPtrA, const int* csrColIndA,
                                                 csrqrInfo_t info);
#define EMULATOR_CUSOLVER_SP_CSRQR_BUFFER_INFO_BATCHED(T, R)                                     \
  (cusolverSpHandle_t handle, int m, int n, int nnz, const cusparseMatDescr_t descrA,            \
   const T* csrVal, const int* csrRowPtr, const int* csrColInd, int batchSize, csrqrInfo_t info, \
   std::size_t* internalDataInBytes, std::size_t* workspaceInBytes)
/// \restricted The sizes differ from those on a GPU.
EMULATOR_CUSOLVER_SP_ALL(csrqrBufferInfoBatched, EMULATOR_CUSOLVER_SP_CSRQR_BUFFER_INFO_BATCHED)
#define EMULATOR_CUSOLVER_SP_CSRQRSV_BATCHED(T, R)                                    \
  (cusolverSpHandle_t handle, int m, int n, int nnz, const cusparseMatDescr_t descrA, \
   const T* csrValA, const int* csrRowPtrA, const int* csrColIndA, const T* b, T* x,  \
   int batchSize, csrqrInfo_t info, void* pBuffer)
/// Solves them: values, right sides and solutions follow each other.
/// \return CUSOLVER_STATUS_INVALID_VALUE before the analysis
EMULATOR_CUSOLVER_SP_ALL(csrqrsvBatched, EMULATOR_CUSOLVER_SP_CSRQRSV_BATCHED)

// Orders, on the host -----------------------------------------------------------------------------

/// Whether the pattern is that of its transpose.
cusolverStatus_t cusolverSpXcsrissymHost(cusolverSpHandle_t handle, int m, int nnzA,
                                         const cusparseMatDescr_t descrA, const int* csrRowPtrA,
                                         const int* csrEndPtrA, const int* csrColIndA, int* issym);
/// \restricted An order p so that A(p, p) has a narrow band: Cuthill and McKee's, reversed. Orders,
/// here and below, differ from those on a GPU.
cusolverStatus_t cusolverSpXcsrsymrcmHost(cusolverSpHandle_t handle, int n, int nnzA,
                                          const cusparseMatDescr_t descrA, const int* csrRowPtrA,
                                          const int* csrColIndA, int* p);
/// An order p for which the factors of A(p, p) have few elements: by least degrees.
cusolverStatus_t cusolverSpXcsrsymmdqHost(cusolverSpHandle_t handle, int n, int nnzA,
                                          const cusparseMatDescr_t descrA, const int* csrRowPtrA,
                                          const int* csrColIndA, int* p);
cusolverStatus_t cusolverSpXcsrsymamdHost(cusolverSpHandle_t handle, int n, int nnzA,
                                          const cusparseMatDescr_t descrA, const int* csrRowPtrA,
                                          const int* csrColIndA, int* p);
/// \restricted Also by least degrees; the emulator ignores the options.
cusolverStatus_t cusolverSpXcsrmetisndHost(cusolverSpHandle_t handle, int n, int nnzA,
                                           const cusparseMatDescr_t descrA, const int* csrRowPtrA,
                                           const int* csrColIndA, const std::int64_t* options,
                                           int* p);
#define EMULATOR_CUSOLVER_SP_CSRZFD_HOST(T, R)                                                   \
  (cusolverSpHandle_t handle, int n, int nnz, const cusparseMatDescr_t descrA, const T* csrValA, \
   const int* csrRowPtrA, const int* csrColIndA, int* P, int* numnz)
/// An order P so that as many A(P(i), i) as possible are not 0; numnz is how many.
EMULATOR_CUSOLVER_SP_ALL(csrzfdHost, EMULATOR_CUSOLVER_SP_CSRZFD_HOST)
cusolverStatus_t cusolverSpXcsrperm_bufferSizeHost(cusolverSpHandle_t handle, int m, int n,
                                                   int nnzA, const cusparseMatDescr_t descrA,
                                                   const int* csrRowPtrA, const int* csrColIndA,
                                                   const int* p, const int* q,
                                                   std::size_t* bufferSizeInBytes);
/// Makes A(p, q) of A, whose columns ascend in each row. map, which comes as 0, 1, …, becomes where
/// each element was. \return CUSOLVER_STATUS_INVALID_VALUE for a p or q that is not a permutation,
/// which bufferSize does not check
cusolverStatus_t cusolverSpXcsrpermHost(cusolverSpHandle_t handle, int m, int n, int nnzA,
                                        const cusparseMatDescr_t descrA, int* csrRowPtrA,
                                        int* csrColIndA, const int* p, const int* q, int* map,
                                        void* pBuffer);
}

namespace emulator::detail {
/// Prints "emulator: <what> is not modelled", the first time for each.
cusolverStatus_t cusolver_not_modelled(const char* what);
}  // namespace emulator::detail
#define EMULATOR_UNMODELLED(name)                          \
  template <class... Arguments>                            \
  cusolverStatus_t name(const Arguments&...) {             \
    return emulator::detail::cusolver_not_modelled(#name); \
  }
EMULATOR_UNMODELLED(cusolverSpScsreigsHost)
EMULATOR_UNMODELLED(cusolverSpDcsreigsHost)
EMULATOR_UNMODELLED(cusolverSpCcsreigsHost)
EMULATOR_UNMODELLED(cusolverSpZcsreigsHost)
#undef EMULATOR_UNMODELLED
