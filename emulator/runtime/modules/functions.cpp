/// \file
/// The driver API's functions, kernels of modules: their attributes, and their launches.

#include "modules/functions.hpp"

#include <cstddef>
#include <vector>

#include "engine/launches/kernels_by_address.hpp"
#include "modules/in_driver.hpp"

namespace emulator::modules {
namespace {

// The arguments' addresses, from a list or in a buffer.
CUresult arguments_of(const CUfunc_st& function, void** parameters, void** extra,
                      std::vector<void*>& arguments) {
  if (parameters != nullptr) {
    if (extra != nullptr) return CUDA_ERROR_INVALID_VALUE;
    arguments.assign(parameters, parameters + function.offsets.size() - 1);
    return CUDA_SUCCESS;
  }
  char* buffer = nullptr;
  std::size_t bytes = 0;
  for (; extra != nullptr && *extra != CU_LAUNCH_PARAM_END; extra += 2) {
    if (*extra == CU_LAUNCH_PARAM_BUFFER_POINTER) {
      buffer = static_cast<char*>(extra[1]);
    } else if (*extra == CU_LAUNCH_PARAM_BUFFER_SIZE) {
      bytes = *static_cast<const std::size_t*>(extra[1]);
    } else {
      return CUDA_ERROR_INVALID_VALUE;
    }
  }
  const std::size_t needed = function.offsets.back();
  if (needed > 0 && (buffer == nullptr || bytes < needed)) return CUDA_ERROR_INVALID_VALUE;
  for (std::size_t i = 0; i + 1 < function.offsets.size(); ++i) {
    arguments.push_back(buffer + function.offsets[i]);
  }
  return CUDA_SUCCESS;
}

CUresult launch_function_of_module(CUfunction function, const dim3& grid, const dim3& block,
                                   unsigned shared_bytes, CUstream stream, void** parameters,
                                   void** extra, bool cooperative) {
  if (function == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  std::vector<void*> arguments;
  const CUresult wrong = arguments_of(*function, parameters, extra, arguments);
  if (wrong != CUDA_SUCCESS) return wrong;
  arguments.push_back(nullptr);
  const CUresult before = in_driver([&] { return cudaPeekAtLastError(); });
  if (before != CUDA_SUCCESS) return before;
  return in_driver([&] {
    const cudaError_t error = launch_by_address({nullptr,
                                                 function->kernel,
                                                 {grid, block, shared_bytes, stream},
                                                 arguments.data(),
                                                 cooperative},
                                                "cuLaunchKernel");
    return error != cudaSuccess ? error : take_last_error();
  });
}

}  // namespace
}  // namespace emulator::modules

using namespace emulator::modules;  // NOLINT: what follows is the driver's, in no namespace

CUresult cuFuncGetAttribute(int* value, CUfunction_attribute attribute, CUfunction function) {
  if (value == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (function == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  cudaFuncAttributes all{};
  const CUresult result = in_driver([&] { return cudaFuncGetAttributes(&all, function->kernel); });
  if (result != CUDA_SUCCESS) return result;
  switch (attribute) {
    case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
      *value = all.maxThreadsPerBlock;
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
      *value = static_cast<int>(all.sharedSizeBytes);
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES:
      *value = static_cast<int>(all.constSizeBytes);
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
      *value = static_cast<int>(all.localSizeBytes);
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_NUM_REGS:
      *value = all.numRegs;
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_PTX_VERSION:
      *value = all.ptxVersion;
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_BINARY_VERSION:
      *value = all.binaryVersion;
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_CACHE_MODE_CA:
      *value = all.cacheModeCA;
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
      *value = all.maxDynamicSharedSizeBytes;
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
      *value = all.preferredShmemCarveout;
      return CUDA_SUCCESS;
  }
  return CUDA_ERROR_INVALID_VALUE;
}

CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value) {
  if (function == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  return in_driver([&] {
    return cudaFuncSetAttribute(function->kernel, static_cast<cudaFuncAttribute>(attribute), value);
  });
}

CUresult cuFuncSetCacheConfig(CUfunction function, CUfunc_cache preference) {
  if (function == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  return in_driver([&] {
    return cudaFuncSetCacheConfig(function->kernel, static_cast<cudaFuncCache>(preference));
  });
}

CUresult cuFuncGetParamInfo(CUfunction function, std::size_t parameter, std::size_t* offset,
                            std::size_t* bytes) {
  if (function == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  if (offset == nullptr || parameter + 1 >= function->offsets.size()) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  *offset = function->offsets[parameter];
  const auto parameters = parameters_of(function->kernel);
  if (bytes != nullptr) *bytes = (*parameters)[parameter].bytes;
  return CUDA_SUCCESS;
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, CUfunction function, int threads,
                                                     std::size_t shared_bytes) {
  if (function == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  return in_driver([&] {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function->kernel, threads,
                                                         shared_bytes);
  });
}

CUresult cuOccupancyMaxPotentialBlockSize(int* least_grid, int* block, CUfunction function,
                                          std::size_t (*shared_of_block)(int block),
                                          std::size_t shared_bytes, int limit) {
  if (function == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  return in_driver([&] {
    const auto shared = [&](int threads) {
      return shared_of_block == nullptr ? shared_bytes : shared_of_block(threads);
    };
    return cudaOccupancyMaxPotentialBlockSizeVariableSMem(least_grid, block, function->kernel,
                                                          shared, limit);
  });
}

CUresult cuLaunchKernel(CUfunction function, unsigned int grid_x, unsigned int grid_y,
                        unsigned int grid_z, unsigned int block_x, unsigned int block_y,
                        unsigned int block_z, unsigned int shared_bytes, CUstream stream,
                        void** parameters, void** extra) {
  return launch_function_of_module(function, {grid_x, grid_y, grid_z}, {block_x, block_y, block_z},
                                   shared_bytes, stream, parameters, extra, false);
}

CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned int grid_x, unsigned int grid_y,
                                   unsigned int grid_z, unsigned int block_x, unsigned int block_y,
                                   unsigned int block_z, unsigned int shared_bytes, CUstream stream,
                                   void** parameters) {
  return launch_function_of_module(function, {grid_x, grid_y, grid_z}, {block_x, block_y, block_z},
                                   shared_bytes, stream, parameters, nullptr, true);
}
