#include "ladder_test.hpp"

using course::test::traffic;

TEST_CASE("verifies at awkward shapes") {
  course::test::check_awkward_shapes(CHAPTER_PROGRAM, {"unroll", "rows", "float4"});
}

TEST_CASE("verifies when x needs several batches") {
  for (const int rows : {3, 4, 130, 132}) {
    course::test::check_shape(CHAPTER_PROGRAM, rows, 40000, {"unroll", "rows", "float4"});
  }
}

// Unrolling changes what is under way at one time, not what is asked for.
TEST_CASE("traffic: as in chapter 03, and a quarter of the requests with float4") {
  const int m = 512;
  const int n = 384;
  for (const std::string kernel : {"unroll", "rows"}) {
    CAPTURE(kernel);
    const auto row = traffic(CHAPTER_PROGRAM, m, n, kernel);
    CHECK(row["global_load_requests"] == (m / 32) * n);
    CHECK(row["global_load_sectors"] == 4 * (m / 32) * n);
    CHECK(row["global_store_requests"] == m / 32);
    CHECK(row["global_store_sectors"] == 4 * (m / 32));
  }
  const auto row = traffic(CHAPTER_PROGRAM, m, n, "float4");
  CHECK(row["global_load_requests"] == (m / 128) * n);
  CHECK(row["global_load_sectors"] == 16 * (m / 128) * n);
  CHECK(row["global_store_requests"] == m / 128);
  CHECK(row["global_store_sectors"] == 16 * (m / 128));
}

TEST_CASE("says so when float4 cannot run") {
  const auto odd = course::test::run_chapter(CHAPTER_PROGRAM, {"--rows", "33", "--cols", "31"});
  CHECK(odd.out.find("float4: 33 rows are no multiple of 4") != std::string::npos);
  const auto even = course::test::run_chapter(CHAPTER_PROGRAM, {"--rows", "36", "--cols", "31"});
  CHECK(even.out.find("no multiple") == std::string::npos);
}

TEST_CASE("refuses what it cannot do, in one line and with status 2") {
  course::test::check_refusals(CHAPTER_PROGRAM);
}
