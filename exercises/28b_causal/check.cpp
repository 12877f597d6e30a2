// The checks of exercise 28b. The function under test is in causal.cu.

#include <algorithm>
#include <cmath>
#include <limits>

#include "checks/exercise.hpp"

void launch_causal(const float* Q, const float* K, const float* V, int queries, int keys, float* O);

namespace {

namespace exercise = course::exercise;
using exercise::Counter;

constexpr std::size_t size = 32;

/// `count` numbers from -1 to 1.
std::vector<float> numbers(std::size_t count, std::uint64_t seed) {
  const course::RandomBits bits(seed);
  std::vector<float> x(count);
  for (std::size_t i = 0; i < count; ++i) x[i] = static_cast<float>(bits(i) % 257) / 128.0F - 1.0F;
  return x;
}

class Problem {
 public:
  Problem(int queries, int keys)
      : queries_(queries),
        keys_(keys),
        Q_(numbers(static_cast<std::size_t>(queries) * size, 1)),
        K_(numbers(static_cast<std::size_t>(keys) * size, 2)),
        V_(numbers(static_cast<std::size_t>(keys) * size, 3)),
        device_Q_(Q_),
        device_K_(K_),
        device_V_(V_),
        device_O_(Q_.size()) {}

  void run() {
    device_O_.poison();
    launch_causal(device_Q_.data(), device_K_.data(), device_V_.data(), queries_, keys_,
                  device_O_.data());
  }

  void expect_right() const {
    const std::vector<float> O = device_O_.to_host();
    for (int i = 0; i < queries_; ++i) {
      const std::vector<double> right = expected(i, seen(i));
      for (std::size_t x = 0; x < size; ++x) {
        const float got = O[static_cast<std::size_t>(i) * size + x];
        if (std::abs(double{got} - right[x]) <= 1e-4) continue;
        FAIL("with ", where(), " the result of query ", i, ", column ", x, " is ", got,
             " instead of ", right[x], "; it sees ", seen(i), " keys. ", cause(i, x, got));
      }
    }
    exercise::expect_intact(device_O_.intact(), "O", where());
  }

 private:
  int seen(int query) const { return std::max(0, query + 1 + keys_ - queries_); }
  std::vector<double> expected(int query, int seen) const {
    std::vector<double> o(size, 0.0);
    double sum = 0;
    for (int j = 0; j < seen && j < keys_; ++j) {
      double score = 0;
      for (std::size_t x = 0; x < size; ++x) score += double{at(Q_, query, x)} * at(K_, j, x);
      sum += std::exp(score);
      for (std::size_t x = 0; x < size; ++x) o[x] += std::exp(score) * at(V_, j, x);
    }
    for (double& value : o) value = sum > 0 ? value / sum : 0;
    return o;
  }
  static float at(const std::vector<float>& matrix, int row, std::size_t x) {
    return matrix[static_cast<std::size_t>(row) * size + x];
  }
  std::string where() const {
    return "queries = " + std::to_string(queries_) + ", keys = " + std::to_string(keys_);
  }
  /// What the result would be right for.
  std::string cause(int query, std::size_t x, float got) const {
    if (std::isnan(got)) return "0 / 0 is a NaN.";
    const auto is_of = [&](int other) {
      return other > 0 && std::abs(expected(query, other)[x] - double{got}) <= 1e-5;
    };
    for (const int off : {-1, 1}) {
      if (is_of(seen(query) + off)) return "The mask is off by one.";
    }
    if (is_of(query + 1)) return "Which query sees all keys: the last one?";
    if (is_of(keys_)) return "It has seen all keys.";
    return "Which keys has it seen?";
  }

  int queries_, keys_;
  std::vector<float> Q_, K_, V_;
  exercise::Array<float> device_Q_, device_K_, device_V_, device_O_;
};

void check(int queries, int keys) {
  Problem problem(queries, keys);
  exercise::run([&] { problem.run(); });
  problem.expect_right();
}

}  // namespace

TEST_CASE("correct: as many keys as queries") {
  for (const int length : {1, 3, 31, 32, 33, 64, exercise::drawn(70, 66, 100)})
    check(length, length);
  Problem nothing(0, 5);
  exercise::run([&] { nothing.run(); }, exercise::Kernels::if_needed);
}

TEST_CASE("correct: more keys than queries") {
  for (const auto& [queries, keys] :
       std::vector<std::pair<int, int>>{{1, 2}, {1, 97}, {5, 64}, {7, 70}, {33, 65}}) {
    check(queries, keys);
  }
}

TEST_CASE("correct: queries that see no key") {
  for (const auto& [queries, keys] :
       std::vector<std::pair<int, int>>{{2, 1}, {9, 3}, {70, 40}, {6, 0}}) {
    check(queries, keys);
  }
}

TEST_CASE("safe: nothing outside the arrays and all of a block wait together") {
  for (const auto& [queries, keys] :
       std::vector<std::pair<int, int>>{{6, 33}, {37, 37}, {9, 70}, {34, 31}}) {
    Problem problem(queries, keys);
    exercise::in_every_order([&](const std::string&) {
      exercise::run([&] { problem.run(); });
      problem.expect_right();
    });
    exercise::expect_no_findings();
  }
}

TEST_CASE("efficient: keys that nobody in a block sees are not read") {
  const auto length = 4 * static_cast<std::uint64_t>(exercise::drawn(24, 30, 40));
  Problem problem(static_cast<int>(length), static_cast<int>(length));
  const exercise::Run run = exercise::run([&] { problem.run(); });
  problem.expect_right();
  if (!course::on_emulator) {
    exercise::skip(
        "counted on the emulator; a GPU would count the same, but it does not report it");
    return;
  }
  constexpr std::uint64_t row = size * sizeof(float) / 32;  // sectors
  std::uint64_t whole_tiles = length * row, model = length * row;
  for (std::uint64_t end = 4; end <= length; end += 4) {
    whole_tiles += 2 * row * ((end + 31) / 32 * 32);
    model += 2 * row * end;
  }
  exercise::expect_at_most(
      run, {.counter = Counter::global_load_sectors,
            .limit = whole_tiles,
            .model = model,
            .naive = length * row + length / 4 * 2 * row * length,
            .why = "Tiles beyond the last key that a block's last query sees need not be read.",
            .read = "chapters/28_attention/README.md, tiles of keys"});
}
