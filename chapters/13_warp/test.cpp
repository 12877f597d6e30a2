#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "testing/chapter_run.hpp"

using course::testing::row_of;
using course::testing::run_chapter;

namespace {

const std::vector<std::string> kernels = {
    "in shared",   "two stages",      "one warp",           "by instruction",  "by fours",
    "whole array", "append by lanes", "append by compiler", "append by warps", "append by blocks"};

// 32 chunks of 1024 elements, 8 of those that the scan of the whole array has.
constexpr int elements = 32768;
constexpr int sectors = elements / 8;
const course::testing::ProgramRun& whole_chunks() {
  static const auto run = run_chapter(CHAPTER_PROGRAM, {"--size", std::to_string(elements)});
  course::testing::needs_emulator(run);
  return run;
}

}  // namespace

TEST_CASE("verifies at awkward sizes") {
  for (const int size : {1, 2, 3, 31, 32, 33, 127, 257, 1023, 1025, 4099, 9001}) {
    CAPTURE(size);
    const auto run = run_chapter(CHAPTER_PROGRAM, {"--size", std::to_string(size), "--no-clocks"});
    CHECK(run.status == 0);
    CHECK(run.err == "");
    REQUIRE(run.report["results"].size() == kernels.size());
    for (size_t k = 0; k < kernels.size(); ++k) {
      CHECK(run.report["results"][k]["kernel"] == kernels[k]);
      CHECK(run.report["results"][k]["verified"] == true);
    }
  }
}

TEST_CASE("traffic: a scan of chunks reads once and writes once") {
  for (const char* const kernel :
       {"in shared", "two stages", "one warp", "by instruction", "by fours"}) {
    CAPTURE(kernel);
    const auto row = row_of(whole_chunks(), kernel);
    CHECK(row["global_load_sectors"] == sectors);
    CHECK(row["global_store_sectors"] == sectors);
    CHECK(row["shared_bank_conflicts"] == 0);
  }
}

TEST_CASE("traffic: 16 bytes a lane ask in a quarter of the requests") {
  CHECK(row_of(whole_chunks(), "two stages")["global_load_requests"] == elements / 32);
  CHECK(row_of(whole_chunks(), "by fours")["global_load_requests"] == elements / 128);
  CHECK(row_of(whole_chunks(), "append by warps")["global_load_requests"] == elements / 32);
  CHECK(row_of(whole_chunks(), "append by blocks")["global_load_requests"] == elements / 128);
}

// The sums of 8 chunks are one sector: read by one launch, and by each of 8 blocks of the next.
TEST_CASE("traffic: a scan of the whole array reads twice") {
  const auto row = row_of(whole_chunks(), "whole array");
  CHECK(row["global_load_sectors"] == 2 * sectors + 1 + 8);
  CHECK(row["global_store_sectors"] == sectors + 8 + 1);
}

TEST_CASE("traffic: a block that gathers before it writes fills its sectors") {
  const auto blocks = row_of(whole_chunks(), "append by blocks");
  const auto warps = row_of(whole_chunks(), "append by warps");
  CHECK(blocks["global_store_sectors"].number() < 1.15 * sectors / 2);
  CHECK(warps["global_store_sectors"].number() > 1.25 * sectors / 2);
}

TEST_CASE("refuses what it cannot do, in one line and with status 2") {
  for (const std::string size : {"0", "-1", "abc", "99999999999999999999"}) {
    CAPTURE(size);
    const auto run = course::testing::run_program(CHAPTER_PROGRAM, {"--size", size});
    CHECK(run.status == 2);
    CHECK(run.err.find('\n') == run.err.size() - 1);
  }
}
