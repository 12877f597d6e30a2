#include "grader/source_rules.hpp"

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
        "int assembly, basm;", "auto s = u8\"x\"; auto r = BAR\"x\";"}) {
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
                                 "__attribute__((always_inline)) void f();",
                                 "[[gnu::__always_inline__]] void f();",
                                 "__attribute__((no_sanitize(\"thread\"))) void f();",
                                 "[[gnu::no_sanitize_thread]] void f();",
                                 "[[gnu::__no_sanitize__(\"thread\")]] void f();",
                                 "EMULATOR_UNSEEN void f();",
                                 "void __tsan_read4(void*);",
                                 "#undef COURSE_GRADED\n",
                                 "COURSE_DETAIL_HOST_LOOP void f();",
                                 "void f() { _mm_pause(); }",
                                 "int a = __builtin_ia32_rdtsc();",
                                 "#define J(a, b) a##b\n",
                                 "#define J(a, b) a %:%: b\n",
                                 "#pragma GCC optimize(\"O3\")\n",
                                 "  # pragma  GCC push_options\n",
                                 "%: pragma GCC optimize(\"O3\")\n",
                                 "/* */ #pragma GCC target(\"avx\")\n",
                                 "_Pragma(\"GCC optimize\")",
                                 "auto s = R\"x(a)x\";",
                                 "auto s = u8R\"(a)\";",
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

TEST_CASE("of preprocessed text the file's own part is looked at") {
  OwnText text;
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
