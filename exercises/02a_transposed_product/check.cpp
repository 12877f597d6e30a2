// The checks of exercise 02a. The function under test is in transposed_product.cu.

#include "checks/exercise.hpp"

void launch_transposed_product(const float* A, const float* x, float* y, int m, int n);

namespace {

namespace exercise = course::exercise;
using exercise::Counter;

const std::string read_idea = "chapters/02_coalesced/README.md, 'The idea'";
const std::string read_asked = "exercises/02a_transposed_product/README.md, 'What is asked'";

/// y = A^T x with A of m x n, row-major.
class Problem {
 public:
  Problem(int m, int n)
      : m_(m),
        n_(n),
        A_(make_matrix()),
        x_(course::exact_vector(size(m), size(m), 2)),
        device_A_(A_),
        device_x_(x_),
        device_y_(size(n)) {}

  exercise::Run run() {
    INFO(where());
    device_y_.poison();
    // An empty sum may be set without a kernel.
    return exercise::run([&] { call(); }, exercise::kernels_for(m_));
  }

  /// The launch alone, for shapes that need none.
  void call() {
    launch_transposed_product(device_A_.data(), device_x_.data(), device_y_.data(), m_, n_);
  }

  void expect_right() const {
    std::vector<double> expected(size(n_), 0.0);
    for (std::size_t i = 0; i < size(m_); ++i) {
      const float* const row = A_.data() + i * size(n_);
      for (std::size_t j = 0; j < size(n_); ++j) expected[j] += double{row[j]} * double{x_[i]};
    }
    exercise::expect_exact(device_y_.to_host(), expected,
                           where() + ", row j of the result being y(j)");
    exercise::expect_intact(device_y_.intact(), "y", where());
  }

 private:
  static std::size_t size(int count) { return static_cast<std::size_t>(count); }

  std::string where() const { return "m = " + std::to_string(m_) + ", n = " + std::to_string(n_); }

  std::vector<float> make_matrix() const {
    std::vector<float> A(size(m_) * size(n_));
    course::fill_matrix(A.data(), size(m_), size(n_), course::Layout::row_major,
                        course::ExactValues(size(m_)));
    return A;
  }

  int m_;
  int n_;
  std::vector<float> A_;
  std::vector<float> x_;
  exercise::Array<float> device_A_;
  exercise::Array<float> device_x_;
  exercise::Array<float> device_y_;
};

/// Whose traffic is counted: n is a multiple of 8, so that every row of A starts on a sector, and
/// of 1024, so that every thread has all its columns.
const int counted_m = exercise::drawn(60, 64, 80);
constexpr int counted_n = 2048;
/// Turns of a warp through the loop over the rows, each with 8 columns per lane.
const std::uint64_t turns =
    std::uint64_t{counted_n} / (32 * 8) * static_cast<std::uint64_t>(counted_m);

}  // namespace

TEST_CASE("correct: every bit at awkward shapes") {
  for (const auto& [m, n] : exercise::awkward_shapes) {
    Problem problem(m, n);
    problem.run();
    problem.expect_right();
  }
  // Around a block's 1024 columns.
  for (const int n : {1023, 1024, 1025, 1153, 2500}) {
    Problem problem(7, n);
    problem.run();
    problem.expect_right();
  }
}

TEST_CASE("correct: empty shapes") {
  for (const int n : {0, 1, 1100}) {
    Problem problem(0, n);
    // No columns: nothing to launch.
    if (n == 0) {
      problem.call();
      CUDA_CHECK(cudaDeviceSynchronize());
    } else {
      problem.run();
    }
    problem.expect_right();
  }
}

TEST_CASE("safe: nothing outside the arrays is touched and every launch is a valid one") {
  for (const auto& [m, n] : {std::pair{1, 1}, {5, 129}, {3, 1000}, {2, 2050}}) {
    Problem problem(m, n);
    problem.run();
    problem.expect_right();
  }
  // Nothing to launch: a launch that fails and that nobody looks at is found as well.
  Problem empty(4, 0);
  empty.call();
  empty.expect_right();
  exercise::expect_no_findings();
}

TEST_CASE("efficient: the lanes of a warp read neighbours") {
  Problem problem(counted_m, counted_n);
  const exercise::Run run = problem.run();
  problem.expect_right();
  if (!course::on_emulator) {
    exercise::skip(
        "sectors are counted on the emulator only; on a GPU the level-1 cache keeps them "
        "until the other columns in them are asked for, and the time hardly shows how "
        "often that was");
    return;
  }
  exercise::expect_at_most(
      run, {.counter = Counter::global_store_requests,
            .limit = std::uint64_t{counted_n} / 32,
            .model = std::uint64_t{counted_n} / 32,
            .naive = 0,
            .why = "Each element of y is written once, by one thread: n / 32 requests. More are "
                   "needed where two threads have the same column (do the first column of a block "
                   "and the number of blocks agree?) or where the sums are kept in y.",
            .read = read_asked});
  exercise::expect_at_most(
      run, {.counter = Counter::global_load_sectors,
            .limit = turns * (8 * 4 + 8),  // x may even be loaded again for each column
            .model = turns * (8 * 4 + 1),
            .naive = turns * (8 * 32 + 1),
            .why = "Per warp and row of A: eight requests of 32 neighbouring floats, 4 sectors "
                   "each, and x(i), 1 sector; up to 40 in all pass. The columns that must be "
                   "neighbours are those that the 32 lanes read in one step, not a thread's own.",
            .read = read_idea});
}

TEST_CASE("efficient: one load of x serves eight columns") {
  Problem problem(counted_m, counted_n);
  const exercise::Run run = problem.run();
  problem.expect_right();
  if (!course::on_emulator) {
    exercise::skip(
        "requests are counted on the emulator only; on a GPU the level-1 cache answers "
        "those for x, and the time hardly shows them");
    return;
  }
  exercise::expect_at_most(run,
                           {.counter = Counter::global_load_requests,
                            .limit = turns * (8 + 2),
                            .model = turns * (8 + 1),
                            .naive = turns * (8 + 8),
                            .why = "Per warp and row of A: eight requests for A and one for x(i); "
                                   "one more passes. x(i) is the same for all columns, so load it "
                                   "once, into a variable, before the loop over the eight columns.",
                            .read = read_asked});
}
