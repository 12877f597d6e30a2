#pragma once
#pragma GCC system_header
/// \file
/// cuSOLVER for dense matrices. Programs that call it link emulator_cusolver (`-lcusolver` with
/// emucc).
///
/// The LAPACK of OpenBLAS computes the results, in the type of the numbers: the last bits can
/// differ from a GPU's, and so can the sign, or the phase, of an eigenvector or a singular vector.
/// Work has finished when the call that asked for it returns, and the emulator counts no memory
/// traffic for it. Calls can become part of a graph, unless they have a result on the host.

#include <stdio.h>  // as NVIDIA's does: programs print without including it themselves

#include <cstddef>
#include <cstdint>

#include "cuComplex.h"
#include "cublas_api.h"
#include "cusolver_common.h"

/// Programs ask by this name of NVIDIA's include guard whether cuSOLVER's types are there.
#define CUSOLVERDN_H_

using cusolverDnHandle_t = struct cusolverDnContext*;
using syevjInfo_t = struct syevjInfo*;
using gesvdjInfo_t = struct gesvdjInfo*;
using cusolverDnIRSParams_t = struct cusolverDnIRSParams*;
using cusolverDnIRSInfos_t = struct cusolverDnIRSInfos*;
using cusolverDnParams_t = struct cusolverDnParams*;
enum cusolverDnFunction_t {
  CUSOLVERDN_GETRF = 0,
  CUSOLVERDN_POTRF = 1,
  CUSOLVERDN_SYEVBATCHED = 2
};

/// For float and double, and for their complex numbers. Lists of parameters have the type of the
/// numbers as T, that of their real parts as R.
#define EMULATOR_CUSOLVER_REAL(name, PARAMETERS)               \
  cusolverStatus_t cusolverDnS##name PARAMETERS(float, float); \
  cusolverStatus_t cusolverDnD##name PARAMETERS(double, double);
#define EMULATOR_CUSOLVER_COMPLEX(name, PARAMETERS)                \
  cusolverStatus_t cusolverDnC##name PARAMETERS(cuComplex, float); \
  cusolverStatus_t cusolverDnZ##name PARAMETERS(cuDoubleComplex, double);
#define EMULATOR_CUSOLVER_ALL(name, PARAMETERS) \
  EMULATOR_CUSOLVER_REAL(name, PARAMETERS)      \
  EMULATOR_CUSOLVER_COMPLEX(name, PARAMETERS)
/// For all pairs of a type of numbers and one of factors.
#define EMULATOR_CUSOLVER_MIXED(name, PARAMETERS)                  \
  cusolverStatus_t cusolverDnZZ##name PARAMETERS(cuDoubleComplex); \
  cusolverStatus_t cusolverDnZC##name PARAMETERS(cuDoubleComplex); \
  cusolverStatus_t cusolverDnZK##name PARAMETERS(cuDoubleComplex); \
  cusolverStatus_t cusolverDnZE##name PARAMETERS(cuDoubleComplex); \
  cusolverStatus_t cusolverDnZY##name PARAMETERS(cuDoubleComplex); \
  cusolverStatus_t cusolverDnCC##name PARAMETERS(cuComplex);       \
  cusolverStatus_t cusolverDnCK##name PARAMETERS(cuComplex);       \
  cusolverStatus_t cusolverDnCE##name PARAMETERS(cuComplex);       \
  cusolverStatus_t cusolverDnCY##name PARAMETERS(cuComplex);       \
  cusolverStatus_t cusolverDnDD##name PARAMETERS(double);          \
  cusolverStatus_t cusolverDnDS##name PARAMETERS(double);          \
  cusolverStatus_t cusolverDnDH##name PARAMETERS(double);          \
  cusolverStatus_t cusolverDnDB##name PARAMETERS(double);          \
  cusolverStatus_t cusolverDnDX##name PARAMETERS(double);          \
  cusolverStatus_t cusolverDnSS##name PARAMETERS(float);           \
  cusolverStatus_t cusolverDnSH##name PARAMETERS(float);           \
  cusolverStatus_t cusolverDnSB##name PARAMETERS(float);           \
  cusolverStatus_t cusolverDnSX##name PARAMETERS(float);

extern "C" {
/// \return CUSOLVER_STATUS_INVALID_VALUE for a null pointer: stricter than the library, which
///         crashes, as it does for a null handle
cusolverStatus_t cusolverDnCreate(cusolverDnHandle_t* handle);
/// \return CUSOLVER_STATUS_NOT_INITIALIZED for a handle that is not live, here and below
cusolverStatus_t cusolverDnDestroy(cusolverDnHandle_t handle);
cusolverStatus_t cusolverDnSetStream(cusolverDnHandle_t handle, cudaStream_t streamId);
cusolverStatus_t cusolverDnGetStream(cusolverDnHandle_t handle, cudaStream_t* streamId);
/// \restricted Without effect: results are always the same.
cusolverStatus_t cusolverDnSetDeterministicMode(cusolverDnHandle_t handle,
                                                cusolverDeterministicMode_t mode);
cusolverStatus_t cusolverDnGetDeterministicMode(cusolverDnHandle_t handle,
                                                cusolverDeterministicMode_t* mode);
/// \restricted Without effect.
cusolverStatus_t cusolverDnSetMathMode(cusolverDnHandle_t handle, cusolverMathMode_t mode);
cusolverStatus_t cusolverDnGetMathMode(cusolverDnHandle_t handle, cusolverMathMode_t* mode);

cusolverStatus_t cusolverDnCreateParams(cusolverDnParams_t* params);
cusolverStatus_t cusolverDnDestroyParams(cusolverDnParams_t params);
/// \restricted Without effect.
cusolverStatus_t cusolverDnSetAdvOptions(cusolverDnParams_t params, cusolverDnFunction_t function,
                                         cusolverAlgMode_t algo);

cusolverStatus_t cusolverDnCreateSyevjInfo(syevjInfo_t* info);
cusolverStatus_t cusolverDnDestroySyevjInfo(syevjInfo_t info);
cusolverStatus_t cusolverDnXsyevjSetTolerance(syevjInfo_t info, double tolerance);
cusolverStatus_t cusolverDnXsyevjSetMaxSweeps(syevjInfo_t info, int max_sweeps);
/// Whether eigenvalues ascend.
cusolverStatus_t cusolverDnXsyevjSetSortEig(syevjInfo_t info, int sort_eig);
/// What was left outside the diagonal: its Frobenius norm. \return
/// CUSOLVER_STATUS_NOT_SUPPORTED after a batch
cusolverStatus_t cusolverDnXsyevjGetResidual(cusolverDnHandle_t handle, syevjInfo_t info,
                                             double* residual);
/// \return CUSOLVER_STATUS_NOT_SUPPORTED after a batch
cusolverStatus_t cusolverDnXsyevjGetSweeps(cusolverDnHandle_t handle, syevjInfo_t info,
                                           int* executed_sweeps);

cusolverStatus_t cusolverDnCreateGesvdjInfo(gesvdjInfo_t* info);
cusolverStatus_t cusolverDnDestroyGesvdjInfo(gesvdjInfo_t info);
cusolverStatus_t cusolverDnXgesvdjSetTolerance(gesvdjInfo_t info, double tolerance);
cusolverStatus_t cusolverDnXgesvdjSetMaxSweeps(gesvdjInfo_t info, int max_sweeps);
/// Whether singular values descend.
cusolverStatus_t cusolverDnXgesvdjSetSortEig(gesvdjInfo_t info, int sort_svd);
/// The Frobenius norm of A - U S V^H. \return CUSOLVER_STATUS_NOT_SUPPORTED after a batch
cusolverStatus_t cusolverDnXgesvdjGetResidual(cusolverDnHandle_t handle, gesvdjInfo_t info,
                                              double* residual);
/// \return CUSOLVER_STATUS_NOT_SUPPORTED after a batch
cusolverStatus_t cusolverDnXgesvdjGetSweeps(cusolverDnHandle_t handle, gesvdjInfo_t info,
                                            int* executed_sweeps);
}

#include "emulator/libraries/cusolver_eigenvalues.h"
#include "emulator/libraries/cusolver_factors.h"
#include "emulator/libraries/cusolver_generic.h"
#include "emulator/libraries/cusolver_unmodelled.h"
