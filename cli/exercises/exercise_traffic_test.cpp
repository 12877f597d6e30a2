#include "exercises/exercise_traffic.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "host/errors.hpp"
#include "host/exercises/fake_course.hpp"
#include "host/process.hpp"

using namespace course::tool;
using Words = std::vector<std::string>;

namespace {

/// A course whose linker makes programs that write a report, and a python3 that shows it.
struct Stage {
  explicit Stage(const std::string& ending = "exit 0") {
    course.list.link = {course.folder.script(
        "link",
        "printf '%s\\n' '#!/bin/sh' 'echo \"$(pwd): $*\" >\"${EMULATOR_REPORT:-/dev/stdout}\"' "
        "'echo \"traffic: $EMULATOR_TRAFFIC\"' '" +
            ending + "' >\"$4\"; chmod +x \"$4\"")};
    course.folder.script("bin/python3",
                         "[ \"$1\" = -c ] || { read -r text <\"$3\"; echo \"$text\"; }");
    const char* const old = std::getenv("PATH");
    old_path = old == nullptr ? "" : old;
    setenv("PATH", ((course.folder.path() / "bin").string() + ':' + old_path).c_str(), 1);
  }
  ~Stage() { setenv("PATH", old_path.c_str(), 1); }
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;

  int picture(const Words& check_options = {}) {
    return exercise_picture(course.checkout, course.list, course.list.exercises[0], {},
                            check_options, course.screen);
  }

  FakeCourse course;
  std::string old_path;
};

}  // namespace

TEST_CASE("a picture is drawn from the efficient cases, in one process, in the checkout") {
  Stage stage;
  const std::string where = stage.course.checkout.source_dir.string();
  CHECK(stage.picture() == status_ok);
  CHECK(stage.course.shown() == where + ": --in-process --test-case=efficient: three\n");
  stage.course.list.exercises[0].cases = {"correct: one", "efficient: a", "efficient: b"};
  CHECK(stage.picture({"--more"}) == status_ok);
  CHECK(stage.course.shown() ==
        where + ": --in-process --test-case=efficient: a,efficient: b --more\n");
  stage.course.list.exercises[0].cases = {"correct: one"};
  CHECK(stage.picture() == status_ok);
  CHECK(stage.course.shown() == where + ": --in-process\n");
}

TEST_CASE("a check that fails is drawn all the same, one that crashes is not") {
  Stage failing("exit 1");
  CHECK(failing.picture() == status_ok);
  CHECK(says(failing.course.shown(), "--in-process"));
  Stage crashing("kill -9 $$");
  CHECK_THROWS_AS(crashing.picture(), Failure);
}

TEST_CASE("what cannot be made cannot be drawn") {
  Stage stage;
  stage.course.save("SYNTAX\n");
  CHECK_THROWS_WITH_AS(stage.picture(), "01a cannot be run", Failure);
  CHECK(says(stage.course.complained(), "residual.cu:3:1: error"));
  stage.course.save("");
  CHECK_THROWS_AS(stage.picture(), Failure);
}
