#define main chapter_main  // not the main() of the test
#include "cublas_tour.cu"
#undef main

#include <doctest/doctest.h>

namespace {

struct Extents {
  int m, n, k;
};

// Odd, prime, flat, tall, one of each kind; and none.
const std::vector<Extents> shapes = {
    {1, 1, 1},   {1, 7, 3},    {7, 1, 3},   {7, 3, 1},  {2, 3, 5},    {31, 33, 32},
    {33, 31, 5}, {127, 17, 9}, {5, 257, 3}, {61, 2, 8}, {64, 48, 80}, {0, 0, 0},
    {0, 5, 3},   {5, 0, 3},    {5, 3, 0},   {0, 0, 7},  {37, 41, 43}};

// Takes a lesson at all shapes; what is wrong has been said on stderr.
template <class Lesson>
void check_lesson(Lesson lesson) {
  course::device();  // ends the test as skipped where there is none
  course::Options options;
  options.program = "16_cublas_tour";
  for (const Extents& shape : shapes) {
    CAPTURE(shape.m);
    CAPTURE(shape.n);
    CAPTURE(shape.k);
    course::Report report(options, course::CeilingKind::copy);
    Tour tour(options, report);
    lesson(tour, shape);
    CHECK(tour.all_right());
  }
}

}  // namespace

TEST_CASE("workflow: there and back, gaps as they were") {
  check_lesson([](Tour& tour, const Extents& e) { workflow(tour, e.m, e.n); });
}

TEST_CASE("settings: each by itself, and the handle is as it was") {
  check_lesson([](Tour& tour, const Extents& e) {
    settings(tour, e.m, e.n, e.k);
    cublasPointerMode_t pointers{};
    cublasAtomicsMode_t atomics{};
    cublasMath_t math{};
    CUDA_CHECK(cublasGetPointerMode(tour.handle(), &pointers));
    CUDA_CHECK(cublasGetAtomicsMode(tour.handle(), &atomics));
    CUDA_CHECK(cublasGetMathMode(tour.handle(), &math));
    CHECK(pointers == CUBLAS_POINTER_MODE_HOST);
    CHECK(atomics == CUBLAS_ATOMICS_NOT_ALLOWED);
    CHECK(math == CUBLAS_DEFAULT_MATH);
  });
}

TEST_CASE("level 1: every stride, also backwards") {
  check_lesson([](Tour& tour, const Extents& e) {
    vectors(tour, e.m);
    two_vectors(tour, e.n, -1, -1);
    two_vectors(tour, e.n, -3, -2);
  });
}

TEST_CASE("level 2: what may not be read is not") {
  check_lesson([](Tour& tour, const Extents& e) { matrix_vector(tour, e.m, e.n); });
}

TEST_CASE("level 2: bands of all widths, wider than the matrix, too") {
  check_lesson([](Tour& tour, const Extents& e) {
    for (const int below : {0, 1, 4}) {
      for (const int above : {0, 2, 5}) gbmv(tour, e.m, e.n, below, above);
    }
  });
}

TEST_CASE("level 3: what may not be written is not") {
  check_lesson([](Tour& tour, const Extents& e) { matrices(tour, e.m, e.n, e.k); });
}

TEST_CASE("batches: all at once is what one by one gives") {
  check_lesson([](Tour& tour, const Extents& e) { batches(tour, e.m, e.n, e.k); });
}

TEST_CASE("types: real, complex, narrow and mixed") {
  check_lesson([](Tour& tour, const Extents& e) { types(tour, e.m, e.n, e.k); });
}

TEST_CASE("cuBLASLt: the product, alone and with its epilogue") {
  check_lesson([](Tour& tour, const Extents& e) { lt(tour, e.m, e.n, e.k); });
}

// The page says so: no stride, no result, and no error.
TEST_CASE("level 1: a negative stride is none for functions of one vector") {
  course::device();
  cublasHandle_t handle = nullptr;
  CUDA_CHECK(cublasCreate(&handle));
  const course::DeviceArray<float> x(std::vector<float>{1, -2, 3});
  CHECK(index_of_largest(handle, 3, x, -1) == -1);
  CHECK(sum_of_absolutes(handle, 3, x, -1) == 0);
  CHECK(length(handle, 3, x, -1) == 0);
  CUDA_CHECK(cublasDestroy(handle));
}

// Fewer bits, a larger error; and not by chance: the same mode twice gives the same bits.
TEST_CASE("settings: what a mode with fewer bits costs") {
  course::device();
  constexpr int n = 96;
  cublasHandle_t handle = nullptr;
  CUDA_CHECK(cublasCreate(&handle));
  const course::DeviceArray<float> A(course::random_vector(n * n, 1));
  const course::DeviceArray<float> B(course::random_vector(n * n, 2));
  const auto product = [&](const Precision& precision) {
    course::DeviceArray<float> C(n * n);
    multiply_as(handle, precision, n, n, n, A, B, C);
    return C.to_host();
  };
  const std::vector<float> exact = product(precisions[0]);
  CHECK(product(precisions[0]) == exact);
  const auto difference = [&](const Precision& precision) {
    const std::vector<float> C = product(precision);
    double largest = 0;
    for (size_t e = 0; e < C.size(); ++e) {
      largest = std::max(largest, std::fabs(static_cast<double>(C[e]) - exact[e]));
    }
    return largest;
  };
  CHECK(difference(precisions[1]) < 1e-4);
  CHECK(difference(precisions[2]) > 1e-4);
  CHECK(difference(precisions[3]) > 1e-4);
  CHECK(difference(precisions[4]) > 1e-4);
  CHECK(difference(precisions[5]) > 1e-3);
  CUDA_CHECK(cublasDestroy(handle));
}
