#include "exercises/parts.hpp"

#include <doctest/doctest.h>

#include <string>

#include "console/table.hpp"
#include "host/exercises/fake_course.hpp"

using namespace course::tool;

namespace {

/// Solves an exercise; returns what is said.
std::string solve(const FakeCourse& course, std::size_t k, StudentRecord& record) {
  const Exercise& exercise = course.list.exercises[k];
  record.work[exercise.name].solved = true;
  return congratulation(course.list, exercise, record);
}

}  // namespace

TEST_CASE("an exercise belongs to the part that has its chapter, if one has") {
  const FakeCourse course;
  Exercise exercise;
  exercise.chapter = "12";
  CHECK(part_of(course.list, exercise) == nullptr);
  exercise.chapter = "02";
  CHECK(part_of(course.list, exercise) == &course.list.parts[1]);
}

TEST_CASE("the last exercise of a part brings a congratulation, once, with figures") {
  FakeCourse course;
  StudentRecord record;
  CHECK(solve(course, 0, record) == "");
  record.work["01a_residual"].attempts = 4;
  record.work["01b_squares"].attempts = 1;
  record.work["01b_squares"].hints = 1;
  const std::string text = solve(course, 1, record);
  CHECK(text.starts_with(
      "Well done: you have solved all of part 2 of the course, the ladder.\n\nYou can "));
  CHECK(says(text, "2 exercises, 20 points, 5 attempts, 1 hint.\n"));
  CHECK(says(text, "What comes next: matrix products, exercise 08a, \"About tile\".\n"));
  CHECK(solve(course, 1, record) == "");
  CHECK(says(text, "would be wider than a terminal.\n"));  // whoever shows it breaks its lines
}

TEST_CASE("the order does not matter, and after the last part there is nothing to come") {
  FakeCourse course;
  StudentRecord record;
  const std::string text = solve(course, 2, record);
  CHECK(says(text, "1 exercise, 10 points, 0 attempts, and not one hint.\n"));
  CHECK(says(text, "What comes next: the ladder, exercise 01a"));
  CHECK(solve(course, 1, record) == "");
  CHECK(says(solve(course, 0, record), "And with that, all exercises there are."));
}

TEST_CASE("an exercise of no part brings no congratulation") {
  FakeCourse course;
  course.list.exercises[2].chapter = "12";
  StudentRecord record;
  CHECK(solve(course, 2, record) == "");
}
