/// \file
/// The driver API's devices and contexts.

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "base/devices/devices.hpp"
#include "modules/in_driver.hpp"

struct CUctx_st {
  unsigned flags = 0;
  int device = 0;
};

namespace emulator::modules {
namespace {

std::atomic<bool> initialized{false};

struct Contexts {
  std::mutex mutex;
  std::set<CUctx_st*> live;
  std::array<CUctx_st, most_devices> primary;
  std::array<int, most_devices> retained{};

  Contexts() {
    for (int device = 0; device < most_devices; ++device) {
      primary[static_cast<std::size_t>(device)].device = device;
    }
  }
};

Contexts& contexts() {
  static auto& all = *new Contexts;
  return all;
}

thread_local std::vector<CUcontext> stack;

// The runtime API does what cuInit() does when it is used first.
bool is_initialized() {
  return initialized || runtime_is_in_use();
}

CUcontext current() {
  return stack.empty() ? nullptr : stack.back();
}

bool is_live(CUcontext context) {
  Contexts& all = contexts();
  const std::lock_guard lock(all.mutex);
  for (std::size_t device = 0; device < most_devices; ++device) {
    if (context == &all.primary[device]) return all.retained[device] > 0;
  }
  return all.live.contains(context);
}

// The runtime API uses the device of the context that is current.
void follow_current() {
  if (current() != nullptr) use_device(current()->device);
}

CUresult create(CUcontext* context, unsigned flags, CUdevice device) {
  if (!is_initialized()) return CUDA_ERROR_NOT_INITIALIZED;
  if (context == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (const CUresult wrong = check_device(device); wrong != CUDA_SUCCESS) return wrong;
  Contexts& all = contexts();
  const std::lock_guard lock(all.mutex);
  *context = *all.live.insert(new CUctx_st{flags, device}).first;
  stack.push_back(*context);
  follow_current();
  return CUDA_SUCCESS;
}

}  // namespace

CUresult check_device(CUdevice device) {
  if (!is_initialized()) return CUDA_ERROR_NOT_INITIALIZED;
  return is_device(device) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

}  // namespace emulator::modules

using namespace emulator::modules;  // NOLINT: what follows is the driver's, in no namespace

CUresult cuInit(unsigned int flags) {
  if (flags != 0) return CUDA_ERROR_INVALID_VALUE;
  initialized = true;
  return CUDA_SUCCESS;
}

CUresult cuDriverGetVersion(int* version) {
  return in_driver([&] { return cudaDriverGetVersion(version); });
}

CUresult cuDeviceGetCount(int* count) {
  if (!is_initialized()) return CUDA_ERROR_NOT_INITIALIZED;
  return in_driver([&] { return cudaGetDeviceCount(count); });
}

CUresult cuDeviceGet(CUdevice* device, int ordinal) {
  if (device == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const CUresult wrong = check_device(ordinal);
  if (wrong == CUDA_SUCCESS) *device = ordinal;
  return wrong;
}

CUresult cuDeviceGetName(char* name, int length, CUdevice device) {
  if (const CUresult wrong = check_device(device); wrong != CUDA_SUCCESS) return wrong;
  if (name == nullptr || length < 1) return CUDA_ERROR_INVALID_VALUE;
  cudaDeviceProp properties;
  const CUresult result = in_driver([&] { return cudaGetDeviceProperties(&properties, device); });
  if (result != CUDA_SUCCESS) return result;
  const std::string text =
      std::string(properties.name).substr(0, static_cast<unsigned>(length) - 1);
  std::memcpy(name, text.c_str(), text.size() + 1);
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetUuid(CUuuid* uuid, CUdevice device) {
  if (const CUresult wrong = check_device(device); wrong != CUDA_SUCCESS) return wrong;
  if (uuid == nullptr) return CUDA_ERROR_INVALID_VALUE;
  cudaDeviceProp properties;
  const CUresult result = in_driver([&] { return cudaGetDeviceProperties(&properties, device); });
  if (result == CUDA_SUCCESS) std::memcpy(uuid->bytes, &properties.uuid, sizeof uuid->bytes);
  return result;
}

CUresult cuDeviceTotalMem(std::size_t* bytes, CUdevice device) {
  if (const CUresult wrong = check_device(device); wrong != CUDA_SUCCESS) return wrong;
  if (bytes == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const OnDevice there(device);
  return in_driver([&] { return cudaMemGetInfo(nullptr, bytes); });
}

CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute attribute, CUdevice device) {
  if (const CUresult wrong = check_device(device); wrong != CUDA_SUCCESS) return wrong;
  if (value == nullptr) return CUDA_ERROR_INVALID_VALUE;
  // The runtime has no number for it.
  if (attribute == CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED) {
    *value = 1;
    return CUDA_SUCCESS;
  }
  return in_driver([&] {
    return cudaDeviceGetAttribute(value, static_cast<cudaDeviceAttr>(attribute), device);
  });
}

CUresult cuDeviceComputeCapability(int* major, int* minor, CUdevice device) {
  const CUresult result =
      cuDeviceGetAttribute(major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device);
  if (result != CUDA_SUCCESS) return result;
  return cuDeviceGetAttribute(minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device);
}

CUresult cuDeviceCanAccessPeer(int* can_access, CUdevice device, CUdevice peer) {
  for (const CUdevice one : {device, peer}) {
    if (const CUresult wrong = check_device(one); wrong != CUDA_SUCCESS) return wrong;
  }
  return in_driver([&] { return cudaDeviceCanAccessPeer(can_access, device, peer); });
}

CUresult cuCtxCreate(CUcontext* context, CUctxCreateParams*, unsigned int flags, CUdevice device) {
  return create(context, flags, device);
}
CUresult cuCtxCreate(CUcontext* context, unsigned int flags, CUdevice device) {
  return create(context, flags, device);
}

CUresult cuCtxDestroy(CUcontext context) {
  Contexts& all = contexts();
  const std::lock_guard lock(all.mutex);
  if (all.live.erase(context) == 0) return CUDA_ERROR_INVALID_CONTEXT;
  if (current() == context) stack.pop_back();
  follow_current();
  delete context;
  return CUDA_SUCCESS;
}

CUresult cuCtxPushCurrent(CUcontext context) {
  if (!is_live(context)) return CUDA_ERROR_INVALID_CONTEXT;
  stack.push_back(context);
  follow_current();
  return CUDA_SUCCESS;
}

CUresult cuCtxPopCurrent(CUcontext* context) {
  if (stack.empty()) return CUDA_ERROR_INVALID_CONTEXT;
  if (context != nullptr) *context = stack.back();
  stack.pop_back();
  follow_current();
  return CUDA_SUCCESS;
}

CUresult cuCtxSetCurrent(CUcontext context) {
  if (context != nullptr && !is_live(context)) return CUDA_ERROR_INVALID_CONTEXT;
  if (!stack.empty()) stack.pop_back();
  if (context != nullptr) stack.push_back(context);
  follow_current();
  return CUDA_SUCCESS;
}

CUresult cuCtxGetCurrent(CUcontext* context) {
  if (context == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *context = current();
  return CUDA_SUCCESS;
}

CUresult cuCtxGetDevice(CUdevice* device) {
  if (device == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *device = current_device();
  return CUDA_SUCCESS;
}

CUresult cuCtxGetFlags(unsigned int* flags) {
  if (flags == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *flags = current() == nullptr ? 0 : current()->flags;
  return CUDA_SUCCESS;
}

CUresult cuCtxGetApiVersion(CUcontext context, unsigned int* version) {
  if (context != nullptr && !is_live(context)) return CUDA_ERROR_INVALID_CONTEXT;
  if (version == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *version = EMULATOR_CUDA_VERSION;
  return CUDA_SUCCESS;
}

CUresult cuCtxSynchronize() {
  return in_driver([] { return cudaDeviceSynchronize(); });
}

CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice device) {
  if (const CUresult wrong = check_device(device); wrong != CUDA_SUCCESS) return wrong;
  if (context == nullptr) return CUDA_ERROR_INVALID_VALUE;
  Contexts& all = contexts();
  const std::lock_guard lock(all.mutex);
  ++all.retained[static_cast<std::size_t>(device)];
  *context = &all.primary[static_cast<std::size_t>(device)];
  return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRelease(CUdevice device) {
  if (const CUresult wrong = check_device(device); wrong != CUDA_SUCCESS) return wrong;
  Contexts& all = contexts();
  const std::lock_guard lock(all.mutex);
  int& retained = all.retained[static_cast<std::size_t>(device)];
  if (retained == 0) return CUDA_ERROR_INVALID_CONTEXT;
  --retained;
  return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxReset(CUdevice device) {
  if (const CUresult wrong = check_device(device); wrong != CUDA_SUCCESS) return wrong;
  const OnDevice there(device);
  return in_driver([] { return cudaDeviceReset(); });
}
