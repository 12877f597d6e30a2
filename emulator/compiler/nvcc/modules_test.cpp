// Modules of the driver API: made by emucc -cubin, or by NVRTC while the program runs.

#include <doctest/doctest.h>

#include <string>

#include "compiler/testing/compile_test.hpp"

namespace {

using namespace emulator::compiler::testing;  // NOLINT: the tests are written in its terms

const std::string emucc = std::string("'") + EMUCC_PROGRAM + "' ";

constexpr const char* kernels = R"(
__constant__ float step = 1;
static __device__ short own[3];
extern "C" __global__ void add(char skipped, const float* x, float* y, int n) {
  __shared__ float first;
  if (threadIdx.x == 0) first = x[0];
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] + step + first + own[2];
}
template <class T> __global__ void nobody(T*) {}
)";

}  // namespace

TEST_CASE("emucc -cubin makes a module that a program loads") {
  const Scratch scratch;
  scratch.write("kernels.cu", kernels);
  scratch.write("main.cpp", R"(
#include <cuda.h>
#include <cstdio>
#include <cstring>
int main() {
  CUdevice device;
  CUcontext context;
  CUmodule module;
  CUfunction add;
  int before = cuDeviceGet(&device, 0);
  cuInit(0);
  cuDeviceGet(&device, 0);
  cuCtxCreate(&context, nullptr, 0, device);
  int loaded = cuModuleLoad(&module, "kernels.cubin");
  int none = cuModuleGetFunction(&add, module, "nobody");
  int found = cuModuleGetFunction(&add, module, "add");
  printf("%d %d %d %d\n", before, loaded, none, found);
  CUdeviceptr step, x, y;
  size_t bytes = 0, at = 0;
  cuModuleGetGlobal(&step, &bytes, module, "step");
  cuFuncGetParamInfo(add, 3, &at, nullptr);
  printf("%zu %zu ", bytes, at);
  printf("%d ", cuModuleGetGlobal(nullptr, &bytes, module, "own"));
  printf("%zu\n", bytes);
  float values[300], half = 0.5f;
  for (int i = 0; i < 300; ++i) values[i] = 2 + i;
  cuMemAlloc(&x, sizeof values);
  cuMemAlloc(&y, sizeof values);
  cuMemcpyHtoD(x, values, sizeof values);
  int n = 300;
  char skipped = 0;
  void* arguments[] = {&skipped, &x, &y, &n};
  int launched = cuLaunchKernel(add, 3, 1, 1, 128, 1, 1, 0, nullptr, arguments, nullptr);
  cuCtxSynchronize();
  cuMemcpyDtoH(values, y, sizeof values);
  printf("%d %g\n", launched, values[299]);
  cuMemcpyHtoD(step, &half, sizeof half);
  char buffer[28];
  memcpy(buffer + 8, &x, 8);
  memcpy(buffer + 16, &y, 8);
  memcpy(buffer + 24, &n, 4);
  size_t size = sizeof buffer;
  void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, buffer, CU_LAUNCH_PARAM_BUFFER_SIZE, &size,
                   CU_LAUNCH_PARAM_END};
  launched = cuLaunchKernel(add, 3, 1, 1, 128, 1, 1, 0, nullptr, nullptr, extra);
  cuMemcpyDtoH(values, y, sizeof values);
  printf("%d %g\n", launched, values[299]);
  size = 24;
  printf("%d ", cuLaunchKernel(add, 3, 1, 1, 128, 1, 1, 0, nullptr, nullptr, extra));
  printf("%d ", cuLaunchKernel(add, 3, 1, 1, 1025, 1, 1, 0, nullptr, arguments, nullptr));
  printf("%d\n", cuModuleUnload(module));
}
)");
  REQUIRE(scratch.run(emucc + "-cubin kernels.cu").errors == "");
  const Result result = scratch.run(emucc + "main.cpp -o main -lcuda && ./main");
  CHECK(result.errors == "");
  CHECK(result.output == "3 0 500 0\n4 24 0 6\n0 304\n0 303.5\n1 1 0\n");
}

TEST_CASE("emucc -lnvrtc: a program compiles kernels") {
  const Scratch scratch;
  scratch.write("main.cpp", R"(
#include <cuda.h>
#include <nvrtc.h>
#include <cstdio>
#include <string>
int main() {
  const char* source = "#include \"two.h\"\n"
                       "template <class T> __global__ void fill(T* x) { x[threadIdx.x] = two; }";
  const char* header = "constexpr int two = 2;";
  const char* name = "two.h";
  const char* options[] = {"--gpu-architecture=compute_90"};
  nvrtcProgram program;
  nvrtcCreateProgram(&program, source, "fill.cu", 1, &header, &name);
  nvrtcAddNameExpression(program, "fill<int>");
  const char* lowered = nullptr;
  printf("%d ", nvrtcGetLoweredName(program, "fill<int>", &lowered));
  printf("%d ", nvrtcCompileProgram(program, 1, options));
  size_t bytes = 0;
  nvrtcGetCUBINSize(program, &bytes);
  std::string image(bytes, 0);
  nvrtcGetCUBIN(program, image.data());
  nvrtcGetLoweredName(program, "fill<int>", &lowered);
  cuInit(0);
  CUmodule module;
  CUfunction fill;
  cuModuleLoadData(&module, image.data());
  printf("%d ", cuModuleGetFunction(&fill, module, lowered));
  nvrtcDestroyProgram(&program);
  int* x;
  cudaMallocManaged(&x, 32 * sizeof *x);
  void* arguments[] = {&x};
  cuLaunchKernel(fill, 1, 1, 1, 32, 1, 1, 0, nullptr, arguments, nullptr);
  cuCtxSynchronize();
  printf("%d\n", x[31]);
  nvrtcCreateProgram(&program, "__global__ void wrong() { return 1 }", nullptr, 0, nullptr, nullptr);
  const nvrtcResult result = nvrtcCompileProgram(program, 0, nullptr);
  nvrtcGetProgramLogSize(program, &bytes);
  std::string log(bytes, 0);
  nvrtcGetProgramLog(program, log.data());
  printf("%s %d\n", nvrtcGetErrorString(result), log.find("default_program.cu:1") != std::string::npos);
}
)");
  const Result result = scratch.run(emucc + "main.cpp -o main -lnvrtc -lcuda && ./main");
  CHECK(result.errors == "");
  CHECK(result.output == "9 0 0 2\nNVRTC_ERROR_COMPILATION 1\n");
}

TEST_CASE("emucc: a program loads several modules, each with variables of its own") {
  const Scratch scratch;
  scratch.write("number.cu", R"(
template <class T> __device__ T number = NUMBER;
extern "C" __global__ void get(int* x) { *x = number<int>; }
)");
  scratch.write("main.cpp", R"(
#include <cuda.h>
#include <cuda_runtime.h>
#include <cstdio>
int main() {
  int* x;
  cudaMallocManaged(&x, sizeof(int));
  CUmodule before = nullptr;
  for (const char* file : {"one", "two", "one", "two"}) {
    CUmodule module;
    CUfunction get;
    void* arguments[] = {&x};
    printf("%d ", cuModuleLoad(&module, file));
    cuModuleGetFunction(&get, module, "get");
    cuLaunchKernel(get, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr);
    cuCtxSynchronize();
    printf("%d, ", *x);
    if (before != nullptr) cuModuleUnload(before);
    before = module;
  }
  cudaFree(x);
}
)");
  REQUIRE(scratch.run(emucc + "-cubin number.cu -DNUMBER=1 -o one").errors == "");
  REQUIRE(scratch.run(emucc + "-cubin number.cu -DNUMBER=2 -o two").errors == "");
  REQUIRE(scratch.run(emucc + "main.cpp -o main -lcuda").errors == "");
  CHECK(scratch.run("./main").output == "0 1, 0 2, 0 1, 0 2, ");
}

TEST_CASE("emucc: threads of a module's kernel that poll what others write take turns") {
  const Scratch scratch;
  scratch.write("polls.cu", R"(
extern "C" __global__ void poll(volatile int* flag, int* seen) {
  if (threadIdx.x == 1) *flag = 7;
  if (threadIdx.x != 0) return;
  while (*flag == 0) {
  }
  *seen = *flag;
}
)");
  scratch.write("main.cpp", R"(
#include <cuda.h>
#include <cuda_runtime.h>
#include <cstdio>
int main() {
  int* x;
  cudaMallocManaged(&x, 2 * sizeof(int));
  for (int turn = 0; turn < 2; ++turn) {
    CUmodule module;
    CUfunction poll;
    int loaded = cuModuleLoad(&module, "polls.cubin");
    cuModuleGetFunction(&poll, module, "poll");
    x[0] = x[1] = 0;
    int* seen = x + 1;
    void* arguments[] = {&x, &seen};
    int launched = cuLaunchKernel(poll, 1, 1, 1, 2, 1, 1, 0, nullptr, arguments, nullptr);
    cuCtxSynchronize();
    printf("%d %d %d ", loaded, launched, *seen);
    cuModuleUnload(module);
  }
  cudaFree(x);
}
)");
  REQUIRE(scratch.run(emucc + "-cubin polls.cu").errors == "");
  REQUIRE(scratch.run(emucc + "main.cpp -o main -lcuda").errors == "");
  // A process that waits forever must not outlive the test.
  CHECK(scratch.run("timeout -s KILL 60 ./main").output == "0 0 7 0 0 7 ");
  // The module has nothing to record where the program has.
  REQUIRE(scratch.run(emucc + "--look main.cpp -o look -lcuda").errors == "");
  CHECK(scratch.run("EMULATOR_CHECK=1 timeout -s KILL 60 ./look").output == "0 0 7 0 0 7 ");
}
