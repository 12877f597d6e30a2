#include "grader/submission/submission.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "grader/small_course.hpp"
#include "host/errors.hpp"
#include "host/files.hpp"

using namespace course::tool;
using namespace course::tool::grading;
namespace fs = std::filesystem;

namespace {

/// What the program that is made of a student's text says to descriptor 3, in its cell; or why
/// there is none.
struct Bench {
  SmallCourse course;
  Sandbox sandbox{true};
  const Exercise& exercise = course.list.exercises[0];
  std::vector<std::string> asked =
      asked_functions(course.checkout, course.list, exercise, course.folder.path());
  SubmissionBuild built;
  int made = 0;

  SubmissionBuild build(const std::string& text, const Permissions& needs = {}) {
    const Builder builder(course.checkout, course.list, exercise, sandbox);
    const fs::path folder = course.folder.path() / std::to_string(++made);
    built = builder.build(text, needs, asked, folder);
    return built;
  }

  std::string said(const std::string& text) {
    build(text);
    if (!built.ok()) return built.state + ": " + built.reason;
    std::string command;
    for (const std::string& word :
         sandbox.in_cell(built.program, built.libraries, cell_limits(5))) {
      command += '\'' + word + "' ";
    }
    const fs::path file = course.folder.path() / "said";
    fs::remove(file);
    const int status = std::system((command + "3>'" + file.string() + "'").c_str());
    return status == 0 ? read_file(file).value_or("nothing") : "ended badly";
  }
};

}  // namespace

TEST_CASE("what a submission must define is what the linker misses without it") {
  const SmallCourse course;
  CHECK(asked_functions(course.checkout, course.list, course.list.exercises[0],
                        course.folder.path()) == std::vector<std::string>{"_Z6answeri"});
}

TEST_CASE("a right file becomes a program that answers") {
  SKIP_UNLESS_ISOLATED();
  Bench bench;
  CHECK(bench.said(SmallCourse::right) == "40 2 0 7 4");
  CHECK(bench.said("#include \"given.hpp\"\nint answer(int x) { return given() * x; }") ==
        "40 2 0 7 4");
}

TEST_CASE("a library of the system's may be a link, as Debian's choice among several is") {
  SKIP_UNLESS_ISOLATED();
  std::string link;
  for (const char* const folder : {"/usr/lib", "/usr/lib/x86_64-linux-gnu"}) {
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(folder, none)) {
      const fs::path target = entry.is_symlink(none) ? fs::read_symlink(entry, none) : fs::path();
      if (target.is_absolute() && target.string().find(".so") != std::string::npos) {
        link = entry.path().string();
      }
    }
  }
  if (link.empty()) {
    MESSAGE("SKIPPED: no library here is a link to somewhere else");
    return;
  }
  CAPTURE(link);
  Bench bench;
  // Behind an option that has the linker take nothing of it.
  bench.course.list.exercises[0].submission_libraries = {"-Wl,--as-needed", link};
  CHECK(bench.said(SmallCourse::right) == "40 2 0 7 4");
}

TEST_CASE("what does not compile, or is not all there, is said in the compiler's words") {
  SKIP_UNLESS_ISOLATED();
  Bench bench;
  SubmissionBuild built = bench.build("int answer(int x) { return 2 * x }\n");
  CHECK(built.state == "does not compile");
  CHECK(built.reason.find("answer.cu:1:33: error: expected") == 0);
  CHECK(built.details.size() > 1);
  built = bench.build("int answer(long x) { return 2; }\n");
  CHECK(built.state == "does not compile");
  CHECK(built.reason.find("answer.cu compiles, but the checks do not find `answer(int)`") == 0);
  CHECK(built.reason.find("It has `answer(long)`") != std::string::npos);
  built = bench.build("static int answer(int x) { return 2; }\n");
  CHECK(built.state == "does not compile");
  CHECK(std::any_of(built.details.begin(), built.details.end(), [](const std::string& line) {
    return line.find("defined but not used") != std::string::npos;
  }));
  built = bench.build("int helper(); int answer(int x) { return helper(); }\n");
  CHECK(built.reason == "uses helper(), which no solution needs");
}

TEST_CASE("neither the checks, nor the solutions, nor the system's files can be included") {
  SKIP_UNLESS_ISOLATED();
  Bench bench;
  for (const std::string& file :
       {bench.course.checkout.source_dir.string() + "/exercises/01a_answer/check.cpp",
        bench.course.checkout.source_dir.string() + "/solutions/01a_answer/answer.cu",
        std::string("/etc/passwd"), std::string("/etc/hostname"), std::string("/proc/self/environ"),
        bench.course.folder.path().string() + "/1/judge/submission.json"}) {
    CAPTURE(file);
    const SubmissionBuild built = bench.build("#include \"" + file + "\"\n");
    CHECK(built.state == "does not compile");
    CHECK(built.reason.find("No such file or directory") != std::string::npos);
  }
}

TEST_CASE("an object that asks for more than it needs is refused; the teacher may allow it") {
  SKIP_UNLESS_ISOLATED();
  Bench bench;
  const std::string text =
      "#include <unistd.h>\nint answer(int x) { return fork() == 0 ? 0 : 2 * x; }\n";
  CHECK(bench.said(text) == "refused: uses fork(), which no solution needs");
  Permissions needs;
  needs.allow = {"fork"};
  CHECK(bench.build(text, needs).ok());
  CHECK(bench.said("#include <thread>\nint answer(int x) { std::thread([] {}).join(); return x; }")
            .find("refused: uses ") == 0);
  CHECK(bench.said("extern \"C\" long odd(int) __asm__(\"syscall\"); int answer(int x) { return "
                   "odd(x); }") == "refused: uses assembly, which no solution needs");
  CHECK(
      bench
          .said(
              "__attribute__((section(\".text\"))) extern const unsigned char code[]{15, 5, 195};\n"
              "int answer(int x) { return ((int (*)())code)(); }")
          .find("refused: has data among its code") == 0);
}

TEST_CASE("nothing that a submission defines stands in the place of anything of ours") {
  SKIP_UNLESS_ISOLATED();
  Bench bench;
  const std::string right = SmallCourse::right;
  // Each of these would spoil the answer.
  for (const std::string text :
       {"extern \"C\" void* malloc(unsigned long) { return nullptr; }",
        "extern \"C\" __attribute__((weak)) unsigned long strlen(const char*) { return 9; }",
        "extern \"C\" int snprintf(char*, unsigned long, const char*, ...) { return 0; }",
        "int main() { return 0; }",
        "inline __attribute__((noinline, used)) int shared_by_all() { return 0; }",
        "template <class T> struct X { static inline int unique = 3; }; int f() { return "
        "X<int>::unique; }",
        "extern \"C\" __attribute__((visibility(\"default\"))) int fputs(const char*, void*) { "
        "return 0; }",
        "namespace std { int _Z(); }", "extern \"C\" void* stdout = nullptr;"}) {
    CAPTURE(text);
    CHECK(bench.said(text + '\n' + right) == "40 2 0 7 4");
  }
  CHECK(bench
            .said("extern \"C\" int evil() { return 0; } extern \"C\" int puts(const char*) "
                  "__attribute__((ifunc(\"choose\"))); extern \"C\" int (*choose())(const char*) { "
                  "return nullptr; }\n" +
                  right)
            .find("refused: ") == 0);
}

TEST_CASE("a compiler that is kept busy is stopped by its limits") {
  SKIP_UNLESS_ISOLATED();
  Bench bench;
  const SubmissionBuild built =
      bench.build("#include __FILE__\nint answer(int x) { return 2 * x; }\n");
  CHECK(built.state == "does not compile");
  const SubmissionBuild large =
      bench.build("int huge[1l << 34] = {1};\n" + std::string(SmallCourse::right));
  CHECK(large.state == "does not compile");
}

TEST_CASE("a compiler or linker that fails by itself is held against nobody") {
  SKIP_UNLESS_ISOLATED();
  Bench bench;
  const std::string launcher = bench.course.list.compile.front();
  const auto failure_with = [&](const std::string& script) -> std::string {
    std::ofstream(launcher) << "#!/bin/sh\n" << script << '\n';
    try {
      return bench.build(SmallCourse::right).state;
    } catch (const Failure& failure) {
      return failure.what();
    }
  };
  CHECK(failure_with("exec \"$@\"") == "graded");
  CHECK(failure_with("kill -KILL $$") == "the compiler failed: exit status 137");
  CHECK(failure_with("echo 'as: No space left on device' >&2; exit 1") ==
        "the compiler failed: as: No space left on device");
  CHECK(failure_with("echo \"$1: answer.cu:1:1: error: x\" >&2; kill -TERM $$") ==
        "the compiler failed: " + std::string("g++: answer.cu:1:1: error: x"));
  CHECK(failure_with("exit 1") == "the compiler failed: exit status 1");
  CHECK(failure_with("echo 'answer.cu:1:1: error: x' >&2; exit 1") == "does not compile");
  // Once is not enough, nor is it where every file has the same fate.
  const std::string broken = "echo 'cc1plus: internal compiler error: x' >&2; exit 1";
  CHECK(failure_with(broken) == "the compiler failed: cc1plus: internal compiler error: x");
  CHECK(failure_with("grep -q nothing answer.cu || { " + broken + "; }; exec \"$@\"") ==
        "does not compile");
  CHECK(failure_with("test -e /output/once && exec \"$@\"; : >/output/once; " + broken) ==
        "the compiler failed: cc1plus: internal compiler error: x");
  CHECK(failure_with("kill -XCPU $$") == "does not compile");
  CHECK(bench.built.reason == "exceeds the compiler's limits: its time of the processor");

  std::ofstream(launcher) << "#!/bin/sh\nexec \"$@\"\n";
  bench.course.list.link = {"sh", "-c",
                            "echo 'ld: final link failed: No space left on device'; exit 1"};
  CHECK_THROWS_WITH_AS(bench.build(SmallCourse::right),
                       "the linker failed: ld: final link failed: No space left on device",
                       Failure);
}

TEST_CASE("the preprocessor is asked as the compiler is, and what it cannot tell nobody has seen") {
  SKIP_UNLESS_ISOLATED();
  Bench bench;
  bench.course.folder.write("include/given.hpp",
                            "#define HIDDEN __attribute__((no_sanitize(\"all\")))\n");
  const std::string text = "#include \"given.hpp\"\nHIDDEN int answer(int x) { return 2 * x; }\n";
  CHECK(bench.said(text) == "refused: uses no_sanitize, which no solution needs");
  // An option of the launcher's is before the compiler.
  bench.course.folder.script("compile", "shift\nexec \"$@\"");
  fs::permissions(bench.course.list.compile.front(), fs::perms(0755));
  bench.course.list.compile.insert(bench.course.list.compile.begin() + 1, "--emulator-ask-clang");
  CHECK(bench.said(SmallCourse::right) == "40 2 0 7 4");
  CHECK(bench.said(text) == "refused: uses no_sanitize, which no solution needs");
  bench.course.list.compile[2] = "no-such-compiler";
  CHECK_THROWS_AS(bench.build(text), const Failure&);
}

TEST_CASE("a sandbox that cannot see what it needs is noticed before any submission") {
  SKIP_UNLESS_ISOLATED();
  Bench bench;
  const Builder builder(bench.course.checkout, bench.course.list, bench.exercise, bench.sandbox);
  CHECK_NOTHROW(builder.try_workshop(bench.course.folder.path() / "try"));
  if (geteuid() != 0) return;  // its user is our own
  fs::permissions(bench.course.folder.path() / "boundary.o", fs::perms(0600));
  CHECK_THROWS_AS(builder.try_workshop(bench.course.folder.path() / "try"), const Failure&);
}

TEST_CASE("a submission may call what its exercise needs, and what the teacher allows") {
  Exercise exercise;
  exercise.needs = {"cudaMallocHost"};
  const Permissions needs = permissions_of(exercise, {"fork"});
  CHECK(is_allowed("_Z14cudaMallocHostPPvm", needs));
  CHECK(is_allowed("fork", needs));
  CHECK_FALSE(is_allowed("_Z14cudaMallocHostPPvm", permissions_of(Exercise{}, {"fork"})));
  CHECK_FALSE(is_allowed("_Z17cudaMallocManagedPPvmj", needs));
}
