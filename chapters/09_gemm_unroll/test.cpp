#include "testing/gemm_program.hpp"

namespace {

const std::vector<std::string> kernels = {
    "as it is, 16 x 16",   "rolled, 16 x 16",    "by hand, 16 x 16", "by pragma, 16 x 16",
    "prefetched, 16 x 16", "as it is, 32 x 32",  "rolled, 32 x 32",  "by hand, 32 x 32",
    "by pragma, 32 x 32",  "prefetched, 32 x 32"};

}  // namespace

TEST_CASE("verifies at awkward shapes") {
  course::testing::check_gemm_shapes(CHAPTER_PROGRAM, kernels);
}

// Unrolling is about instructions that move nothing: what is asked of memory stays as it was.
TEST_CASE("traffic: that of chapter 08's tiles, whatever the loop") {
  const long steps = 64 * 96 * 160 / 32;
  const course::testing::ProgramRun run = course::testing::run_chapter(
      CHAPTER_PROGRAM, course::testing::gemm_arguments({64, 96, 160}, {}));
  course::testing::needs_emulator(run);
  for (const std::string& kernel : kernels) {
    CAPTURE(kernel);
    const long tile = kernel.ends_with("16 x 16") ? 16 : 32;
    const auto row = course::testing::row_of(run, kernel);
    CHECK(row["global_load_requests"] == 2 * steps / tile);
    CHECK(row["global_load_sectors"] == 8 * steps / tile);
    CHECK(row["global_store_sectors"] == 64 * 96 / 8);
    CHECK(row["shared_bank_conflicts"] == 0);
  }
}

TEST_CASE("refuses what it cannot do, in one line and with status 2") {
  course::testing::check_gemm_refusals(CHAPTER_PROGRAM);
}
