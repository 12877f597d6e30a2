/// \file
/// cuTENSOR's handles, its version and the names of its statuses.

#include "emulator/host/unmodelled.h"
#include "libraries/cutensor/call.hpp"

using namespace emulator::cutensor;

cutensorStatus_t emulator::detail::cutensor_not_modelled(const char* what) {
  const QuietErrors quiet;
  not_modelled(what);
  return CUTENSOR_STATUS_NOT_SUPPORTED;
}

cutensorStatus_t cutensorCreate(cutensorHandle_t* handle) {
  TensorCall call("cutensorCreate");
  call.not_null({{"handle", handle}});
  if (call.ok() && device_state() != cudaSuccess) {
    call.refuse(CUTENSOR_STATUS_CUDA_ERROR, "the device cannot be used");
  }
  if (call.ok()) *handle = LiveHandles::get().add({});
  return call.status();
}

cutensorStatus_t cutensorDestroy(cutensorHandle_t handle) {
  const TensorCall call("cutensorDestroy");
  return LiveHandles::get().destroy(handle);
}

std::size_t cutensorGetVersion() {
  return CUTENSOR_VERSION;
}
std::size_t cutensorGetCudartVersion() {
  return CUDART_VERSION;
}

cutensorStatus_t cutensorHandleResizePlanCache(cutensorHandle_t handle, std::uint32_t) {
  return TensorCall("cutensorHandleResizePlanCache", handle).status();
}

const char* cutensorGetErrorString(cutensorStatus_t error) {
  switch (error) {
#define NAMED(status) \
  case status:        \
    return #status;
    NAMED(CUTENSOR_STATUS_SUCCESS)
    NAMED(CUTENSOR_STATUS_NOT_INITIALIZED)
    NAMED(CUTENSOR_STATUS_ALLOC_FAILED)
    NAMED(CUTENSOR_STATUS_INVALID_VALUE)
    NAMED(CUTENSOR_STATUS_ARCH_MISMATCH)
    NAMED(CUTENSOR_STATUS_MAPPING_ERROR)
    NAMED(CUTENSOR_STATUS_EXECUTION_FAILED)
    NAMED(CUTENSOR_STATUS_INTERNAL_ERROR)
    NAMED(CUTENSOR_STATUS_NOT_SUPPORTED)
    NAMED(CUTENSOR_STATUS_LICENSE_ERROR)
    NAMED(CUTENSOR_STATUS_CUBLAS_ERROR)
    NAMED(CUTENSOR_STATUS_CUDA_ERROR)
    NAMED(CUTENSOR_STATUS_INSUFFICIENT_WORKSPACE)
    NAMED(CUTENSOR_STATUS_INSUFFICIENT_DRIVER)
    NAMED(CUTENSOR_STATUS_IO_ERROR)
#undef NAMED
  }
  return "<unknown>";
}
