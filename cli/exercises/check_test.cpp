#include "exercises/check.hpp"

#include <doctest/doctest.h>

#include <string>

#include "host/errors.hpp"
#include "host/exercises/fake_course.hpp"

using namespace course::tool;

namespace {

int check(FakeCourse& course, const std::string& wanted = "") {
  return check_command(course.checkout, course.list, wanted, course.screen);
}
ExerciseRecord work_on(FakeCourse& course, std::size_t k = 0) {
  return read_student_record(course.checkout, course.err).of(course.list.exercises[k]);
}

}  // namespace

TEST_CASE("a file that is still as handed out is told to be, with the line to write in") {
  FakeCourse course;
  CHECK(check(course, "01a") == status_failed);
  const std::string text = course.shown();
  CHECK(
      text.starts_with("01a  About residual\nexercises/01a_residual/residual.cu is still as handed "
                       "out: line 2 says TODO.\n\nFAILED   correct: one\nFAILED   correct: two\n"));
  CHECK(work_on(course).attempts == 0);
  course.save("mine\n");
  check(course, "01a");
  CHECK_FALSE(says(course.shown(), "as handed out"));
  CHECK(work_on(course).attempts == 1);
}

TEST_CASE("a check shows each case with its message, then what to do next") {
  FakeCourse course;
  course.save("fails: correct: two\nskips: efficient: three\n");
  CHECK(check(course, "01a") == status_failed);
  const std::string text = course.shown();
  CHECK(
      says(text,
           "\npassed   correct: one\nFAILED   correct: two\nskipped  efficient: three\n    no GPU\n"
           "\ncorrect: two\n    got 1\n\n    expected 2\n\n01a is not solved yet: "));
  CHECK(says(text, "\n01a is not solved yet: 1 of 3 cases failed.\n"));
  CHECK(says(text, "what is asked   exercises/01a_residual/README.md\n"));
  CHECK(says(text, "a hint          ./course hint 01a   (3 of 3 left)\n"));
  CHECK(says(text, "./course check 01a, or whenever you save: ./course watch 01a\n"));
  CHECK_FALSE(says(text, "\033"));
  CHECK_FALSE(work_on(course).solved);
}

TEST_CASE("the first failure is what is said last, and what several say is said once") {
  FakeCourse course;
  course.save("crashes: correct: one\nfails: correct: two\nfails: efficient: three\n");
  check(course, "01a");
  const std::string text = course.shown();
  const std::size_t others = text.find("\ncorrect: two (and 1 other)\n    got 1\n");
  const std::size_t first = text.find("\ncorrect: one\n    ");
  CHECK(others < first);
  CHECK(first < text.find("01a is not solved yet"));
  CHECK(text.find("got 1") == text.rfind("got 1"));
}

TEST_CASE("a first failure that says too much for a screen is named again at the end") {
  FakeCourse course;
  const auto check_on_screen = [&] {
    const Screen screen{course.out, course.err, course.progress, false, 80};
    check_command(course.checkout, course.list, "01a", screen);
  };
  course.save("long: correct: two\nfails: efficient: three\n");
  check_on_screen();
  const std::string text = course.shown();
  CHECK(says(text, "2 of 3 cases failed.\nThe first: correct: two: with n = 1: got 1\nSo far: "));
  course.save("fails: correct: two\n");
  check_on_screen();
  CHECK_FALSE(says(course.shown(), "The first: "));
}

TEST_CASE("what the first failure describes, which is shown last, is not called described above") {
  FakeCourse course;
  course.save("fails: correct: one\nrepeats: correct: two\n");
  check(course, "01a");
  CHECK(says(course.shown(), "\ncorrect: two\n    error: race again at a.cu:1\n\ncorrect: one\n"));
}

TEST_CASE("what would move the cursor or turn the writing around does not reach the screen") {
  FakeCourse course;
  course.save("turns: correct: two\n");
  check(course, "01a");
  CHECK(says(course.shown(), "\ncorrect: two\n    got \uFFFD[2J1\uFFFD\n"));
}

TEST_CASE("that no kernel was launched is said once, whatever the data") {
  FakeCourse course;
  course.save("unlaunched: correct: two\nunlaunched: efficient: three\n");
  check(course, "01a");
  const std::string text = course.shown();
  CHECK(
      says(text, "\ncorrect: two (and 1 other)\n    with correct: two, no kernel was launched\n"));
  CHECK(text.find("no kernel") == text.rfind("no kernel"));
}

TEST_CASE("of a file as handed out the one thing to say is said once") {
  FakeCourse course;
  check(course, "01a");
  const std::string text = course.shown();
  CHECK(says(text, "\ncorrect: one (and 2 others)\n    nothing there\n\n01a is not solved yet"));
  CHECK(text.find("nothing there") == text.rfind("nothing there"));
}

TEST_CASE("what does not compile is shown from the student's line on") {
  FakeCourse course;
  course.save("SYNTAX\n");
  CHECK(check(course, "01a") == status_failed);
  const std::string text = course.shown();
  CHECK(says(text, "\n\nexercises/01a_residual/residual.cu:3:1: error: expected ';'\n"));
  CHECK(says(text, "01a is not solved yet: it does not compile.\n"));
  course.save("RENAMED\n");
  CHECK(check(course, "01a") == status_failed);
  CHECK(says(course.shown(), "01a is not solved yet: it cannot be linked.\n"));
  course.save("");
  CHECK(check(course, "01a") == status_failed);
  CHECK(says(course.shown(), "residual.cu is empty: "));
}

TEST_CASE("a solved exercise stays solved, and the next one is named") {
  FakeCourse course;
  course.save("UNUSED\n");
  CHECK(check(course, "01a") == status_ok);
  const std::string text = course.shown();
  CHECK(says(text, "residual.cu:4:1: warning: unused variable 'a'\n\npassed   correct: one\n"));
  CHECK(says(text, "\n01a is solved: all 3 cases passed; 10 points.\n"));
  CHECK(says(text, "to compare      ./course solution 01a\n"));
  CHECK(says(text, "next            01b, About squares: exercises/01b_squares/README.md\n"));
  CHECK(work_on(course).solved);
  course.save("fails: correct: one\n");
  CHECK(check(course, "01a") == status_failed);
  CHECK(work_on(course).solved);
}

TEST_CASE("the end of a part is congratulated on, once") {
  FakeCourse course;
  course.save("mine\n", 0);
  course.save("mine\n", 1);
  check(course, "01a");
  CHECK_FALSE(says(course.shown(), "Well done"));
  check(course, "01b");
  CHECK(says(course.shown(), "\nWell done: you have solved all of part 2 of the course"));
  check(course, "01b");
  CHECK_FALSE(says(course.shown(), "Well done"));
}

TEST_CASE("without an argument it is the first unsolved exercise, with a chapter all of them") {
  FakeCourse course;
  course.save("mine\n", 0);
  CHECK(check(course) == status_ok);
  CHECK(says(course.shown(), "01a is solved"));
  CHECK(check(course) == status_failed);
  CHECK(says(course.shown(), "01b is not solved yet"));
  CHECK(check(course, "01") == status_failed);
  const std::string both = course.shown();
  CHECK(says(both, "01a is solved"));
  CHECK(says(both, "01b is not solved yet"));
  CHECK(both.ends_with("1 of 2 exercises of chapter 01 are solved.\n"));
  course.save("mine\n", 1);
  CHECK(check(course, "01") == status_ok);
  course.save("mine\n", 2);
  CHECK(check(course) == status_ok);
  course.shown();
  CHECK(check(course) == status_ok);
  CHECK(says(course.shown(), "All 3 exercises are solved."));
  course.list.exercises.clear();
  CHECK_THROWS_WITH_AS(check(course), "there are no exercises yet", Failure);
}

TEST_CASE("next is the one after what was just solved; what was passed over comes last") {
  FakeCourse course;
  course.save("mine\n", 1);
  check(course, "01b");
  std::string text = course.shown();
  CHECK(says(text, "next            08a, About tile"));
  course.save("mine\n", 2);
  check(course, "08a");
  text = course.shown();
  CHECK(says(text, "next            01a, About residual"));
  CHECK(says(text, "What comes next: the ladder, exercise 01a"));
}

TEST_CASE("hints that are used up give way to the solution") {
  FakeCourse course;
  change_student_record(course.checkout, course.err,
                        [](StudentRecord& record) { record.work["01a_residual"].hints = 3; });
  check(course, "01a");
  CHECK(says(course.shown(),
             "./course hint 01a --again   (all seen; the model solution: ./course "
             "solution 01a --anyway)\n"));
  course.save("fails: correct: one\n");
  check(course, "01a");
  CHECK(says(course.shown(), "./course solution 01a)\n"));
}

TEST_CASE("checks that cannot be built are no fault of the student's") {
  FakeCourse course;
  course.checkout.cmake = course.folder.script("cmake", "echo 'check.cpp:1: error: x'; exit 1");
  try {
    check(course, "01a");
    FAIL_CHECK("built");
  } catch (const Failure& failure) {
    CHECK(says(failure.what(), "the checks of 01a could not be built, which is not your fault"));
  }
  CHECK(course.complained() == "check.cpp:1: error: x\n");
}

TEST_CASE("colours are for terminals") {
  FakeCourse course;
  course.screen.colour = true;
  course.save("fails: correct: two\nskips: efficient: three\n");
  check(course, "01a");
  const std::string text = course.shown();
  CHECK(says(text, "\033[32mpassed \033[0m  correct: one\n"));
  CHECK(says(text, "\033[31mFAILED \033[0m  correct: two\n"));
  CHECK(says(text, "\033[33mskipped\033[0m  efficient: three\n"));
}
