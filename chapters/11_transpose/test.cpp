#include <doctest/doctest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "testing/chapter_run.hpp"

using course::testing::JsonValue;
using course::testing::row_of;
using course::testing::run_chapter;

namespace {

const std::vector<std::string> kernels = {"copy",     "by rows",  "by columns", "tile",
                                          "padded",   "two each", "four each",  "swizzled",
                                          "16 bytes", "any shape"};

course::testing::ProgramRun run_at(int rows, int cols, bool banks = false) {
  std::vector<std::string> arguments = {"--rows", std::to_string(rows), "--cols",
                                        std::to_string(cols)};
  if (banks) arguments.push_back("--banks");
  return run_chapter(CHAPTER_PROGRAM, arguments);
}

// 256 x 128: whole tiles of all kernels but the last.
const course::testing::ProgramRun& whole_tiles() {
  static const auto run = run_at(256, 128);
  course::testing::needs_emulator(run);
  return run;
}
constexpr int elements = 256 * 128;
constexpr int sectors = elements / 8;
constexpr int warps = elements / 32;

// What each launch of the program asked for, loads and stores apart: from the emulator's own
// report.
JsonValue launches() {
  const course::testing::ScratchFolder scratch;
  const std::string file = scratch.file("report.json");
  setenv("EMULATOR_REPORT", file.c_str(), 1);
  const auto run = run_at(72, 136, true);
  unsetenv("EMULATOR_REPORT");
  course::testing::needs_emulator(run);
  CHECK(run.status == 0);
  return JsonValue::parse(course::testing::read_file(file))["kernels"];
}

// What a warp's store and its load take in each of the small kernels, worked out by hand. With rows
// of p words, element (i, j) is in bank (p i + j) mod 32.
//
// - p = 32: a row has all banks, a column has one: 32 wavefronts. In the tile of 16 rows a warp
//   takes two columns: two banks, each with 16 words.
// - p = 33: down a column (33 i + j) mod 32 = (i + j) mod 32, all banks. With 16 rows and the
//   columns j and j + 1 these are i + j and i + j + 1, for i up to 15: 17 banks, 15 of them twice.
// - p = 34: with 16 rows 2 i + j and 2 i + j + 1: the even banks and the odd ones.
struct ByHand {
  const char* name;
  int block_warps;
  int set, read;
};
const std::vector<ByHand> by_hand = {
    {"rows_then_rows", 32, 1, 1},
    {"columns_then_columns", 32, 32, 32},
    {"columns_then_rows", 32, 32, 1},
    {"rows_then_columns", 32, 1, 32},
    {"rows_then_columns", 32, 1, 1},  // padded
    {"rows_then_columns_dynamic", 32, 1, 32},
    {"rows_then_columns_dynamic", 32, 1, 1},  // padded
    {"flat_rows_then_columns", 16, 1, 16},
    {"flat_rows_then_columns", 16, 1, 2},  // padded by 1
    {"flat_rows_then_columns", 16, 1, 1},  // and by 2
    {"flat_rows_then_columns_dynamic", 16, 1, 16},
    {"flat_rows_then_columns_dynamic", 16, 1, 1},  // padded by 2
};

}  // namespace

TEST_CASE("traffic: the wavefronts of the small kernels are those worked out by hand") {
  const JsonValue all = launches();
  REQUIRE(all.size() > by_hand.size());
  for (size_t k = 0; k < by_hand.size(); ++k) {
    const ByHand& hand = by_hand[k];
    const JsonValue launch = all[all.size() - by_hand.size() + k];
    CAPTURE(k);
    CHECK(launch["kernel"] == hand.name);
    CHECK(launch["shared_store_instructions"] == hand.block_warps);
    CHECK(launch["shared_load_instructions"] == hand.block_warps);
    CHECK(launch["shared_store_wavefronts"] == hand.block_warps * hand.set);
    CHECK(launch["shared_load_wavefronts"] == hand.block_warps * hand.read);
  }
}

TEST_CASE("traffic: no conflict in either counter of the best kernels") {
  int seen = 0;
  for (const JsonValue launch : launches()) {
    const std::string kernel = launch["kernel"].text();
    if (kernel != "swizzled" && kernel != "by_chunks" && kernel != "by_windows") continue;
    CAPTURE(kernel);
    ++seen;
    CHECK(launch["shared_load_instructions"] > 0);
    CHECK(launch["shared_store_instructions"] > 0);
    CHECK(launch["shared_load_bank_conflicts"] == 0);
    CHECK(launch["shared_store_bank_conflicts"] == 0);
  }
  CHECK(seen == 2 * 2 * 3);  // of 4 bytes and of 2, once verified and once counted
}

TEST_CASE("verifies at awkward shapes, in 4 bytes and in 2, and with the small kernels") {
  for (const auto& [rows, cols] :
       {std::pair{1, 1}, {2, 3}, {31, 33}, {127, 257}, {1, 1009}, {1009, 1}, {40, 72}, {129, 61}}) {
    CAPTURE(rows);
    CAPTURE(cols);
    const auto run = run_at(rows, cols, true);
    CHECK(run.status == 0);
    CHECK(run.err == "");
    const bool floats = rows % 4 == 0 && cols % 4 == 0;  // begin at multiples of 16 bytes
    const bool shorts = rows % 8 == 0 && cols % 8 == 0;
    REQUIRE(run.report["results"].size() == 18 + floats + shorts);
    size_t row = 0;
    for (const bool two_bytes : {false, true}) {
      for (const std::string& kernel : kernels) {
        if (kernel == "16 bytes" && !(two_bytes ? shorts : floats)) continue;
        CHECK(run.report["results"][row]["kernel"] == kernel + (two_bytes ? ", 2 bytes" : ""));
        CHECK(run.report["results"][row++]["verified"] == true);
      }
    }
  }
}

TEST_CASE("traffic: by rows a store is 32 sectors, by columns a load is") {
  CHECK(row_of(whole_tiles(), "by rows")["global_load_sectors"] == sectors);
  CHECK(row_of(whole_tiles(), "by rows")["global_store_sectors"] == elements);
  CHECK(row_of(whole_tiles(), "by columns")["global_load_sectors"] == elements);
  CHECK(row_of(whole_tiles(), "by columns")["global_store_sectors"] == sectors);
}

TEST_CASE("traffic: through a tile every sector comes once and goes once") {
  for (const char* const kernel : {"tile", "padded", "two each", "four each", "swizzled"}) {
    CAPTURE(kernel);
    for (const auto& [suffix, size] : {std::pair{"", 4}, {", 2 bytes", 2}}) {
      const auto row = row_of(whole_tiles(), std::string(kernel) + suffix);
      CHECK(row["global_load_requests"] == warps);
      CHECK(row["global_load_sectors"] == sectors * size / 4);
      CHECK(row["global_store_sectors"] == sectors * size / 4);
    }
  }
  CHECK(row_of(whole_tiles(), "tile")["shared_bank_conflicts"] == 31 * warps);
  CHECK(row_of(whole_tiles(), "tile, 2 bytes")["shared_bank_conflicts"] == 15 * warps);
}

TEST_CASE("traffic: 16 bytes a lane are as few requests as a copy makes") {
  for (const auto& [suffix, size] : {std::pair{"", 4}, {", 2 bytes", 2}}) {
    const auto row = row_of(whole_tiles(), std::string("16 bytes") + suffix);
    const auto copy = row_of(whole_tiles(), std::string("copy") + suffix);
    for (const char* const column : {"global_load_requests", "global_load_sectors",
                                     "global_store_requests", "global_store_sectors"}) {
      CAPTURE(column);
      CHECK(row[column] == copy[column]);
    }
    CHECK(row["global_load_requests"] == warps * size / 16);
  }
}

TEST_CASE("refuses what it cannot do, in one line and with status 2") {
  for (const std::string rows : {"0", "-1", "abc", "99999999999999999999"}) {
    CAPTURE(rows);
    const auto run = course::testing::run_program(CHAPTER_PROGRAM, {"--rows", rows});
    CHECK(run.status == 2);
    CHECK(run.err.find('\n') == run.err.size() - 1);
  }
}
