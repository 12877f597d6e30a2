// The table of a program's device variables that the translator appends: which names are in it, and
// that no program fails to compile, or gets another message, because of it.

#include "compiler/translate/device_variables.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "compiler/testing/compile_test.hpp"
#include "compiler/translate/translate.hpp"

namespace {

using emulator::compiler::testing::compiler;
using emulator::compiler::testing::contains;
using emulator::compiler::testing::Result;
using emulator::compiler::testing::Scratch;
using emulator::compiler::translate::translate;

// The names in the table, with a blank after each.
std::string names(const std::string& text) {
  const std::string result = translate(text);
  const std::size_t table = result.find("static const char emulator_device_variables[]");
  if (table == std::string::npos) return "";
  std::string found = result.substr(result.find(" = ", table) + 3);
  std::string listed;
  for (const char c : found) {
    if (c == '\\') listed += ' ';
    if (c != '"' && c != '\\' && c != ' ' && c != '0' && c != ';' && c != '\n') listed += c;
  }
  return listed;
}

}  // namespace

TEST_CASE("device variables: the words leave blanks, the table comes at the end") {
  CHECK(translate("static __device__ int b, a;") ==
        "static            int b, a;\n"
        "static const char emulator_device_variables[] __attribute__((used, aligned(1), "
        "section(\"emulator_device_variables\"))) = \"a\\0\" \"b\\0\";\n");
  CHECK(translate("__global__ void k(__device__ int);") == "           void k(           int);");
  CHECK(translate("auto f = [] __device__ (int i) { return i; };") ==
        "auto f = []            (int i) { return i; };");
  CHECK(translate("const char* s = \"__device__\"; int __device__x;") ==
        "const char* s = \"__device__\"; int __device__x;");
}

TEST_CASE("device variables: every kind of declaration") {
  CHECK(names("__device__ int a; __managed__ float b[2][3]; __device__ __managed__ T c{1};") ==
        "*b *c a b c ");
  CHECK(names("__device__ alignas(16) const ns::V<int, (3 > 2)> a = {1, 2}, *b, &c = d;") ==
        "a b c ");
  CHECK(names("float __device__ a = f(1, 2), b[] = {1, 2}, c;") == "a b c ");
  CHECK(names("__device__ float (*f)(float, int) = g, (*rows)[3], x;") == "f rows x ");
  CHECK(names("__device__ struct P : A<int> { int x; } p = {}; __device__ struct { int y; } q;") ==
        "p q ");
  CHECK(names("__device__ decltype(x) a __attribute__((aligned(8))) = 3;") == "a ");
  CHECK(names("extern __device__ int a; __device__ int ns::b = 1;") == "a b ");
  CHECK(names("template <class T> __device__ T a = T(1);") == "a ");
  CHECK(names("struct S { static __device__ int a; inline static __device__ int b = 1; };") ==
        "a b ");
}

TEST_CASE("device variables: the static variables of device functions") {
  CHECK(names("__global__ void k(int n) { static int a; { static float b[3] = {1}; int c; } }") ==
        "a b ");
  CHECK(names("__host__ __device__ auto f() noexcept -> int { static int a; return a; }") == "a ");
  CHECK(names("struct S { __device__ S() : x(1) { static int a; } int x; "
              "__device__ T operator()(int) const { static int b; } };") == "a b ");
  CHECK(names("auto f = [] __device__ (int i) { static int a; };") == "a ");
}

TEST_CASE("device variables: left out") {
  CHECK(names("__device__ int f(int); __global__ void k(int n) { int m; }") == "");
  CHECK(names("__device__ bool operator==(A, B); __device__ A::operator int() const;") == "");
  CHECK(names("int a; static int b; void f() { static int c; }") == "");
  CHECK(names("__shared__ int a; __constant__ int b;") == "");
  CHECK(names("# 1 \"a.cu\"\n# 1 \"s.h\" 1 3\n__device__ int a;\n# 2 \"a.cu\" 2\n"
              "__device__ int b;\n") == "b ");
  CHECK(names("__device__ int a; void f() {") == "");
}

namespace {

const std::string header =
    "#pragma once\n#pragma GCC system_header\n#define __host__\n"
    "#ifndef EMULATOR_TRANSLATOR\n#define __device__\n#endif\n";

const std::string strict =
    " -Iinc -std=c++20 -g -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wold-style-cast -Werror ";

const std::string nasty = R"cuda(#include <string>
#define HD __host__ __device__
namespace { __device__ int in_unnamed; __device__ int in_both; }
namespace a { inline namespace v { __device__ volatile int in_both; } __device__ int in_both[3]; }
class Private {
  static __device__ int hidden;
  inline static __device__ const float visible[] = {1, 2};
 public:
  HD static int get() { static int of_function = 3; return of_function + hidden + int(visible[0]); }
};
__device__ int Private::hidden = 4;
template <class T> struct Template { static __device__ T member; };
template <class T> __device__ T Template<T>::member = T(7);
template <class T> __device__ T of_template = T(8);
struct [[deprecated("old")]] Old { int i; };
[[deprecated]] __device__ int old;
extern __device__ struct Unknown unknown;
extern __device__ float open_array[];
__device__ auto lambda = [] HD (int i) { return i; };
__device__ int& reference = in_unnamed;
__global__ void k(int* p) { static int of_kernel; *p = ++of_kernel; }
HD int sum() {
  return in_unnamed + a::v::in_both + Private::get() + Template<int>::member + of_template<int> +
         lambda(1) + reference;
}
)cuda";

}  // namespace

TEST_CASE("device variables: a nasty file compiles without a warning") {
  const Scratch scratch;
  scratch.write("inc/cuda_runtime.h", header);
  scratch.write("nasty.cu", nasty);
  for (const std::string optimise : {"-Og", "-O2 -pedantic-errors"}) {
    const Result compiled = scratch.compile("--emulator-fast " + compiler + " " + optimise +
                                            strict + "-Wno-unused-variable -c nasty.cu");
    CHECK(compiled.status == 0);
    CHECK(compiled.errors == "");
    CHECK(contains(scratch.read("nasty.o"), std::string("hidden\0in_both\0", 15)));
  }
}

TEST_CASE("device variables: mistakes get the messages they would get") {
  const Scratch scratch;
  scratch.write("inc/cuda_runtime.h", header);
  const auto messages = [&](const std::string& text) {
    scratch.write("k.cu", text);
    const Result result =
        scratch.compile(compiler + strict + "-fno-diagnostics-show-caret -c k.cu");
    CHECK(result.status == 1);
    return result.errors;
  };
  CHECK(messages("__device__ Nothing n;\n") ==
        "k.cu:1:12: error: 'Nothing' does not name a type\n");
  CHECK(messages("__device__ int n\n") ==
        "k.cu:1:17: error: expected initializer at end of input\n");
  CHECK(messages("static __device__ int unused;\n") ==
        "k.cu:1:23: error: 'unused' defined but not used [-Werror=unused-variable]\n"
        "cc1plus: all warnings being treated as errors\n");
}
