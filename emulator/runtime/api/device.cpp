/// \file
/// The devices: what they are, their modes and their limits.

#include <array>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include "api/managed_hints.hpp"
#include "api/pools.hpp"
#include "base/device_attributes.hpp"
#include "base/devices/devices.hpp"
#include "base/host_state.hpp"
#include "emulator/host/host_api.h"
#include "graphs/capture.hpp"
#include "graphs/graph.hpp"
#include "streams/work_queue.hpp"

using namespace emulator::api;

namespace {

constexpr int cuda_version = CUDART_VERSION;

}  // namespace

/// There is one in a program for an older CUDA (emulator/version.h).
extern "C" int emulator_cuda_version __attribute__((weak));

namespace {

// Each device is alone on its bus.
std::string pci_bus_id(int device) {
  char text[16];
  std::snprintf(text, sizeof(text), "0000:%02X:00.0", static_cast<unsigned>(device));
  return text;
}

struct DeviceSettings {
  std::array<std::size_t, cudaLimitPersistingL2CacheSize + 1> limits{
      1024,               // bytes of a thread's stack
      1024UL * 1024,      // bytes for printf
      8 * 1024UL * 1024,  // bytes of the heap
      0,
      2048,  // launches by kernels that may be pending
      64,    // bytes that the L2 cache fetches at least
      0};
  cudaFuncCache cache_preference = cudaFuncCachePreferNone;
  unsigned flags = cudaDeviceScheduleAuto;
};

std::mutex settings_mutex;
std::array<DeviceSettings, most_devices> settings_of_all;

// Of the device in use. The caller holds the mutex.
DeviceSettings& settings() {
  return settings_of_all[static_cast<std::size_t>(current_device())];
}

bool is_cache_preference(cudaFuncCache preference) {
  return preference >= cudaFuncCachePreferNone && preference <= cudaFuncCachePreferEqual;
}

// At most one way of waiting, and no unknown flag.
bool are_device_flags(unsigned flags) {
  constexpr unsigned known =
      cudaDeviceScheduleMask | cudaDeviceMapHost | cudaDeviceLmemResizeToMax | cudaDeviceSyncMemops;
  const unsigned schedule = flags & cudaDeviceScheduleMask;
  return (flags & ~known) == 0 && (schedule & (schedule - 1)) == 0;
}

cudaError_t store(int* where, int value) {
  if (where == nullptr) return report(cudaErrorInvalidValue);
  *where = value;
  return cudaSuccess;
}

}  // namespace

// What a small GPU has, unless told otherwise, and not as many as the host has cores: programs size
// their grids by this number, and the traffic they cause should be the same on every machine.
int emulator::base::multiprocessors() {
  static const int number = [] {
    const char* const text = std::getenv("EMULATOR_MULTIPROCESSORS");
    if (text == nullptr || *text == '\0') return default_multiprocessors;
    const std::string_view all = text;
    int value = 0;
    const auto [end, error] = std::from_chars(all.data(), all.data() + all.size(), value);
    if (error != std::errc() || end != all.data() + all.size() || value < 1 || value > 1024) {
      std::fprintf(stderr, "emulator: error: EMULATOR_MULTIPROCESSORS=%s: want 1 to 1024\n", text);
      std::_Exit(2);
    }
    return value;
  }();
  return number;
}

cudaError_t cudaGetDeviceCount(int* count) {
  return store(count, device_count());
}

cudaError_t cudaGetDevice(int* device) {
  return store(device, current_device());
}

cudaError_t cudaSetDevice(int device) {
  if (!is_device(device)) return report(cudaErrorInvalidDevice);
  use_device(device);
  return report(cudaSuccess);
}

cudaError_t cudaInitDevice(int device, unsigned int device_flags, unsigned int flags) {
  if (!is_device(device)) return report(cudaErrorInvalidDevice);
  if (flags > cudaInitDeviceFlagsAreValid) return report(cudaErrorInvalidValue);
  const OnDevice here(device);
  return flags != 0 ? cudaSetDeviceFlags(device_flags) : cudaSuccess;
}

cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp* properties) {
  if (properties == nullptr) return report(cudaErrorInvalidValue);
  return store(device, 0);
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr name, int device) {
  if (value == nullptr || name <= 0 || name >= cudaDevAttrMax) return report(cudaErrorInvalidValue);
  if (!is_device(device)) return report(cudaErrorInvalidDevice);
  *value = name == cudaDevAttrPciBusId ? device : attribute(name);
  return cudaSuccess;
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  if (properties == nullptr) return report(cudaErrorInvalidValue);
  if (!is_device(device)) return report(cudaErrorInvalidDevice);
  cudaDeviceProp p{};
  std::snprintf(p.name, sizeof(p.name), "CUDA emulator");
  std::memcpy(p.uuid.bytes, "CUDA emulator 0", sizeof(p.uuid.bytes));
  p.uuid.bytes[sizeof(p.uuid.bytes) - 2] = "0123456789ABCDEF"[device];
  p.pciBusID = device;
  p.totalGlobalMem = total_host_memory() / static_cast<std::size_t>(device_count());
  p.sharedMemPerBlock = shared_bytes_per_block;
  p.sharedMemPerBlockOptin = shared_bytes_per_block_optin;
  p.sharedMemPerMultiprocessor = shared_bytes_per_multiprocessor;
  p.reservedSharedMemPerBlock = shared_bytes_reserved_per_block;
  p.regsPerBlock = attribute(cudaDevAttrMaxRegistersPerBlock);
  p.regsPerMultiprocessor = attribute(cudaDevAttrMaxRegistersPerMultiprocessor);
  p.warpSize = attribute(cudaDevAttrWarpSize);
  p.memPitch = static_cast<std::size_t>(attribute(cudaDevAttrMaxPitch));
  p.maxThreadsPerBlock = attribute(cudaDevAttrMaxThreadsPerBlock);
  p.maxThreadsDim[0] = attribute(cudaDevAttrMaxBlockDimX);
  p.maxThreadsDim[1] = attribute(cudaDevAttrMaxBlockDimY);
  p.maxThreadsDim[2] = attribute(cudaDevAttrMaxBlockDimZ);
  p.maxGridSize[0] = attribute(cudaDevAttrMaxGridDimX);
  p.maxGridSize[1] = attribute(cudaDevAttrMaxGridDimY);
  p.maxGridSize[2] = attribute(cudaDevAttrMaxGridDimZ);
  p.totalConstMem = static_cast<std::size_t>(attribute(cudaDevAttrTotalConstantMemory));
  p.major = attribute(cudaDevAttrComputeCapabilityMajor);
  p.minor = attribute(cudaDevAttrComputeCapabilityMinor);
  p.multiProcessorCount = attribute(cudaDevAttrMultiProcessorCount);
  p.maxThreadsPerMultiProcessor = attribute(cudaDevAttrMaxThreadsPerMultiProcessor);
  p.maxBlocksPerMultiProcessor = attribute(cudaDevAttrMaxBlocksPerMultiprocessor);
  p.canMapHostMemory = attribute(cudaDevAttrCanMapHostMemory);
  p.unifiedAddressing = attribute(cudaDevAttrUnifiedAddressing);
  p.managedMemory = attribute(cudaDevAttrManagedMemory);
  p.concurrentManagedAccess = attribute(cudaDevAttrConcurrentManagedAccess);
  p.canUseHostPointerForRegisteredMem = attribute(cudaDevAttrCanUseHostPointerForRegisteredMem);
  p.hostRegisterSupported = attribute(cudaDevAttrHostRegisterSupported);
  p.hostRegisterReadOnlySupported = attribute(cudaDevAttrHostRegisterReadOnlySupported);
  p.memoryPoolsSupported = attribute(cudaDevAttrMemoryPoolsSupported);
  p.streamPrioritiesSupported = attribute(cudaDevAttrStreamPrioritiesSupported);
  p.cooperativeLaunch = attribute(cudaDevAttrCooperativeLaunch);
  p.clusterLaunch = attribute(cudaDevAttrClusterLaunch);
  p.unifiedFunctionPointers = 1;
  p.hostNumaId = attribute(cudaDevAttrHostNumaId);
  tell_of_textures(p);
  tell_what_is_removed(p);
  *properties = p;
  return cudaSuccess;
}

cudaError_t cudaDeviceSynchronize() {
  return device_call([] {
    if (const cudaError_t error = refuse_while_anything_is_captured(); error != cudaSuccess) {
      return error;
    }
    wait_for_device(current_device());
    return sticky_error();
  });
}

cudaError_t cudaDeviceReset() {
  if (device_state() == cudaErrorNotPermitted) return report(cudaErrorNotPermitted);
  wait_for_all();
  if (device_count() == 1) {  // of several, the others may still use these
    reset_graphs();
    reset_textures();
    reset_functions();
  }
  reset_memory();
  reset_pools();
  reset_hints();
  reset_streams();
  forget_peers(current_device());
  clear_sticky_error();
  const std::lock_guard lock(settings_mutex);
  settings() = {};
  return cudaSuccess;
}

cudaError_t cudaDriverGetVersion(int* version) {
  return store(version, cuda_version);
}

cudaError_t cudaRuntimeGetVersion(int* version) {
  return store(version, &emulator_cuda_version == nullptr ? cuda_version : emulator_cuda_version);
}

cudaError_t cudaDeviceSetLimit(cudaLimit limit, std::size_t value) {
  return device_call([&] {
    constexpr std::size_t largest_stack = 512UL * 1024;  // of any compute capability
    if (limit < 0 || limit >= static_cast<int>(DeviceSettings{}.limits.size()) ||
        limit == cudaLimitDevRuntimeSyncDepth) {
      return cudaErrorUnsupportedLimit;
    }
    if ((limit == cudaLimitStackSize && value > largest_stack) ||
        (limit == cudaLimitMaxL2FetchGranularity && value > 128) ||
        (limit == cudaLimitPersistingL2CacheSize && value > 0)) {
      return cudaErrorInvalidValue;
    }
    const std::lock_guard lock(settings_mutex);
    settings().limits[static_cast<std::size_t>(limit)] = value;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetLimit(std::size_t* value, cudaLimit limit) {
  if (value == nullptr) return report(cudaErrorInvalidValue);
  return device_call([&] {
    if (limit < 0 || limit >= static_cast<int>(DeviceSettings{}.limits.size()) ||
        limit == cudaLimitDevRuntimeSyncDepth) {
      return cudaErrorUnsupportedLimit;
    }
    const std::lock_guard lock(settings_mutex);
    *value = settings().limits[static_cast<std::size_t>(limit)];
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache preference) {
  return device_call([&] {
    if (!is_cache_preference(preference)) return cudaErrorInvalidValue;
    const std::lock_guard lock(settings_mutex);
    settings().cache_preference = preference;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* preference) {
  return device_call([&] {
    if (preference == nullptr) return cudaErrorInvalidValue;
    const std::lock_guard lock(settings_mutex);
    *preference = settings().cache_preference;
    return cudaSuccess;
  });
}

// Banks are four bytes wide on every current GPU, whatever is asked for.
cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig config) {
  return device_call([&] {
    const bool known =
        config >= cudaSharedMemBankSizeDefault && config <= cudaSharedMemBankSizeEightByte;
    return known ? cudaSuccess : cudaErrorInvalidValue;
  });
}

cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config) {
  return device_call([&] {
    if (config == nullptr) return cudaErrorInvalidValue;
    *config = cudaSharedMemBankSizeFourByte;
    return cudaSuccess;
  });
}

cudaError_t cudaSetDeviceFlags(unsigned int flags) {
  if (!are_device_flags(flags)) return report(cudaErrorInvalidValue);
  const std::lock_guard lock(settings_mutex);
  settings().flags = flags;
  return cudaSuccess;
}

cudaError_t cudaGetDeviceFlags(unsigned int* flags) {
  if (flags == nullptr) return report(cudaErrorInvalidValue);
  const std::lock_guard lock(settings_mutex);
  *flags = settings().flags | cudaDeviceMapHost;  // which is always on
  return cudaSuccess;
}

cudaError_t cudaDeviceGetPCIBusId(char* text, int length, int device) {
  if (text == nullptr || length < static_cast<int>(pci_bus_id(0).size()) + 1) {
    return report(cudaErrorInvalidValue);
  }
  if (!is_device(device)) return report(cudaErrorInvalidDevice);
  const std::string own = pci_bus_id(device);
  std::memcpy(text, own.c_str(), own.size() + 1);
  return cudaSuccess;
}

cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* text) {
  if (device == nullptr || text == nullptr) return report(cudaErrorInvalidValue);
  for (int one = 0; one < device_count(); ++one) {
    if (text == pci_bus_id(one)) return store(device, one);
  }
  return report(cudaErrorInvalidValue);
}

cudaError_t cudaCtxResetPersistingL2Cache() {
  return device_call([] { return cudaSuccess; });
}
