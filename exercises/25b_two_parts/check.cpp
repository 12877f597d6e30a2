// The checks of exercise 25b. The function under test is in two_parts.cu.

#include <algorithm>
#include <numeric>

#include "checks/exercise.hpp"

void launch_order(const int* grade, const int* team, int n, int* order, int* spare, int* counts);

namespace {

namespace exercise = course::exercise;
using exercise::Counter;

constexpr int block = 256, digits = 16;  // as in two_parts.cu

const std::vector<int> sizes = {1,   2,   31,   33,   64,    255,
                                256, 257, 1009, 4096, 10007, exercise::drawn(700, 258, 5000)};

/// People whose grades and teams are below the given numbers.
class Problem {
 public:
  Problem(int n, int grades, int teams)
      : n_(n),
        grade_(some_numbers(n, grades, 251)),
        team_(some_numbers(n, teams, 252)),
        expected_(grade_.size()),
        device_grade_(grade_),
        device_team_(team_),
        order_(grade_.size()),
        spare_(grade_.size()),
        counts_(static_cast<std::size_t>(digits * ((n + block - 1) / block))) {
    std::iota(expected_.begin(), expected_.end(), 0);
    std::stable_sort(expected_.begin(), expected_.end(), [this](int a, int b) {
      return grade(a) != grade(b) ? grade(a) > grade(b) : team(a) < team(b);
    });
  }

  void run() {
    order_.poison();
    spare_.poison();
    counts_.poison();
    launch_order(device_grade_.data(), device_team_.data(), n_, order_.data(), spare_.data(),
                 counts_.data());
  }

  void expect_right() const {
    const std::vector<int> order = order_.to_host();
    const auto wrong = std::mismatch(order.begin(), order.end(), expected_.begin()).first;
    if (wrong != order.end()) {
      const auto i = static_cast<std::size_t>(wrong - order.begin());
      FAIL("with n = ", n_, " order[", i, "] is ", who(order[i]), " instead of ", who(expected_[i]),
           ". ", cause(order, i));
    }
    const std::string where = "n = " + std::to_string(n_);
    exercise::expect_intact(order_.intact(), "order", where);
    exercise::expect_intact(spare_.intact(), "spare", where);
    exercise::expect_intact(counts_.intact(), "counts", where);
    if (device_grade_.to_host() != grade_ || device_team_.to_host() != team_) {
      FAIL("with n = ", n_, " grades or teams were written to. They must only be read.");
    }
  }

 private:
  static std::vector<int> some_numbers(int n, int below, std::uint64_t seed) {
    const course::RandomBits bits(seed);
    std::vector<int> values(static_cast<std::size_t>(n));
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] = static_cast<int>(bits(i) % static_cast<std::uint64_t>(below));
    }
    return values;
  }

  int grade(int i) const { return grade_[static_cast<std::size_t>(i)]; }
  int team(int i) const { return team_[static_cast<std::size_t>(i)]; }

  std::string who(int i) const {
    const std::string number = "number " + std::to_string(i);
    if (i < 0 || i >= n_) return number + " (there is nobody of that number)";
    return number + " (grade " + std::to_string(grade(i)) + ", team " + std::to_string(team(i)) +
           ")";
  }

  std::string cause(const std::vector<int>& order, std::size_t i) const {
    if (order[i] == -1) return "It was never written";
    if (std::count(order.begin(), order.end(), order[i]) > 1) {
      return "That number is there more than once: two people got one place, and others none";
    }
    const int got = order[i], expected = expected_[i];
    if (got < 0 || got >= n_) return "";
    if (grade(got) == grade(expected) && team(got) == team(expected)) {
      return "They are equal in both parts, so the one with the lower number comes first: a pass "
             "is not stable";
    }
    if (grade(got) != grade(expected)) {
      return "The grade decides first, and the highest comes first";
    }
    return "In one grade the lowest team comes first";
  }

  int n_;
  std::vector<int> grade_, team_, expected_;
  exercise::Array<int> device_grade_, device_team_, order_, spare_, counts_;
};

}  // namespace

TEST_CASE("correct: by team where all grades are equal") {
  for (const int n : sizes) {
    Problem problem(n, 1, digits);
    exercise::run([&] { problem.run(); });
    problem.expect_right();
  }
  Problem nothing(0, 1, digits);
  exercise::run([&] { nothing.run(); }, exercise::Kernels::if_needed);
}

TEST_CASE("correct: by grade and then by team") {
  for (const int n : sizes) {
    for (const auto& [grades, teams] :
         std::vector<std::pair<int, int>>{{digits, digits}, {2, 3}, {digits, 1}}) {
      Problem problem(n, grades, teams);
      exercise::run([&] { problem.run(); });
      problem.expect_right();
    }
  }
}

TEST_CASE("safe: nothing is read too early or touched outside the arrays") {
  for (const int n : {1, 33, 256, 300, 1009}) {
    Problem problem(n, 3, digits);
    exercise::in_every_order([&](const std::string&) {
      exercise::run([&] { problem.run(); });
      problem.expect_right();
    });
    exercise::expect_no_findings();
  }
}

TEST_CASE("efficient: a rank without looking at everyone") {
  const std::uint64_t warps = 8 * static_cast<std::uint64_t>(exercise::drawn(8, 9, 12));
  Problem problem(32 * static_cast<int>(warps), digits, digits);
  const exercise::Run run = exercise::run([&] { problem.run(); });
  problem.expect_right();
  if (!course::on_emulator) {
    exercise::skip(
        "counted on the emulator; a GPU would count the same, but it does not report it");
    return;
  }
  const std::string read_again = "chapters/25_sort/README.md, the ranks within a warp";
  exercise::expect_at_most(
      run, {.counter = Counter::shared_load_instructions,
            .limit = std::uint64_t{2} * 16 * warps,
            .model = 592,
            .naive = std::uint64_t{2} * 256 * warps,
            .why = "A match tells a lane which lanes have its digit, without memory. Of each "
                   "earlier warp one number is needed.",
            .read = read_again});
  exercise::expect_at_most(
      run, {.counter = Counter::global_load_requests,
            .limit = std::uint64_t{2} * 12 * warps,
            .model = 648,
            .naive = std::uint64_t{2} * 256 * warps,
            .why = "A person's number, its part and the start of its digit are one load each, and "
                   "the counting loads as much once more.",
            .read = read_again});
}
