#define main chapter_main  // not the main() of the test
#include "gemm_unroll.cu"
#undef main

#include "testing/launch_functions.hpp"

TEST_CASE("the launch functions: shapes of all kinds, nothing touched beside them") {
  for (const course::GemmRung& kernel : kernels) {
    CAPTURE(kernel.name);
    course::testing::check_gemm_launcher(kernel.launch);
    course::testing::check_gemm_edge_of_k(kernel.launch);
  }
}

template <int tile>
void check_remainder() {
  CAPTURE(tile);
  for (const course::testing::GemmShape& shape :
       {course::testing::GemmShape{tile, tile, tile}, {33, 65, 129}, {1, 2, 3}, {17, 31, 257}}) {
    course::testing::check_gemm_launch(shape, launch_unroll<tile, ByHand>);
    course::testing::check_gemm_launch(shape, launch_unroll<tile, Rolled>);
    course::testing::check_gemm_launch(shape, launch_unroll<tile, ByPragma>);
  }
}

// Four steps at a time leave 1, 2 and 3 over.
TEST_CASE("unrolled by hand: tiles that are no multiple of 4 keep their last steps") {
  course::device();
  check_remainder<1>();
  check_remainder<3>();
  check_remainder<17>();
  check_remainder<18>();
  check_remainder<31>();
}
