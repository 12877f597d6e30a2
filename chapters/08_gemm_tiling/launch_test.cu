#define main chapter_main  // not the main() of the test
#include "gemm_tiling.cu"
#undef main

#include "testing/launch_functions.hpp"

using course::testing::GemmShape;

TEST_CASE("the naive launch function: shapes of all kinds, nothing touched beside them") {
  for (const int side : {32, 16}) {
    course::testing::check_gemm_launcher(
        [side](auto... arguments) { launch_naive(arguments..., side); });
  }
}

TEST_CASE("the swapped launch function: shapes of all kinds, nothing touched beside them") {
  for (const int side : {32, 5}) {
    course::testing::check_gemm_launcher(
        [side](auto... arguments) { launch_swapped(arguments..., side); });
  }
}

TEST_CASE("the tiled launch functions: shapes of all kinds, nothing touched beside them") {
  course::testing::check_gemm_launcher(launch_tiled<16>);
  course::testing::check_gemm_launcher(launch_tiled<32>);
}

TEST_CASE("tiles are 0 beyond the edge") {
  course::testing::check_gemm_edge_of_k(launch_tiled<16>);
  course::testing::check_gemm_edge_of_k(launch_tiled<32>);
}

TEST_CASE("the library's launch function: shapes of all kinds, nothing touched beside them") {
  course::device();
  cublasHandle_t handle = nullptr;
  CUDA_CHECK(cublasCreate(&handle));
  course::testing::check_gemm_launcher(
      [&](auto... arguments) { launch_cublas(handle, arguments...); });
  CUDA_CHECK(cublasDestroy(handle));
}

// More rows, or columns, than one grid of small blocks covers: a block of one thread makes bands of
// 65535.
TEST_CASE("a matrix higher, or wider, than a grid") {
  course::device();
  course::testing::check_gemm_launch({65540, 1, 2},
                                     [](auto... arguments) { launch_naive(arguments..., 1); });
  course::testing::check_gemm_launch({1, 65540, 2},
                                     [](auto... arguments) { launch_swapped(arguments..., 1); });
  course::testing::check_gemm_launch({1, 65540, 2}, launch_tiled<2>);
  course::testing::check_gemm_launch({131075, 1, 2}, launch_tiled<2>);
}

TEST_CASE("the CPU's products: every bit, at shapes of all kinds") {
  const auto run = [](auto function, const GemmShape& shape) {
    CAPTURE(shape.m);
    CAPTURE(shape.n);
    CAPTURE(shape.k);
    const auto m = static_cast<size_t>(shape.m);
    const auto n = static_cast<size_t>(shape.n);
    const auto k = static_cast<size_t>(shape.k);
    const course::GemmProblem problem = course::make_gemm(course::Data::exact, m, n, k);
    const size_t guard = 64;
    std::vector<float> C(m * n + 2 * guard, std::nanf(""));
    function(problem.A.data(), problem.B.data(), C.data() + guard, m, n, k);
    for (size_t i = 0; i < guard; ++i) {
      REQUIRE(std::isnan(C[i]));
      REQUIRE(std::isnan(C[C.size() - 1 - i]));
    }
    const std::vector<float> inside(C.begin() + guard, C.end() - guard);
    const course::Verdict verdict = verify(inside, problem);
    CHECK_MESSAGE(verdict.passed, verdict.message);
  };
  std::vector<GemmShape> shapes = course::testing::mixed_gemm_shapes();
  shapes.insert(shapes.end(), {{5, 7, 0}, {0, 7, 5}, {7, 0, 5}, {1, 2, 3}});
  for (const GemmShape& shape : shapes) {
    run(cpu_naive, shape);
    run(cpu_reordered, shape);
    for (const int threads : {1, 2, 3, 16}) {
      run([=](auto... arguments) { cpu_columns(arguments..., threads); }, shape);
    }
    if (has_openblas() && shape.m * shape.n * shape.k != 0) {
      run([](auto... arguments) { cpu_openblas(arguments..., 2); }, shape);
    }
  }
}
