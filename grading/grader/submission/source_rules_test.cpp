#include "grader/submission/source_rules.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace course::tool::grading;

TEST_CASE("ordinary sources are not refused") {
  for (const std::string text :
       {"#include \"check.hpp\"\n__global__ void k(float* a) { a[threadIdx.x] = 1'000.5f; }\n",
        "// asm volatile, no_sanitize and R\"(\n/* __asm__ ## */ int a;",
        "const char* s = \"asm \\\" no_sanitize ##\"; char c = '\"'; char d = '\\''; int e = "
        "1'0'0;",
        "#define CHECK(f, ...) fprintf(stderr, f, ##__VA_ARGS__)\n#define NAME(x) #x\n",
        "#pragma unroll 4\n#pragma GCC unroll 4\n#pragma GCC diagnostic push\n",
        "int assembly, basm;", "auto s = u8\"x\"; auto r = BAR\"x\";",
        "#define KERNEL(name) __global__ void name##_kernel() {}\nKERNEL(add)\n",
        "__device__ __noinline__ float f();", "__device__ __forceinline__ float f();",
        "__attribute__((always_inline)) void f();", "[[gnu::__always_inline__]] void f();",
        "_Pragma(\"unroll\") for (;;) {}", "auto s = R\"(x %d)\"; auto t = u8R\"x(a)x\";",
        "void tiled_mm_kernel(); int my_mm_;"}) {
    CAPTURE(text);
    CHECK_FALSE(refused_for_source(text));
  }
}

TEST_CASE("words by which code hides from the emulator are refused wherever they are code") {
  for (const std::string text : {"asm(\"syscall\");",
                                 "void f() { __asm__ volatile(\"\"); }",
                                 "as\\\nm(\"\");",
                                 "as\\ \t\r\nm(\"\");",
                                 "as\\ \f\v\nm(\"\");",
                                 "#line 1 \"x\"\n",
                                 "  # 12 \"x\" 1 3\n",
                                 "%:line 2\n",
                                 "__attribute__((no_sanitize(\"thread\"))) void f();",
                                 "[[gnu::no_sanitize_thread]] void f();",
                                 "[[gnu::__no_sanitize__(\"thread\")]] void f();",
                                 "EMULATOR_UNSEEN void f();",
                                 "void __tsan_read4(void*);",
                                 "#undef COURSE_GRADED\n",
                                 "COURSE_DETAIL_HOST_LOOP void f();",
                                 "void f() { _mm_pause(); }",
                                 "int a = __builtin_ia32_rdtsc();",
                                 "void f() { _mm256_storeu_ps(p, v); }",
                                 "#pragma GCC optimize(\"O3\")\n",
                                 "  # pragma  GCC push_options\n",
                                 "%: pragma GCC optimize(\"O3\")\n",
                                 "/* */ #pragma GCC target(\"avx\")\n",
                                 "_Pragma(\"GCC optimize\")",
                                 "_Pragma (\"GCC push_options\")",
                                 "auto s = R\"x(a)\";\n",
                                 "auto s = R\"(a\n)\"; ",
                                 "auto s = R\"(\\\")\"; ",
                                 "auto s = R\"(\"; asm(\"\"); )\";",
                                 "auto s = u8R\"(a",
                                 "char16_t c = u'x'; asm(\"\"); int d = 'y';",
                                 "int a = 1'0; asm(\"\"); // '",
                                 "auto r = BAR\"(\"; asm(\"\"); //)\"",
                                 "'\\\\'; asm(\"\"); '\\''",
                                 "\"\\\\\"; asm(\"\");",
                                 "/* // */ asm(\"\");",
                                 "// \\\n\nasm(\"\");",
                                 "int a; // '\nasm(\"\"); // '"}) {
    CAPTURE(text);
    CHECK(refused_for_source(text));
  }
  CHECK(refused_for_source("asm(\"\");") == "uses assembly, which no solution needs");
}

TEST_CASE("inlining that a student wants forced is not, and nothing else moves") {
  CHECK(without_forced_inlining("[[gnu::always_inline]] int a; // 1'0 always_inlined") ==
        "[[gnu::unused       ]] int a; // 1'0 always_inlined");
  CHECK(without_forced_inlining("__attribute__((__always_inline__)) x") ==
        "__attribute__((unused           )) x");
  // Those of the headers' macros are seen later.
  StudentText text;
  text.add("inline __attribute__((always_inline)) int f();");
  CHECK(text.refused() == "uses always_inline, which no solution needs");
}

TEST_CASE("words that macros paste together are seen when they are preprocessed") {
  StudentText text;
  text.add("__attribute__((no_sanitize(\"thread\"))) void f();");
  CHECK(text.refused());
  StudentText pragma;
  pragma.add("#pragma GCC optimize(\"O3\")");
  CHECK(pragma.refused());
}

TEST_CASE("of preprocessed text the file's own part is looked at") {
  StudentText text;
  for (const char* const line :
       {"# 0 \"x.cu\"", "# 0 \"<built-in>\"", "# 1 \"/usr/include/stdc-predef.h\" 1 3 4",
        "__asm__(\"\");", "# 0 \"<command-line>\" 2", "# 1 \"x.cu\"", "int a;", "# 1 \"y.h\" 1",
        "# 1 \"z.h\" 1", "no_sanitize", "# 2 \"y.h\" 2", "asm", "# 3 \"x.cu\" 2",
        "int EMULATOR_a;"}) {
    text.add(line);
  }
  CHECK(text.text() == "int a;\nint EMULATOR_a;\n");
  CHECK_FALSE(text.refused());
  text.add("void f() __asm__(\"g\");");
  CHECK(text.refused());
}

TEST_CASE("a file that includes itself is looked at there, too") {
  StudentText text;
  for (const char* const line : {"# 0 \"in/x.cu\"", "# 1 \"in/x.cu\"", "int a;", "# 1 \"y.h\" 1",
                                 "int b;", "# 1 \"in/./x.cu\" 1", "no_sanitize"}) {
    text.add(line);
  }
  CHECK(text.text() == "int a;\nno_sanitize\n");
  CHECK(text.refused());
}
