#include "grader/grade_command.hpp"

#include <doctest/doctest.h>

#include <iterator>
#include <nlohmann/json.hpp>
#include <string>

#include "grader/report/marks.hpp"
#include "grader/small_course.hpp"
#include "host/errors.hpp"
#include "host/files.hpp"

using namespace course::tool;
using namespace course::tool::grading;
namespace fs = std::filesystem;

namespace {

struct GradeFixture {
  SmallCourse course;
  GradeOptions options;

  GradeFixture() {
    options.trust = !can_isolate();
    options.without_witness = true;  // no program here is the emulator's
    options.time_limit = 5;
    options.seed = 7;
    options.submission = (course.folder.path() / "anna").string();
    course.folder.write("anna/01a_answer/answer.cu", SmallCourse::right);
  }

  int grade() {
    return course::tool::grading::grade(course.checkout, course.list, options, course.screen);
  }

  std::string refusal() {
    try {
      grade();
    } catch (const Failure& failure) {
      return (failure.status() == status_refused ? "" : "status 1: ") + std::string(failure.what());
    }
    return "";
  }

  std::string path(const std::string& name) const { return (course.folder.path() / name).string(); }
};

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("without a witness nothing is marked, unless that is asked for") {
  GradeFixture desk;
  desk.options.without_witness = false;
  CHECK(desk.grade() == status_failed);
  CHECK(has(desk.course.out.str(), "not graded: the witness is not built"));
  CHECK(has(desk.course.out.str(), "--without-witness"));
  CHECK(has(desk.course.out.str(), "anna: ? of 20 points"));
}

TEST_CASE("a submission is marked: to the screen, as JSON and as JUnit") {
  GradeFixture desk;
  desk.options.json = desk.path("out/anna.json");
  desk.options.junit = desk.path("out/anna.xml");
  CHECK(desk.grade() == status_ok);
  CHECK(has(desk.course.out.str(), "anna: 10 of 20 points (seed 7)"));
  CHECK(has(desk.course.steps.str(), "01a_answer: compiling\n"));
  const auto marks = marks_from_json(read_file(desk.options.json).value_or(""));
  REQUIRE(marks);
  CHECK(marks->submission == "anna");
  CHECK(marks->seed == 7);
  REQUIRE(marks->exercises.size() == 2);
  CHECK(marks->exercises[0].state == "graded");
  CHECK(marks->exercises[1].state == "missing");
  CHECK(marks->exercises[1].points().of == 10);
  const auto json = nlohmann::json::parse(read_file(desk.options.json).value_or(""));
  CHECK(json.at("points") == 10);
  CHECK(json.at("exercises")[0].at("criteria").at("correct").at("of") == 8);
  CHECK(has(read_file(desk.options.junit).value_or(""), "failures=\"3\""));
}

TEST_CASE("exercises are chosen by id or chapter, and stand in the course's order, each once") {
  GradeFixture desk;
  desk.options.json = desk.path("anna.json");
  desk.options.exercises = {"01b", "1a", "01"};
  CHECK(desk.grade() == status_ok);
  const auto marks = marks_from_json(read_file(desk.options.json).value_or(""));
  REQUIRE(marks);
  REQUIRE(marks->exercises.size() == 2);
  CHECK(marks->exercises[0].id == "01a");
  desk.options.exercises = {"09z"};
  CHECK(has(desk.refusal(), "there is no exercise '09z'"));
}

TEST_CASE("the exit status says whether there are enough points") {
  GradeFixture desk;
  desk.options.min_points = 10;
  CHECK(desk.grade() == status_ok);
  desk.options.min_points = 11;
  CHECK(desk.grade() == status_failed);
}

TEST_CASE("a failure of ours has the exit status 1, and is not held against the student") {
  GradeFixture desk;
  desk.options.exercises = {"01a"};
  desk.course.checkout.cmake = desk.course.folder.script("cmake", "echo 'error: no'; exit 1");
  CHECK(desk.grade() == status_failed);
  CHECK(has(desk.course.out.str(), "not graded: its judge could not be built"));
}

TEST_CASE("what cannot be obeyed is refused") {
  GradeFixture desk;
  desk.options.submission = desk.path("nobody");
  CHECK(has(desk.refusal(), "there is no submission "));
  desk.options.submission = desk.path("anna/01a_answer/answer.cu");
  CHECK(has(desk.refusal(), "--submission wants a folder"));
  desk.options.exercises = {"01a"};
  CHECK(desk.refusal().empty());
  CHECK(has(desk.course.out.str(), "10 of 10 points"));
  desk.course.list.backend = "cuda";
  CHECK(has(desk.refusal(), "--backend emulator"));
  desk.course.list.backend = "emulator";
  desk.course.list.exercises[0].judge.clear();
  CHECK(has(desk.refusal(), "configure it again"));
}

TEST_CASE("an exercise that is not graded is left out, and refused by its name with the reason") {
  GradeFixture desk;
  desk.options.submission = desk.path("anna");
  desk.options.exercises = {"01a"};
  desk.course.list.exercises[0].not_graded = "nobody can";
  CHECK(has(desk.refusal(), "01a is not graded: nobody can"));
  desk.options.exercises.clear();
  CHECK_FALSE(has(desk.refusal(), "nobody can"));
  CHECK_FALSE(has(desk.course.out.str(), "01a"));
}

TEST_CASE("- is standard output, which then has nothing else") {
  GradeFixture desk;
  desk.options.json = "-";
  CHECK(desk.grade() == status_ok);
  CHECK(marks_from_json(desk.course.out.str()));
  CHECK(has(desk.course.err.str(), "anna: 10 of 20 points (seed 7)"));
  desk.course.out.str("");
  desk.options.json.clear();
  desk.options.junit = "-";
  CHECK(desk.grade() == status_ok);
  CHECK(desk.course.out.str().starts_with("<?xml"));
  CHECK_FALSE(fs::exists("-"));
  desk.options.json = "-";
  CHECK(desk.refusal() == "--json and --junit name the same file");
  desk.options.json = "/dev/null";
  CHECK(has(desk.refusal(), "/dev/null is a device"));
  CHECK(fs::is_character_file("/dev/null"));
}

TEST_CASE("marks of the folder where one stands go beside it") {
  GradeFixture desk;
  desk.options.submission.clear();
  desk.options.exercises = {"01a"};
  desk.course.folder.write("class/ben/answer.cu", SmallCourse::right);
  const fs::path before = fs::current_path();
  fs::current_path(desk.path("class"));
  desk.options.class_folder = ".";
  CHECK(desk.grade() == status_ok);
  CHECK(desk.grade() == status_ok);
  fs::current_path(before);
  CHECK(fs::exists(desk.path("class-marks/class.html")));
  CHECK(has(desk.course.out.str(), "\n1 submissions"));
  const auto entries = fs::directory_iterator(desk.path("class"));
  CHECK(std::distance(begin(entries), end(entries)) == 1);
  desk.options.class_folder = desk.path("class/ben/answer.cu");
  CHECK(has(desk.refusal(), "--class wants a folder"));
}

TEST_CASE("a class has one seed, which it keeps when it is taken up again") {
  GradeFixture desk;
  desk.options.submission.clear();
  desk.options.seed.reset();
  desk.options.exercises = {"01a"};
  desk.course.folder.write("class/ben/answer.cu", SmallCourse::right);
  desk.course.folder.write("class/cleo/answer.cu", "int answer(int) { return 0; }");
  desk.options.class_folder = desk.path("class/");
  CHECK(desk.grade() == status_ok);
  CHECK(has(desk.course.out.str(), "ben     10 of 10"));
  CHECK(has(desk.course.out.str(), "cleo     2 of 10"));
  CHECK(fs::exists(desk.path("class-marks/class.html")));
  const auto seed_of = [&](const std::string& name) {
    return marks_from_json(read_file(desk.path("class-marks/marks/" + name + ".json")).value_or(""))
        .value()
        .seed;
  };
  const auto seed = seed_of("ben");
  CHECK(seed_of("cleo") == seed);
  CHECK(seed < (std::uint64_t{1} << 53));
  CHECK(desk.grade() == status_ok);
  CHECK(has(desk.course.err.str(), "2 of 2 are already marked"));
  CHECK(seed_of("ben") == seed);
  desk.options.again = true;
  desk.options.out = desk.path("elsewhere");
  CHECK(desk.grade() == status_ok);
  CHECK(fs::exists(desk.path("elsewhere/class.csv")));
}

TEST_CASE("a shard wants the seed that all have, and leaves the reports to the whole class") {
  GradeFixture desk;
  desk.options.submission.clear();
  desk.options.class_folder = desk.path("class");
  desk.options.seed.reset();
  desk.options.shard = "1/2";
  desk.course.folder.write("class/ben/01a_answer/answer.cu", "int answer(int");
  desk.course.folder.write("class/cleo/01a_answer/answer.cu", "int answer(int");
  CHECK(has(desk.refusal(), "--shard wants --seed"));
  desk.options.seed = 7;
  CHECK(desk.grade() == status_ok);
  CHECK(has(desk.course.out.str(), "Shard 1/2: 1 submission marked."));
  CHECK(fs::exists(desk.path("class-marks/marks/ben.json")));
  CHECK_FALSE(fs::exists(desk.path("class-marks/marks/cleo.json")));
  CHECK_FALSE(fs::exists(desk.path("class-marks/class.html")));
  // The seed is kept: the whole class goes on with it, and so does another shard.
  desk.options.seed.reset();
  desk.options.shard = "2/2";
  CHECK(desk.grade() == status_ok);
  desk.options.shard.clear();
  CHECK(desk.grade() == status_ok);
  CHECK(has(desk.course.err.str(), "2 of 2 are already marked"));
  CHECK(fs::exists(desk.path("class-marks/class.html")));
}

TEST_CASE("a class has a roster, deadlines and marks by hand, which stay when it is graded again") {
  GradeFixture desk;
  desk.options.submission.clear();
  desk.options.exercises = {"01a"};
  desk.course.folder.write("class/ben/answer.cu", SmallCourse::right);
  desk.course.folder.write("class/cleo/answer.cu", "int answer(int) { return 0; }");
  desk.options.class_folder = desk.path("class");
  desk.options.roster = desk.course.folder.write("roster.csv", "name,id\nBen,ben\nDora,4\n");
  desk.options.deadlines = desk.course.folder.write(
      "deadlines.json", R"({"time": "file", "percent_per_day": 5, "labs": [)"
                        R"({"lab": "A", "exercises": ["01"], "deadline": "2000-01-01T00:00Z"}]})");
  const std::string by_hand = "student,exercise,points,comment\ncleo,01a,4.5,Nearly\n";
  desk.course.folder.write("class-marks/manual.csv", by_hand);
  for (const bool again : {false, true}) {
    desk.options.again = again;
    CHECK(desk.grade() == status_ok);
    const std::string table = read_file(desk.path("class-marks/class.csv")).value_or("");
    CHECK(has(table, "\nben,ben,0,10,0,10,\"01a: 10 points of the checks, "));
    CHECK(has(table, "\ncleo,,4.5,0,4.5,10,\"01a: 2 points of the checks, "));
    CHECK(has(desk.course.out.str(), "cleo   4.5 of 10"));
    CHECK(read_file(desk.path("class-marks/manual.csv")) == by_hand);
    CHECK(has(read_file(desk.path("class-marks/moodle.csv")).value_or(""), "\nben,,Ben,0,"));
    CHECK(has(read_file(desk.path("class-marks/canvas.csv")).value_or(""), "\nBen,,ben,,,0\n"));
  }
  CHECK(has(desk.course.err.str(), "course: not in roster.csv"));
  CHECK(has(desk.course.err.str(), "canvas.csv: Dora (4)"));
  // The kept marks are the checks'.
  const auto marks =
      marks_from_json(read_file(desk.path("class-marks/marks/ben.json")).value_or(""));
  CHECK(marks.value().points().points == 10);
  // Nothing is graded if a file is wrong.
  desk.course.folder.write("class-marks/manual.csv", "student\n");
  desk.course.steps.str("");
  CHECK(has(desk.refusal(), "manual.csv: the first line must name a column 'exercise'"));
  CHECK(desk.course.steps.str().empty());
}

TEST_CASE("an autograder is made of what git knows, and written to a file") {
  GradeFixture desk;
  desk.options.submission.clear();
  desk.options.gradescope = desk.path("lab.zip");
  CHECK(has(desk.refusal(), "--gradescope wants a checkout that git can read: "));
  desk.options.gradescope = "-";
  CHECK(desk.refusal() == "--gradescope wants a file, lab.zip");
  desk.options.gradescope = "/dev/null";
  CHECK(has(desk.refusal(), "/dev/null is a device"));
  CHECK_FALSE(fs::exists(desk.path("lab.zip")));
}
