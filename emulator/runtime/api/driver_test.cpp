// What there is of the driver's API: functions by name, texts of errors, and setting memory.

#include <doctest/doctest.h>

#include <cstdint>
#include <cstring>
#include <vector>

#include "cuda.h"
#include "tests/support/host_test.hpp"

namespace {

std::string text_of(CUresult (*function)(CUresult, const char**), CUresult result) {
  const char* text = "";
  const CUresult known = function(result, &text);
  return known == CUDA_SUCCESS ? text : text == nullptr ? "none" : "wrong";
}

}  // namespace

TEST_CASE("the driver: functions by name") {
  void* function = nullptr;
  cudaDriverEntryPointQueryResult status{};
  CHECK(cudaGetDriverEntryPointByVersion("cuTensorMapNothing", &function, 12000, cudaEnableDefault,
                                         &status) == cudaSuccess);
  CHECK(status == cudaDriverEntryPointSymbolNotFound);
  CHECK(function == nullptr);
  CHECK(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function, 11000,
                                         cudaEnableDefault, &status) == cudaSuccess);
  CHECK(status == cudaDriverEntryPointVersionNotSufficent);
  CHECK(cudaGetDriverEntryPointByVersion(nullptr, &function, 12000, cudaEnableDefault, &status) ==
        cudaErrorInvalidValue);
  static_cast<void>(cudaGetLastError());
  CHECK(cudaGetDriverEntryPoint("cuGetErrorString", &function, cudaEnableDefault, &status) ==
        cudaSuccess);
  CHECK(function == reinterpret_cast<void*>(&cuGetErrorString));
}

TEST_CASE("the driver: names and texts of results") {
  CHECK(text_of(&cuGetErrorName, CUDA_ERROR_INVALID_VALUE) == "CUDA_ERROR_INVALID_VALUE");
  CHECK(text_of(&cuGetErrorString, CUDA_ERROR_INVALID_VALUE) == "invalid argument");
  CHECK(text_of(&cuGetErrorString, CUDA_SUCCESS) == "no error");
  CHECK(text_of(&cuGetErrorName, static_cast<CUresult>(77)) == "none");
  CHECK(text_of(&cuGetErrorString, static_cast<CUresult>(77)) == "none");
  CHECK(cuGetErrorString(CUDA_SUCCESS, nullptr) == CUDA_ERROR_INVALID_VALUE);
}

TEST_CASE("the driver: memory is set by elements") {
  unsigned* memory = nullptr;
  REQUIRE(cudaMalloc(&memory, 8 * sizeof(unsigned)) == cudaSuccess);
  const auto address = reinterpret_cast<CUdeviceptr>(memory);
  CHECK(cuMemsetD32(address, 0x12345678, 8) == CUDA_SUCCESS);
  CHECK(cuMemsetD16(address + 4, 0xABCD, 2) == CUDA_SUCCESS);
  CHECK(cuMemsetD8Async(address + 9, 0xEE, 2, nullptr) == CUDA_SUCCESS);
  CHECK(cuMemsetD32Async(address + 16, 7, 1, nullptr) == CUDA_SUCCESS);
  CHECK(cuMemsetD16Async(address + 20, 8, 2, nullptr) == CUDA_SUCCESS);
  std::vector<unsigned> words(8);
  REQUIRE(cudaMemcpy(words.data(), memory, 32, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(words == std::vector<unsigned>{0x12345678, 0xABCDABCD, 0x12EEEE78, 0x12345678, 7, 0x80008,
                                       0x12345678, 0x12345678});
  CHECK(cuMemsetD32(address + 2, 0, 1) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMemsetD32(address, 0, 9) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMemsetD8(0, 0, 1) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMemsetD8(0, 0, 0) == CUDA_SUCCESS);
  static_cast<void>(cudaGetLastError());
  CHECK(cudaFree(memory) == cudaSuccess);
}
