#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "testing/chapter_run.hpp"

using course::testing::row_of;
using course::testing::run_chapter;

namespace {

const std::vector<std::string> ways = {"cuTENSOR", "direct", "matrices",       "matrices, cuBLAS",
                                       "loop",     "folded", "loop of batches"};

void check_all_verified(const course::testing::ProgramRun& run) {
  CHECK(run.status == 0);
  CHECK(run.err == "");
  for (const auto& row : run.report["results"]) CHECK(row["verified"] == true);
}

// A whole tile of 256 x 128 down and two across: 256 x 256 x 32.
constexpr int inner = 32;
constexpr int blocks = 2;
constexpr int floats_a_line = 256 + 128;  // of both tiles
constexpr int sectors_of_A = 256 * inner / 8;
constexpr int sectors_of_C = 256 * 256 / 8;
const course::testing::ProgramRun& whole_tiles() {
  static const auto run = run_chapter(CHAPTER_PROGRAM, {"--extents", "32,32,8,8,16,2"});
  course::testing::needs_emulator(run);
  return run;
}

}  // namespace

TEST_CASE("verifies at awkward extents") {
  for (const std::string extents :
       {"1,1,1,1,1,1", "2,3,5,7,1,2", "31,33,2,3,5,7", "5,4,33,31,2,3"}) {
    CAPTURE(extents);
    const auto run = run_chapter(CHAPTER_PROGRAM, {"--extents", extents});
    check_all_verified(run);
    for (const std::string& way : ways) CHECK(row_of(run, way)["verified"] == true);
  }
  for (const std::string size : {"1", "2", "3", "7"}) {
    CAPTURE(size);
    check_all_verified(run_chapter(CHAPTER_PROGRAM, {"--size", size}));
    const auto plans = run_chapter(CHAPTER_PROGRAM, {"--part", "plans", "--size", size});
    check_all_verified(plans);
    CHECK(plans.report["results"].size() == 8);
  }
}

TEST_CASE("verifies what goes element by element") {
  for (const std::string extents :
       {"1,1,1,1,1,1", "2,3,1,5,7,1", "31,33,1,3,2,1", "5,4,1,33,3,1"}) {
    CAPTURE(extents);
    const auto run = run_chapter(CHAPTER_PROGRAM, {"--part", "elementwise", "--extents", extents});
    check_all_verified(run);
    CHECK(run.report["results"].size() == 8);
  }
}

// 16 bytes per lane: 128 floats, and 16 sectors, per request.
TEST_CASE("traffic: direct reads A and B once for each tile of C across, and down") {
  const auto row = row_of(whole_tiles(), "direct");
  CHECK(row["global_load_requests"] == blocks * inner * floats_a_line / 128);
  CHECK(row["global_load_sectors"] == blocks * inner * floats_a_line / 8);
  CHECK(row["global_store_sectors"] == sectors_of_C);
}

TEST_CASE("traffic: matrices read and write all three tensors once more") {
  const auto row = row_of(whole_tiles(), "matrices");
  const auto direct = row_of(whole_tiles(), "direct");
  CHECK(row["global_load_sectors"].number() ==
        direct["global_load_sectors"].number() + 2 * sectors_of_A + sectors_of_C);
  CHECK(row["global_store_sectors"] == 2 * sectors_of_A + 2 * sectors_of_C);
}

TEST_CASE("traffic: a permutation reads once and writes once, without conflicts") {
  const auto run = run_chapter(CHAPTER_PROGRAM, {"--part", "elementwise", "--size", "24"});
  course::testing::needs_emulator(run);
  constexpr int sectors = 24 * 24 * 16 * 16 / 8;
  for (const auto& [kernel, arrays] : {std::pair{"permute", 1}, {"add", 2}, {"reduce", 1}}) {
    CAPTURE(kernel);
    const auto row = row_of(run, kernel);
    CHECK(row["global_load_sectors"] == arrays * sectors);
    CHECK(row["shared_bank_conflicts"] == 0);
  }
  CHECK(row_of(run, "permute")["global_store_sectors"] == sectors);
}

TEST_CASE("traffic: none is shown for library calls") {
  CHECK(row_of(whole_tiles(), "cuTENSOR")["global_load_requests"].is_null());
  CHECK(row_of(whole_tiles(), "loop")["global_load_requests"].is_null());
}

TEST_CASE("refuses what it cannot do, in one line and with status 2") {
  const std::vector<std::vector<std::string>> lines = {{"--size", "0"},
                                                       {"--size", "-1"},
                                                       {"--size", "abc"},
                                                       {"--size", "4097"},
                                                       {"--part", "all"},
                                                       {"--extents", "1,2,3"},
                                                       {"--extents", "1,2,3,4,5,0"},
                                                       {"--extents", "1,2,3,4,5,6,7"},
                                                       {"--extents", "1,2,3,4,5,x"}};
  for (const auto& line : lines) {
    CAPTURE(line[1]);
    const auto run = course::testing::run_program(CHAPTER_PROGRAM, line);
    CHECK(run.status == 2);
    CHECK(run.err.find('\n') == run.err.size() - 1);
  }
}
