#define main chapter_main  // not the main() of the test
#include "cublas.cu"
#undef main

#include "testing/launch_functions.hpp"

TEST_CASE("the launch functions: awkward and empty shapes, nothing touched beside them") {
  course::device();
  cublasHandle_t handle = nullptr;
  CUDA_CHECK(cublasCreate(&handle));
  course::testing::check_sgemv_launcher(
      course::Layout::row_major, [&](const float* A, const float* x, float* y, int m, int n) {
        launch_row_major(handle, A, x, y, m, n);
      });
  course::testing::check_sgemv_launcher(
      course::Layout::column_major, [&](const float* A, const float* x, float* y, int m, int n) {
        launch_column_major(handle, A, x, y, m, n);
      });
  course::testing::check_sgemv_launcher(
      course::Layout::row_major, [&](const float* A, const float* x, float* y, int m, int n) {
        course::DeviceArray<float> copy(static_cast<std::size_t>(m) * n);
        launch_transposed_first(handle, A, copy, x, y, m, n);
      });
  CUDA_CHECK(cublasDestroy(handle));
}

namespace {

using Member = void (ours::Sgemv::*)(const float*, const float*, float*, int, int);
constexpr Member members[] = {&ours::Sgemv::row_major, &ours::Sgemv::column_major};
constexpr course::Layout layouts[] = {course::Layout::row_major, course::Layout::column_major};

/// Sizes of GPUs: on small ones hardly anything is split, on large ones hardly anything is not.
constexpr int sizes[] = {1, 6, 132};

/// The shapes of check_sgemv_launcher(), and those at which our rules change their minds.
void check_ours(course::Layout layout, Member launch, int processors) {
  CAPTURE(processors);
  ours::Sgemv ours(processors);  // one for all: each call must leave it fit for the next
  const auto call = [&](const float* A, const float* x, float* y, int m, int n) {
    (ours.*launch)(A, x, y, m, n);
  };
  course::testing::check_sgemv_launcher(layout, call);
  std::vector<std::pair<int, int>> shapes;
  for (const int sixteenths : {1, 4, 8, 16, 32, 64}) {  // of a strip for each multiprocessor
    const int m = processors * 128 * sixteenths / 16;
    for (const int n : {3, 36}) {
      shapes.emplace_back(m, n);      // whole strips ...
      shapes.emplace_back(m + 4, n);  // ... not, but aligned ...
      shapes.emplace_back(m + 1, n);  // ... and not aligned
    }
  }
  for (const int n : {16, 32, 36, 64, 68, 128, 132, 512, 1000, 1024, 4096, 4100, 8192, 8193}) {
    shapes.emplace_back(5, n);
    shapes.emplace_back(260, n);
  }
  shapes.insert(shapes.end(), {{4, 100000}, {3, 100001}, {130, 20000}, {1000, 5000}});
  course::testing::check_sgemv_shapes(layout, shapes, call);
}

}  // namespace

TEST_CASE("our own: every shape of kernel that the rules choose") {
  for (const int processors : sizes) {
    for (const int k : {0, 1}) check_ours(layouts[k], members[k], processors);
  }
}

TEST_CASE("our own: addresses that are no multiple of 16") {
  const int m = 140;
  const int n = 260;
  for (const int k : {0, 1}) {
    const course::SgemvProblem problem = course::make_sgemv(course::Data::exact, m, n, layouts[k]);
    for (const int A_offset : {0, 1}) {
      for (const int x_offset : {0, 1}) {
        std::vector<float> shifted_A(A_offset);
        shifted_A.insert(shifted_A.end(), problem.A.begin(), problem.A.end());
        std::vector<float> shifted_x(x_offset);
        shifted_x.insert(shifted_x.end(), problem.x.begin(), problem.x.end());
        const course::DeviceArray<float> A(shifted_A);
        const course::DeviceArray<float> x(shifted_x);
        course::DeviceArray<float> y(m + 1);
        ours::Sgemv ours;
        (ours.*members[k])(A + A_offset, x + x_offset, y + 1, m, n);
        const std::vector<float> all = y.to_host();
        const course::Verdict verdict =
            course::verify(std::vector<float>(all.begin() + 1, all.end()), problem);
        CHECK_MESSAGE(verdict.passed, verdict.message);
      }
    }
  }
}

TEST_CASE("our own: the same bits every time, however the blocks come") {
  const int m = 100;
  const int n = 30000;
  for (const int k : {0, 1}) {
    const course::SgemvProblem problem = course::make_sgemv(course::Data::random, m, n, layouts[k]);
    const course::DeviceArray<float> A(problem.A);
    const course::DeviceArray<float> x(problem.x);
    ours::Sgemv ours(132);
    std::vector<float> first;
    for (int again = 0; again < 5; ++again) {
      course::DeviceArray<float> y(m);
      (ours.*members[k])(A, x, y, m, n);
      if (again == 0) first = y.to_host();
      CHECK(y.to_host() == first);
    }
  }
}
