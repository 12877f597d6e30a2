// Runs emucc as a reader would, on little programs in a folder of their own.

#include <doctest/doctest.h>

#include <string>

#include "compiler/nvcc/options.hpp"
#include "compiler/testing/compile_test.hpp"

namespace {

using emulator::compiler::nvcc::Arguments;
using emulator::compiler::nvcc::split_list;
using namespace emulator::compiler::testing;  // NOLINT: the tests are written in its terms

const std::string emucc = std::string("'") + EMUCC_PROGRAM + "' ";
const std::string build_folder = EMUCC_BUILD_FOLDER;

const std::string vectors = R"(
#include <cstdio>
#include <cstdlib>
__global__ void add(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] += a[i];
}
int main(int argc, char** argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 1000;
  float *a, *b;
  cudaMallocManaged(&a, n * sizeof(float));
  cudaMallocManaged(&b, n * sizeof(float));
  for (int i = 0; i < n; i++) { a[i] = i; b[i] = 1; }
  add<<<(n + 255) / 256, 256>>>(a, b, n);
  cudaDeviceSynchronize();
  printf("last %g\n", b[n - 1]);
  cudaFree(a);
  cudaFree(b);
  return argc > 2 ? atoi(argv[2]) : 0;
}
)";

TEST_CASE("emucc: a fast program, and one that is instrumented") {
  const Scratch scratch;
  scratch.write("with space/vectors.cu", vectors);
  const std::string source = " 'with space/vectors.cu' ";
  Result result = scratch.run(emucc + "-arch=sm_80 -O3" + source + "-o vectors && ./vectors 77");
  CHECK(result.errors == "");
  CHECK(result.output == "last 77\n");

  // It says so before main() when it cannot show what is asked for.
  for (const std::string setting :
       {"EMULATOR_CHECK=1", "EMULATOR_TRAFFIC=1", "EMULATOR_REPORT=r"}) {
    result = scratch.run(setting + " ./vectors 77");
    CHECK(result.status == 2);
    CHECK(result.output == "");
    CHECK(contains(result.errors, "emucc --look"));
  }
  CHECK(scratch.run("EMULATOR_CHECK=0 ./vectors").status == 0);

  result = scratch.run(emucc + "--look" + source + "-o look && EMULATOR_TRAFFIC=1 ./look 77");
  CHECK(result.status == 0);
  CHECK(contains(result.output, "vectors.cu"));
  CHECK(contains(result.output, "b[i] += a[i];"));
}

TEST_CASE("emucc --run: arguments, exit status, signals, nothing left behind") {
  const Scratch scratch;
  scratch.write("vectors.cu", vectors);
  scratch.write("tmp/.keep", "");
  Result result = scratch.run("TMPDIR=$PWD/tmp " + emucc + "--run vectors.cu 5 7");
  CHECK(result.output == "last 5\n");
  CHECK(result.status == 7);

  scratch.write("wait.cu",
                "#include <unistd.h>\n#include <cstdio>\n"
                "int main() { puts(\"waits\"); fflush(stdout); sleep(60); }\n");
  scratch.write("interrupt.sh",
                "TMPDIR=$PWD/tmp " + emucc +
                    "--run wait.cu > out & p=$!\n"
                    "for i in $(seq 300); do grep -qs waits out && break; sleep 0.1; "
                    "done\nkill -TERM $p; wait $p; echo status $?\n");
  result = scratch.run("bash interrupt.sh");
  CHECK(contains(result.output, "status 143"));
  CHECK(scratch.run("ls tmp").output == "");
}

TEST_CASE("emucc: times between events are said once to be the emulator's") {
  const Scratch scratch;
  scratch.write("timed.cu",
                "int main() {\n"
                "  cudaEvent_t a, b;\n"
                "  cudaEventCreate(&a);\n  cudaEventCreate(&b);\n"
                "  cudaEventRecord(a);\n  cudaEventRecord(b);\n"
                "  float ms = 0;\n"
                "  for (int k = 0; k < 2; ++k) cudaEventElapsedTime(&ms, a, b);\n"
                "}\n");
  const Result result = scratch.run(emucc + "--run timed.cu");
  CHECK(result.status == 0);
  CHECK(result.output == "");
  CHECK(result.errors ==
        "emulator: times between events are the emulator's on this CPU: they say nothing about a "
        "GPU\n");
}

TEST_CASE("emucc: device functions and variables of other files, host code, libraries") {
  const Scratch scratch;
  scratch.write("main.cu", R"(
#include <cstdio>
extern __device__ float twice(float x);
extern __device__ int counter;
extern __constant__ float table[4];
void fill();
int of_the_host(int);
__global__ void k(float* out) {
  out[threadIdx.x] = twice(threadIdx.x) + table[threadIdx.x % 4];
  atomicAdd(&counter, 1);
}
int main() {
  fill();
  float *d, h[32];
  int c;
  cudaMalloc(&d, sizeof h);
  k<<<1, 32>>>(d);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  cudaMemcpyFromSymbol(&c, counter, sizeof c);
  printf("%g %d %d\n", h[31], c, of_the_host(4));
}
)");
  scratch.write("part.cu", R"(
__device__ int counter;
__constant__ float table[4];
__device__ float twice(float x) { return 2 * x; }
void fill() { float t[4] = {1, 2, 3, 4}; cudaMemcpyToSymbol(table, t, sizeof t); }
)");
  scratch.write("host.cpp",
                "#include <cuda_runtime.h>\nint of_the_host(int x) { return x * x; }\n");
  const std::string expected = "66 32 16\n";
  Result result = scratch.run(emucc + "-rdc=true main.cu part.cu host.cpp -o one && ./one");
  CHECK(result.output == expected);
  CHECK(result.errors == "");

  result =
      scratch.run(emucc + "-dc main.cu part.cu && " + emucc + "-lib host.cpp -o libhost.a && " +
                  emucc + "main.o part.o -L. -lhost -lcudart -o two && ./two");
  CHECK(result.output == expected);
  CHECK(result.errors == "");
}

// nvcc takes these names, and programs give them: -DN=1024. (T and U are templates' in its own
// headers.)
TEST_CASE("emucc: macros of one letter do no harm to the headers") {
  const Scratch scratch;
  scratch.write("letters.cu", R"(
#include <cooperative_groups.h>
#include <cuda_fp16.h>
#include <curand_kernel.h>
#include <mma.h>
#include <cstdio>
#include <cuda/ptx>
int main() { std::printf("%d\n", N * M); }
)");
  std::string macros;
  for (const char letter : std::string("ABCDEFGHIJKLMNOPQRSVWXYZ")) {
    macros += std::string("-D") + letter + "=7 ";
  }
  const Result result = scratch.run(emucc + macros + "--run letters.cu");
  CHECK(result.output == "49\n");
  CHECK(result.errors == "");
}

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

TEST_CASE("emucc: wrong usage is one line and status 2; wrong programs are g++'s to explain") {
  const Scratch scratch;
  scratch.write("a.cu", "int main() { return missing; }\n");
  scratch.write("b.cu", "int main() {}\n");
  const auto refuses = [&](const std::string& arguments, const std::string& line) {
    const Result result = scratch.run(emucc + arguments);
    CAPTURE(arguments);
    CHECK(result.status == 2);
    CHECK(result.errors == "emucc: " + line + "\n");
  };
  refuses("", "no source given (see --help)");
  refuses("none.cu", "cannot read 'none.cu'");
  refuses("a.cu -o a.cu", "-o a.cu would overwrite the source");
  refuses("a.cu -o", "-o: its value is missing");
  refuses("a.cu -std=c++98", "-std=c++98: want c++11, c++14, c++17, c++20 or c++23");
  refuses("-c a.cu b.cu -o x.o", "-c with -o wants one source, not 2");
  refuses("a.txt",
          "'a.txt': neither a source (.cu .cpp .cc .cxx .c) nor an object or library (.o .a .so)");
  refuses("-ptx a.cu",
          "-ptx: there is no device code: kernels become part of the program's machine code");
  refuses("-cubin a.cu b.cu", "-cubin and -fatbin want one source, and nothing else");
  refuses("-Wall a.cu",
          "unknown option '-Wall' (see --help; for g++'s own, write -Xcompiler -Wall)");
  refuses("-ccbin clang++-none a.cu", "-ccbin clang++-none: cannot be run");

  Result result = scratch.run(emucc + "a.cu");
  CHECK(result.status == 1);
  CHECK(contains(result.errors, "a.cu:1:"));
  CHECK(contains(result.errors, "missing"));
  CHECK_FALSE(scratch.has("a.out"));
  scratch.write("c.cu",
                "#include <cuda.h>\nint main() { return cuLinkCreate(CUDA_VERSION) + cube; }\n");
  result = scratch.run(emucc + "c.cu");
  CHECK(contains(result.errors,
                 "emucc: cuLinkCreate(): this part of the driver API is not modelled\n"));
  CHECK_FALSE(contains(result.errors, "emucc: cube"));
  refuses("-arch=fast a.cu", "-arch fast: want sm_90, compute_80, native or the like");
}

TEST_CASE("emucc: a program is not linked statically, and one that is says why it cannot run") {
  const Scratch scratch;
  scratch.write("set.cu", R"(#include <stdio.h>
__global__ void set(int* x) { *x = 42; }
int main() {
  int* x;
  cudaMallocManaged(&x, sizeof(int));
  set<<<1, 1>>>(x);
  cudaDeviceSynchronize();
  printf("%d\n", *x);
}
)");
  const std::string why =
      ": the runtime stands before functions of the C library, and finds them in a shared one "
      "only\n";
  const auto refuses = [&](const std::string& arguments, const std::string& option) {
    const Result result = scratch.run(emucc + arguments);
    CAPTURE(arguments);
    CHECK(result.status == 2);
    CHECK(result.errors == "emucc: " + option + why);
  };
  refuses("set.cu -static", "-static");
  refuses("set.cu -Xcompiler -O3,-static", "-static");
  refuses("set.cu -Xcompiler -static-pie", "-static-pie");
  refuses("-forward-unknown-to-host-compiler set.cu -static-pie", "-static-pie");
  // An object is the same whatever it is linked into.
  REQUIRE(scratch.run(emucc + "-Xcompiler -static -c set.cu").errors == "");
  CHECK(scratch.run(emucc + "set.o -o set && ./set").output == "42\n");

  // Build systems link by themselves.
  const std::string toolkit = build_folder + "/emulator/toolkit/lib64";
  if (scratch.run("g++ -static set.o -L'" + toolkit + "' -lcudart_static -o set").status != 0) {
    MESSAGE("without a static C library there is nothing more to see");
    return;
  }
  const Result result = scratch.run("./set");
  CHECK(result.status == 2);
  CHECK(contains(result.errors, "emulator: error: this program is linked statically"));
}

TEST_CASE("emucc: a function with __forceinline__ may call itself") {
  const Scratch scratch;
  scratch.write("sums.cu", R"(#include <stdio.h>
template <class T>
__device__ __forceinline__ T odd(T n);
template <class T>
__device__ __forceinline__ T even(T n) { return n == 0 ? 1 : odd(n - 1); }
template <class T>
__device__ __forceinline__ T odd(T n) { return n == 0 ? 0 : even<T>(n - 1); }
__device__ __forceinline__ int sum(int n) { return n == 0 ? 0 : n + sum(n - 1); }
__global__ void k(int n) { printf("%d %d\n", sum(n), even(n)); }
int main() {
  k<<<1, 1>>>(4);
  cudaDeviceSynchronize();
}
)");
  const Result result = scratch.run(emucc + "--run sums.cu");
  CHECK(result.errors == "");
  CHECK(result.output == "10 1\n");
}

TEST_CASE("emucc: the word template may be missing before a member's arguments") {
  const Scratch scratch;
  scratch.write("cast.cu", R"(#include <stdio.h>
template <class T>
struct Caster {
  static constexpr int least = 2;
  template <int n>
  __host__ __device__ static T cast(float x) { return static_cast<T>(n * x); }
};
template <class T>
__host__ __device__ T twice(float x) { return Caster<T>::cast<2>(x); }
template <class T>
bool between(int n) { return (Caster<T>::least < n) && n > (1); }
int main() { printf("%d %d %d\n", twice<int>(1.5f), Caster<int>::cast<3>(1), between<int>(3)); }
)");
  const Result result = scratch.run(emucc + "--run cast.cu");
  CHECK(result.errors == "");
  CHECK(result.output == "3 3 1\n");
}

TEST_CASE("emucc: __CUDA_ARCH__ is the kernels'") {
  const Scratch scratch;
  scratch.write("where.cu", R"(#include <stdio.h>
__host__ __device__ int where() {
#ifdef __CUDA_ARCH__
  return __CUDA_ARCH__;
#else
  return 1;
#endif
}
__global__ void kernel(int* out) {
#if __CUDA_ARCH__ >= 700
  out[0] = where();
#endif
}
int main() {
  int* out;
  cudaMallocManaged(&out, sizeof(int));
  kernel << <1, 1 >> > (out);
  cudaDeviceSynchronize();
  printf("%d %d", where(), out[0]);
  void* arguments[] = {&out};
  out[0] = 0;
  cudaLaunchKernel((void*)kernel, dim3(1), dim3(1), arguments, 0, 0);
  cudaDeviceSynchronize();
  printf(" %d\n", out[0]);
  cudaFree(out);
}
)");
  const auto printed = [&](const std::string& options) {
    const Result result = scratch.run(emucc + options + " --run where.cu");
    CHECK(result.errors == "");
    return result.output;
  };
  CHECK(printed("") == "1 750 750\n");
  CHECK(printed("-arch=native") == "1 900 900\n");
  CHECK(printed("--look -gencode arch=compute_80,code=[compute_80,sm_86] -arch sm_70") ==
        "1 860 860\n");
}

TEST_CASE("emucc: sm_90a is sm_90, and kernels read that they may use all it has") {
  const Scratch scratch;
  scratch.write("all.cu", R"(#include <stdio.h>
__global__ void kernel() {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
  printf("all of %d\n", __CUDA_ARCH__);
#else
  printf("what later ones have, too\n");
#endif
}
int main() {
  kernel<<<1, 1>>>();
  cudaDeviceSynchronize();
}
)");
  const auto printed = [&](const std::string& options) {
    return scratch.run(emucc + options + " --run all.cu").output;
  };
  CHECK(printed("-arch=sm_90 -gencode arch=compute_90a,code=sm_90a") == "all of 900\n");
  CHECK(printed("-arch=sm_90a -gencode arch=compute_100,code=sm_100") ==
        "what later ones have, too\n");
}

TEST_CASE("emucc: options in nvcc's forms") {
  const Scratch scratch;
  scratch.write("a.cu", "int main() {}\n");
  const Result result = scratch.run(
      emucc +
      "--dryrun -Isome -I more -DX=1 -D Y --define-macro=Z -std c++20 -O 1 -g "
      "-gencode arch=compute_80,code=sm_80 --generate-code=arch=compute_90,code=sm_90 "
      "-Xcompiler -Wall,-Wextra -Xptxas=-v -t4 -use_fast_math -maxrregcount 32 "
      "-Xlinker -z,now --cccl none -I/usr/local/cuda/include a.cu -lm 2>&1 | grep -v '^#'");
  CHECK(result.status == 0);
  for (const std::string part : {"-Isome", "-Imore", "-DX=1", "-DY", "-DZ", "-std=c++20", "-O1",
                                 " -g ", "-Wall", "-Wextra", "-lm", "-Xlinker -z -Xlinker now"}) {
    CAPTURE(part);
    CHECK(contains(result.output, part));
  }
  CHECK_FALSE(contains(result.output, "compute_"));
  CHECK_FALSE(contains(result.output, "/usr/local/cuda"));
  CHECK_FALSE(scratch.has("a.out"));
  CHECK(split_list("-a,-b '-c d'") == Arguments{"-a", "-b", "-c d"});
}

TEST_CASE(
    "emucc: threads that wait for others, and kernels that go wrong, without instrumentation") {
  const Scratch scratch;
  scratch.write("waits.cu", R"(
#include <cstdio>
#include <cstdlib>
__device__ volatile int flags[64];
__device__ int arrived;
__global__ void later_block(int* out) {
  if (threadIdx.x == 0) {
    flags[blockIdx.x] = 1;
    if (blockIdx.x + 1 < gridDim.x) while (flags[blockIdx.x + 1] == 0) {}
  }
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(out, 1);
}
__global__ void own_grid_barrier(int* out) {
  if (threadIdx.x == 0) {
    atomicAdd(&arrived, 1);
    while (*(volatile int*)&arrived < (int)gridDim.x) {}
  }
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(out, arrived == (int)gridDim.x);
}
__global__ void other_warp(int* out) {
  __shared__ volatile int ready;
  if (threadIdx.x == 0) ready = 0;
  __syncthreads();
  if (threadIdx.x < 32) { while (ready == 0) {} }
  else if (threadIdx.x == 32) ready = 1;
  atomicAdd(out, ready);
}
// At the second barrier thread 0 hands its turn to thread 1, which needs slices of time as well.
__global__ void behind_a_barrier(int* out) {
  __shared__ volatile int ready;
  if (threadIdx.x == 0) ready = 0;
  __syncthreads();
  if (threadIdx.x == 1) { while (ready == 0) {} }
  if (threadIdx.x == 32) ready = 1;
  __syncthreads();
  atomicAdd(out, ready);
}
// Slices of time end everywhere, but never while one thread hands its turn to another.
__global__ void many_barriers(int* out, int rounds) {
  __shared__ int round_of[2];
  int right = 0;
  for (int i = 0; i < rounds; ++i) {
    round_of[threadIdx.x] = i;
    __syncthreads();
    right += round_of[1 - threadIdx.x] == i;
    __syncthreads();
  }
  atomicAdd(out, right == rounds);
}
__global__ void lock(int* out) {
  __shared__ int mutex;
  if (threadIdx.x == 0) mutex = 0;
  __syncthreads();
  while (atomicCAS(&mutex, 0, 1) != 0) __nanosleep(10);
  *(volatile int*)out = *(volatile int*)out + 1;
  atomicExch(&mutex, 0);
}
__global__ void division(int* out) { *out = 7 / *out; }
__global__ void null(int* out) { int* p = nullptr; *p = *out; }
int main(int, char** argv) {
  const int which = atoi(argv[1]);
  int* d;
  cudaMallocManaged(&d, 4096);
  *d = 0;
  if (which == 0) later_block<<<8, 64>>>(d);
  if (which == 1) own_grid_barrier<<<8, 64>>>(d);
  if (which == 2) other_warp<<<1, 64>>>(d);
  if (which == 3) lock<<<1, 40>>>(d);
  if (which == 4) null<<<1, 1>>>(d);
  if (which == 5) division<<<1, 1>>>(d);
  if (which == 6) behind_a_barrier<<<1, 64>>>(d);
  if (which == 7) many_barriers<<<1, 2>>>(d, 4000000);
  printf("%s %d\n", cudaGetErrorName(cudaDeviceSynchronize()), *d);
}
)");
  REQUIRE(scratch.run(emucc + "waits.cu -o waits").status == 0);
  const auto prints = [&](const std::string& which) {
    return scratch.run("EMULATOR_THREADS=1 timeout 20 ./waits " + which).output;
  };
  CHECK(prints("0") == "cudaSuccess 8\n");
  CHECK(prints("1") == "cudaSuccess 8\n");
  CHECK(prints("2") == "cudaSuccess 64\n");
  CHECK(prints("3") == "cudaSuccess 40\n");
  CHECK(prints("4") == "cudaErrorIllegalAddress 0\n");
  CHECK(prints("5") == "cudaErrorLaunchFailure 0\n");
  CHECK(prints("6") == "cudaSuccess 64\n");
  CHECK(prints("7") == "cudaSuccess 2\n");
}

TEST_CASE("emucc: once installed, it needs nothing of the build folder") {
  const Scratch scratch;
  REQUIRE(scratch.run("cmake --install '" + build_folder + "' --prefix prefix --component emucc")
              .status == 0);
  scratch.write("vectors.cu", vectors);
  const std::string installed = "prefix/bin/emucc ";
  CHECK_FALSE(contains(scratch.read("prefix/lib/emucc/emucc.parts"), build_folder + "/"));
  const Result shown = scratch.run(installed + "--dryrun vectors.cu");
  CHECK_FALSE(contains(shown.errors, build_folder + "/"));
  // The prefix may move, too.
  const Result result = scratch.run("mv prefix moved && moved/bin/emucc --run vectors.cu 9");
  CHECK(result.output == "last 9\n");
  CHECK(result.errors == "");
}

}  // namespace
