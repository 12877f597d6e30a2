#include "host/progress.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <sstream>

using namespace course::tool;
using std::chrono::milliseconds;
using std::chrono::seconds;

TEST_CASE("steps of ninja and of make are told from other lines") {
  const auto ninja = parse_build_step("[3/12] Building CXX object a.o");
  REQUIRE(ninja.has_value());
  CHECK(ninja->reached == "3/12");
  CHECK(ninja->what == "Building CXX object a.o");
  const auto make = parse_build_step("[ 25%] Building CXX object a.o");
  REQUIRE(make.has_value());
  CHECK(make->reached == "25%");
  for (const char* other : {"", "[", "[]", "[/]", "[12] note", "[-Werror=shadow]", "[1/x]",
                            "a [1/2]", "x1/2]", "ninja: no work to do.", "-- Configuring done"}) {
    CAPTURE(other);
    CHECK_FALSE(parse_build_step(other).has_value());
  }
}

TEST_CASE("a step in words; and of several at work, the one that is longest at it") {
  const auto words = [](const char* line) { return step_text(*parse_build_step(line)); };
  CHECK(words("[1/3] Building CXX object cli/CMakeFiles/course_tool.dir/exercises/check.cpp.o") ==
        "compiling cli/exercises/check.cpp");
  CHECK(words("[1/3] Linking CXX executable bin/course") == "linking bin/course");
  CHECK(words("[1/3] Generating a.txt") == "Generating a.txt");
  RunningSteps steps;
  for (const char* line : {"[0/3] Generating a", "[0/3] Generating b", "[1/3] Generating b"}) {
    steps.add(*parse_build_step(line));
  }
  CHECK(steps.text() == "Generating a");
  steps.add(*parse_build_step("[2/3] Generating a"));
  CHECK(steps.text() == "Generating a");
  steps.add(*parse_build_step("[2/3] Generating c"));
  CHECK(steps.text() == "Generating c");
}

TEST_CASE("durations read as a person would write them") {
  CHECK(duration_text(milliseconds(999)) == "0 s");
  CHECK(duration_text(milliseconds(59999)) == "59 s");
  CHECK(duration_text(seconds(65)) == "1 min 05 s");
}

TEST_CASE("on a terminal the step changes in place and goes away") {
  std::ostringstream out;
  Progress progress(out, true, 20);
  progress.begin("building x");
  CHECK(out.str().empty());
  progress.update("[1/2]");
  progress.update("[1/2]");
  CHECK(out.str() == "\r\033[Kbuilding x [1/2]");
  progress.update("[2/2] and more than fits");
  CHECK(out.str() == "\r\033[Kbuilding x [1/2]\r\033[Kbuilding x [2/2] an");
  progress.done();
  CHECK(out.str().ends_with("\r\033[K"));
}

TEST_CASE("elsewhere a step is one line, and another every ten seconds") {
  std::ostringstream out;
  Progress progress(out, false);
  const auto start = Progress::Clock::now();
  progress.begin("building x");
  CHECK(out.str().empty());
  progress.update("[1/9]", start);
  progress.update("[2/9]", start + seconds(9));
  CHECK(out.str() == "building x\n");
  progress.update("[3/9]", start + seconds(10));
  progress.update("[4/9]", start + seconds(19));
  CHECK(out.str() == "building x\nbuilding x [3/9]\n");
  progress.done();
  progress.update("[5/9]", start + seconds(60));
  CHECK(out.str() == "building x\nbuilding x [3/9]\n");
}
