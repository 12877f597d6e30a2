#include <doctest/doctest.h>

#include <string>

#include "test_support.hpp"

using course::test::run_chapter;
using course::test::run_program;

TEST_CASE("verifies at awkward sizes") {
  for (const auto& [rows, cols] : course::test::awkward_shapes()) {
    CAPTURE(rows);
    CAPTURE(cols);
    const auto run = run_chapter(CHAPTER_PROGRAM, {"--rows", std::to_string(rows), "--cols",
                                                   std::to_string(cols), "--repeat", "1"});
    CHECK(run.status == 0);
    CHECK(run.err == "");
    REQUIRE(run.report["results"].size() == 1);
    CHECK(run.report["results"][0]["kernel"] == "coalesced");
    CHECK(run.report["results"][0]["verified"] == true);
  }
}

TEST_CASE("verifies random data") {
  const auto run =
      run_chapter(CHAPTER_PROGRAM, {"--rows", "300", "--cols", "500", "--data", "random"});
  CHECK(run.status == 0);
  CHECK(run.report["results"][0]["verified"] == true);
}

// A warp reads A in 32 neighbours, that is 4 sectors, and x in one: 5 sectors for two requests.
TEST_CASE("traffic: 5 sectors for two load requests") {
  const int m = 512;
  const int n = 384;
  const auto run =
      run_chapter(CHAPTER_PROGRAM, {"--rows", std::to_string(m), "--cols", std::to_string(n)});
  course::test::needs_emulator(run);
  const auto row = run.report["results"][0];
  CHECK(row["global_load_requests"] == 2 * (m / 32) * n);
  CHECK(row["global_load_sectors"] == 5 * (m / 32) * n);
  CHECK(row["global_store_requests"] == m / 32);
  CHECK(row["global_store_sectors"] == 4 * (m / 32));
}

// When m is no multiple of 8 the columns start at any multiple of 4 bytes: 5 sectors where 4 would
// do. With m = 33 the first warp's columns start at 33 j floats, on a sector only every 8th time.
TEST_CASE("traffic: columns that start off a sector cost one more") {
  const auto run = run_chapter(CHAPTER_PROGRAM, {"--rows", "33", "--cols", "64"});
  course::test::needs_emulator(run);
  const auto row = run.report["results"][0];
  const int full_warp = 64 / 8 * (4 + 7 * 5);  // 32 lanes
  const int last_lane = 64;                    // 1 lane
  const int x = 2 * 64;                        // both warps
  CHECK(row["global_load_sectors"] == full_warp + last_lane + x);
}

TEST_CASE("refuses what it cannot do, in one line and with status 2") {
  for (const std::string size : {"0", "-1", "abc", "99999999999999999999", "1e3", ""}) {
    CAPTURE(size);
    const auto run = run_program(CHAPTER_PROGRAM, {"--rows", size});
    CHECK(run.status == 2);
    CHECK(run.out == "");
    CHECK(run.err.find('\n') == run.err.size() - 1);
  }
  const auto unknown = run_program(CHAPTER_PROGRAM, {"--fast"});
  CHECK(unknown.status == 2);
}

TEST_CASE("refuses a matrix that fits in no memory before it allocates") {
  const auto run = run_program(CHAPTER_PROGRAM, {"--size", "2000000000"});
  if (run.status == 77) std::exit(77);
  CHECK(run.status == 2);
  CHECK(run.err.find("GiB") != std::string::npos);
  CHECK(run.err.find('\n') == run.err.size() - 1);
}
