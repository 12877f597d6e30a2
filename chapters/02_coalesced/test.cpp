#include "testing/sgemv_program.hpp"

using course::testing::traffic;

TEST_CASE("verifies at awkward shapes") {
  course::testing::check_awkward_shapes(CHAPTER_PROGRAM, {"coalesced"});
}

// A warp reads A in 32 neighbours, that is 4 sectors, and x in one: 5 sectors for two requests.
TEST_CASE("traffic: 5 sectors for two load requests") {
  const int m = 512;
  const int n = 384;
  const auto row = traffic(CHAPTER_PROGRAM, m, n, "coalesced");
  CHECK(row["global_load_requests"] == 2 * (m / 32) * n);
  CHECK(row["global_load_sectors"] == 5 * (m / 32) * n);
  CHECK(row["global_store_requests"] == m / 32);
  CHECK(row["global_store_sectors"] == 4 * (m / 32));
}

// When m is not a multiple of 8 the columns start at any multiple of 4 bytes: 5 sectors where 4
// would do. With m = 33 the first warp's columns start at 33 j floats, on a sector only every 8th
// time.
TEST_CASE("traffic: columns that start off a sector cost one more") {
  const auto row = traffic(CHAPTER_PROGRAM, 33, 64, "coalesced");
  const int full_warp = 64 / 8 * (4 + 7 * 5);  // 32 lanes
  const int last_lane = 64;                    // 1 lane
  const int x = 2 * 64;                        // both warps
  CHECK(row["global_load_sectors"] == full_warp + last_lane + x);
}

TEST_CASE("refuses what it cannot do, in one line and with status 2") {
  course::testing::check_refusals(CHAPTER_PROGRAM);
}
