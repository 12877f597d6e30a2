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

TEST_CASE("cuFFT: what does not fit its allocation fails as a kernel's illegal access does") {
  cufftComplex* data = nullptr;
  REQUIRE(cudaMalloc(reinterpret_cast<void**>(&data), 7 * sizeof *data) == cudaSuccess);
  cufftHandle plan = 0;
  REQUIRE(cufftPlan1d(&plan, 4, CUFFT_C2C, 2) == CUFFT_SUCCESS);
  CHECK(cufftExecC2C(plan, data, data, CUFFT_FORWARD) == CUFFT_EXEC_FAILED);
  CHECK(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
  CHECK(cudaDeviceReset() == cudaSuccess);
}
