// The checks of exercise 29b. The function under test is in row_exponents.cu.

#include <cuda_fp16.h>

#include <algorithm>
#include <cmath>

#include "checks/exercise.hpp"

void launch_scale_rows(const float* A, int rows, int cols, __half* scaled, int* exponents);

namespace {

namespace exercise = course::exercise;
using exercise::Counter;

enum class Rows { positive, of_both_signs, zero };

/// Each row has numbers around a power of two of its own, from 2^-90 to 2^90; the smallest are
/// 2^-spread of that; and one, anywhere in the row, that is larger than all others.
std::vector<float> numbers(int rows, int cols, Rows kind, int spread) {
  const course::RandomBits bits(92);
  std::vector<float> A(static_cast<std::size_t>(rows) * static_cast<std::size_t>(cols));
  for (std::size_t i = 0; i < A.size(); ++i) {
    const std::size_t row = i / static_cast<std::size_t>(cols);
    const int of_row = static_cast<int>(bits(row + A.size()) % 181) - 90;
    const bool is_peak =
        i % static_cast<std::size_t>(cols) == bits(row) % static_cast<unsigned>(cols);
    const int below = static_cast<int>(bits(i) % static_cast<unsigned>(spread + 1));
    const int exponent = of_row + (is_peak ? 2 : -below);
    A[i] = std::ldexp(1.0F + static_cast<float>(bits(i) >> 41) * 0x1p-23F, exponent);
    // Of both signs: most of what is large is negative.
    if (kind == Rows::of_both_signs && bits(i) % 7 != 0) A[i] = -A[i];
    if (kind == Rows::zero && row % 2 == 0) A[i] = 0.0F;
  }
  return A;
}

class Problem {
 public:
  Problem(int rows, int cols, Rows kind, int spread = 3)
      : rows_(rows),
        cols_(cols),
        A_(numbers(rows, cols, kind, spread)),
        device_A_(A_),
        scaled_(A_.size()),
        exponents_(static_cast<std::size_t>(rows)) {}

  void run() {
    scaled_.poison();
    exponents_.poison();
    launch_scale_rows(device_A_.data(), rows_, cols_, scaled_.data(), exponents_.data());
  }

  void expect_right() const {
    const std::vector<__half> scaled = scaled_.to_host();
    const std::vector<int> exponents = exponents_.to_host();
    for (int row = 0; row < rows_; ++row) {
      const std::size_t first = static_cast<std::size_t>(row) * static_cast<std::size_t>(cols_);
      float largest = 0.0F;
      for (int j = 0; j < cols_; ++j) {
        largest = std::max(largest, std::abs(A_[first + static_cast<std::size_t>(j)]));
      }
      const int exponent = largest > 0.0F ? 14 - std::ilogb(largest) : 0;
      const int got = exponents[static_cast<std::size_t>(row)];
      if (got != exponent) {
        FAIL("with rows = ", rows_, ", cols = ", cols_, " the largest magnitude of row ", row,
             " is ", largest, ", so its exponent is ", exponent, ", and not ", got, ". ",
             cause(largest, got, exponent));
      }
      for (std::size_t i = first; i < first + static_cast<std::size_t>(cols_); ++i) {
        const float expected = __half2float(__float2half(std::ldexp(A_[i], exponent)));
        const float half = __half2float(scaled[i]);
        if (half == expected) continue;
        FAIL("with rows = ", rows_, ", cols = ", cols_, " row ", row, " has the exponent ",
             exponent, ", and in column ", i - first, " ", A_[i], ": times 2^", exponent,
             " that is ", expected, ", and not ", half);
      }
    }
    const std::string where =
        "rows = " + std::to_string(rows_) + ", cols = " + std::to_string(cols_);
    exercise::expect_intact(scaled_.intact(), "scaled", where);
    exercise::expect_intact(exponents_.intact(), "exponents", where);
    if (device_A_.to_host() != A_) FAIL("A was written to. It must only be read.");
  }

 private:
  static std::string cause(float largest, int got, int expected) {
    if (largest == 0.0F) return "A row of zeros stays as it is.";
    if (got > expected) return "Was the whole row looked at, and both signs?";
    return "2^14 <= largest * 2^exponent < 2^15.";
  }

  int rows_, cols_;
  std::vector<float> A_;
  exercise::Array<float> device_A_;
  exercise::Array<__half> scaled_;
  exercise::Array<int> exponents_;
};

void check(int rows, int cols, Rows kind, int spread = 3) {
  Problem problem(rows, cols, kind, spread);
  exercise::run([&] { problem.run(); });
  problem.expect_right();
}

}  // namespace

TEST_CASE("correct: positive rows") {
  for (const int cols : {32, 256, exercise::drawn(300, 33, 400)}) check(9, cols, Rows::positive);
  Problem nothing(0, 32, Rows::positive);
  exercise::run([&] { nothing.run(); }, exercise::Kernels::if_needed);
}

TEST_CASE("correct: rows of both signs and rows of zeros") {
  for (const int cols : {1, 2, 3, 31, 33, 127}) check(11, cols, Rows::of_both_signs);
  check(6, 70, Rows::zero);
}

TEST_CASE("correct: large and small numbers in one row") {
  check(8, 500, Rows::of_both_signs, 38);  // the smallest are no halves any more
}

TEST_CASE("safe: rows touch no others' numbers") {
  for (const auto& [rows, cols] : std::vector<std::pair<int, int>>{{1, 33}, {5, 31}, {18, 70}}) {
    Problem problem(rows, cols, Rows::of_both_signs);
    exercise::in_every_order([&](const std::string&) {
      exercise::run([&] { problem.run(); });
      problem.expect_right();
    });
    exercise::expect_no_findings();
  }
}

TEST_CASE("efficient: A is read twice in whole sectors") {
  const int rows = exercise::drawn(16, 13, 19), cols = 32 * exercise::drawn(32, 26, 36);
  const auto sectors = static_cast<std::uint64_t>(rows * cols) / 8;
  Problem problem(rows, cols, Rows::of_both_signs);
  const exercise::Run run = exercise::run([&] { problem.run(); });
  problem.expect_right();
  if (!course::on_emulator) {
    exercise::skip(
        "counted on the emulator; a GPU would count the same, but it does not report it");
    return;
  }
  const std::string read_again = "chapters/29_fp32_on_tensor_cores/README.md, scaling";
  exercise::expect_at_most(
      run, {.counter = Counter::global_load_sectors,
            .limit = 2 * sectors,
            .model = 2 * sectors,
            .naive = 16 * sectors,
            .why = "Once for the largest magnitude, once to scale: neighbouring lanes read "
                   "neighbouring numbers.",
            .read = read_again});
}
