#define main chapter_main  // not the main() of the test
#include "gemm_registers.cu"
#undef main

#include <algorithm>

#include "testing/launch_functions.hpp"

using course::testing::GemmShape;

TEST_CASE("the launch functions: shapes of all kinds, nothing touched beside them") {
  for (const course::GemmRung& kernel : kernels) {
    CAPTURE(kernel.name);
    course::testing::check_gemm_launcher(kernel.launch);
    course::testing::check_gemm_edge_of_k(kernel.launch);
  }
}

// n and k are multiples of 4, so loads have 16 bytes; whole tiles, and tiles that are not full.
const std::vector<GemmShape> wide_shapes = {{128, 128, 32}, {1, 4, 4},      {257, 132, 36},
                                            {3, 300, 20},   {130, 64, 100}, {65, 260, 4}};

TEST_CASE("loads of 16 bytes: whole tiles, and tiles that are not full") {
  course::device();
  for (const course::GemmRung& kernel : kernels) {
    CAPTURE(kernel.name);
    for (const GemmShape& shape : wide_shapes)
      course::testing::check_gemm_launch(shape, kernel.launch);
  }
}

// A, or B, begins 4 bytes beyond a multiple of 16: a load of 16 bytes would be an error.
TEST_CASE("matrices that begin anywhere") {
  course::device();
  const int m = 70, n = 36, k = 20;
  for (const bool in_A : {true, false}) {
    const course::GemmProblem problem = course::make_gemm(course::Data::exact, m, n, k);
    const auto shifted = [](const auto& values, bool by_one) {
      std::vector<float> all(values.size() + (by_one ? 1 : 0), std::nanf(""));
      std::copy_n(values.data(), values.size(), all.data() + (by_one ? 1 : 0));
      return course::DeviceArray<float>(all);
    };
    const course::DeviceArray<float> A = shifted(problem.A, in_A);
    const course::DeviceArray<float> B = shifted(problem.B, !in_A);
    course::DeviceArray<float> C(problem.m * problem.n);
    for (const course::GemmRung& kernel : kernels) {
      CAPTURE(kernel.name);
      C.poison();
      kernel.launch(A + (in_A ? 1 : 0), B + (in_A ? 0 : 1), C, m, n, k);
      const course::Verdict verdict = course::verify(C.to_host(), problem);
      CHECK_MESSAGE(verdict.passed, verdict.message);
    }
  }
}

template <int R, int C>
void check_work() {
  CAPTURE(R);
  CAPTURE(C);
  for (const GemmShape& shape : {GemmShape{1, 1, 1},
                                 {16 * R, 16 * C, 16},
                                 {70, 90, 33},
                                 {16 * R + 4, 16 * C + 4, 20},
                                 {300, 5, 7}}) {
    course::testing::check_gemm_launch(shape, launch_early<R, C, InGroups>);
  }
}

TEST_CASE("threads with other numbers of sums") {
  course::device();
  check_work<4, 4>();
  check_work<4, 8>();
  check_work<8, 4>();
  check_work<8, 16>();
  check_work<16, 8>();
}

// Every tile once, whatever the grid: groups of eight rows of tiles, the last of them smaller.
TEST_CASE("block order: every tile of C is some block's") {
  for (const int down : {1, 7, 8, 9, 16, 21}) {
    for (const int across : {1, 2, 5}) {
      CAPTURE(down);
      CAPTURE(across);
      std::vector<int> seen(static_cast<size_t>(down * across));
      for (int block = 0; block < down * across; ++block) {
        const int2 tile = InGroups::tile(block, down, across);
        REQUIRE(tile.x < down);
        REQUIRE(tile.y < across);
        ++seen[static_cast<size_t>(tile.x * across + tile.y)];
      }
      CHECK(seen == std::vector<int>(seen.size(), 1));
    }
  }
  course::testing::check_gemm_launch({16 * 64 + 5, 70, 9}, launch_early<4, 4, InGroups>);
}

// A kernel with blocks of one row makes bands of 65535.
__global__ void copy_row(const float* A, const float*, float* C, int m, int, int) {
  if (blockIdx.y < static_cast<unsigned>(m)) C[blockIdx.y] = A[blockIdx.y];
}

TEST_CASE("a matrix higher than a grid") {
  course::device();
  const std::vector<float> rows = course::exact_vector(65540, 1);
  const course::DeviceArray<float> A(rows);
  course::DeviceArray<float> C(rows.size());
  launch_bands(copy_row, 1, 1, A, A, C, 65540, 1, 1);
  CHECK(C.to_host() == rows);
}
