// The table of a program's types that the translator appends: which types are in it, and that no
// program fails to compile, or gets another message, because of it.

#include "compiler/translate/type_table.hpp"

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

// What the translator appends to a text in which it changes nothing else.
std::string appended(const std::string& text) {
  const std::string result = translate(text);
  REQUIRE(result.substr(0, text.size()) == text);
  return result.substr(text.size());
}

std::string array_of(const std::vector<std::string>& types) {
  std::string result =
      "static const struct { unsigned long size, alignment; } emulator_types[] "
      "__attribute__((used, aligned(16), section(\"emulator_types\"))) = {";
  for (const std::string& type : types) {
    if (&type != &types.front()) result += ", ";
    result +=
        "{__is_trivially_copyable(" + type + ") ? sizeof(" + type + ") : 0, alignof(" + type + ")}";
  }
  return result + "};";
}

std::string table(const std::vector<std::string>& types) {
  return "\n" + array_of(types) + "\n";
}

}  // namespace

TEST_CASE("types: every kind of class") {
  CHECK(appended("struct P { int x; };") == table({"struct ::P"}));
  CHECK(appended("class P { int x; }; union U { int x; };") == table({"class ::P", "union ::U"}));
  CHECK(appended("struct P final : public A<(1 > 0)>, B { int x; };") == table({"struct ::P"}));
  CHECK(appended("struct final { int x; };") == table({"struct ::final"}));
  CHECK(appended("struct alignas(16) [[a::b]] __attribute__((aligned(8))) P { int x; };") ==
        table({"struct ::P"}));
  CHECK(appended("[[a]] static const struct P { int x; } p = {1};") == table({"struct ::P"}));
  CHECK(contains(translate("__constant__ struct P { int x; } p;"), table({"struct ::P"})));
  CHECK(contains(translate("void f(); __shared__ struct P { int x; } p;"), table({"struct ::P"})));
  CHECK(appended("inline constexpr struct P { int x; } p = {1};") == table({"struct ::P"}));
  CHECK(appended("__extension__ typedef struct { int x; } P;") == table({"::P"}));
  CHECK(appended("extern \"C\" struct P { int x; };") == table({"struct ::P"}));
  CHECK(appended("typedef struct { int x; } P, *Q;") == table({"::P"}));
  CHECK(appended("typedef struct { int x; } __attribute__((packed)) P;") == table({"::P"}));
  CHECK(appended("typedef struct P { int x; } Q;") == table({"struct ::P"}));
  CHECK(appended("using P = struct { int x; };") == table({"::P"}));
  CHECK(appended("void f() { g(); } struct P { int x; };") == table({"struct ::P"}));
  CHECK(appended("int a[] = {1, 2}; struct P { int x; };") == table({"struct ::P"}));
}

TEST_CASE("types: namespaces") {
  CHECK(appended("namespace a { struct P {}; namespace b::inline c { struct Q {}; } struct R {}; }"
                 "struct S {};") ==
        table({"struct ::a::P", "struct ::a::b::c::Q", "struct ::a::R", "struct ::S"}));
  CHECK(
      appended("namespace a __attribute__((x)) { struct P {}; } namespace [[y]] b { struct P {}; }"
               "inline namespace d { struct P {}; } namespace e = a;") ==
      table({"struct ::a::P", "struct ::b::P", "struct ::d::P"}));
  CHECK(appended("extern \"C\" { struct P {}; namespace a { struct P {}; } }") ==
        table({"struct ::P", "struct ::a::P"}));
  CHECK(appended("using namespace a; struct P {};") == table({"struct ::P"}));
}

TEST_CASE("types: unnamed namespaces are named from within") {
  CHECK(appended("struct P {}; namespace { struct P {}; typedef struct {} T; }"
                 "namespace a { namespace { namespace b { union U {}; } } }") ==
        "\n" + array_of({"struct ::P"}) + " namespace { " + array_of({"struct P", "T"}) +
            " } namespace a { namespace { namespace b { " + array_of({"union U"}) + " } } }\n");
}

TEST_CASE("types: left out") {
  CHECK(appended("struct P; class P* f(); struct P g() { return {}; } struct P p{1};") == "");
  CHECK(appended("enum struct E { a }; enum class F : int { a }; enum G { b };") == "");
  CHECK(appended("struct { int x; } x; static union { int y; }; typedef struct { int z; }* Q;") ==
        "");
  CHECK(appended("typedef struct { int x; } P[3];") == "");
  CHECK(appended("void f() { struct P {}; } template <class T> void f() { struct P {}; }") == "");
  CHECK(appended("auto f = [] { struct P {}; return 1; };") == "");
  CHECK(appended("struct A::P { int x; };") == "");
  CHECK(appended("struct [[gnu::unavailable]] P { int x; };") == "");
  // a class inside a class
  CHECK(appended("struct P { struct Q { int x; }; Q q; };") == table({"struct ::P"}));
}

TEST_CASE("types: templates are left out") {
  CHECK(appended("template <class T> struct P { T t; }; template <> struct P<int> {};") == "");
  CHECK(appended("template struct P<int>; template <class T> struct P<T*> {};") == "");
  CHECK(appended("template <class T> requires requires { typename T::x; } struct P {};") == "");
  CHECK(appended("template <class T> requires requires(T t) { t.f(); } struct P {};") == "");
  CHECK(appended("template <auto f = [] { return 1; }> struct P {};") == "");
  CHECK(appended("template <A a = {}, class T = B> struct P {};") == "");
  CHECK(appended("template <A a = {}> requires (A{} == a) struct P {};") == "");
}

TEST_CASE("types: system headers are left out") {
  CHECK(
      appended("# 1 \"s.h\" 1 3\nstruct S {};\n# 1 \"a.cu\" 2\nnamespace a {\n"
               "# 1 \"s.h\" 1 3 4\nstruct S { double3 d; };\n# 3 \"a.cu\" 2\nstruct P {};\n}\n") ==
      "\n# 5 \"a.cu\" 3\n" + array_of({"struct ::a::P"}) + "\n");
}

TEST_CASE("types: of the wide vectors those that the program mentions") {
  CHECK(appended(
            "double3* p; void f() { auto v = make_longlong4(1, 2, 3, 4); double3 d; float4 e; }") ==
        table({"::double3", "::longlong4"}));
  CHECK(appended("int make_, double3_, xdouble3; const char* s = \"double3\";") == "");
}

TEST_CASE("types: what the compiler would call ambiguous is left out") {
  CHECK(appended("namespace a { struct P {}; inline namespace b { struct P {}; } }") ==
        table({"struct ::a::b::P"}));
  CHECK(appended("namespace a { struct P {}; namespace b { struct P {}; } }") ==
        table({"struct ::a::P", "struct ::a::b::P"}));
  CHECK(appended("namespace a { struct P {}; inline namespace b { struct Q {}; } }") ==
        table({"struct ::a::P", "struct ::a::b::Q"}));
  CHECK(appended(
            "namespace a { struct P {}; } namespace c { inline namespace b { struct P {}; } }") ==
        table({"struct ::a::P", "struct ::c::b::P"}));
}

TEST_CASE("types: no table for what makes no sense") {
  CHECK(appended("struct P {}; void f() {") == "");
  CHECK(appended("struct P {}; }") == "");
  CHECK(appended("struct P {}; int x);") == "");
  CHECK(appended("struct P {}; namespace a { int x } struct Q {}; }") == "");
  CHECK(appended("struct P {}; int x = 3") == "");
  CHECK(appended("struct P {}; static struct Q {}") == "");
  CHECK(appended("struct P {}; f(]); double3 d;)") == "");
  CHECK(appended("struct P {}; namespace a { double3 d;") == "");
  CHECK(appended("") == "");
}

namespace {

const std::string vectors =
    "#pragma once\n#pragma GCC system_header\n#include <cstddef>\n#define __global__\n"
    "struct double3 { double x, y, z; };\nstruct alignas(16) float4 { float x, y, z, w; };\n"
    "struct Hidden { int i[100]; };\n";

const std::string strict =
    " -Iinc -std=c++20 -g -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wold-style-cast -Werror ";

// Each class has a size of its own.
const std::string nasty = R"cuda(#include <string>
#include <vector>
#include <sys/stat.h>
struct Same { char c[1]; };
namespace { struct Same { char c[2]; }; namespace deep { struct Same { char c[3]; }; } }
namespace a { inline namespace v { struct Same { char c[4]; }; } namespace {
class Same { public: char c[5]; };
} }
namespace b { struct Same { char c[6]; }; namespace a { struct Same { char c[7]; }; } }
using namespace b::a;
typedef struct { short s[4]; } Unnamed, *Pointer;
typedef struct Tag { short s[5]; } Tag;
using Alias = struct { short s[6]; };
struct [[deprecated("old")]] Old { short s[7]; };
namespace [[deprecated]] old { struct In { short s[8]; }; namespace { struct In { short s[9]; }; } }
struct __attribute__((packed)) Packed { char c[11]; double d; };
struct Trailing { char c[13]; double d; } __attribute__((packed, aligned(2)));
struct alignas(32) Wide { int i; };
struct Base { int i[10]; };
struct Derived final : Base, private Unnamed { int more; };
struct both { int i[11]; };
extern int both;
extern "C" { struct In_c { int i[14]; }; namespace { struct In_c { int i[15]; }; } }
union Union { double d[8]; int i; };
template <class T> struct Template { struct type { T t; double d[11]; }; };
struct From_instance : Template<decltype([] { return 1; })>::type {};
static struct Variable { double d[9]; } variable [[maybe_unused]];
struct Owner { std::string s; std::vector<double> v; double d[3]; };
struct Abstract { virtual void f() = 0; virtual ~Abstract() = default; double d[13]; };
class Private { struct In { double d[10]; }; In in; };
struct Constructor { explicit Constructor(int); Constructor(const Constructor&) = delete; double d[14]; };
double3 d;
__global__ void k() { struct Local { double d[20]; }; }
struct stat with_function_of_its_name();
)cuda";

// Prints the table.
const std::string printer = R"(#include <cstdio>
struct Shape { unsigned long size, alignment; };
extern const Shape __start_emulator_types[], __stop_emulator_types[];
int main() {
  for (const Shape* s = __start_emulator_types; s != __stop_emulator_types; ++s) {
    std::printf("%lu/%lu\n", s->size, s->alignment);
  }
}
)";

}  // namespace

TEST_CASE("types: a nasty file compiles without a warning") {
  const Scratch scratch;
  scratch.write("inc/cuda_runtime.h", vectors);
  scratch.write("printer.cpp", printer);
  scratch.write("nasty.cu", nasty);
  scratch.write("other.cu", "namespace { struct Same { float f[33]; }; }\n");
  for (const std::string optimise : {"-Og", "-O2", "-O2 -pedantic-errors"}) {
    const std::string flags = " " + optimise + strict;
    const Result compiled = scratch.compile("--emulator-fast " + compiler + flags + "-c nasty.cu");
    CHECK(compiled.status == 0);
    CHECK(compiled.errors == "");
    CHECK(scratch.compile("--emulator-fast " + compiler + flags + "-c other.cu").status == 0);
    const Result ran = scratch.run(
        compiler + " printer.cpp nasty.o other.o -o printer && ./printer | sort -n | tr '\\n' ' '");
    CHECK(ran.errors == "");
    CHECK(ran.output ==
          "0/8 0/8 1/1 2/1 3/1 4/1 5/1 6/1 7/1 8/2 10/2 12/2 14/2 16/2 18/2 19/1 22/2 24/8 32/32 "
          "40/4 44/4 52/4 56/4 60/4 64/8 72/8 80/8 96/8 112/8 132/4 ");
  }
}

TEST_CASE("types: the table changes no message") {
  const Scratch scratch;
  scratch.write("inc/cuda_runtime.h", vectors);
  const auto messages = [&](const std::string& text) {
    scratch.write("k.cu", text);
    const Result result =
        scratch.compile(compiler + strict + "-fno-diagnostics-show-caret -c k.cu");
    CHECK(result.status == 1);
    CHECK(contains(result.errors, "k.cu:"));
    CHECK(!contains(result.errors, "emulator"));
    return result.errors;
  };
  CHECK(messages("struct P { int i; };\nvoid f() { nothing(); }\n") ==
        "k.cu: In function 'void f()':\n"
        "k.cu:2:12: error: 'nothing' was not declared in this scope\n");
  CHECK(messages("struct P { int i; };\nvoid f() {\n") ==
        "k.cu: In function 'void f()':\n"
        "k.cu:2:11: error: expected '}' at end of input\n");
  CHECK(messages("struct P { int i; }\n") ==
        "k.cu:1:20: error: expected ';' after struct definition\n");
  CHECK(messages("struct P { int i; };\nint x = 3\n") ==
        "k.cu:2:10: error: expected ',' or ';' at end of input\n");
  CHECK(messages("struct P { Nothing n; };\n") ==
        "k.cu:1:12: error: 'Nothing' does not name a type\n");
  CHECK(messages("struct P { int i; };\nstatic int unused;\n") ==
        "k.cu:2:12: error: 'unused' defined but not used [-Werror=unused-variable]\n"
        "cc1plus: all warnings being treated as errors\n");
}
