#define main chapter_main  // not the main() of the test
#include "constant.cu"
#undef main

#include "testing/launch_functions.hpp"

TEST_CASE("the launch function: awkward and empty shapes, nothing touched beside them") {
  for (const int batch : {constant_floats, 1000, 7}) {
    CAPTURE(batch);
    course::testing::check_sgemv_launcher(
        course::Layout::column_major, [batch](const float* A, const float* x, float* y, int m,
                                              int n) { launch_constant(A, x, y, m, n, batch); });
  }
}
