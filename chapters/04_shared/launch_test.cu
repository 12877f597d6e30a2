#define main chapter_main  // not the main() of the test
#include "shared.cu"
#undef main

#include "testing/launch_functions.hpp"

TEST_CASE("the launch function: awkward and empty shapes, nothing touched beside them") {
  for (const int block : {128, 1, 31, 100, 256, 1024}) {
    CAPTURE(block);
    course::testing::check_sgemv_launcher(course::Layout::column_major,
                                          [block](const float* A, const float* x, float* y, int m,
                                                  int n) { launch_shared(A, x, y, m, n, block); });
  }
}
