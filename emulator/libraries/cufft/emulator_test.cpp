// What the emulator says of cuFFT's calls, which a GPU does not.

#include <cufft.h>
#include <doctest/doctest.h>

#include <string>

#include "emulator/findings.h"

namespace {

std::string findings_of(std::size_t elements, std::size_t written) {
  emulator::clear_findings();
  emulator::set_checking(true);
  cufftComplex* data = nullptr;
  REQUIRE(cudaMalloc(reinterpret_cast<void**>(&data), elements * sizeof *data) == cudaSuccess);
  REQUIRE(cudaMemset(data, 0, written * sizeof *data) == cudaSuccess);
  cufftHandle plan = 0;
  REQUIRE(cufftPlan1d(&plan, 4, CUFFT_C2C, 2) == CUFFT_SUCCESS);
  CHECK(cufftExecC2C(plan, data, data, CUFFT_FORWARD) == CUFFT_SUCCESS);
  CHECK(cufftDestroy(plan) == CUFFT_SUCCESS);
  cudaFree(data);
  emulator::set_checking(false);
  std::string text;
  for (const emulator::Finding& finding : emulator::findings()) text += finding.what + "\n";
  emulator::clear_findings();
  return text;
}

}  // namespace

TEST_CASE("cuFFT: a transform of what nobody has written is a finding") {
  CHECK(findings_of(8, 8).empty());
  const std::string text = findings_of(8, 7);
  CHECK(text.find("cufftExecC2C reads as idata ") != std::string::npos);
}

// NVIDIA's cuFFT 12 on an H200 returned CUFFT_SUCCESS for each of these. What it then does is for
// nobody to count on: the null pointer cost the context.
TEST_CASE(
    "cuFFT: what NVIDIA's lets pass is refused: a side below 0, no data, another type's plan") {
  cufftHandle plan = 0;
  CHECK(cufftPlan2d(&plan, 8, -1, CUFFT_C2C) == CUFFT_INVALID_SIZE);
  cufftComplex* data = nullptr;
  REQUIRE(cudaMalloc(reinterpret_cast<void**>(&data), 8 * sizeof *data) == cudaSuccess);
  REQUIRE(cufftPlan1d(&plan, 8, CUFFT_C2C, 1) == CUFFT_SUCCESS);
  CHECK(cufftExecC2C(plan, nullptr, data, CUFFT_FORWARD) == CUFFT_INVALID_VALUE);
  CHECK(cufftExecR2C(plan, reinterpret_cast<float*>(data), data) == CUFFT_INVALID_VALUE);
  CHECK(cufftDestroy(plan) == CUFFT_SUCCESS);
  CHECK(cudaFree(data) == cudaSuccess);
}

TEST_CASE("cuFFT: what does not fit its allocation fails as a kernel's illegal access does") {
  cufftComplex* data = nullptr;
  REQUIRE(cudaMalloc(reinterpret_cast<void**>(&data), 7 * sizeof *data) == cudaSuccess);
  cufftHandle plan = 0;
  REQUIRE(cufftPlan1d(&plan, 4, CUFFT_C2C, 2) == CUFFT_SUCCESS);
  CHECK(cufftExecC2C(plan, data, data, CUFFT_FORWARD) == CUFFT_EXEC_FAILED);
  CHECK(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
  CHECK(cudaDeviceReset() == cudaSuccess);
}
