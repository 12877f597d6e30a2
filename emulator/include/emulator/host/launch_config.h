#pragma once
#pragma GCC system_header
/// \file
/// Launches with attributes: cudaLaunchKernelEx() and cudaLaunchKernelExC().

#include <cstddef>
#include <utility>

#include "emulator/host/host_types.h"
#include "emulator/host/launch_api.h"

/// What a launch may ask for besides its size.
struct cudaLaunchAttribute {
  cudaLaunchAttributeID id;
  char pad[8 - sizeof(cudaLaunchAttributeID)];
  cudaLaunchAttributeValue val;
};

typedef struct cudaLaunchConfig_st {
  dim3 gridDim;
  dim3 blockDim;
  size_t dynamicSmemBytes;
  cudaStream_t stream;
  cudaLaunchAttribute* attrs;
  unsigned int numAttrs;
} cudaLaunchConfig_t;

namespace emulator::detail {

/// Reads a launch's attributes. Hints change nothing: that a kernel *may* begin before the one
/// ahead of it has ended is kept by one that waits for it.
/// \return an error for what is not modelled
inline cudaError_t read_attributes(const cudaLaunchConfig_t& config, bool& cooperative,
                                   Configuration& configuration) {
  for (unsigned i = 0; i < config.numAttrs; ++i) {
    const cudaLaunchAttribute& attribute = config.attrs[i];
    switch (attribute.id) {
      case cudaLaunchAttributeCooperative:
        cooperative = attribute.val.cooperative != 0;
        break;
      case cudaLaunchAttributeClusterDimension:
        configuration.cluster = {attribute.val.clusterDim.x, attribute.val.clusterDim.y,
                                 attribute.val.clusterDim.z};
        break;
      case cudaLaunchAttributeIgnore:
      case cudaLaunchAttributeAccessPolicyWindow:
      case cudaLaunchAttributePreferredClusterDimension:
      case cudaLaunchAttributePriority:
      case cudaLaunchAttributeProgrammaticStreamSerialization:
        break;
      default:
        return cudaErrorNotSupported;
    }
  }
  return cudaSuccess;
}

}  // namespace emulator::detail

/// \restricted How many clusters of that launch the device can hold at once, as far as threads,
/// blocks and dynamic shared memory limit them; and how many blocks a cluster may have. That the
/// multiprocessors of a GPU come in groups, which makes it fewer, is left out.
cudaError_t cudaOccupancyMaxActiveClusters(int* clusters, const void* kernel,
                                           const cudaLaunchConfig_t* config);
cudaError_t cudaOccupancyMaxPotentialClusterSize(int* blocks, const void* kernel,
                                                 const cudaLaunchConfig_t* config);
template <class T>
cudaError_t cudaOccupancyMaxActiveClusters(int* clusters, T* kernel,
                                           const cudaLaunchConfig_t* config) {
  return cudaOccupancyMaxActiveClusters(clusters, (const void*)kernel, config);
}
template <class T>
cudaError_t cudaOccupancyMaxPotentialClusterSize(int* blocks, T* kernel,
                                                 const cudaLaunchConfig_t* config) {
  return cudaOccupancyMaxPotentialClusterSize(blocks, (const void*)kernel, config);
}

/// Launches the kernel at that address with the arguments that `arguments[i]` point to.
inline cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* kernel,
                                       void** arguments) {
  if (config == nullptr) return emulator::detail::refuse_launch(cudaErrorInvalidValue);
  bool cooperative = false;
  emulator::Configuration configuration{config->gridDim, config->blockDim, config->dynamicSmemBytes,
                                        config->stream};
  const cudaError_t error = emulator::detail::read_attributes(*config, cooperative, configuration);
  if (error != cudaSuccess) return emulator::detail::refuse_launch(error);
  return emulator::detail::launch_by_address(
      {nullptr, kernel, configuration, arguments, cooperative}, "cudaLaunchKernelExC");
}

/// Launches `kernel` with these arguments, which are converted to the types of its parameters.
template <class... Parameters, class... Arguments>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* config, void (*kernel)(Parameters...),
                               Arguments&&... arguments) {
  if (config == nullptr) return emulator::detail::refuse_launch(cudaErrorInvalidValue);
  bool cooperative = false;
  emulator::Configuration configuration{config->gridDim, config->blockDim, config->dynamicSmemBytes,
                                        config->stream};
  const cudaError_t error = emulator::detail::read_attributes(*config, cooperative, configuration);
  if (error != cudaSuccess) return emulator::detail::refuse_launch(error);
  return [&](Parameters... parameters) {
    const void* addresses[sizeof...(Parameters) + 1] = {
        static_cast<const void*>(__builtin_addressof(parameters))..., nullptr};
    return emulator::detail::launch_function(kernel, configuration, const_cast<void**>(addresses),
                                             cooperative);
  }(std::forward<Arguments>(arguments)...);
}
