#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "testing/chapter_run.hpp"

using course::testing::row_of;
using course::testing::run_chapter;

namespace {

const std::vector<std::string> kernels = {"in place", "four per thread", "shared",    "shuffles",
                                          "strides",  "atomics",         "last block"};

// The report of 2^15 elements: 64 blocks of 512, or 16 of four times as many.
const course::testing::ProgramRun& whole_blocks() {
  static const auto run = run_chapter(CHAPTER_PROGRAM, {"--size", "32768"});
  course::testing::needs_emulator(run);
  return run;
}

}  // namespace

TEST_CASE("verifies at awkward sizes") {
  for (const int size : {1, 2, 3, 31, 32, 33, 127, 257, 513, 2049, 9001}) {
    CAPTURE(size);
    const auto run = run_chapter(CHAPTER_PROGRAM, {"--size", std::to_string(size)});
    CHECK(run.status == 0);
    CHECK(run.err == "");
    REQUIRE(run.report["results"].size() == kernels.size());
    for (size_t k = 0; k < kernels.size(); ++k) {
      CHECK(run.report["results"][k]["kernel"] == kernels[k]);
      CHECK(run.report["results"][k]["verified"] == true);
    }
  }
}

// x alone is 4 sectors for every 32 elements.
TEST_CASE("traffic: from shared memory on, x is read once and next to nothing is written") {
  const int x_sectors = 32768 / 8;
  for (const char* const kernel : {"shared", "shuffles", "strides", "atomics", "last block"}) {
    CAPTURE(kernel);
    const auto row = row_of(whole_blocks(), kernel);
    CHECK(row["global_load_sectors"] >= x_sectors);
    CHECK(row["global_load_sectors"].number() <= x_sectors + 8);
    CHECK(row["global_store_sectors"].number() <= 65);
  }
}

// In place a block's 16 warps write 8 + 4 + 2 + 1 times a warp's 4 sectors, then 4 (16 elements
// are 2 sectors …) and so on, and load twice that.
TEST_CASE("traffic: in place the tree is read and written in memory") {
  const auto first = row_of(whole_blocks(), "in place");
  CHECK(first["global_load_sectors"] > 2 * 32768 / 8);
  CHECK(first["global_store_sectors"] > 32768 / 8);
  const auto second = row_of(whole_blocks(), "four per thread");
  CHECK(2 * second["global_store_sectors"].number() < first["global_store_sectors"].number());
}

TEST_CASE("traffic: wide loads ask in a quarter of the requests") {
  CHECK(row_of(whole_blocks(), "shuffles")["global_load_requests"] == 32768 / 32 + 1);
  CHECK(row_of(whole_blocks(), "atomics")["global_load_requests"] == 32768 / 128);
}

TEST_CASE("refuses what it cannot do, in one line and with status 2") {
  for (const std::string size : {"0", "-1", "abc", "99999999999999999999"}) {
    CAPTURE(size);
    const auto run = course::testing::run_program(CHAPTER_PROGRAM, {"--size", size});
    CHECK(run.status == 2);
    CHECK(run.err.find('\n') == run.err.size() - 1);
  }
}
