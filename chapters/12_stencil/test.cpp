#include <doctest/doctest.h>

#include <string>

#include "testing/chapter_run.hpp"

using course::testing::row_of;
using course::testing::run_chapter;

namespace {

// 2816 points: two warps of the kernel that makes many sweeps, 11 blocks of the others.
const course::testing::ProgramRun& two_warps() {
  static const auto run = run_chapter(CHAPTER_PROGRAM, {"--size", "2816"});
  course::testing::needs_emulator(run);
  return run;
}

constexpr int warps = 2816 / 32;

}  // namespace

TEST_CASE("verifies at awkward sizes and numbers of sweeps") {
  for (const int size : {1, 2, 3, 31, 33, 127, 257, 1009, 1409}) {
    for (const int sweeps : {1, 5, 17}) {
      CAPTURE(size);
      CAPTURE(sweeps);
      const auto run = run_chapter(
          CHAPTER_PROGRAM, {"--size", std::to_string(size), "--sweeps", std::to_string(sweeps)});
      CHECK(run.status == 0);
      CHECK(run.err == "");
      REQUIRE(run.report["results"].size() == 7);
      for (const auto& row : run.report["results"]) CHECK(row["verified"] == true);
    }
  }
}

// Nine loads a warp, but for those at both ends where nobody has anything to load.
TEST_CASE("traffic: nine requests a warp, or fourteen with the weights in memory") {
  CHECK(row_of(two_warps(), "from memory")["global_load_requests"] == 9 * warps);
  CHECK(row_of(two_warps(), "weights in memory")["global_load_requests"] == 14 * warps);
}

// A tile of 264 points is 8 requests of 32 points, and one of 8.
TEST_CASE("traffic: nine requests a block with the halo in shared memory") {
  CHECK(row_of(two_warps(), "from shared")["global_load_requests"] == 9 * 11);
}

// The loads of the points before and after begin in the middle of a sector: 17 in place of 16. The
// array's first and last points have none beyond them.
TEST_CASE("traffic: by fours a warp makes three requests, for 50 sectors") {
  const auto row = row_of(two_warps(), "by fours");
  CHECK(row["global_load_requests"] == 3 * 2816 / 128);
  CHECK(row["global_load_sectors"] == 50 * 2816 / 128 - 2);
}

// A warp of 128 points is 16 sectors, and one more at either end, but for those of the array. The
// first warp past the array's end, which has no points, asks for its neighbour's all the same.
TEST_CASE("traffic: with shuffles a warp loads its points once, and two sectors more") {
  const auto row = row_of(two_warps(), "by shuffles");
  CHECK(row["global_load_sectors"] == 2816 / 8 + 2 * (2816 / 128) - 1);
}

TEST_CASE("traffic: sixteen sweeps load and store once") {
  const auto single = row_of(two_warps(), "single sweeps");
  const auto many = row_of(two_warps(), "many in one");
  CHECK(single["global_store_sectors"] == 16 * 2816 / 8);
  CHECK(many["global_store_sectors"] == 2 * (2816 / 8));  // every sector in two halves
  CHECK(6 * many["global_load_sectors"].number() < single["global_load_sectors"].number());
}

TEST_CASE("refuses what it cannot do, in one line and with status 2") {
  for (const std::string size : {"0", "-1", "abc", "99999999999999999999"}) {
    CAPTURE(size);
    const auto run = course::testing::run_program(CHAPTER_PROGRAM, {"--size", size});
    CHECK(run.status == 2);
    CHECK(run.err.find('\n') == run.err.size() - 1);
  }
  const auto run = course::testing::run_program(CHAPTER_PROGRAM, {"--sweeps", "0"});
  CHECK(run.status == 2);
}
