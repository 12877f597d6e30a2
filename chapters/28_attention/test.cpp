#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "testing/chapter_run.hpp"

using course::testing::row_of;
using course::testing::run_chapter;

namespace {

const std::vector<std::string> kernels = {"three kernels", "online", "mma.sync", "wgmma",
                                          "in flight",     "turns",  "ours"};

// On a GPU without wgmma its rungs are missing.
course::testing::ProgramRun check_run(std::vector<std::string> arguments,
                                      std::vector<std::string> expected) {
  auto run = run_chapter(CHAPTER_PROGRAM, std::move(arguments));
  CHECK(run.status == 0);
  CHECK(run.err == "");
  if (run.report["results"].size() + 3 == expected.size()) {
    expected.erase(expected.begin() + 3, expected.begin() + 6);
  }
  REQUIRE(run.report["results"].size() == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    CHECK(run.report["results"][i]["kernel"] == expected[i]);
    CHECK(run.report["results"][i]["verified"] == true);
  }
  return run;
}

}  // namespace

TEST_CASE("verifies at awkward shapes: causal or not, heads that share keys") {
  check_run({"--rows", "33", "--cols", "257"}, kernels);
  check_run({"--rows", "97", "--cols", "70", "--head-size", "64", "--heads", "4", "--kv-heads", "2",
             "--causal"},
            kernels);
}

TEST_CASE("one query: decode joins") {
  std::vector<std::string> all = kernels;
  all.push_back("decode");
  check_run({"--rows", "1", "--cols", "300", "--heads", "2"}, all);
}

// Of 128 queries and 128 keys in heads of 64: 16 KiB each of Q, K, V and O. The matrices between
// three kernels are 64 KiB of scores and 32 KiB of powers.
TEST_CASE("traffic: what the matrix between costs, and what tiles load again") {
  constexpr double matrix = 128 * 64 * 2 / 32.0, scores = 128 * 128 * 4 / 32.0;
  const auto run =
      run_chapter(CHAPTER_PROGRAM, {"--rows", "128", "--cols", "128", "--head-size", "64"});
  course::testing::needs_emulator(run);
  const double logs = 128 * 4 / 32.0;
  const auto three = row_of(run, "three kernels");
  CHECK(three["global_store_sectors"] >= matrix + scores * 3 / 2);
  const auto warps = row_of(run, "mma.sync");
  CHECK(warps["global_load_sectors"] == matrix + 2 * 2 * matrix);  // two blocks read K and V
  for (const std::string kernel : {"mma.sync", "wgmma", "in flight", "turns", "ours"}) {
    CAPTURE(kernel);
    const auto row = row_of(run, kernel);
    CHECK(row["global_store_sectors"].number() <= matrix + 8 * logs + 1);
    CHECK(row["shared_bank_conflicts"] == 0);
    if (kernel != "mma.sync") CHECK(row["global_load_sectors"] == 0);  // by maps
  }
}

TEST_CASE("a transformer's block agrees with plain loops on the CPU") {
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"--size", "1"}, {"--size", "70", "--heads", "2"}}) {
    const auto run = run_chapter(CHAPTER_PROGRAM "_more", arguments);
    CHECK(run.status == 0);
    CHECK(run.err == "");
    CHECK(row_of(run, "block")["verified"] == true);
  }
}

TEST_CASE("refuses what it cannot do, in one line and with status 2") {
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{"--cols", "0"},
                                                    {"--head-size", "96"},
                                                    {"--heads", "3", "--kv-heads", "2"},
                                                    {"--rows", "abc"}}) {
    CAPTURE(arguments[0]);
    const auto run = course::testing::run_program(CHAPTER_PROGRAM, arguments);
    CHECK(run.status == 2);
    CHECK(run.err.find('\n') == run.err.size() - 1);
  }
  for (const std::string size : {"0", "9000", "abc"}) {
    CAPTURE(size);
    const auto run = course::testing::run_program(CHAPTER_PROGRAM "_more", {"--size", size});
    CHECK(run.status == 2);
    CHECK(run.err.find('\n') == run.err.size() - 1);
  }
}
