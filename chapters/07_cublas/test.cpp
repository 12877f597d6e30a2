#include "testing/sgemv_program.hpp"

using course::testing::traffic;

namespace {

const std::vector<std::string> kernels = {"cuBLAS row-major", "cuBLAS column-major",
                                          "ours row-major", "ours column-major",
                                          "transposed first"};

}  // namespace

TEST_CASE("verifies at awkward shapes") {
  course::testing::check_awkward_shapes(CHAPTER_PROGRAM, kernels);
}

// The matrix ends just past the last strip: a thread that reads on reads outside.
TEST_CASE("verifies where a strip ends at each of a lane's rows") {
  for (const int rows : {31, 63, 70, 95, 127, 129, 200}) {
    course::testing::check_shape(CHAPTER_PROGRAM, rows, 9, kernels);
  }
}

// Its kernels are not ours to count: a dash, not a 0.
TEST_CASE("traffic: none is shown for library calls") {
  const auto row = traffic(CHAPTER_PROGRAM, 64, 48, "cuBLAS row-major");
  CHECK(row["global_load_requests"].is_null());
  CHECK(row["global_load_sectors"].is_null());
}

TEST_CASE("refuses what it cannot do, in one line and with status 2") {
  course::testing::check_refusals(CHAPTER_PROGRAM);
}
