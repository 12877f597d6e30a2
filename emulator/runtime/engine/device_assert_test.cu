/// \file
/// assert() in kernels.

#undef NDEBUG
#include <doctest/doctest.h>
#include <unistd.h>

#include <cassert>
#include <cstdio>
#include <string>

#include "emulator/findings.h"

namespace {

__global__ void below(int limit, int* written) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  assert(i < limit);
  written[i] = 1;
}

/// What the function writes to stderr.
template <class Function>
std::string error_output_of(Function function) {
  std::FILE* const file = std::tmpfile();
  REQUIRE(file != nullptr);
  std::fflush(stderr);
  const int before = dup(STDERR_FILENO);
  dup2(fileno(file), STDERR_FILENO);
  function();
  std::fflush(stderr);
  dup2(before, STDERR_FILENO);
  close(before);
  std::rewind(file);
  std::string text;
  for (int c = 0; (c = std::fgetc(file)) != EOF;) text += static_cast<char>(c);
  std::fclose(file);
  return text;
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
