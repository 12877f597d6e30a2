// The checks of exercise 28a. The function under test is in online.cu.

#include <algorithm>
#include <cmath>
#include <limits>

#include "checks/exercise.hpp"

void launch_attention(const float* Q, const float* K, const float* V, const float* bias,
                      int queries, int keys, float* O);

namespace {

namespace exercise = course::exercise;
using exercise::Counter;

constexpr std::size_t size = 32;
constexpr float masked = -std::numeric_limits<float>::infinity();

/// `count` numbers from -1 to 1.
std::vector<float> numbers(std::size_t count, std::uint64_t seed) {
  const course::RandomBits bits(seed);
  std::vector<float> x(count);
  for (std::size_t i = 0; i < count; ++i) x[i] = static_cast<float>(bits(i) % 257) / 128.0F - 1.0F;
  return x;
}

/// What is added to the scores: by key.
using Bias = std::vector<float>;
Bias ramp(int keys, float from, float step) {
  Bias bias(static_cast<std::size_t>(keys));
  for (std::size_t j = 0; j < bias.size(); ++j) bias[j] = from + step * static_cast<float>(j);
  return bias;
}
/// All but each nth from `first` on.
Bias sparse(int keys, int first, int every) {
  Bias bias(static_cast<std::size_t>(keys), masked);
  for (int j = first; j < keys; j += every) bias[static_cast<std::size_t>(j)] = 0;
  return bias;
}

class Problem {
 public:
  Problem(int queries, const Bias& bias)
      : queries_(static_cast<std::size_t>(queries)),
        keys_(bias.size()),
        Q_(numbers(queries_ * size, 1)),
        K_(numbers(keys_ * size, 2)),
        V_(numbers(keys_ * size, 3)),
        bias_(bias),
        device_Q_(Q_),
        device_K_(K_),
        device_V_(V_),
        device_bias_(bias_),
        device_O_(Q_.size()) {}

  void run() {
    device_O_.poison();
    launch_attention(device_Q_.data(), device_K_.data(), device_V_.data(), device_bias_.data(),
                     static_cast<int>(queries_), static_cast<int>(keys_), device_O_.data());
  }

  void expect_right() const {
    const std::vector<float> O = device_O_.to_host();
    for (std::size_t i = 0; i < queries_; ++i) {
      std::vector<double> scores(keys_);
      double max = masked;
      for (std::size_t j = 0; j < keys_; ++j) {
        scores[j] = bias_[j];
        for (std::size_t x = 0; x < size; ++x) {
          scores[j] += double{Q_[i * size + x]} * double{K_[j * size + x]};
        }
        max = std::max(max, scores[j]);
      }
      for (std::size_t x = 0; x < size; ++x) {
        double sum = 0, o = 0;
        for (std::size_t j = 0; j < keys_; ++j) {
          sum += std::exp(scores[j] - max);
          o += std::exp(scores[j] - max) * double{V_[j * size + x]};
        }
        const float got = O[i * size + x];
        if (std::abs(double{got} - o / sum) <= 1e-4) continue;
        FAIL("with ", where(), " the result of query ", i, ", column ", x, " is ", got,
             " instead of ", o / sum, "; the largest score is ", max, ". ", cause(got, max));
      }
    }
    exercise::expect_intact(device_O_.intact(), "O", where());
    if (device_K_.to_host() != K_) FAIL("K was written to. It must only be read.");
  }

 private:
  std::string where() const {
    return "queries = " + std::to_string(queries_) + ", keys = " + std::to_string(keys_);
  }
  static std::string cause(float got, double max) {
    if (std::isnan(got) && max < -80) {
      return "All powers of this query are 0 in float: is the largest of them e^0?";
    }
    if (std::isnan(got)) {
      return "Infinity less infinity is a NaN, and so is 0 / 0: which maximum has a tile without a "
             "finite score?";
    }
    return "What was added up before a new maximum came: is all of it relative to that maximum?";
  }

  std::size_t queries_, keys_;
  std::vector<float> Q_, K_, V_, bias_;
  exercise::Array<float> device_Q_, device_K_, device_V_, device_bias_, device_O_;
};

void check(int queries, const Bias& bias) {
  Problem problem(queries, bias);
  exercise::run([&] { problem.run(); });
  problem.expect_right();
}

}  // namespace

TEST_CASE("correct: maxima that grow from tile to tile") {
  for (const int keys : {32, 64, 160, exercise::drawn(100, 65, 200)}) {
    check(5, ramp(keys, 0.0F, 0.05F));
  }
  Problem nothing(0, ramp(32, 0, 0));
  exercise::run([&] { nothing.run(); }, exercise::Kernels::if_needed);
}

TEST_CASE("correct: scores far from 0") {
  for (const float offset : {-1000.0F, -150.0F, 150.0F, 1000.0F}) check(3, ramp(96, offset, -0.1F));
}

TEST_CASE("correct: ragged ends and masked keys") {
  for (const int keys : {1, 31, 33, 65, 127}) check(3, ramp(keys, -1.0F, -0.01F));
  check(3, sparse(100, 70, 7));  // the first two tiles are masked
  check(3, sparse(130, 0, 40));
}

TEST_CASE("safe: several tiles and nobody writes too early") {
  for (const int keys : {70, 129}) {
    Problem problem(9, ramp(keys, 0.0F, -0.01F));
    exercise::in_every_order([&](const std::string&) {
      exercise::run([&] { problem.run(); });
      problem.expect_right();
    });
    exercise::expect_no_findings();
  }
}

TEST_CASE("efficient: a block reads each key and value once") {
  const auto queries = 4 * static_cast<std::uint64_t>(exercise::drawn(4, 5, 7));
  const auto keys = 32 * static_cast<std::uint64_t>(exercise::drawn(4, 5, 7));
  Problem problem(static_cast<int>(queries), ramp(static_cast<int>(keys), 0.0F, -0.01F));
  const exercise::Run run = exercise::run([&] { problem.run(); });
  problem.expect_right();
  if (!course::on_emulator) {
    exercise::skip(
        "counted on the emulator; a GPU would count the same, but it does not report it");
    return;
  }
  constexpr std::uint64_t row = size * sizeof(float) / 32;  // sectors
  const std::uint64_t blocks = queries / 4;
  const std::uint64_t model = queries * row + blocks * (2 * keys * row + 4 * keys / 8);
  exercise::expect_at_most(
      run, {.counter = Counter::global_load_sectors,
            .limit = model,
            .model = model,
            .naive = queries * row + blocks * (5 * keys * row + 4 * keys / 8),
            .why = "The four queries of a block share its tiles of keys and values.",
            .read = "chapters/28_attention/README.md, tiles of keys"});
}
