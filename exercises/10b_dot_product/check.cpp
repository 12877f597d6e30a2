// The checks of exercise 10b. The function under test is in dot_product.cu.

#include <bit>
#include <cmath>
#include <cstdio>

#include "checks/exercise.hpp"

void launch_dot(const float* x, const float* y, std::size_t n, float* sums, float* result);

namespace {

namespace exercise = course::exercise;
using exercise::Counter;

constexpr std::size_t block = 256;  // as in dot_product.cu
constexpr std::size_t elements_a_block = 1024;

/// What a vector holds.
enum class Data {
  exact,    ///< small whole numbers: every order gives the same bits
  inexact,  ///< numbers whose products are exact, but whose sums round: each order has its bits
};

/// Few bits and many sizes, so that a product of two takes no rounding, nor does it matter whether
/// it is added by one instruction or two.
std::vector<float> make_vector(std::size_t n, std::uint64_t seed, Data data) {
  if (data == Data::exact) return course::exact_vector(n, n + 1, seed);
  const course::RandomBits bits(seed);
  std::vector<float> values(n);
  for (std::size_t i = 0; i < n; ++i) {
    const auto whole = static_cast<float>(static_cast<int>(bits(i) % 2047) - 1023);
    values[i] = std::ldexp(whole, static_cast<int>(bits(i) / 4096 % 8) - 12);
  }
  return values;
}

/// The sum in float32, in the order that dot_product.cu states: numbers t, t + 256, … one after the
/// other, then a tree over t.
float in_the_stated_order(const std::vector<float>& numbers) {
  std::vector<float> part(block, 0.0F);
  for (std::size_t i = 0; i < numbers.size(); ++i) part[i % block] += numbers[i];
  for (std::size_t half = block / 2; half > 0; half /= 2) {
    for (std::size_t t = 0; t < half; ++t) part[t] += part[t + half];
  }
  return part[0];
}

/// The dot product of two vectors.
class Problem {
 public:
  explicit Problem(std::size_t n, Data data = Data::exact)
      : x_(make_vector(n, 1, data)),
        y_(make_vector(n, 2, data)),
        device_x_(x_),
        device_y_(y_),
        sums_((n + elements_a_block - 1) / elements_a_block),
        result_(1) {}

  void run() {
    sums_.poison();
    result_.poison();
    launch_dot(device_x_.data(), device_y_.data(), x_.size(), sums_.data(), result_.data());
  }

  void expect_exact() const {
    double sum = 0.0;
    for (std::size_t i = 0; i < x_.size(); ++i) sum += double{x_[i]} * double{y_[i]};
    exercise::expect_exact(result_.to_host(), {sum}, where());
    expect_intact();
  }

  /// The bits of the stated order, and no others.
  void expect_bits() const {
    std::vector<float> sums;
    for (std::size_t first = 0; first < x_.size(); first += elements_a_block) {
      std::vector<float> products;
      for (std::size_t i = first; i < std::min(first + elements_a_block, x_.size()); ++i) {
        products.push_back(x_[i] * y_[i]);
      }
      sums.push_back(in_the_stated_order(products));
    }
    const float expected = in_the_stated_order(sums);
    const float got = result_.to_host()[0];
    if (std::bit_cast<std::uint32_t>(got) != std::bit_cast<std::uint32_t>(expected)) {
      char text[160];
      std::snprintf(text, sizeof text, "%.9g (bits %08X), not %.9g (bits %08X)", double{got},
                    std::bit_cast<std::uint32_t>(got), double{expected},
                    std::bit_cast<std::uint32_t>(expected));
      FAIL("with ", where(), " and sums that round, the result is ", text,
           ". Only the order that dot_product.cu states gives these bits. Which block adds up the "
           "sums of the blocks, and in which order?");
    }
    expect_intact();
  }

 private:
  std::string where() const {
    const std::size_t rest = x_.size() % elements_a_block;
    std::string text = "n = " + std::to_string(x_.size());
    if (rest != 0) text += " (elements in the last block: " + std::to_string(rest) + ")";
    return text;
  }

  void expect_intact() const {
    exercise::expect_intact(sums_.intact(), "sums", where());
    exercise::expect_intact(result_.intact(), "result", where());
  }

  std::vector<float> x_;
  std::vector<float> y_;
  exercise::Array<float> device_x_;
  exercise::Array<float> device_y_;
  exercise::Array<float> sums_;
  exercise::Array<float> result_;
};

const std::string read_again = "chapters/10_reduction/README.md, 'The kernels' and 'Traps'";

}  // namespace

TEST_CASE("correct: whole blocks") {
  for (const std::size_t n : {1024, 2048, 8192, 65536}) {
    Problem problem(n);
    exercise::run([&] { problem.run(); });
    problem.expect_exact();
  }
}

TEST_CASE("correct: ragged ends and no elements at all") {
  for (const std::size_t n :
       {1, 2, 3, 31, 33, 127, 255, 256, 257, 1009, 1023, 1025, 1279, 4099, 9001,
        exercise::drawn(262145, 530000, 560000), exercise::drawn(3000, 1026, 9000)}) {
    Problem problem(n);
    exercise::run([&] { problem.run(); });
    problem.expect_exact();
  }
  Problem problem(0);  // a kernel may be launched, or the 0 set
  problem.run();
  CUDA_CHECK(cudaDeviceSynchronize());
  problem.expect_exact();
}

TEST_CASE("correct: the same bits whichever block ends first") {
  for (const std::size_t n : {1024, 5003, 40960, 99991}) {
    Problem problem(n, Data::inexact);
    for (int launch = 0; launch < (n < 10000 ? 3 : 1); ++launch) {
      exercise::run([&] { problem.run(); });
      problem.expect_bits();
    }
  }
}

TEST_CASE("safe: barriers for all and lanes that wait") {
  for (const std::size_t n : {1024, 1, 100, 2900, 9001}) {
    Problem problem(n);
    exercise::run([&] { problem.run(); });
    problem.expect_exact();
    exercise::expect_no_findings();
  }
}

TEST_CASE("efficient: each element loaded once and barriers only between warps") {
  const auto blocks = static_cast<std::uint64_t>(exercise::drawn(16, 17, 24));
  constexpr std::uint64_t warps = block / 32;
  const std::uint64_t n = blocks * elements_a_block;
  Problem problem(n);
  const exercise::Run run = exercise::run([&] { problem.run(); });
  problem.expect_exact();
  if (!course::on_emulator) {
    exercise::skip(
        "counted on the emulator; a GPU would count the same, but it does not report it");
    return;
  }
  exercise::expect_at_most(
      run, {.counter = Counter::global_load_requests,
            .limit = 2 * n / 32 + blocks,
            .model = 2 * n / 32 + 1,
            .naive = 0,
            .why = "A request loads 32 elements of x or of y, and one more loads the sums of 16 "
                   "blocks. The limit leaves one for each block's sum.",
            .read = read_again});
  exercise::expect_at_most(run,
                           {.counter = Counter::barriers,
                            .limit = (blocks + 1) * warps * 4,
                            .model = (blocks + 1) * warps * 3,
                            .naive = (blocks + 1) * warps * 9,  // one a step
                            .why = "One barrier when all numbers are in shared memory and two for "
                                   "the steps that several warps take. When one warp is left, "
                                   "__syncwarp() is enough. The limit leaves each warp one more.",
                            .read = read_again});
}
