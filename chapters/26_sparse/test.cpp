#include <doctest/doctest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "testing/chapter_run.hpp"

using course::testing::row_of;
using course::testing::run_chapter;

namespace {

const std::vector<std::string> kernels = {
    "to COO", "to CSR",     "widths",         "to ELL",       "to sliced ELL", "COO",
    "ELL",    "sliced ELL", "thread per row", "warp per row", "adaptive",      "merge path",
    "ours",   "4 columns",  "top down",       "bottom up",    "by turns"};

// A banded matrix: 2,048 rows of 32 elements.
const course::testing::ProgramRun& banded() {
  static const auto run = run_chapter(CHAPTER_PROGRAM, {"--size", "2048"});
  course::testing::needs_emulator(run);
  return run;
}

// A file with this text, for as long as it lives.
class TextFile {
 public:
  explicit TextFile(const std::string& text)
      : path_(std::filesystem::temp_directory_path() /
              ("26_sparse_" + std::to_string(std::hash<std::string>()(text)) + ".mtx")) {
    std::ofstream(path_) << text;
  }
  TextFile(const TextFile&) = delete;
  TextFile& operator=(const TextFile&) = delete;
  ~TextFile() { std::filesystem::remove(path_); }
  std::string name() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

std::string sample_file() {
  return (std::filesystem::path(__FILE__).parent_path() / "sample.mtx").string();
}

}  // namespace

TEST_CASE("verifies at awkward sizes") {
  for (const int size : {1, 33, 257}) {
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

TEST_CASE("verifies every kind of matrix") {
  for (const std::string kind : {"uniform", "power law", "empty rows", "half", "rectangular"}) {
    CAPTURE(kind);
    const auto run = run_chapter(CHAPTER_PROGRAM, {"--size", "300", "--kind", kind, "--mean", "9"});
    CHECK(run.status == 0);
    for (const std::string kernel : {"COO", "sliced ELL", "merge path", "ours"}) {
      CHECK(row_of(run, kernel)["verified"] == true);
    }
  }
}

// The rows of a warp lie 32 elements apart: each lane has a sector of its own. With ELL, and with a
// warp per row, lanes share them.
TEST_CASE("traffic: neighbours read neighbours") {
  constexpr double elements = 2048 * 32, sectors = 2 * elements / 8;  // of columns and values
  CHECK(row_of(banded(), "thread per row")["global_load_sectors"].number() > 4 * sectors);
  for (const char* const kernel : {"ELL", "sliced ELL", "warp per row", "ours"}) {
    CAPTURE(kernel);
    CHECK(row_of(banded(), kernel)["global_load_sectors"].number() < 2.2 * sectors);
  }
  // Four elements per load and lane, of columns and of values; x is read by single elements.
  CHECK(row_of(banded(), "ours")["global_load_requests"].number() <
        row_of(banded(), "warp per row")["global_load_requests"].number());
}

TEST_CASE("reads a Matrix Market file") {
  const auto sample = run_chapter(CHAPTER_PROGRAM, {"--matrix", sample_file()});
  CHECK(sample.status == 0);
  CHECK(sample.report["rows"] == 48);
  CHECK(row_of(sample, "ours")["verified"] == true);
  CHECK(row_of(sample, "by turns")["verified"] == true);
  const TextFile pattern(
      "%%MatrixMarket matrix coordinate pattern general\n% no values\n2 3 2\n\n2 3\n1 1\n");
  const auto run = run_chapter(CHAPTER_PROGRAM, {"--matrix", pattern.name()});
  CHECK(run.status == 0);
  CHECK(row_of(run, "ours")["verified"] == true);
}

TEST_CASE("says in one line what is wrong with a file") {
  const std::string good = "%%MatrixMarket matrix coordinate real general\n";
  const std::vector<std::pair<std::string, std::string>> wrong = {
      {"", "line 1: does not begin with %%MatrixMarket"},
      {"1 1 1\n1 1 1\n", "line 1: does not begin"},
      {"%%MatrixMarket matrix array real general\n1 1\n1\n", "want 'matrix coordinate'"},
      {"%%MatrixMarket matrix coordinate complex general\n1 1 0\n", "want elements that are real"},
      {"%%MatrixMarket matrix coordinate real hermitian\n1 1 0\n", "want a matrix that is general"},
      {"%%MatrixMarket matrix coordinate real general more\n1 1 0\n", "more words"},
      {good + "% nothing\n", "has no line with its size"},
      {good + "2 x 1\n1 1 1\n", "line 2: want a whole number for columns"},
      {good + "0 1 1\n", "line 2: rows must be from 1"},
      {good + "2 2 1 1\n", "line 2: more than belongs"},
      {good + "2 2 1\n3 1 1\n", "line 3: a row must be from 1 to 2"},
      {good + "2 2 1\n1 0 1\n", "line 3: a column must be from 1 to 2"},
      {good + "2 2 1\n1 1\n", "line 3: want a number"},
      {good + "2 2 1\n1 1 nan\n", "line 3: the element is not a finite number"},
      {good + "2 2 1\n1 1 1 1\n", "line 3: more than belongs"},
      {good + "2 2 2\n1 1 1\n", "ends after 1 of 2"},
      {good + "2 2 1\n1 1 1\n2 2 1\n", "line 4: more than the 1 announced"},
      {good + "2 2 2\n1 1 1\n1 1 2\n", "line 4: the same element as in line 3"},
      {"%%MatrixMarket matrix coordinate real symmetric\n2 3 1\n1 1 1\n", "must be square"},
      {"%%MatrixMarket matrix coordinate real symmetric\n2 2 1\n1 2 1\n",
       "line 3: an element above"},
      {"%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n1 1 1\n", "has no diagonal"},
  };
  for (const auto& [text, why] : wrong) {
    CAPTURE(text);
    const TextFile file(text);
    const auto run = course::testing::run_program(CHAPTER_PROGRAM, {"--matrix", file.name()});
    CHECK(run.status == 2);
    CHECK(run.err.find(why) != std::string::npos);
    CHECK(run.err.find('\n') == run.err.size() - 1);
  }
}

TEST_CASE("refuses what it cannot do, in one line and with status 2") {
  for (const std::vector<std::string>& wrong :
       std::vector<std::vector<std::string>>{{"--size", "0"},
                                             {"--mean", "0"},
                                             {"--kind", "dense"},
                                             {"--matrix", "/nowhere.mtx"},
                                             {"--size", "2000000000"}}) {
    CAPTURE(wrong);
    const auto run = course::testing::run_program(CHAPTER_PROGRAM, wrong);
    CHECK(run.status == 2);
    CHECK(run.err.find('\n') == run.err.size() - 1);
  }
}
