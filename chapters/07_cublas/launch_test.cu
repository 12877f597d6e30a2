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

namespace {

/// The shapes of check_sgemv_launcher(), and those at which our rules change their minds.
void check_ours(course::Layout layout,
                void (ours::Sgemv::*launch)(const float*, const float*, float*, int, int)) {
  ours::Sgemv ours;  // one for all: each call must leave it fit for the next
  const auto call = [&](const float* A, const float* x, float* y, int m, int n) {
    (ours.*launch)(A, x, y, m, n);
  };
  course::test::check_sgemv_launcher(layout, call);
  std::vector<std::pair<int, int>> shapes;
  const int many = course::device().multiprocessors * 128;  // rows: a strip for each
  for (const int m : {many / 16, many / 4, many / 2, many, 2 * many, 4 * many}) {
    for (const int n : {3, 36}) {
      shapes.emplace_back(m, n);      // rounded down to whole strips ...
      shapes.emplace_back(m + 4, n);  // ... not, but aligned ...
      shapes.emplace_back(m + 1, n);  // ... and not aligned
    }
  }
  for (const int n : {16, 32, 36, 64, 68, 128, 132, 512, 1000, 1024, 4096, 4100, 8192, 8193}) {
    shapes.emplace_back(5, n);
    shapes.emplace_back(260, n);
  }
  shapes.insert(shapes.end(), {{4, 100000}, {3, 100001}, {130, 20000}, {1000, 5000}});
  course::test::check_sgemv_shapes(layout, shapes, call);
}

}  // namespace

TEST_CASE("our own: every shape of kernel that the rules choose") {
  check_ours(course::Layout::row_major, &ours::Sgemv::row_major);
  check_ours(course::Layout::column_major, &ours::Sgemv::column_major);
}

TEST_CASE("our own: addresses that are no multiple of 16") {
  const int m = 140;
  const int n = 260;
  for (const course::Layout layout : {course::Layout::row_major, course::Layout::column_major}) {
    const course::SgemvProblem problem = course::make_sgemv(course::Data::exact, m, n, layout);
    std::vector<float> shifted_A(1);
    shifted_A.insert(shifted_A.end(), problem.A.begin(), problem.A.end());
    std::vector<float> shifted_x(1);
    shifted_x.insert(shifted_x.end(), problem.x.begin(), problem.x.end());
    const course::DeviceArray<float> A(shifted_A);
    const course::DeviceArray<float> x(shifted_x);
    course::DeviceArray<float> y(m + 1);
    ours::Sgemv ours;
    if (layout == course::Layout::row_major) {
      ours.row_major(A + 1, x + 1, y + 1, m, n);
    } else {
      ours.column_major(A + 1, x + 1, y + 1, m, n);
    }
    const std::vector<float> all = y.to_host();
    const course::Verdict verdict =
        course::verify(std::vector<float>(all.begin() + 1, all.end()), problem);
    CHECK_MESSAGE(verdict.passed, verdict.message);
  }
}

TEST_CASE("our own: the same bits every time, however the blocks come") {
  const int m = 100;
  const int n = 30000;
  for (const course::Layout layout : {course::Layout::row_major, course::Layout::column_major}) {
    const course::SgemvProblem problem = course::make_sgemv(course::Data::random, m, n, layout);
    const course::DeviceArray<float> A(problem.A);
    const course::DeviceArray<float> x(problem.x);
    ours::Sgemv ours;
    std::vector<float> first;
    for (int again = 0; again < 5; ++again) {
      course::DeviceArray<float> y(m);
      if (layout == course::Layout::row_major) {
        ours.row_major(A, x, y, m, n);
      } else {
        ours.column_major(A, x, y, m, n);
      }
      if (again == 0) {
        first = y.to_host();
      } else {
        CHECK(y.to_host() == first);
      }
    }
  }
}
