/// \file
/// Handles and parameters.

#include "libraries/cusolver/handles.hpp"

#include "base/host_state.hpp"
#include "emulator/host/unmodelled.h"

using namespace emulator::cusolver;

cusolverStatus_t emulator::detail::cusolver_not_modelled(const char* what) {
  not_modelled(what);
  take_last_error();  // which is the runtime's, not this library's
  return CUSOLVER_STATUS_NOT_SUPPORTED;
}

cusolverStatus_t cusolverGetVersion(int* version) {
  if (version == nullptr) return CUSOLVER_STATUS_INVALID_VALUE;
  *version = CUSOLVER_VERSION;
  return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverGetProperty(libraryPropertyType type, int* value) {
  if (value == nullptr || type < MAJOR_VERSION || type > PATCH_LEVEL) {
    return CUSOLVER_STATUS_INVALID_VALUE;
  }
  constexpr int parts[] = {CUSOLVER_VER_MAJOR, CUSOLVER_VER_MINOR, CUSOLVER_VER_PATCH};
  *value = parts[type];
  return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverDnCreate(cusolverDnHandle_t* handle) {
  if (device_state() != cudaSuccess) return CUSOLVER_STATUS_NOT_INITIALIZED;
  return made(handle);
}
cusolverStatus_t cusolverDnDestroy(cusolverDnHandle_t handle) {
  return destroyed(handle, CUSOLVER_STATUS_NOT_INITIALIZED);
}
cusolverStatus_t cusolverDnSetStream(cusolverDnHandle_t handle, cudaStream_t streamId) {
  return set(handle, &cusolverDnContext::stream, streamId);
}
cusolverStatus_t cusolverDnGetStream(cusolverDnHandle_t handle, cudaStream_t* streamId) {
  return get(handle, &cusolverDnContext::stream, streamId);
}
cusolverStatus_t cusolverDnSetDeterministicMode(cusolverDnHandle_t handle,
                                                cusolverDeterministicMode_t mode) {
  return set(handle, &cusolverDnContext::determinism, mode);
}
cusolverStatus_t cusolverDnGetDeterministicMode(cusolverDnHandle_t handle,
                                                cusolverDeterministicMode_t* mode) {
  return get(handle, &cusolverDnContext::determinism, mode);
}
cusolverStatus_t cusolverDnSetMathMode(cusolverDnHandle_t handle, cusolverMathMode_t mode) {
  return set(handle, &cusolverDnContext::math, mode);
}
cusolverStatus_t cusolverDnGetMathMode(cusolverDnHandle_t handle, cusolverMathMode_t* mode) {
  return get(handle, &cusolverDnContext::math, mode);
}

cusolverStatus_t cusolverDnCreateParams(cusolverDnParams_t* params) {
  return made(params);
}
cusolverStatus_t cusolverDnDestroyParams(cusolverDnParams_t params) {
  return destroyed(params);
}
cusolverStatus_t cusolverDnSetAdvOptions(cusolverDnParams_t params, cusolverDnFunction_t function,
                                         cusolverAlgMode_t algo) {
  if (function < CUSOLVERDN_GETRF || function > CUSOLVERDN_SYEVBATCHED || algo < CUSOLVER_ALG_0 ||
      algo > CUSOLVER_ALG_2) {
    return CUSOLVER_STATUS_INVALID_VALUE;
  }
  return with(params, [&] {
    params->algorithms[function] = algo;
    return CUSOLVER_STATUS_SUCCESS;
  });
}

// What the parameters of both kinds of Jacobi's rotations have in common.
namespace {

template <class Member, class T>
cusolverStatus_t get_outcome(const void* handle, const JacobiParams* params, Member member,
                             T* value) {
  if (!is_live(handle)) return CUSOLVER_STATUS_NOT_INITIALIZED;
  if (!is_live(params)) return CUSOLVER_STATUS_INVALID_VALUE;
  return params->was_batch ? CUSOLVER_STATUS_NOT_SUPPORTED : get(params, member, value);
}

}  // namespace

cusolverStatus_t cusolverDnCreateSyevjInfo(syevjInfo_t* info) {
  return made(info);
}
cusolverStatus_t cusolverDnDestroySyevjInfo(syevjInfo_t info) {
  return destroyed(info);
}
cusolverStatus_t cusolverDnXsyevjSetTolerance(syevjInfo_t info, double tolerance) {
  return set(info, &JacobiParams::tolerance, tolerance);
}
cusolverStatus_t cusolverDnXsyevjSetMaxSweeps(syevjInfo_t info, int max_sweeps) {
  return set(info, &JacobiParams::most_sweeps, max_sweeps);
}
cusolverStatus_t cusolverDnXsyevjSetSortEig(syevjInfo_t info, int sort_eig) {
  return set(info, &JacobiParams::sorts, sort_eig != 0);
}
cusolverStatus_t cusolverDnXsyevjGetResidual(cusolverDnHandle_t handle, syevjInfo_t info,
                                             double* residual) {
  return get_outcome(handle, info, &JacobiParams::residual, residual);
}
cusolverStatus_t cusolverDnXsyevjGetSweeps(cusolverDnHandle_t handle, syevjInfo_t info,
                                           int* executed_sweeps) {
  return get_outcome(handle, info, &JacobiParams::sweeps, executed_sweeps);
}
cusolverStatus_t cusolverDnCreateGesvdjInfo(gesvdjInfo_t* info) {
  return made(info);
}
cusolverStatus_t cusolverDnDestroyGesvdjInfo(gesvdjInfo_t info) {
  return destroyed(info);
}
cusolverStatus_t cusolverDnXgesvdjSetTolerance(gesvdjInfo_t info, double tolerance) {
  return set(info, &JacobiParams::tolerance, tolerance);
}
cusolverStatus_t cusolverDnXgesvdjSetMaxSweeps(gesvdjInfo_t info, int max_sweeps) {
  return set(info, &JacobiParams::most_sweeps, max_sweeps);
}
cusolverStatus_t cusolverDnXgesvdjSetSortEig(gesvdjInfo_t info, int sort_svd) {
  return set(info, &JacobiParams::sorts, sort_svd != 0);
}
cusolverStatus_t cusolverDnXgesvdjGetResidual(cusolverDnHandle_t handle, gesvdjInfo_t info,
                                              double* residual) {
  return get_outcome(handle, info, &JacobiParams::residual, residual);
}
cusolverStatus_t cusolverDnXgesvdjGetSweeps(cusolverDnHandle_t handle, gesvdjInfo_t info,
                                            int* executed_sweeps) {
  return get_outcome(handle, info, &JacobiParams::sweeps, executed_sweeps);
}
