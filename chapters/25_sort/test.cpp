#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "testing/chapter_run.hpp"

using course::testing::row_of;
using course::testing::run_chapter;

namespace {

const std::vector<std::string> kernels = {"warps",   "blocks",    "merged",     "passes", "in runs",
                                          "ballots", "one sweep", "predicates", "ours",   "pairs"};

// Eight runs of the networks' 2,048 keys.
constexpr int elements = 16384;
constexpr int sectors = elements / 8;
const course::testing::ProgramRun& whole_tiles() {
  static const auto run = run_chapter(CHAPTER_PROGRAM, {"--size", std::to_string(elements)});
  course::testing::needs_emulator(run);
  return run;
}

}  // namespace

TEST_CASE("verifies at awkward sizes") {
  for (const int size : {1, 33, 2049}) {
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

// A network reads once, writes once, and meets in no bank. Keys that are gathered first are stored
// in runs. Three launches read the keys twice in each of four passes; one sweep reads them once,
// and once more before all passes.
TEST_CASE("traffic: networks, runs, and one sweep") {
  for (const char* const kernel : {"warps", "blocks"}) {
    const auto row = row_of(whole_tiles(), kernel);
    CHECK(row["global_load_sectors"] == sectors);
    CHECK(row["global_store_sectors"] == sectors);
    CHECK(row["shared_bank_conflicts"] == 0);
  }
  const auto direct = row_of(whole_tiles(), "passes"), runs = row_of(whole_tiles(), "ballots");
  CHECK(runs["global_store_sectors"].number() < 0.45 * direct["global_store_sectors"].number());
  CHECK(runs["global_load_sectors"].number() >= 8 * sectors);
  const auto sweep = row_of(whole_tiles(), "one sweep");
  CHECK(sweep["global_load_sectors"].number() >= 5 * sectors);
  CHECK(sweep["global_load_sectors"].number() < 6 * sectors);
}

TEST_CASE("refuses what it cannot do, in one line and with status 2") {
  for (const std::string size : {"0", "-1", "abc", "99999999999999999999"}) {
    CAPTURE(size);
    const auto run = course::testing::run_program(CHAPTER_PROGRAM, {"--size", size});
    CHECK(run.status == 2);
    CHECK(run.err.find('\n') == run.err.size() - 1);
  }
}
