// The checks of exercise 05a. The function under test is in smooth.cu.

#include "checks/exercise.hpp"

void launch_smooth(const float* x, float* y, int n);

namespace {

namespace exercise = course::exercise;
using exercise::Counter;

/// y(i) = x(i - 1) + 2 x(i) + x(i + 1), with zeros beyond the ends.
class Problem {
 public:
  explicit Problem(int n) : n_(n), x_(make_x(n)), device_x_(x_), device_y_(x_.size()) {}

  void run() {
    device_y_.poison();
    launch_smooth(device_x_.data(), device_y_.data(), n_);
  }

  void expect_right() const {
    std::vector<double> expected(x_.size());
    for (std::size_t i = 0; i < x_.size(); ++i) {
      expected[i] = 2.0 * double{x_[i]};
      if (i > 0) expected[i] += double{x_[i - 1]};
      if (i + 1 < x_.size()) expected[i] += double{x_[i + 1]};
    }
    const std::vector<float> got = device_y_.to_host();
    const std::string where = "n = " + std::to_string(n_) + pattern(got, expected);
    exercise::expect_exact(got, expected, where);
    exercise::expect_intact(device_y_.intact(), "y", where);
  }

 private:
  /// Small whole numbers, of which hardly two near each other are alike: a wrong neighbour shows.
  static std::vector<float> make_x(int n) {
    const course::ExactValues coarse(1, 1);
    const course::ExactValues fine(1, 2);
    std::vector<float> x(static_cast<std::size_t>(n));
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = 31.0F * coarse(i) + fine(i);
    return x;
  }

  /// What the wrong elements have in common, where that says much.
  static std::string pattern(const std::vector<float>& got, const std::vector<double>& expected) {
    std::size_t wrong = 0;
    std::size_t at_an_end = 0;
    for (std::size_t i = 0; i < got.size(); ++i) {
      if (double{got[i]} == expected[i]) continue;
      ++wrong;
      if (i % 32 == 0 || i % 32 == 31) ++at_an_end;
    }
    if (wrong == 1 && double{got.back()} != expected.back()) {
      return " (only the last element is wrong: who is its right neighbour?)";
    }
    if (wrong > 1 && wrong == at_an_end) {
      return " (only elements of lanes 0 and 31 are wrong, the ends of a warp)";
    }
    return "";
  }

  int n_;
  std::vector<float> x_;
  exercise::Array<float> device_x_;
  exercise::Array<float> device_y_;
};

const std::string read_again = "chapters/05_shuffle/README.md, 'The idea' and 'The kernel'";

/// What the two efficient cases count.
const auto warps = static_cast<std::uint64_t>(exercise::drawn(32, 34, 48));

void say_why_no_gpu() {
  exercise::skip(
      "Not compared on a GPU: the neighbours of what was just loaded are in the level-1 cache, and "
      "memory sets the pace either way. The emulator counts.");
}

}  // namespace

TEST_CASE("correct: whole blocks") {
  for (const int n : {1024, 4096}) {
    Problem problem(n);
    exercise::run([&] { problem.run(); });
    problem.expect_right();
  }
}

TEST_CASE("correct: awkward sizes and nothing at all") {
  const std::vector<int> around_a_warp{40, 63, 64, 65, 95, 97, 1000, 1023, 1025};
  for (const auto& sizes : {around_a_warp, exercise::awkward_sizes}) {
    for (const int n : sizes) {
      Problem problem(n);
      exercise::run([&] { problem.run(); });
      problem.expect_right();
    }
  }
  Problem problem(0);  // nothing to launch
  problem.run();
  CUDA_CHECK(cudaDeviceSynchronize());
}

TEST_CASE("safe: all lanes of the mask arrive and nothing outside x is read") {
  for (const int n : {1024, 1, 40, 96, 129, 1000}) {
    Problem problem(n);
    exercise::run([&] { problem.run(); });
    problem.expect_right();
    exercise::expect_no_findings();
  }
}

TEST_CASE("efficient: x is loaded once and its neighbours come from the warp") {
  Problem problem(32 * static_cast<int>(warps));
  const exercise::Run run = exercise::run([&] { problem.run(); });
  problem.expect_right();
  if (!course::on_emulator) return say_why_no_gpu();
  // A warp's 32 elements are in 4 sectors. The one on its left is in a sector of its own, and so
  // does the one on its right; the first warp has none on its left, the last none on its right.
  exercise::expect_at_most(
      run,
      {.counter = Counter::global_load_sectors,
       .limit = 6 * warps,
       .model = 6 * warps - 2,
       .naive = (4 + 5 + 5) * warps - 2,
       .why = "A warp needs 34 elements: its own 32, which are 4 sectors, and one on each side, a "
              "sector each. Its lanes already hold the rest, and a shuffle passes it on.",
       .read = read_again});
}

TEST_CASE("efficient: no detour through shared memory") {
  Problem problem(32 * static_cast<int>(warps));
  const exercise::Run run = exercise::run([&] { problem.run(); });
  problem.expect_right();
  if (!course::on_emulator) return say_why_no_gpu();
  const std::string why =
      "A shuffle takes an element from register to register: neither a store nor a barrier is "
      "needed. Shared memory would also do, but it is not this exercise.";
  exercise::expect_at_most(run, {.counter = Counter::shared_load_instructions,
                                 .limit = 0,
                                 .model = 0,
                                 .naive = 0,
                                 .why = why,
                                 .read = read_again});
  exercise::expect_at_most(run, {.counter = Counter::barriers,
                                 .limit = 0,
                                 .model = 0,
                                 .naive = 0,
                                 .why = why,
                                 .read = read_again});
}
