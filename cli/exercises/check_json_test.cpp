#include "exercises/check_json.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "host/errors.hpp"
#include "host/exercises/fake_course.hpp"

using namespace course::tool;
using Json = nlohmann::json;

namespace {

/// The first exercise of what check --json writes.
Json checked(FakeCourse& course) {
  const auto file = course.folder.path() / "checked.json";
  check_command(course.checkout, course.list, "01a", course.screen, file.string());
  return Json::parse(course.folder.read("checked.json")).at("exercises").at(0);
}

}  // namespace

TEST_CASE("programs read each case with its state, its points and what it says") {
  FakeCourse course;
  course.list.exercises[0].case_points = {4, 3, 3};
  course.save("fails: correct: two\nskips: efficient: three\nUNUSED\n");
  const Json exercise = checked(course);
  CHECK(exercise.at("id") == "01a");
  CHECK(exercise.at("file") == "exercises/01a_residual/residual.cu");
  CHECK(exercise.at("as_handed_out") == false);
  CHECK(exercise.at("solved") == false);
  CHECK(exercise.at("points") == 4);
  CHECK(exercise.at("of") == 10);
  CHECK(exercise.at("messages").size() == 1);
  CHECK(exercise.at("cases") == Json::parse(R"json([
    {"name": "correct: one", "state": "passed", "points": 4, "message": ""},
    {"name": "correct: two", "state": "failed", "points": 3, "message": "got 1\n\nexpected 2"},
    {"name": "efficient: three", "state": "skipped", "points": 3, "message": "no GPU"}])json"));
}

TEST_CASE("without known points they are null, and what does not compile has no cases") {
  FakeCourse course;
  course.save("SYNTAX\n");
  const Json exercise = checked(course);
  CHECK(exercise.at("points") == nullptr);
  CHECK(exercise.at("cases").empty());
  CHECK(exercise.at("summary") == "it does not compile");
  CHECK(exercise.at("messages").at(0) ==
        "exercises/01a_residual/residual.cu:3:1: error: expected ';'");
}

TEST_CASE("what is still as handed out says so") {
  FakeCourse course;
  CHECK(checked(course).at("as_handed_out") == true);
}

TEST_CASE("a file that cannot be written is one error") {
  FakeCourse course;
  course.save("mine\n");
  const std::string file = course.write("a_file", "").string() + "/a.json";
  CHECK_THROWS_WITH_AS(check_command(course.checkout, course.list, "01a", course.screen, file),
                       ("cannot write " + file).c_str(), Failure);
}
