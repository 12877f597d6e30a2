// The checks of exercise 13b. The function under test is in masks.cu.

#include <algorithm>

#include "checks/exercise.hpp"

void launch_statements(const int* booked, int n, int* balance, int* above, int* newest_first);

namespace {

namespace exercise = course::exercise;
using exercise::Counter;

constexpr int bookings = 8;  // as in masks.cu

const std::vector<int> whole_warps = {32, 64, 128, 256, 1024};
const std::vector<int> other_sizes = {
    1, 2, 7, 8, 9, 31, 33, 40, 127, 129, 257, 1009, exercise::drawn(400, 258, 1000)};

class Problem {
 public:
  explicit Problem(int n)
      : n_(n),
        booked_(some_bookings(n)),
        device_booked_(booked_),
        balance_(booked_.size()),
        above_(booked_.size()),
        newest_first_(booked_.size()) {
    find_expected();
  }

  void run() {
    balance_.poison();
    above_.poison();
    newest_first_.poison();
    launch_statements(device_booked_.data(), n_, balance_.data(), above_.data(),
                      newest_first_.data());
  }

  void expect_balances() const { expect(balance_, expected_balance_, "balance"); }
  void expect_above() const { expect(above_, expected_above_, "above"); }
  void expect_newest_first() const {
    expect(newest_first_, expected_newest_first_, "newest_first");
  }
  void expect_right() const {
    expect_balances();
    expect_above();
    expect_newest_first();
    if (device_booked_.to_host() != booked_) {
      FAIL("with n = ", n_, " the bookings were written to. They must only be read.");
    }
  }

 private:
  /// From -100 to 100, and never 0.
  static std::vector<int> some_bookings(int n) {
    const course::RandomBits bits(131);
    std::vector<int> values(static_cast<std::size_t>(n));
    for (std::size_t i = 0; i < values.size(); ++i) {
      const int amount = static_cast<int>(bits(i) % 100) + 1;
      values[i] = (bits(i) >> 40) % 2 == 0 ? amount : -amount;
    }
    return values;
  }

  void find_expected() {
    const auto n = booked_.size();
    expected_balance_.resize(n);
    expected_above_.resize(n);
    expected_newest_first_.resize(n);
    for (std::size_t first = 0; first < n; first += bookings) {
      const std::size_t end = std::min(n, first + bookings);
      int sum = 0;
      for (std::size_t i = first; i < end; ++i) expected_balance_[i] = sum += booked_[i];
      const auto begin = expected_balance_.begin();
      const auto from = begin + static_cast<std::ptrdiff_t>(first);
      const auto to = begin + static_cast<std::ptrdiff_t>(end);
      const int lowest = *std::min_element(from, to);
      for (std::size_t i = first; i < end; ++i) {
        expected_above_[i] = expected_balance_[i] - lowest;
        expected_newest_first_[i] = expected_balance_[end - 1 - (i - first)];
      }
    }
  }

  void expect(const exercise::Array<int>& array, const std::vector<int>& expected,
              const std::string& name) const {
    const std::vector<int> got = array.to_host();
    const std::string where = "n = " + std::to_string(n_);
    for (std::size_t i = 0; i < got.size(); ++i) {
      if (got[i] == expected[i]) continue;
      FAIL("with ", where, " ", name, "[", i, "] is ", got[i], " instead of ", expected[i],
           " (booking ", i % bookings, " of account ", i / bookings,
           ", whose bookings are in lanes ", i / bookings * bookings % 32, " to ",
           i / bookings * bookings % 32 + bookings - 1, ")");
    }
    exercise::expect_intact(array.intact(), name, where);
  }

  int n_;
  std::vector<int> booked_;
  exercise::Array<int> device_booked_;
  exercise::Array<int> balance_;
  exercise::Array<int> above_;
  exercise::Array<int> newest_first_;
  std::vector<int> expected_balance_;
  std::vector<int> expected_above_;
  std::vector<int> expected_newest_first_;
};

const std::string read_again = "chapters/13_warp/README.md, 'Traps'";

}  // namespace

TEST_CASE("correct: the balances of whole warps") {
  for (const int n : whole_warps) {
    Problem problem(n);
    exercise::run([&] { problem.run(); });
    problem.expect_balances();
  }
}

TEST_CASE("correct: above the lowest balance of each account") {
  for (const int n : whole_warps) {
    Problem problem(n);
    exercise::run([&] { problem.run(); });
    problem.expect_balances();
    problem.expect_above();
  }
}

TEST_CASE("correct: the newest balance first") {
  for (const int n : whole_warps) {
    Problem problem(n);
    exercise::run([&] { problem.run(); });
    problem.expect_balances();
    problem.expect_newest_first();
  }
}

TEST_CASE("correct: accounts and warps that are not full") {
  for (const int n : other_sizes) {
    Problem problem(n);
    exercise::run([&] { problem.run(); });
    problem.expect_right();
  }
  Problem(0).run();
  CUDA_CHECK(cudaDeviceSynchronize());
}

TEST_CASE("safe: masks name the lanes that arrive and nothing is read before it is written") {
  for (const int n : {1, 8, 31, 64, 129, 257, 1009}) {
    Problem problem(n);
    // In some of them __activemask() finds a lane alone.
    exercise::in_every_order([&](const std::string&) {
      exercise::run([&] { problem.run(); });
      problem.expect_right();
    });
    exercise::expect_no_findings();
  }
}

TEST_CASE("efficient: a warp waits only for itself") {
  const auto warps = static_cast<std::uint64_t>(exercise::drawn(64, 66, 80));
  Problem problem(32 * static_cast<int>(warps));
  const exercise::Run run = exercise::run([&] { problem.run(); });
  problem.expect_right();
  if (!course::on_emulator) {
    exercise::skip(
        "counted on the emulator; a GPU would count the same, but it does not report it");
    return;
  }
  exercise::expect_at_most(
      run, {.counter = Counter::barriers,
            .limit = 0,
            .model = 0,
            .naive = warps,
            .why = "An account is within one warp. __syncwarp() makes the warp's lanes wait for "
                   "each other, and __syncthreads() makes all warps of a block wait.",
            .read = read_again});
  exercise::expect_at_most(
      run, {.counter = Counter::global_load_requests,
            .limit = warps,
            .model = warps,
            .naive = 8 * warps,
            .why = "A warp loads its bookings once, by one request. The rest is between its lanes.",
            .read = read_again});
}
