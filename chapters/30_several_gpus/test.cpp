#include <doctest/doctest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "testing/chapter_run.hpp"
#include "testing/environment_variable.hpp"

using course::testing::EnvironmentVariable;
using course::testing::row_of;
using course::testing::run_chapter;

namespace {

// On a GPU there are as many as there are.
course::testing::ProgramRun run_with(int devices, const std::vector<std::string>& arguments) {
  const EnvironmentVariable count("EMULATOR_DEVICES", std::to_string(devices));
  return run_chapter(CHAPTER_PROGRAM, arguments);
}

}  // namespace

TEST_CASE("verifies with one device and with several, at awkward sizes") {
  for (const auto& [devices, size] :
       std::vector<std::pair<int, int>>{{1, 1}, {1, 257}, {2, 1}, {2, 33}, {2, 257}, {3, 20}}) {
    CAPTURE(devices);
    CAPTURE(size);
    const auto run = run_with(devices, {"--size", std::to_string(size), "--product", "7"});
    CHECK(run.status == 0);
    for (const char* const kernel : {"words", "one-shot", "two-shot", "ring"}) {
      CHECK(row_of(run, kernel)["verified"] == true);
    }
  }
}

TEST_CASE("each part alone, and with one device a line that says how to get two") {
  for (const std::string part : {"hops", "reduce", "rows", "stencil", "overlap"}) {
    CAPTURE(part);
    CHECK(run_with(2, {"--only", part, "--size", "100", "--product", "9"}).status == 0);
  }
  const auto alone = run_with(1, {"--only", "hops", "--size", "100"});
  course::testing::needs_emulator(alone);
  CHECK(alone.out.find("EMULATOR_DEVICES=2") != std::string::npos);
}

// Of 4,096 floats, in sectors of 8, what both devices store. Loads cannot be counted beforehand:
// each look at a flag is one.
TEST_CASE("traffic: sums are stored once on each device, and words take twice their bytes") {
  const auto run = run_with(2, {"--only", "reduce", "--size", "4096"});
  course::testing::needs_emulator(run);
  constexpr double array = 4096 / 8.0;
  const auto stored = [&](const char* kernel) {
    return row_of(run, kernel)["global_store_sectors"].number();
  };
  constexpr double flags = 100;  // at most, and the numbers of rounds
  CHECK(stored("one-shot") >= 2 * array);
  CHECK(stored("one-shot") <= 2 * array + flags);
  CHECK(stored("two-shot") >= 2 * array);
  CHECK(stored("two-shot") <= 2 * array + flags);
  CHECK(stored("words") >= 2 * (array + 2 * array));
  CHECK(stored("words") <= 2 * (array + 2 * array) + flags);
}

TEST_CASE("refuses what it cannot do, in one line and with status 2") {
  const EnvironmentVariable count("EMULATOR_DEVICES", "2");
  using course::testing::check_refused;
  check_refused(CHAPTER_PROGRAM, {"--devices", "8"}, "--devices: there are 2");
  check_refused(CHAPTER_PROGRAM, {"--devices", "9"}, "--devices");
  check_refused(CHAPTER_PROGRAM, {"--product", "1"}, "--product: at least as many rows");
  check_refused(CHAPTER_PROGRAM, {"--only", "all"}, "--only");
  check_refused(CHAPTER_PROGRAM, {"--size", "0"}, "--size");
}
