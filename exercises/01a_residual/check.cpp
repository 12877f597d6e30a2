// The checks of exercise 01a. The function under test is in residual.cu.

#include "checks/exercise.hpp"

void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n);

namespace {

namespace exercise = course::exercise;
using exercise::Counter;

/// r = b - A x with rows of A that are lda elements apart and NaN in between.
class Problem {
 public:
  Problem(int m, int n, int gap)
      : m_(m),
        n_(n),
        lda_(n + gap),
        A_(exercise::matrix_with_gaps(size(m), size(n), size(lda_), terms())),
        x_(course::exact_vector(size(n), terms(), 2)),
        b_(course::exact_vector(size(m), terms(), 3)),
        device_A_(A_),
        device_x_(x_),
        device_b_(b_),
        device_r_(size(m)) {}

  void run() {
    device_r_.poison();
    launch_residual(device_A_.data(), lda_, device_x_.data(), device_b_.data(), device_r_.data(),
                    m_, n_);
  }

  std::string where() const {
    return "m = " + std::to_string(m_) + ", n = " + std::to_string(n_) +
           ", lda = " + std::to_string(lda_);
  }

  void expect_right() const {
    std::vector<double> expected(b_.begin(), b_.end());
    for (std::size_t i = 0; i < size(m_); ++i) {
      for (std::size_t j = 0; j < size(n_); ++j) {
        expected[i] -= double{A_[i * size(lda_) + j]} * double{x_[j]};
      }
    }
    exercise::expect_exact(device_r_.to_host(), expected, where());
    exercise::expect_intact(device_r_.intact(), "r", where());
  }

 private:
  static std::size_t size(int count) { return static_cast<std::size_t>(count); }
  /// How many products are added up for an element; b counts as one.
  std::size_t terms() const { return size(n_) + 1; }

  int m_;
  int n_;
  int lda_;
  std::vector<float> A_;
  std::vector<float> x_;
  std::vector<float> b_;
  exercise::Array<float> device_A_;
  exercise::Array<float> device_x_;
  exercise::Array<float> device_b_;
  exercise::Array<float> device_r_;
};

}  // namespace

TEST_CASE("correct: every bit at awkward shapes") {
  for (const auto& [m, n] : exercise::awkward_shapes) {
    for (const int gap : {0, 5}) {
      Problem problem(m, n, gap);
      exercise::run([&] { problem.run(); });
      problem.expect_right();
    }
  }
}

TEST_CASE("correct: empty shapes") {
  for (const int m : {0, 1, 200}) {
    Problem problem(m, 0, 3);
    // No rows: nothing to launch.
    if (m == 0) {
      problem.run();
      CUDA_CHECK(cudaDeviceSynchronize());
    } else {
      exercise::run([&] { problem.run(); }, exercise::Kernels::if_needed);
    }
    problem.expect_right();
  }
}

TEST_CASE("safe: nothing outside the arrays is touched") {
  for (const auto& [m, n] : {std::pair{1, 1}, {33, 31}, {129, 40}, {300, 7}}) {
    Problem problem(m, n, 3);
    exercise::run([&] { problem.run(); });
    problem.expect_right();
    exercise::expect_no_findings();
  }
}

TEST_CASE("efficient: one store per row and two loads per term") {
  const int n = 4 * exercise::drawn(50, 53, 62);  // whole float4s, for those who load them
  const auto terms = static_cast<std::uint64_t>(n);
  Problem problem(128, n, 0);
  const exercise::Run run = exercise::run([&] { problem.run(); });
  problem.expect_right();
  if (!course::on_emulator) {
    exercise::skip(
        "requests are counted on the emulator only; on a GPU the caches hide most of the cost of a "
        "sum in memory, and the block size changes the time as much");
    return;
  }
  const std::string read = "chapters/01_global/README.md";
  // 4 warps: b, and for each term an element of A and one of x.
  exercise::expect_at_most(run,
                           {.counter = Counter::global_load_requests,
                            .limit = 4 * (1 + 2 * terms),
                            .model = 4 * (1 + 2 * terms),
                            .naive = 4 * (1 + 3 * terms),
                            .why = "A row needs each of its elements once, x once, and b once; the "
                                   "sum lives in a register. The limit leaves no slack.",
                            .read = read});
  exercise::expect_at_most(run,
                           {.counter = Counter::global_store_requests,
                            .limit = 4,
                            .model = 4,
                            .naive = 4 * (1 + terms),
                            .why = "One store a warp is enough: each thread writes its element "
                                   "once, when the sum is complete.",
                            .read = read});
}
