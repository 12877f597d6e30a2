#include <doctest/doctest.h>

#include <string>

#include "testing/chapter_run.hpp"

using course::testing::row_of;
using course::testing::run_chapter;

namespace {

// 4096 elements: 128 warps, 512 sectors of x and of y.
const course::testing::ProgramRun& accesses() {
  static const auto run = run_chapter(CHAPTER_PROGRAM, {"--part", "accesses", "--size", "4096"});
  course::testing::needs_emulator(run);
  return run;
}

constexpr int warps = 4096 / 32;

}  // namespace

TEST_CASE("verifies at awkward sizes, in every part") {
  const struct {
    const char* part;
    size_t rows;
  } parts[] = {{"journeys", 12}, {"accesses", 15}, {"costs", 13}};
  for (const int size : {1, 2, 3, 31, 33, 127, 257, 1009, 1025}) {
    for (const auto& [part, rows] : parts) {
      CAPTURE(size);
      CAPTURE(part);
      const auto run =
          run_chapter(CHAPTER_PROGRAM, {"--part", part, "--size", std::to_string(size)});
      CHECK(run.status == 0);
      CHECK(run.err == "");
      REQUIRE(run.report["results"].size() == rows);
      for (const auto& row : run.report["results"]) CHECK(row["verified"] == true);
    }
  }
}

// A kernel asks for the same, wherever its data lie.
TEST_CASE("traffic: the kind of memory changes no count") {
  const auto run = run_chapter(CHAPTER_PROGRAM, {"--size", "4096"});
  course::testing::needs_emulator(run);
  for (const auto& row : run.report["results"]) {
    CHECK(row["global_load_requests"] == warps);
    CHECK(row["global_load_sectors"] == 4 * warps);
    CHECK(row["global_store_sectors"] == 4 * warps);
  }
}

// A warp's 32 floats are in five sectors in place of four, unless they begin with one.
TEST_CASE("traffic: an offset costs a sector a warp, if it is no multiple of eight") {
  for (const char* const name : {"offset 0", "offset 8"}) {
    CHECK(row_of(accesses(), name)["global_load_sectors"] == 4 * warps);
  }
  for (const char* const name : {"offset 1", "offset 4", "offset 31"}) {
    CHECK(row_of(accesses(), name)["global_load_sectors"] == 5 * warps);
  }
}

TEST_CASE("traffic: up to a stride of eight every sector of x is asked for") {
  for (const char* const name : {"stride 2", "stride 4", "stride 8"}) {
    CHECK(row_of(accesses(), name)["global_load_sectors"] == 512);
  }
  CHECK(row_of(accesses(), "stride 16")["global_load_sectors"] == 256);
  CHECK(row_of(accesses(), "stride 32")["global_load_sectors"] == 128);
  CHECK(row_of(accesses(), "stride 32")["global_load_requests"] == warps / 32);
}

// Each of a piece's eight loads touches one sector per lane.
TEST_CASE("traffic: pieces ask for each sector eight times, whatever is wished") {
  for (const char* const wish :
       {"", ", carve-out 0", ", carve-out 100", ", prefer L1", ", prefer shared"}) {
    CHECK(row_of(accesses(), std::string("pieces") + wish)["global_load_sectors"] == 8 * 512);
  }
}

TEST_CASE("refuses what it cannot do, in one line and with status 2") {
  for (const std::string size : {"0", "-1", "abc", "99999999999999999999"}) {
    CAPTURE(size);
    const auto run = course::testing::run_program(CHAPTER_PROGRAM, {"--size", size});
    CHECK(run.status == 2);
    CHECK(run.err.find('\n') == run.err.size() - 1);
  }
  const auto run = course::testing::run_program(CHAPTER_PROGRAM, {"--part", "all"});
  CHECK(run.status == 2);
  CHECK(run.err.find("journeys") != std::string::npos);
}
