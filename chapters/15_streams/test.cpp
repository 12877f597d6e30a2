#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <string>

#include "testing/chapter_run.hpp"
#include "testing/environment_variable.hpp"

using course::testing::EnvironmentVariable;
using course::testing::row_of;
using course::testing::run_chapter;

namespace {

const std::vector<std::string> ways = {
    "one after the other", "kernels in default", "depth first", "breadth first", "by kind",
    "by threads",          "as a graph"};

// When the last piece of work in a stream ends, in the emulator's steps; the first call takes one.
double steps_of(const std::string& way) {
  const course::testing::ScratchFolder scratch;
  const EnvironmentVariable timeline("EMULATOR_TIMELINE", scratch.file("timeline.json"));
  const auto run = course::testing::run_program(
      CHAPTER_PROGRAM, {"--size", "65536", "--chunks", "8", "--only", way});
  CHECK(run.status == 0);
  CHECK(run.out == "15_streams, " + way + ": verified\n");
  const auto file =
      course::testing::JsonValue::parse(course::testing::read_file(scratch.file("timeline.json")));
  double end = 0;
  for (const auto& event : file["traceEvents"]) {
    if (event["ph"] == "X" && event["pid"] == 2) {
      end = std::max(end, event["ts"].number() + event["dur"].number());
    }
  }
  return end - 1;
}

void needs_the_emulator() {
  course::testing::needs_emulator(run_chapter(CHAPTER_PROGRAM, {"--size", "1"}));
}

}  // namespace

TEST_CASE("verifies at awkward sizes, and with any number of chunks and streams") {
  for (const int size : {1, 2, 3, 31, 33, 257, 1009, 5000}) {
    for (const int chunks : {1, 5, 32}) {
      CAPTURE(size);
      CAPTURE(chunks);
      const auto run = run_chapter(CHAPTER_PROGRAM, {"--size", std::to_string(size), "--chunks",
                                                     std::to_string(chunks), "--streams", "3"});
      CHECK(run.status == 0);
      CHECK(run.err == "");
      REQUIRE(run.report["results"].size() == ways.size());
      for (const auto& row : run.report["results"]) CHECK(row["verified"] == true);
    }
  }
}

TEST_CASE("verifies in every order that CUDA allows, with nothing for the checks to find") {
  needs_the_emulator();
  for (const std::string order : {"issue", "late", "1", "2", "3", "4", "5"}) {
    CAPTURE(order);
    const EnvironmentVariable setting("EMULATOR_ORDER", order);
    const auto run = run_chapter(CHAPTER_PROGRAM, {"--size", "5000"});
    CHECK(run.status == 0);
    CHECK(run.err.find("error") == std::string::npos);
    CHECK(run.err.find("warning") == std::string::npos);
    for (const auto& row : run.report["results"]) CHECK(row["verified"] == true);
  }
}

// Nothing runs after it that would wait as well.
TEST_CASE("each way waits for its own sum") {
  needs_the_emulator();
  for (const std::string& way : ways) {
    for (const std::string order : {"late", "1", "2"}) {
      CAPTURE(way);
      CAPTURE(order);
      const EnvironmentVariable setting("EMULATOR_ORDER", order);
      const auto run =
          course::testing::run_program(CHAPTER_PROGRAM, {"--size", "5000", "--only", way});
      CHECK(run.status == 0);
      CHECK(run.err.find("error") == std::string::npos);
      CHECK(run.out == "15_streams, " + way + ": verified\n");
    }
  }
}

// 2,048 warps, each with two loads and a store of 4 sectors, in whatever stream they are.
TEST_CASE("traffic: streams change nothing") {
  const auto run = run_chapter(CHAPTER_PROGRAM, {"--size", "65536"});
  course::testing::needs_emulator(run);
  for (const std::string& way : ways) {
    CAPTURE(way);
    const auto row = row_of(run, way);
    CHECK(row["global_load_requests"] == 2 * 2048);
    CHECK(row["global_load_sectors"] == 4 * 2 * 2048);
    CHECK(row["global_store_sectors"] == 4 * 2048);
  }
}

// x, y, the kernel and z take 64 steps each; a chunk an eighth of that.
TEST_CASE("timeline: over streams it takes what comes in, and the rest of the last chunk") {
  needs_the_emulator();
  for (const std::string way : {"depth first", "breadth first", "by kind"}) {
    CAPTURE(way);
    CHECK(steps_of(way) == 2 * 64 + 2 * 8);
  }
}

// A chunk's copies in and its kernel, one chunk after the other, and the last copy out.
TEST_CASE("timeline: with kernels in the default stream only copies overlap") {
  needs_the_emulator();
  CHECK(steps_of("kernels in default") == 8 * (2 * 8 + 8) + 8);
}

TEST_CASE("timeline: one after the other takes what all take together") {
  needs_the_emulator();
  CHECK(steps_of("one after the other") >= 4 * 64);
}

TEST_CASE("pageable memory: right, and the checks say what is lost") {
  needs_the_emulator();
  const auto run = run_chapter(CHAPTER_PROGRAM, {"--size", "5000", "--pageable"});
  CHECK(run.status == 0);
  CHECK(run.err.find("warning: pageable-copy") != std::string::npos);
  for (const auto& row : run.report["results"]) CHECK(row["verified"] == true);
}

TEST_CASE("refuses what it cannot do, in one line and with status 2") {
  for (const std::string size : {"0", "-1", "abc", "99999999999999999999"}) {
    CAPTURE(size);
    const auto run = course::testing::run_program(CHAPTER_PROGRAM, {"--size", size});
    CHECK(run.status == 2);
    CHECK(run.err.find('\n') == run.err.size() - 1);
  }
  for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
           {"--chunks", "0"}, {"--streams", "0"}, {"--only", "sideways"}}) {
    CAPTURE(arguments.front());
    const auto run = course::testing::run_program(CHAPTER_PROGRAM, arguments);
    CHECK(run.status == 2);
    CHECK(run.err.find(arguments.front()) != std::string::npos);
    CHECK(run.err.find('\n') == run.err.size() - 1);
  }
}
