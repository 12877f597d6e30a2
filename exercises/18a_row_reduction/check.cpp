// The checks of exercise 18a. The kernel under test is in row_reduction.cl.

#include "checks/opencl.hpp"

namespace {

namespace exercise = course::exercise;

/// A matrix whose rows are to be added up by work-groups of `group`.
struct Shape {
  std::size_t rows;
  std::size_t cols;
  std::size_t group;
};

/// What the kernel makes of a matrix.
class Sums {
 public:
  Sums(const Shape& shape, const std::vector<float>& A)
      : A_(opencl_, A), sums_(opencl_, shape.rows) {
    opencl_.run("row_sums", cl::NDRange(shape.rows * shape.group), cl::NDRange(shape.group),
                A_.buffer(), sums_.buffer(), cl::Local(shape.group * sizeof(float)),
                static_cast<cl_int>(shape.cols));
  }

  std::vector<float> get() const { return sums_.to_host(); }
  bool intact() const { return sums_.intact() && A_.intact(); }
  std::vector<float> A() const { return A_.to_host(); }

 private:
  exercise::OpenCl opencl_;
  exercise::OpenClArray<float> A_;
  exercise::OpenClArray<float> sums_;
};

std::string words(const Shape& shape) {
  return std::to_string(shape.rows) + " rows of " + std::to_string(shape.cols) +
         ", work-groups of " + std::to_string(shape.group);
}

/// Small whole numbers: every sum is exact in every order.
Sums expect_right(const Shape& shape) {
  const std::vector<float> A = course::exact_vector(shape.rows * shape.cols, shape.cols + 1, 1);
  std::vector<double> expected(shape.rows);
  for (std::size_t i = 0; i < A.size(); ++i) expected[i / shape.cols] += double{A[i]};
  Sums sums(shape, A);
  exercise::expect_exact(sums.get(), expected, words(shape));
  return sums;
}

}  // namespace

TEST_CASE("correct: rows as long as a work-group") {
  if (exercise::no_opencl()) return;
  for (const Shape& shape : {Shape{1, 64, 64}, {7, 64, 64}, {33, 128, 128}, {5, 1, 1}}) {
    expect_right(shape);
  }
}

TEST_CASE("correct: every bit at awkward sizes and groups") {
  if (exercise::no_opencl()) return;
  for (const Shape& shape : {Shape{3, 1, 64},
                             {2, 31, 32},
                             {31, 33, 32},
                             {5, 257, 64},
                             {9, 1009, 256},
                             {127, 2, 2},
                             {4, 100, 1},
                             {1, 4099, 128}}) {
    expect_right(shape);
  }
}

TEST_CASE("correct: rows without elements") {
  if (exercise::no_opencl()) return;
  expect_right({6, 0, 32});
}

TEST_CASE("safe: nothing but the sums is written") {
  if (exercise::no_opencl()) return;
  for (const Shape& shape : {Shape{1, 64, 64}, {13, 70, 32}, {3, 5, 256}}) {
    const Sums sums = expect_right(shape);
    exercise::expect_intact(sums.intact(), "sums", words(shape));
    CHECK_MESSAGE(sums.A() == course::exact_vector(shape.rows * shape.cols, shape.cols + 1, 1),
                  "A was written, but must only be read");
  }
}

// A float has 24 bits: 2^24 + 1 is rounded to 2^24. So it shows what was added to what.
TEST_CASE("efficient: all work-items share a row and neighbours read neighbours") {
  if (exercise::no_opencl()) return;
  expect_right({3, 1000, 64});
  const Shape shape{1, 4096, 64};
  constexpr float large = 16777216.0F;
  std::vector<float> ones(4096, 1.0F);
  ones[0] = large;
  const float shared = Sums(shape, ones).get()[0];
  if (shared < large + 4000) {
    FAIL(
        "too much of a row is added up by one work-item. 64 of them should have 64 elements each.");
  }
  std::vector<float> few(4096, 0.0F);  // work-item 0 has the large number, and all of the ones
  for (std::size_t i = 64; i < few.size(); i += 64) few[i] = 1.0F;
  few[0] = large;
  if (Sums(shape, few).get()[0] != large) {
    FAIL("work-item 0 of 64 should have the elements 0, 64, 128 and so on of its row: then 32 ",
         "work-items beside each other read 32 neighbours at a time.");
  }
}
