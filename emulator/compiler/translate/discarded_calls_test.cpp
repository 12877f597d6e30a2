// Calls of CUDA's functions whose results a program throws away: which they are, and that no
// program fails to compile, or gets another message, because something is written after them.

#include "compiler/translate/discarded_calls.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "compiler/testing/compile_test.hpp"
#include "compiler/translate/translate.hpp"

namespace {

using emulator::compiler::testing::compiler;
using emulator::compiler::testing::contains;
using emulator::compiler::testing::Result;
using emulator::compiler::testing::Scratch;
using emulator::compiler::translate::translate;

const std::string declarations =
    "# 1 \"a.cu\"\n# 1 \"c.h\" 1 3\n"
    "cudaError_t cudaFree(void*); inline cudaError_t cudaMemcpy(void*, const void*, int) {}\n"
    "const char* cudaGetErrorString(cudaError_t); cudaError_t cudaGetLastError();\n"
    "cublasStatus_t cublasSgemv_v2_64(int); cudaError_t other(int);\n"
    "cutensorStatus_t cutensorDestroyPlan(int);\n"
    "# 1 \"a.cu\" 2\n";

// The text in a function, translated; without line markers and blanks.
std::string in_function(const std::string& text) {
  const std::string result = translate(declarations + "void f() { " + text + " }\n");
  std::string plain;
  for (std::size_t at = result.find("void f()"); at < result.size(); ++at) {
    if (result[at] == '\n' && result[at + 1] == '#') at = result.find('\n', at + 1);
    if (result[at] != '\n' && result[at] != ' ') plain += result[at];
  }
  const std::size_t begin = plain.find('{') + 1;
  return plain.substr(begin, plain.rfind('}') - begin);
}

std::string without_blanks(std::string text) {
  text.erase(std::remove(text.begin(), text.end(), ' '), text.end());
  return text;
}

// Whether the translation of a text is the one expected, where @ stands for what comes after
// cudaFree().
bool becomes(const std::string& text, std::string expected) {
  const std::string added = ", ::emulator::Discarded{\"cudaFree\"}";
  for (std::size_t at = 0; (at = expected.find('@')) != std::string::npos;) {
    expected.replace(at, 1, added);
  }
  const std::string result = in_function(text);
  if (result != without_blanks(expected)) MESSAGE(result);
  return result == without_blanks(expected);
}

bool unchanged(const std::string& text) {
  const std::string whole = declarations + "void f() { " + text + " }\n";
  return translate(whole) == whole;
}

}  // namespace

TEST_CASE("discarded results: a call that is a statement") {
  CHECK(becomes("cudaFree(p);", "cudaFree(p)@;"));
  CHECK(becomes("::cudaFree(f(a), (n));", "::cudaFree(f(a), (n))@;"));
  CHECK(becomes("cublasSgemv_v2_64(1);",
                "cublasSgemv_v2_64(1), ::emulator::Discarded{\"cublasSgemv_64\"};"));
  CHECK(becomes("cutensorDestroyPlan(1);",
                "cutensorDestroyPlan(1), ::emulator::Discarded{\"cutensorDestroyPlan\"};"));
  CHECK(becomes("int i; cudaFree(p); { cudaFree(p); } cudaFree(p);",
                "int i; cudaFree(p)@; { cudaFree(p)@; } cudaFree(p)@;"));
  CHECK(becomes("auto g = [&](int) { cudaFree(p); };", "auto g = [&](int) { cudaFree(p)@; };"));
  CHECK(becomes("cudaFree([] { cudaFree(q); return p; }());",
                "cudaFree([] { cudaFree(q)@; return p; }())@;"));
}

TEST_CASE("discarded results: without braces, and after labels") {
  CHECK(
      becomes("if (a) cudaFree(p); else cudaFree(p);", "if (a) cudaFree(p)@; else cudaFree(p)@;"));
  CHECK(becomes("for (;;) cudaFree(p);", "for (;;) cudaFree(p)@;"));
  CHECK(becomes("while (g(a)) cudaFree(p);", "while (g(a)) cudaFree(p)@;"));
  CHECK(becomes("do cudaFree(p); while (a);", "do cudaFree(p)@; while (a);"));
  CHECK(becomes("if constexpr (a) cudaFree(p);", "if constexpr (a) cudaFree(p)@;"));
  CHECK(becomes("x: cudaFree(p);", "x: cudaFree(p)@;"));
  CHECK(becomes("switch (a) { case a ? 1 : 2: case (3): cudaFree(p); default: cudaFree(p); }",
                "switch (a) { case a ? 1 : 2: case (3): cudaFree(p)@; default: cudaFree(p)@; }"));
}

TEST_CASE("discarded results: beside a launch") {
  const std::string result = in_function("cudaFree(p); k<<<1, 2>>>(3); cudaFree(p);");
  CHECK(contains(result, "Discarded{\"cudaFree\"};::emulator::launch_with(\"k\""));
  CHECK(contains(result, "(3);cudaFree(p),::emulator::Discarded{\"cudaFree\"};"));
}

TEST_CASE("discarded results: those that are not") {
  CHECK(unchanged("(void)cudaFree(p); static_cast<void>(cudaFree(p)); void(cudaFree(p));"));
  CHECK(unchanged("cudaError_t e = cudaFree(p); e = cudaFree(p); return cudaFree(p);"));
  CHECK(
      unchanged("if (cudaFree(p) != cudaSuccess) return; CHECK(cudaFree(p)); g(cudaFree(p), 1);"));
  CHECK(unchanged("cudaFree(p) == 1; !cudaFree(p); cudaFree(p), cudaFree(q); cudaFree(p)->x();"));
  CHECK(unchanged("a ? cudaFree(p) : cudaFree(q); a ? b : (c) ? d : cudaFree(q);"));
  CHECK(
      unchanged("for (cudaFree(p); cudaFree(q); cudaFree(r)) {} for (int i = 0; cudaFree(p);) {}"));
  CHECK(unchanged("if (int i = 0; cudaFree(p)) {} while (cudaFree(p)) {}"));
  CHECK(unchanged("int e = ({ int i = 0; cudaFree(p); });"));
  CHECK(unchanged("a::cudaFree(p); b.cudaFree(p); c->cudaFree(p); cudaError_t cudaFree(int);"));
  CHECK(unchanged("const char* s = \"; cudaFree(p);\"; T t{cudaFree(p)};"));
  // not CUDA's, or nothing of an error
  CHECK(unchanged("cudaCheck(p); other(1); cudaGetErrorString(e); cudaGetLastError(); cudaFree;"));
  // CUDA's headers themselves
  const std::string own = declarations + "# 1 \"c.h\" 1 3\nvoid f() { cudaFree(p); }\n";
  CHECK(translate(own) == own);
  // the program's own functions
  const std::string program =
      "# 1 \"a.cu\"\ncudaError_t cudaMine(int);\nvoid f() { cudaMine(1); }\n";
  CHECK(translate(program) == program);
}

TEST_CASE("discarded results: line markers give everything its line and column back") {
  const std::string start =
      "# 1 \"c.h\" 3\ncudaError_t cudaFree(void*);\n# 1 \"a.cu\"\nvoid f() {\n  cudaFree(";
  const std::string added = ", ::emulator::Discarded{\"cudaFree\"}";
  CHECK(translate(start + "p); }\n  g(); }\n") == start + "p)" + added + "; }\n  g(); }\n");
  CHECK(translate(start + "p); g(); }\n") ==
        start + "p)" + added + "\n# 2 \"a.cu\"\n             ; g(); }\n");
  CHECK(translate(start + "\n    p); }\n") ==
        start + "\n    p)\n# 2 \"a.cu\" 3\n  " + added + "\n# 3 \"a.cu\"\n      ; }\n");
}

namespace {

const std::string header = R"(#pragma once
#pragma GCC system_header
#define __global__
#include <cstdio>
enum cudaError_t { cudaSuccess, cudaErrorInvalidValue };
enum cublasStatus_t { CUBLAS_STATUS_SUCCESS };
inline cudaError_t cudaFree(void* p) { return p == nullptr ? cudaSuccess : cudaErrorInvalidValue; }
inline cudaError_t cudaMalloc(void** p, int) { *p = nullptr; return cudaSuccess; }
template <class T> cudaError_t cudaMalloc(T** p, int n) { return cudaMalloc((void**)p, n); }
inline cublasStatus_t cublasCreate_v2(int*) { return CUBLAS_STATUS_SUCCESS; }
#define cublasCreate cublasCreate_v2
namespace emulator {
struct Discarded { const char* name; };
template <class Result> void operator,(Result result, Discarded discarded) {
  std::printf("%s %d|", discarded.name, int(result));
}
}
)";

const std::string strict =
    " -Iinc -std=c++20 -Og -g -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wold-style-cast "
    "-Wunused-result ";

const std::string nasty = R"cuda(#define RUN(call) do { call; } while (0)
namespace emulator { struct emulator {}; }
template <class T> void in_template(T n) {
  T* p = nullptr;
  cudaMalloc(&p, int(n)); RUN(cudaFree(p));
  if (n > 1) cudaFree(p); else cudaFree(&n);
}
namespace deep { namespace emulator { int x; }
struct S {
  ~S() { ::cudaFree(this); }
  int handle = [] { int h = 1; cublasCreate(&h); return h; }();
};
}
int main() {
  in_template(1);
  in_template(2.0);
  for (int i = 0; i < 2; ++i)
    cudaFree(&i);
  goto end;
end: cudaFree(nullptr);
  (void)cudaFree(nullptr);
  deep::S s;
  return s.handle == 1 ? 0 : static_cast<int>(cudaFree(&s));
}
)cuda";

}  // namespace

TEST_CASE("discarded results: a nasty file compiles without a warning and runs") {
  const Scratch scratch;
  scratch.write("inc/cuda_runtime.h", header);
  scratch.write("nasty.cu", nasty);
  const Result compiled = scratch.compile("--emulator-fast " + compiler + strict + "-c nasty.cu");
  CHECK(compiled.status == 0);
  CHECK(compiled.errors == "");
  const Result ran = scratch.run(compiler + " nasty.o -o nasty && ./nasty");
  CHECK(ran.status == 0);
  CHECK(ran.output ==
        "cudaMalloc 0|cudaFree 0|cudaFree 1|cudaMalloc 0|cudaFree 0|cudaFree 0|cudaFree 1|"
        "cudaFree 1|cudaFree 0|cublasCreate 0|cudaFree 1|");
}

TEST_CASE("discarded results: messages are about the student's lines and columns") {
  const Scratch scratch;
  scratch.write("inc/cuda_runtime.h", header);
  scratch.write("k.cu",
                "void f(double d, float* p) {\n"
                "  cudaFree(nothing); int a = d;\n"
                "  cudaMalloc(&p,\n"
                "             d); int b = d;\n"
                "  if (d > 1) cudaFree(p, 2);\n"
                "  cudaFre(p);\n"
                "}\n");
  const Result result = scratch.compile(compiler + strict + "-fno-diagnostics-show-caret -c k.cu");
  CHECK(result.status == 1);
  CHECK(contains(result.errors, "k.cu:2:12: error: 'nothing' was not declared"));
  CHECK(contains(result.errors, "k.cu:2:30: warning: conversion"));
  CHECK(contains(result.errors, "k.cu:4:14: warning: conversion"));
  CHECK(contains(result.errors, "k.cu:4:26: warning: conversion"));
  CHECK(contains(result.errors, "k.cu:5:22: error: too many arguments"));
  CHECK(contains(result.errors, "k.cu:6:3: error: 'cudaFre' was not declared"));
  CHECK(!contains(result.errors, "Discarded"));
}
