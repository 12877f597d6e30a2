// The checks of exercise 13a. The function under test is in partition.cu.

#include <algorithm>
#include <numeric>

#include "checks/exercise.hpp"

void launch_partition(const int* x, int n, int limit, int* below, int* rest, int* counts);
void launch_naive(const int* x, int n, int limit, int* below, int* rest, int* counts);

namespace {

namespace exercise = course::exercise;
using exercise::Counter;
using Launch = decltype(&launch_partition);

const std::vector<int> sizes = {1,
                                2,
                                31,
                                32,
                                33,
                                64,
                                127,
                                255,
                                256,
                                257,
                                1009,
                                4096,
                                exercise::drawn(10007, 17000, 40000),
                                exercise::drawn(700, 258, 4000)};

/// The numbers from 0 to n - 1 in some order: each tells where it comes from.
class Problem {
 public:
  Problem(int n, int limit)
      : n_(n),
        limit_(limit),
        x_(some_order(n)),
        device_x_(x_),
        below_(static_cast<std::size_t>(limit)),
        rest_(static_cast<std::size_t>(n - limit)),
        counts_(2) {}

  void run(Launch launch = launch_partition) {
    below_.poison();
    rest_.poison();
    counts_.poison();
    call(launch);
  }
  void call(Launch launch) {
    launch(device_x_.data(), n_, limit_, below_.data(), rest_.data(), counts_.data());
  }

  /// Each list has its elements, in any order.
  void expect_right() const {
    const std::vector<int> counts = counts_.to_host();
    if (counts[0] != limit_ || counts[1] != n_ - limit_) {
      FAIL(
          "with ", where(), " counts are ", counts[0], " and ", counts[1], " instead of ", limit_,
          " and ", n_ - limit_,
          counts[0] + counts[1] > n_ ? ". A lane without an element has none for either list" : "");
    }
    expect_elements(below_.to_host(), 0, "below");
    expect_elements(rest_.to_host(), limit_, "rest");
    exercise::expect_intact(below_.intact(), "below", where());
    exercise::expect_intact(rest_.intact(), "rest", where());
    exercise::expect_intact(counts_.intact(), "counts", where());
    if (device_x_.to_host() != x_)
      FAIL("with ", where(), " x was written to. It must only be read.");
  }

  /// @param order  in which the next run is: in a random one, __activemask() may find a lane alone
  void set_order(const std::string& order) {
    const bool is_random = order.find_first_of("1234") != std::string::npos;
    order_ = is_random ? " (in an order in which __activemask() may find a lane alone)" : "";
  }

  /// A warp's elements are side by side, in the order in which they are in x.
  void expect_in_order() const {
    std::vector<int> place(x_.size());
    for (std::size_t i = 0; i < x_.size(); ++i) place[index(x_[i])] = static_cast<int>(i);
    expect_runs(below_.to_host(), place, "below");
    expect_runs(rest_.to_host(), place, "rest");
  }

 private:
  static std::size_t index(int value) { return static_cast<std::size_t>(value); }

  static std::vector<int> some_order(int n) {
    std::vector<int> values(index(n));
    std::iota(values.begin(), values.end(), 0);
    const course::RandomBits bits(13);
    for (std::size_t k = values.size(); k > 1; --k) std::swap(values[k - 1], values[bits(k) % k]);
    return values;
  }

  std::string where() const {
    return "n = " + std::to_string(n_) + ", limit = " + std::to_string(limit_) + order_;
  }

  /// `list` holds the numbers from `first` on, each once.
  void expect_elements(std::vector<int> list, int first, const std::string& name) const {
    const std::vector<int> as_it_is = list;
    std::sort(list.begin(), list.end());
    for (std::size_t k = 0; k < list.size(); ++k) {
      if (list[k] == first + static_cast<int>(k)) continue;
      const auto never = std::find(as_it_is.begin(), as_it_is.end(), -1);
      if (never != as_it_is.end()) {
        FAIL("with ", where(), " ", name, "[", never - as_it_is.begin(),
             "] was never written, though the counts say that it should be");
      }
      FAIL("with ", where(), " ", name, " does not hold ", first + static_cast<int>(k),
           k > 0 && list[k] == list[k - 1] ? ", but another one twice" : "");
    }
  }

  void expect_runs(const std::vector<int>& list, const std::vector<int>& place,
                   const std::string& name) const {
    std::vector<bool> seen(x_.size() / 32 + 1);
    for (std::size_t k = 0; k < list.size(); ++k) {
      const int from = place[index(list[k])];
      const int before = k == 0 ? -1 : place[index(list[k - 1])];
      if (k > 0 && from / 32 == before / 32) {
        if (from > before) continue;
        FAIL("with ", where(), " ", name, "[", k - 1, "] is x[", before, "] and ", name, "[", k,
             "] is x[", from, "]: within a warp the order of x must be kept");
      }
      if (seen[index(from / 32)]) {
        FAIL("with ", where(), " ", name, "[", k, "] is x[", from,
             "], whose warp has other elements further up, with another warp's between: a warp's "
             "elements must be contiguous");
      }
      seen[index(from / 32)] = true;
    }
  }

  int n_;
  int limit_;
  std::string order_;  // in words, if it is not that of the issue
  std::vector<int> x_;
  exercise::Array<int> device_x_;
  exercise::Array<int> below_;
  exercise::Array<int> rest_;
  exercise::Array<int> counts_;
};

std::vector<int> limits(int n) {
  return {0, n / 3, n / 2, n};
}

const std::string read_again = "chapters/13_warp/README.md, the append with one atomic a warp";

}  // namespace

TEST_CASE("correct: each element in its list at any size and any limit") {
  for (const int n : sizes) {
    for (const int limit : limits(n)) {
      Problem problem(n, limit);
      exercise::run([&] { problem.run(); });
      problem.expect_right();
    }
  }
  Problem nothing(0, 0);
  exercise::run([&] { nothing.run(); }, exercise::Kernels::if_needed);
  nothing.expect_right();
}

TEST_CASE("correct: a warp keeps its elements together and in order") {
  for (const int n : sizes) {
    for (const int limit : limits(n)) {
      Problem problem(n, limit);
      exercise::run([&] { problem.run(); });
      problem.expect_right();
      problem.expect_in_order();
    }
  }
}

TEST_CASE("safe: masks name the lanes that arrive and nothing is touched outside the arrays") {
  for (const int n : {1, 31, 33, 257, 1009}) {
    for (const int limit : limits(n)) {
      Problem problem(n, limit);
      // At random, a lane may find itself alone wherever it asks which lanes are active.
      exercise::in_every_order([&](const std::string& order) {
        problem.set_order(order);
        exercise::run([&] { problem.run(); });
        problem.expect_right();
        problem.expect_in_order();
      });
      exercise::expect_no_findings();
    }
  }
}

TEST_CASE("efficient: two atomics per warp") {
  const bool big = !course::on_emulator;  // a GPU has more room, and wants more work
  const auto warps = static_cast<std::uint64_t>(exercise::drawn(128, 130, 160));
  const int n = big ? 1 << 25 : 32 * static_cast<int>(warps);
  Problem problem(n, n / 2);
  const exercise::Run run = exercise::run([&] { problem.run(); });
  problem.expect_right();
  exercise::expect_at_most(
      run, {.counter = Counter::global_atomic_sectors,
            .limit = 2 * warps,
            .model = 2 * warps,
            .naive = 32 * warps,
            .why = "Lanes that add to one counter wait for each other. A warp that has elements "
                   "for both lists reserves their places with one atomic for each list.",
            .read = read_again});
  if (course::on_emulator && run.count(Counter::global_atomic_requests) == 0) {
    FAIL(
        "places are reserved by atomics, and there were none. Between a load and a store another "
        "warp may reserve the same");
  }
  exercise::expect_faster([&] { problem.call(launch_naive); },
                          [&] { problem.call(launch_partition); }, 1.3, read_again);
}

TEST_CASE("efficient: an element is loaded once and stored once") {
  const auto warps = static_cast<std::uint64_t>(exercise::drawn(128, 130, 160));
  const int n = 32 * static_cast<int>(warps);
  Problem problem(n, n / 2);
  const exercise::Run run = exercise::run([&] { problem.run(); });
  problem.expect_right();
  if (!course::on_emulator) {
    exercise::skip(
        "counted on the emulator; a GPU would count the same, but it does not report it");
    return;
  }
  // An atomic is a load and a store as well.
  exercise::expect_at_most(run, {.counter = Counter::global_load_requests,
                                 .limit = 3 * warps,
                                 .model = 3 * warps,
                                 .naive = 0,
                                 .why = "A warp loads its elements by one request, and its two "
                                        "atomics count as loads. Its places are reserved without "
                                        "another look at x.",
                                 .read = read_again});
  exercise::expect_at_most(run, {.counter = Counter::global_store_requests,
                                 .limit = 4 * warps + 2,
                                 .model = 4 * warps,
                                 .naive = 0,
                                 .why = "A warp stores to each list by one request, and its two "
                                        "atomics count as stores. The limit leaves two more, to "
                                        "set the counts.",
                                 .read = read_again});
}
