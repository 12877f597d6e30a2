#include "compiler/translate/translate.hpp"

#include <doctest/doctest.h>

#include <string>

namespace {

using emulator::compiler::translate::translate;
using emulator::compiler::translate::TranslationError;

std::string error_of(const std::string& text) {
  try {
    translate(text);
  } catch (const TranslationError& error) {
    return error.what();
  }
  return "";
}

const std::string section = "__attribute__((section(\"emulator_constant\")))";

}  // namespace

TEST_CASE("the blocks of a cluster become the kernel's first statement") {
  CHECK(translate("template <int n> __global__ void __attribute__((__cluster_dims__(n * 2, 1, 1))) "
                  "k(int* p) { *p = 1; }") ==
        "template <int n>            void __attribute__(()) k(int* p) { "
        "::emulator::detail::declare_cluster(n * 2, 1, 1); *p = 1; }");
  CHECK(error_of("__global__ void __attribute__((__cluster_dims__(2))) k(int* p);") ==
        "input:1: error: __cluster_dims__ must be at the definition of the kernel");
}

TEST_CASE("the launch bounds of a kernel become its first statement, and a launch asks for them") {
  const std::string bounded = translate(
      "__global__ void __attribute__((__launch_bounds__(64, 2))) k(int* p);\n"
      "__global__ void k(int* p) { *p = 1; }\nvoid f() { k<<<1, 65>>>(nullptr); }");
  CHECK(bounded.find("k(int* p) { { constexpr unsigned emulator_bound = "
                     "::emulator::detail::bound_of(64, 2);") != std::string::npos);
  CHECK(bounded.find("__launch_bounds__") == std::string::npos);
  CHECK(bounded.find(").bounded()(nullptr)") != std::string::npos);
  // Not of another kernel.
  CHECK(translate("__global__ void __attribute__((__launch_bounds__(64))) k(int* p) {}\n"
                  "__global__ void j(int* p) {}\nvoid f() { j<<<1, 65>>>(nullptr); }")
            .find(".bounded()") == std::string::npos);
}

TEST_CASE("typename, where nothing but a type can stand") {
  const std::string file = "# 1 \"a.cu\"\n";
  CHECK(translate(file + "template <class T> A<T>::t A<T>::f() {}").find("> typename ") !=
        std::string::npos);
  CHECK(translate(file + "template <class T> using t = A<T>::t;").find("= typename ") !=
        std::string::npos);
  CHECK(translate(file + "int n = static_cast<A<T>::t>(a.x);").find("< typename ") !=
        std::string::npos);
  for (const std::string text :
       {"template <class T> A<T>::A(int) {}", "template <class T> A<T>::operator int() {}",
        "template <class T> int f() { return A<T>::n; }", "template <class T> int A<T>::n = 1;"}) {
    CHECK(translate(file + text).find("typename") == std::string::npos);
  }
}

TEST_CASE("what is not CUDA stays as it is") {
  const std::string text =
      "# 1 \"a.cu\"\n"
      "#pragma GCC diagnostic push\n"
      "#pragma GCC unroll 4\n"
      "// k<<<1, 2>>>(x) __shared__\n"
      "/* k<<<1, 2>>>(x)\n #pragma unroll\n*/\n"
      "const char* s = \"k<<<1, 2>>>(x) __shared__\"; int c = '<<<';\n"
      "const char* r = R\"x(k<<<1, 2>>>(\n)\" extern __shared__ int a[];\n#pragma unroll\n)x\";\n"
      "int n = 1'000 << 2 >> 1; bool b = 3 < 4; std::vector<std::vector<int>> v;\r\n"
      "int __shared__x, x__constant__; \n";
  CHECK(translate(text) == text);
  CHECK(translate("") == "");
}

TEST_CASE("constant memory") {
  CHECK(translate("__constant__ float c[3];") == section + " float c[3];");
  CHECK(translate("static __constant__ float c[3];") == "static " + section + " float c[3];");
  CHECK(translate("extern __constant__ A<const B> c;") == "extern " + section + " A<const B> c;");
  CHECK(translate("__constant__ const float* p;") == section + " const float* p;");
  CHECK(translate("__constant__ float (*p)[3];") == section + " float (*p)[3];");
  CHECK(translate("const int a = 1; __constant__ float c[] = {a};") ==
        "const int a = 1; " + section + " float c[] = {a};");
  CHECK(translate("float __constant__ c = f((const int)2);") ==
        "float " + section + " c = f((const int)2);");
}

TEST_CASE("constant memory: const variables get no section") {
  CHECK(translate("__constant__ const float c[] = {1};") == " const float c[] = {1};");
  CHECK(translate("const __constant__ int c = 1;") == "const  int c = 1;");
  CHECK(translate("__constant__ float* const p = 0;") == " float* const p = 0;");
  CHECK(translate("__constant__ constexpr const char* p = s;") == " constexpr const char* p = s;");
  CHECK(translate("__constant__ float (*const p)[3] = 0;") == " float (*const p)[3] = 0;");
}

TEST_CASE("pragmas for nvcc become empty lines") {
  CHECK(translate("a\n#pragma unroll\nb") == "a\n\nb");
  CHECK(translate("#pragma unroll 4\n#pragma unroll(4)\n#pragma unroll (N)\n") == "\n\n\n");
  CHECK(translate("a\n  # pragma\tnounroll\nb") == "a\n  \nb");
  CHECK(translate("#pragma nv_diag_suppress 177\n#pragma unrolled\n") == "\n#pragma unrolled\n");
  CHECK(translate("#pragma unroll") == "");
}

TEST_CASE("__noinline__ becomes an attribute where it is none") {
  const std::string attribute = "__attribute__((noinline))";
  CHECK(translate("__noinline__ int f();") == attribute + " int f();");
  CHECK(translate("template <class T> int __noinline__ f(T);") ==
        "template <class T> int " + attribute + " f(T);");
  for (const char* unchanged :
       {"__attribute__((__noinline__)) int f();",
        "__attribute__((__cold__, __noinline__)) int f();", "[[gnu::__noinline__]] int f();"}) {
    CHECK(translate(unchanged) == unchanged);
    CHECK(translate(unchanged, {.flat_kernels = true}) == unchanged);
  }
  CHECK(translate("__noinline__ int f();", {.flat_kernels = true}) == " int f();");
}

TEST_CASE("memcpy and its siblings are redirected where the program calls the C library's") {
  CHECK(translate("memcpy(a, f(b, 1), 12);") == "emulator_memcpy(a, f(b, 1), 12);");
  CHECK(translate("return std::memset(a, 0, n);") == "return std::emulator_memset(a, 0, n);");
  CHECK(translate("if (x) ::memmove(a, b, n);") == "if (x) ::emulator_memmove(a, b, n);");
  CHECK(translate("__builtin_memcpy(a, b, 32);") == "emulator_memcpy(a, b, 32);");
  CHECK(translate("x = !__builtin_memcmp(a, b, 4);") == "x = !emulator_memcmp(a, b, 4);");
  for (const char* other :
       {"void* memcpy(void*, const void*, size_t);", "v.memset(a, 0, n);", "p->memcpy(a, b, n);",
        "mine::memcpy(a, b, n);", "void memset(S& s, int v, int n);", "memset(a, f(1, 2));",
        "f = memcpy;"}) {
    CHECK(translate(other) == other);
  }
}

TEST_CASE("errors name the file and the line") {
  CHECK(error_of("\n__block_size__((64, 1, 1)) void k();") ==
        "input:2: error: __block_size__ is not modelled");
  CHECK(error_of("# 12 \"a \\\"b\\\".cu\" 1\n\n x = a<<<b;\n") ==
        "a \"b\".cu:13: error: '<<<' without a matching '>>>('");
  CHECK(error_of("\nk<<<1, 2>>>;") == "input:2: error: '<<<' without a matching '>>>('");
  CHECK(error_of("k<<<1, (2>>>(x);") == "input:1: error: '<<<' without a matching '>>>('");
  CHECK(error_of("f(k<<<1, 2) >>>(x);") == "input:1: error: '<<<' without a matching '>>>('");
  CHECK(error_of("k<<<1, j<<<2, 3>>>(x)>>>(y)") ==
        "input:1: error: '<<<' without a matching '>>>('");
  CHECK(error_of("return <<<1, 2>>>(x);") ==
        "input:1: error: '<<<' without a kernel's name before it");
  CHECK(error_of("<<<1, 2>>>(x);") == "input:1: error: '<<<' without a kernel's name before it");
  CHECK(error_of("2<<<1, 2>>>(x);") == "input:1: error: '<<<' without a kernel's name before it");
  CHECK(error_of("1 > <<<1, 2>>>(x);") ==
        "input:1: error: '<<<' without a kernel's name before it");
  CHECK(error_of("(f(k<<<1, 2>>>()))<<<1, 2>>>(x);") ==
        "input:1: error: a launch inside the expression that names a kernel");
  CHECK(error_of("{ extern __shared__ float (*s)[3]; }") ==
        "input:1: error: a form of 'extern __shared__' that the emulator does not know");
  CHECK(error_of("{ extern __shared__ float s[] }") ==
        "input:1: error: 'extern __shared__' without a ';'");
}
