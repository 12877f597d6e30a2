// Runs emulator-compile as CMake does: with g++, and with small scripts in g++'s place, which write
// down how they were called.

#include <doctest/doctest.h>

#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "compile_test.hpp"

namespace {

using namespace emulator_test;  // NOLINT: the tests are written in its terms

// A compiler that passes its source on, and writes to its output what it is given to compile.
const std::string obedient =
    "case \" $* \" in *' -E '*) for last; do :; done; cat \"$last\";;\n"
    "*) cat > k.o;; esac";

using Calls = std::vector<std::vector<std::string>>;

Calls calls(const Scratch& scratch) {
  Calls result(1);
  std::istringstream lines(scratch.read("calls"));
  for (std::string line; std::getline(lines, line);) {
    if (line == "----") {
      result.emplace_back();
    } else {
      result.back().push_back(line);
    }
  }
  result.pop_back();
  return result;
}

// A runtime of a few lines: runs the threads one after another.
const std::string runtime = R"(#pragma once
#pragma GCC system_header
#include <cstddef>
#include <cstdio>
#include <tuple>
#include <type_traits>
#define __align__(n) __attribute__((aligned(n)))
struct dim3 {
  unsigned x, y, z;
  constexpr dim3(unsigned a = 1, unsigned b = 1, unsigned c = 1) : x(a), y(b), z(c) {}
};
struct float4 { float x, y, z, w; };
inline thread_local unsigned thread_index;
namespace emulator {
struct Configuration {
  Configuration(dim3 grid, dim3 block, std::size_t = 0) : threads(grid.x * block.x) {}
  unsigned threads;
};
void* dynamic_shared();
template <class Callable>
struct Launcher {
  const char* name;
  Configuration configuration;
  Callable callable;
  template <class... Arguments>
  void operator()(Arguments&&... arguments) const {
    std::printf("%s %u\n", name, configuration.threads);
    for (unsigned i = 0; i < configuration.threads; ++i) {
      thread_index = i;
      callable(arguments...);
    }
  }
};
template <class Callable>
Launcher<Callable> launch_with(const char* n, const Configuration& c, Callable f) { return {n, c, f}; }
}
)";

const std::string shared_memory = R"(
extern "C" { alignas(1024) __thread unsigned char emulator_dynamic_shared_memory[4096]; }
namespace emulator { void* dynamic_shared() { return emulator_dynamic_shared_memory; } }
)";

const std::string nasty = R"cuda(#include <functional>
#include <vector>
// k<<<1, 2>>>(in a comment);
static const char* text = "k<<<1, 2>>>(in a string)";
static const char* raw = R"x(k<<<1,
2>>>(")" in a raw string))x";
#define LAUNCH(kernel, ...) kernel<<<__VA_ARGS__>>>
#define LAUNCH_TWICE(kernel, n) do { kernel<<<n, 1>>>(n); kernel<<<1, n>>>(n); } while (0)
static int sum;
__global__ void k(int n) { sum += n; }
__global__ void none() { sum += 1000; }
__global__ void two(float* p, std::size_t n) { p[thread_index] = float(n); }
template <int a, int b> __global__ void product(int n) { sum += a * b * n; }
template <class T, bool b = false> __global__ void deduced(T* p, T v) { *p += b ? v : -v; }
__global__ void overloaded(int) { sum += 1; }
__global__ void overloaded(double) { sum += 2; }
__global__ void defaulted(int n, int m = 7) { sum += n + m; }
namespace ns { namespace inner {
template <class T, bool b> __global__ void k(T n) { sum += b ? int(n) : 0; }
} }
struct Holder {
  using Kernel = void (*)(int);
  Kernel kernel = k;
  Kernel table[2] = {k, k};
  void go() {
    this->kernel<<<1, 1>>>(1); kernel<<<1, 1>>>(2); table[1]<<<1, 1>>>(3);
    method<<<1, 1>>>(4); of<5><<<1, 1>>>(1);
  }
  static void method(int n) { sum += n; }
  template <int m> static void of(int n) { sum += n * m; }
};
template <class T> struct Traits {
  template <int n> static void k(T v) { sum += n * int(v); }
  void go() {
    Traits::template k<2><<<1, 1>>>(T(3));
    k<1><<<1, 1>>>(T(1));
    this->template k<3><<<1, 1>>>(T(2));
  }
};
template <class T> void launch_some(T v) {
  Traits<T>::template k<3><<<dim3(1), dim3{2}>>>(v);
  ns::inner::k<T, (sizeof(T) > 2)><<<1, 1>>>(v);
  auto f = [&](auto w) { ::ns::inner::k<T, true><<<1, 1>>>(v + w); };
  f(v);
}
extern __shared__ int file_scope[];
namespace {
extern __shared__ __align__(16) unsigned char bytes[];
__global__ void unnamed(int i) {
  extern __shared__ float inside[];
  inside[i] = 4;
  reinterpret_cast<int*>(bytes)[i + 1] = 30;
  sum += int(inside[i]) + file_scope[i + 1];
}
}
template <class T> __global__ void in_template(T* o) {
  extern __shared__ __align__(16) T dynamic[];
  __shared__ T fixed[4][5];
  fixed[1][thread_index] = T(thread_index + 1);
  dynamic[thread_index] = fixed[1][thread_index];
  T* p = dynamic;
  *o += p[thread_index] + *(&dynamic[thread_index + 1] - 1);
  *o += sizeof(T) == 4 ? T(reinterpret_cast<float4*>(dynamic)->x) : T(0);
  auto again = [&](unsigned i) { return *(dynamic + i); };
  *o += again(thread_index);
}
__constant__ float c[3] = {1, 2, 3};
__constant__ const float cc[] = {4};
__constant__ constexpr int ci = 5;
__device__ __constant__ const float* cp = cc;
static __constant__ alignas(16) float ca[2];
__global__ void shared_kernel(int i) {
  static __shared__ int a;
  __shared__ alignas(16) unsigned char b[16];
  __shared__ struct { int x; } st;
  a = b[0] = static_cast<unsigned char>(st.x = i);
#pragma unroll
  for (int j = 0; j < 2; ++j) sum += a;
  _Pragma("unroll 4") for (int j = 0; j < 2; ++j) sum += int(ca[0] + cp[0] + c[0]) + ci;
}
void test(bool yes, int n) {
  const unsigned u = unsigned(n);
  if (yes) k<<<1, 2>>>(1); else k<<<1, 3>>>(1);
  for (int i = 0; i < 2; ++i) k<<<1'0, 0x1'0 >> 4>>>(i);
  if (yes) (*text == 'k' ? k : k)<<<1, 1>>>(1);
  Holder::Kernel fp = k;
  if (yes) (*fp)<<<1, 1>>>(1);
  (void)fp<<<1, 1>>>(1);
  switch (n) { case 1: k<<<1, 1>>>(1); break; default: k<<<1, 1>>>(2); }
  yes ? k<<<1, 1>>>(1) : none<<<1, 1>>>();
  k<<<1, 1>>>(1), none<<<1, 1>>>();
  LAUNCH((product<1, 2>), u >> 1, 4)(n);
  LAUNCH_TWICE(k, 3);
  product<(3 > 2), 2><<<u >> 1, 4
      >>>
    (n);
  goto label;
label: product<2, 2><<<{1, 2}, 1, 0>>>(1);
  overloaded<<<1, 1>>>(1); overloaded<<<1, 1>>>(1.0);
  defaulted<<<1, 1>>>(1); defaulted<<<1, 1>>>(1, 2);
  float f = 0; deduced<<<1, 1>>>(&f, 2.0f); deduced<float, true><<<1, 1>>>(&f, 3.0f);
  float out[4]; two<<<1, 4>>>(out, 3); two<<<1, 4>>>(out, std::vector<int>{1, 2}.size());
  k<<<1, 1>>>([&] { k<<<1, 1>>>([] { none<<<1, 1>>>(); return 2; }()); return 3; }());
  std::vector<Holder> holders(2);
  holders[1].kernel<<<1, 1>>>(1); holders.at(0).table[n - n]<<<1, 1>>>(1);
  (&holders[0])->kernel<<<1, 1>>>(1);
  Holder().go();
  Traits<int>().go(); launch_some(3); launch_some(3L);
  unnamed<<<1, 1>>>(2);
  float o = 0; in_template<<<1, 3, 64>>>(&o); in_template<float><<<1, 2, 64>>>(&o);
  double d = 0; in_template<<<1, 1, 64>>>(&d);
  shared_kernel<<<1, 1>>>(3);
  std::printf("%g %g %g %g\n", double(f), double(out[3]), double(o), d);
  return k<<<1, 1>>>(1);
}
template <class T> int operator<<(T, Holder) { return int(sizeof(T)); }
int main() {
  test(true, 4);
  std::printf("%d %s %s %d\n", sum, text, raw, operator<<<int>(3, Holder()));
}
)cuda";

const std::string expected =
    "k 2|k 10|k 10|(*text=='k'?k:k) 1|(*fp) 1|fp 1|k 1|k 1|k 1|none 1|(product) 8|k 3|k 3|"
    "product 8|product 1|overloaded 1|overloaded 1|defaulted 1|defaulted 1|deduced 1|deduced 1|"
    "two 4|two 4|none 1|k 1|k 1|holders[1].kernel 1|holders.at(0).table[n-n] 1|"
    "(&holders[0])->kernel 1|this->kernel 1|kernel 1|table[1] 1|method 1|of 1|Traits::k 1|k 1|"
    "this->k 1|Traits::k 2|ns::inner::k 1|::ns::inner::k 1|Traits::k 2|ns::inner::k 1|"
    "::ns::inner::k 1|unnamed 1|in_template 3|in_template 2|in_template 1|shared_kernel 1|"
    "1 2 32 3|k 1|2334 k<<<1, 2>>>(in a string) k<<<1,|2>>>(\")\" in a raw string) 4|";

const std::string strict =
    " -Iinc -std=c++20 -Og -g -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion "
    "-Wold-style-cast ";

}  // namespace

TEST_CASE("a nasty file compiles without a warning and runs") {
  const Scratch scratch;
  scratch.write("inc/cuda_runtime.h", runtime);
  scratch.write("shared.cpp", shared_memory);
  scratch.write("nasty.cu", nasty);
  const Result compiled = scratch.compile("--emulator-fast " + compiler + strict +
                                          " -MD -MT nasty.o -MF nasty.d -o nasty.o -c nasty.cu");
  CHECK(compiled.status == 0);
  CHECK(compiled.output == "");
  CHECK(compiled.errors == "");
  CHECK(contains(scratch.read("nasty.d"), "nasty.o: nasty.cu "));
  CHECK(contains(scratch.read("nasty.d"), "inc/cuda_runtime.h"));

  const Result ran =
      scratch.run(compiler + " nasty.o shared.cpp -o nasty && ./nasty | tr '\\n' '|'");
  CHECK(ran.status == 0);
  CHECK(ran.output == expected);
}

TEST_CASE("memory accesses are instrumented, unless told not to") {
  const Scratch scratch;
  scratch.write("inc/cuda_runtime.h", runtime);
  scratch.write("k.cu",
                "#ifdef __SANITIZE_THREAD__\n#error\n#endif\n"
                "__global__ void k(float* p) { p[1] = p[0]; }\n");
  CHECK(scratch.compile(compiler + " -fsanitize=thread -Iinc -O1 -c k.cu").status == 0);
  CHECK(contains(scratch.read("k.o"), "__tsan_read4"));
  CHECK(contains(scratch.read("k.o"), "__tsan_write4"));
  CHECK(scratch.compile("--emulator-fast -- " + compiler + " -Iinc -O1 -c k.cu").status == 0);
  CHECK(!contains(scratch.read("k.o"), "__tsan_read4"));
}

TEST_CASE("messages are about the student's lines and columns") {
  const Scratch scratch;
  scratch.write("inc/cuda_runtime.h", runtime);
  scratch.write("k.cu",
                "__global__ void k(int) {}\n"
                "void f(double d) {\n"
                "\tk<<<1, nothing>>>(1); int a = d;\n"
                "  if (d) kk<<<1,\n"
                "    1>>>(1); int b = d;\n"
                "  { __shared__ int s[2]; int c = d; }\n"
                "  { extern __shared__ int t[]; int e = d; }\n"
                "#pragma unroll\n"
                "  for (;;) k<<<1, 2>>>(d); int g = d;\n"
                "}\n");
  const Result result = scratch.compile(compiler + strict + "-fno-diagnostics-show-caret -c k.cu");
  CHECK(result.status == 1);
  CHECK(contains(result.errors, "k.cu:3:16: error: 'nothing' was not declared"));
  CHECK(contains(result.errors, "k.cu:3:39: warning: conversion"));
  CHECK(contains(result.errors, "k.cu:4:10: error: "));
  CHECK(contains(result.errors, "k.cu:5:22: warning: conversion"));
  CHECK(contains(result.errors, "k.cu:6:20: warning: unused variable"));
  CHECK(contains(result.errors, "k.cu:6:34: warning: conversion"));
  CHECK(contains(result.errors, "k.cu:7:40: warning: conversion"));
  CHECK(contains(result.errors, "k.cu:9:36: warning: conversion"));
  CHECK(!contains(result.errors, "cuda_runtime.h"));
  CHECK(!contains(result.errors, "pragma"));
  CHECK(!contains(result.errors, "k.cu:9:24"));  // the argument's conversion is the launch's affair
}

TEST_CASE("both steps get the flags that are theirs") {
  const Scratch scratch;
  scratch.write_compiler(obedient);
  scratch.write("k.cu", "int x;\n");
  scratch.write("deep.rsp", "-include 'a b.h' -Da\\ b");
  scratch.write("flags.rsp", "-DX=\"1 2\"\n\n@deep.rsp");
  const Result result = scratch.compile(
      "./g++ -O2 @flags.rsp -Wp,-DY -fsanitize=thread,undefined -fsanitize=thread -I inc -MD -MP "
      "-x cu --param p=1 -ok.o -c k.cu");
  CHECK(result.status == 0);
  const Calls both = calls(scratch);
  REQUIRE(both.size() == 2);
  using Arguments = std::vector<std::string>;
  CHECK(both[0] == Arguments{"-DEMULATOR_TRANSLATOR",
                             "-include",
                             "cuda_runtime.h",
                             "-O2",
                             "-DX=1 2",
                             "-include",
                             "a b.h",
                             "-Da b",
                             "-fsanitize=undefined",
                             "-I",
                             "inc",
                             "--param",
                             "p=1",
                             "-Wp,-DY",
                             "-MD",
                             "-MP",
                             "-MF",
                             "k.d",
                             "-MQ",
                             "k.o",
                             "-E",
                             "-x",
                             "c++",
                             "k.cu"});
  CHECK(both[1] == Arguments{"-O2",
                             "-DX=1 2",
                             "-include",
                             "a b.h",
                             "-Da b",
                             "-fsanitize=thread,undefined",
                             "-fsanitize=thread",
                             "-I",
                             "inc",
                             "--param",
                             "p=1",
                             "-wrapper",
                             fs::canonical(program).string() + ",--emulator-step",
                             "-fstack-clash-protection",
                             "-gno-statement-frontiers",
                             "-fsanitize=thread",
                             "-fsanitize=alignment,shift-exponent",
                             "-fsanitize-recover=alignment,shift-exponent",
                             "--param=tsan-distinguish-volatile=1",
                             "-fsanitize-coverage=trace-pc",
                             "-fno-reorder-blocks",
                             "-fno-crossjumping",
                             "-fno-tree-loop-distribute-patterns",
                             "-finline-small-functions",
                             "--param=early-inlining-insns=500",
                             "-c",
                             "-o",
                             "k.o",
                             "-x",
                             "c++-cpp-output",
                             "-"});
  CHECK(scratch.read("k.o") == "int x;\n");
}

TEST_CASE("names of dependency files and targets are g++'s") {
  const Scratch scratch;
  scratch.write_compiler(obedient);
  scratch.write("sub/k.v2.cu", "int x;\n");
  const auto preprocessing = [&](const std::string& arguments) {
    fs::remove(scratch.path("calls"));
    scratch.compile("./g++ " + arguments);
    const Calls made = calls(scratch);
    std::string line;
    for (const std::string& argument : made.at(0)) line += argument + ' ';
    return line;
  };
  CHECK(contains(preprocessing("-MMD -c sub/k.v2.cu"), " -MF k.v2.d -MQ k.v2.o "));
  CHECK(contains(preprocessing("-MMD -o out.d/k -c sub/k.v2.cu"), " -MF out.d/k.d -MQ out.d/k "));
  CHECK(contains(preprocessing("-MD -MF f -MT t -c sub/k.v2.cu"), " -MD -MF f -MT t -E "));
  CHECK(contains(preprocessing("-MD -MFf -MQt -c sub/k.v2.cu"), " -MD -MFf -MQt -E "));
  CHECK(contains(preprocessing("-c sub/k.v2.cu"), "cuda_runtime.h -E "));
}

TEST_CASE("commands that do not compile one C++ source run as they are") {
  const Scratch scratch;
  scratch.write_compiler("echo out; echo err >&2; exit 3");
  const auto unchanged = [&](const std::string& arguments) {
    fs::remove(scratch.path("calls"));
    const Result result = scratch.compile("./g++ " + arguments);
    const Calls made = calls(scratch);
    std::string line;
    for (const std::string& argument : made.at(0)) line += argument + ' ';
    return made.size() == 1 && line == arguments + ' ' && result.status == 3 &&
           result.output == "out\n" && result.errors == "err\n";
  };
  CHECK(unchanged("a.o b.o -o program"));
  CHECK(unchanged("-E a.cu"));
  CHECK(unchanged("-E -c a.cu"));
  CHECK(unchanged("-S a.cu -c"));
  CHECK(unchanged("-M -c a.cu"));
  CHECK(unchanged("-c a.cu b.cu"));
  CHECK(unchanged("-c a.c"));
  CHECK(unchanged("-c a.s"));
  CHECK(unchanged("-x c -c a.cu"));
  CHECK(unchanged("-x c++-header -c a.cpp"));
  CHECK(unchanged("--version"));
  CHECK(unchanged("-c a.cu -o"));
}

TEST_CASE("every kind of C++ source is compiled") {
  const Scratch scratch;
  scratch.write_compiler(obedient);
  const auto steps = [&](const std::string& name, const std::string& flags) {
    fs::remove(scratch.path("calls"));
    scratch.write(name, "int x;");
    scratch.compile("./g++ " + flags + " -c " + name);
    return calls(scratch).size();
  };
  CHECK(steps("a.cu", "") == 2);
  CHECK(steps("a.cpp", "") == 2);
  CHECK(steps("a.C", "") == 2);
  CHECK(steps("a.txt", "-xc++") == 2);
  CHECK(steps("a.txt", "") == 1);
}

TEST_CASE("after a failure there is no object") {
  const Scratch scratch;
  scratch.write("k.cu", "int x;\n");

  SUBCASE("of the preprocessor") {
    scratch.write_compiler("echo 'no such header' >&2; exit 4");
    scratch.write("k.o", "old");
    const Result result = scratch.compile("./g++ -c k.cu");
    CHECK(result.status == 4);
    CHECK(result.errors == "no such header\n");
    CHECK(!scratch.has("k.o"));
  }
  SUBCASE("of the translator") {
    scratch.write_compiler(obedient);
    scratch.write("k.cu", "# 5 \"k.cu\"\nx = a<<<b;\n");
    scratch.write("k.o", "old");
    const Result result = scratch.compile("./g++ -c k.cu");
    CHECK(result.status == 1);
    CHECK(result.errors == "k.cu:5: error: '<<<' without a matching '>>>('\n");
    CHECK(!scratch.has("k.o"));
    CHECK(calls(scratch).size() == 1);
  }
  SUBCASE("of the compiler") {
    scratch.write_compiler("case \" $* \" in *' -E '*) echo 'int x;';; *) exit 5;; esac");
    scratch.write("out/k.o", "old");
    CHECK(scratch.compile("./g++ -c k.cu -o out/k.o").status == 5);
    CHECK(!scratch.has("out/k.o"));
  }
  SUBCASE("of a compiler that a signal ends, without having read its input") {
    scratch.write_compiler(
        "case \" $* \" in *' -E '*) head -c 1000000 /dev/zero | tr '\\0' ';';; *) kill -9 $$;; "
        "esac");
    scratch.write("k.o", "old");
    CHECK(scratch.compile("./g++ -c k.cu").status == 128 + 9);
    CHECK(!scratch.has("k.o"));
  }
  SUBCASE("to find the compiler") {
    scratch.write("k.o", "old");
    const Result result = scratch.compile("g++-none -c k.cu");
    CHECK(result.status == 1);
    CHECK(result.errors == "emulator-compile: cannot run 'g++-none': No such file or directory\n");
    CHECK(!scratch.has("k.o"));
  }
  SUBCASE("but what is no file stays") {
    scratch.write_compiler("exit 1");
    fs::create_symlink("target", scratch.path("link.o"));
    CHECK(scratch.compile("./g++ -c k.cu -o link.o").status == 1);
    CHECK(fs::is_symlink(scratch.path("link.o")));
  }
}

TEST_CASE("a signal ends the compiler too, and leaves no object") {
  const Scratch scratch;
  scratch.write("k.cu", "int x;\n");
  scratch.write("k.o", "old");
  const std::string wait = "for i in $(seq 500); do [ -e started ] && break; sleep 0.01; done; ";
  const std::string started =
      "trap 'echo ended >> ended; exit 1' TERM; touch started; for i in $(seq 500); do sleep 0.01; "
      "done";

  SUBCASE("while it preprocesses") {
    scratch.write_compiler(started);
  }
  SUBCASE("while it compiles") {
    scratch.write_compiler("case \" $* \" in *' -E '*) echo 'int x;'; exit;; esac\n" + started);
  }
  const Result result =
      scratch.run("'" + program + "' ./g++ -c k.cu & " + wait + "kill -TERM $!; wait $!; echo $?");
  CHECK(result.output == "143\n");
  CHECK(scratch.read("ended") == "ended\n");
  CHECK(!scratch.has("k.o"));
}

TEST_CASE("nothing is left in the folder for temporary files") {
  const Scratch scratch;
  scratch.write("inc/cuda_runtime.h", runtime);
  scratch.write("good.cu", "__global__ void k() {}\n");
  scratch.write("bad.cu", "__global__ void k() { x; }\n");
  fs::create_directory(scratch.path("tmp"));
  const auto with_folder = [&](const std::string& source) {
    return scratch.run("TMPDIR=$PWD/tmp '" + program + "' " + compiler + " -Iinc -c " + source);
  };
  CHECK(with_folder("good.cu").status == 0);
  CHECK(with_folder("bad.cu").status == 1);
  CHECK(fs::is_empty(scratch.path("tmp")));
  CHECK(scratch.has("good.o"));
}

TEST_CASE("clang is refused") {
  const Scratch scratch;
  scratch.write("k.cu", "int x;\n");
  const auto refusal = [](const std::string& name) {
    return "emulator-compile: '" + name + "' is clang, the emulator needs g++ 11 or newer\n";
  };

  SUBCASE("by its name") {
    const Result result = scratch.compile("/opt/clang++-14 -c k.cu");
    CHECK(result.status == 1);
    CHECK(result.errors == refusal("/opt/clang++-14"));
  }
  SUBCASE("by what it writes") {
    scratch.write_compiler("echo '# 1 \"k.cu\"'; echo '# 1 \"<command line>\" 1'; exit 1");
    const Result result = scratch.compile("./g++ -c k.cu");
    CHECK(result.status == 1);
    CHECK(result.errors == refusal("./g++"));
  }
}

TEST_CASE("options of the launcher's own") {
  const Scratch scratch;
  scratch.write_compiler(obedient);
  scratch.write("k.cu", "k<<<1, 2>>>(x)");
  Result result = scratch.compile("--emulator-show ./g++ -c k.cu");
  CHECK(result.status == 0);
  CHECK(contains(result.output, "::emulator::launch_with(\"k\""));
  CHECK(!scratch.has("k.o"));

  result = scratch.compile("--emulator-plan ./g++ -c k.cu");
  CHECK(result.status == 2);
  CHECK(result.errors == "emulator-compile: unknown option '--emulator-plan' (see --help)\n");
  result = scratch.compile("");
  CHECK(result.status == 2);
  CHECK(result.errors == "emulator-compile: no compiler given (see --help)\n");
  result = scratch.compile("--emulator-fast --");
  CHECK(result.status == 2);
  result = scratch.compile("--help");
  CHECK(result.status == 0);
  CHECK(contains(result.output, "usage: emulator-compile "));
}
