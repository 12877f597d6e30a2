#include "testing/sgemv_program.hpp"

using course::testing::traffic;

TEST_CASE("verifies at awkward shapes") {
  course::testing::check_awkward_shapes(CHAPTER_PROGRAM, {"shuffle"});
}

// A is 4 sectors per request, as before. Of x each warp loads each element once: 32 elements are
// one request of 4 sectors.
TEST_CASE("traffic: x once a warp, 32 elements a request") {
  const int m = 512;
  const int n = 384;
  const int warps = m / 32;
  const auto row = traffic(CHAPTER_PROGRAM, m, n, "shuffle");
  CHECK(row["global_load_requests"] == warps * n + warps * (n / 32));
  CHECK(row["global_load_sectors"] == 4 * (warps * n + warps * (n / 32)));
  CHECK(row["global_store_sectors"] == 4 * warps);
}

// 33 rows are two warps, and all 32 lanes of the second shuffle, but only one of them reads A. The
// block's other two warps have no row at all, and still load x.
TEST_CASE("traffic: lanes without a row load x and nothing else") {
  const int m = 33;
  const int n = 64;
  const auto row = traffic(CHAPTER_PROGRAM, m, n, "shuffle");
  CHECK(row["global_load_requests"] == 2 * n + 4 * (n / 32));
  const int full_warp = n / 8 * (4 + 7 * 5);  // columns of 33 start on a sector every 8th time
  CHECK(row["global_load_sectors"] == full_warp + n + 4 * 4 * (n / 32));
}

// The 33rd column is a tile of its own, and only one lane of a warp may load x for it.
TEST_CASE("traffic: nothing of x beyond its end") {
  const auto row = traffic(CHAPTER_PROGRAM, 128, 33, "shuffle");
  const int warps = 4;
  CHECK(row["global_load_sectors"] == warps * (33 * 4 + 4 + 1));
}

TEST_CASE("refuses what it cannot do, in one line and with status 2") {
  course::testing::check_refusals(CHAPTER_PROGRAM);
}
