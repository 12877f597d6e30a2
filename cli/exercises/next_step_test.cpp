#include "exercises/next_step.hpp"

#include <doctest/doctest.h>

#include <string>

#include "exercises/check.hpp"
#include "host/errors.hpp"
#include "host/exercises/fake_course.hpp"

using namespace course::tool;

namespace {

std::string id(const Exercise* exercise) {
  return exercise == nullptr ? "none" : exercise->id;
}

std::vector<Chapter> chapters() {
  Chapter first;
  first.number = "01";
  first.name = "01_global";
  return {first};
}

}  // namespace

TEST_CASE("who began in the middle goes on from there, and what was passed over comes last") {
  const FakeCourse course;
  const auto all = all_of(course.list);
  StudentRecord record;
  CHECK(id(where_to_go_on(all, record)) == "01a");
  record.latest = "01b_squares";  // at work on it
  CHECK(id(where_to_go_on(all, record)) == "01b");
  record.work["01b_squares"].solved = true;
  CHECK(id(where_to_go_on(all, record)) == "08a");
  record.work["08a_tile"].solved = true;
  CHECK(id(where_to_go_on(all, record)) == "01a");
  record.work["01a_residual"].solved = true;
  CHECK(id(where_to_go_on(all, record)) == "none");
}

TEST_CASE("the next one is never the one at hand, and nothing if there is no other") {
  const FakeCourse course;
  const auto all = all_of(course.list);
  StudentRecord record;
  CHECK(id(next_unsolved(all, record, *all[0])) == "01b");
  CHECK(id(next_unsolved(all, record, *all[2])) == "01a");
  record.work["01a_residual"].solved = true;
  record.work["01b_squares"].solved = true;
  CHECK(id(next_unsolved(all, record, *all[2])) == "none");
}

TEST_CASE("what to do next: a chapter to read where it is new, and an exercise") {
  const FakeCourse course;
  StudentRecord record;
  const std::string solve =
      "  solve    01a, About residual: exercises/01a_residual/README.md\n"
      "  check    ./course watch 01a\n";
  CHECK(next_step(course.checkout, chapters(), course.list, record) ==
        "Next:\n  read     chapters/01_global/README.md\n" + solve);
  record.work["01b_squares"].attempts = 1;
  CHECK(next_step(course.checkout, chapters(), course.list, record) == "Next:\n" + solve);
  for (const Exercise& exercise : course.list.exercises) record.work[exercise.name].solved = true;
  CHECK(next_step(course.checkout, chapters(), course.list, record) ==
        "All exercises are solved. ./course solution 01a shows how we did one.\n");
}

TEST_CASE("points so far: all of an exercise that was solved, else those of the last check") {
  FakeCourse course;
  CHECK(so_far(course.list, {}) == "0 of 3 exercises solved, 0 of 30 points");
  course.list.exercises[0].case_points = {3, 5, 2};
  course.save("fails: correct: one\n");
  CHECK(check_command(course.checkout, course.list, "01a", course.screen) == status_failed);
  CHECK(says(course.shown(),
             ": 1 of 3 cases failed; 7 of 10 points.\n"
             "So far: 0 of 3 exercises solved, 7 of 30 points.\n"));
  course.save("mine\n");
  CHECK(check_command(course.checkout, course.list, "01a", course.screen) == status_ok);
  CHECK(says(course.shown(), "So far: 1 of 3 exercises solved, 10 of 30 points.\n"));
}

TEST_CASE("`check` alone goes on after what was checked last") {
  FakeCourse course;
  course.save("mine\n", 1);
  CHECK(check_command(course.checkout, course.list, "01b", course.screen) == status_ok);
  course.shown();
  CHECK(check_command(course.checkout, course.list, "", course.screen) == status_failed);
  CHECK(says(course.shown(), "08a is not solved yet"));
}
