// Sources that ask for __CUDA_ARCH__: what becomes of the host's and the device's text, and what
// emulator-compile makes of a source.

#include "compiler/preprocess/device_pass.hpp"
#include "compiler/preprocess/device_aliases.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "compiler/testing/compile_test.hpp"

namespace {

using emulator::compiler::preprocess::device_only_headers;
using emulator::compiler::preprocess::merge_device_aliases;
using emulator::compiler::preprocess::merge_device_bodies;

using namespace emulator::compiler::testing;  // NOLINT: the tests are written in its terms

// The text without line markers and blanks.
std::string plain(const std::string& text) {
  std::string result;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '#' && (at == 0 || text[at - 1] == '\n')) at = text.find('\n', at);
    if (text[at] != '\n' && text[at] != ' ') result += text[at];
  }
  return result;
}

std::string merged(const std::string& host, const std::string& device) {
  return plain(merge_device_bodies(host, device));
}

std::string both(const std::string& host, const std::string& device) {
  return "{if(__builtin_is_constant_evaluated()||!::emulator::for_device())" + host + "else" +
         device + "}";
}

}  // namespace

TEST_CASE("what is the device's alone gets the device's body") {
  CHECK(merged("__global__ void k(int* p) { }", "__global__ void k(int* p) { *p = 1; }") ==
        "__global__voidk(int*p){*p=1;}");
  CHECK(merged("static __device__ int f(int a) { return 1; } int h() { return 1; }",
               "static __device__ int f(int a) { return 2; } int h() { return 2; }") ==
        "static__device__intf(inta){return2;}inth(){return1;}");
  CHECK(merged("auto f = [=] __device__ { a(); };", "auto f = [=] __device__ { b(); };") ==
        "autof=[=]__device__{b();};");
}

TEST_CASE("what both have gets both bodies, where they differ") {
  CHECK(merged("__device__ int f() { return 1; }", "__host__ __device__ int f() { return 2; }") ==
        "__device__intf()" + both("{return1;}", "{return2;}"));
  CHECK(merged("inline\n__device__ int f() { return 1; }",
               "__host__ inline\n__device__ int f() { return 2; }") ==
        "inline__device__intf()" + both("{return1;}", "{return2;}"));
  CHECK(merged("__device__ int f() { return [] __device__ { return 1; }(); }",
               "__host__ __device__ int f() { return [] __host__ __device__ { return 1; }(); }") ==
        "__device__intf(){return[]__device__{return1;}();}");
}

TEST_CASE("constructors, operators and members") {
  CHECK(merged("struct A { __device__ A(int n) : a{n}, b<int>{2} { x(); } int a; };",
               "struct A { __device__ A(int n) : a{n}, b<int>{2} { y(); } int a; };") ==
        "structA{__device__A(intn):a{n},b<int>{2}{y();}inta;};");
  CHECK(merged("struct A { __device__ A& operator=(int n) { x(); } };",
               "struct A { __device__ A& operator=(int n) { y(); } };") ==
        "structA{__device__A&operator=(intn){y();}};");
  CHECK(merged("__device__ auto f() -> decltype(g()) { x(); }",
               "__device__ auto f() -> decltype(g()) { y(); }") ==
        "__device__autof()->decltype(g()){y();}");
}

TEST_CASE("names of types that only the device has come in, and others stay the host's") {
  const auto with_types = [](const std::string& host, const std::string& device) {
    return plain(merge_device_aliases("struct A {\n" + host + "\nint a; };",
                                      "struct A {\n" + device + "\nint a; };"));
  };
  CHECK(with_types("", "typedef B<int> b;") == "structA{typedefB<int>b;inta;};");
  CHECK(with_types("", "using b = int;") == "structA{usingb=int;inta;};");
  CHECK(with_types("using b = char;", "using b = int; typedef int (*g)(int);") ==
        "structA{typedefint(*g)(int);usingb=char;inta;};");
  CHECK(with_types("using b = char;", "using b = int;") == "structA{usingb=char;inta;};");
}

TEST_CASE("variables and what is not whole stay the host's") {
  for (const std::string host :
       {"__device__ int a[] = {1, 2};", "__device__ int a{1};", "__device__ A(int) = default;"}) {
    CAPTURE(host);
    CHECK(merged(host, "__device__ int a[] = {3}; __device__ int a{7};") == plain(host));
  }
  CHECK(merged("__device__ int f() { return 1; }", "") == "__device__intf(){return1;}");
}

TEST_CASE("an #else may have another definition, in another line") {
  CHECK(merge_device_bodies("# 3 \"k\"\n__device__ int f() { return 1; } int a;\n",
                            "# 1 \"k\"\n__device__ int f() { return 2; }\n") ==
        "# 3 \"k\"\n__device__ int f() \n# 1 \"k\"\n                   { return 2; }\n# 3 \"k\"\n"
        "                                 int a;\n");
  // But not in another file, and the one of the same line comes first.
  CHECK(merged("# 1 \"k\"\n__device__ int f() { return 1; }\n__device__ int f() { return 2; }\n",
               "# 2 \"k\"\n__device__ int f() { return 3; }\n") ==
        "__device__intf(){return1;}__device__intf(){return3;}");
  CHECK(merged("# 1 \"k\"\n__device__ int f() { return 1; }\n",
               "# 1 \"l\"\n__device__ int f() { return 3; }\n") == "__device__intf(){return1;}");
}

TEST_CASE("what only the device has comes in where it would stand") {
  const std::string host = "# 1 \"k\"\nint a;\n\n\nnamespace n { int b; }\n";
  CHECK(merge_device_bodies(
            host,
            "# 1 \"k\"\nint a;\ntemplate <class T>\n__host__ __device__ T f() { return 2; }\n"
            "namespace n { int b; }\n") ==
        "# 1 \"k\"\nint a;\n\n\n\n# 2 \"k\"\ntemplate <class T>\n __device__ T f() { return 2; }"
        "\n# 4 \"k\"\nnamespace n { int b; }\n");
  // With the class around it, once; in a namespace that both have it comes alone.
  CHECK(
      merged("# 1 \"k\"\nint a;\nint b;\n",
             "# 1 \"k\"\nint a;\nstruct S { __device__ int f() { return 1; } __device__ int g() { "
             "return 2; } }; int b;\n") ==
      "inta;structS{__device__intf(){return1;}__device__intg(){return2;}};intb;");
  CHECK(merged("# 1 \"k\"\nnamespace n {\nint a;\n\nint b; }\n",
               "# 1 \"k\"\nnamespace n {\nint a;\n__device__ int f() { return 1; }\nint b; }\n") ==
        "namespacen{inta;__device__intf(){return1;}intb;}");
  // But not in the middle of something, and no lambda, which is part of something.
  CHECK(merged("# 1 \"k\"\nint a =\n3;\n",
               "# 1 \"k\"\nint a;\n__device__ int f() { return 1; }\n") == "inta=3;");
  CHECK(merged("# 1 \"k\"\nint a;\nint b;\n",
               "# 1 \"k\"\nint a;\nauto f = [] __device__ { return 1; };int b;\n") == "inta;intb;");
}

TEST_CASE("functions of one line and one head come in their order") {
  CHECK(merged("__device__ int f() { return 1; } __device__ int f() { return 2; }",
               "__device__ int f() { return 1; } __device__ int f() { return 3; }") ==
        "__device__intf(){return1;}__device__intf(){return3;}");
  CHECK(merged("# 1 \"a\"\n__device__ int f() { return 1; }\n# 1 \"b\"\n__device__ int f() { "
               "return 2; }",
               "# 1 \"b\"\n__device__ int f() { return 3; }") ==
        "__device__intf(){return1;}__device__intf(){return3;}");
}

TEST_CASE("a function whose parameters have other names for the device stands there once") {
  CHECK(merged(
            "# 5 \"a\"\n__device__ int f(int a) { return 1; }\n__device__ int g() { return f(2); }",
            "# 2 \"a\"\n__device__ int f(int b) { return 3; }\n# 6 \"a\"\n"
            "__device__ int g() { return f(2); }") ==
        "__device__intf(intb){return3;}__device__intg(){returnf(2);}");
}

TEST_CASE("headers that are included for the device alone") {
  const Scratch scratch;
  scratch.write("k.cu", "#if __CUDA_ARCH__\n# include <of/device> // for it\n#endif\n");
  const std::string file = "\"" + scratch.path("k.cu").string() + "\"";
  const std::string host = "# 1 " + file + "\n";
  const std::string device = host +
                             "# 1 \"/lib/of/device\" 1 3\n# 1 \"/lib/of/more\" 1 3\n"
                             "# 2 \"/lib/of/device\" 2 3\n# 3 " +
                             file + " 2\n";
  CHECK(device_only_headers(host, device) == std::vector<std::string>{"of/device"});
  CHECK(device_only_headers(device, device).empty());
}

TEST_CASE("bodies keep their lines") {
  const std::string host = "# 1 \"k.cu\"\n__device__ int f() {\n\n  return 1;\n}\nint last;\n";
  const std::string device =
      "# 1 \"k.cu\"\n__host__ __device__ int f() {\n  return 2;\n\n}\nint last;\n";
  CHECK(merge_device_bodies(host, device) ==
        "# 1 \"k.cu\"\n__device__ int f() { if (__builtin_is_constant_evaluated() || "
        "!::emulator::for_device())\n# 1 \"k.cu\"\n                   {\n\n  return 1;\n} else\n"
        "# 1 \"k.cu\"\n                            {\n  return 2;\n\n} }\nint last;\n");
}

TEST_CASE("emulator-compile preprocesses such a source twice") {
  const Scratch scratch;
  scratch.write("cuda_runtime.h",
                "#pragma GCC system_header\nnamespace emulator { bool for_device() noexcept; }\n"
                "#ifndef EMULATOR_DEVICE_PASS\n#define __host__\n#endif\n");
  scratch.write(
      "k.cu",
      "#ifndef __CUDA_ARCH__\n#define WHERE 0\n#else\n#define WHERE __CUDA_ARCH__\n#endif\n"
      "__device__ int device() { return WHERE; }\n"
      "__host__ __device__ int both() { return WHERE; }\n"
      "__host__ int host() { return WHERE; }\n");
  const auto shown = [&](const std::string& options, const std::string& flags = "") {
    const Result result =
        scratch.compile("--emulator-show " + options + " g++ -I. " + flags + " -c k.cu");
    CHECK(result.status == 0);
    CHECK(result.errors == "");
    return plain(result.output);
  };
  const std::string text = shown("");
  CHECK(contains(text, "intdevice(){return750;}"));
  CHECK(contains(text, "intboth()" + both("{return0;}", "{return750;}")));
  CHECK(contains(text, "inthost(){return0;}"));
  CHECK(contains(shown("--emulator-arch=900"), "intdevice(){return900;}"));
  // A definition on the command line holds everywhere.
  CHECK(contains(shown("", "-D__CUDA_ARCH__=800"), "inthost(){return800;}"));

  const Result wrong = scratch.compile("--emulator-arch=sm_90 g++ -c k.cu");
  CHECK(wrong.status == 2);
  CHECK(wrong.errors ==
        "emulator-compile: '--emulator-arch=sm_90': want a number such as 750, or 900a\n");

  scratch.write("k.cu", "#ifdef __CUDA_ARCH__\n#error too old\n#endif\n");
  const Result refused = scratch.compile("g++ -I. -c k.cu");
  CHECK(refused.status == 1);
  CHECK(contains(refused.errors, "#error too old"));
}

TEST_CASE("a source that does not ask is preprocessed once") {
  const Scratch scratch;
  scratch.write_compiler(
      "case \" $* \" in *' -E '*) for last; do :; done; echo \"# 1 \\\"$last\\\"\"; cat "
      "\"$last\";; *) cat > k.o;; esac");
  const auto calls_for = [&](const std::string& text) {
    std::filesystem::remove(scratch.path("calls"));
    scratch.write("k.cu", text);
    CHECK(scratch.compile("./g++ -c k.cu").status == 0);
    std::size_t count = 0;
    const std::string calls = scratch.read("calls");
    for (std::size_t at = calls.find("----"); at != std::string::npos;
         at = calls.find("----", at + 4))
      ++count;
    return count;
  };
  CHECK(calls_for("int x;\n") == 2);
  CHECK(calls_for("int x; // __CUDA_ARCH__\n") == 3);
  // What system headers ask is their own business.
  scratch.write("system.h", "int y; // __CUDA_ARCH__\n");
  CHECK(calls_for("# 1 \"system.h\" 1 3\nint x;\n") == 2);
  CHECK(calls_for("# 1 \"system.h\" 1\nint x;\n") == 3);
}
