// The checks of exercise 29c. The function under test is in enough_products.cu.

#include <cuda_bf16.h>

#include <array>
#include <cmath>

#include "checks/exercise.hpp"

void launch_multiply(const float* x, const float* y, int n, float bound, float* z, int* products);

namespace {

namespace exercise = course::exercise;
using exercise::Counter;

/// Numbers of both signs with that many bits, and some zeros.
std::vector<float> numbers(int n, int bits, std::uint64_t seed) {
  const course::RandomBits random(seed);
  std::vector<float> x(static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < x.size(); ++i) {
    const std::uint64_t fraction = (random(i) >> 40) >> (24 - bits) << (24 - bits);
    const float magnitude =
        std::ldexp(static_cast<float>(fraction | 1U << 23), static_cast<int>(random(i) % 37) - 41);
    x[i] = random(i + x.size()) % 2 == 0 ? magnitude : -magnitude;
    if (i % 53 == 52) x[i] = 0.0F;
  }
  return x;
}

std::array<double, 3> parts_of(float x) {
  std::array<double, 3> parts{};
  for (double& part : parts) {
    const float nearest = __bfloat162float(__float2bfloat16(x));
    part = double{nearest};
    x -= nearest;
  }
  return parts;
}

/// The number of products of the lowest level that leaves out at most `bound`; and 0 where the two
/// are so near that a float need not see which is larger.
int products_for(float x, float y, double bound) {
  const std::array<double, 3> a = parts_of(x);
  const std::array<double, 3> b = parts_of(y);
  const double allowed = bound * std::abs(double{x} * double{y});
  for (int level = 0; level < 5; ++level) {
    double left_out = 0;
    int count = 0;
    for (std::size_t p = 0; p < 3; ++p) {
      for (std::size_t q = 0; q < 3; ++q) {
        if (static_cast<int>(p + q) > level) {
          left_out += std::abs(a[p] * b[q]);
        } else {
          ++count;
        }
      }
    }
    if (left_out > 0 && std::abs(left_out - allowed) < 1e-4 * allowed) return 0;
    if (left_out <= allowed) return count;
  }
  return 9;
}

class Problem {
 public:
  Problem(int n, float bound, int bits_x = 24, int bits_y = 24)
      : bound_(bound),
        x_(numbers(n, bits_x, 29)),
        y_(numbers(n, bits_y, 92)),
        device_x_(x_),
        device_y_(y_),
        z_(x_.size()),
        products_(x_.size()) {}

  void run() {
    z_.poison();
    products_.poison();
    launch_multiply(device_x_.data(), device_y_.data(), static_cast<int>(x_.size()), bound_,
                    z_.data(), products_.data());
  }

  void expect_right() const {
    const std::vector<float> z = z_.to_host();
    const std::vector<int> products = products_.to_host();
    for (std::size_t i = 0; i < x_.size(); ++i) {
      const double expected = double{x_[i]} * double{y_[i]};
      const double most = (double{bound_} + 3 * 0x1p-24) * std::abs(expected);
      if (!(std::abs(double{z[i]} - expected) <= most)) {
        FAIL("of ", x_.size(), " numbers number ", i, " is ", x_[i], " times ", y_[i], ": ",
             expected, ". With a bound of ", bound_, " z may not be ", z[i], ".");
      }
      const int count = products_for(x_[i], y_[i], double{bound_});
      if (count != 0 && products[i] != count) {
        FAIL("of ", x_.size(), " numbers number ", i, " is ", x_[i], " times ", y_[i],
             ". For a bound of ", bound_, " it takes ", count, " products, and not ", products[i],
             ". ", cause(count, products[i]));
      }
    }
    const std::string where = "n = " + std::to_string(x_.size());
    exercise::expect_intact(z_.intact(), "z", where);
    exercise::expect_intact(products_.intact(), "products", where);
    if (device_x_.to_host() != x_ || device_y_.to_host() != y_) {
      FAIL("x or y was written to. They must only be read.");
    }
  }

 private:
  static std::string cause(int wanted, int got) {
    if (got > wanted) return "Does what is left out count as it is, or as it might be at worst?";
    return "Do all products that are left out count together?";
  }

  float bound_;
  std::vector<float> x_, y_;
  exercise::Array<float> device_x_, device_y_, z_;
  exercise::Array<int> products_;
};

void check(int n, float bound, int bits_x = 24, int bits_y = 24) {
  Problem problem(n, bound, bits_x, bits_y);
  exercise::run([&] { problem.run(); });
  problem.expect_right();
}

}  // namespace

TEST_CASE("correct: floats with all their bits") {
  for (const float bound : {0.02F, 0.002F, 3e-5F, 5e-6F, 1e-7F, 2e-8F}) check(700, bound);
  check(exercise::drawn(700, 130, 900), 1e-5F);
  Problem nothing(0, 1e-5F);
  exercise::run([&] { nothing.run(); }, exercise::Kernels::if_needed);
}

TEST_CASE("correct: floats with few bits take few products") {
  for (const auto& [bits_x, bits_y] :
       std::vector<std::pair<int, int>>{{8, 8}, {8, 24}, {16, 8}, {16, 16}, {24, 12}}) {
    for (const float bound : {0.0F, 1e-7F, 1e-4F}) check(300, bound, bits_x, bits_y);
  }
}

TEST_CASE("safe: as many numbers as there are") {
  for (const int n : {1, 2, 3, 31, 33, 127, 257}) {
    Problem problem(n, 1e-6F);
    exercise::in_every_order([&](const std::string&) {
      exercise::run([&] { problem.run(); });
      problem.expect_right();
    });
    exercise::expect_no_findings();
  }
}

TEST_CASE("efficient: x and y are read once") {
  const int n = 32 * exercise::drawn(128, 100, 140);
  const auto sectors = 2 * static_cast<std::uint64_t>(n) / 8;
  Problem problem(n, 1e-6F);
  const exercise::Run run = exercise::run([&] { problem.run(); });
  problem.expect_right();
  if (!course::on_emulator) {
    exercise::skip(
        "counted on the emulator; a GPU would count the same, but it does not report it");
    return;
  }
  exercise::expect_at_most(run, {.counter = Counter::global_load_sectors,
                                 .limit = sectors,
                                 .model = sectors,
                                 .naive = 2 * sectors,
                                 .why = "Once they are in registers, x and y are needed no more.",
                                 .read = "chapters/29_fp32_on_tensor_cores/README.md, the idea"});
}
