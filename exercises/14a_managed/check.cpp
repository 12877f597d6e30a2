// The checks of exercise 14a. The function under test is in managed.cu.

#include <algorithm>

#include "checks/exercise.hpp"

int launch_quarters(const int* x, int* quarter, int n);

namespace {

namespace exercise = course::exercise;

/// Numbers from 0 to 999, some of them more than once.
class Problem {
 public:
  explicit Problem(int n)
      : n_(n), x_(some_numbers(n)), device_x_(x_), quarter_(x_.size()), expected_(x_.size()) {
    std::vector<int> sorted = x_;
    std::sort(sorted.begin(), sorted.end());
    for (int number = 1; number <= 3 && n > 0; ++number) {
      const int border = sorted[static_cast<std::size_t>((number * n + 3) / 4 - 1)];
      for (std::size_t i = 0; i < x_.size(); ++i) {
        if (x_[i] > border) expected_[i] = number;
      }
    }
    top_ = static_cast<int>(std::count(expected_.begin(), expected_.end(), 3));
  }

  void run() {
    quarter_.poison();
    CUDA_CHECK(cudaDeviceSynchronize());  // whatever streams the function uses
    returned_ = launch_quarters(device_x_.data(), quarter_.data(), n_);
  }

  void expect_quarters(const std::string& order) const {
    const std::vector<int> got = quarter_.to_host();
    for (std::size_t i = 0; i < got.size(); ++i) {
      if (got[i] == expected_[i]) continue;
      FAIL("with n = ", n_, ", ", order, " quarter[", i, "] is ", got[i], " instead of ",
           expected_[i], why(order));
    }
    exercise::expect_intact(quarter_.intact(), "quarter", "n = " + std::to_string(n_));
    if (device_x_.to_host() != x_)
      FAIL("with n = ", n_, " x was written to. It must only be read.");
  }
  void expect_top(const std::string& order) const {
    if (returned_ == top_) return;
    FAIL("with n = ", n_, ", ", order, " the function returns ", returned_, " instead of ", top_,
         why(order));
  }

 private:
  static std::string why(const std::string& order) {
    const std::string wait = exercise::missing_wait(order);
    return wait.empty() ? "" : "\n" + wait;
  }

  static std::vector<int> some_numbers(int n) {
    const course::RandomBits bits(14);
    std::vector<int> values(static_cast<std::size_t>(n));
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<int>(bits(i) % 1000);
    return values;
  }

  int n_;
  std::vector<int> x_;
  exercise::Array<int> device_x_;
  exercise::Array<int> quarter_;
  std::vector<int> expected_;
  int top_ = 0;
  int returned_ = -1;
};

}  // namespace

TEST_CASE("correct: the quarters of a few numbers in every order") {
  exercise::in_every_order([](const std::string& order) {
    for (const int n : {1, 2, 3, 4, 5, 31}) {
      Problem problem(n);
      exercise::run([&] { problem.run(); });
      problem.expect_quarters(order);
    }
  });
}

TEST_CASE("correct: the quarters of many numbers in every order") {
  exercise::in_every_order([](const std::string& order) {
    for (const int n : {257, 1009, 4096, exercise::drawn(500, 258, 1000)}) {
      Problem problem(n);
      exercise::run([&] { problem.run(); });
      problem.expect_quarters(order);
    }
  });
}

TEST_CASE("correct: how many are in the last quarter in every order") {
  exercise::in_every_order([](const std::string& order) {
    for (const int n : {5, 33, 257}) {
      Problem problem(n);
      exercise::run([&] { problem.run(); });
      problem.expect_quarters(order);
      problem.expect_top(order);
    }
  });
  Problem nothing(0);
  nothing.run();
  nothing.expect_top("no element");
}

TEST_CASE("safe: the host leaves alone what a kernel may be using") {
  exercise::in_every_order([](const std::string& order) {
    for (const int n : {2, 33, 257}) {
      Problem problem(n);
      exercise::run([&] { problem.run(); });
      problem.expect_quarters(order);
      problem.expect_top(order);
      exercise::expect_no_findings();
    }
  });
}

TEST_CASE("efficient: nothing is copied and the array stays where it is") {
  Problem problem(exercise::drawn(257, 258, 400));
  const exercise::Copies copies = exercise::count_copies([&] { problem.run(); });
  problem.expect_quarters("EMULATOR_ORDER=late");
  problem.expect_top("EMULATOR_ORDER=late");
  if (!course::on_emulator) {
    exercise::skip("counted on the emulator; a GPU does not say what was copied");
    return;
  }
  if (copies.pinned + copies.pageable != 0) {
    FAIL("copies between host and device: ", copies.pinned + copies.pageable,
         ", and none pass (the model solution: 0)\nBoth sides reach managed memory by its address. "
         "After a wait, the host may read it.\nread again: chapters/14_memory/README.md, managed "
         "memory");
  }
}
