#include "testing/gemm_program.hpp"

using course::testing::GemmShape;
using course::testing::row_of;

namespace {

const std::vector<std::string> any_rows = {"wgmma alone", "ours", "cuBLAS"};

// Clusters only where there are any.
std::vector<std::string> rungs(const course::testing::ProgramRun& run) {
  std::vector<std::string> all = {"wgmma alone",   "wgmma",     "128 x 128",   "ring",
                                  "two consumers", "128 x 256", "block order", "persistent",
                                  "TMA store",     "ours",      "cuBLAS"};
  if (run.report["results"].size() > all.size()) all.insert(all.begin() + 9, "clusters");
  return all;
}

course::testing::ProgramRun check_shape(GemmShape shape) {
  CAPTURE(shape.m);
  CAPTURE(shape.n);
  CAPTURE(shape.k);
  auto run =
      course::testing::run_chapter(CHAPTER_PROGRAM, course::testing::gemm_arguments(shape, {}));
  CHECK(run.status == 0);
  CHECK(run.err == "");
  const bool suits = shape.n % 8 == 0 && shape.k % 8 == 0;
  const std::vector<std::string> expected = suits ? rungs(run) : any_rows;
  REQUIRE(run.report["results"].size() == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    CHECK(run.report["results"][i]["kernel"] == expected[i]);
    CHECK(run.report["results"][i]["verified"] == true);
  }
  return run;
}

}  // namespace

TEST_CASE("verifies at awkward shapes: all rungs where rows suit, ours anywhere") {
  check_shape({1, 1, 1});
  check_shape({33, 31, 130});
  check_shape({72, 136, 72});
}

// A thread has two numbers of BF16 of a row, four lanes per sector of it; by its map C is not a
// store.
TEST_CASE("traffic: nothing is loaded but by maps, and by its map C is no store") {
  const auto run = check_shape({128, 256, 64});
  course::testing::needs_emulator(run);
  for (const std::string kernel :
       {"wgmma", "128 x 128", "ring", "two consumers", "128 x 256", "persistent", "TMA store"}) {
    CAPTURE(kernel);
    CHECK(row_of(run, kernel)["global_load_sectors"] == 0);
    CHECK(row_of(run, kernel)["shared_bank_conflicts"] == 0);
    CHECK(row_of(run, kernel)["global_store_sectors"] ==
          (kernel == "TMA store" ? 0 : 128 * 256 * 2 / 16));
  }
}

TEST_CASE("refuses what it cannot do, in one line and with status 2") {
  course::testing::check_gemm_refusals(CHAPTER_PROGRAM);
  course::testing::check_refused(CHAPTER_PROGRAM, {"--data", "exact"}, "--data");
}

// Of what it computes without a GPU nothing is left out but the library's FP8.
TEST_CASE("the other formats: exact data and timed data, however they are stored") {
  const std::vector<std::pair<std::vector<std::string>, std::string>> runs = {
      {{}, "FP8, promoted"},
      {{"--fp16"}, "FP16"},
      {{"--fp16", "--transposed-a"}, "FP16, A transposed"},
      {{"--fp16", "--batches", "3"}, "FP16, 3 matrices"},
      {{"--into-fp32", "--transposed-b"}, "BF16 into FP32, B transposed"},
      {{"--tf32"}, "TF32"},
      {{"--tf32", "--transposed-b"}, "TF32, B transposed"},
      {{"--rounding"}, "ours"}};
  for (const auto& [options, kernel] : runs) {
    CAPTURE(kernel);
    const auto run = course::testing::run_chapter(
        CHAPTER_PROGRAM "_more", course::testing::gemm_arguments({33, 48, 130}, options));
    CHECK(run.status == 0);
    CHECK(run.err == "");
    CHECK(row_of(run, kernel)["verified"] == true);
  }
}

TEST_CASE("the other formats: a bad option is refused in one line, with status 2") {
  course::testing::check_gemm_refusals(CHAPTER_PROGRAM "_more");
  course::testing::check_refused(CHAPTER_PROGRAM "_more", {"--batches", "0"}, "--batches");
}
