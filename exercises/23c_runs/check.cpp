// The checks of exercise 23c. The functions under test are in runs.cu.

#include <algorithm>

#include "checks/exercise.hpp"

void launch_runs(const int* x, int n, int* values, int* lengths, int* runs, int* starts,
                 int* of_tiles);

namespace {

namespace exercise = course::exercise;
using exercise::Counter;

constexpr int block = 256;  // as in runs.cu

/// Runs of 1 to `longest` elements, of values that come again and again.
std::vector<int> make(int n, int longest) {
  const course::RandomBits bits(static_cast<std::uint64_t>(longest));
  std::vector<int> x;
  for (std::uint64_t run = 0; x.size() < static_cast<std::size_t>(n); ++run) {
    const std::size_t length = 1 + bits(run) % static_cast<std::uint64_t>(longest);
    const int value = static_cast<int>(run % 5 * 7) - 9;
    x.insert(x.end(), std::min(length, static_cast<std::size_t>(n) - x.size()), value);
  }
  return x;
}

class Problem {
 public:
  explicit Problem(std::vector<int> x)
      : x_(std::move(x)),
        device_x_(x_),
        values_(x_.size()),
        lengths_(x_.size()),
        runs_(1),
        starts_(x_.size()),
        of_tiles_(x_.empty() ? 0 : (x_.size() - 1) / block + 1) {
    for (std::size_t i = 0; i < x_.size(); ++i) {
      if (i == 0 || x_[i] != x_[i - 1]) {
        want_values_.push_back(x_[i]);
        want_lengths_.push_back(0);
      }
      ++want_lengths_.back();
    }
  }

  void run() {
    values_.poison();
    lengths_.poison();
    runs_.poison();
    starts_.poison();
    of_tiles_.poison();
    launch_runs(device_x_.data(), static_cast<int>(x_.size()), values_.data(), lengths_.data(),
                runs_.data(), starts_.data(), of_tiles_.data());
  }

  void expect_right() const {
    const std::string where = "n = " + std::to_string(x_.size());
    const int runs = runs_.to_host()[0];
    if (runs != static_cast<int>(want_values_.size())) {
      FAIL("with ", where, " there are ", runs, " runs, not ", want_values_.size(),
           runs == 0 ? ". Is a run's first element found?" : "");
    }
    expect_equal(values_.to_host(), want_values_, "values", where);
    expect_equal(lengths_.to_host(), want_lengths_, "lengths", where);
    exercise::expect_intact(values_.intact(), "values", where);
    exercise::expect_intact(lengths_.intact(), "lengths", where);
    exercise::expect_intact(starts_.intact(), "starts", where);
    exercise::expect_intact(of_tiles_.intact(), "of_tiles", where);
    if (device_x_.to_host() != x_) FAIL("with ", where, " x was written to");
  }

 private:
  static void expect_equal(const std::vector<int>& got, const std::vector<int>& want,
                           const std::string& name, const std::string& where) {
    for (std::size_t k = 0; k < want.size(); ++k) {
      if (got[k] == want[k]) continue;
      const bool is_last = k + 1 == want.size() && name == "lengths";
      FAIL("with ", where, " ", name, "[", k, "] is ", got[k], ", not ", want[k],
           is_last ? ". The last run ends with the array" : "");
    }
  }

  std::vector<int> x_;
  exercise::Array<int> device_x_;
  exercise::Array<int> values_;
  exercise::Array<int> lengths_;
  exercise::Array<int> runs_;
  exercise::Array<int> starts_;
  exercise::Array<int> of_tiles_;
  std::vector<int> want_values_;
  std::vector<int> want_lengths_;
};

void check(const std::vector<int>& x) {
  Problem problem(x);
  exercise::run([&] { problem.run(); });
  problem.expect_right();
}

const std::string read_again = "chapters/23_scan/README.md, 'Lists'";

}  // namespace

TEST_CASE("correct: runs of any length at any size") {
  for (const int n : {1, 2, 31, 32, 33, 127, 255, 256, 257, 512, 1009, 4096, 10007,
                      exercise::drawn(3000, 1010, 4000)}) {
    for (const int longest : {1, 2, 5, 700}) check(make(n, longest));
  }
  check(make(300 * block + 1, 3));  // more tiles than scan_counts() takes at once
  Problem nothing(std::vector<int>{});
  exercise::run([&] { nothing.run(); }, exercise::Kernels::if_needed);
  nothing.expect_right();
}

TEST_CASE("correct: runs that cross tiles and one run for all") {
  for (const int tiles : {1, 2, 7}) {
    for (const int more : {-1, 0, 1}) {
      const auto n = static_cast<std::size_t>(tiles * block + more);
      std::vector<int> x(n, 4);
      check(x);
      for (std::size_t i = 0; i < n; ++i) x[i] = static_cast<int>(i / block);
      check(x);
      for (std::size_t i = 0; i < n; ++i) x[i] = static_cast<int>((i + 32) / 64);
      check(x);
      for (std::size_t i = 0; i < n; ++i) x[i] = static_cast<int>(i);
      check(x);
    }
  }
}

TEST_CASE("safe: nothing is touched outside the arrays or read before it is written") {
  for (const int n : {1, 33, 256, 257, 2900}) {
    for (const int longest : {1, 40}) {
      Problem problem(make(n, longest));
      exercise::run([&] { problem.run(); });
      problem.expect_right();
      exercise::expect_no_findings();
    }
  }
}

TEST_CASE("efficient: x is read twice and nothing by atomics") {
  const auto tiles = static_cast<std::uint64_t>(exercise::drawn(32, 33, 48));
  const int n = block * static_cast<int>(tiles);
  const std::uint64_t warps = tiles * block / 32;
  Problem problem(make(n, 64));
  const exercise::Run run = exercise::run([&] { problem.run(); });
  problem.expect_right();
  if (!course::on_emulator) {
    exercise::skip(
        "counted on the emulator; a GPU would count the same, but it does not report it");
    return;
  }
  exercise::expect_at_most(
      run,
      {.counter = Counter::global_load_sectors,
       .limit = 26 * warps,
       .model = 5437,  // 21 per warp: the runs' starts are where they are
       .naive = 64 * warps,
       .why = "Two kernels look at x. A warp's elements are four sectors, and their neighbours "
              "before them, one element earlier, five. The rest is for heads, starts and "
              "counts.",
       .read = read_again});
  exercise::expect_at_most(run, {.counter = Counter::global_atomic_sectors,
                                 .limit = 1,
                                 .model = 0,
                                 .naive = warps,
                                 .why = "The number of a run is known from counting heads. Atomics "
                                        "would not keep the order.",
                                 .read = read_again});
}
