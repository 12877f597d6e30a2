/// \file
/// What programs that use the runtime API ask of the driver beside it, and how they find the
/// functions for that.

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

#include "base/host_state.hpp"
#include "cuda.h"
#include "emulator/host/host_api.h"
#include "graphs/issued_copies.hpp"
#include "streams/copy_tasks.hpp"

namespace emulator::api {
namespace {

struct Function {
  std::string_view name;
  void* address;
  unsigned since;  // which version of CUDA has it
};

template <class Pointer>
Function function(std::string_view name, Pointer pointer, unsigned since) {
  return {name, reinterpret_cast<void*>(pointer), since};
}

const Function* find_function(std::string_view name) {
  static const std::array functions = {
      function("cuGetErrorName", &cuGetErrorName, 6000),
      function("cuGetErrorString", &cuGetErrorString, 6000),
      function("cuMemsetD8", &cuMemsetD8, 3020),
      function("cuMemsetD16", &cuMemsetD16, 3020),
      function("cuMemsetD32", &cuMemsetD32, 3020),
      function("cuMemsetD8Async", &cuMemsetD8Async, 3020),
      function("cuMemsetD16Async", &cuMemsetD16Async, 3020),
      function("cuMemsetD32Async", &cuMemsetD32Async, 3020),
      function("cuTensorMapEncodeTiled", &cuTensorMapEncodeTiled, 12000),
      function("cuTensorMapReplaceAddress", &cuTensorMapReplaceAddress, 12000),
  };
  const auto* const found = std::find_if(functions.begin(), functions.end(),
                                         [&](const Function& one) { return one.name == name; });
  return found == functions.end() ? nullptr : &*found;
}

CUresult set_elements(const char* call, CUdeviceptr to, unsigned value, unsigned element,
                      std::size_t count, cudaStream_t stream, Form form) {
  if (count == 0) return CUDA_SUCCESS;
  if (to % element != 0) return CUDA_ERROR_INVALID_VALUE;
  // NOLINTNEXTLINE(performance-no-int-to-ptr): CUdeviceptr is a number
  auto* const memory = reinterpret_cast<unsigned char*>(static_cast<std::uintptr_t>(to));
  const SetTask task{
      call, {memory, 0, 0, 0}, static_cast<int>(value), {count * element, 1, 1}, element};
  return static_cast<CUresult>(device_call([&] { return set_in_stream(task, stream, form); }));
}

}  // namespace
}  // namespace emulator::api

using namespace emulator::api;  // NOLINT: what follows is the driver's, in no namespace

CUresult cuGetErrorName(CUresult result, const char** text) {
  if (text == nullptr) return CUDA_ERROR_INVALID_VALUE;
  switch (result) {
#define EMULATOR_RESULT(name, value) \
  case name:                         \
    *text = #name;                   \
    return CUDA_SUCCESS;
#include "emulator/host/driver_results.inc"
#undef EMULATOR_RESULT
  }
  *text = nullptr;
  return CUDA_ERROR_INVALID_VALUE;
}

CUresult cuGetErrorString(CUresult result, const char** text) {
  const CUresult known = cuGetErrorName(result, text);
  if (known == CUDA_SUCCESS) *text = cudaGetErrorString(static_cast<cudaError_t>(result));
  return known;
}

CUresult cuMemsetD8(CUdeviceptr to, unsigned char value, std::size_t count) {
  return set_elements("cuMemsetD8", to, value, 1, count, nullptr, Form::plain);
}
CUresult cuMemsetD16(CUdeviceptr to, unsigned short value, std::size_t count) {
  return set_elements("cuMemsetD16", to, value, 2, count, nullptr, Form::plain);
}
CUresult cuMemsetD32(CUdeviceptr to, unsigned int value, std::size_t count) {
  return set_elements("cuMemsetD32", to, value, 4, count, nullptr, Form::plain);
}
CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, std::size_t count, CUstream stream) {
  return set_elements("cuMemsetD8Async", to, value, 1, count, stream, Form::asynchronous);
}
CUresult cuMemsetD16Async(CUdeviceptr to, unsigned short value, std::size_t count,
                          CUstream stream) {
  return set_elements("cuMemsetD16Async", to, value, 2, count, stream, Form::asynchronous);
}
CUresult cuMemsetD32Async(CUdeviceptr to, unsigned int value, std::size_t count, CUstream stream) {
  return set_elements("cuMemsetD32Async", to, value, 4, count, stream, Form::asynchronous);
}

cudaError_t cudaGetDriverEntryPointByVersion(const char* symbol, void** function,
                                             unsigned int version, unsigned long long flags,
                                             cudaDriverEntryPointQueryResult* status) {
  if (symbol == nullptr || function == nullptr || flags > cudaEnablePerThreadDefaultStream) {
    return report(cudaErrorInvalidValue);
  }
  const Function* const found = find_function(symbol);
  const auto result = found == nullptr         ? cudaDriverEntryPointSymbolNotFound
                      : version < found->since ? cudaDriverEntryPointVersionNotSufficent
                                               : cudaDriverEntryPointSuccess;
  *function = result == cudaDriverEntryPointSuccess ? found->address : nullptr;
  if (status != nullptr) *status = result;
  return cudaSuccess;
}

cudaError_t cudaGetDriverEntryPoint(const char* symbol, void** function, unsigned long long flags,
                                    cudaDriverEntryPointQueryResult* status) {
  return cudaGetDriverEntryPointByVersion(symbol, function, EMULATOR_CUDA_VERSION, flags, status);
}
