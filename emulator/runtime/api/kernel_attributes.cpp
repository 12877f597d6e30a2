/// \file
/// Kernels as the host sees them: their attributes.

#include <algorithm>
#include <map>
#include <mutex>

#include "base/host_state.hpp"
#include "base/occupancy.hpp"
#include "emulator/host/host_api.h"
#include "emulator/host/unmodelled.h"

namespace emulator::api {
namespace {

struct KernelSettings {
  int dynamic_shared = int{shared_bytes_per_block};
  int carveout = cudaSharedmemCarveoutDefault;
  bool large_clusters = false;
};

class Kernels {
 public:
  static Kernels& get() {
    static auto& kernels = *new Kernels;  // never destroyed, for static objects' destructors
    return kernels;
  }

  std::mutex mutex;
  std::map<const void*, KernelSettings> settings;
};

KernelSettings settings_of(const void* function) {
  Kernels& kernels = Kernels::get();
  const std::lock_guard lock(kernels.mutex);
  const auto found = kernels.settings.find(function);
  return found != kernels.settings.end() ? found->second : KernelSettings{};
}

// What no kernel has to ask for can always be had.
std::size_t limit_of(const KernelSettings& settings) {
  return std::max(static_cast<std::size_t>(settings.dynamic_shared), shared_bytes_per_block);
}

}  // namespace

}  // namespace emulator::api

namespace emulator::base {

using namespace api;

std::size_t dynamic_shared_limit(const void* function) {
  return limit_of(settings_of(function));
}

std::size_t dynamic_shared_limit_of_any_kernel() {
  Kernels& kernels = Kernels::get();
  const std::lock_guard lock(kernels.mutex);
  std::size_t limit = shared_bytes_per_block;
  for (const auto& [function, settings] : kernels.settings) {
    limit = std::max(limit, limit_of(settings));
  }
  return limit;
}

unsigned largest_cluster_of(const void* function) {
  Kernels& kernels = Kernels::get();
  const std::lock_guard lock(kernels.mutex);
  const bool allowed =
      std::any_of(kernels.settings.begin(), kernels.settings.end(), [&](const auto& kernel) {
        return (function == nullptr || kernel.first == function) && kernel.second.large_clusters;
      });
  return allowed ? largest_cluster : portable_cluster;
}

void reset_functions() {
  Kernels& kernels = Kernels::get();
  const std::lock_guard lock(kernels.mutex);
  kernels.settings.clear();
}

}  // namespace emulator::base

using namespace emulator::api;

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* function) {
  if (attributes == nullptr) return report(cudaErrorInvalidValue);
  if (function == nullptr) return report(cudaErrorInvalidDeviceFunction);
  return device_call([&] {
    const KernelSettings settings = settings_of(function);
    *attributes = {};
    attributes->maxThreadsPerBlock = largest_block(function);
    attributes->ptxVersion = 90;
    attributes->binaryVersion = 90;
    attributes->maxDynamicSharedSizeBytes = settings.dynamic_shared;
    attributes->preferredShmemCarveout = settings.carveout;
    attributes->nonPortableClusterSizeAllowed = settings.large_clusters ? 1 : 0;
    return cudaSuccess;
  });
}

cudaError_t cudaFuncSetAttribute(const void* function, cudaFuncAttribute attribute, int value) {
  if (function == nullptr) return report(cudaErrorInvalidDeviceFunction);
  return device_call([&] {
    Kernels& kernels = Kernels::get();
    const std::lock_guard lock(kernels.mutex);
    switch (attribute) {
      case cudaFuncAttributeMaxDynamicSharedMemorySize:
        if (value < 0 || value > int{shared_bytes_per_block_optin}) return cudaErrorInvalidValue;
        kernels.settings[function].dynamic_shared = value;
        return cudaSuccess;
      case cudaFuncAttributePreferredSharedMemoryCarveout:
        if (value < -1 || value > 100) return cudaErrorInvalidValue;
        kernels.settings[function].carveout = value;
        return cudaSuccess;
      case cudaFuncAttributeClusterDimMustBeSet:
      case cudaFuncAttributeRequiredClusterWidth:
      case cudaFuncAttributeRequiredClusterHeight:
      case cudaFuncAttributeRequiredClusterDepth:
        return not_modelled("cudaFuncSetAttribute for clusters");
      case cudaFuncAttributeNonPortableClusterSizeAllowed:
        if (value != 0 && value != 1) return cudaErrorInvalidValue;
        kernels.settings[function].large_clusters = value != 0;
        return cudaSuccess;
      case cudaFuncAttributeClusterSchedulingPolicyPreference:
        return value >= 0 && value <= 2 ? cudaSuccess : cudaErrorInvalidValue;
      case cudaFuncAttributeMax:
        break;
    }
    return cudaErrorInvalidValue;
  });
}

cudaError_t cudaFuncSetCacheConfig(const void* function, cudaFuncCache preference) {
  if (function == nullptr) return report(cudaErrorInvalidDeviceFunction);
  return device_call([&] {
    const bool known =
        preference >= cudaFuncCachePreferNone && preference <= cudaFuncCachePreferEqual;
    return known ? cudaSuccess : cudaErrorInvalidValue;
  });
}

cudaError_t cudaFuncSetSharedMemConfig(const void* function, cudaSharedMemConfig config) {
  if (function == nullptr) return report(cudaErrorInvalidDeviceFunction);
  return cudaDeviceSetSharedMemConfig(config);  // which has no effect either
}
