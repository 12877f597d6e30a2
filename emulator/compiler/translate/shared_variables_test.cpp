// What becomes of __shared__ variables.

#include "compiler/translate/translate.hpp"

#include <doctest/doctest.h>

#include <string>
#include <string_view>

namespace {

using emulator::compiler::translate::translate;

// Static shared memory begins at a multiple of 128 bytes, bank 0. These tests are about the rest.
std::string translate_shared(const std::string& text) {
  constexpr std::string_view alignment = " __attribute__((aligned(128)))";
  std::string result = translate(text);
  const std::size_t at = result.find(alignment);
  return at == std::string::npos ? "not aligned: " + result : result.erase(at, alignment.size());
}

const std::string buffer = "(::emulator::dynamic_shared())";
const std::string unused = " __attribute__((unused)) = ";

}  // namespace

TEST_CASE("static shared memory") {
  CHECK(translate_shared("__shared__ float x[4][5];") == "static thread_local float x[4][5] {};");
  CHECK(translate_shared("static __shared__ int x;") == "static thread_local int x {};");
  CHECK(translate_shared("__shared__ static int x;") == "thread_local static int x {};");
  CHECK(translate_shared("volatile __shared__ int x, y;") ==
        "volatile static thread_local int x {}, y {};");
  CHECK(translate_shared("float __shared__ x;") == "float static thread_local x {};");
  CHECK(translate_shared("static int a; __shared__ int x;") ==
        "static int a; static thread_local int x {};");
  CHECK(translate_shared("__shared__ struct { int a; } x;") ==
        "static thread_local struct { int a; } x {};");
  CHECK(translate_shared("case 1: __shared__ int x;") == "case 1: static thread_local int x {};");
  CHECK(translate_shared("{ static int f(int); } __shared__ int x;") ==
        "{ static int f(int); } static thread_local int x {};");
  CHECK(translate_shared("if (static_n) __shared__ int x;") ==
        "if (static_n) static thread_local int x {};");
}

TEST_CASE("static shared memory: what the type wants counts, too") {
  const auto asks = [](const std::string& type) {
    return "__attribute__((aligned(__alignof__(" + type + ")))) ";
  };
  CHECK(translate_shared("__shared__ Tiles x[2], y;") ==
        "static thread_local " + asks("Tiles") + "Tiles x[2] {}, y {};");
  CHECK(translate_shared("volatile __shared__ a::B<C, 3> x;") ==
        "volatile static thread_local " + asks("volatile a::B<C, 3>") + "a::B<C, 3> x {};");
  CHECK(translate_shared("__shared__ alignas(16) typename T::S x;") ==
        "alignas(16) static thread_local " + asks("typename T::S") + "typename T::S x {};");
  CHECK(translate_shared("__shared__ Incomplete *x;") == "static thread_local Incomplete *x {};");
  CHECK(translate_shared("unsigned long long __shared__ x;") ==
        "unsigned long long static thread_local x {};");
}

TEST_CASE("static shared memory: alignas moves to the front") {
  CHECK(translate_shared("a; __shared__ alignas(16) float x[4];") ==
        "a; alignas(16) static thread_local float x[4] {};");
  CHECK(translate_shared("{ volatile __shared__ alignas(8)\n [[maybe_unused]] int x; }") ==
        "{ alignas(8) [[maybe_unused]] volatile static thread_local\n int x {}; }");
  CHECK(translate_shared("alignas(16) __shared__ int x;") ==
        "alignas(16) static thread_local int x {};");
  CHECK(translate_shared("__shared__ __attribute__((aligned(16))) int x;") ==
        "static thread_local __attribute__((aligned(16))) int x {};");
}

TEST_CASE("dynamic shared memory in a function") {
  CHECK(translate("{ extern __shared__ float s[]; }") ==
        "{ float (&s)[]" + unused + "*static_cast<float (*)[]>" + buffer + "; }");
  CHECK(translate("{ __shared__ extern float s[]; }") ==
        "{ float (&s)[]" + unused + "*static_cast<float (*)[]>" + buffer + "; }");
  CHECK(translate("{ extern volatile __shared__ unsigned char s[]; }") ==
        "{ volatile unsigned char (&s)[]" + unused + "*static_cast<volatile unsigned char (*)[]>" +
            buffer + "; }");
  CHECK(translate("{ extern __shared__ __attribute__((aligned(16))) T s[]; }") ==
        "{ T (&s)[]" + unused + "*static_cast<T (*)[]>" + buffer + "; }");
  CHECK(translate("{ extern __shared__ alignas(16) unsigned char s[]; }") ==
        "{ unsigned char (&s)[]" + unused + "*static_cast<unsigned char (*)[]>" + buffer + "; }");
  CHECK(translate("{ extern __shared__ T s[] __attribute__((aligned(16))); }") ==
        "{ T (&s)[]" + unused + "*static_cast<T (*)[]>" + buffer + "; }");
  CHECK(translate("{ alignas(16) extern __shared__ T s[] [[maybe_unused]]; }") ==
        "{ T (&s)[]" + unused + "*static_cast<T (*)[]>" + buffer + "; }");
  CHECK(translate("{ extern __shared__ T s[][N + 1]; }") ==
        "{ T (&s)[][N + 1]" + unused + "*static_cast<T (*)[][N + 1]>" + buffer + "; }");
  CHECK(translate("{ extern __shared__ std::array<T, (3 > 2)> s[]; }") ==
        "{ std::array<T, (3 > 2)> (&s)[]" + unused + "*static_cast<std::array<T, (3 > 2)> (*)[]>" +
            buffer + "; }");
  CHECK(translate("{ extern __shared__ float a[], *b[]; }") ==
        "{ float (&a)[]" + unused + "*static_cast<float (*)[]>" + buffer + ", *(&b)[]" + unused +
            "*static_cast<float *(*)[]>" + buffer + "; }");
  CHECK(translate("{ extern __shared__ const float* s[]; }") ==
        "{ const float *(&s)[]" + unused + "*static_cast<const float *(*)[]>" + buffer + "; }");
  CHECK(translate("{ extern\n__shared__\nfloat s[\n]; }") ==
        "{ float (&s)[ ]" + unused + "*static_cast<float (*)[ ]>" + buffer + "\n\n\n; }");
  CHECK(translate("# 1 \"a.cu\"\n{ extern __shared__ float s[]; }") ==
        "# 1 \"a.cu\"\n{ float (&s)[]" + unused + "*static_cast<float (*)[]>" + buffer +
            "\n# 1 \"a.cu\"\n                             ; }");
}

TEST_CASE("dynamic shared memory at namespace scope") {
  const std::string name = " __asm__(\"emulator_dynamic_shared_memory\")";
  CHECK(translate("extern __shared__ int s[];") == "extern __thread int s[]" + name + ";");
  CHECK(translate("__shared__ extern int s[];") == "extern __thread        int s[]" + name + ";");
  CHECK(translate("extern __shared__ alignas(16) int s[][4], *t[];") ==
        "alignas(16) extern __thread int s[][4]" + name + ", *t[]" + name + ";");
  CHECK(translate("extern __shared__ T s[] __attribute__((aligned(16)));") ==
        "extern __thread T s[]" + name + " __attribute__((aligned(16)));");
  CHECK(translate("namespace { extern __shared__ int s[]; }") ==
        "namespace { extern __thread int s[]" + name + "; }");
  CHECK(translate("inline namespace a::b { extern \"C\" { extern __shared__ int s[]; } }") ==
        "inline namespace a::b { extern \"C\" { extern __thread int s[]" + name + "; } }");
  CHECK(translate("# 1 \"a.cu\"\nextern __shared__ int s[], t;") ==
        "# 1 \"a.cu\"\nextern __thread\n# 1 \"a.cu\"\n                  int s[]" + name +
            "\n# 1 \"a.cu\"\n                         , t" + name +
            "\n# 1 \"a.cu\"\n                            ;");
  CHECK(translate("enum A { a }; void f() {} extern __shared__ int s[];") ==
        "enum A { a }; void f() {} extern __thread int s[]" + name + ";");
  CHECK(translate("using namespace a; void f() { extern __shared__ int s[]; }") ==
        "using namespace a; void f() { int (&s)[]" + unused + "*static_cast<int (*)[]>" + buffer +
            "; }");
}
