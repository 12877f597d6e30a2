// Runs emulator-compile with g++: what it makes of a program works, is instrumented, and is
// reported at the right places.

#include <doctest/doctest.h>

#include <filesystem>
#include <string>

#include "compiler/testing/compile_test.hpp"

namespace {

using namespace emulator::compiler::testing;  // NOLINT: the tests are written in its terms

// A runtime of a few lines: runs the threads one after another.
const std::string runtime = R"(#pragma once
#pragma GCC system_header
#include <cstddef>
#include <cstdio>
#include <tuple>
#include <type_traits>
#define __align__(n) __attribute__((aligned(n)))
struct dim3 {
  unsigned x, y, z;
  constexpr dim3(unsigned a = 1, unsigned b = 1, unsigned c = 1) : x(a), y(b), z(c) {}
};
struct float4 { float x, y, z, w; };
inline thread_local unsigned thread_index;
namespace emulator {
struct Configuration {
  Configuration(dim3 grid, dim3 block, std::size_t = 0) : threads(grid.x * block.x) {}
  unsigned threads;
};
void* dynamic_shared();
template <class Callable>
struct Launcher {
  const char* name;
  Configuration configuration;
  Callable callable;
  template <class... Arguments>
  void operator()(Arguments&&... arguments) const {
    std::printf("%s %u\n", name, configuration.threads);
    for (unsigned i = 0; i < configuration.threads; ++i) {
      thread_index = i;
      callable(arguments...);
    }
  }
  template <class... Parameters>
  const Launcher& of(void (*)(Parameters...)) const { return *this; }
};
template <class Callable>
Launcher<Callable> launch_with(const char* n, const Configuration& c, Callable f) { return {n, c, f}; }
template <class Callable>
Callable chosen(Callable f) { return f; }
}
)";

const std::string shared_memory = R"(
extern "C" { alignas(1024) __thread unsigned char emulator_dynamic_shared_memory[4096]; }
namespace emulator { void* dynamic_shared() { return emulator_dynamic_shared_memory; } }
)";

const std::string nasty = R"cuda(#include <functional>
#include <vector>
// k<<<1, 2>>>(in a comment);
static const char* text = "k<<<1, 2>>>(in a string)";
static const char* raw = R"x(k<<<1,
2>>>(")" in a raw string))x";
#define LAUNCH(kernel, ...) kernel<<<__VA_ARGS__>>>
#define LAUNCH_TWICE(kernel, n) do { kernel<<<n, 1>>>(n); kernel<<<1, n>>>(n); } while (0)
static int sum;
__global__ void k(int n) { sum += n; }
__global__ void none() { sum += 1000; }
__global__ void two(float* p, std::size_t n) { p[thread_index] = float(n); }
template <int a, int b> __global__ void product(int n) { sum += a * b * n; }
template <class T, bool b = false> __global__ void deduced(T* p, T v) { *p += b ? v : -v; }
__global__ void overloaded(int) { sum += 1; }
__global__ void overloaded(double) { sum += 2; }
__global__ void defaulted(int n, int m = 7) { sum += n + m; }
namespace ns { namespace inner {
template <class T, bool b> __global__ void k(T n) { sum += b ? int(n) : 0; }
} }
struct Holder {
  using Kernel = void (*)(int);
  Kernel kernel = k;
  Kernel table[2] = {k, k};
  void go() {
    this->kernel<<<1, 1>>>(1); kernel<<<1, 1>>>(2); table[1]<<<1, 1>>>(3);
    method<<<1, 1>>>(4); of<5><<<1, 1>>>(1);
  }
  static void method(int n) { sum += n; }
  template <int m> static void of(int n) { sum += n * m; }
};
template <class T> struct Traits {
  template <int n> static void k(T v) { sum += n * int(v); }
  void go() {
    Traits::template k<2><<<1, 1>>>(T(3));
    k<1><<<1, 1>>>(T(1));
    this->template k<3><<<1, 1>>>(T(2));
  }
};
template <class T> void launch_some(T v) {
  Traits<T>::template k<3><<<dim3(1), dim3{2}>>>(v);
  ns::inner::k<T, (sizeof(T) > 2)><<<1, 1>>>(v);
  auto f = [&](auto w) { ::ns::inner::k<T, true><<<1, 1>>>(v + w); };
  f(v);
}
extern __shared__ int file_scope[];
namespace {
extern __shared__ __align__(16) unsigned char bytes[];
__global__ void unnamed(int i) {
  extern __shared__ float inside[];
  inside[i] = 4;
  reinterpret_cast<int*>(bytes)[i + 1] = 30;
  sum += int(inside[i]) + file_scope[i + 1];
}
}
template <class T> __global__ void in_template(T* o) {
  extern __shared__ __align__(16) T dynamic[];
  __shared__ T fixed[4][5];
  fixed[1][thread_index] = T(thread_index + 1);
  dynamic[thread_index] = fixed[1][thread_index];
  T* p = dynamic;
  *o += p[thread_index] + *(&dynamic[thread_index + 1] - 1);
  *o += sizeof(T) == 4 ? T(reinterpret_cast<float4*>(dynamic)->x) : T(0);
  auto again = [&](unsigned i) { return *(dynamic + i); };
  *o += again(thread_index);
}
__constant__ float c[3] = {1, 2, 3};
__constant__ const float cc[] = {4};
__constant__ constexpr int ci = 5;
__device__ __constant__ const float* cp = cc;
static __constant__ alignas(16) float ca[2];
__global__ void shared_kernel(int i) {
  static __shared__ int a;
  __shared__ alignas(16) unsigned char b[16];
  __shared__ struct { int x; } st;
  a = b[0] = static_cast<unsigned char>(st.x = i);
#pragma unroll
  for (int j = 0; j < 2; ++j) sum += a;
  _Pragma("unroll 4") for (int j = 0; j < 2; ++j) sum += int(ca[0] + cp[0] + c[0]) + ci;
}
void test(bool yes, int n) {
  const unsigned u = unsigned(n);
  if (yes) k<<<1, 2>>>(1); else k<<<1, 3>>>(1);
  for (int i = 0; i < 2; ++i) k<<<1'0, 0x1'0 >> 4>>>(i);
  if (yes) (*text == 'k' ? k : k)<<<1, 1>>>(1);
  Holder::Kernel fp = k;
  if (yes) (*fp)<<<1, 1>>>(1);
  (void)fp<<<1, 1>>>(1);
  switch (n) { case 1: k<<<1, 1>>>(1); break; default: k<<<1, 1>>>(2); }
  yes ? k<<<1, 1>>>(1) : none<<<1, 1>>>();
  k<<<1, 1>>>(1), none<<<1, 1>>>();
  LAUNCH((product<1, 2>), u >> 1, 4)(n);
  LAUNCH_TWICE(k, 3);
  product<(3 > 2), 2><<<u >> 1, 4
      >>>
    (n);
  goto label;
label: product<2, 2><<<{1, 2}, 1, 0>>>(1);
  overloaded<<<1, 1>>>(1); overloaded<<<1, 1>>>(1.0);
  defaulted<<<1, 1>>>(1); defaulted<<<1, 1>>>(1, 2);
  float f = 0; deduced<<<1, 1>>>(&f, 2.0f); deduced<float, true><<<1, 1>>>(&f, 3.0f);
  float out[4]; two<<<1, 4>>>(out, 3); two<<<1, 4>>>(out, std::vector<int>{1, 2}.size());
  k<<<1, 1>>>([&] { k<<<1, 1>>>([] { none<<<1, 1>>>(); return 2; }()); return 3; }());
  std::vector<Holder> holders(2);
  holders[1].kernel<<<1, 1>>>(1); holders.at(0).table[n - n]<<<1, 1>>>(1);
  (&holders[0])->kernel<<<1, 1>>>(1);
  Holder().go();
  Traits<int>().go(); launch_some(3); launch_some(3L);
  unnamed<<<1, 1>>>(2);
  float o = 0; in_template<<<1, 3, 64>>>(&o); in_template<float><<<1, 2, 64>>>(&o);
  double d = 0; in_template<<<1, 1, 64>>>(&d);
  shared_kernel<<<1, 1>>>(3);
  std::printf("%g %g %g %g\n", double(f), double(out[3]), double(o), d);
  return k<<<1, 1>>>(1);
}
template <class T> int operator<<(T, Holder) { return int(sizeof(T)); }
int main() {
  test(true, 4);
  std::printf("%d %s %s %d\n", sum, text, raw, operator<<<int>(3, Holder()));
}
)cuda";

const std::string expected =
    "k 2|k 10|k 10|(*text=='k'?k:k) 1|(*fp) 1|fp 1|k 1|k 1|k 1|none 1|(product) 8|k 3|k 3|"
    "product 8|product 1|overloaded 1|overloaded 1|defaulted 1|defaulted 1|deduced 1|deduced 1|"
    "two 4|two 4|none 1|k 1|k 1|holders[1].kernel 1|holders.at(0).table[n-n] 1|"
    "(&holders[0])->kernel 1|this->kernel 1|kernel 1|table[1] 1|method 1|of 1|Traits::k 1|k 1|"
    "this->k 1|Traits::k 2|ns::inner::k 1|::ns::inner::k 1|Traits::k 2|ns::inner::k 1|"
    "::ns::inner::k 1|unnamed 1|in_template 3|in_template 2|in_template 1|shared_kernel 1|"
    "1 2 32 3|k 1|2334 k<<<1, 2>>>(in a string) k<<<1,|2>>>(\")\" in a raw string) 4|";

const std::string strict =
    " -Iinc -std=c++20 -Og -g -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion "
    "-Wold-style-cast ";

}  // namespace

TEST_CASE("a nasty file compiles without a warning and runs") {
  const Scratch scratch;
  scratch.write("inc/cuda_runtime.h", runtime);
  scratch.write("shared.cpp", shared_memory);
  scratch.write("nasty.cu", nasty);
  const Result compiled = scratch.compile("--emulator-fast " + compiler + strict +
                                          " -MD -MT nasty.o -MF nasty.d -o nasty.o -c nasty.cu");
  CHECK(compiled.status == 0);
  CHECK(compiled.output == "");
  CHECK(compiled.errors == "");
  CHECK(contains(scratch.read("nasty.d"), "nasty.o: nasty.cu "));
  CHECK(contains(scratch.read("nasty.d"), "inc/cuda_runtime.h"));

  const Result ran =
      scratch.run(compiler + " nasty.o shared.cpp -o nasty && ./nasty | tr '\\n' '|'");
  CHECK(ran.status == 0);
  CHECK(ran.output == expected);
}

TEST_CASE("static shared memory is aligned as its type wants it, and at least to bank 0") {
  const Scratch scratch;
  scratch.write("inc/cuda_runtime.h", runtime);
  scratch.write("k.cu", R"(#include <cuda_runtime.h>
#include <cstdint>
struct alignas(1024) Tile { float x[8]; };
struct Small { char c; };
struct Incomplete;
template <class T> struct Of { struct Tiles { T a, b; }; };
__device__ static void show(volatile const void* p) {
  std::printf("%d ", static_cast<int>((reinterpret_cast<std::uintptr_t>(p) & 1023) == 0) +
              static_cast<int>((reinterpret_cast<std::uintptr_t>(p) & 127) == 0));
}
__global__ void k() {
  __shared__ char before;
  __shared__ Tile tile;
  __shared__ Small small;
  __shared__ Tile tiles[2];
  volatile __shared__ Tile watched;
  __shared__ Incomplete* p;
  show(&tile), show(tiles), show(&watched);
  std::printf(reinterpret_cast<std::uintptr_t>(&small) % 128 == 0 && before == 0 && !p ? "128" : "?");
}
template <class T> __global__ void of() {
  __shared__ char before;
  __shared__ T tile;
  __shared__ typename Of<T>::Tiles tiles;
  __shared__ alignas(16) Of<T> small;
  show(&tile), show(&tiles), show(&tiles.b);
  std::printf("%d", before + (reinterpret_cast<std::uintptr_t>(&small) % 128 == 0));
}
int main() {
  k<<<1, 1>>>();
  of<Tile><<<1, 1>>>();
}
)");
  const Result compiled =
      scratch.compile("--emulator-fast " + compiler + strict + " -o k.o -c k.cu");
  CHECK(compiled.status == 0);
  CHECK(compiled.errors == "");
  const Result ran = scratch.run(compiler + " k.o -o k && ./k | tr '\n' '|'");
  CHECK(ran.output == "k 1|2 2 2 128of 1|2 2 2 1");
}

TEST_CASE("memory accesses are instrumented, unless told not to") {
  const Scratch scratch;
  scratch.write("inc/cuda_runtime.h", runtime);
  scratch.write("k.cu",
                "#ifdef __SANITIZE_THREAD__\n#error\n#endif\n"
                "__global__ void k(float* p) { p[1] = p[0]; }\n");
  CHECK(scratch.compile(compiler + " -fsanitize=thread -Iinc -O1 -c k.cu").status == 0);
  CHECK(contains(scratch.read("k.o"), "__tsan_read4"));
  CHECK(contains(scratch.read("k.o"), "__tsan_write4"));
  CHECK(scratch.compile("--emulator-fast -- " + compiler + " -Iinc -O1 -c k.cu").status == 0);
  CHECK(!contains(scratch.read("k.o"), "__tsan_read4"));
}

TEST_CASE("messages are about the student's lines and columns") {
  const Scratch scratch;
  scratch.write("inc/cuda_runtime.h", runtime);
  scratch.write("k.cu",
                "__global__ void k(int) {}\n"
                "void f(double d) {\n"
                "\tk<<<1, nothing>>>(1); int a = d;\n"
                "  if (d) kk<<<1,\n"
                "    1>>>(1); int b = d;\n"
                "  { __shared__ int s[2]; int c = d; }\n"
                "  { extern __shared__ int t[]; int e = d; }\n"
                "#pragma unroll\n"
                "  for (;;) k<<<1, 2>>>(d); int g = d;\n"
                "}\n");
  const Result result = scratch.compile(compiler + strict + "-fno-diagnostics-show-caret -c k.cu");
  CHECK(result.status == 1);
  CHECK(contains(result.errors, "k.cu:3:16: error: 'nothing' was not declared"));
  CHECK(contains(result.errors, "k.cu:3:39: warning: conversion"));
  CHECK(contains(result.errors, "k.cu:4:10: error: "));
  CHECK(contains(result.errors, "k.cu:5:22: warning: conversion"));
  CHECK(contains(result.errors, "k.cu:6:20: warning: unused variable"));
  CHECK(contains(result.errors, "k.cu:6:34: warning: conversion"));
  CHECK(contains(result.errors, "k.cu:7:40: warning: conversion"));
  CHECK(contains(result.errors, "k.cu:9:36: warning: conversion"));
  CHECK(!contains(result.errors, "cuda_runtime.h"));
  CHECK(!contains(result.errors, "pragma"));
  CHECK(!contains(result.errors, "k.cu:9:24"));  // the argument's conversion is the launch's affair
}

TEST_CASE("nothing is left in the folder for temporary files") {
  const Scratch scratch;
  scratch.write("inc/cuda_runtime.h", runtime);
  scratch.write("good.cu", "__global__ void k() {}\n");
  scratch.write("bad.cu", "__global__ void k() { x; }\n");
  fs::create_directory(scratch.path("tmp"));
  const auto with_folder = [&](const std::string& source) {
    return scratch.run("TMPDIR=$PWD/tmp '" + program + "' " + compiler + " -Iinc -c " + source);
  };
  CHECK(with_folder("good.cu").status == 0);
  CHECK(with_folder("bad.cu").status == 1);
  CHECK(fs::is_empty(scratch.path("tmp")));
  CHECK(scratch.has("good.o"));
}
