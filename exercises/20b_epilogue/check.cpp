// The checks of exercise 20b. The function under test is in epilogue.cu.

#include <cmath>

#include "checks/exercise.hpp"
#include "checks/product.hpp"

void launch_layer(const float* A, const float* B, const float* bias, float* C, int m, int n, int k,
                  float alpha, float beta);

namespace {

namespace exercise = course::exercise;
using exercise::Counter;

using Shape = exercise::ProductShape;

/// C = max(0, alpha A B + bias + beta C), with whole numbers throughout: nothing rounds.
class Problem {
 public:
  Problem(const Shape& shape, float alpha, float beta)
      : shape_(shape),
        alpha_(alpha),
        beta_(beta),
        A_(course::exact_vector(size(shape.m) * size(shape.k), size(shape.k), 1)),
        B_(course::exact_vector(size(shape.k) * size(shape.n), size(shape.k), 2)),
        bias_(course::exact_vector(size(shape.n), 1, 3)),
        before_(course::exact_vector(size(shape.m) * size(shape.n), 1, 4)),
        device_A_(A_),
        device_B_(B_),
        device_bias_(bias_),
        device_C_(before_) {}

  void run() {
    if (beta_ == 0.0F) {
      device_C_.poison();  // reading it gives what is not a number
    } else {
      CUDA_CHECK(cudaMemcpy(device_C_.data(), before_.data(), before_.size() * sizeof(float),
                            cudaMemcpyHostToDevice));
    }
    launch_layer(device_A_.data(), device_B_.data(), device_bias_.data(), device_C_.data(),
                 shape_.m, shape_.n, shape_.k, alpha_, beta_);
  }

  void expect_right() const {
    const std::size_t m = size(shape_.m);
    const std::size_t n = size(shape_.n);
    const std::size_t k = size(shape_.k);
    std::vector<double> expected(m * n);
    for (std::size_t i = 0; i < m; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        double sum = 0.0;
        for (std::size_t p = 0; p < k; ++p) sum += double{A_[i * k + p]} * double{B_[p * n + j]};
        const double old = beta_ == 0.0F ? 0.0 : double{beta_} * double{before_[i * n + j]};
        expected[i * n + j] = std::max(0.0, double{alpha_} * sum + double{bias_[j]} + old);
      }
    }
    const std::string where =
        exercise::in_words(shape_) + ", beta = " + std::to_string(static_cast<int>(beta_));
    exercise::expect_exact(device_C_.to_host(), expected, m, n, where);
    exercise::expect_intact(device_C_.intact(), "C", where);
  }

 private:
  static std::size_t size(int count) { return static_cast<std::size_t>(count); }

  Shape shape_;
  float alpha_;
  float beta_;
  std::vector<float> A_;
  std::vector<float> B_;
  std::vector<float> bias_;
  std::vector<float> before_;
  exercise::Array<float> device_A_;
  exercise::Array<float> device_B_;
  exercise::Array<float> device_bias_;
  exercise::Array<float> device_C_;
};

void check(const Shape& shape, float alpha, float beta) {
  Problem problem(shape, alpha, beta);
  exercise::run([&] { problem.run(); });
  problem.expect_right();
}

}  // namespace

TEST_CASE("correct: beta is 0 and C may hold anything") {
  for (const Shape& shape :
       {Shape{32, 32, 32}, {64, 96, 64}, {1, 1, 1}, {3, 70, 29}, {70, 5, 65}}) {
    check(shape, 1.0F, 0.0F);
    check(shape, -2.0F, 0.0F);
  }
}

TEST_CASE("correct: alpha and beta and empty sums") {
  for (const Shape& shape :
       {Shape{32, 64, 32},
        {31, 33, 40},
        {5, 70, 33},
        {40, 45, 127},
        {exercise::drawn(45, 34, 90), exercise::drawn(70, 34, 90), exercise::drawn(50, 34, 90)}}) {
    check(shape, 2.0F, -3.0F);
    check(shape, 1.0F, 1.0F);
  }
  check({20, 33, 0}, 2.0F, 1.0F);
  check({20, 33, 0}, 2.0F, 0.0F);
  for (const Shape& shape : {Shape{0, 7, 5}, {7, 0, 5}}) {  // nothing to launch
    Problem problem(shape, 1.0F, 1.0F);
    problem.run();
    CUDA_CHECK(cudaDeviceSynchronize());
    problem.expect_right();
  }
}

TEST_CASE("safe: nothing outside the arrays is touched") {
  for (const Shape& shape : {Shape{32, 32, 64}, {3, 5, 25}, {33, 70, 40}}) {
    for (const float beta : {0.0F, 2.0F}) {
      Problem problem(shape, 1.0F, beta);
      exercise::run([&] { problem.run(); });
      problem.expect_right();
      exercise::expect_no_findings();
    }
  }
}

TEST_CASE("efficient: C is written once and read only with beta") {
  if (!course::on_emulator) return;  // counted there, and the same for any GPU
  const std::string read = "chapters/20_gemm_pipeline/README.md, 'What a thread does at the end'";
  const std::uint64_t warps_rows = 64 * 96 / 32;  // rows of a warp's 32 elements of C
  const int steps = exercise::drawn(4, 5, 7);
  const std::uint64_t of_tiles = warps_rows * static_cast<std::uint64_t>(steps) * 2 * 4;
  const std::uint64_t of_bias = warps_rows / 4 * 4;  // one number for four rows
  for (const float beta : {0.0F, 2.0F}) {
    Problem problem({64, 96, 32 * steps}, 1.0F, beta);
    const exercise::Run run = exercise::run([&] { problem.run(); });
    problem.expect_right();
    const std::uint64_t of_C = beta == 0.0F ? 0 : warps_rows * 4;
    exercise::expect_at_most(
        run, {.counter = Counter::global_load_sectors,
              .limit = of_tiles + of_bias + of_C,
              .model = of_tiles + of_bias + of_C,
              .naive = of_tiles + 2 * warps_rows * 4,
              .why = "Besides the tiles, a thread needs one number of the bias for all its rows. C "
                     "is read only if beta is not 0; a second kernel would read it again.",
              .read = read});
    exercise::expect_at_most(run, {.counter = Counter::global_store_sectors,
                                   .limit = warps_rows * 4,
                                   .model = warps_rows * 4,
                                   .naive = 2 * warps_rows * 4,
                                   .why = "Each element of C is written once, with its last value.",
                                   .read = read});
  }
}
