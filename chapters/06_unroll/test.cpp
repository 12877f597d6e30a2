#include "testing/sgemv_program.hpp"

using course::testing::traffic;

namespace {

const std::vector<std::string> kernels = {"unroll",        "rows",
                                          "float4",        "split warps",
                                          "split atomics", "split two passes",
                                          "warp per row",  "warp per row, float4",
                                          "block per row"};

}  // namespace

TEST_CASE("verifies at awkward shapes") {
  course::testing::check_awkward_shapes(CHAPTER_PROGRAM, kernels);
}

TEST_CASE("verifies when x needs several batches, and columns several blocks") {
  for (const int rows : {3, 4, 130, 132}) {
    course::testing::check_shape(CHAPTER_PROGRAM, rows, 33000, kernels);
  }
}

// Unrolling changes what is under way at one time, not what is asked for.
TEST_CASE("traffic: as in chapter 03, and a quarter of the requests with float4") {
  const int m = 512;
  const int n = 384;
  for (const std::string kernel : {"unroll", "rows"}) {
    CAPTURE(kernel);
    const auto row = traffic(CHAPTER_PROGRAM, m, n, kernel);
    CHECK(row["global_load_requests"] == (m / 32) * n);
    CHECK(row["global_load_sectors"] == 4 * (m / 32) * n);
    CHECK(row["global_store_requests"] == m / 32);
    CHECK(row["global_store_sectors"] == 4 * (m / 32));
  }
  const auto row = traffic(CHAPTER_PROGRAM, m, n, "float4");
  CHECK(row["global_load_requests"] == (m / 128) * n);
  CHECK(row["global_load_sectors"] == 16 * (m / 128) * n);
  CHECK(row["global_store_requests"] == m / 128);
  CHECK(row["global_store_sectors"] == 16 * (m / 128));
}

// A is asked for once, by whichever lanes: 16 sectors per request. x is one sector for each of A's
// requests.
TEST_CASE("traffic: splitting columns adds x's sectors, and partial sums") {
  const int m = 512;
  const int n = 384;
  const int column_requests = (m / 128) * n;
  const auto warps = traffic(CHAPTER_PROGRAM, m, n, "split warps");
  CHECK(warps["global_load_requests"] == 2 * column_requests);
  CHECK(warps["global_load_sectors"] == 17 * column_requests);
  CHECK(warps["global_store_sectors"] == m / 8);
  CHECK(warps["shared_bank_conflicts"] == 0);

  const auto atomics = traffic(CHAPTER_PROGRAM, m, n, "split atomics");
  CHECK(atomics["global_load_sectors"] == 17 * column_requests);
  CHECK(atomics["global_store_sectors"] == 0);  // atomic operations are counted apart

  const int pieces = 6;  // of 64 columns
  const auto passes = traffic(CHAPTER_PROGRAM, m, n, "split two passes");
  CHECK(passes["global_load_sectors"] == 17 * column_requests + pieces * m / 8);
  CHECK(passes["global_store_sectors"] == (pieces + 1) * m / 8);
}

// Along a row a warp reads 128 bytes of A and of x with floats, 512 with float4.
TEST_CASE("traffic: rows are read as well as columns were, if a warp reads along them") {
  const int m = 48;
  const int n = 1280;
  const auto floats = traffic(CHAPTER_PROGRAM, m, n, "warp per row");
  CHECK(floats["global_load_requests"] == 2 * m * (n / 32));
  CHECK(floats["global_load_sectors"] == 2 * m * (n / 8));
  CHECK(floats["global_store_requests"] == m);
  for (const std::string kernel : {"warp per row, float4", "block per row"}) {
    CAPTURE(kernel);
    const auto row = traffic(CHAPTER_PROGRAM, m, n, kernel);
    CHECK(row["global_load_requests"] == 2 * m * (n / 128));
    CHECK(row["global_load_sectors"] == 2 * m * (n / 8));
  }
}

TEST_CASE("says so when float4 cannot run") {
  const auto said = [](int rows, int cols) {
    return course::testing::run_chapter(
               CHAPTER_PROGRAM, {"--rows", std::to_string(rows), "--cols", std::to_string(cols)})
        .out;
  };
  CHECK(said(33, 32).find("33 rows are not a multiple of 4") != std::string::npos);
  CHECK(said(36, 31).find("31 columns are not a multiple of 4") != std::string::npos);
  CHECK(said(36, 32).find("no multiple") == std::string::npos);
}

TEST_CASE("refuses what it cannot do, in one line and with status 2") {
  course::testing::check_refusals(CHAPTER_PROGRAM);
}
