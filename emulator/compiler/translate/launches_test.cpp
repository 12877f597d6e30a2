// What becomes of launches, kernel<<<grid, block>>>(arguments).

#include "compiler/translate/translate.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

namespace {

using emulator::compiler::translate::translate;

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

std::string launch(const std::string& kernel, const std::string& configuration = "1, 2") {
  return launch(kernel, configuration, kernel);
}

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
    return translate(head + " { k<<<1, 2>>>(x); }") ==
           head + " { " + computed("k", "k") + ".of(k)(x); }";
  };
  CHECK(body("template <class K> void run(K k, int* x)"));
  CHECK(body("void run(void (&k)(int*), int* x)"));
  CHECK(body("int A::run(K k, Args const&... x) const noexcept(true)"));
  CHECK(body("auto run = [](auto k) -> int"));
  CHECK(translate("void run(K k = 0) { if (x) { k<<<1, 2>>>(x); } }") ==
        "void run(K k = 0) { if (x) { " + computed("k", "k") + ".of(k)(x); } }");
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
        "void run() { for (auto k : all) { " + computed("k", "k") + ".of(k)(x); } }");
}

TEST_CASE(
    "a launch names its kernel where a parameter may be an object, and only one can be meant") {
  const std::string launches = " void f() { k<<<1, 2>>>(x); }";
  const auto names = [&](const std::string& text) {
    return translate(text).find(".of(k)(x)") != std::string::npos;
  };
  CHECK(names("__global__ void k(View v, int n) {}" + launches));
  CHECK(names("__global__ void k(const ns::View<float, 2> v); __global__ void k(View v) {}" +
              launches));
  CHECK(names("__global__ void k(float* p, View = View(1, 2)) {} void g() { return k(x); }" +
              launches));
  CHECK_FALSE(names("__global__ void k(View* v, const View& w, unsigned n) {}" + launches));
  CHECK_FALSE(names("__global__ void k(View v) {} __global__ void k(View v, int n) {}" + launches));
  CHECK_FALSE(names("__global__ void k(View v) {} void k(const Matrix& m) {}" + launches));
  CHECK_FALSE(names("template <class T> __global__ void k(T v) {}" + launches));
  const std::string of_template = "template <class T, int n> __global__ void k(T v) {} ";
  const auto names_instance = [&](const std::string& arguments) {
    const std::string kernel = "k<" + arguments + ">";
    return translate(of_template + "void f() { " + kernel + "<<<1, 2>>>(x); }")
               .find(".of(" + kernel + ")(x)") != std::string::npos;
  };
  CHECK(names_instance("A<B, C>, 4"));
  CHECK_FALSE(names_instance("A"));
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
