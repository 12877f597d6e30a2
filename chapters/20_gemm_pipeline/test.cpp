#include <cstdlib>

#include "testing/gemm_program.hpp"

namespace {

const std::vector<std::string> kernels = {
    "2 stages", "3 stages",       "4 stages", "5 stages", "register prefetch",
    "8 x 16",   "producer warps", "stream-k", "packed",   "small blocks",
    "ours",     "cuBLAS",         "Strassen"};

}  // namespace

TEST_CASE("verifies at awkward shapes") {
  unsetenv("EMULATOR_MULTIPROCESSORS");  // so that several share a tile, and hand its sums over
  using course::testing::GemmShape;
  for (const GemmShape& shape : {GemmShape{1, 1, 1},
                                 {33, 31, 32},
                                 {257, 3, 127},
                                 {127, 257, 2},
                                 {130, 132, 100},
                                 {70, 140, 20}}) {
    course::testing::check_gemm_shape(CHAPTER_PROGRAM, shape, kernels);
  }
}

// Asynchronous copies ask for what other copies would: whatever the number of stages. With one
// multiprocessor, as several share out so few tiles in parts.
TEST_CASE("traffic: stages change when is copied, not what") {
  setenv("EMULATOR_MULTIPROCESSORS", "1", 1);
  const course::testing::ProgramRun run = course::testing::run_chapter(
      CHAPTER_PROGRAM, course::testing::gemm_arguments({256, 256, 64}, {}));
  course::testing::needs_emulator(run);
  const auto of = [&](const std::string& kernel, const std::string& what) {
    return course::testing::row_of(run, kernel)[what];
  };
  // A tile of 128 x 16 and one of 16 x 128: whole sectors of 8 floats.
  const long sectors = 4 * (64 / 16) * (2 * 128 * 16 / 8);
  for (const std::string& kernel : std::vector<std::string>{"2 stages", "3 stages", "4 stages",
                                                            "5 stages", "register prefetch"}) {
    CAPTURE(kernel);
    CHECK(of(kernel, "global_load_sectors") == sectors);
    CHECK(of(kernel, "global_store_sectors") == 256 * 256 / 8);
    CHECK(of(kernel, "shared_bank_conflicts") == 0);
  }
  // Tiles twice as tall: half as much of B.
  CHECK(of("8 x 16", "global_load_sectors") == 2 * (64 / 32) * ((256 + 128) * 32 / 8));
  CHECK(of("8 x 16", "global_store_sectors") == 256 * 256 / 8);
  // B's tiles come by a map. Each quarter of a warp is served by itself: four wavefronts a load.
  for (const std::string& kernel : std::vector<std::string>{"producer warps", "stream-k"}) {
    CAPTURE(kernel);
    CHECK(of(kernel, "global_load_sectors") == 2 * (64 / 32) * (256 * 32 / 8));
    CHECK(of(kernel, "global_store_sectors") == 256 * 256 / 8);
    CHECK(of(kernel, "shared_bank_conflicts") == 0);
    const long loads = of(kernel, "shared_load_instructions").whole();
    CHECK(of(kernel, "shared_load_wavefronts") == 4 * loads);
  }
}

TEST_CASE("refuses what it cannot do, in one line and with status 2") {
  course::testing::check_gemm_refusals(CHAPTER_PROGRAM);
}
