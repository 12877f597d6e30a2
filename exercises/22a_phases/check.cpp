// The checks of exercise 22a. The function under test is in phases.cu.

#include "checks/exercise.hpp"

void launch_row_sums(const float* A, float* y, int m, int n);

namespace {

namespace exercise = course::exercise;
using exercise::Counter;

struct Shape {
  int m;
  int n;
};

/// Sums of rows of small whole numbers, which are exact in any order.
class Problem {
 public:
  explicit Problem(const Shape& shape)
      : shape_(shape), A_(course::exact_vector(m() * n(), n(), 1)), device_A_(A_), device_y_(m()) {}

  exercise::Run run() {
    return exercise::run(
        [&] {
          device_y_.poison();
          launch_row_sums(device_A_.data(), device_y_.data(), shape_.m, shape_.n);
        },
        exercise::kernels_for(shape_.n));
  }

  void expect_right() const {
    std::vector<double> expected(m());
    for (std::size_t i = 0; i < m(); ++i) {
      for (std::size_t j = 0; j < n(); ++j) expected[i] += double{A_[i * n() + j]};
    }
    const std::string where = "m = " + std::to_string(m()) + ", n = " + std::to_string(n());
    exercise::expect_exact(device_y_.to_host(), expected, m(), 1, where);
    exercise::expect_intact(device_y_.intact(), "y", where);
    if (device_A_.to_host() != A_) FAIL("with ", where, " A was written to. It must only be read.");
  }

 private:
  std::size_t m() const { return static_cast<std::size_t>(shape_.m); }
  std::size_t n() const { return static_cast<std::size_t>(shape_.n); }

  Shape shape_;
  std::vector<float> A_;
  exercise::Array<float> device_A_;
  exercise::Array<float> device_y_;
};

const std::string read_again = "chapters/22_hopper/README.md, 'Full and empty'";

}  // namespace

TEST_CASE("correct: one row per block") {
  for (const Shape& shape : {Shape{1, 256}, {4, 512}, {3, 768}, {2, 2560}}) {
    Problem problem(shape);
    problem.run();
    problem.expect_right();
  }
}

TEST_CASE("correct: many rows of any length") {
  for (const Shape& shape : {Shape{5, 256},
                             {9, 1},
                             {13, 257},
                             {11, 1100},
                             {6, 2000},
                             {exercise::drawn(10, 5, 14), exercise::drawn(700, 258, 1600)},
                             {7, 0}}) {
    Problem problem(shape);
    problem.run();
    problem.expect_right();
  }
}

TEST_CASE("safe: nothing is used before it arrives or overwritten while it is in use") {
  for (const Shape& shape : {Shape{2, 1500}, {9, 300}}) {
    Problem problem(shape);
    problem.run();
    problem.expect_right();
    exercise::expect_no_findings();
  }
}

TEST_CASE("efficient: numbers are loaded once and a warp copies them") {
  const int n = 256 * exercise::drawn(8, 9, 12);
  Problem problem({4, n});
  const exercise::Run run = problem.run();
  problem.expect_right();
  if (!course::on_emulator) {
    exercise::skip("traffic is counted on the emulator only");
    return;
  }
  const std::uint64_t sectors = std::uint64_t{4} * static_cast<std::uint64_t>(n) * 4 / 32;
  constexpr std::uint64_t additions = std::uint64_t{4} * 4;  // of each warp to each sum
  exercise::expect_at_most(run, {.counter = Counter::global_load_sectors,
                                 .limit = sectors + additions,
                                 .model = sectors + additions,
                                 .naive = 0,
                                 .why = "Each number is needed once, and a warp loads neighbours; "
                                        "besides, each warp adds to a sum.",
                                 .read = read_again});
  exercise::expect_at_most(run, {.counter = Counter::shared_load_instructions,
                                 .limit = sectors / 4,
                                 .model = sectors / 4,
                                 .naive = 0,
                                 .why = "Each number is read once from the ring, 32 at a time.",
                                 .read = read_again});
  if (run.count(Counter::shared_load_instructions) < sectors / 16) {
    FAIL(
        "the numbers do not go through the ring: a warp loads 32 of them, or 128 at once, from "
        "shared memory. The ring is to be kept");
  }
  const std::uint64_t pieces = std::uint64_t{4} * static_cast<std::uint64_t>(n) / 256;
  if (run.count(Counter::barriers) < 4 * pieces) {
    FAIL(
        "the consumers do not wait for a producer: of four warps each waits once for each piece. "
        "The warp that copies is to be kept");
  }
  constexpr std::uint64_t warps = 5;
  exercise::expect_at_most(run, {.counter = Counter::barriers,
                                 .limit = warps * (pieces + 16),
                                 .model = warps * (pieces + 4),
                                 .naive = std::uint64_t{2} * warps * pieces,
                                 .why = "Each of four blocks has one __syncthreads(), and for each "
                                        "piece a warp waits once: until it is there, or until its "
                                        "stage is free. The limit leaves a warp three more in a "
                                        "block.",
                                 .read = read_again});
}
