/// @file
/// Support for tests that call a chapter's launch functions, which its command line reaches only
/// with the shapes and the memory that its program makes.
///
///     #define main chapter_main  // not the main() of the test
///     #include "constant.cu"
///     #undef main
///     #include "testing/launch_functions.hpp"
#pragma once

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

#include "device.hpp"
#include "gemm.hpp"
#include "sgemv.hpp"
#include "testing/awkward_shapes.hpp"
#include "testing/gemm_program.hpp"
#include "testing/guarded_array.hpp"

namespace course::testing {

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
    GuardedArray<float> A(problem.A);
    GuardedArray<float> x(problem.x);
    GuardedArray<float> y(rows);
    launch(A.data(), x.data(), y.data(), m, n);
    CUDA_CHECK(cudaDeviceSynchronize());
    const Verdict verdict = verify(y.to_host(), problem);
    CHECK_MESSAGE(verdict.passed, verdict.message);
    CHECK(A.intact());
    CHECK(x.intact());
    CHECK(y.intact());
  }
}

/// The same with awkward and with empty shapes.
template <class Launch>
void check_sgemv_launcher(Layout layout, Launch launch) {
  std::vector<std::pair<int, int>> shapes = awkward_shapes;
  shapes.insert(shapes.end(),
                {{0, 0}, {0, 7}, {7, 0}, {1, 4001}, {4001, 1}, {5, 40000}, {513, 130}});
  check_sgemv_shapes(layout, shapes, launch);
}

/// Calls launch(A, B, C, m, n, k), which is to compute C = A B, with one shape, and checks every
/// bit of C and the memory around all three.
template <class Launch>
void check_gemm_launch(const GemmShape& shape, Launch launch) {
  const auto [m, n, k] = shape;
  CAPTURE(m);
  CAPTURE(n);
  CAPTURE(k);
  const auto rows = static_cast<std::size_t>(m);
  const auto cols = static_cast<std::size_t>(n);
  const GemmProblem problem = make_gemm(Data::exact, rows, cols, static_cast<std::size_t>(k));
  GuardedArray<float> A(problem.A);
  GuardedArray<float> B(problem.B);
  GuardedArray<float> C(rows * cols);
  launch(A.data(), B.data(), C.data(), m, n, k);
  CUDA_CHECK(cudaDeviceSynchronize());
  const Verdict verdict = verify(C.to_host(), problem);
  CHECK_MESSAGE(verdict.passed, verdict.message);
  CHECK(A.intact());
  CHECK(B.intact());
  CHECK(C.intact());
}

/// The same with shapes of all kinds, empty ones too: with k = 0 every element of C is 0.
template <class Launch>
void check_gemm_launcher(Launch launch) {
  device();  // ends the test as skipped where there is none
  for (const GemmShape& shape : mixed_gemm_shapes()) check_gemm_launch(shape, launch);
  for (const GemmShape& shape : {GemmShape{0, 0, 0},
                                 {0, 5, 7},
                                 {5, 0, 7},
                                 {5, 7, 0},
                                 {0, 0, 7},
                                 {40, 70, 0},
                                 {1, 1, 4001},
                                 {1, 4001, 1},
                                 {4001, 1, 1}}) {
    check_gemm_launch(shape, launch);
  }
}

/// For chapters with many kernels: the shapes that each takes, empty and ragged ones, and more.
inline std::vector<GemmShape> few_gemm_shapes(const std::vector<GemmShape>& more) {
  std::vector<GemmShape> shapes = {{0, 0, 0}, {0, 5, 7}, {5, 0, 7},    {5, 7, 0},
                                   {1, 1, 1}, {1, 2, 3}, {33, 31, 32}, {127, 3, 257}};
  shapes.insert(shapes.end(), more.begin(), more.end());
  return shapes;
}

/// For kernels with tiles: what is in a tile beyond the edge of k must be 0 in A's and in B's.
/// With one of them alone a leftover of the tile before is multiplied by 0, and nobody sees it,
/// unless it is an infinity: 0 times that is not a number.
template <class Launch>
void check_gemm_edge_of_k(Launch launch) {
  device();
  constexpr std::size_t m = 40;
  constexpr std::size_t n = 50;
  constexpr std::size_t place = 5;  // the last tile, which reaches one step into k, does not
  const float infinity = std::numeric_limits<float>::infinity();
  for (const std::size_t k : {17, 33, 65}) {
    for (const bool in_A : {true, false}) {
      CAPTURE(k);
      CAPTURE(in_A);
      GemmProblem problem = make_gemm(Data::exact, m, n, k);
      (in_A ? problem.A.data()[7 * k + place] : problem.B.data()[place * n + 7]) = infinity;
      GuardedArray<float> A(problem.A);
      GuardedArray<float> B(problem.B);
      GuardedArray<float> C(m * n);
      launch(A.data(), B.data(), C.data(), int{m}, int{n}, static_cast<int>(k));
      const std::vector<float> result = C.to_host();
      std::size_t wrong = 0;
      for (std::size_t i = 0; i < m; ++i) {
        for (std::size_t j = 0; j < n; ++j) {
          const bool infinite = (in_A ? i : j) == 7;  // no element of exact data is 0
          wrong += infinite ? !std::isinf(result[i * n + j])
                            : result[i * n + j] != static_cast<float>(problem.reference[i * n + j]);
        }
      }
      CHECK(wrong == 0);
    }
  }
}

}  // namespace course::testing
