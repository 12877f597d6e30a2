// The checks of exercise 29a. The function under test is in lost_bits.cu.

#include <cuda_fp16.h>

#include <cmath>

#include "checks/exercise.hpp"

void launch_split(const float* x, int n, __half* high, __half* low);

namespace {

namespace exercise = course::exercise;
using exercise::Counter;

/// Numbers of both signs with all 24 bits, of exponents from `lowest` to `highest`.
std::vector<float> numbers(int n, int lowest, int highest) {
  const course::RandomBits bits(29);
  std::vector<float> x(static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < x.size(); ++i) {
    const auto fraction = static_cast<float>(bits(i) >> 41) * 0x1p-23F;
    const int exponent =
        lowest + static_cast<int>(bits(i) % static_cast<unsigned>(highest - lowest + 1));
    x[i] = std::ldexp(1.0F + fraction, exponent) * (bits(i + x.size()) % 2 == 0 ? 1.0F : -1.0F);
    if (i % 61 == 60) x[i] = 0.0F;
  }
  return x;
}

class Problem {
 public:
  explicit Problem(std::vector<float> x)
      : x_(std::move(x)), device_x_(x_), high_(x_.size()), low_(x_.size()) {}

  void run() {
    high_.poison();
    low_.poison();
    launch_split(device_x_.data(), static_cast<int>(x_.size()), high_.data(), low_.data());
  }

  void expect_right(bool both) const {
    const std::vector<__half> high = high_.to_host();
    const std::vector<__half> low = low_.to_host();
    for (std::size_t i = 0; i < x_.size(); ++i) {
      const float first = __half2float(__float2half(x_[i]));
      const float got = __half2float(high[i]);
      if (got != first) {
        FAIL("of ", x_.size(), " numbers number ", i, " is ", x_[i], ", and the nearest half is ",
             first, "; high has ", got, ". ", cut_off(x_[i], got));
      }
      if (!both) continue;
      const float rest = x_[i] - first;
      const float second = __half2float(__float2half(rest * 2048.0F));
      const float also = __half2float(low[i]);
      if (also != second) {
        FAIL("of ", x_.size(), " numbers number ", i, " is ", x_[i], ". Without high it is ", rest,
             ", so low is ", second, ", and not ", also, ". ", cause(x_[i], also));
      }
    }
    exercise::expect_intact(high_.intact(), "high", where());
    exercise::expect_intact(low_.intact(), "low", where());
    if (device_x_.to_host() != x_) FAIL("x was written to. It must only be read.");
  }

 private:
  std::string where() const { return "n = " + std::to_string(x_.size()); }
  static std::string cut_off(float x, float got) {
    if (std::abs(got) < std::abs(x)) return "Is it rounded, or cut off?";
    return "";
  }
  static std::string cause(float x, float got) {
    if (got == 0.0F) return "What is the rest the difference of?";
    if (std::abs(x) < 1.0F) return "A half below 2^-14 has fewer bits: what is rounded first?";
    return "The rest is exact in float: where is it rounded?";
  }

  std::vector<float> x_;
  exercise::Array<float> device_x_;
  exercise::Array<__half> high_, low_;
};

void check(std::vector<float> x, bool both) {
  Problem problem(std::move(x));
  exercise::run([&] { problem.run(); });
  problem.expect_right(both);
}

}  // namespace

TEST_CASE("correct: the first half is the nearest") {
  for (const int n : {128, 1024, exercise::drawn(700, 130, 900)}) check(numbers(n, -12, 14), false);
  Problem nothing(std::vector<float>{});
  exercise::run([&] { nothing.run(); }, exercise::Kernels::if_needed);
}

TEST_CASE("correct: the second half has the rest of large numbers") {
  check(numbers(1024, 8, 14), true);
}

TEST_CASE("correct: the second half has the rest of small numbers") {
  check(numbers(1024, -12, -6), true);
}

TEST_CASE("safe: as many numbers as there are") {
  for (const int n : {1, 2, 3, 31, 33, 127, 257}) {
    Problem problem(numbers(n, -12, 14));
    exercise::in_every_order([&](const std::string&) {
      exercise::run([&] { problem.run(); });
      problem.expect_right(true);
    });
    exercise::expect_no_findings();
  }
}

TEST_CASE("efficient: x is read once") {
  const int n = 32 * exercise::drawn(128, 100, 140);
  const auto sectors = static_cast<std::uint64_t>(n) / 8;
  Problem problem(numbers(n, -12, 14));
  const exercise::Run run = exercise::run([&] { problem.run(); });
  problem.expect_right(true);
  if (!course::on_emulator) {
    exercise::skip(
        "counted on the emulator; a GPU would count the same, but it does not report it");
    return;
  }
  exercise::expect_at_most(
      run, {.counter = Counter::global_load_sectors,
            .limit = sectors,
            .model = sectors,
            .naive = 2 * sectors + sectors / 2,
            .why = "A number that is in a register need not be loaded again, nor what was stored.",
            .read = "chapters/29_fp32_on_tensor_cores/README.md, what a short number keeps"});
}
