/// \file
/// assert() in kernels.

#undef NDEBUG
#include <doctest/doctest.h>

#include <cassert>
#include <string>

#include "emulator/findings.h"
#include "engine/error_output_test.hpp"

namespace {

__global__ void below(int limit, int* written) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  assert(i < limit);
  written[i] = 1;
}

}  // namespace

TEST_CASE("a failed assertion in a kernel is cudaErrorAssert") {
  emulator::set_checking(false);
  int* written = nullptr;
  REQUIRE(cudaMalloc(&written, 64 * sizeof(int)) == cudaSuccess);
  below<<<2, 32>>>(64, written);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);

  cudaError_t error = cudaSuccess;
  const std::string said = error_output_of([&] {
    below<<<2, 32>>>(60, written);
    error = cudaDeviceSynchronize();
  });
  CHECK(error == cudaErrorAssert);
  CHECK(said.find("block: [1,0,0], thread: [28,0,0] Assertion `i < limit` failed.\n") !=
        std::string::npos);
  CHECK(cudaMalloc(&written, 4) == cudaErrorAssert);
  CHECK(cudaDeviceReset() == cudaSuccess);
  CHECK(cudaMalloc(&written, 4) == cudaSuccess);
  cudaDeviceReset();
}
