#pragma once
#pragma GCC system_header
/// \file
/// Launches by function call: cudaLaunchKernel() and cudaLaunchCooperativeKernel().
///
/// Both exist in two forms. One takes the kernel itself and knows its parameters. The other takes a
/// `const void*`, of which nobody knows what it leads to; but where a program turns a kernel into
/// one, by a cast, its type is known, and there the translator has the kernel registered.

#include <stddef.h>

#include "emulator/host/host_types.h"

#ifdef __cplusplus

#include <cstddef>
#include <type_traits>
#include <utility>

#include "emulator/host/launch.h"

namespace emulator {
namespace detail {

/// A launch that is to be done later: in launches of a graph.
struct KernelTask;

/// A launch by function call, but for the kernel's parameters.
struct LaunchRequest {
  const char* name;  ///< of the kernel
  const void* kernel;
  Configuration configuration;
  void** arguments;  ///< addresses of the arguments
  bool cooperative;
  /// What is done with the launch if it is not for now, and where it goes then.
  cudaError_t (*keep)(const char* kernel, const Configuration& configuration, ThreadBody body,
                      const void* cooperative, KernelTask& later) = nullptr;
  KernelTask* later = nullptr;
};

/// Launches a kernel whose parameters have these types.
template <class... Parameters>
cudaError_t launch_request(const LaunchRequest& request) {
  using Kernel = void (*)(Parameters...);
  if (sizeof...(Parameters) > 0 && request.arguments == nullptr) return cudaErrorInvalidValue;
  const auto kernel = reinterpret_cast<Kernel>(const_cast<void*>(request.kernel));
  return [&]<std::size_t... Index>(std::index_sequence<Index...>) {
    const auto callable = callable_of(kernel);
    const BoundKernel<decltype(callable_of(kernel)), KeptParameter<Parameters>...> bound{
        callable, {request.arguments[Index]..., nullptr}};
    ThreadBody body = body_of(bound);
    body.function = request.kernel;
    const void* const cooperative = request.cooperative ? request.kernel : nullptr;
    if (request.keep != nullptr) {
      return request.keep(request.name, request.configuration, body, cooperative, *request.later);
    }
    return launch(request.name, request.configuration, body, cooperative);
  }
  (std::index_sequence_for<Parameters...>{});
}

using RequestLauncher = cudaError_t (*)(const LaunchRequest& request);

/// Remembers how the kernel at that address is launched.
void remember_kernel(const void* kernel, const char* name, RequestLauncher launcher);

/// A kernel's parameters, for launches that bring their arguments in one buffer.
struct ParameterLayout {
  std::size_t bytes;
  std::size_t alignment;
};

/// Remembers the parameters of a kernel that remember_kernel() knows. `layout` must live as long.
void remember_parameters(const void* kernel, const ParameterLayout* layout, std::size_t count);

/// What the translator writes after a kernel of a module, which the host finds by its name.
struct ModuleKernel {
  template <class... Parameters>
  ModuleKernel(const char* name, void (*kernel)(Parameters...)) {
    static constexpr ParameterLayout layout[sizeof...(Parameters) + 1] = {
        {sizeof(Parameters), alignof(Parameters)}..., {0, 1}};
    const void* const address = reinterpret_cast<const void*>(kernel);
    remember_kernel(address, name, &launch_request<Parameters...>);
    remember_parameters(address, layout, sizeof...(Parameters));
  }
};

/// Launches a kernel that remember_kernel() knows: the request lacks its name.
/// \param function the function of CUDA's that was called, for messages
cudaError_t launch_by_address(LaunchRequest request, const char* function);

/// Leaves the error for cudaGetLastError() and returns it.
cudaError_t refuse_launch(cudaError_t error);

template <class... Parameters>
cudaError_t launch_function(void (*kernel)(Parameters...), const Configuration& configuration,
                            void** arguments, bool cooperative) {
  const void* const address = reinterpret_cast<const void*>(kernel);
  if (kernel == nullptr) return refuse_launch(cudaErrorInvalidDeviceFunction);
  if (sizeof...(Parameters) > 0 && arguments == nullptr) {
    return refuse_launch(cudaErrorInvalidValue);
  }
  return launch_request<Parameters...>({"kernel", address, configuration, arguments, cooperative});
}

}  // namespace detail

/// What the translator writes around a kernel that is cast to `void*`, or whose address a variable
/// gets, which may be a constant.
template <class... Parameters>
constexpr auto kernel_address(const char* name, void (*kernel)(Parameters...)) {
  if (!__builtin_is_constant_evaluated()) {
    detail::remember_kernel(reinterpret_cast<const void*>(kernel), name,
                            &detail::launch_request<Parameters...>);
  }
  return kernel;
}

/// The same around anything else that is cast where a kernel is expected.
template <class T>
constexpr T kernel_address(const char*, T other) {
  return other;
}

}  // namespace emulator

#endif  // __cplusplus

EMULATOR_C_BEGIN

/// Launches `kernel` with the arguments that `arguments[i]` point to.
cudaError_t cudaLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** arguments,
                             size_t shared_bytes EMULATOR_DEFAULT(0),
                             cudaStream_t stream EMULATOR_DEFAULT(nullptr));
/// \restricted Launches a kernel whose blocks may wait for each other
/// (`cooperative_groups::this_grid()`). The grid must not have more blocks than the device can hold
/// at once: cudaOccupancyMaxActiveBlocksPerMultiprocessor() times the multiprocessors, of which the
/// emulator has 16 unless EMULATOR_MULTIPROCESSORS says otherwise; or, in clusters, no more than
/// cudaOccupancyMaxActiveClusters(); and no more than 32,768 threads.
cudaError_t cudaLaunchCooperativeKernel(const void* kernel, dim3 grid, dim3 block, void** arguments,
                                        size_t shared_bytes EMULATOR_DEFAULT(0),
                                        cudaStream_t stream EMULATOR_DEFAULT(nullptr));

EMULATOR_C_END

#ifdef __cplusplus

template <class... Parameters>
cudaError_t cudaLaunchKernel(void (*kernel)(Parameters...), dim3 grid, dim3 block, void** arguments,
                             std::size_t shared_bytes = 0, cudaStream_t stream = nullptr) {
  return emulator::detail::launch_function(kernel, {grid, block, shared_bytes, stream}, arguments,
                                           false);
}
template <class... Parameters>
cudaError_t cudaLaunchCooperativeKernel(void (*kernel)(Parameters...), dim3 grid, dim3 block,
                                        void** arguments, std::size_t shared_bytes = 0,
                                        cudaStream_t stream = nullptr) {
  return emulator::detail::launch_function(kernel, {grid, block, shared_bytes, stream}, arguments,
                                           true);
}

#endif  // __cplusplus
