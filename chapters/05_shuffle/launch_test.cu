#define main chapter_main  // not the main() of the test
#include "shuffle.cu"
#undef main

#include "testing/launch_functions.hpp"

TEST_CASE("the launch function: awkward and empty shapes, nothing touched beside them") {
  course::testing::check_sgemv_launcher(course::Layout::column_major, launch_shuffle);
}
