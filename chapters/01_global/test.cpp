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
    CHECK(run.report["results"][0]["kernel"] == "global");
    CHECK(run.report["results"][0]["verified"] == true);
  }
}

TEST_CASE("verifies random data") {
  const auto run =
      run_chapter(CHAPTER_PROGRAM, {"--rows", "300", "--cols", "500", "--data", "random"});
  CHECK(run.status == 0);
  CHECK(run.report["results"][0]["verified"] == true);
}

// A warp reads A in 32 rows, that is 32 sectors, and x in one: 33 sectors for two requests.
TEST_CASE("traffic: 33 sectors for two load requests") {
  const int m = 512;
  const int n = 384;
  const auto run =
      run_chapter(CHAPTER_PROGRAM, {"--rows", std::to_string(m), "--cols", std::to_string(n)});
  course::test::needs_emulator(run);
  const auto row = run.report["results"][0];
  CHECK(row["global_load_requests"] == 2 * (m / 32) * n);
  CHECK(row["global_load_sectors"] == 33 * (m / 32) * n);
  CHECK(row["global_store_requests"] == m / 32);
  CHECK(row["global_store_sectors"] == 4 * (m / 32));
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
