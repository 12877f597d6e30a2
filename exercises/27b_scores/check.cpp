// The checks of exercise 27b. The function under test is in scores.cu.

#include <algorithm>
#include <cmath>

#include "checks/exercise.hpp"

void launch_scores(const float* x, const int* begin, int rows, float* z);

namespace {

namespace exercise = course::exercise;
using exercise::Counter;

/// Rows of the given lengths, of whole numbers around `offset`, up to `width` away from it.
class Problem {
 public:
  Problem(const std::vector<int>& lengths, int offset, int width)
      : begin_(begin_of(lengths)),
        x_(numbers(static_cast<std::size_t>(begin_.back()), offset, width)),
        device_begin_(begin_),
        device_x_(x_),
        device_z_(x_.size()) {}

  void run() {
    device_z_.poison();
    launch_scores(device_x_.data(), device_begin_.data(), static_cast<int>(begin_.size()) - 1,
                  device_z_.data());
  }

  void expect_right() const {
    const std::vector<float> z = device_z_.to_host();
    for (std::size_t row = 0; row + 1 < begin_.size(); ++row) {
      const auto first = static_cast<std::size_t>(begin_[row]);
      const auto end = static_cast<std::size_t>(begin_[row + 1]);
      double sum = 0, squares = 0;
      for (std::size_t i = first; i < end; ++i) sum += double{x_[i]};
      const double mean = sum / static_cast<double>(end - first);
      for (std::size_t i = first; i < end; ++i) {
        squares += (double{x_[i]} - mean) * (double{x_[i]} - mean);
      }
      const double deviation = std::sqrt(squares / static_cast<double>(end - first));
      for (std::size_t i = first; i < end; ++i) {
        const double expected = deviation > 0 ? (double{x_[i]} - mean) / deviation : 0;
        if (std::abs(double{z[i]} - expected) <= 1e-3) continue;
        FAIL("row ", row, " has ", end - first, " numbers, a mean of ", mean,
             " and a deviation of ", deviation, "; the score of number ", i - first, ", ", x_[i],
             ", is ", z[i], " instead of ", expected);
      }
    }
    exercise::expect_intact(device_z_.intact(), "z", "these rows");
    if (device_x_.to_host() != x_) FAIL("x was written to. It must only be read.");
  }

 private:
  static std::vector<int> begin_of(const std::vector<int>& lengths) {
    std::vector<int> begin = {0};
    for (const int length : lengths) begin.push_back(begin.back() + length);
    return begin;
  }
  static std::vector<float> numbers(std::size_t count, int offset, int width) {
    const course::RandomBits bits(272);
    std::vector<float> x(count);
    const auto range = static_cast<std::uint64_t>(2 * width + 1);
    for (std::size_t i = 0; i < count; ++i) {
      x[i] = static_cast<float>(offset + static_cast<int>(bits(i) % range) - width);
    }
    return x;
  }

  std::vector<int> begin_;
  std::vector<float> x_;
  exercise::Array<int> device_begin_;
  exercise::Array<float> device_x_, device_z_;
};

const std::vector<int> awkward = {5, 1, 0, 31, 32, 33, 256, 2, 127, 255, 64, 3, 200};

void check(const std::vector<int>& lengths, int offset, int width) {
  Problem problem(lengths, offset, width);
  exercise::run([&] { problem.run(); });
  problem.expect_right();
}

}  // namespace

TEST_CASE("correct: rows of 256 numbers around 0") {
  check(std::vector<int>(9, 256), 0, 100);
  Problem nothing({}, 0, 1);
  exercise::run([&] { nothing.run(); }, exercise::Kernels::if_needed);
}

TEST_CASE("correct: rows of all lengths") {
  check(awkward, 3, 100);
  check({exercise::drawn(77, 65, 250), 7, exercise::drawn(9, 1, 31)}, 0, 100);
}

TEST_CASE("correct: numbers far from 0 and all equal") {
  check(awkward, 10000, 3);
  check(awkward, -7, 0);
}

TEST_CASE("safe: rows touch no others' numbers") {
  for (const auto& lengths : {awkward, std::vector<int>{256}, std::vector<int>{1, 1, 1}}) {
    check(lengths, 0, 50);
    exercise::expect_no_findings();
  }
}

TEST_CASE("efficient: each number is read once") {
  const auto rows = static_cast<std::uint64_t>(exercise::drawn(64, 65, 80));
  const auto length = 8 * static_cast<std::uint64_t>(exercise::drawn(32, 28, 31));
  const std::uint64_t sectors = rows * length / 8;
  Problem problem(std::vector<int>(rows, static_cast<int>(length)), 0, 100);
  const exercise::Run run = exercise::run([&] { problem.run(); });
  problem.expect_right();
  if (!course::on_emulator) {
    exercise::skip(
        "counted on the emulator; a GPU would count the same, but it does not report it");
    return;
  }
  const std::string read_again = "chapters/27_rows/README.md, rows that stay in registers";
  exercise::expect_at_most(run,
                           {.counter = Counter::global_load_sectors,
                            .limit = sectors + 4 * rows,
                            .model = sectors + 2 * rows,
                            .naive = 3 * sectors,
                            .why = "A row stays in its warp's registers: eight numbers per "
                                   "lane. Beside it a warp loads where the row begins and ends.",
                            .read = read_again});
  exercise::expect_at_most(run, {.counter = Counter::global_load_requests,
                                 .limit = 12 * rows,
                                 .model = 10 * rows,
                                 .naive = 3 * length * rows,
                                 .why = "Neighbouring lanes load neighbouring numbers: eight loads "
                                        "per warp for a row.",
                                 .read = read_again});
}
