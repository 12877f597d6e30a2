#include "testing/sgemv_program.hpp"

using course::testing::traffic;

TEST_CASE("verifies at awkward shapes") {
  course::testing::check_awkward_shapes(CHAPTER_PROGRAM, {"shared"});
}

TEST_CASE("verifies with blocks of any size") {
  for (const int block : {1, 2, 31, 33, 100, 127, 129, 1000, 1024}) {
    CAPTURE(block);
    course::testing::check_shape(CHAPTER_PROGRAM, 257, 300, {"shared"},
                                 {"--block", std::to_string(block)});
  }
}

// A is 4 sectors per request, as before. Of x each block loads each element once: a tile of 128 is
// a request of 4 sectors for each of its 4 warps.
TEST_CASE("traffic: x once a block, and no bank conflict") {
  const int m = 512;
  const int n = 384;
  const int blocks = m / 128;
  const int tiles = n / 128;
  const auto row = traffic(CHAPTER_PROGRAM, m, n, "shared");
  CHECK(row["global_load_requests"] == (m / 32) * n + blocks * tiles * 4);
  CHECK(row["global_load_sectors"] == 4 * ((m / 32) * n + blocks * tiles * 4));
  CHECK(row["global_store_sectors"] == 4 * (m / 32));
  CHECK(row["shared_bank_conflicts"] == 0);
}

// Small blocks load the same x more often: 16 blocks of a warp, each with 4 requests per tile.
TEST_CASE("traffic: smaller blocks share less") {
  const int m = 512;
  const int n = 384;
  const auto row = traffic(CHAPTER_PROGRAM, m, n, "shared", {"--block", "32"});
  CHECK(row["global_load_requests"] == (m / 32) * n + 16 * (n / 128) * 4);
}

TEST_CASE("refuses a block that no GPU can run") {
  for (const std::string block : {"0", "1025", "x"}) {
    const auto run = course::testing::run_program(CHAPTER_PROGRAM, {"--block", block});
    CHECK(run.status == 2);
    CHECK(run.err.find("--block wants a whole number from 1 to 1024") != std::string::npos);
  }
}

TEST_CASE("refuses what it cannot do, in one line and with status 2") {
  course::testing::check_refusals(CHAPTER_PROGRAM);
}
