/// \file
/// Handles, the properties of the old interface, and what all else says when it is not there.

#include "libraries/cusparse/descriptors.hpp"

#include <iterator>

#include "base/host_state.hpp"
#include "emulator/host/unmodelled.h"
#include "libraries/cusparse/registry.hpp"

namespace emulator::cusparse {
namespace {

struct StatusName {
  const char* name;
  const char* text;
};
constexpr StatusName statuses[] = {
    {"CUSPARSE_STATUS_SUCCESS", "success"},
    {"CUSPARSE_STATUS_NOT_INITIALIZED", "initialization error"},
    {"CUSPARSE_STATUS_ALLOC_FAILED", "out of memory"},
    {"CUSPARSE_STATUS_INVALID_VALUE", "invalid value"},
    {"CUSPARSE_STATUS_ARCH_MISMATCH", "architecture mismatch"},
    {"CUSPARSE_STATUS_MAPPING_ERROR", "mapping error"},
    {"CUSPARSE_STATUS_EXECUTION_FAILED", "kernel launch failure"},
    {"CUSPARSE_STATUS_INTERNAL_ERROR", "internal error"},
    {"CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED", "matrix type not supported"},
    {"CUSPARSE_STATUS_ZERO_PIVOT", "zero pivot"},
    {"CUSPARSE_STATUS_NOT_SUPPORTED", "operation not supported"},
    {"CUSPARSE_STATUS_INSUFFICIENT_RESOURCES", "insufficient resources"},
};
StatusName named(cusparseStatus_t status) {
  const auto number = static_cast<std::size_t>(status);
  return number < std::size(statuses) ? statuses[number] : StatusName{"unknown", "unknown status"};
}

}  // namespace

bool is_live(const void* descriptor) {
  const std::lock_guard lock(registry().mutex);
  return registry().live.count(descriptor) != 0;
}

}  // namespace emulator::cusparse

using namespace emulator::cusparse;

cusparseStatus_t emulator::detail::cusparse_not_modelled(const char* what) {
  not_modelled(what);
  take_last_error();  // which is the runtime's, not this library's
  return CUSPARSE_STATUS_NOT_SUPPORTED;
}

cusparseStatus_t cusparseCreate(cusparseHandle_t* handle) {
  if (handle == nullptr) return CUSPARSE_STATUS_INVALID_VALUE;
  if (device_state() != cudaSuccess) return CUSPARSE_STATUS_NOT_INITIALIZED;
  return made(handle, cusparseContext{});
}
cusparseStatus_t cusparseDestroy(cusparseHandle_t handle) {
  return destroyed(handle, CUSPARSE_STATUS_NOT_INITIALIZED);
}
cusparseStatus_t cusparseGetVersion(cusparseHandle_t handle, int* version) {
  if (!is_live(handle)) return CUSPARSE_STATUS_NOT_INITIALIZED;
  return with(handle, {version}, [&] { *version = CUSPARSE_VERSION; });
}
cusparseStatus_t cusparseGetProperty(libraryPropertyType type, int* value) {
  if (value == nullptr || type < MAJOR_VERSION || type > PATCH_LEVEL) {
    return CUSPARSE_STATUS_INVALID_VALUE;
  }
  constexpr int parts[] = {CUSPARSE_VER_MAJOR, CUSPARSE_VER_MINOR, CUSPARSE_VER_PATCH};
  *value = parts[type];
  return CUSPARSE_STATUS_SUCCESS;
}
const char* cusparseGetErrorName(cusparseStatus_t status) {
  return named(status).name;
}
const char* cusparseGetErrorString(cusparseStatus_t status) {
  return named(status).text;
}
cusparseStatus_t cusparseSetStream(cusparseHandle_t handle, cudaStream_t stream) {
  return with_handle(handle, [&] { handle->stream = stream; });
}
cusparseStatus_t cusparseGetStream(cusparseHandle_t handle, cudaStream_t* stream) {
  if (stream == nullptr) return CUSPARSE_STATUS_INVALID_VALUE;
  return with_handle(handle, [&] { *stream = handle->stream; });
}
cusparseStatus_t cusparseSetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t mode) {
  if (mode != CUSPARSE_POINTER_MODE_HOST && mode != CUSPARSE_POINTER_MODE_DEVICE) {
    return CUSPARSE_STATUS_INVALID_VALUE;
  }
  return with_handle(handle, [&] { handle->pointer_mode = mode; });
}
cusparseStatus_t cusparseGetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t* mode) {
  if (mode == nullptr) return CUSPARSE_STATUS_INVALID_VALUE;
  return with_handle(handle, [&] { *mode = handle->pointer_mode; });
}

cusparseStatus_t cusparseCreateMatDescr(cusparseMatDescr_t* descr) {
  return descr == nullptr ? CUSPARSE_STATUS_INVALID_VALUE : made(descr, cusparseMatDescr{});
}
cusparseStatus_t cusparseDestroyMatDescr(cusparseMatDescr_t descr) {
  return destroyed(descr, CUSPARSE_STATUS_INVALID_VALUE);
}
cusparseStatus_t cusparseSetMatType(cusparseMatDescr_t descr, cusparseMatrixType_t type) {
  return with(descr, {}, [&] { descr->type = type; });
}
cusparseMatrixType_t cusparseGetMatType(cusparseMatDescr_t descr) {
  return is_live(descr) ? descr->type : CUSPARSE_MATRIX_TYPE_GENERAL;
}
cusparseStatus_t cusparseSetMatFillMode(cusparseMatDescr_t descr, cusparseFillMode_t fillMode) {
  return with(descr, {}, [&] { descr->fill_mode = fillMode; });
}
cusparseFillMode_t cusparseGetMatFillMode(cusparseMatDescr_t descr) {
  return is_live(descr) ? descr->fill_mode : CUSPARSE_FILL_MODE_LOWER;
}
cusparseStatus_t cusparseSetMatDiagType(cusparseMatDescr_t descr, cusparseDiagType_t diagType) {
  return with(descr, {}, [&] { descr->diagonal = diagType; });
}
cusparseDiagType_t cusparseGetMatDiagType(cusparseMatDescr_t descr) {
  return is_live(descr) ? descr->diagonal : CUSPARSE_DIAG_TYPE_NON_UNIT;
}
cusparseStatus_t cusparseSetMatIndexBase(cusparseMatDescr_t descr, cusparseIndexBase_t base) {
  return with(descr, {}, [&] { descr->base = base; });
}
cusparseIndexBase_t cusparseGetMatIndexBase(cusparseMatDescr_t descr) {
  return is_live(descr) ? descr->base : CUSPARSE_INDEX_BASE_ZERO;
}
