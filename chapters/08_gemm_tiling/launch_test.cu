#define main chapter_main  // not the main() of the test
#include "gemm_tiling.cu"
#undef main

#include "launch_test.hpp"

using course::test::GemmShape;

TEST_CASE("the naive launch function: shapes of all kinds, nothing touched beside them") {
  for (const int side : {32, 16}) {
    course::test::check_gemm_launcher(
        [side](auto... arguments) { launch_naive(arguments..., side); });
  }
}

TEST_CASE("the swapped launch function: shapes of all kinds, nothing touched beside them") {
  for (const int side : {32, 5}) {
    course::test::check_gemm_launcher(
        [side](auto... arguments) { launch_swapped(arguments..., side); });
  }
}

TEST_CASE("the tiled launch functions: shapes of all kinds, nothing touched beside them") {
  course::test::check_gemm_launcher(launch_tiled<16>);
  course::test::check_gemm_launcher(launch_tiled<32>);
}

TEST_CASE("tiles are 0 beyond the edge") {
  course::test::check_gemm_edge_of_k(launch_tiled<16>);
  course::test::check_gemm_edge_of_k(launch_tiled<32>);
}

TEST_CASE("the library's launch function: shapes of all kinds, nothing touched beside them") {
  course::device();
  cublasHandle_t handle = nullptr;
  CUDA_CHECK(cublasCreate(&handle));
  course::test::check_gemm_launcher(
      [&](auto... arguments) { launch_cublas(handle, arguments...); });
  CUDA_CHECK(cublasDestroy(handle));
}

// More rows, or columns, than one grid of small blocks covers: a block of one thread makes bands of
// 65535.
TEST_CASE("a matrix higher, or wider, than a grid") {
  course::device();
  course::test::check_gemm_launch({65540, 1, 2},
                                  [](auto... arguments) { launch_naive(arguments..., 1); });
  course::test::check_gemm_launch({1, 65540, 2},
                                  [](auto... arguments) { launch_swapped(arguments..., 1); });
  course::test::check_gemm_launch({1, 65540, 2}, launch_tiled<2>);
  course::test::check_gemm_launch({131075, 1, 2}, launch_tiled<2>);
}

// Where the sectors come from. A shift of B by half a sector gives each piece of it that a warp
// reads one sector more, and leaves those of A as they are; and the other way round.
TEST_CASE("traffic of A and of B apart: 8 and 8 with tiles of 16, 8 and 32 with tiles of 32") {
  course::device();
  if (!course::on_emulator) {
    std::puts("SKIPPED: traffic is counted on the emulator only");
    std::exit(77);
  }
  const int m = 64;
  const int n = 96;
  const int k = 160;
  const auto values = [](int count) { return course::exact_vector(count + 4, k); };
  course::DeviceArray<float> A(values(m * k));
  course::DeviceArray<float> B(values(k * n));
  course::DeviceArray<float> C(m * n);
  const auto sectors = [&](auto launch, int a_shift, int b_shift) {
    const course::Timing timing = TIME_EVENTS(course::Options(), C.poison(),
                                              launch(A + a_shift, B + b_shift, C + 0, m, n, k));
    return static_cast<long>(timing.traffic.global_load_sectors);
  };
  const long steps = m * n / 32 * k;  // of all warps
  // A row of 32 threads reads one piece of B a step, of 4 sectors; two rows of 16 read the same
  // piece, of 2. As tiles, both matrices come in one piece of 4 sectors, or two of 2.
  const auto check = [&](auto naive, auto tiled, int tile, long a_step, long b_step) {
    CAPTURE(tile);
    const long pieces = 32 / tile;  // a request of a tile
    const long of_naive_b = sectors(naive, 0, 4) - sectors(naive, 0, 0);
    CHECK(of_naive_b == steps);
    CHECK(sectors(naive, 0, 0) == a_step * steps + b_step * of_naive_b);
    const long of_tiled_a = (sectors(tiled, 4, 0) - sectors(tiled, 0, 0)) / pieces;
    const long of_tiled_b = (sectors(tiled, 0, 4) - sectors(tiled, 0, 0)) / pieces;
    CHECK(of_tiled_a == steps / tile);  // requests
    CHECK(of_tiled_b == steps / tile);
    CHECK(sectors(tiled, 0, 0) == 4 * of_tiled_a + 4 * of_tiled_b);
    CHECK(a_step * steps == 8 * (4 * of_tiled_a));
    CHECK(b_step * steps == (tile == 16 ? 8 : 32) * (4 * of_tiled_b));
  };
  const auto naive = [](int side) {
    return [side](auto... arguments) { launch_naive(arguments..., side); };
  };
  check(naive(16), launch_tiled<16>, 16, 2, 2);
  check(naive(32), launch_tiled<32>, 32, 1, 4);
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
  std::vector<GemmShape> shapes = course::test::mixed_gemm_shapes();
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
