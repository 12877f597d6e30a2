#pragma once
/// \file
/// What the functions of the driver API have in common: most call one of the runtime's.

#include <cstdint>

#include "base/host_state.hpp"
#include "base/rooms.hpp"
#include "cuda.h"

namespace emulator::modules {

/// The driver's number for an error of the runtime's. Most have one number in both.
inline CUresult result_of(cudaError_t error) {
  switch (error) {
    case cudaErrorInvalidConfiguration:
    case cudaErrorInvalidPitchValue:
    case cudaErrorInvalidMemcpyDirection:
    case cudaErrorInvalidDevicePointer:
      return CUDA_ERROR_INVALID_VALUE;
    case cudaErrorInvalidDeviceFunction:
      return CUDA_ERROR_INVALID_HANDLE;
    default:
      return static_cast<CUresult>(error);
  }
}

/// Calls the runtime. cudaGetLastError() returns the runtime's errors, and not of the driver's.
template <class Call>
CUresult in_driver(Call call) {
  const cudaError_t before = take_last_error();
  const cudaError_t error = call();
  take_last_error();
  set_error(before);
  return result_of(error);
}

/// The pointer that an address is.
inline void* pointer_to(CUdeviceptr address) {
  // NOLINTNEXTLINE(performance-no-int-to-ptr): CUdeviceptr is a number
  return reinterpret_cast<void*>(static_cast<std::uintptr_t>(address));
}
inline CUdeviceptr address_of_pointer(const void* pointer) {
  return reinterpret_cast<std::uintptr_t>(pointer);
}

/// CUDA_SUCCESS, or what is wrong with a device's number.
CUresult check_device(CUdevice device);

}  // namespace emulator::modules
