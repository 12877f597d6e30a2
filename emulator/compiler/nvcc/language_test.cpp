// Forms of CUDA C++ that nvcc takes and g++ does not, or otherwise; several
// files; which architecture kernels are for.

#include <doctest/doctest.h>

#include <string>

#include "compiler/testing/compile_test.hpp"

namespace {

using namespace emulator::compiler::testing;  // NOLINT: the tests are written in its terms

const std::string emucc = std::string("'") + EMUCC_PROGRAM + "' ";

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

TEST_CASE(
    "emucc: as in nvcc's two readings: types and launches of one side, and what headers bring") {
  const Scratch scratch;
  scratch.write("a.cu", R"(
#include <cooperative_groups.h>
#include <cstdio>
#include <new>
#if !defined(__CUDA_ARCH__)
#define LAUNCHES __host__ __device__
#else
#define LAUNCHES __host__
#endif
template <int n> struct Inner { __device__ int f(int v) const { return v + n; } };
template <int n> struct Outer {
#if defined(__CUDA_ARCH__)
  typedef Inner<n> inner_t;
  __device__ int f(int v) const { return inner_t().f(v); }
#else
  __device__ int f(int v) const { return v; }
#endif
};
template <class T> struct A { using t = T; __device__ t f(); };
template <class T> __device__ A<T>::t A<T>::f() { return T(5); }
struct Shape {
  int v;
  __device__ Shape(int v) : v(v) {}
  __device__ virtual int area() const { return v; }
};
__global__ void k(int* o, Shape* shape) {
  o[0] = Outer<4>().f(3) + A<int>().f();
  o[1] = (new (shape) Shape(42))->area() + int(cuda::memory_order_relaxed);
}
template <class T> struct Dispatch {
  template <class Kernel> LAUNCHES static int launch(Kernel kernel, T* o, Shape* shape) {
#ifdef __CUDA_ARCH__
    return 1;
#else
    kernel<<<1, 1>>>(o, shape);
    return 0;
#endif
  }
};
int main() {
  int* o;
  Shape* shape;
  cudaMallocManaged(&o, 8);
  cudaMalloc(&shape, sizeof(Shape));
  const int status = Dispatch<int>::launch(k, o, shape);
  cudaDeviceSynchronize();
  printf("%d %d %d\n", status, o[0], o[1]);
}
)");
  const Result result = scratch.run(emucc + "--run a.cu");
  CHECK(result.errors == "");
  CHECK(result.output == "0 12 42\n");
}

}  // namespace
