/// @file
/// Support for tests that call a chapter's launch functions, which its command line reaches only
/// with the shapes and the memory that its program makes.
///
///     #define main chapter_main  // not the main() of the test
///     #include "constant.cu"
///     #undef main
///     #include "launch_test.hpp"
#pragma once

#include <doctest/doctest.h>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "course.hpp"
#include "test_support.hpp"

namespace course::test {

/// An array on the device with poison on both sides of it. What is read there spoils a result, and
/// what is written there shows.
class GuardedArray {
 public:
  template <class Values>
  requires requires(const Values& values) { values.data(); }
  explicit GuardedArray(const Values& values) : size_(values.size()), array_(size_ + 2 * guard) {
    if (size_ != 0) {
      CUDA_CHECK(cudaMemcpy(data(), values.data(), size_ * sizeof(float), cudaMemcpyHostToDevice));
    }
  }
  explicit GuardedArray(std::size_t size) : size_(size), array_(size + 2 * guard) {}

  float* data() { return static_cast<float*>(array_) + guard; }

  std::vector<float> to_host() const {
    const std::vector<float> all = array_.to_host();
    return {all.begin() + guard, all.end() - guard};
  }

  /// Whether all the poison is still there: as a float it is a NaN.
  bool guards_untouched() const {
    const std::vector<float> all = array_.to_host();
    for (std::size_t k = 0; k < guard; ++k) {
      if (!std::isnan(all[k]) || !std::isnan(all[all.size() - 1 - k])) return false;
    }
    return true;
  }

 private:
  static constexpr std::size_t guard = 1024;  // a multiple of 64 keeps the alignment of cudaMalloc
  std::size_t size_;
  DeviceArray<float> array_;
};

/// Calls launch(A, x, y, m, n), which is to compute y = A x, and checks every bit of y and the
/// memory around all three.
template <class Launch>
void check_sgemv_shapes(Layout layout, const std::vector<std::pair<int, int>>& shapes,
                        Launch launch) {
  device();  // ends the test as skipped where there is none
  for (const auto& [m, n] : shapes) {
    CAPTURE(m);
    CAPTURE(n);
    const auto rows = static_cast<std::size_t>(m);
    const SgemvProblem problem = make_sgemv(Data::exact, rows, static_cast<std::size_t>(n), layout);
    GuardedArray A(problem.A);
    GuardedArray x(problem.x);
    GuardedArray y(rows);
    launch(A.data(), x.data(), y.data(), m, n);
    CUDA_CHECK(cudaDeviceSynchronize());
    const Verdict verdict = verify(y.to_host(), problem);
    CHECK_MESSAGE(verdict.passed, verdict.message);
    CHECK(A.guards_untouched());
    CHECK(x.guards_untouched());
    CHECK(y.guards_untouched());
  }
}

/// The same with awkward and with empty shapes.
template <class Launch>
void check_sgemv_launcher(Layout layout, Launch launch) {
  std::vector<std::pair<int, int>> shapes = awkward_shapes();
  shapes.insert(shapes.end(), {{0, 0}, {0, 7}, {7, 0}, {5, 40000}, {513, 130}});
  check_sgemv_shapes(layout, shapes, launch);
}

}  // namespace course::test
