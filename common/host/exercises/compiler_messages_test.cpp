#include "host/exercises/compiler_messages.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace course::tool;
using Lines = std::vector<std::string>;

namespace {

const std::string source = "exercises/01a_residual/residual.cu";

}  // namespace

TEST_CASE("g++'s messages begin with the student's first error") {
  CHECK(compiler_errors(
            {source + ": In function 'void residual(float*)':",
             source + ":12:3: warning: unused variable 'i' [-Wunused-variable]",
             source + ":17:3: error: expected ',' or ';' before 'for'", "   17 |   for (;;)",
             "      |   ^~~", source + ": In function 'void launch_residual(float*)':",
             source + ":27:3: error: 'residual' was not declared in this scope",
             source + ":27:3: error: 'residual' was not declared in this scope"},
            source) == Lines{source + ":17:3: error: expected ',' or ';' before 'for'",
                             "   17 |   for (;;)", "      |   ^~~",
                             source + ":27:3: error: 'residual' was not declared in this scope"});
  CHECK(compiler_errors({source + ":1:10: fatal error: nope.h: No such file or directory",
                         "    1 | #include \"nope.h\"", "compilation terminated."},
                        source) ==
        Lines{source + ":1:10: fatal error: nope.h: No such file or directory",
              "    1 | #include \"nope.h\""});
}

TEST_CASE("nvcc's messages begin with the student's first error") {
  CHECK(compiler_errors({source + "(12): warning #177-D: variable \"i\" was declared but never "
                                  "referenced",
                         "", source + "(17): error: expected a \";\"", "    for (;;)", "    ^", "",
                         "1 error detected in the compilation of \"" + source + "\"."},
                        source) ==
        Lines{source + "(17): error: expected a \";\"", "    for (;;)", "    ^"});
  CHECK(compiler_errors({"At end of source: error: expected a \"}\"",
                         source + "(23): note #3196-D: to match this \"{\"", "",
                         "1 error detected in the compilation of \"" + source + "\"."},
                        source) == Lines{"At end of source: error: expected a \"}\"",
                                         source + "(23): note #3196-D: to match this \"{\""});
}

TEST_CASE("an error in a header is led in by the line of the student's that asked for it") {
  CHECK(compiler_errors(
            {"In file included from include/cuda_runtime.h:17,",
             "                 from <command-line>:",
             "include/launch.h: In instantiation of 'static void call()':",
             "include/launch.h:132:50:   required from 'void operator()'",
             source + ":27:28:   required from here",
             "include/launch.h:103:24: error: static assertion failed: the arguments do not fit",
             "  103 |     static_assert("},
            source) ==
        Lines{source + ":27:28:   required from here",
              "include/launch.h:103:24: error: static assertion failed: the arguments do not fit",
              "  103 |     static_assert("});
  CHECK(compiler_errors(
            {"In file included from " + source + ":3:", "other.hpp:1:1: error: no", "more"},
            source) == Lines{"other.hpp:1:1: error: no", "more"});
}

TEST_CASE("of long messages the beginning is kept, and unknown ones are not lost") {
  Lines many{source + ":1:1: error: first"};
  for (int k = 0; k < 50; ++k) many.push_back("line " + std::to_string(k));
  const Lines cut = compiler_errors(many, source);
  REQUIRE(cut.size() == 20);
  CHECK(cut.front() == many.front());
  CHECK(compiler_errors(many, source, 3).size() == 3);
  CHECK(compiler_errors({"cc1plus: out of memory"}, source) == Lines{"cc1plus: out of memory"});
  CHECK(compiler_errors({"x", "g++: internal compiler Error"}, source) ==
        Lines{"g++: internal compiler Error"});
  CHECK(compiler_errors({}, source).empty());
  // Not the student's file: its name only begins so.
  CHECK(compiler_errors({source + "h:1:1: error: a", source + ":2:1: error: b"}, source).front() ==
        source + ":2:1: error: b");
}

TEST_CASE("warnings are kept without what leads to them") {
  CHECK(compiler_warnings(
            {source + ": In function 'f':", source + ":24:7: warning: unused variable 'unused'",
             "   24 |  int", ""}) ==
        Lines{source + ":24:7: warning: unused variable 'unused'", "   24 |  int"});
  CHECK(compiler_warnings({source + "(24): warning #177-D: variable \"unused\"", "",
                           "Remark: The warnings can be suppressed with \"-diag-suppress\"", ""}) ==
        Lines{source + "(24): warning #177-D: variable \"unused\""});
  CHECK(compiler_warnings({"a note that nobody needs"}).empty());
  CHECK(compiler_warnings({}).empty());
}

TEST_CASE("a launch function that is not there becomes one sentence") {
  const Lines output{
      "/usr/bin/ld: /b/check.cpp.o: in function `DOCTEST_ANON_FUNC_2()':",
      "check.cpp:(.text+0x1ab): undefined reference to `launch_residual(float const*, int)'",
      "/usr/bin/ld: /b/check.cpp.o: in function `DOCTEST_ANON_FUNC_4()':",
      "check.cpp:(.text+0x9): undefined reference to `launch_residual(float const*, int)'",
      "/usr/bin/ld: /b/check.cpp.o:check.cpp:(.text+0x3594): more undefined references to "
      "`launch_residual(float const*, int)' follow",
      "collect2: error: ld returned 1 exit status"};
  const std::string start =
      "residual.cu compiles, but the checks do not find `launch_residual(float const*, int)` in "
      "it: "
      "was its name or were its parameters changed?";
  CHECK(linker_errors(output, source, "/b/student.o", {}) ==
        Lines{start + " The handout shows them."});
  CHECK(linker_errors(output, source, "/b/student.o", {"other(int)", "launch_residual(float*)"}) ==
        Lines{start + " It has `launch_residual(float*)`. The handout shows them."});
  for (const std::string scope : {"", "(anonymous namespace)::"}) {
    CHECK(linker_errors(output, source, "/b/student.o",
                        {scope + "launch_residual(float const*, int)"}) ==
          Lines{start + " It must not be static, nor stand in an unnamed namespace. The handout "
                        "shows them."});
  }
}

TEST_CASE("a function that the student calls and nobody has is told as such") {
  CHECK(
      linker_errors({"/usr/bin/ld: /b/student.o: in function `launch(int)':",
                     "residual.cu:(.text+0x1): undefined reference to `helper(int)'",
                     "/usr/bin/ld: " + source + ":26: undefined reference to `helper(int)'"},
                    source, "/b/student.o", {}) ==
      Lines{"residual.cu calls `helper(int)`, which is defined nowhere: was its name, or were its "
            "parameters, changed in one place only?"});
}

TEST_CASE("what is defined twice is named, main() above all") {
  CHECK(linker_errors({"/usr/bin/ld: libcourse_exercise.a(main.cpp.o): in function `main':",
                       "main.cpp:(.text+0x0): multiple definition of `main'; /b/student.o:" +
                           source + ":31: first defined here",
                       "collect2: error: ld returned 1 exit status"},
                      source, "/b/student.o", {}) ==
        Lines{"residual.cu has a main(), and the checks have theirs: take yours out"});
  CHECK(linker_errors({"x.h:395: multiple definition of `launch_naive(int)'; /b/student.o:1"},
                      source, "/b/student.o", {}) ==
        Lines{"residual.cu defines `launch_naive(int)`, which the checks define too: give yours "
              "another name, or make it static"});
}

TEST_CASE("other troubles of the linker are shown as they are") {
  CHECK(linker_errors({"noise", "/usr/bin/ld: cannot find -lcublas: No such file or directory",
                       "collect2: error: ld returned 1 exit status"},
                      source, "/b/student.o",
                      {}) == Lines{"/usr/bin/ld: cannot find -lcublas: No such file or directory",
                                   "collect2: error: ld returned 1 exit status"});
}
