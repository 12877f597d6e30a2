#include <doctest/doctest.h>

#include <string>

#include "testing/chapter_run.hpp"

using course::testing::run_chapter;
using course::testing::run_program;

TEST_CASE("verifies at awkward sizes") {
  for (const int size : {1, 2, 3, 7, 8, 9, 15, 31, 32, 33, 255, 256, 257, 1009, 65537}) {
    CAPTURE(size);
    const auto run = run_chapter(CHAPTER_PROGRAM, {"--size", std::to_string(size)});
    CHECK(run.status == 0);
    CHECK(run.err == "");
    REQUIRE(run.report["results"].size() == 6);
    for (const auto& row : run.report["results"]) CHECK(row["verified"] == true);
  }
}

// A warp of SAXPY reads 128 bytes of x and of y, 4 sectors each, and writes 4.
TEST_CASE("traffic: 12 sectors for a warp of SAXPY") {
  const auto run = run_chapter(CHAPTER_PROGRAM, {"--size", "4096"});
  course::testing::needs_emulator(run);
  const auto row = run.report["results"][0];
  CHECK(row["kernel"] == "saxpy");
  CHECK(row["global_load_requests"] == 2 * 4096 / 32);
  CHECK(row["global_load_sectors"] == 8 * 4096 / 32);
  CHECK(row["global_store_sectors"] == 4 * 4096 / 32);
}

// With float4 the same sectors come in a quarter of the requests; what is left over comes one by
// one.
TEST_CASE("traffic: SAXPY with float4") {
  const auto even = run_chapter(CHAPTER_PROGRAM, {"--size", "4096"});
  course::testing::needs_emulator(even);
  const auto row = even.report["results"][1];
  CHECK(row["kernel"] == "saxpy, float4");
  CHECK(row["global_load_requests"] == 2 * 4096 / 128);
  CHECK(row["global_load_sectors"] == 8 * 4096 / 32);
  CHECK(row["global_store_requests"] == 4096 / 128);
  const auto odd = run_chapter(CHAPTER_PROGRAM, {"--size", "4103"}).report["results"][1];
  CHECK(odd["global_load_requests"] == 2 * 4096 / 128 + 2);
  CHECK(odd["global_load_sectors"] == 8 * 4096 / 32 + 2);
}

// 4096 elements are a matrix of 64 x 64. A warp of a block 32 wide reads one piece of a row, one
// that is 8 wide pieces of 4 rows, just one sector each; one that is 1 wide 32 rows.
TEST_CASE("traffic: the shape of the block") {
  const auto run = run_chapter(CHAPTER_PROGRAM, {"--size", "4096"});
  course::testing::needs_emulator(run);
  const auto rows = run.report["results"];
  CHECK(rows[2]["kernel"] == "sum 256 x 1");
  CHECK(rows[2]["global_load_sectors"] == 2 * 4096 / 8);
  CHECK(rows[3]["kernel"] == "sum 32 x 8");
  CHECK(rows[3]["global_load_sectors"] == 2 * 4096 / 8);
  CHECK(rows[4]["kernel"] == "sum 8 x 32");
  CHECK(rows[4]["global_load_sectors"] == 2 * 4096 / 8);
  CHECK(rows[5]["kernel"] == "sum 1 x 256");
  CHECK(rows[5]["global_load_sectors"] == 2 * 4096);
}

TEST_CASE("refuses what it cannot do, in one line and with status 2") {
  for (const std::string size : {"0", "-1", "abc", "99999999999999999999"}) {
    CAPTURE(size);
    const auto run = run_program(CHAPTER_PROGRAM, {"--size", size});
    CHECK(run.status == 2);
    CHECK(run.err.find('\n') == run.err.size() - 1);
  }
}
