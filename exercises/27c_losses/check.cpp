// The checks of exercise 27c. The function under test is in losses.cu.

#include <algorithm>
#include <cmath>

#include "checks/exercise.hpp"

void launch_losses(const float* x, const int* targets, int rows, int cols, float* losses);

namespace {

namespace exercise = course::exercise;
using exercise::Counter;

/// Rows of numbers around `offset`, up to `width` away from it. Every `ignored`-th row does not
/// count; 0: all count.
class Problem {
 public:
  Problem(int rows, int cols, float offset, float width, int ignored = 0)
      : rows_(rows),
        cols_(cols),
        x_(numbers(rows, cols, offset, width)),
        targets_(some_targets(rows, cols, ignored)),
        device_x_(x_),
        device_targets_(targets_),
        losses_(static_cast<std::size_t>(rows)) {}

  void run() {
    losses_.poison();
    launch_losses(device_x_.data(), device_targets_.data(), rows_, cols_, losses_.data());
  }

  void expect_right() const {
    const std::vector<float> losses = losses_.to_host();
    for (std::size_t row = 0; row < losses.size(); ++row) {
      const double expected = loss_of(row);
      if (std::abs(double{losses[row]} - expected) <= 2e-5 * (1 + expected)) continue;
      FAIL("with rows = ", rows_, ", cols = ", cols_, " the loss of row ", row, " is ", losses[row],
           " instead of ", expected, "; its target is ", targets_[row], ". ",
           cause(losses[row], row));
    }
    exercise::expect_intact(losses_.intact(), "losses", "rows = " + std::to_string(rows_));
    if (device_x_.to_host() != x_) FAIL("x was written to. It must only be read.");
  }

 private:
  static std::vector<float> numbers(int rows, int cols, float offset, float width) {
    const course::RandomBits bits(273);
    std::vector<float> x(static_cast<std::size_t>(rows) * static_cast<std::size_t>(cols));
    for (std::size_t i = 0; i < x.size(); ++i) {
      x[i] = offset + width * (static_cast<float>(bits(i) % 2049) / 1024.0F - 1.0F);
    }
    return x;
  }
  static std::vector<int> some_targets(int rows, int cols, int ignored) {
    const course::RandomBits bits(274);
    std::vector<int> targets(static_cast<std::size_t>(rows));
    for (std::size_t i = 0; i < targets.size(); ++i) {
      targets[i] = static_cast<int>(bits(i) % static_cast<std::uint64_t>(cols));
      if (ignored > 0 && i % static_cast<std::size_t>(ignored) == 0) targets[i] = -1;
    }
    return targets;
  }
  double loss_of(std::size_t row) const {
    if (targets_[row] < 0) return 0;
    const auto* const begin = x_.data() + row * static_cast<std::size_t>(cols_);
    const double max = double{*std::max_element(begin, begin + cols_)};
    double sum = 0;
    for (int j = 0; j < cols_; ++j) sum += std::exp(double{begin[j]} - max);
    return std::log(sum) + max - double{begin[targets_[row]]};
  }
  std::string cause(float got, std::size_t row) const {
    if (targets_[row] < 0) return "This row does not count: its loss is 0";
    if (std::isnan(got)) return "Infinity less infinity is a NaN: which part has no element?";
    if (std::isinf(got)) return "A power overflowed, or was rounded to 0 before its logarithm";
    return "Is every element in the sum once, relative to one maximum?";
  }

  int rows_, cols_;
  std::vector<float> x_;
  std::vector<int> targets_;
  exercise::Array<float> device_x_;
  exercise::Array<int> device_targets_;
  exercise::Array<float> losses_;
};

void check(int rows, int cols, float offset, float width, int ignored = 0) {
  Problem problem(rows, cols, offset, width, ignored);
  exercise::run([&] { problem.run(); });
  problem.expect_right();
}

}  // namespace

TEST_CASE("correct: rows of all lengths") {
  for (const int cols : {1, 2, 31, 33, 255, 256, 257, 1009, exercise::drawn(700, 258, 3000)}) {
    check(4, cols, 0, 5);
  }
  check(2, 13001, 0, 5);  // longer than what fits into a block's 48 KB of shared memory
  Problem nothing(0, 10, 0, 5);
  exercise::run([&] { nothing.run(); }, exercise::Kernels::if_needed);
}

TEST_CASE("correct: numbers far from 0 and far from each other") {
  check(5, 500, 1000, 8);
  check(5, 500, -1000, 8);
  check(40, 300, 0, 200);
}

TEST_CASE("correct: rows that do not count") {
  check(9, 300, 0, 5, 2);
  check(3, 40, 0, 5, 1);
}

TEST_CASE("safe: nobody reads too early or out of bounds") {
  for (const int cols : {1, 33, 300, 1009}) {
    Problem problem(5, cols, 0, 5, 3);
    exercise::in_every_order([&](const std::string&) {
      exercise::run([&] { problem.run(); });
      problem.expect_right();
    });
    exercise::expect_no_findings();
  }
}

TEST_CASE("efficient: the matrix is read once and nothing as large is written") {
  const auto rows = static_cast<std::uint64_t>(exercise::drawn(16, 17, 20));
  const auto cols = 8 * static_cast<std::uint64_t>(exercise::drawn(512, 520, 560));
  const std::uint64_t sectors = rows * cols / 8;
  Problem problem(static_cast<int>(rows), static_cast<int>(cols), 0, 5);
  const exercise::Run run = exercise::run([&] { problem.run(); });
  problem.expect_right();
  if (!course::on_emulator) {
    exercise::skip(
        "counted on the emulator; a GPU would count the same, but it does not report it");
    return;
  }
  const std::string read_again = "chapters/27_rows/README.md, the online sum";
  exercise::expect_at_most(
      run, {.counter = Counter::global_load_sectors,
            .limit = sectors + 32 * rows,
            .model = sectors + 9 * rows,
            .naive = 2 * sectors,
            .why = "An online sum needs no pass of its own for the maximum. Beside x a row takes "
                   "its target, and the element there.",
            .read = read_again});
  exercise::expect_at_most(run, {.counter = Counter::global_store_sectors,
                                 .limit = 2 * rows,
                                 .model = rows,
                                 .naive = sectors,
                                 .why = "A row's loss is one number.",
                                 .read = read_again});
}
