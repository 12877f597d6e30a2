/// \file
/// Launches by function call, of kernels that are known by their addresses.

#include "emulator/host/launch_api.h"

cudaError_t cudaLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** arguments,
                             std::size_t shared_bytes, cudaStream_t stream) {
  return emulator::detail::launch_by_address(
      {nullptr, kernel, {grid, block, shared_bytes, stream}, arguments, false}, "cudaLaunchKernel");
}

cudaError_t cudaLaunchCooperativeKernel(const void* kernel, dim3 grid, dim3 block, void** arguments,
                                        std::size_t shared_bytes, cudaStream_t stream) {
  return emulator::detail::launch_by_address(
      {nullptr, kernel, {grid, block, shared_bytes, stream}, arguments, true},
      "cudaLaunchCooperativeKernel");
}
