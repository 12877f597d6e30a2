/// \file
/// Kernels that are known by their address alone.

#include <cstdio>
#include <map>
#include <mutex>

#include "base/host_state.hpp"
#include "emulator/host/launch_api.h"
#include "engine/launches/kernels_by_address.hpp"

namespace emulator::engine {
namespace {

struct KnownKernel {
  const char* name = nullptr;
  RequestLauncher launcher = nullptr;
  std::span<const ParameterLayout> parameters{};
};

struct KnownKernels {
  std::mutex mutex;
  std::map<const void*, KnownKernel> by_address;
};

// Never destroyed: destructors of the program's static objects may still launch.
KnownKernels& known_kernels() {
  static auto& kernels = *new KnownKernels;
  return kernels;
}

}  // namespace

std::optional<std::span<const ParameterLayout>> parameters_of(const void* kernel) {
  KnownKernels& kernels = known_kernels();
  const std::lock_guard lock(kernels.mutex);
  const auto found = kernels.by_address.find(kernel);
  if (found == kernels.by_address.end()) return std::nullopt;
  return found->second.parameters;
}

void forget_kernels(const void* begin, const void* end) {
  KnownKernels& kernels = known_kernels();
  const std::lock_guard lock(kernels.mutex);
  kernels.by_address.erase(kernels.by_address.lower_bound(begin),
                           kernels.by_address.lower_bound(end));
}

}  // namespace emulator::engine

// What programs call.
namespace emulator::detail {

using namespace engine;

void remember_kernel(const void* kernel, const char* name, RequestLauncher launcher) {
  KnownKernels& kernels = known_kernels();
  const std::lock_guard lock(kernels.mutex);
  KnownKernel& known = kernels.by_address[kernel];  // its parameters may be known already
  known.name = name;
  known.launcher = launcher;
}

void remember_parameters(const void* kernel, const ParameterLayout* layout, std::size_t count) {
  KnownKernels& kernels = known_kernels();
  const std::lock_guard lock(kernels.mutex);
  kernels.by_address.at(kernel).parameters = {layout, count};
}

cudaError_t refuse_launch(cudaError_t error) {
  return report(error);
}

cudaError_t launch_by_address(LaunchRequest request, const char* function) {
  KnownKernel kernel;
  {
    KnownKernels& kernels = known_kernels();
    const std::lock_guard lock(kernels.mutex);
    const auto found = kernels.by_address.find(request.kernel);
    if (found != kernels.by_address.end()) kernel = found->second;
  }
  if (kernel.launcher == nullptr) {
    if (request.kernel != nullptr) {
      std::fprintf(
          stderr,
          "emulator: error: %s: the address is not known to be a kernel's: pass the kernel "
          "itself, or cast it where it is named: (void*)kernel\n",
          function);
    }
    return report(cudaErrorInvalidDeviceFunction);
  }
  request.name = kernel.name;
  const cudaError_t error = kernel.launcher(request);
  // Others were left for cudaGetLastError() where they were found.
  return error == cudaErrorInvalidValue ? report(error) : error;
}

}  // namespace emulator::detail
