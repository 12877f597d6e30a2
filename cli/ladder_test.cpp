#include "ladder.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "console/table.hpp"

using namespace course::tool;

namespace {

Result counted(const std::string& kernel, double requests, double sectors) {
  Result result;
  result.kernel = kernel;
  result.verified = true;
  result.operations = 100;
  result.load_requests = requests;
  result.load_sectors = sectors;
  result.store_sectors = 64;
  result.bank_conflicts = 0;
  result.wall_ms = 1234.5;
  return result;
}

Result timed(const std::string& kernel, double ms) {
  Result result;
  result.kernel = kernel;
  result.verified = true;
  result.operations = 100;
  result.median_ms = ms;
  result.p10_ms = ms * 0.99;
  result.p90_ms = ms * 1.02;
  result.gb_per_s = 1000 / ms;
  result.percent_of_ceiling = 25;
  return result;
}

TourStop stop(const std::string& number, bool ladder, const std::string& backend,
              std::vector<Result> results, double rows = 2048, double cols = 2048) {
  TourStop made;
  made.chapter = {number, number + "_name", "Title", "", "", ladder, "", "", ""};
  Report report;
  report.backend = backend;
  report.device = backend == "cuda" ? "NVIDIA H200" : "emulator";
  report.rows = rows;
  report.cols = cols;
  if (backend == "cuda") {
    report.ceiling = "read";
    report.ceiling_gb_per_s = 4503.1;
  }
  report.results = std::move(results);
  made.report = report;
  return made;
}

/// The cells of the first row whose kernel has this name.
std::vector<std::string> row(const std::string& text, const std::string& kernel) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::vector<std::string> cells;
    for (std::string word; words >> word;) cells.push_back(word);
    if (cells.size() > 2 && cells[1] == kernel) return cells;
  }
  return {};
}

bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

using Cells = std::vector<std::string>;

}  // namespace

TEST_CASE("on the emulator the ladder shows traffic, and a rung next to the one before") {
  const std::string text =
      ladder_text({stop("00", false, "emulator", {counted("saxpy", 10, 40)}, 1048576, 1),
                   stop("01", true, "emulator", {counted("global", 2000, 33000)}),
                   stop("02", true, "emulator", {counted("coalesced", 2000, 5000)})});
  CHECK(row(text, "saxpy") ==
        Cells{"00", "saxpy", "yes", "10", "40", "4.00", "64", "0", "1.234", "-"});
  CHECK(row(text, "global") ==
        Cells{"01", "global", "yes", "2000", "33000", "16.50", "64", "0", "1.234", "-"});
  CHECK(row(text, "coalesced") ==
        Cells{"02", "coalesced", "yes", "2000", "5000", "2.50", "64", "0", "1.234", "0.152"});
  CHECK(text.starts_with("The ladder on the emulator, 1048576 (00); 2048 x 2048 (01, 02)\n"));
  CHECK(text.find("says nothing about a GPU") != std::string::npos);
}

TEST_CASE("the previous rung did the same work on the same shape, and did it right") {
  Result wrong = counted("wrong", 10, 999);
  wrong.verified = false;
  Result other_work = counted("other_work", 10, 500);
  other_work.operations = 50;
  const std::string text =
      ladder_text({stop("00", false, "emulator", {counted("sum", 10, 10)}),
                   stop("01", true, "emulator", {counted("first", 10, 100), wrong}),
                   stop("02", true, "emulator", {counted("elsewhere", 10, 7)}, 2048, 1024),
                   stop("02", true, "emulator", {counted("nowhere", 10, 7)}, 1024, 2048),
                   stop("03", true, "emulator", {other_work, counted("last", 10, 150)})});
  CHECK(row(text, "first").back() == "-");
  CHECK(row(text, "elsewhere").back() == "-");
  CHECK(row(text, "nowhere").back() == "-");
  CHECK(row(text, "other_work").back() == "-");
  CHECK(row(text, "last").back() == "1.500");
  CHECK(row(text, "wrong") == Cells{"01", "wrong", "NO", "-", "-", "-", "-", "-", "-", "-"});
}

TEST_CASE("a chapter beside the ladder shows its best kernel, and what failed") {
  Result wrong = counted("wrong", 10, 999);
  wrong.verified = false;
  TourStop sums =
      stop("10", false, "emulator", {counted("slow", 9, 9), wrong, counted("best", 1, 4)});
  sums.chapter.best_kernel = "best";
  const std::string text =
      ladder_text({stop("01", true, "emulator", {counted("a", 10, 100)}), sums});
  CHECK(row(text, "slow").empty());
  CHECK(row(text, "wrong")[2] == "NO");
  CHECK(row(text, "best").back() == "-");
  CHECK_FALSE(row(text, "a").empty());
}

TEST_CASE("what does not exist is a dash") {
  Result library;
  library.kernel = "cuBLAS";
  library.verified = true;
  library.wall_ms = 2;
  CHECK(row(ladder_text({stop("07", true, "emulator", {library})}), "cuBLAS") ==
        Cells{"07", "cuBLAS", "yes", "-", "-", "-", "-", "-", "0.002", "-"});
  CHECK(row(ladder_text({stop("01", true, "emulator", {counted("none", 0, 0)})}), "none")[5] ==
        "-");
}

TEST_CASE("on a GPU the ladder shows times, the named ceiling and two ratios") {
  const std::string text = ladder_text(
      {stop("01", true, "cuda", {timed("global", 2.0)}),
       stop("02", true, "cuda", {timed("coalesced", 1.0)}),
       stop("07", true, "cuda",
            {timed("cuBLAS_row", 0.5), timed("cuBLAS_column", 0.25), timed("cuBLAS_slow", 1)}),
       stop("08", true, "cuda", {timed("after", 0.5)})});
  CHECK(row(text, "global") == Cells{"01", "global", "yes", "2.0000", "1.9800", "..", "2.0400",
                                     "500.0", "25.0", "read", "-", "0.12"});
  CHECK(row(text, "coalesced") == Cells{"02", "coalesced", "yes", "1.0000", "0.9900", "..",
                                        "1.0200", "1000.0", "25.0", "read", "2.00", "0.25"});
  CHECK(row(text, "cuBLAS_row").back() == "0.50");
  CHECK(row(text, "cuBLAS_column").back() == "1.00");
  CHECK(row(text, "cuBLAS_slow").back() == "0.25");
  const Cells after = row(text, "after");
  CHECK(after[after.size() - 2] == "2.00");  // than coalesced: a library is not a rung
  CHECK(text.starts_with("The ladder on NVIDIA H200, 2048 x 2048 (01, 02, 07, 08)\n"));
  CHECK(text.find(": read 4503 GB/s (01), read 4503 GB/s (02), read 4503 GB/s (07), read 4503 GB/s "
                  "(08).\n") != std::string::npos);
}

TEST_CASE("without cuBLAS its column is dashes") {
  const std::string text = ladder_text({stop("01", true, "cuda", {timed("global", 2.0)})});
  CHECK(row(text, "global").back() == "-");
}

TEST_CASE("chapters that failed or were skipped stand in the table, with the reason below") {
  TourStop failed;
  failed.chapter = {"03", "03_constant", "T", "", "", true, "", "", ""};
  failed.outcome = Outcome::failed;
  failed.reason = "it does not compile";
  TourStop skipped;
  skipped.chapter = {"12", "12_tensor_cores", "T", "", "", true, "", "", ""};
  skipped.outcome = Outcome::skipped;
  skipped.reason = "no tensor cores here";
  const std::string text =
      ladder_text({stop("01", true, "emulator", {counted("global", 1, 1)}), failed, skipped});
  CHECK(row(text, "constant") ==
        Cells{"03", "constant", "FAILED", "-", "-", "-", "-", "-", "-", "-"});
  CHECK(row(text, "tensor_cores")[2] == "SKIPPED");
  CHECK(
      text.ends_with("\n\nSKIPPED 12_tensor_cores: no tensor cores here\nFAILED  03_constant: it "
                     "does not compile\n"));
  // Nothing to show: the reasons alone.
  CHECK(ladder_text({failed}) == "FAILED  03_constant: it does not compile\n");
}

TEST_CASE("the tables fit any terminal, with long names and large numbers too") {
  Result large = counted("a_very_long_kernel_name_indeed", 16777216, 276824064);
  large.store_sectors = 276824064;
  large.bank_conflicts = 276824064;
  large.wall_ms = 1234567;
  const Result slow = timed("a_very_long_kernel_name_indeed", 12345.6789);
  const std::vector<TourStop> emulated{stop("01", true, "emulator", {large, large})};
  const std::vector<TourStop> measured{stop("01", true, "cuda", {slow, slow})};
  for (const std::size_t width : {80U, 100U, 120U}) {
    for (const std::string& text : {ladder_text(emulated, width), ladder_text(measured, width)}) {
      CAPTURE(text);
      CHECK(says(text, "a_very_long_kernel_name_indeed"));
      std::istringstream lines(text);
      for (std::string line; std::getline(lines, line);) {
        CHECK(course::display_width(line) <= width);
      }
    }
  }
  CHECK(
      says(ladder_text(emulated, 100), "(not shown in 100 columns: store sectors, emulator s)\n"));
  CHECK_FALSE(says(ladder_text(emulated, 120), "not shown"));
  CHECK(says(ladder_text(emulated), "1234.567"));
}
