// Libraries beside cuBLAS, as emucc links them.

#include <doctest/doctest.h>

#include <string>

#include "compiler/testing/compile_test.hpp"

namespace {

using namespace emulator::compiler::testing;  // NOLINT: the tests are written in its terms

const std::string emucc = std::string("'") + EMUCC_PROGRAM + "' ";

TEST_CASE("emucc -lcublas links the emulator's, and a library that is not modelled is refused") {
  const Scratch scratch;
  scratch.write("dot.cu", R"(
#include <cublas_v2.h>
#include <cstdio>
int main() {
  float *x, y = 0, h[3] = {1, 2, 3};
  const float one = 1, zero = 0;
  cudaMalloc(&x, sizeof h);
  float* result;
  cudaMalloc(&result, sizeof y);
  cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice);
  cublasHandle_t handle;
  cublasCreate(&handle);
  cublasSgemv(handle, CUBLAS_OP_T, 3, 1, &one, x, 3, x, 1, &zero, result, 1);
  cudaMemcpy(&y, result, sizeof y, cudaMemcpyDeviceToHost);
  printf("%g\n", y);
  cublasDestroy(handle);
}
)");
  const Result result = scratch.run(emucc + "dot.cu -lcublas -lcudart -o dot && ./dot");
  CHECK(result.output == "14\n");
  CHECK(result.errors == "");
  const Result refused = scratch.run(emucc + "dot.cu -lcusolverMg");
  CHECK(refused.status == 2);
  CHECK(refused.errors == "emucc: -lcusolverMg: cuSOLVERMg is not modelled\n");
}

TEST_CASE("emucc -lcutensor links the emulator's") {
  const Scratch scratch;
  scratch.write("turn.cu", R"(
#include <cutensor.h>
#include <cstdio>
int main() {
  float *a, *b, h[6] = {1, 2, 3, 4, 5, 6};
  const float one = 1;
  cudaMalloc(&a, sizeof h);
  cudaMalloc(&b, sizeof h);
  cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
  cutensorHandle_t handle;
  cutensorCreate(&handle);
  const int64_t of_a[] = {2, 3}, of_b[] = {3, 2};
  const int32_t modes_a[] = {'x', 'y'}, modes_b[] = {'y', 'x'};
  cutensorTensorDescriptor_t desc_a, desc_b;
  cutensorCreateTensorDescriptor(handle, &desc_a, 2, of_a, nullptr, CUTENSOR_R_32F, 128);
  cutensorCreateTensorDescriptor(handle, &desc_b, 2, of_b, nullptr, CUTENSOR_R_32F, 128);
  cutensorOperationDescriptor_t turn;
  cutensorCreatePermutation(handle, &turn, desc_a, modes_a, CUTENSOR_OP_IDENTITY, desc_b, modes_b,
                            CUTENSOR_COMPUTE_DESC_32F);
  cutensorPlanPreference_t preference;
  cutensorCreatePlanPreference(handle, &preference, CUTENSOR_ALGO_DEFAULT, CUTENSOR_JIT_MODE_NONE);
  cutensorPlan_t plan;
  cutensorCreatePlan(handle, &plan, turn, preference, 0);
  cutensorPermute(handle, plan, &one, a, b, 0);
  cudaMemcpy(h, b, sizeof h, cudaMemcpyDeviceToHost);
  for (float x : h) printf("%g ", x);
}
)");
  const Result result = scratch.run(emucc + "turn.cu -lcutensor -o turn && ./turn");
  CHECK(result.output == "1 3 5 2 4 6 ");
  CHECK(result.errors == "");
}

}  // namespace

TEST_CASE("emucc -lcufft links the emulator's, or says which package is missing") {
  const Scratch scratch;
  scratch.write("wave.cpp", R"(
#include <cuda_runtime.h>
#include <cufft.h>
#include <cstdio>
int main() {
  float2 *x, h[4] = {{1, 0}, {0, 0}, {2, 0}, {0, 0}};
  cudaMalloc(&x, sizeof h);
  cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice);
  cufftHandle plan;
  cufftPlan1d(&plan, 4, CUFFT_C2C, 1);
  cufftExecC2C(plan, x, x, CUFFT_FORWARD);
  cudaMemcpy(h, x, sizeof h, cudaMemcpyDeviceToHost);
  printf("%g %g\n", h[0].x, h[1].x);
  cufftDestroy(plan);
  cudaFree(x);
}
)");
  const Result result = scratch.run(emucc + "wave.cpp -lcufft -o wave && ./wave");
  if (result.status == 2) {
    CHECK(contains(result.errors, "emucc: -lcufft computes with FFTW, and libfftw3"));
  } else {
    CHECK(result.output == "3 -1\n");
    CHECK(result.errors == "");
  }
}

TEST_CASE("emucc -lcufft_static -lculibos links transforms with callbacks") {
  const Scratch scratch;
  scratch.write("wave.cu", R"(
#include <cstdio>
#include <cufftXt.h>
__device__ cufftReal twice(void* data, size_t offset, void*, void*) {
  return 2 * static_cast<float*>(data)[offset];
}
__device__ cufftCallbackLoadR load = twice;
// What cuFFT does not call here, it only has to know.
cufftJITCallbackStoreZ unused = nullptr;
int main() {
  float* x;
  cudaMallocManaged(&x, 24);
  for (int i = 0; i < 4; ++i) x[i] = i == 1;
  cufftHandle plan;
  cufftPlan1d(&plan, 4, CUFFT_R2C, 1);
  cufftCallbackLoadR function;
  cudaMemcpyFromSymbol(&function, load, sizeof function);
  cufftXtSetCallback(plan, (void**)&function, CUFFT_CB_LD_REAL, nullptr);
  cufftExecR2C(plan, x, (cufftComplex*)x);
  cudaDeviceSynchronize();
  printf("%g %g\n", x[0], x[3]);
  printf("%d\n", cufftXtSetJITCallback(plan, "f", "", 1, CUFFT_CB_LD_REAL, nullptr));
}
)");
  CHECK(scratch.run(emucc + "-dc wave.cu").errors == "");
  const Result result = scratch.run(emucc + "wave.o -lcufft_static -lculibos -o wave && ./wave");
  if (result.status == 2) {
    CHECK(contains(result.errors, "emucc: -lcufft computes with FFTW, and libfftw3"));
  } else {
    CHECK(result.output == "2 -2\n14\n");
    CHECK(result.errors == "emulator: cufftXtSetJITCallback is not modelled\n");
  }
}

TEST_CASE("emucc -lcusolver links the emulator's, whose sparse part needs no other library") {
  const Scratch scratch;
  scratch.write("square_root.cpp", R"(
#include <cuda_runtime.h>
#include <cusolverDn.h>
#include <cusolverRf.h>
#include <cusolverSp.h>
#include <cusolverSp_LOWLEVEL_PREVIEW.h>

#include <cstdio>

int main() {
  double* a = nullptr;
  int* info = nullptr;
  const double host = 49;
  cudaMalloc((void**)&a, 8);
  cudaMalloc((void**)&info, 4);
  cudaMemcpy(a, &host, 8, cudaMemcpyHostToDevice);
  cusolverDnHandle_t handle;
  cusolverDnCreate(&handle);
  int size = 0;
  cusolverDnDpotrf_bufferSize(handle, CUBLAS_FILL_MODE_LOWER, 1, a, 1, &size);
  double* work = nullptr;
  cudaMalloc((void**)&work, size * sizeof(double));
  cusolverDnDpotrf(handle, CUBLAS_FILL_MODE_LOWER, 1, a, 1, work, size, info);
  double root = 0;
  cudaMemcpy(&root, a, 8, cudaMemcpyDeviceToHost);
  std::printf("%g\n", root);
  cusolverSpHandle_t sparse;
  cusolverSpCreate(&sparse);
  cusparseMatDescr_t descriptor;
  cusparseCreateMatDescr(&descriptor);
  const int offsets[] = {0, 1};
  const int indices[] = {0};
  const double b = 98;
  double x = 0;
  int singularity = 0;
  cusolverSpDcsrlsvqrHost(sparse, 1, 1, descriptor, &host, offsets, indices, &b, 0, 0, &x,
                          &singularity);
  std::printf("%g %d\n", x, singularity);
  return cusolverDnLoggerSetLevel(5) == CUSOLVER_STATUS_NOT_SUPPORTED ? 0 : 1;
}
)");
  const Result result =
      scratch.run(emucc + "square_root.cpp -lcusolver -o square_root && ./square_root");
  CHECK(result.status == 0);
  CHECK(result.output == "7\n2 -1\n");
  CHECK(result.errors == "emulator: cusolverDnLoggerSetLevel is not modelled\n");
}

TEST_CASE("emucc -lcusparse links the emulator's") {
  const Scratch scratch;
  scratch.write("gather.cpp", R"(
#include <cusparse_v2.h>
#include <cstdio>
int main() {
  float *x, *y;
  int* indices;
  cudaMallocManaged(&x, 8);
  cudaMallocManaged(&y, 12);
  cudaMallocManaged(&indices, 8);
  for (int i = 0; i < 3; ++i) y[i] = 10 * i;
  indices[0] = 2;
  indices[1] = 1;
  cusparseHandle_t handle;
  cusparseCreate(&handle);
  cusparseSpVecDescr_t sparse;
  cusparseDnVecDescr_t dense;
  cusparseCreateSpVec(&sparse, 3, 2, indices, x, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO,
                      CUDA_R_32F);
  cusparseCreateDnVec(&dense, 3, y, CUDA_R_32F);
  cusparseGather(handle, dense, sparse);
  cudaDeviceSynchronize();
  printf("%g %g\n", x[0], x[1]);
  return cusparseBsrSetStridedBatch(handle) == CUSPARSE_STATUS_NOT_SUPPORTED ? 0 : 1;
}
)");
  const Result result = scratch.run(emucc + "gather.cpp -lcusparse -o gather && ./gather");
  CHECK(result.status == 0);
  CHECK(result.output == "20 10\n");
  CHECK(result.errors == "emulator: cusparseBsrSetStridedBatch is not modelled\n");
}

TEST_CASE("emucc -lnvidia-ml links the emulator's NVML, for C, too") {
  const Scratch scratch;
  scratch.write("clock.c", R"(
#include <nvml.h>
nvmlReturn_t clock_of(nvmlDevice_t device, unsigned* clock) {
  return nvmlDeviceGetClockInfo(device, NVML_CLOCK_SM, clock);
}
)");
  scratch.write("device.cu", R"(
#include <cstdio>
#include <nvml.h>
extern "C" nvmlReturn_t clock_of(nvmlDevice_t device, unsigned* clock);
int main() {
  nvmlDevice_t device;
  char name[NVML_DEVICE_NAME_BUFFER_SIZE];
  unsigned clock;
  if (nvmlInit() != NVML_SUCCESS || nvmlDeviceGetHandleByIndex(0, &device) != NVML_SUCCESS ||
      nvmlDeviceGetName(device, name, sizeof(name)) != NVML_SUCCESS) {
    return 1;
  }
  printf("%s: %s\n", name, nvmlErrorString(clock_of(device, &clock)));
  return nvmlShutdown();
}
)");
  const Result result = scratch.run(emucc + "device.cu clock.c -lnvidia-ml -o device && ./device");
  CHECK(result.status == 0);
  CHECK(result.output == "CUDA emulator: Not Supported\n");
  CHECK(result.errors.empty());
}
