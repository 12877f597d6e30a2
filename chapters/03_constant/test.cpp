#include "testing/sgemv_program.hpp"

using course::testing::traffic;

TEST_CASE("verifies at awkward shapes") {
  course::testing::check_awkward_shapes(CHAPTER_PROGRAM, {"constant", "constant, batched"});
}

TEST_CASE("verifies when x needs several batches") {
  const std::vector<std::string> kernels = {"constant", "constant, batched"};
  for (const int cols : {16383, 16384, 16385, 40000}) {
    course::testing::check_shape(CHAPTER_PROGRAM, 3, cols, kernels);
    course::testing::check_shape(CHAPTER_PROGRAM, 130, cols, kernels, {"--batch", "16384"});
  }
  course::testing::check_shape(CHAPTER_PROGRAM, 65, 10, kernels, {"--batch", "1"});
  course::testing::check_shape(CHAPTER_PROGRAM, 65, 10, kernels, {"--batch", "3"});
}

// x is no longer read from global memory: what is left is A, 4 sectors per request.
TEST_CASE("traffic: one load request a step, of 4 sectors") {
  const int m = 512;
  const int n = 384;
  const auto row = traffic(CHAPTER_PROGRAM, m, n, "constant");
  CHECK(row["global_load_requests"] == (m / 32) * n);
  CHECK(row["global_load_sectors"] == 4 * (m / 32) * n);
  CHECK(row["global_store_requests"] == m / 32);
  CHECK(row["global_store_sectors"] == 4 * (m / 32));
}

// Every batch after the first reads y once more, and every batch writes it.
TEST_CASE("traffic: a batch costs y, read and written again") {
  const int m = 512;
  const int n = 384;
  const int warps = m / 32;
  const int batches = 4;
  const auto row = traffic(CHAPTER_PROGRAM, m, n, "constant, batched", {"--batch", "96"});
  CHECK(row["global_load_requests"] == warps * n + (batches - 1) * warps);
  CHECK(row["global_load_sectors"] == 4 * (warps * n + (batches - 1) * warps));
  CHECK(row["global_store_requests"] == batches * warps);
}

TEST_CASE("refuses a batch that constant memory cannot hold") {
  for (const std::string batch : {"0", "16385", "x"}) {
    const auto run = course::testing::run_program(CHAPTER_PROGRAM, {"--batch", batch});
    CHECK(run.status == 2);
    CHECK(run.err.find("--batch wants a whole number from 1 to 16384") != std::string::npos);
  }
}

TEST_CASE("refuses what it cannot do, in one line and with status 2") {
  course::testing::check_refusals(CHAPTER_PROGRAM);
}
