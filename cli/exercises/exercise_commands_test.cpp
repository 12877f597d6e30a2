#include "exercises/exercise_commands.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <string>

#include "host/errors.hpp"
#include "host/exercises/check_program.hpp"
#include "host/exercises/fake_course.hpp"

using namespace course::tool;

namespace {

namespace fs = std::filesystem;
const std::string source = "exercises/01a_residual/residual.cu";

int build(FakeCourse& course) {
  return build_exercise(course.checkout, course.list, course.list.exercises[0], course.screen);
}
int hint(FakeCourse& course, bool again = false) {
  return hint_command(course.checkout, course.list.exercises[0], again, course.screen);
}
int reset(FakeCourse& course) {
  return reset_command(course.checkout, course.list.exercises[0], course.screen);
}
int solution(FakeCourse& course, bool anyway = false) {
  return solution_command(course.checkout, course.list.exercises[0], anyway, course.screen);
}
ExerciseRecord work_on(FakeCourse& course) {
  return read_student_record(course.checkout, course.err).of(course.list.exercises[0]);
}

/// The files that `reset` has kept.
std::vector<fs::path> kept(const FakeCourse& course) {
  std::vector<fs::path> files;
  std::error_code error;
  for (const auto& entry :
       fs::directory_iterator(course.checkout.source_dir / ".course/kept", error)) {
    files.push_back(entry.path());
  }
  return files;
}

}  // namespace

TEST_CASE("an exercise whose library is not here is skipped, and its file left alone") {
  FakeCourse course;
  course.list.exercises[0].lacks = "exercise 01a calls a library that is not here";
  course.save("SYNTAX\n");
  CHECK(build(course) == status_skipped);
  CHECK(course.shown() == "exercise 01a calls a library that is not here\n");
  CHECK(work_on(course).attempts == 0);
}

TEST_CASE("build-exercise prints what the compiler has to say, and nothing else") {
  FakeCourse course;
  const fs::path program = student_folder(course.checkout, course.list.exercises[0]) / "check";
  CHECK(build(course) == status_ok);
  CHECK(course.shown() == "");
  CHECK(fs::exists(program));
  CHECK(work_on(course).attempts == 0);

  course.save("SYNTAX\n");
  CHECK(build(course) == status_failed);
  CHECK(course.shown() == source + ":3:1: error: expected ';'\n");
  CHECK_FALSE(fs::exists(program));
  CHECK(work_on(course).attempts == 1);

  course.save("UNUSED\n");
  CHECK(build(course) == status_ok);
  CHECK(course.shown() == source + ":4:1: warning: unused variable 'a'\n");
  CHECK(fs::exists(program));

  course.save("");
  CHECK(build(course) == status_failed);
  CHECK(says(course.shown(), source + " is empty: "));
  CHECK_FALSE(fs::exists(program));
  CHECK(work_on(course).attempts == 2);
  CHECK(course.steps.str() == "");
  CHECK(course.complained() == "");
}

TEST_CASE("hints come one at a time and are remembered") {
  FakeCourse course;
  CHECK(hint(course, true) == status_ok);
  CHECK(says(course.shown(), "No hint was shown yet: ./course hint 01a shows the first."));
  CHECK(hint(course) == status_ok);
  CHECK(course.shown() ==
        "Hint 1 of 3: Where\n\nHere.\n\nTry with that first; then ./course hint 01a shows the next "
        "one.\n");
  CHECK(hint(course) == status_ok);
  CHECK(course.shown().starts_with("Hint 2 of 3: How\n\nSo.\n"));
  CHECK(hint(course, true) == status_ok);
  CHECK(course.shown() == "Hint 1 of 3: Where\n\nHere.\n\nHint 2 of 3: How\n\nSo.\n");
  CHECK(hint(course) == status_ok);
  const std::string last = course.shown();
  CHECK(last.starts_with("Hint 3 of 3: Nearly\n\nThus.\n"));
  CHECK(says(last, "That was the last one."));
  CHECK(hint(course) == status_ok);
  const std::string after = course.shown();
  CHECK_FALSE(says(after, "Thus."));
  CHECK(says(after, "./course hint 01a --again"));
  CHECK(says(after, "./course solution 01a --anyway"));
  CHECK(work_on(course).hints == 3);
}

TEST_CASE("without hints there is a failure that says so") {
  FakeCourse course;
  course.write("exercises/01a_residual/hints.md", "none\n");
  CHECK_THROWS_WITH_AS(hint(course), "there are no hints for 01a", Failure);
  fs::remove(course.list.exercises[0].hints());
  CHECK_THROWS_WITH_AS(hint(course), "there are no hints for 01a", Failure);
}

TEST_CASE("reset brings the stub back and keeps the student's version") {
  FakeCourse course;
  CHECK(reset(course) == status_ok);
  CHECK(course.shown() == source + " is as handed out: there is nothing to reset.\n");
  CHECK(kept(course).empty());

  course.save("mine\n");
  CHECK(reset(course) == status_ok);
  CHECK(course.read(source) == FakeCourse::stub);
  REQUIRE(kept(course).size() == 1);
  const fs::path first = kept(course)[0];
  CHECK(course.read(".course/kept/" + first.filename().string()) == "mine\n");
  CHECK(first.filename().string().starts_with("01a_residual-20"));
  const std::string text = course.shown();
  CHECK(text.starts_with("Your version is kept in "));
  CHECK(says(text, first.filename().string() + ".\n" + source + " is as handed out again.\n"));

  // At once again: neither version is lost.
  course.save("mine too\n");
  CHECK(reset(course) == status_ok);
  CHECK(kept(course).size() == 2);

  fs::remove(course.list.exercises[0].source());
  CHECK(reset(course) == status_ok);
  CHECK(course.read(source) == FakeCourse::stub);
  CHECK(kept(course).size() == 2);
}

TEST_CASE("where nothing can be kept, reset changes nothing") {
  FakeCourse course;
  course.save("mine\n");
  course.write(".course/kept", "a file in the way");
  CHECK_THROWS_AS(reset(course), Failure);
  CHECK(course.read(source) == "mine\n");
  fs::remove(course.list.exercises[0].source());
  fs::create_directory(course.list.exercises[0].source());
  CHECK_THROWS_AS(reset(course), Failure);
}

TEST_CASE("a solution is shown after an attempt, or anyway") {
  FakeCourse course;
  try {
    solution(course);
    FAIL_CHECK("shown");
  } catch (const Failure& failure) {
    CHECK(failure.status() == status_failed);
    CHECK(says(failure.what(), "01a was not tried yet: "));
    CHECK(says(failure.what(), "--anyway shows the solution now"));
  }
  CHECK(solution(course, true) == status_ok);
  CHECK(course.shown() == FakeCourse::solved);
  course.save("mine\n");
  build(course);
  CHECK(solution(course) == status_ok);
  CHECK(course.shown() == FakeCourse::solved);
}

TEST_CASE("on a screen a hint is broken where the screen ends, and not where its file breaks it") {
  FakeCourse course;
  course.write("exercises/01a_residual/hints.md", "# Hints\n\n## 1. Where\n\nHere,\nand there.\n");
  const Screen screen{course.out, course.err, course.progress, false, 80};
  hint_command(course.checkout, course.list.exercises[0], false, screen);
  CHECK(says(course.shown(), "\n\nHere, and there.\n"));
  hint(course, true);
  CHECK(says(course.shown(), "\n\nHere,\nand there.\n"));
}

TEST_CASE("the table shows what was done, and the points") {
  FakeCourse course;
  StudentRecord record;
  record.work["01a_residual"] = {2, 1, true, ""};
  record.work["01b_squares"] = {3, 0, false, "", 4};
  const std::string text = exercise_table(course.list, record, course.screen);
  CHECK(says(text, "01a_residual  solved  10 of 10         2      1  About residual\n"));
  CHECK(says(text, "01b_squares   tried    4 of 10         3         About squares\n"));
  CHECK(says(text, "08a_tile               - of 10                   About tile\n"));
  CHECK(text.ends_with("1 of 3 exercises solved, 14 of 30 points.\n"));
  course.list.exercises.clear();
  CHECK(exercise_table(course.list, record, course.screen) == "");
}
