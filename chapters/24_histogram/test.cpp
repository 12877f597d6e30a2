#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "testing/chapter_run.hpp"

using course::testing::row_of;
using course::testing::run_chapter;

namespace {

const std::vector<std::string> of_bytes = {"global",   "shared",   "16 bytes", "per warp",
                                           "8 copies", "own bank", "private"};
const std::vector<std::string> of_floats = {"floats, global", "floats, shared", "floats, halves",
                                            "floats, cluster", "floats, packed"};

constexpr int elements = 32768;
const course::testing::ProgramRun& whole_blocks() {
  static const auto run = run_chapter(CHAPTER_PROGRAM, {"--size", std::to_string(elements)});
  course::testing::needs_emulator(run);
  return run;
}

}  // namespace

TEST_CASE("verifies at awkward sizes") {
  for (const int size : {1, 2, 3, 15, 16, 17, 33, 127, 257, 5003}) {
    CAPTURE(size);
    const auto run = run_chapter(CHAPTER_PROGRAM, {"--size", std::to_string(size), "--no-clocks"});
    CHECK(run.status == 0);
    CHECK(run.err == "");
    REQUIRE(run.report["results"].size() == of_bytes.size() + of_floats.size() + 2);
    for (size_t k = 0; k < run.report["results"].size(); ++k) {
      CHECK(run.report["results"][k]["verified"] == true);
    }
  }
}

TEST_CASE("verifies every input, with few bins, odd numbers of them, and many") {
  for (const std::string input : {"random", "sorted", "skewed", "equal"}) {
    for (const std::string bins : {"1", "257", "65537"}) {
      CAPTURE(input);
      CAPTURE(bins);
      const auto run = run_chapter(
          CHAPTER_PROGRAM, {"--size", "9001", "--input", input, "--bins", bins, "--no-clocks"});
      CHECK(run.status == 0);
      for (const std::string& kernel : of_bytes) CHECK(row_of(run, kernel)["verified"] == true);
      CHECK(row_of(run, "floats, global")["verified"] == true);
    }
  }
}

TEST_CASE("traffic: 16 bytes a lane load the same sectors in a sixteenth of the requests") {
  for (const std::string& kernel : of_bytes) {
    CAPTURE(kernel);
    const bool narrow = kernel == "global" || kernel == "shared";
    const auto row = row_of(whole_blocks(), kernel);
    CHECK(row["global_load_requests"] == elements / (narrow ? 32 : 512));
    CHECK(row["global_load_sectors"] == elements / 32);
  }
}

TEST_CASE("traffic: halves read the floats twice") {
  CHECK(row_of(whole_blocks(), "floats, shared")["global_load_sectors"] == elements / 8);
  CHECK(row_of(whole_blocks(), "floats, halves")["global_load_sectors"] == elements / 4);
}

TEST_CASE("refuses what it cannot do, in one line and with status 2") {
  for (const std::vector<std::string>& wrong : std::vector<std::vector<std::string>>{
           {"--size", "0"}, {"--bins", "0"}, {"--bins", "1048577"}, {"--input", "nothing"}}) {
    CAPTURE(wrong);
    const auto run = course::testing::run_program(CHAPTER_PROGRAM, wrong);
    CHECK(run.status == 2);
    CHECK(run.err.find('\n') == run.err.size() - 1);
  }
}
