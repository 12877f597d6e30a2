#include "grader/report/marks.hpp"

#include <doctest/doctest.h>

#include <string>

#include "grader/grader.hpp"

using namespace course::tool;
using namespace course::tool::grading;

namespace {

Exercise three_cases() {
  Exercise exercise;
  exercise.id = "01a";
  exercise.name = "01a_residual";
  exercise.title = "The residual";
  exercise.cases = {"correct: one", "correct: two", "efficient: three"};
  exercise.case_points = {4, 1, 5};
  return exercise;
}

ExerciseMark counted(const std::vector<CaseState>& states) {
  CheckResult result;
  const Exercise exercise = three_cases();
  for (std::size_t k = 0; k < states.size(); ++k) {
    result.cases.push_back({exercise.cases[k], states[k], "message"});
  }
  ExerciseMark mark;
  count_points(exercise, result, mark);
  return mark;
}

}  // namespace

TEST_CASE("a case that passes has its points, any other none") {
  const ExerciseMark mark = counted({CaseState::passed, CaseState::failed, CaseState::skipped});
  CHECK(mark.state == "graded");
  CHECK(mark.points().points == 4);
  CHECK(mark.points().of == 10);
  CHECK(mark.cases[1].result == "failed");
  CHECK(mark.cases[2].result == "skipped");
  CHECK(mark.cases[2].message == "message");
  CHECK(counted({CaseState::crashed, CaseState::passed, CaseState::passed}).points().points == 6);
}

TEST_CASE("points are summed by criterion, in the order of the cases") {
  const auto criteria =
      counted({CaseState::failed, CaseState::passed, CaseState::passed}).criteria();
  REQUIRE(criteria.size() == 2);
  CHECK(criteria[0].first == "correct");
  CHECK(criteria[0].second.points == 1);
  CHECK(criteria[0].second.of == 5);
  CHECK(criteria[1].first == "efficient");
  CHECK(criteria[1].second.points == 5);
}

TEST_CASE("cases that the judge never came to are a failure of ours") {
  const ExerciseMark mark = counted({CaseState::passed, CaseState::not_run, CaseState::not_run});
  CHECK(mark.state == "not graded");
  CHECK_FALSE(mark.reason.empty());
  CHECK(counted({CaseState::passed}).state == "graded");  // and are known to the list alone
}

TEST_CASE("cases that the list does not know are worth nothing") {
  CheckResult result;
  result.cases.push_back({"correct: four", CaseState::passed, ""});
  ExerciseMark mark;
  count_points(three_cases(), result, mark);
  CHECK(mark.points().points == 0);
  CHECK(mark.cases.size() == 3);
}

TEST_CASE("marks are read as they were written") {
  Marks marks;
  marks.submission = "anna \"x\" \xC3\xA4";
  marks.graded = "2026-11-21T23:00:00Z";
  marks.seed = 9007199254740991;
  marks.judge = "abc";
  marks.fingerprint = "def";
  marks.isolation = {"partial", {"network"}};
  marks.exercises.push_back(counted({CaseState::passed, CaseState::failed, CaseState::skipped}));
  marks.exercises[0].details = {"a warning"};
  marks.exercises[0].seconds = 3.1;
  const std::string text = to_json(marks);
  const auto read = marks_from_json(text);
  REQUIRE(read);
  CHECK(to_json(*read) == text);
  CHECK(read->points().points == 4);
  CHECK(read->submission == marks.submission);
  CHECK_FALSE(read->has_failure_of_ours());
  CHECK_FALSE(marks_from_json(text.substr(0, text.size() / 2)));
  CHECK_FALSE(marks_from_json("[]"));
  CHECK_FALSE(marks_from_json(""));
}

TEST_CASE("bytes that are no UTF-8 do no harm in JSON") {
  Marks marks;
  marks.submission = "\xFF\x01";
  CHECK(marks_from_json(to_json(marks)));
}
