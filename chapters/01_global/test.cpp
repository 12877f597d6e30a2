#include "testing/sgemv_program.hpp"

using course::testing::traffic;

TEST_CASE("verifies at awkward shapes") {
  course::testing::check_awkward_shapes(CHAPTER_PROGRAM, {"global"});
}

// A warp reads A in 32 rows, that is 32 sectors, and x in one: 33 sectors for two requests.
TEST_CASE("traffic: 33 sectors for two load requests") {
  const int m = 512;
  const int n = 384;
  const auto row = traffic(CHAPTER_PROGRAM, m, n, "global");
  CHECK(row["global_load_requests"] == 2 * (m / 32) * n);
  CHECK(row["global_load_sectors"] == 33 * (m / 32) * n);
  CHECK(row["global_store_requests"] == m / 32);
  CHECK(row["global_store_sectors"] == 4 * (m / 32));
}

TEST_CASE("what cannot be written is a failure, and said in one line") {
  for (const char* const output : {">/dev/full", ">&-"}) {
    CAPTURE(output);
    for (const char* const option : {"--size=32", "--help"}) {
      const auto run = course::testing::run_program(
          "/bin/sh", {"-c", std::string("exec \"$0\" ") + option + ' ' + output, CHAPTER_PROGRAM});
      CHECK(run.status == 1);
      CHECK(run.err == "error: cannot write to standard output: it is full, or closed\n");
    }
  }
}

TEST_CASE("refuses what it cannot do, in one line and with status 2") {
  course::testing::check_refusals(CHAPTER_PROGRAM);
}
