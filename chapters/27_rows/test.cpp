#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "testing/chapter_run.hpp"

using course::testing::row_of;
using course::testing::run_chapter;

namespace {

const std::vector<std::string> kernels = {"three passes",
                                          "online",
                                          "online, ex2",
                                          "16 bytes",
                                          "16 bytes, expf",
                                          "registers",
                                          "ours",
                                          "log-softmax",
                                          "cross-entropy",
                                          "layer norm",
                                          "RMS norm",
                                          "layer norm, residual",
                                          "RMS norm, residual",
                                          "softmax, backward",
                                          "log-softmax, backward",
                                          "layer norm, backward",
                                          "RMS norm, backward"};
const std::vector<std::string> bf16 = {}, fp32 = {"--fp32"};

}  // namespace

TEST_CASE("verifies at awkward shapes, in BF16 and FP32") {
  for (const auto& type : {bf16, fp32}) {
    for (const auto& [rows, cols] : std::vector<std::pair<int, int>>{{1, 1}, {3, 257}, {33, 64}}) {
      CAPTURE(rows);
      CAPTURE(cols);
      std::vector<std::string> arguments = {"--rows", std::to_string(rows), "--cols",
                                            std::to_string(cols)};
      arguments.insert(arguments.end(), type.begin(), type.end());
      const auto run = run_chapter(CHAPTER_PROGRAM, arguments);
      CHECK(run.status == 0);
      CHECK(run.err == "");
      REQUIRE(run.report["results"].size() == kernels.size());
      for (size_t k = 0; k < kernels.size(); ++k) {
        CHECK(run.report["results"][k]["kernel"] == kernels[k]);
        CHECK(run.report["results"][k]["verified"] == true);
      }
    }
  }
}

// Of 16 x 2,048 numbers of BF16: how often each kernel reads and writes the matrix.
TEST_CASE("traffic: three reads, two, one") {
  constexpr double sectors = 16 * 2048 * 2 / 32.0;
  const auto run = run_chapter(CHAPTER_PROGRAM, {"--rows", "16", "--cols", "2048"});
  course::testing::needs_emulator(run);
  struct Expected {
    const char* kernel;
    int reads, writes;
  };
  for (const Expected& expected :
       {Expected{"three passes", 3, 1}, Expected{"online", 2, 1}, Expected{"16 bytes", 2, 1},
        Expected{"registers", 1, 1}, Expected{"ours", 1, 1}, Expected{"log-softmax", 1, 1},
        Expected{"softmax, backward", 2, 1}}) {
    CAPTURE(expected.kernel);
    const auto row = row_of(run, expected.kernel);
    CHECK(row["global_load_sectors"] == expected.reads * sectors);
    CHECK(row["global_store_sectors"] == expected.writes * sectors);
    CHECK(row["shared_bank_conflicts"] == 0);
  }
}

TEST_CASE("refuses what it cannot do, in one line and with status 2") {
  for (const std::string size : {"0", "-1", "abc", "99999999999999999999"}) {
    CAPTURE(size);
    const auto run = course::testing::run_program(CHAPTER_PROGRAM, {"--cols", size});
    CHECK(run.status == 2);
    CHECK(run.err.find('\n') == run.err.size() - 1);
  }
}
