// The checks of exercise 15a. The function under test is in missing_wait.cu.

#include <algorithm>
#include <bit>

#include "checks/exercise.hpp"
#include "checks/streams.hpp"
#include "pinned.hpp"
#include "verify.hpp"

void blend_pages(const float* a, const float* b, float* y, float* memory, int n, int pages);

namespace {

namespace exercise = course::exercise;

// The first pages wait for a buffer that nobody has left yet: that is right, and a warning of it
// would be beside what is wrong.
[[maybe_unused]] const bool first_waits_are_right = exercise::expect_warnings("unrecorded-event");

constexpr std::size_t beside = 64;  // elements on both sides of y, which nobody may write
const float poison = std::bit_cast<float>(course::poison_bits);

/// Pages of whole numbers in pinned memory, and room for the result. A call of the function is
/// looked at twice: when it returns, and when the device has nothing more to do.
class Problem {
 public:
  Problem(int n, int pages)
      : n_(n),
        pages_(pages),
        count_(static_cast<std::size_t>(n) * static_cast<std::size_t>(pages)),
        a_(course::exact_vector(count_, 4, 1)),
        b_(course::exact_vector(count_, 4, 2)),
        y_(count_ + 2 * beside),
        memory_(4 * static_cast<std::size_t>(n)),
        expected_(count_) {
    for (std::size_t i = 0; i < count_; ++i) {
      expected_[i] = 2.0 * double{a_.data()[i]} + double{b_.data()[i]};
    }
  }

  void run() {
    std::fill(y_.begin(), y_.end(), poison);
    memory_.poison();
    exercise::run([&] {
      blend_pages(a_.data(), b_.data(), y_.data() + beside, memory_.data(), n_, pages_);
      if (looks_on_return_) take();
    });
    if (!looks_on_return_) take();
  }
  /// Once, in the order of issue; and what waits for what.
  exercise::StreamRun run_in_streams() {
    std::fill(y_.begin(), y_.end(), poison);
    exercise::StreamRun seen = exercise::run_in_streams(
        [&] { blend_pages(a_.data(), b_.data(), y_.data() + beside, memory_.data(), n_, pages_); });
    take();
    return seen;
  }
  /// Whether y is looked at as soon as the function returns.
  void look_on_return() { looks_on_return_ = true; }

  void expect_right(const std::string& order) {
    const std::string where =
        "n = " + std::to_string(n_) + ", pages = " + std::to_string(pages_) + ", " + order;
    exercise::expect_exact(got_, expected_, where);
    const auto untouched = [](float value) { return value != value; };
    exercise::expect_intact(std::all_of(y_.begin(), y_.begin() + beside, untouched) &&
                                std::all_of(y_.end() - beside, y_.end(), untouched),
                            "y", where);
    exercise::expect_intact(memory_.intact(), "memory", where);
  }

 private:
  void take() { got_.assign(y_.begin() + beside, y_.end() - beside); }

  int n_;
  int pages_;
  std::size_t count_;
  course::PinnedArray<float> a_;
  course::PinnedArray<float> b_;
  course::PinnedArray<float> y_;
  exercise::Array<float> memory_;
  std::vector<double> expected_;
  std::vector<float> got_;
  bool looks_on_return_ = false;
};

void check(int n, int pages) {
  Problem problem(n, pages);
  exercise::in_every_order([&](const std::string& order) {
    problem.run();
    problem.expect_right(order);
  });
}

}  // namespace

TEST_CASE("correct: one page and two") {
  for (const int pages : {1, 2}) {
    for (const int n : {1, 31, 32, 129, 1009}) check(n, pages);
  }
}

TEST_CASE("correct: more pages than buffers") {
  for (const int pages : {3, 4, 5, 8}) {
    for (const int n : {1, 33, 127, 1009, exercise::drawn(500, 128, 1000)}) check(n, pages);
  }
  check(3, exercise::drawn(9, 10, 24));
}

TEST_CASE("correct: everything is done when the function returns") {
  for (const int pages : {1, 2, 5}) {
    for (const int n : {3, 257}) {
      Problem problem(n, pages);
      problem.look_on_return();
      exercise::in_every_order([&](const std::string& order) {
        problem.run();
        problem.expect_right(order);
      });
    }
  }
  for (const auto& [n, pages] : {std::pair{0, 3}, std::pair{3, 0}}) {
    blend_pages(nullptr, nullptr, nullptr, nullptr, n, pages);
    CUDA_CHECK_LAUNCH();
  }
}

TEST_CASE("safe: nothing is overwritten while it is in use") {
  for (const int pages : {1, 4}) {
    Problem problem(300, pages);
    problem.look_on_return();
    exercise::in_every_order([&](const std::string& order) {
      problem.run();
      problem.expect_right(order);
      exercise::expect_no_findings();
    });
  }
}

TEST_CASE("efficient: three streams are at work at once") {
  constexpr int pages = 6;
  const int n = exercise::drawn(1000, 1010, 1500);
  Problem problem(n, pages);
  const exercise::StreamRun run = problem.run_in_streams();
  problem.expect_right("EMULATOR_ORDER=issue");
  if (!course::on_emulator) return exercise::skip("a GPU does not say what waits for what");
  const std::uint64_t bytes = std::uint64_t{pages} * static_cast<std::uint64_t>(n) * sizeof(float);
  exercise::expect_pipeline(run,
                            {.pieces = pages,
                             .bytes_in = 2 * bytes,
                             .bytes_out = bytes,
                             .read = "chapters/15_streams/README.md, 'Events: one stream waits for "
                                     "another'",
                             .copies_in = 2});
}
