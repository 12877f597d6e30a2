#define main chapter_main  // not the main() of the test
#include "cublas.cu"
#undef main

#include <cmath>
#include <limits>
#include <random>
#include <utility>
#include <vector>

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

using SgemvMember = void (ours::Sgemv::*)(const float*, const float*, float*, int, int);
constexpr SgemvMember members[] = {&ours::Sgemv::row_major, &ours::Sgemv::column_major};
constexpr course::Layout layouts[] = {course::Layout::row_major, course::Layout::column_major};

/// Sizes of GPUs: on small ones hardly anything is split, on large ones hardly anything is not.
constexpr int sizes[] = {1, 6, 132};

/// The shapes of check_sgemv_launcher(), and those at which our rules change their minds.
void check_ours(course::Layout layout, SgemvMember launch, int processors) {
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

TEST_CASE("our own: every candidate is right, whichever the model takes") {
  std::mt19937 draw(7);                // std::mt19937 is the same everywhere, distributions are not
  const auto extent = [&](int most) {  // many small ones
    return static_cast<int>(std::pow(most + 1.0, static_cast<double>(draw()) * 0x1p-32)) - 1;
  };
  std::vector<std::pair<int, int>> shapes = {{0, 5}, {5, 0}, {1, 1}, {3, 1}, {1, 5000}, {64, 300}};
  while (shapes.size() < 60) {
    const int m = extent(3000);
    shapes.emplace_back(m, extent(100000 / (m + 1)));
  }
  for (const auto& [m, n] : shapes) {
    CAPTURE(m);
    CAPTURE(n);
    const int processors = sizes[draw() % 3];
    const std::size_t A_offset = draw() % 4;
    const std::size_t x_offset = draw() % 2 * A_offset;
    ours::Sgemv ours(processors);
    const auto rows = static_cast<std::size_t>(m);
    for (const int k : {0, 1}) {
      const course::SgemvProblem problem =
          course::make_sgemv(course::Data::exact, rows, static_cast<std::size_t>(n), layouts[k]);
      const auto shifted = [](const auto& values, std::size_t by) {
        std::vector<float> all(by, std::numeric_limits<float>::quiet_NaN());  // spoils what uses it
        all.insert(all.end(), values.begin(), values.end());
        return all;
      };
      const course::testing::GuardedArray<float> A(shifted(problem.A, A_offset));
      const course::testing::GuardedArray<float> x(shifted(problem.x, x_offset));
      course::testing::GuardedArray<float> y(rows);
      const float* const A_start = A.data() + A_offset;
      const float* const x_start = x.data() + x_offset;
      int tried = 0;
      const auto take = [&](const ours::Sgemv::Candidate& candidate) {
        y.poison();
        ours.launch(candidate, A_start, x_start, y.data(), m, n);
        CUDA_CHECK(cudaDeviceSynchronize());
        const course::Verdict verdict = course::verify(y.to_host(), problem);
        CAPTURE(tried);
        CHECK_MESSAGE(verdict.passed, verdict.message);
        CHECK(y.intact());
        ++tried;
      };
      if (m == 0) continue;
      k == 0 ? ours.row_candidates(A_start, x_start, m, n, take)
             : ours.column_candidates(A_start, x_start, m, n, take);
      CHECK(tried > 0);
    }
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

TEST_CASE("our own: the model takes what suits the shape") {
  ours::Sgemv ours(132);
  const auto model = ours::Model{};
  const auto taken = [&](course::Layout layout, int m, int n) {
    return ours.best([&](auto take) {
      layout == course::Layout::row_major ? ours.row_candidates(nullptr, nullptr, m, n, take)
                                          : ours.column_candidates(nullptr, nullptr, m, n, take);
    });
  };
  using course::Layout;
  // Many rows: nobody has to share them. Few rows: blocks for all multiprocessors.
  CHECK(taken(Layout::column_major, 1000000, 100).pieces == 1);
  CHECK(taken(Layout::column_major, 2048, 131072).work.blocks >= 120);
  CHECK(taken(Layout::column_major, 3, 50000000).work.blocks >= 120);
  CHECK(taken(Layout::row_major, 3, 50000000).work.blocks >= 120);
  CHECK(taken(Layout::row_major, 1000000, 100).pieces == 1);
  // Twice the work takes longer, twice the multiprocessors do not.
  const auto single = taken(Layout::row_major, 4096, 4096).work;
  const auto twice = taken(Layout::row_major, 8192, 4096).work;
  CHECK(model.time(twice, 132) > model.time(single, 132));
  CHECK(model.time(single, 264) <= model.time(single, 132));
}
