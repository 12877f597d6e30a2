#include "ladder_test.hpp"

using course::test::traffic;

TEST_CASE("verifies at awkward shapes") {
  course::test::check_awkward_shapes(CHAPTER_PROGRAM,
                                     {"cuBLAS row-major", "cuBLAS column-major", "ours row-major",
                                      "ours column-major", "transposed first"});
}

// Its kernels are not ours to count: a dash, not a 0.
TEST_CASE("traffic: none is shown for library calls") {
  const auto row = traffic(CHAPTER_PROGRAM, 64, 48, "cuBLAS row-major");
  CHECK(row["global_load_requests"].is_null());
  CHECK(row["global_load_sectors"].is_null());
}

TEST_CASE("refuses what it cannot do, in one line and with status 2") {
  course::test::check_refusals(CHAPTER_PROGRAM);
}
