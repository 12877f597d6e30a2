#include "testing/gemm_program.hpp"

using course::testing::GemmShape;
using course::testing::row_of;

namespace {

const std::vector<std::string> ceilings = {"mma.sync, BF16", "mma.sync, FP16", "mma.sync, TF32"};
const std::vector<std::string> ours = {
    "wmma",           "wmma, shared",       "ldmatrix",  "padded",      "swizzled",
    "3 stages",       "register prefetch",  "128 x 256", "whole tiles", "aligned rows",
    "producer warps", "stream-k",           "FP16",      "TF32",        "TF32, truncated",
    "TF32, stream-k", "truncated, stream-k"};

// The emulator's cuBLAS has no TF32.
std::vector<std::string> kernels(const course::testing::ProgramRun& run) {
  std::vector<std::string> all = ceilings;
  all.insert(all.end(), ours.begin(), ours.end());
  all.insert(all.end(), {"BF16 by cuBLAS", "FP16 by cuBLAS"});
  if (run.report["backend"] != "emulator") all.push_back("TF32 by cuBLAS");
  return all;
}

void check_shape(GemmShape shape, const std::vector<std::string>& more = {}) {
  CAPTURE(shape.m);
  CAPTURE(shape.n);
  CAPTURE(shape.k);
  const auto run =
      course::testing::run_chapter(CHAPTER_PROGRAM, course::testing::gemm_arguments(shape, more));
  CHECK(run.status == 0);
  CHECK(run.err == "");
  const std::vector<std::string> expected = kernels(run);
  REQUIRE(run.report["results"].size() == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    CHECK(run.report["results"][i]["kernel"] == expected[i]);
    CHECK(run.report["results"][i]["verified"] == true);
  }
}

}  // namespace

TEST_CASE("verifies at awkward shapes, with all kinds of data") {
  check_shape({1, 1, 1});
  check_shape({33, 31, 130});
  check_shape({40, 136, 72}, {"--data", "zero"});
  check_shape({70, 30, 34}, {"--data", "constant"});
  check_shape({130, 264, 200});  // with steps whose tiles are whole, and others
}

// A tile of 128 rows or columns serves each number of A and B 128 times, in whole sectors of 32
// bytes.
TEST_CASE("traffic: as many bytes as tiles ask for, and no conflicts but where rows meet") {
  const auto run = course::testing::run_chapter(
      CHAPTER_PROGRAM, course::testing::gemm_arguments({128, 256, 128}, {}));
  course::testing::needs_emulator(run);
  constexpr long multiply_adds = 128L * 256 * 128;
  for (const std::string kernel :
       {"wmma, shared", "ldmatrix", "padded", "swizzled", "3 stages", "register prefetch"}) {
    CAPTURE(kernel);
    CHECK(row_of(run, kernel)["global_load_sectors"] == multiply_adds * 2 * 2 / 128 / 32);
  }
  // Each number of A for 256 columns.
  const long large = multiply_adds * 2 / 128 / 32 + multiply_adds * 2 / 256 / 32;
  CHECK(row_of(run, "128 x 256")["global_load_sectors"] == large);
  CHECK(row_of(run, "whole tiles")["global_load_sectors"] == large);
  CHECK(row_of(run, "FP16")["global_load_sectors"] == large);
  CHECK(row_of(run, "TF32")["global_load_sectors"] == 2 * large);
  CHECK(row_of(run, "TF32, truncated")["global_load_sectors"] == 2 * large);
  for (const std::string kernel :
       {"padded", "swizzled", "3 stages", "register prefetch", "128 x 256", "whole tiles",
        "producer warps", "stream-k", "FP16", "TF32", "TF32, truncated", "TF32, stream-k",
        "truncated, stream-k"}) {
    CAPTURE(kernel);
    CHECK(row_of(run, kernel)["shared_bank_conflicts"] == 0);
  }
  // Of B two words at a time in place of one; and, past the last stage, a quarter of zeros is
  // read.
  CHECK(row_of(run, "truncated, stream-k")["shared_load_instructions"] ==
        8 * (4 * 4 + 1) * (4 + 8));
  // 4 warps per block, 2 blocks, 8 steps of 16: 8 loads of 4 matrices, of whose 8 rows 7 wait.
  CHECK(row_of(run, "ldmatrix")["shared_bank_conflicts"] == 4 * 2 * 8 * 8 * 4 * 7);
}

// The same with copies that ask nothing: here two of four steps have them, or six of eight.
TEST_CASE("traffic of whole tiles is that of others, and without conflicts") {
  const auto run = course::testing::run_chapter(
      CHAPTER_PROGRAM, course::testing::gemm_arguments({128, 256, 256}, {}));
  course::testing::needs_emulator(run);
  constexpr long large = 128L * 256 * 256 * 2 / 128 / 32 + 128L * 256 * 256 * 2 / 256 / 32;
  for (const std::string kernel : {"whole tiles", "FP16", "TF32", "TF32, truncated"}) {
    CAPTURE(kernel);
    const long floats = kernel.starts_with("TF32") ? 2 : 1;
    CHECK(row_of(run, kernel)["global_load_sectors"] == floats * large);
    CHECK(row_of(run, kernel)["shared_bank_conflicts"] == 0);
  }
}

TEST_CASE("refuses what it cannot do, in one line and with status 2") {
  course::testing::check_gemm_refusals(CHAPTER_PROGRAM);
  course::testing::check_refused(CHAPTER_PROGRAM, {"--data", "exact"}, "--data");
}
