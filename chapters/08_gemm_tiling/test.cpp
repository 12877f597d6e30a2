#include "testing/gemm_program.hpp"

using course::testing::GemmShape;
using course::testing::JsonValue;
using course::testing::ProgramRun;
using course::testing::row_of;

namespace {

const std::vector<std::string> kernels = {"swapped 32 x 32", "naive 16 x 16", "naive 32 x 32",
                                          "tiled 16 x 16",   "tiled 32 x 32", "cuBLAS"};

ProgramRun run_on_emulator(GemmShape shape) {
  ProgramRun run = course::testing::run_chapter(
      CHAPTER_PROGRAM, course::testing::gemm_arguments(shape, {"--cpu-size", "0"}));
  course::testing::needs_emulator(run);
  return run;
}

long requests(const JsonValue& row) {
  return row["global_load_requests"].whole();
}
long sectors(const JsonValue& row) {
  return row["global_load_sectors"].whole();
}

}  // namespace

TEST_CASE("verifies at awkward shapes") {
  course::testing::check_gemm_shapes(CHAPTER_PROGRAM, kernels, {"--cpu-size", "0"});
}

TEST_CASE("the CPU's products verify, at their own size") {
  for (const std::string size : {"1", "2", "33", "100"}) {
    CAPTURE(size);
    const ProgramRun run = course::testing::check_gemm_shape(CHAPTER_PROGRAM, {3, 5, 7}, kernels,
                                                             {"--cpu-size", size});
    const auto& cpu = run.report["cpu"];
    CHECK(cpu["rows"] == std::stoi(size));
    CHECK(cpu["inner"] == std::stoi(size));
    CHECK(cpu["device"].text() != "");
    REQUIRE(cpu["results"].size() >= 4);
    std::vector<std::string> names;
    for (const auto& row : cpu["results"]) {
      names.push_back(row["kernel"].text());
      CHECK(row["verified"] == true);
      CHECK(row["samples"] >= 3);
      CHECK(row["median_ms"] > 0);
    }
    CHECK(std::vector<std::string>(names.begin(), names.begin() + 4) ==
          std::vector<std::string>{"naive", "reordered", "columns of B", "columns of B, threads"});
    // With OpenBLAS there are two more, and ratios to that with as many threads.
    const bool compared = names.size() == 6;
    CHECK((compared || names.size() == 4));
    for (const auto& row : cpu["results"]) CHECK(row["ratio_to_openblas"].is_number() == compared);
    CHECK((run.out.find("OpenBLAS, to compare") != std::string::npos) == !compared);
  }
}

TEST_CASE("work is 2 m n k operations, and each matrix moved once") {
  const ProgramRun run =
      course::testing::check_gemm_shape(CHAPTER_PROGRAM, {3, 5, 7}, kernels, {"--cpu-size", "0"});
  CHECK(row_of(run, "naive 16 x 16")["operations"] == 2 * 3 * 5 * 7);
  CHECK(row_of(run, "naive 16 x 16")["bytes"] == 4 * (3 * 7 + 7 * 5 + 3 * 5));
}

TEST_CASE("without the CPU's products nothing is said of a CPU") {
  const ProgramRun run =
      course::testing::check_gemm_shape(CHAPTER_PROGRAM, {8, 8, 8}, kernels, {"--cpu-size", "0"});
  CHECK_FALSE(run.report.contains("cpu"));
  CHECK(run.out.find("CPU") == std::string::npos);
}

// Per warp and step of k. 32 x 32: a warp is a row of threads. Its element of A is one for all
// lanes, 1 sector; its 32 elements of B are neighbours, 4 sectors. 16 x 16: a warp is two rows of
// 16, so 2 sectors of A and 2 of B. Swapped: 32 rows of A, a sector each, and 1 of B.
TEST_CASE("traffic: the naive kernels, in both mappings") {
  const GemmShape shape{96, 64, 160};
  const long warps = shape.m * shape.n / 32;
  const long steps = warps * shape.k;
  const ProgramRun run = run_on_emulator(shape);
  for (const auto& [kernel, a_step] :
       {std::pair{"naive 32 x 32", 1 + 4}, {"naive 16 x 16", 2 + 2}, {"swapped 32 x 32", 32 + 1}}) {
    CAPTURE(kernel);
    const auto row = row_of(run, kernel);
    CHECK(requests(row) == 2 * steps);
    CHECK(sectors(row) == a_step * steps);
    CHECK(row["shared_bank_conflicts"] == 0);
  }
  CHECK(row_of(run, "naive 32 x 32")["global_store_sectors"] == 4 * warps);
  CHECK(row_of(run, "naive 16 x 16")["global_store_sectors"] == 4 * warps);
  CHECK(row_of(run, "swapped 32 x 32")["global_store_sectors"] == 32 * warps);
}

// A warp fetches 32 elements of A and 32 of B, 4 sectors each, once for every `tile` steps of k.
TEST_CASE("traffic: tiles cut requests by their width, and sectors by 8 and by 20") {
  for (const GemmShape shape : {GemmShape{96, 64, 160}, {32, 32, 32}, {64, 160, 96}}) {
    const long steps = static_cast<long>(shape.m) * shape.n * shape.k / 32;
    const ProgramRun run = run_on_emulator(shape);
    for (const auto& [tile, sectors_fall] : {std::pair{16, 8}, {32, 20}}) {
      CAPTURE(tile);
      const std::string side = std::to_string(tile);
      const auto naive = row_of(run, "naive " + side + " x " + side);
      const auto tiled = row_of(run, "tiled " + side + " x " + side);
      CHECK(requests(tiled) == 2 * steps / tile);
      CHECK(sectors(tiled) == 8 * steps / tile);
      CHECK(requests(naive) == tile * requests(tiled));
      CHECK(sectors(naive) == sectors_fall * sectors(tiled));
      CHECK(tiled["global_store_sectors"] == naive["global_store_sectors"]);
      CHECK(tiled["shared_bank_conflicts"] == 0);
    }
  }
}

TEST_CASE("traffic: none is shown for library calls") {
  CHECK(row_of(run_on_emulator({8, 8, 8}), "cuBLAS")["global_load_requests"].is_null());
}

TEST_CASE("refuses what it cannot do, in one line and with status 2") {
  course::testing::check_gemm_refusals(CHAPTER_PROGRAM);
}
