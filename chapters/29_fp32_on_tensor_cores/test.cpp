#include "testing/gemm_program.hpp"

namespace {

const std::vector<std::string> kernels = {
    "TF32",           "TF32 x 3, truncated",       "TF32 x 3",       "BF16 x 3",  "BF16 x 6",
    "BF16 x 9",       "FP16 x 3, unscaled",        "FP16 x 3",       "INT8 x 10", "wgmma BF16 x 6",
    "wgmma BF16 x 9", "wgmma FP16 x 3, truncated", "wgmma FP16 x 3", "ours",      "cuBLAS"};

}  // namespace

TEST_CASE("verifies at awkward shapes") {
  course::testing::check_gemm_shape(CHAPTER_PROGRAM, {1, 1, 1}, kernels);
  const auto run = course::testing::check_gemm_shape(CHAPTER_PROGRAM, {33, 31, 130}, kernels);
  CHECK(run.out.find("errors, in units of 2^-24") != std::string::npos);
}

TEST_CASE("refuses what it cannot do, in one line and with status 2") {
  course::testing::check_gemm_refusals(CHAPTER_PROGRAM);
  course::testing::check_refused(CHAPTER_PROGRAM, {"--data", "exact"}, "--data");
}
