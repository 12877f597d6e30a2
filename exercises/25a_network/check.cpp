// The checks of exercise 25a. The function under test is in network.cu.

#include <algorithm>
#include <numeric>

#include "checks/exercise.hpp"

void launch_sort_chunks(const int* x, int n, int* y);

namespace {

namespace exercise = course::exercise;
using exercise::Counter;

constexpr int chunk = 256;  // as in network.cu

class Problem {
 public:
  Problem(std::vector<int> x, std::string name)
      : x_(std::move(x)),
        name_(std::move(name)),
        expected_(x_),
        device_x_(x_),
        device_y_(x_.size()) {
    for (std::size_t first = 0; first < x_.size(); first += chunk) {
      const auto begin = expected_.begin() + static_cast<std::ptrdiff_t>(first);
      std::sort(begin, begin + std::min<std::ptrdiff_t>(chunk, expected_.end() - begin));
    }
  }

  void run() {
    device_y_.poison();
    launch_sort_chunks(device_x_.data(), static_cast<int>(x_.size()), device_y_.data());
  }

  void expect_right() const {
    const std::vector<int> y = device_y_.to_host();
    const auto wrong = std::mismatch(y.begin(), y.end(), expected_.begin()).first;
    if (wrong != y.end()) {
      const auto i = static_cast<std::size_t>(wrong - y.begin());
      FAIL("with n = ", y.size(), ", ", name_, ", y[", i, "] is ", y[i], " instead of ",
           expected_[i], " (place ", i % chunk, " of its chunk). ", cause(y));
    }
    exercise::expect_intact(device_y_.intact(), "y", "n = " + std::to_string(x_.size()));
    if (device_x_.to_host() != x_) FAIL("x was written to. It must only be read.");
  }

 private:
  /// What kind of wrong it is.
  std::string cause(const std::vector<int>& y) const {
    std::vector<int> all = y, those = x_;
    std::sort(all.begin(), all.end());
    std::sort(those.begin(), those.end());
    if (all != those) {
      return "Some numbers are lost, and others are there twice: two partners did not compare the "
             "same two numbers, or did not agree who keeps which";
    }
    return "No number is lost: of two partners, each kept the one that the other should have kept, "
           "somewhere";
  }

  std::vector<int> x_;
  std::string name_;
  std::vector<int> expected_;
  exercise::Array<int> device_x_;
  exercise::Array<int> device_y_;
};

/// The numbers 1 to n without a pattern.
std::vector<int> some_order(int n) {
  std::vector<int> values(static_cast<std::size_t>(n));
  std::iota(values.begin(), values.end(), 1);
  const course::RandomBits bits(25);
  for (std::size_t k = values.size(); k > 1; --k) std::swap(values[k - 1], values[bits(k) % k]);
  return values;
}

void check(const std::vector<int>& x, const std::string& name) {
  Problem problem(x, name);
  exercise::run([&] { problem.run(); });
  problem.expect_right();
}

}  // namespace

TEST_CASE("correct: whole chunks of different numbers") {
  for (const int n : {256, 512, 2048}) {
    std::vector<int> x = some_order(n);
    check(x, "numbers without a pattern");
    std::sort(x.begin(), x.end());
    check(x, "sorted numbers");
    std::reverse(x.begin(), x.end());
    check(x, "numbers in reverse");
  }
}

// Each chunk of an array has a block of ones that begins elsewhere.
TEST_CASE("correct: zeros and ones") {
  for (const int ones : {1, 2, 3, 16, 31, 32, 33, 100, 128, 200, 255}) {
    std::vector<int> x;
    for (int begin = 0; begin + ones <= chunk; begin += 23) {
      for (int place = 0; place < chunk; ++place) {
        x.push_back(place >= begin && place < begin + ones ? 1 : 0);
      }
    }
    check(x, std::to_string(ones) + " ones and otherwise zeros in each chunk");
  }
}

TEST_CASE("correct: chunks that are not full") {
  for (const int n : {1, 2, 3, 31, 33, 64, 127, 255, 257, 1009, exercise::drawn(700, 258, 1000)}) {
    check(some_order(n), "numbers without a pattern");
  }
  Problem nothing({}, "nothing");
  exercise::run([&] { nothing.run(); }, exercise::Kernels::if_needed);
}

TEST_CASE("safe: nothing is touched outside the arrays or read too early") {
  for (const int n : {1, 100, 256, 257, 1009}) {
    check(some_order(n), "numbers without a pattern");
    exercise::expect_no_findings();
  }
}

TEST_CASE("efficient: the network's steps and no more") {
  const auto chunks = static_cast<std::uint64_t>(exercise::drawn(4, 5, 7));
  const std::uint64_t warps = chunks * chunk / 32;
  Problem problem(some_order(static_cast<int>(chunks) * chunk), "numbers without a pattern");
  const exercise::Run run = exercise::run([&] { problem.run(); });
  problem.expect_right();
  if (!course::on_emulator) {
    exercise::skip(
        "counted on the emulator; a GPU would count the same, but it does not report it");
    return;
  }
  const std::string read_again = "chapters/25_sort/README.md, the network";
  exercise::expect_at_most(
      run, {.counter = Counter::barriers,
            .limit = 2 * 6 * warps,
            .model = 2 * 6 * warps,
            .naive = std::uint64_t{2} * chunk * warps,
            .why = "Partners 32, 64 or 128 places apart meet in 1 + 2 + 3 steps, each with one "
                   "barrier after the stores and one after the loads. All others are in one warp.",
            .read = read_again});
  exercise::expect_at_most(run, {.counter = Counter::shared_bank_conflicts,
                                 .limit = 0,
                                 .model = 0,
                                 .naive = 0,
                                 .why = "A warp's partners are 32 places in a row: 32 banks.",
                                 .read = read_again});
  exercise::expect_at_most(run, {.counter = Counter::shared_load_instructions,
                                 .limit = 6 * warps,
                                 .model = 6 * warps,
                                 .naive = chunk * warps,
                                 .why = "In each of these six steps a thread loads one number, its "
                                        "partner's.",
                                 .read = read_again});
  exercise::expect_at_most(run, {.counter = Counter::global_load_sectors,
                                 .limit = 4 * warps,
                                 .model = 4 * warps,
                                 .naive = 4 * chunk * warps,
                                 .why = "Each number is loaded once.",
                                 .read = read_again});
}
