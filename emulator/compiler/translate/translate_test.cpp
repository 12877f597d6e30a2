#include "compiler/translate/translate.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/text/lexer.hpp"

namespace {

using emulator::compiler::text::lex;
using emulator::compiler::text::Token;

using emulator::compiler::translate::translate;
using emulator::compiler::translate::TranslationError;

// What `kernel<<<configuration>>>` becomes. Text without line markers stays on one line.
std::string launch(const std::string& kernel, const std::string& configuration,
                   const std::string& name, bool computed = false) {
  return "::emulator::launch_with(\"" + name + "\", ::emulator::Configuration(" + configuration +
         "), " + (computed ? "::emulator::chosen([&, emulator_kernel = " + kernel : "[&") +
         "](auto&... emulator_arguments) __attribute__((no_sanitize(\"thread\"), "
         "no_sanitize_coverage)) -> decltype(static_cast<void>((" +
         kernel + ")(emulator_arguments...))) { (" + (computed ? "emulator_kernel" : kernel) +
         ")(emulator_arguments...); }" + (computed ? "))" : ")");
}

// The same for a kernel that is worked out once, before the launch.
std::string computed(const std::string& kernel, const std::string& name) {
  return launch(kernel, "1, 2", name, true);
}

// Static shared memory begins at a multiple of 128 bytes, bank 0. These tests are about the rest.
std::string translate_shared(const std::string& text) {
  constexpr std::string_view alignment = " __attribute__((aligned(128)))";
  std::string result = translate(text);
  const std::size_t at = result.find(alignment);
  return at == std::string::npos ? "not aligned: " + result : result.erase(at, alignment.size());
}

std::string launch(const std::string& kernel, const std::string& configuration = "1, 2") {
  return launch(kernel, configuration, kernel);
}

std::string error_of(const std::string& text) {
  try {
    translate(text);
  } catch (const TranslationError& error) {
    return error.what();
  }
  return "";
}

std::vector<std::string> words(std::string_view text) {
  std::vector<std::string> result;
  for (const Token& token : lex(text).tokens) {
    result.emplace_back(text.substr(token.begin, token.end - token.begin));
  }
  return result;
}

using Words = std::vector<std::string>;

const std::string section = "__attribute__((section(\"emulator_constant\")))";
const std::string buffer = "(::emulator::dynamic_shared())";
const std::string unused = " __attribute__((unused)) = ";

}  // namespace

TEST_CASE("in a lambda a launch says no type, which g++ 13 could not read") {
  const std::string type = "-> decltype(";
  const auto says_type = [&](const std::string& text) {
    return translate(text).find(type) != std::string::npos;
  };
  CHECK_FALSE(says_type("auto l = [&](auto n) { if (p) { k<n.value><<<1, n>>>(p, m); } };"));
  CHECK_FALSE(says_type("f([=] { k<n><<<1, 2>>>(p); });"));
  CHECK_FALSE(says_type("f([=]() mutable -> int { k<n><<<1, 2>>>(p); });"));
  // Where an integer may stand for a null pointer, it has to; elsewhere it may.
  CHECK(says_type("f([=] { k<n><<<1, 2>>>(p, 0); });"));
  CHECK(says_type("f([=] { k<<<1, 2>>>(p); });"));
  CHECK(says_type("int a[2] = {g(p[0])}; void f() { k<n><<<1, 2>>>(p); }"));
  CHECK(says_type("void f(int (&p)[n]) { k<n><<<1, 2>>>(p); }"));
}

TEST_CASE("the blocks of a cluster become the kernel's first statement") {
  CHECK(translate("template <int n> __global__ void __attribute__((__cluster_dims__(n * 2, 1, 1))) "
                  "k(int* p) { *p = 1; }") ==
        "template <int n>            void __attribute__(()) k(int* p) { "
        "::emulator::detail::declare_cluster(n * 2, 1, 1); *p = 1; }");
  CHECK(error_of("__global__ void __attribute__((__cluster_dims__(2))) k(int* p);") ==
        "input:1: error: __cluster_dims__ has to stand at the definition of the kernel");
}

TEST_CASE("lexer: numbers") {
  CHECK(words("1'000'000u+0x1'F") == Words{"1'000'000u", "+", "0x1'F"});
  CHECK(words("1e+5f-.5e-3 0x1p-3") == Words{"1e+5f", "-", ".5e-3", "0x1p-3"});
  CHECK(words("1-2") == Words{"1", "-", "2"});
}

TEST_CASE("lexer: strings and characters") {
  CHECK(words(R"('"' "'" '\'' "\"<<<")") == Words{"'\"'", "\"'\"", "'\\''", "\"\\\"<<<\""});
  CHECK(words("u8\"a\"sv L'b'_x") == Words{"u8\"a\"sv", "L'b'_x"});
  CHECK(words("u8R\"x(a\")\n)\")x\"s;") == Words{"u8R\"x(a\")\n)\")x\"s", ";"});
  CHECK(words("BAR\"(\" )") == Words{"BAR", "\"(\"", ")"});
  CHECK(words("\"no end\n x") == Words{"\"no end", "x"});
  CHECK(words("R\"(no end") == Words{"R\"(no end"});
  CHECK(words("R\"no parenthesis") == Words{"R\"no parenthesis"});
}

TEST_CASE("lexer: punctuators") {
  CHECK(words("a<<<b>>>(c)") == Words{"a", "<<<", "b", ">", ">", ">", "(", "c", ")"});
  CHECK(words("operator<<<int>") == Words{"operator", "<<", "<", "int", ">"});
  CHECK(words("a<<=b<=>c>>=d->e->*f>=g") ==
        Words{"a", "<<=", "b", "<=>", "c", ">>=", "d", "->", "e", "->*", "f", ">=", "g"});
  CHECK(words("x-->y") == Words{"x", "--", ">", "y"});
  CHECK(words("a::b:c...") == Words{"a", "::", "b", ":", "c", "..."});
}

TEST_CASE("lexer: comments and directives are not tokens") {
  CHECK(words("a /* b \" */ c // d '\\\n e\nf") == Words{"a", "c", "f"});
  CHECK(words("# 1 \"it's\"\n  #pragma x '\na # b") == Words{"a", "#", "b"});
  CHECK(lex("# 1 \"a\"\n x\n #pragma y").directives.size() == 2);
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

TEST_CASE("operator<< with template arguments is not a launch") {
  const std::string text = "operator<<<int>(x); ns::operator<<<A<B<C>>>(y); &operator<<<char>;";
  CHECK(translate(text) == text);
}

TEST_CASE("launch: the kernel") {
  CHECK(translate("k<<<1, 2>>>(x);") == launch("k") + "(x);");
  CHECK(translate("k<<<1, 2>>>();") == launch("k") + "();");
  CHECK(translate("ns::k<<<1, 2>>>(x)") == launch("ns::k") + "(x)");
  CHECK(translate("return ::ns::k<<<1, 2>>>(x)") == "return " + launch("::ns::k") + "(x)");
  CHECK(translate("else ::k<<<1, 2>>>(x)") == "else " + launch("::k") + "(x)");
  CHECK(translate("k<3, 4><<<1, 2>>>(x)") == launch("k<3, 4>", "1, 2", "k") + "(x)");
  CHECK(translate("ns::k<T, (N > 2)><<<1, 2>>>(x)") ==
        launch("ns::k<T, (N > 2)>", "1, 2", "ns::k") + "(x)");
  CHECK(translate("k<A<B<3>>><<<1, 2>>>(x)") == launch("k<A<B<3>>>", "1, 2", "k") + "(x)");
  CHECK(translate("k<n << 2><<<1, 2>>>(x)") == launch("k<n << 2>", "1, 2", "k") + "(x)");
  CHECK(translate("k<sizeof(T) < 8><<<1, 2>>>(x)") ==
        launch("k<sizeof(T) < 8>", "1, 2", "k") + "(x)");
  CHECK(translate("k<n < 8><<<1, 2>>>(x)") == launch("k<n < 8>", "1, 2", "k") + "(x)");
  CHECK(translate("k<p->size, s[1 > 0]><<<1, 2>>>(x)") ==
        launch("k<p->size, s[1 > 0]>", "1, 2", "k") + "(x)");
  CHECK(translate("A<T>::k<<<1, 2>>>(x)") == launch("A<T>::k", "1, 2", "A::k") + "(x)");
  CHECK(translate("T::template k<3><<<1, 2>>>(x)") ==
        launch("T::template k<3>", "1, 2", "T::k") + "(x)");
  CHECK(translate("A<T>::template B<3>::k<<<1, 2>>>(x)") ==
        launch("A<T>::template B<3>::k", "1, 2", "A::B::k") + "(x)");
  CHECK(translate("x; decltype(a)::k<<<1, 2>>>(x)") == "x; " + launch("decltype(a)::k") + "(x)");
  CHECK(translate("(*fp)<<<1, 2>>>(x)") == launch("(*fp)") + "(x)");
  CHECK(translate("table[i][j + 1]<<<1, 2>>>(x)") ==
        computed("table[i][j + 1]", "table[i][j+1]") + "(x)");
  CHECK(translate("a.b.k<<<1, 2>>>(x)") == computed("a.b.k", "a.b.k") + "(x)");
  CHECK(translate("this->k<<<1, 2>>>(x)") == computed("this->k", "this->k") + "(x)");
  CHECK(translate("p->template k<T><<<1, 2>>>(x)") ==
        launch("p->template k<T>", "1, 2", "p->k") + "(x)");
  CHECK(translate("f(1, g(2)).k<<<1, 2>>>(x)") == computed("f(1, g(2)).k", "f(1,g(2)).k") + "(x)");
  CHECK(translate("pick<3>(n)<<<1, 2>>>(x)") == computed("pick<3>(n)", "pick(n)") + "(x)");
  CHECK(translate("table[a < b]<<<1, 2>>>(x)") == computed("table[a < b]", "table[a<b]") + "(x)");
  CHECK(translate("m[\"a\\n\"]<<<1, 2>>>(x)") ==
        computed("m[\"a\\n\"]", "m[\\\"a\\\\n\\\"]") + "(x)");
  CHECK(translate("(b ? k : l)<<<1, 2>>>(x)") == computed("(b ? k : l)", "(b?k:l)") + "(x)");
  CHECK(translate("(pick(n))<<<1, 2>>>(x)") == computed("(pick(n))", "(pick(n))") + "(x)");
  CHECK(translate("a.k<<<1, 2>>>(x, {1})") ==
        computed("a.k", "a.k") + ".typed(static_cast<decltype(+(a.k))>(nullptr))(x, {1})");
  CHECK(translate("k /* of mine */ <<<1, 2>>>(x)") == launch("k") + "(x)");
}

TEST_CASE("translate: a kernel that a function is given is a variable, and held by its value") {
  const auto body = [](const std::string& head) {
    return translate(head + " { k<<<1, 2>>>(x); }") == head + " { " + computed("k", "k") + "(x); }";
  };
  CHECK(body("template <class K> void run(K k, int* x)"));
  CHECK(body("void run(void (&k)(int*), int* x)"));
  CHECK(body("int A::run(K k, Args const&... x) const noexcept(true)"));
  CHECK(body("auto run = [](auto k) -> int"));
  CHECK(translate("void run(K k = 0) { if (x) { k<<<1, 2>>>(x); } }") ==
        "void run(K k = 0) { if (x) { " + computed("k", "k") + "(x); } }");
  const auto named = [](const std::string& head, const std::string& tail = "") {
    return translate(head + " { k<<<1, 2>>>(x); }" + tail) ==
           head + " { " + launch("k", "1, 2", "k") + "(x); }" + tail;
  };
  CHECK(named("void run(int* x)"));
  CHECK(named("void run(K l = k)"));
  CHECK(named("void other(K k) {} void run(int* x)"));
  CHECK(named("void run() { if (k)", " }"));
  CHECK(named("void run() { for (int i = 0; i < k; ++i)", " }"));
  CHECK(translate("void run() { for (auto k : all) { k<<<1, 2>>>(x); } }") ==
        "void run() { for (auto k : all) { " + computed("k", "k") + "(x); } }");
}

TEST_CASE("launch: where it stands") {
  CHECK(translate("if (a) k<<<1, 2>>>(x); else k<<<1, 2>>>(y);") ==
        "if (a) " + launch("k") + "(x); else " + launch("k") + "(y);");
  CHECK(translate("if (a) (*f)<<<1, 2>>>(x);") == "if (a) " + launch("(*f)") + "(x);");
  CHECK(translate("if constexpr (a) (*f)<<<1, 2>>>(x);") ==
        "if constexpr (a) " + launch("(*f)") + "(x);");
  CHECK(translate("for (;;) ::k<<<1, 2>>>(x);") == "for (;;) " + launch("::k") + "(x);");
  CHECK(translate("do (*f)<<<1, 2>>>(x); while (0);") ==
        "do " + launch("(*f)") + "(x); while (0);");
  CHECK(translate("(void)(*f)<<<1, 2>>>(x);") == "(void)" + launch("(*f)") + "(x);");
  CHECK(translate("[[likely]] (*f)<<<1, 2>>>(x);") == "[[likely]] " + launch("(*f)") + "(x);");
  CHECK(translate("again: k<<<1, 2>>>(x);") == "again: " + launch("k") + "(x);");
  CHECK(translate("case 1: (*f)<<<1, 2>>>(x);") == "case 1: " + launch("(*f)") + "(x);");
  CHECK(translate("return k<<<1, 2>>>(x);") == "return " + launch("k") + "(x);");
  CHECK(translate("a ? k<<<1, 2>>>(x) : k<<<1, 2>>>(y), k<<<1, 2>>>(z);") ==
        "a ? " + launch("k") + "(x) : " + launch("k") + "(y), " + launch("k") + "(z);");
  CHECK(translate("ok and (*f)<<<1, 2>>>(x);") == "ok and " + launch("(*f)") + "(x);");
}

TEST_CASE("launch: the configuration") {
  CHECK(translate("k<<<n >> 1, 4>>>(x)") == launch("k", "n >> 1, 4") + "(x)");
  CHECK(translate("k<<<1, n >> 1>>>(x)") == launch("k", "1, n >> 1") + "(x)");
  CHECK(translate("k<<<dim3(1, 2), {3, 4}, 0, s>>>(x)") ==
        launch("k", "dim3(1, 2), {3, 4}, 0, s") + "(x)");
  CHECK(translate("k<<<::g, p->b>>>(x)") == launch("k", "::g, p->b") + "(x)");
  CHECK(translate("k<<<1'0, f<A<B<C>>>::n>>>(x)") == launch("k", "1'0, f<A<B<C>>>::n") + "(x)");
  CHECK(translate("k<<<1, f<int>>>>(x)") == launch("k", "1, f<int>") + "(x)");
  CHECK(translate("k<<<1, g(a >>> (b))>>>(x)") == launch("k", "1, g(a >>> (b))") + "(x)");
  CHECK(translate("k<<<1, [&] { return 2; }()>>>(x)") ==
        launch("k", "1, [&] { return 2; }()") + "(x)");
  CHECK(translate("k <<< 1, 2 >>> (x)") == launch("k", " 1, 2 ") + " (x)");
}

TEST_CASE("launch: the arguments") {
  CHECK(translate("k<<<1, 2>>>(a >> 3, b<c>(d), \"<<<\")") ==
        launch("k") + "(a >> 3, b<c>(d), \"<<<\")");
  CHECK(translate("k<<<1, 2>>>([&] { j<<<3, 4>>>(x); }, y)") ==
        launch("k") + "([&] { " + launch("j", "3, 4") + "(x); }, y)");
}

TEST_CASE("launch: one inside the configuration of another") {
  CHECK(translate("k<<<1, f([] { j<<<3, 4>>>(x); })>>>(y)") ==
        launch("k", "1, f([] { " + launch("j", "3, 4") + "(x); })") + "(y)");
}

TEST_CASE("launch: line breaks are kept") {
  const std::string text = "ns::\n  k<1,\n 2><<<\n1,\n2\n>>>\n(x,\ny);\nz";
  const std::string result = translate(text);
  CHECK(result == launch("ns:: k<1, 2>", "\n\n\n1,\n2\n", "ns::k") + "\n(x,\ny);\nz");
  CHECK(std::count(result.begin(), result.end(), '\n') ==
        std::count(text.begin(), text.end(), '\n'));
}

TEST_CASE("launch: line markers give everything its line and column back") {
  CHECK(translate("# 1 \"a.cu\"\n"
                  "\n"
                  "  if (a) k<T>\n"
                  "    <<<1, n>>>(x); y;\n") ==
        "# 1 \"a.cu\"\n"
        "\n"
        "  if (a) \n"
        "# 2 \"a.cu\" 3\n"
        "         ::emulator::launch_with(\"k\", ::emulator::Configuration(\n"
        "# 3 \"a.cu\"\n"
        "       1, n\n"
        "# 3 \"a.cu\" 3\n"
        "           ), [&](auto&... emulator_arguments) "
        "__attribute__((no_sanitize(\"thread\"), no_sanitize_coverage)) -> "
        "decltype(static_cast<void>((\n"
        "# 2 \"a.cu\" 3\n"
        "         k<T>)(emulator_arguments...))) { (\n"
        "# 2 \"a.cu\" 3\n"
        "         k<T>)(emulator_arguments...); })\n"
        "# 3 \"a.cu\"\n"
        "              (x); y;\n");
}

TEST_CASE("line markers: the file, the line and the flags are those of the place") {
  const std::string result = translate(
      "# 1 \"a.cu\"\n"
      "# 10 \"b \\\"1\\\".cuh\" 1 3 4\n"
      "\n"
      "k<<<1, 2>>>(x);\n"
      "# 5 \"a.cu\" 2\n"
      "k<<<1, 2>>>(x);\n");
  CHECK(result.find("\n# 11 \"b \\\"1\\\".cuh\" 3 4\n::emulator") != std::string::npos);
  CHECK(result.find("\n# 11 \"b \\\"1\\\".cuh\" 3 4\n    1, 2\n") != std::string::npos);
  CHECK(result.find("\n# 5 \"a.cu\" 3\n::emulator") != std::string::npos);
  CHECK(result.find("\n# 5 \"a.cu\"\n    1, 2\n") != std::string::npos);
}

TEST_CASE("line markers: in the middle of a launch, as from a macro of a system header") {
  const std::string result = translate(
      "# 7 \"a.cu\"\n"
      "  k<<<1,\n"
      "# 7 \"a.cu\" 3 4\n"
      "        __null\n"
      "# 7 \"a.cu\"\n"
      "            >>>(x)");
  CHECK(result.find("\n# 7 \"a.cu\" 3 4\n        __null\n# 7 \"a.cu\"\n") != std::string::npos);
  const std::string end = "\n# 7 \"a.cu\"\n               (x)";
  CHECK(result.substr(result.size() - end.size()) == end);
}

TEST_CASE("line markers: very long lines get no blanks for their column") {
  const std::string line(1'001, ';');
  const std::string result = translate("# 1 \"a.cu\"\n" + line + "k<<<1, 2>>>(x)");
  CHECK(result.find("# 1 \"a.cu\" 3\n::emulator::launch_with") != std::string::npos);
}

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
