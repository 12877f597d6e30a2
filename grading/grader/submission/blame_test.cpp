#include "grader/submission/blame.hpp"

#include <doctest/doctest.h>
#include <signal.h>

#include <string>
#include <vector>

using namespace course::tool;
using namespace course::tool::grading;

namespace {

using Lines = std::vector<std::string>;

const ExitStatus one{.code = 1};
const ExitStatus killed{.code = 128 + SIGKILL};

}  // namespace

TEST_CASE("a compiler blames the file at a line of a source") {
  CHECK(is_compiler_complaint(one, {"answer.cu:1:33: error: expected ';'"}));
  CHECK(
      is_compiler_complaint(one, {"In file included from answer.cu:1:", "given.hpp:7: error: x"}));
  CHECK(is_compiler_complaint(one, {"/tmp/a:b/answer.cu:4:1: error: x"}));
  CHECK(is_compiler_complaint(one,
                              {"answer.cu:2:10: fatal error: no.hpp: No such file or directory"}));
  // What a student's text says is no sign of distress.
  CHECK(is_compiler_complaint(one, {"answer.cu:1:2: error: #error No space left on device"}));
  CHECK(is_compiler_complaint(one, {"answer.cu:1:2: warning: x", "answer.cu:3:2: error: y"}));
}

TEST_CASE("a compiler that has failed for another reason blames nobody") {
  for (const std::string line :
       {"/tmp/ccQRNGgq.s: Fatal error: /output/student.o: No space left on device",
        "answer.cu:17:4: fatal error: error writing to /tmp/x.s: No space left on device",
        "answer.cu:17:4: fatal error: error writing to -: Broken pipe",
        "answer.cu:1:10: fatal error: cmath: Too many open files",
        "answer.cu:1:10: fatal error: cmath: Input/output error",
        "virtual memory exhausted: Cannot allocate memory",
        "cc1plus: out of memory allocating 65536 bytes after a total of 1 bytes",
        "c++: fatal error: Killed signal terminated program cc1plus",
        "answer.cu:3:1: internal compiler error: Segmentation fault",
        "cc1plus: fatal error: cuda_runtime.h: No such file or directory",
        "c++: fatal error: cannot execute 'cc1plus': vfork: Resource temporarily unavailable",
        "answer.cu:1:2: warning: error: x", "prlimit: failed to execute c++", "error: x"}) {
    CAPTURE(line);
    CHECK_FALSE(is_compiler_complaint(one, {line}));
    CHECK_FALSE(proven_limit(one, {line}));
  }
  CHECK_FALSE(is_compiler_complaint(one, {}));
  // Of a text that was cut off because its sender was killed.
  CHECK_FALSE(
      is_compiler_complaint(killed, {"answer.cu:9:1: error: expected '}' at end of input"}));
  CHECK_FALSE(is_compiler_complaint({.signal = SIGKILL}, {"answer.cu:9:1: error: x"}));
  CHECK_FALSE(is_compiler_complaint({.code = 1, .timed_out = true}, {"answer.cu:9:1: error: x"}));
  CHECK_FALSE(proven_limit(killed, {}));
  CHECK_FALSE(proven_limit({.code = 1, .timed_out = true}, {}));
}

TEST_CASE("limits that a file has run into by itself are known by what only they do") {
  CHECK(proven_limit({.code = 128 + SIGXCPU}, {}) == "time of the processor");
  CHECK(proven_limit({.signal = SIGXFSZ}, {}) == "size of its output");
  CHECK(proven_limit(one, {"c++: fatal error: CPU time limit exceeded signal terminated program "
                           "cc1plus"}) == "time of the processor");
  CHECK(proven_limit(one, {"c++: internal compiler error: File size limit exceeded signal "
                           "terminated program as"}) == "size of its output");
  const auto after = [](int mebibytes) {
    return Lines{
        "virtual memory exhausted: Cannot allocate memory",
        "emulator-compile: the compiler took " + std::to_string(mebibytes) + " MiB of memory"};
  };
  CHECK(proven_limit(one, after(1536)) == "memory");
  CHECK_FALSE(proven_limit(one, after(1535)));
  CHECK_FALSE(proven_limit({}, after(1536)));
}

TEST_CASE("a compiler that breaks down by itself says so in other words than one that is killed") {
  const std::string overflow =
      "c++: internal compiler error: Segmentation fault signal terminated program cc1plus";
  CHECK(breakdown({.code = 4}, {"x", overflow}) == overflow);
  CHECK(breakdown(one, {"a.cu:3:1: internal compiler error: in f, at g.cc:7"}) ==
        "a.cu:3:1: internal compiler error: in f, at g.cc:7");
  for (const std::string line :
       {"c++: internal compiler error: Killed signal terminated program cc1plus",
        "c++: fatal error: Terminated signal terminated program cc1plus",
        "c++: internal compiler error: Bus error signal terminated program cc1plus",
        "as: No space left on device"}) {
    CAPTURE(line);
    CHECK_FALSE(breakdown(one, {line, overflow}));
  }
  CHECK_FALSE(breakdown({}, {overflow}));
  CHECK_FALSE(breakdown(killed, {}));
}

TEST_CASE("a linker blames a file for what is missing, twice there or too large; nothing else") {
  CHECK(is_linker_complaint(one, {"x.o: undefined reference to `f()'", "collect2: error: x"}));
  CHECK(is_linker_complaint(one, {"x.o: relocation truncated to fit: R_X86_64_PC32"}));
  CHECK_FALSE(is_linker_complaint(one, {"ld: final link failed: No space left on device",
                                        "collect2: error: ld returned 1 exit status"}));
  CHECK_FALSE(is_linker_complaint(one, {"collect2: fatal error: ld terminated with signal 9"}));
  CHECK_FALSE(is_linker_complaint(killed, {"x.o: undefined reference to `f()'"}));
}

TEST_CASE("the reason is the line that tells of the trouble") {
  CHECK(trouble_in(one, {"a", "as: No space left on device", "c++: error"}) ==
        "as: No space left on device");
  CHECK(trouble_in(one, {"a", "c++: error: b"}) == "c++: error: b");
  CHECK(trouble_in(killed, {}) == "exit status 137");
}
