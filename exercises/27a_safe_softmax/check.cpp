// The checks of exercise 27a. The function under test is in safe_softmax.cu.

#include <algorithm>
#include <cmath>
#include <limits>

#include "checks/exercise.hpp"

void launch_softmax_rows(const float* x, int rows, int cols, float* y);

namespace {

namespace exercise = course::exercise;
using exercise::Counter;

constexpr float masked = -std::numeric_limits<float>::infinity();

/// Rows of numbers around `offset`, up to 8 away from it. Of each `kept` elements but one are
/// masked, if that is more than 1.
class Problem {
 public:
  Problem(int rows, int cols, float offset, int kept = 1)
      : rows_(rows),
        cols_(cols),
        x_(numbers(rows, cols, offset, kept)),
        device_x_(x_),
        device_y_(x_.size()) {}

  void run() {
    device_y_.poison();
    launch_softmax_rows(device_x_.data(), rows_, cols_, device_y_.data());
  }

  void expect_right() const {
    const std::vector<float> y = device_y_.to_host();
    for (int row = 0; row < rows_; ++row) {
      const std::size_t first = static_cast<std::size_t>(row) * static_cast<std::size_t>(cols_);
      const std::size_t end = first + static_cast<std::size_t>(cols_);
      double max = masked, sum = 0;
      for (std::size_t i = first; i < end; ++i) max = std::max(max, double{x_[i]});
      for (std::size_t i = first; i < end; ++i) sum += std::exp(double{x_[i]} - max);
      for (std::size_t i = first; i < end; ++i) {
        const double expected = std::exp(double{x_[i]} - max) / sum;
        if (std::abs(double{y[i]} - expected) <= 2e-5 * expected + 1e-37) continue;
        FAIL("with rows = ", rows_, ", cols = ", cols_, " the result of row ", row, ", column ",
             i - first, " is ", y[i], " instead of ", expected, "; x is ", x_[i],
             " there, and the row's maximum is ", max, ". ", cause(y[i], max));
      }
    }
    exercise::expect_intact(device_y_.intact(), "y", where());
    if (device_x_.to_host() != x_) FAIL("x was written to. It must only be read.");
  }

 private:
  static std::vector<float> numbers(int rows, int cols, float offset, int kept) {
    const course::RandomBits bits(27);
    std::vector<float> x(static_cast<std::size_t>(rows) * static_cast<std::size_t>(cols));
    for (std::size_t i = 0; i < x.size(); ++i) {
      x[i] = offset + static_cast<float>(bits(i) % 1025) / 64.0F - 8.0F;
      const std::size_t column = i % static_cast<std::size_t>(cols);
      if (kept > 1 && column % static_cast<std::size_t>(kept) != 0) x[i] = masked;
    }
    return x;
  }
  std::string where() const {
    return "rows = " + std::to_string(rows_) + ", cols = " + std::to_string(cols_);
  }
  static std::string cause(float got, double max) {
    if (std::isnan(got) && max < -80) {
      return "All powers e^x of this row are 0 in float: is the largest of them e^0?";
    }
    if (std::isnan(got)) {
      return "Infinity less infinity is a NaN, and so is 0 / 0: which of the values that are "
             "merged have no finite number?";
    }
    return "The sum is wrong: is each part of it relative to the same maximum?";
  }

  int rows_, cols_;
  std::vector<float> x_;
  exercise::Array<float> device_x_, device_y_;
};

void check(int rows, int cols, float offset, int kept = 1) {
  Problem problem(rows, cols, offset, kept);
  exercise::run([&] { problem.run(); });
  problem.expect_right();
}

}  // namespace

TEST_CASE("correct: rows around 0") {
  for (const int cols : {128, 256, 1000, exercise::drawn(700, 130, 900)}) check(5, cols, 0);
  Problem nothing(0, 128, 0);
  exercise::run([&] { nothing.run(); }, exercise::Kernels::if_needed);
}

TEST_CASE("correct: rows far from 0") {
  for (const float offset : {-1000.0F, -100.0F, 100.0F, 30000.0F}) check(3, 300, offset);
}

TEST_CASE("correct: short rows and masked elements") {
  for (const int cols : {1, 2, 3, 31, 33, 127}) check(3, cols, -5);
  for (const int kept : {2, 7, 64, 1000}) check(3, 515, 2, kept);
}

TEST_CASE("safe: many rows per block and nobody writes too early") {
  for (const auto& [rows, cols] : std::vector<std::pair<int, int>>{{1, 33}, {40, 129}, {17, 300}}) {
    Problem problem(rows, cols, 0);
    exercise::in_every_order([&](const std::string&) {
      exercise::run([&] { problem.run(); });
      problem.expect_right();
    });
    exercise::expect_no_findings();
  }
}

TEST_CASE("efficient: x is read twice and a row takes two barriers") {
  const auto rows = static_cast<std::uint64_t>(exercise::drawn(16, 17, 20));
  const auto cols = 8 * static_cast<std::uint64_t>(exercise::drawn(128, 130, 160));
  const std::uint64_t sectors = rows * cols / 8;
  Problem problem(static_cast<int>(rows), static_cast<int>(cols), 0);
  const exercise::Run run = exercise::run([&] { problem.run(); });
  problem.expect_right();
  if (!course::on_emulator) {
    exercise::skip(
        "counted on the emulator; a GPU would count the same, but it does not report it");
    return;
  }
  const std::string read_again = "chapters/27_rows/README.md, the online sum";
  exercise::expect_at_most(run, {.counter = Counter::global_load_sectors,
                                 .limit = 2 * sectors,
                                 .model = 2 * sectors,
                                 .naive = 3 * sectors,
                                 .why = "An online sum needs no second pass for the maximum.",
                                 .read = read_again});
  exercise::expect_at_most(
      run, {.counter = Counter::barriers,
            .limit = 2 * 4 * rows,
            .model = 2 * 4 * rows,
            .naive = 10 * 4 * rows,
            .why = "Each of the four warps waits twice per row: until the sums of all warps are "
                   "there, and until all have read them.",
            .read = read_again});
}
