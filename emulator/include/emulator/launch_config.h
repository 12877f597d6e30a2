#pragma once
#pragma GCC system_header
/// \file
/// Launches with attributes: cudaLaunchKernelEx() and cudaLaunchKernelExC().

#include <cstddef>
#include <utility>

#include "emulator/host_types.h"
#include "emulator/launch_api.h"

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
inline cudaError_t read_attributes(const cudaLaunchConfig_t& config, bool& cooperative) {
  for (unsigned i = 0; i < config.numAttrs; ++i) {
    const cudaLaunchAttribute& attribute = config.attrs[i];
    switch (attribute.id) {
      case cudaLaunchAttributeCooperative:
        cooperative = attribute.val.cooperative != 0;
        break;
      case cudaLaunchAttributeClusterDimension:
        if (attribute.val.clusterDim.x * attribute.val.clusterDim.y * attribute.val.clusterDim.z !=
            1) {
          return cudaErrorNotSupported;
        }
        break;
      case cudaLaunchAttributeIgnore:
      case cudaLaunchAttributeAccessPolicyWindow:
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

/// Launches the kernel at that address with the arguments that `arguments[i]` point to.
inline cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* kernel,
                                       void** arguments) {
  if (config == nullptr) return emulator::detail::refuse_launch(cudaErrorInvalidValue);
  bool cooperative = false;
  const cudaError_t error = emulator::detail::read_attributes(*config, cooperative);
  if (error != cudaSuccess) return emulator::detail::refuse_launch(error);
  return emulator::detail::launch_by_address(
      {nullptr,
       kernel,
       {config->gridDim, config->blockDim, config->dynamicSmemBytes, config->stream},
       arguments,
       cooperative},
      "cudaLaunchKernelExC");
}

/// Launches `kernel` with these arguments, which become what its parameters are.
template <class... Parameters, class... Arguments>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* config, void (*kernel)(Parameters...),
                               Arguments&&... arguments) {
  if (config == nullptr) return emulator::detail::refuse_launch(cudaErrorInvalidValue);
  bool cooperative = false;
  const cudaError_t error = emulator::detail::read_attributes(*config, cooperative);
  if (error != cudaSuccess) return emulator::detail::refuse_launch(error);
  return [&](Parameters... parameters) {
    const void* addresses[sizeof...(Parameters) + 1] = {
        static_cast<const void*>(__builtin_addressof(parameters))..., nullptr};
    return emulator::detail::launch_function(
        kernel, {config->gridDim, config->blockDim, config->dynamicSmemBytes, config->stream},
        const_cast<void**>(addresses), cooperative);
  }(std::forward<Arguments>(arguments)...);
}
