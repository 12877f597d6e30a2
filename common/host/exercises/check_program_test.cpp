#include "host/exercises/check_program.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "host/errors.hpp"
#include "host/exercises/fake_course.hpp"
#include "host/files.hpp"

using namespace course::tool;
using Lines = std::vector<std::string>;

namespace {

namespace fs = std::filesystem;

/// Makes and runs a student's file; one letter per case: what became of it.
struct Attempt {
  explicit Attempt(const FakeCourse& course, const std::string& text, const CheckRun& run = {}) {
    const Exercise& exercise = course.list.exercises[0];
    course.save(text);
    const fs::path folder = student_folder(course.checkout, exercise);
    made = make_check_program(course.checkout, course.list, exercise, exercise.source(), folder);
    if (!made.ok()) return;
    result = run_check_program(course.checkout, exercise, folder / "check", folder, run);
    for (const CaseResult& one : result.cases) {
      states += std::string("-pfsc")[static_cast<std::size_t>(one.state)];
    }
  }
  CompileResult made;
  CheckResult result;
  std::string states;
};

std::string problem(const FakeCourse& course) {
  return source_problem(course.checkout, course.list.exercises[0]).value_or("");
}

}  // namespace

TEST_CASE("a check program tells what became of each case, in their order") {
  const FakeCourse course;
  const Attempt tried(course, "fails: correct: two\nskips: efficient: three\n");
  CHECK(tried.made.ok());
  CHECK(tried.made.messages.empty());
  CHECK(tried.states == "pfs");
  CHECK(tried.result.cases[1].name == "correct: two");
  CHECK(tried.result.cases[1].message == "got 1\n\nexpected 2");
  CHECK(tried.result.cases[2].message == "no GPU");
  CHECK_FALSE(tried.result.passed());
  CHECK(tried.result.count(CaseState::failed) == 1);
}

TEST_CASE("a check passes if something passed and the rest was skipped") {
  const FakeCourse course;
  CHECK(Attempt(course, "int a;\n").result.passed());
  CHECK(Attempt(course, "skips: efficient: three\n").result.passed());
  CHECK_FALSE(Attempt(course, "skips: correct: one\nskips: correct: two\nskips: efficient: three\n")
                  .result.passed());
  CHECK_FALSE(Attempt(course, "crashes: efficient: three\n").result.passed());
  CHECK_FALSE(CheckResult{}.passed());
}

TEST_CASE("after a crash, which is told with the program's last words, the other cases run") {
  const FakeCourse course;
  const Attempt tried(course, "crashes: correct: one\ncrashes: correct: two\n");
  CHECK(tried.states == "ccp");
  CHECK(tried.result.cases[0].message ==
        "the program ended in this case: killed by signal 11 (Segmentation fault)\nlast words");
}

TEST_CASE("one case alone is run if no more is asked for") {
  const FakeCourse course;
  CheckRun run;
  run.only_case = "correct: two";
  const std::string text = "fails: correct: one\ncrashes: correct: two\n";
  const Attempt tried(course, text, run);
  REQUIRE(tried.states == "c");
  CHECK(tried.result.cases[0].name == "correct: two");
  run.only_case = "efficient: three";
  CHECK(Attempt(course, text, run).states == "p");
}

TEST_CASE("a program that does not end is ended, with all that it started") {
  const FakeCourse course;
  CheckRun run;
  run.time_limit = std::chrono::milliseconds(300);
  const auto start = std::chrono::steady_clock::now();
  const Attempt tried(course, "hangs: correct: two\n", run);
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(10));
  CHECK(tried.states == "pc-");
  CHECK(says(tried.result.cases[1].message, "still in this case after 0 s and was ended"));
}

TEST_CASE("a program that starts no case says how it ended, and does not run for ever") {
  const FakeCourse course;
  const Exercise& exercise = course.list.exercises[0];
  const fs::path program = course.folder.script("program", "echo no library >&2; exit 127");
  const CheckResult result =
      run_check_program(course.checkout, exercise, program, course.folder.path());
  REQUIRE(result.cases.size() == 3);
  CHECK(result.count(CaseState::not_run) == 3);
  CHECK(says(result.cases[0].message, "exit status 127\nno library"));
  CHECK_FALSE(result.passed());
}

TEST_CASE("compiling runs in the checkout, with the path that messages then begin with") {
  const FakeCourse course;
  const Attempt broken(course, "SYNTAX\n");
  CHECK(broken.made.stopped_at == CompileResult::Step::compiling);
  CHECK(broken.made.messages ==
        Lines{"exercises/01a_residual/residual.cu:3:1: error: expected ';'"});
  const Attempt warned(course, "UNUSED\n");
  CHECK(warned.made.ok());
  CHECK(warned.made.messages ==
        Lines{"exercises/01a_residual/residual.cu:4:1: warning: unused variable 'a'"});
  const Attempt renamed(course, "RENAMED UNUSED\n");
  CHECK(renamed.made.stopped_at == CompileResult::Step::linking);
  REQUIRE(renamed.made.messages.size() == 2);
  CHECK(says(renamed.made.messages[0], "residual.cu compiles, but the checks do not find"));
  CHECK(says(renamed.made.messages[1], "warning"));
}

TEST_CASE("a file that is no CUDA has a compiler of its own") {
  FakeCourse course;
  course.list.exercises[0].compiler = {
      course.folder.script("own", "echo \"$4:1:1: error: own compiler: $*\"; exit 1")};
  course.list.exercises[0].compile = {"-Ihere"};
  const Attempt tried(course, "anything\n");
  CHECK(tried.made.stopped_at == CompileResult::Step::compiling);
  REQUIRE(tried.made.messages.size() == 1);
  CHECK(says(tried.made.messages[0], "own compiler: -Ihere -c exercises/01a_residual/residual.cu"));
}

TEST_CASE("where making a program fails, none is left of an earlier time") {
  const FakeCourse course;
  const fs::path program = student_folder(course.checkout, course.list.exercises[0]) / "check";
  CHECK(Attempt(course, "int a;\n").made.ok());
  CHECK(fs::exists(program));
  CHECK_FALSE(Attempt(course, "SYNTAX\n").made.ok());
  CHECK_FALSE(fs::exists(program));
}

TEST_CASE("checks that are not built are named with the command that builds them") {
  FakeCourse course;
  Exercise& exercise = course.list.exercises[0];
  CHECK_FALSE(missing_objects(course.checkout, exercise));
  exercise.libraries = {"-lpthread", "libm.so"};
  CHECK_FALSE(missing_objects(course.checkout, exercise));
  exercise.libraries.push_back((course.folder.path() / "none.a").string());
  CHECK(says(missing_objects(course.checkout, exercise).value_or(""),
             "the checks of 01a are not built: cmake --build "));
  CHECK(says(missing_objects(course.checkout, exercise).value_or(""), " --target exercise_01a"));
  CHECK_THROWS_AS(make_check_program(course.checkout, course.list, exercise, exercise.source(),
                                     course.folder.path() / "out"),
                  Failure);
}

TEST_CASE("a file that no compiler need see is told in one line, with what to do") {
  const FakeCourse course;
  const std::string name = "exercises/01a_residual/residual.cu";
  const fs::path file = course.list.exercises[0].source();
  CHECK(problem(course) == "");
  course.save(" \n\t\r\n");
  CHECK(problem(course) == name + " is empty: ./course reset 01a brings the file as handed out");
  course.save(std::string("a\0b", 3));
  CHECK(says(problem(course), name + " is not plain text"));
  fs::remove(file);
  CHECK(problem(course) ==
        name + " is not there: ./course reset 01a brings the file as handed out");
  fs::create_symlink("nowhere", file);
  CHECK(says(problem(course), " is not there"));
  fs::remove(file);
  fs::create_directory(file);
  CHECK(says(problem(course), name + " is a folder"));
  fs::remove(file);
  if (geteuid() == 0) return;  // root can read everything
  course.save("int a;\n");
  fs::permissions(file, fs::perms::none);
  CHECK(says(problem(course), name + " cannot be read"));
}

TEST_CASE("results are read line by line, and a torn last line does no harm") {
  std::vector<CaseResult> cases{{"correct: a", {}, {}}, {"correct: b", {}, {}}};
  read_results(
      "{\"case\": \"correct: b\", \"result\": \"running\"}\n"
      "{\"case\": \"correct: b\", \"result\": \"passed\", \"message\": \"\"}\n"
      "nonsense\n[]\n{\"case\": 3}\n"
      "{\"case\": \"correct: new\", \"result\": \"failed\", \"message\": \"why\"}\n"
      "{\"case\": \"correct: a\", \"result\": \"running\"}\n{\"case\": \"corr",
      cases);
  REQUIRE(cases.size() == 3);
  CHECK(cases[0].state == CaseState::crashed);
  CHECK(cases[1].state == CaseState::passed);
  CHECK(cases[2].name == "correct: new");
  CHECK(cases[2].state == CaseState::failed);
  CHECK(cases[2].message == "why");
}
