#define main chapter_main  // not the main() of the test
#include "cublas.cu"
#undef main

#include "launch_test.hpp"

TEST_CASE("the launch functions: awkward and empty shapes, nothing touched beside them") {
  course::device();
  cublasHandle_t handle = nullptr;
  CUDA_CHECK(cublasCreate(&handle));
  course::test::check_sgemv_launcher(course::Layout::row_major,
                                     [&](const float* A, const float* x, float* y, int m, int n) {
                                       launch_row_major(handle, A, x, y, m, n);
                                     });
  course::test::check_sgemv_launcher(course::Layout::column_major,
                                     [&](const float* A, const float* x, float* y, int m, int n) {
                                       launch_column_major(handle, A, x, y, m, n);
                                     });
  course::test::check_sgemv_launcher(
      course::Layout::row_major, [&](const float* A, const float* x, float* y, int m, int n) {
        course::DeviceArray<float> copy(static_cast<std::size_t>(m) * n);
        launch_transposed_first(handle, A, copy, x, y, m, n);
      });
  CUDA_CHECK(cublasDestroy(handle));
}
