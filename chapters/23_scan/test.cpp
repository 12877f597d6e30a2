#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "testing/chapter_run.hpp"

using course::testing::row_of;
using course::testing::run_chapter;

namespace {

const std::vector<std::string> kernels = {"tree",
                                          "warps",
                                          "reduce first",
                                          "chained",
                                          "chained, fences",
                                          "one looks back",
                                          "warp looks back",
                                          "apart",
                                          "in groups",
                                          "ahead",
                                          "ahead, in groups",
                                          "ours",
                                          "compaction",
                                          "partition"};

// 36 small tiles, 9 large ones, 4 of those of persistent blocks.
constexpr int elements = 73728;
constexpr int sectors = elements / 8;
const course::testing::ProgramRun& whole_tiles() {
  static const auto run = run_chapter(CHAPTER_PROGRAM, {"--size", std::to_string(elements)});
  course::testing::needs_emulator(run);
  return run;
}

}  // namespace

TEST_CASE("verifies at awkward sizes") {
  for (const int size : {1, 2, 3, 31, 32, 33, 127, 257, 2047, 2049, 9001}) {
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

TEST_CASE("traffic: how often each rung reads and writes the array") {
  const auto share = [](const char* kernel, const char* what) {
    return row_of(whole_tiles(), kernel)[what].number() / sectors;
  };
  struct Passes {
    const char* kernel;
    int reads, writes;
  };
  for (const Passes& passes :
       {Passes{"tree", 3, 2}, Passes{"warps", 2, 2}, Passes{"reduce first", 2, 1},
        Passes{"chained", 1, 1}, Passes{"chained, fences", 1, 1}, Passes{"one looks back", 1, 1},
        Passes{"warp looks back", 1, 1}, Passes{"apart", 1, 1}, Passes{"in groups", 1, 1},
        Passes{"ahead", 0, 1}, Passes{"ahead, in groups", 0, 1}}) {
    CAPTURE(passes.kernel);
    // And a little for what blocks tell each other.
    CHECK(share(passes.kernel, "global_load_sectors") >= passes.reads);
    CHECK(share(passes.kernel, "global_load_sectors") < passes.reads + 0.1);
    CHECK(share(passes.kernel, "global_store_sectors") >= passes.writes);
    CHECK(share(passes.kernel, "global_store_sectors") < passes.writes + 0.02);
  }
}

TEST_CASE("traffic: only the tree has bank conflicts; a scan by shuffles has none") {
  CHECK(row_of(whole_tiles(), "tree")["shared_bank_conflicts"].number() > elements);
  for (const char* const kernel : {"warps", "reduce first", "chained", "warp looks back"}) {
    CAPTURE(kernel);
    CHECK(row_of(whole_tiles(), kernel)["shared_bank_conflicts"] == 0);
  }
}

TEST_CASE("refuses what it cannot do, in one line and with status 2") {
  for (const std::string size : {"0", "-1", "abc", "99999999999999999999"}) {
    CAPTURE(size);
    const auto run = course::testing::run_program(CHAPTER_PROGRAM, {"--size", size});
    CHECK(run.status == 2);
    CHECK(run.err.find('\n') == run.err.size() - 1);
  }
}
