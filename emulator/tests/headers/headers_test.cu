/// \file
/// The smaller headers of CUDA's toolkit, and what programs ask of them. nvcc also compiles this
/// file.

#include <builtin_types.h>
#include <channel_descriptor.h>
#include <cuComplex.h>
#include <cublasLt.h>
#include <cuda_profiler_api.h>
#include <doctest/doctest.h>
#include <math_constants.h>
#include <nvtx3/nvToolsExt.h>
#include <nvtx3/nvToolsExtCudaRt.h>
#include <texture_types.h>

#include <cmath>
#include <complex>

namespace {

__global__ void use(cuFloatComplex* results, float* constants) {
  const cuFloatComplex a = make_cuFloatComplex(3, 4);
  const cuFloatComplex b = make_cuFloatComplex(-1, 2);
  results[0] = cuCmulf(a, b);
  results[1] = cuCdivf(a, b);
  results[2] = cuCfmaf(a, b, cuConjf(a));
  results[3] = cuCsubf(cuCaddf(a, b), a);
  constants[0] = cuCabsf(a);
  constants[1] = CUDART_PI_F;
  constants[2] = CUDART_INF_F;
  constants[3] = CUDART_NAN_F;
}

}  // namespace

// Public programs decide by these what they may use.
#if !defined(__DRIVER_TYPES_H__) || !defined(__CUDA_RUNTIME_H__) || !defined(CUBLAS_API_H_)
#error "a guard that programs look for is missing"
#endif

TEST_CASE("complex numbers and constants serve kernels") {
  cuFloatComplex* results = nullptr;
  float* constants = nullptr;
  REQUIRE(cudaMallocManaged(&results, 4 * sizeof(cuFloatComplex)) == cudaSuccess);
  REQUIRE(cudaMallocManaged(&constants, 4 * sizeof(float)) == cudaSuccess);
  use<<<1, 1>>>(results, constants);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  const std::complex<float> a{3, 4};
  const std::complex<float> b{-1, 2};
  const std::complex<float> expected[] = {a * b, a / b, a * b + std::conj(a), b};
  for (int i = 0; i < 4; ++i) {
    CHECK(results[i].x == doctest::Approx(expected[i].real()));
    CHECK(results[i].y == doctest::Approx(expected[i].imag()));
  }
  CHECK(constants[0] == 5.0F);
  CHECK(constants[1] == 3.14159274F);
  CHECK(std::isinf(constants[2]));
  CHECK(std::isnan(constants[3]));
  cudaFree(results);
  cudaFree(constants);
}

TEST_CASE("double complex numbers serve the host") {
  const cuDoubleComplex huge = make_cuDoubleComplex(1e200, 1e200);
  const cuDoubleComplex one = cuCdiv(huge, huge);
  CHECK(one.x == doctest::Approx(1));
  CHECK(one.y == doctest::Approx(0));
  CHECK(cuCabs(huge) == doctest::Approx(1e200 * std::sqrt(2.0)));
  CHECK(cuCreal(cuComplexFloatToDouble(make_cuComplex(2, 3))) == 2);
  CHECK(CUDART_PI == 3.141592653589793);
}

TEST_CASE("profilers that are not there are told nothing") {
  CHECK(cudaProfilerStart() == cudaSuccess);
  CHECK(cudaProfilerStop() == cudaSuccess);
  nvtxRangePushA("range");
  nvtxMarkA("mark");
  nvtxRangePop();
  nvtxNameCudaStreamA(nullptr, "stream");
}

TEST_CASE("cuBLASLt's handles are made") {
  cublasLtHandle_t handle = nullptr;
  REQUIRE(cublasLtCreate(&handle) == CUBLAS_STATUS_SUCCESS);
  CHECK(cublasLtDestroy(handle) == CUBLAS_STATUS_SUCCESS);
}
