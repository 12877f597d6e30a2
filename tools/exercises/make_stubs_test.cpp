// Runs the program as CMake's test and authors do.
#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "host/exercises/fake_course.hpp"
#include "host/process.hpp"

using namespace course::tool;

namespace {

struct Stubs {
  Stubs() {
    nlohmann::json json = {{"backend", "emulator"},
                           {"compile", {"g++"}},
                           {"link", {"g++"}},
                           {"parts", nlohmann::json::array()},
                           {"exercises", {}}};
    for (const Exercise& one : course.list.exercises) {
      json["exercises"].push_back({{"id", one.id},
                                   {"name", one.name},
                                   {"title", one.title},
                                   {"kind", one.kind},
                                   {"chapter", one.chapter},
                                   {"points", one.points},
                                   {"folder", one.folder.string()},
                                   {"file", one.file},
                                   {"solution", one.solution.string()},
                                   {"target", one.target},
                                   {"objects", one.objects},
                                   {"libraries", one.libraries},
                                   {"compile", one.compile},
                                   {"cases", one.cases}});
    }
    list = course.folder.write("exercises.json", json.dump()).string();
  }

  /// Runs make_stubs; what it prints is in `text`.
  int run(std::vector<std::string> words, const std::string& pristine = "") {
    words.insert(words.begin(), MAKE_STUBS);
    text.clear();
    RunOptions run_options;
    run_options.environment = {{"COURSE_PRISTINE", pristine}};
    return run_process(
               words, [&](Stream, std::string_view line) { text += std::string(line) + '\n'; }, {},
               run_options)
        .code;
  }

  FakeCourse course;
  std::string list;
  std::string text;
};

}  // namespace

TEST_CASE("stubs are written where they differ, and then in step") {
  Stubs stubs;
  CHECK(stubs.run({"--check", stubs.list}, "1") == 0);
  CHECK(stubs.text == "");
  stubs.course.save("// head\nmine\n", 1);
  std::filesystem::remove(stubs.course.list.exercises[2].source());
  CHECK(stubs.run({"--check", stubs.list}, "1") == 1);
  const std::string bug = stubs.course.list.exercises[1].source().string();
  const std::string tile = stubs.course.list.exercises[2].source().string();
  CHECK(stubs.text == "Out of step with solutions/ (make_stubs writes them again):\n" + bug +
                          ":2: not what the model solution's marked regions make it\n" + tile +
                          " is not there\n");
  CHECK(stubs.run({stubs.list}) == 0);
  CHECK(stubs.text == bug + '\n' + tile + '\n');
  CHECK(stubs.run({"--check", stubs.list}, "1") == 0);
  CHECK(stubs.run({stubs.list}) == 0);
  CHECK(stubs.text == "");
}

TEST_CASE("a student's edits skip the comparison, unless the checkout is to be pristine") {
  Stubs stubs;
  stubs.course.save("mine\n", 0);
  for (const std::string pristine : {"", "0"}) {
    CHECK(stubs.run({"--check", stubs.list}, pristine) == 77);
    CHECK(says(stubs.text, "SKIPPED: "));
    CHECK(says(stubs.text, "residual.cu:1: "));
  }
}

TEST_CASE("malformed markers are an error with file and line, always") {
  Stubs stubs;
  const auto model = stubs.course.write("solutions/01a_residual/residual.cu", "//@stub\n");
  CHECK(stubs.run({"--check", stubs.list}) == 1);
  CHECK(stubs.text == "make_stubs: " + model.string() + ":1: this //@stub has no //@end\n");
}

TEST_CASE("a command line that cannot be obeyed has status 2") {
  Stubs stubs;
  CHECK(stubs.run({}) == 2);
  CHECK(stubs.run({"--check"}) == 2);
  CHECK(stubs.run({"--fast", stubs.list}) == 2);
  CHECK(stubs.run({"--fast"}) == 2);
}

TEST_CASE("what cannot be written is an error, in one line") {
  for (const char* const output : {">/dev/full", ">&-"}) {
    Stubs stubs;
    stubs.course.save("mine\n");
    std::string text;
    const ExitStatus status = run_process(
        {"/bin/sh", "-c", std::string("exec \"$0\" \"$1\" ") + output, MAKE_STUBS, stubs.list},
        [&](Stream, std::string_view line) { text += std::string(line) + '\n'; });
    CHECK(status.code == 1);
    CHECK(text == "make_stubs: cannot write to standard output: it is full, or closed\n");
  }
}
