// The checks of exercise 25c. The function under test is in merge.cu.

#include <algorithm>

#include "checks/exercise.hpp"

/// As in merge.cu.
struct Item {
  int key;
  int from;
};

void launch_merge(const Item* a, int m, const Item* b, int n, Item* merged);

namespace {

namespace exercise = course::exercise;
using exercise::Counter;

std::vector<Item> sorted_items(int count, int below, int least, int from) {
  const course::RandomBits bits(static_cast<std::uint64_t>(2500 + from));
  std::vector<int> keys(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < keys.size(); ++i) {
    keys[i] = least + static_cast<int>(bits(i) % static_cast<std::uint64_t>(below));
  }
  std::sort(keys.begin(), keys.end());
  std::vector<Item> items;
  for (const int key : keys) items.push_back({key, from++});
  return items;
}

class Problem {
 public:
  /// Keys of a from 0 to below - 1, those of b from `b_least` on.
  Problem(int m, int n, int below, int b_least = 0)
      : m_(m),
        n_(n),
        a_(sorted_items(m, below, 0, 0)),
        b_(sorted_items(n, below, b_least, from_b)),
        device_a_(a_),
        device_b_(b_),
        merged_(a_.size() + b_.size()) {
    expected_ = a_;
    expected_.insert(expected_.end(), b_.begin(), b_.end());
    std::stable_sort(expected_.begin(), expected_.end(),
                     [](const Item& x, const Item& y) { return x.key < y.key; });
  }

  void run() {
    merged_.poison();
    launch_merge(device_a_.data(), m_, device_b_.data(), n_, merged_.data());
  }

  void expect_right() const {
    const std::vector<Item> merged = merged_.to_host();
    for (std::size_t i = 0; i < merged.size(); ++i) {
      const Item& got = merged[i];
      const Item& expected = expected_[i];
      if (got.key == expected.key && got.from == expected.from) continue;
      FAIL("with m = ", m_, ", n = ", n_, " merged[", i, "] is ", in_words(got), " instead of ",
           in_words(expected),
           got.key == expected.key
               ? ". Of equal keys a's come first, and each array's stay in their order"
               : "",
           i > 0 && i % 8 == 0 ? ". This is the first of a thread's share: look at where it begins"
                               : "");
    }
    const std::string where = "m = " + std::to_string(m_) + ", n = " + std::to_string(n_);
    exercise::expect_intact(merged_.intact(), "merged", where);
    if (!is_unchanged(device_a_, a_) || !is_unchanged(device_b_, b_)) {
      FAIL("with ", where, ": a or b was written to. They must only be read.");
    }
  }

 private:
  static constexpr int from_b = 1000000;

  static bool is_unchanged(const exercise::Array<Item>& array, const std::vector<Item>& items) {
    const std::vector<Item> now = array.to_host();
    return std::equal(now.begin(), now.end(), items.begin(), [](const Item& x, const Item& y) {
      return x.key == y.key && x.from == y.from;
    });
  }

  static std::string in_words(const Item& item) {
    if (item.key == -1 && item.from == -1) return "nothing (never written)";
    const bool of_b = item.from >= from_b;
    return std::string(of_b ? "b[" : "a[") + std::to_string(item.from - (of_b ? from_b : 0)) +
           "] with key " + std::to_string(item.key);
  }

  int m_, n_;
  std::vector<Item> a_, b_, expected_;
  exercise::Array<Item> device_a_, device_b_, merged_;
};

const std::vector<std::pair<int, int>> lengths = {
    {1, 0},     {0, 1},
    {1, 1},     {0, 100},
    {100, 0},   {7, 9},
    {8, 8},     {1, 1000},
    {1000, 1},  {127, 129},
    {500, 509}, {1024, 1024},
    {3001, 17}, {exercise::drawn(150, 100, 900), exercise::drawn(300, 100, 900)}};

void check(int m, int n, int below, int b_least = 0) {
  Problem problem(m, n, below, b_least);
  exercise::run([&] { problem.run(); });
  problem.expect_right();
}

}  // namespace

TEST_CASE("correct: arrays of any two lengths") {
  const int many = exercise::drawn(2000, 8200, 10000);
  check(many, many, 1000);
  for (const auto& [m, n] : lengths) {
    check(m, n, 1 << 30);
    check(m, n, 1000, 1000);     // all of a first
    check(m, n, 1000, -1000);    // all of b first
    check(m, n, 1 << 20, 1000);  // a little of each by itself
  }
  Problem nothing(0, 0, 1);
  exercise::run([&] { nothing.run(); }, exercise::Kernels::if_needed);
}

TEST_CASE("correct: equal keys stay in their order") {
  for (const auto& [m, n] : lengths) {
    check(m, n, 1);
    check(m, n, 3);
    check(m, n, 50);
  }
}

TEST_CASE("safe: nothing is read or written outside the arrays") {
  for (const auto& [m, n] : lengths) {
    for (const int b_least : {0, 1000, -1000}) {
      Problem problem(m, n, 1000, b_least);
      exercise::run([&] { problem.run(); });
      problem.expect_right();
      exercise::expect_no_findings();
    }
  }
}

TEST_CASE("efficient: binary search instead of a walk from the start") {
  const int half = 128 * exercise::drawn(32, 26, 31);
  const std::uint64_t warps = 2 * static_cast<std::uint64_t>(half) / 8 / 32;
  Problem problem(half, half, 1 << 30);
  const exercise::Run run = exercise::run([&] { problem.run(); });
  problem.expect_right();
  if (!course::on_emulator) {
    exercise::skip(
        "counted on the emulator; a GPU would count the same, but it does not report it");
    return;
  }
  for (const Counter counter : {Counter::global_load_requests, Counter::shared_load_instructions}) {
    exercise::expect_at_most(
        run, {.counter = counter,
              .limit = 84 * warps,
              .model = counter == Counter::global_load_requests ? 1732U : 0U,
              .naive = std::uint64_t{4096} * warps,
              .why = "Halving 4,096 possibilities takes 12 or 13 steps of two loads, then each of "
                     "eight elements takes two to be compared and two branches to be copied.",
              .read = "chapters/25_sort/README.md, merging by diagonals"});
  }
}
