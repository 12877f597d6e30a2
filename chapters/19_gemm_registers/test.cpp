#include "testing/gemm_program.hpp"

using course::testing::row_of;

namespace {

const std::vector<std::string> kernels = {"8 x 1",      "8 x 8",           "16 bytes",
                                          "warp tiles", "lane pairs",      "padded",
                                          "swizzled",   "double-buffered", "block order"};

}  // namespace

TEST_CASE("verifies at awkward shapes") {
  course::testing::check_gemm_shapes(CHAPTER_PROGRAM, kernels);
}

// Each element of A is fetched once for as many columns as a block has, each of B for as many rows.
TEST_CASE(
    "traffic: a block of 64 x 64 fetches half as much as one of 32 x 32, 128 x 128 a quarter") {
  const course::testing::GemmShape shape{128, 256, 64};
  const long multiply_adds = 128L * 256 * 64 / 32;  // of warps
  const course::testing::ProgramRun run =
      course::testing::run_chapter(CHAPTER_PROGRAM, course::testing::gemm_arguments(shape, {}));
  course::testing::needs_emulator(run);
  for (const std::string& kernel : kernels) {
    CAPTURE(kernel);
    const auto row = row_of(run, kernel);
    const long side = kernel == "8 x 1" ? 64 : 128;
    const bool wide = kernel != "8 x 1" && kernel != "8 x 8";
    // A step of k takes 2 * side floats for side * side multiply-adds: a sector has 8 floats.
    const long sectors = multiply_adds * 32 * 2 / side / 8;
    CHECK(row["global_load_sectors"] == sectors);
    CHECK(row["global_load_requests"] == sectors / (wide ? 16 : 4));
  }
}

TEST_CASE("refuses what it cannot do, in one line and with status 2") {
  course::testing::check_gemm_refusals(CHAPTER_PROGRAM);
}
