// The checks of exercise 12b. The function under test is in two_sweeps.cu.

#include "checks/exercise.hpp"

void launch_sweeps(const float* x, float* y, float* z, int n, int sweeps);

namespace {

namespace exercise = course::exercise;
using exercise::Counter;

constexpr int block = 128;  // as in two_sweeps.cu
constexpr int radius = 2;

/// A line of small whole numbers. A sweep makes them ten times as large at most: after six they are
/// still exact.
class Problem {
 public:
  explicit Problem(int n, int sweeps = 2)
      : n_(n),
        sweeps_(sweeps),
        x_(course::exact_vector(static_cast<std::size_t>(n), 1)),
        device_x_(x_),
        y_(x_.size()),
        z_(x_.size()) {}

  void run() {
    y_.poison();
    z_.poison();
    launch_sweeps(device_x_.data(), y_.data(), z_.data(), n_, sweeps_);
  }

  void expect_right() const {
    const std::vector<double> expected = after(sweeps_);
    const std::vector<float> got = y_.to_host();
    const std::string where = "n = " + std::to_string(n_) + ", sweeps = " + std::to_string(sweeps_);
    exercise::expect_exact(got, expected, where + pattern(got, expected),
                           {{after(2),
                             "that is the result of the first two sweeps. What does the next "
                             "launch begin with: x again, or the previous launch's result?"},
                            {after(sweeps_, radius),
                             "the first sweep gives points beyond the ends a value, and the second "
                             "uses it. What is beyond, in the second sweep?"}});
    exercise::expect_intact(y_.intact(), "y", where);
    exercise::expect_intact(z_.intact(), "z", where);
    if (device_x_.to_host() != x_) FAIL("with ", where, " x was written to. It must only be read.");
  }

 private:
  /// @param beyond  how many points beyond either end get a value in the first of two sweeps
  std::vector<double> after(int sweeps, int beyond = 0) const {
    std::vector<double> x(x_.begin(), x_.end());
    x.insert(x.begin(), radius, 0.0);
    x.insert(x.end(), radius, 0.0);
    const auto at = [&](int i) {
      return i >= -radius && i < n_ + radius ? x[static_cast<std::size_t>(i + radius)] : 0.0;
    };
    for (int s = 0; s < sweeps; ++s) {
      const int more = s % 2 == 0 ? beyond : 0;
      std::vector<double> y(x.size());
      for (int i = -more; i < n_ + more; ++i) {
        y[static_cast<std::size_t>(i + radius)] =
            4 * at(i) + 2 * (at(i - 1) + at(i + 1)) + at(i - 2) + at(i + 2);
      }
      x = y;
    }
    return {x.begin() + radius, x.end() - radius};
  }

  /// Where the wrong points are, if that says much.
  std::string pattern(const std::vector<float>& got, const std::vector<double>& expected) const {
    const int near = 2 * sweeps_;
    int wrong = 0;
    int at_the_begin = 0;
    int where_blocks_meet = 0;
    for (int i = 0; i < n_; ++i) {
      if (double{got[static_cast<std::size_t>(i)]} == expected[static_cast<std::size_t>(i)]) {
        continue;
      }
      ++wrong;
      if (i < near) ++at_the_begin;
      if (i % block < near || i % block >= block - near) ++where_blocks_meet;
    }
    if (at_the_begin == 0 && wrong > 0 && n_ > block && wrong == where_blocks_meet) {
      return " (only points near the ends of blocks are wrong: how far do two sweeps reach?)";
    }
    return "";
  }

  int n_;
  int sweeps_;
  std::vector<float> x_;
  exercise::Array<float> device_x_;
  exercise::Array<float> y_;
  exercise::Array<float> z_;
};

void check(int n, int sweeps) {
  Problem problem(n, sweeps);
  exercise::run([&] { problem.run(); });
  problem.expect_right();
}

const std::string read_again =
    "chapters/12_stencil/README.md, 'Many sweeps in one kernel' and 'Traps'";

}  // namespace

TEST_CASE("correct: two sweeps in one block") {
  for (const int n : {1, 2, 3, 4, 5, 31, 33, 64, 127, 128}) check(n, 2);
}

TEST_CASE("correct: two sweeps where blocks meet") {
  for (const int n : {129, 130, 131, 132, 133, 256, 257, 1009, exercise::drawn(400, 258, 1000)})
    check(n, 2);
}

TEST_CASE("correct: four sweeps and more and no points at all") {
  for (const int sweeps : {4, 6}) {
    for (const int n : {5, 128, 257, 1009}) check(n, sweeps);
  }
  Problem problem(0, 4);
  problem.run();
  CUDA_CHECK(cudaDeviceSynchronize());
}

TEST_CASE("safe: nothing is read before it is written") {
  for (const int n : {1, 127, 128, 129, 300}) {
    Problem problem(n, 4);
    exercise::run([&] { problem.run(); });
    problem.expect_right();
    exercise::expect_no_findings();
  }
}

TEST_CASE("efficient: two sweeps for one load and one store") {
  const auto blocks = static_cast<std::uint64_t>(exercise::drawn(16, 17, 24));
  constexpr std::uint64_t launches = 3;
  const std::uint64_t warps = blocks * block / 32;
  Problem problem(static_cast<int>(blocks) * block, 2 * launches);
  const exercise::Run run = exercise::run([&] { problem.run(); });
  problem.expect_right();
  if (!course::on_emulator) {
    exercise::skip(
        "counted on the emulator; a GPU would count the same, but it does not report it");
    return;
  }
  exercise::expect_at_most(
      run, {.counter = Counter::global_load_requests,
            .limit = launches * blocks * 6,
            .model = launches * blocks * 5,
            .naive = launches * warps * 9,  // each thread loads all that its point depends on
            .why = "A block has 4 warps, and 136 points to load: 5 requests in each of 3 launches. "
                   "The limit leaves one more, for both sides of the halo.",
            .read = read_again});
  exercise::expect_at_most(run, {.counter = Counter::global_store_requests,
                                 .limit = launches * warps,
                                 .model = launches * warps,
                                 .naive = 2 * launches * warps,  // single sweeps
                                 .why = "A warp stores its points once for two sweeps.",
                                 .read = read_again});
}
