#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "testing/chapter_run.hpp"

using course::testing::run_chapter;
using course::testing::run_program;

namespace {

struct Part {
  std::string name;
  size_t rows;  // of its report, on the emulator
};
const Part parts[] = {{"workflow", 6},  {"settings", 9}, {"vectors", 31}, {"matrix-vector", 14},
                      {"matrices", 11}, {"batches", 4},  {"types", 13},   {"lt", 4}};

}  // namespace

TEST_CASE("verifies at awkward sizes, in every part") {
  for (const int size : {1, 2, 3, 31, 33, 127}) {
    for (const auto& [part, rows] : parts) {
      CAPTURE(size);
      CAPTURE(part);
      const auto run =
          run_chapter(CHAPTER_PROGRAM, {"--part", part, "--size", std::to_string(size)});
      CHECK(run.status == 0);
      CHECK(run.err == "");
      CHECK(run.report["results"].size() >= rows - 2);  // an algorithm of Lt's may not be there
      for (const auto& row : run.report["results"]) CHECK(row["verified"] == true);
    }
  }
}

TEST_CASE("all parts together are the parts") {
  const auto run = run_chapter(CHAPTER_PROGRAM, {"--size", "20"});
  course::testing::needs_emulator(run);
  size_t rows = 0;
  for (const Part& part : parts) rows += part.rows;
  CHECK(run.status == 0);
  CHECK(run.report["results"].size() == rows);
}

// These lines are on the page. A GPU does not say them.
TEST_CASE("the emulator names the mistake") {
  course::testing::needs_emulator(run_chapter(CHAPTER_PROGRAM, {"--size", "1"}));
  const struct {
    const char* name;
    const char* line;
  } mistakes[] = {
      {"leading-dimension", "emulator: cublasSgemv: lda is 3, but must be at least 5\n"},
      {"short-operand",
       "emulator: cublasSgemv: x needs 5 floats, its allocation holds 3 from there: illegal "
       "address\n"},
      {"host-vector",
       "emulator: cublasSgemv: x is not in memory that the device can reach: illegal address\n"},
      {"pointer-mode",
       "emulator: cublasSscal: alpha points to device memory, the handle's mode is "
       "CUBLAS_POINTER_MODE_HOST: a GPU's host would crash\n"},
      {"host-addresses",
       "emulator: cublasSgemmBatched: Aarray is not in memory that the device can reach: illegal "
       "address\n"},
      {"row-and-column",
       "16_cublas_tour: gemv, idx2c(j, i): wrong result with exact data\n"
       "3 of 3 wrong, the first at place 0 in memory\n"}};
  for (const auto& [name, line] : mistakes) {
    CAPTURE(name);
    const auto run = run_program(CHAPTER_PROGRAM, {"--mistake", name});
    CHECK(run.status == 1);
    CHECK(run.err.starts_with(line));
  }
}

TEST_CASE("refuses what it cannot do, in one line and with status 2") {
  const std::vector<std::vector<std::string>> wrong = {
      {"--size", "0"}, {"--size", "-1"}, {"--part", "tour"}, {"--mistake", "none"}};
  for (const auto& arguments : wrong) {
    CAPTURE(arguments[1]);
    const auto run = run_program(CHAPTER_PROGRAM, arguments);
    CHECK(run.status == 2);
    CHECK(run.err.find('\n') == run.err.size() - 1);
  }
}
