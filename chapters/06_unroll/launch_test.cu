#define main chapter_main  // not the main() of the test
#include "unroll.cu"
#undef main

#include "testing/launch_functions.hpp"

TEST_CASE("the launch functions: awkward and empty shapes, nothing touched beside them") {
  using course::Layout;
  course::testing::check_sgemv_launcher(Layout::column_major, launch_unroll);
  course::testing::check_sgemv_launcher(Layout::column_major, launch_rows);
  course::testing::check_sgemv_launcher(Layout::column_major, launch_float4);
  course::testing::check_sgemv_launcher(Layout::column_major, launch_split_warps);
  course::testing::check_sgemv_launcher(Layout::column_major, launch_split_atomics);
  course::testing::check_sgemv_launcher(
      Layout::column_major, [](const float* A, const float* x, float* y, int m, int n) {
        course::testing::GuardedArray<float> partial(
            m == 0 ? 0 : m * std::size_t{Split(m, n, many_blocks).grid.y});
        launch_split_two_passes(A, x, partial.data(), y, m, n);
        CUDA_CHECK(cudaDeviceSynchronize());
        CHECK(partial.intact());
      });
  course::testing::check_sgemv_launcher(Layout::row_major, launch_warp_a_row);
  course::testing::check_sgemv_launcher(Layout::row_major, launch_warp_a_row_float4);
  course::testing::check_sgemv_launcher(Layout::row_major, launch_block_a_row);
}

TEST_CASE("the split: about 1024 blocks, pieces of 64 columns or more") {
  for (const int m : {1, 33, 100, 128, 4096, 16384, 1000000}) {
    for (const int n : {1, 63, 64, 65, 1000, 16384, 1000000, 2000000000}) {
      CAPTURE(m);
      CAPTURE(n);
      const Split pieces(m, n, many_blocks);
      const auto count = static_cast<long long>(pieces.grid.y);
      CHECK(count >= 1);
      CHECK(count <= 1024);
      CHECK(count * pieces.width >= n);
      CHECK((count - 1) * pieces.width < n);
      CHECK((count == 1 || pieces.width >= 32));
    }
  }
}
