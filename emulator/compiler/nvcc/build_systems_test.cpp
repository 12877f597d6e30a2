// Projects of others are built by switching the compiler, and nothing else: emucc in place of nvcc.

#include <doctest/doctest.h>

#include <string>

#include "compiler/testing/compile_test.hpp"

namespace {

using namespace emulator::compiler::testing;  // NOLINT: the tests are written in its terms

const std::string emucc = EMUCC_PROGRAM;

// A kernel that calls a device function of another file, and code of the host.
void write_sources(const Scratch& scratch) {
  scratch.write("device.cuh", "__device__ int twice(int x);\nint of_the_host(int x);\n");
  scratch.write("device.cu",
                "#include \"device.cuh\"\n__device__ int twice(int x) { return 2 * x; }\n");
  scratch.write("host.cpp",
                "#include <cuda_runtime.h>\n"
                "int of_the_host(int x) { int n = 0; cudaGetDeviceCount(&n); return n * x; }\n");
  scratch.write("main.cu", R"(
#include <cstdio>
#include "device.cuh"
__global__ void k(int* out) { *out = twice(21); }
int main() {
  int* out;
  cudaMallocManaged(&out, sizeof(int));
  k<<<1, 1>>>(out);
  cudaDeviceSynchronize();
  printf("%d %d\n", *out, of_the_host(4));
  cudaFree(out);
}
)");
}
const std::string expected = "42 4\n";

bool is_there(const Scratch& scratch, const std::string& tool) {
  if (scratch.run(tool + " --version").status == 0) return true;
  MESSAGE("SKIPPED: " << tool << " is not installed");
  return false;
}

}  // namespace

TEST_CASE("build systems: a Makefile that compiles, links for the device, and links") {
  const Scratch scratch;
  if (!is_there(scratch, "make")) return;
  write_sources(scratch);
  scratch.write("Makefile",
                "NVCC = nvcc\n"
                "objects = main.o device.o\n"
                "program: $(objects) host.o\n"
                "\t$(NVCC) -arch=sm_80 -dlink $(objects) -o dlink.o\n"
                "\t$(NVCC) $(objects) dlink.o host.o -o $@ -L/usr/local/cuda/lib64 -lcudart\n"
                "%.o: %.cu\n"
                "\t$(NVCC) -arch=sm_80 -dc $< -o $@\n"
                "%.o: %.cpp\n"
                "\t$(NVCC) -std=c++11 -c $< -o $@\n"
                "depend: main.cu\n"
                "\t$(NVCC) -M $< -o $@\n");
  const Result result = scratch.run("make program depend NVCC='" + emucc + "' && ./program");
  CHECK(result.errors == "");
  CHECK(result.output.ends_with(expected));
  CHECK(contains(scratch.read("depend"), "main.o: main.cu"));
  CHECK(contains(scratch.read("depend"), " device.cuh"));
}

TEST_CASE("build systems: ninja, with dependencies as the compiler tells them") {
  const Scratch scratch;
  if (!is_there(scratch, "ninja")) return;
  write_sources(scratch);
  scratch.write("build.ninja", "nvcc = " + emucc +
                                   "\n"
                                   "rule compile\n"
                                   "  command = $nvcc -dc -MD -MF $out.d -MT $out $in -o $out\n"
                                   "  depfile = $out.d\n  deps = gcc\n"
                                   "rule link\n  command = $nvcc $in -o $out\n"
                                   "build main.o: compile main.cu\n"
                                   "build device.o: compile device.cu\n"
                                   "build host.o: compile host.cpp\n"
                                   "build program: link main.o device.o host.o\n");
  const Result result = scratch.run("ninja && ./program");
  CHECK(result.errors == "");
  CHECK(result.output.ends_with(expected));
  CHECK(contains(scratch.run("ninja").output, "no work to do"));
  const Result again = scratch.run("sleep 0.01; touch device.cuh; ninja -n -v");
  CHECK(contains(again.output, "main.cu"));
  CHECK(contains(again.output, "device.cu "));
  CHECK_FALSE(contains(again.output, "host.cpp"));
}

// What CMake asks of nvcc, it asks of emucc: its identity, with what it links, where the toolkit
// is.
TEST_CASE("build systems: CMake with the language CUDA, a static library, device code in parts") {
  const Scratch scratch;
  write_sources(scratch);
  scratch.write("answer.cu", R"(
__global__ void k(int* out) { *out = 7; }
int answer() {
  int* out;
  cudaMallocManaged(&out, sizeof(int));
  k<<<1, 1>>>(out);
  cudaDeviceSynchronize();
  const int result = *out;
  cudaFree(out);
  return result;
}
)");
  scratch.write(
      "host_main.cpp",
      "#include <cstdio>\nint answer();\nint main() { std::printf(\"%d\\n\", answer()); }\n");
  scratch.write("CMakeLists.txt", R"(
cmake_minimum_required(VERSION 3.20)
project(parts LANGUAGES CXX CUDA)
find_package(CUDAToolkit REQUIRED)
add_library(device STATIC device.cu)
add_executable(program main.cu host.cpp)
set_target_properties(device program PROPERTIES CUDA_SEPARABLE_COMPILATION ON CUDA_STANDARD 17)
target_link_libraries(program PRIVATE device CUDA::cudart CUDA::cublas CUDA::curand)
# Here g++ links, as the program itself is C++.
add_library(plain STATIC answer.cu)
target_compile_options(plain PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:-lineinfo -Xcompiler=-Wall>)
add_executable(mixed host_main.cpp)
target_link_libraries(mixed PRIVATE plain)
)");
  // CMake itself thinks of make only, which a machine with ninja may be without.
  const std::string tool = "$(command -v make >/dev/null || echo -G Ninja)";
  const Result configured = scratch.run("CUDACXX='" + emucc + "' cmake -B build " + tool);
  CAPTURE(configured.errors);
  REQUIRE(configured.status == 0);
  CHECK(contains(configured.output, "CUDA compiler identification is NVIDIA 13"));
  const Result built = scratch.run("cmake --build build -j 2 && build/program && build/mixed");
  CAPTURE(built.errors);
  CHECK(built.output.ends_with(expected + "7\n"));
}

TEST_CASE("build systems: options from a file, and standards older than the headers") {
  const Scratch scratch;
  write_sources(scratch);
  scratch.write("options", "-dc \"-DX=1 + 1\"\n -o main.o");
  CHECK(scratch.run("'" + emucc + "' --options-file options main.cu").status == 0);
  CHECK(scratch.has("main.o"));
  // As CMake writes them for Make: quotes begin within a word.
  scratch.write("a folder/there.h", "#define THERE 1\n");
  scratch.write(
      "quoted.cu",
      "#include <there.h>\nstatic_assert(THERE == 1 && sizeof NAME == 6);\nint main() {}\n");
  scratch.write("includes", "-I\"a folder\" \\\n-DNAME=\\\"value\\\"\n");
  CHECK(scratch.run("'" + emucc + "' --options-file includes -c quoted.cu").errors == "");
  for (const std::string standard : {"c++03", "c++11", "gnu++14"}) {
    const Result result = scratch.run("'" + emucc + "' -std=" + standard + " -c host.cpp");
    CHECK(result.status == 0);
    CHECK(result.errors == "");
  }
  // g++'s own spelling says the same.
  CHECK(scratch.run("'" + emucc + "' -Xcompiler -Wall,-std=c++14 -c main.cu").errors == "");
  // A source without CUDA's headers may keep to an older standard.
  scratch.write("old.cpp", "int f() throw(int) { return __cplusplus == 199711L ? 0 : throw 1; }\n");
  CHECK(scratch.run("'" + emucc + "' -std=c++03 -c old.cpp").errors == "");
}

TEST_CASE("build systems: host code in C calls the runtime") {
  const Scratch scratch;
  scratch.write("fill.cu", R"(
__global__ void fill(int* p) { p[threadIdx.x] = 7; }
extern "C" void launch_fill(int* p) { fill<<<1, 4>>>(p); }
)");
  scratch.write("main.c", R"(
#include <cuda_runtime_api.h>
#include <stdio.h>
void launch_fill(int* p);
int main(void) {
  int host[4] = {0};
  void* p = 0;
  struct cudaDeviceProp properties;
  cudaStream_t stream;
  cudaError_t error = cudaMalloc(&p, sizeof host);
  launch_fill((int*)p);
  if (error == cudaSuccess) error = cudaMemcpy(host, p, sizeof host, cudaMemcpyDeviceToHost);
  if (error == cudaSuccess) error = cudaGetDeviceProperties(&properties, 0);
  if (error == cudaSuccess) error = cudaStreamCreate(&stream);
  if (error == cudaSuccess) error = cudaStreamDestroy(stream);
  printf("%s %d %d\n", cudaGetErrorName(error), host[3], properties.major);
  return cudaFree(p) != cudaSuccess;
}
)");
  const Result result =
      scratch.run("'" + emucc +
                  "' -Xcompiler -Wall,-Wextra,-pedantic fill.cu main.c -o program && "
                  "./program");
  CHECK(result.errors == "");
  CHECK(result.output == "cudaSuccess 7 9\n");
}
