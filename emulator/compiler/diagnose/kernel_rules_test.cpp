#include "compiler/diagnose/kernel_rules.hpp"

#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compiler/diagnose/kernel_sizes.hpp"
#include "compiler/text/lexer.hpp"

namespace emulator::compiler::diagnose {
namespace {

using text::CudaText;
using text::lex;
using text::LexedText;
using text::LineMap;

std::vector<std::string> broken(const std::string& program, bool is_separate = false) {
  const std::string text = "# 1 \"k.cu\"\n" + program;
  LexedText lexed = lex(text);
  const LineMap lines(text, lexed.directives);
  return kernel_rule_violations(CudaText(text, std::move(lexed.tokens)), lines, is_separate);
}

std::size_t checks(const std::string& program) {
  const std::string text = "# 1 \"k.cu\"\n" + program;
  LexedText lexed = lex(text);
  const LineMap lines(text, lexed.directives);
  return kernel_size_checks(CudaText(text, std::move(lexed.tokens))).size();
}

TEST_CASE("device code launches kernels only if it is compiled to be linked") {
  const std::string child = "__global__ void child() {}\n";
  const std::string parent = "__global__ void parent() { child<<<1, 1>>>(); }";
  const std::string function = "__device__ void f() { child<<<1, 1>>>(); }";
  const std::string message =
      ": error: device code launches a kernel only if it is compiled with -rdc=true";
  CHECK(broken(child + parent) == std::vector<std::string>{"k.cu:2:33" + message});
  CHECK(broken(child + function) == std::vector<std::string>{"k.cu:2:28" + message});
  CHECK(broken(child + parent + function, true).empty());
  CHECK(broken(child + "__host__ " + function) == std::vector<std::string>{"k.cu:2:37" + message});
  CHECK(broken(child + "void host() { child<<<1, 1>>>(); }").empty());
}

TEST_CASE("a broken rule is told at its line and column") {
  CHECK(broken("\n__global__ int k(int* x) { return 1; }\n") ==
        std::vector<std::string>{
            "k.cu:2:16: error: a __global__ function returns nothing: its type must be void"});
}

TEST_CASE("a kernel's name that is also something else's is left alone") {
  const std::string kernel = "__global__ void run(int* x) {}\n";
  CHECK(broken(kernel + "int main() { run(0); }\n").size() == 1);
  CHECK(broken(kernel + "int main() { run<<<1, 1>>>(0); }\n").empty());
  CHECK(broken(kernel + "struct S { void run(int* x); void go() { run(0); } };\n").empty());
  CHECK(broken(kernel + "template __global__ void run<float>(float*);\n").empty());
  CHECK(broken("template <class T> __global__ void run(T* x);\n" + kernel).empty());
  CHECK(
      broken("namespace n { " + kernel + "}\nvoid run(int x) {} int main() { run(0); }\n").empty());
}

TEST_CASE("a host function in a kernel") {
  const std::string half = "float half(float x) { return x / 2; }\n";
  CHECK(broken(half + "__global__ void k(float* x) { x[0] = half(x[0]); }\n").size() == 1);
  CHECK(broken(half + "__device__ int half(int x);\n__global__ void k(float* x) { half(1); }\n")
            .empty());
  CHECK(broken(half + "__global__ void k(float* x) { auto half = [](float y) { return y; }; "
                      "x[0] = half(x[0]); }\n")
            .empty());
  CHECK(broken(half + "__device__ float f(float* x) { return half(x[0]); }\n").empty());
  CHECK(broken(half + "void h() { half(1); }\n").empty());
}

TEST_CASE("exceptions") {
  CHECK(broken("__device__ void f() { throw 1; }\n").size() == 1);
  CHECK(broken("template <class T> __host__ __device__ void f() { throw 1; }\n").empty());
  CHECK(broken("__device__ void f() { if (!::emulator::for_device()) { throw 1; } else {} }\n")
            .empty());
  CHECK(broken("void f() { throw 1; }\n__global__ void k() {}\n").empty());
}

TEST_CASE("constants") {
  const std::string constant = "__constant__ int n; __constant__ float a[3];\n";
  CHECK(broken(constant + "__global__ void k(int x) { n = x; }\n").size() == 1);
  CHECK(broken(constant + "__global__ void k() { ++n; }\n").size() == 1);
  CHECK(broken(constant + "__global__ void k() { n += 2; }\n").size() == 1);
  CHECK(broken(constant + "int main() { n--; }\n").size() == 1);
  CHECK(broken(constant + "__global__ void k(int* x) { x[0] = n; x[1] = n == 3; }\n").empty());
  CHECK(broken(constant + "__global__ void k(int x) { int n; n = x; }\n").empty());
  CHECK(
      broken("const float w[2] = {1, 2};\n__global__ void k(float* x) { x[0] = w[1]; }\n").size() ==
      1);
  CHECK(broken("const float w[2] = {1, 2};\nfloat f() { return w[1]; }\n__global__ void k() {}\n")
            .empty());
}

TEST_CASE("what may be large is measured") {
  CHECK(checks("__global__ void k(Table t, int n) {}\n") == 1);
  CHECK(checks("__global__ void k(const Table* t, int n) {}\n") == 0);
  CHECK(checks("__global__ void k() { __shared__ int a[9]; { __shared__ int b[9]; } }\n") == 2);
  CHECK(checks("__global__ void k() { extern __shared__ int a[]; }\n") == 0);
}

}  // namespace
}  // namespace emulator::compiler::diagnose
