// The checks of exercise 09b. The functions under test are in unrolled_tail.cu and naive.cu.

#include <algorithm>

#include "checks/exercise.hpp"

void launch_distances(const float* P, const float* Q, float* D, int m, int n, int d);
void launch_naive(const float* P, const float* Q, float* D, int m, int n, int d);

namespace {

namespace exercise = course::exercise;
using exercise::Counter;

struct Shape {
  int m;
  int n;
  int d;
};

/// D(i, j) = sum over p of (P(i, p) - Q(j, p))^2, with m points P and n points Q.
class Problem {
 public:
  explicit Problem(const Shape& shape)
      : shape_(shape),
        // A difference is at most twice as large as a value, its square four times.
        P_(course::exact_vector(m() * d(), 4 * d(), 1)),
        Q_(course::exact_vector(n() * d(), 4 * d(), 2)),
        device_P_(P_),
        device_Q_(Q_),
        device_D_(m() * n()) {}

  template <class Launch>
  void run(Launch launch) {
    device_D_.poison();
    call(launch);
  }

  /// The launch alone, for timing.
  template <class Launch>
  void call(Launch launch) {
    launch(device_P_.data(), device_Q_.data(), device_D_.data(), shape_.m, shape_.n, shape_.d);
  }

  void expect_right() const {
    const std::string where = "m = " + std::to_string(m()) + ", n = " + std::to_string(n()) +
                              ", d = " + std::to_string(d());
    const std::vector<double> expected = distances(0, d());
    const std::vector<float> got = device_D_.to_host();
    expect_all_coordinates(got, expected, where);
    exercise::expect_exact(got, expected, m(), n(), where);
    exercise::expect_intact(device_D_.intact(), "D", where);
  }

 private:
  std::size_t m() const { return static_cast<std::size_t>(shape_.m); }
  std::size_t n() const { return static_cast<std::size_t>(shape_.n); }
  std::size_t d() const { return static_cast<std::size_t>(shape_.d); }

  /// The distances if only the coordinates from `begin` to `end` counted.
  std::vector<double> distances(std::size_t begin, std::size_t end) const {
    std::vector<double> result(m() * n());
    for (std::size_t i = 0; i < m(); ++i) {
      for (std::size_t j = 0; j < n(); ++j) {
        double sum = 0.0;
        for (std::size_t p = begin; p < end; ++p) {
          const double e = double{P_[i * d() + p]} - double{Q_[j * d() + p]};
          sum += e * e;
        }
        result[i * n() + j] = sum;
      }
    }
    return result;
  }

  /// Which coordinates are missing says more than a list of wrong numbers.
  void expect_all_coordinates(const std::vector<float>& got, const std::vector<double>& expected,
                              const std::string& where) const {
    if (d() == 0 || std::equal(got.begin(), got.end(), expected.begin(), expected.end())) return;
    constexpr std::size_t tile = 32;
    const std::size_t last = (d() - 1) / tile * tile;  // where the last tile begins
    const std::size_t whole = d() / 4 * 4;             // where the remainder begins
    for (const auto& [begin, end] :
         {std::pair{std::size_t{0}, whole}, {last, d()}, {last, whole}}) {
      const std::vector<double> other = distances(begin, end);
      if (!std::equal(got.begin(), got.end(), other.begin(), other.end())) continue;
      if (begin >= end) FAIL("with ", where, ": no coordinate counts, all distances are 0");
      FAIL("with ", where, ": only the coordinates ", begin, " to ", end - 1,
           " count; those from 0 to ", d() - 1, " should");
    }
  }

  Shape shape_;
  std::vector<float> P_;
  std::vector<float> Q_;
  exercise::Array<float> device_P_;
  exercise::Array<float> device_Q_;
  exercise::Array<float> device_D_;
};

void check(const Shape& shape) {
  Problem problem(shape);
  exercise::run([&] { problem.run(launch_distances); }, exercise::kernels_for(shape.d));
  problem.expect_right();
}

}  // namespace

TEST_CASE("correct: coordinates that four does not divide") {
  check({32, 32, 32});  // fills the tiles: what is there afterwards must not matter
  for (const Shape& shape :
       {Shape{32, 32, 30}, {32, 64, 21}, {64, 32, 7}, {33, 40, 3}, {5, 9, 1}}) {
    check(shape);
  }
}

TEST_CASE("correct: more coordinates than a tile is wide") {
  for (const Shape& shape : {Shape{32, 32, 64}, {32, 64, 128}, {40, 33, 100}}) check(shape);
}

TEST_CASE("correct: every bit at awkward shapes") {
  for (const Shape& shape :
       {Shape{1, 2, 35},
        {31, 33, 65},
        {33, 31, 62},
        {5, 70, 127},
        {70, 5, 33},
        {2, 100, 257},
        {1, 1, 1009},
        {exercise::drawn(45, 34, 90), exercise::drawn(70, 34, 90), exercise::drawn(50, 34, 90)},
        {20, 30, 0}}) {
    check(shape);
  }
}

TEST_CASE("safe: nothing outside the arrays and nothing unwritten is touched") {
  for (const Shape& shape : {Shape{32, 32, 64}, {3, 5, 30}, {33, 40, 41}}) {
    check(shape);
    exercise::expect_no_findings();
  }
}

TEST_CASE("efficient: whole pieces of both arrays and no bank conflict") {
  const bool big = !course::on_emulator;  // a GPU has more room, and wants more work
  const int coordinates = 32 * exercise::drawn(4, 5, 7);
  Problem problem(big ? Shape{1024, 1024, 512} : Shape{64, 96, coordinates});
  const exercise::Run run = exercise::run([&] { problem.run(launch_distances); });
  problem.expect_right();
  const std::string read = "exercises/08a_transposed_b/README.md, 'Banks'";
  if (!big) {
    const std::uint64_t warps = 64 * 96 / 32;
    const auto tiles = static_cast<std::uint64_t>(coordinates / 32);
    // For each tile a warp fetches 32 coordinates of P and 32 of Q. As given, each of its steps
    // finds 32 different elements of Q's tile in one bank: 31 conflicts.
    exercise::expect_at_most(
        run, {.counter = Counter::shared_bank_conflicts,
              .limit = 0,
              .model = 0,
              .naive = warps * tiles * 32 * 31,
              .why = "The 32 lanes of a warp have to find their elements in 32 different banks, or "
                     "want the same element. Element e of an array is in bank e mod 32. How far "
                     "apart are the elements of neighbouring lanes?",
              .read = read});
    exercise::expect_at_most(
        run,
        {.counter = Counter::shared_wavefronts,
         .limit = warps * tiles * (2 + 2 * 32) * 3 / 2,
         .model = warps * tiles * (2 + 2 * 32),
         .naive = 0,
         .why = "For each tile a warp stores twice and loads twice for each of 32 coordinates, "
                "by one wavefront each. Lanes that load one after the other meet in no bank, "
                "and wait for each other all the same.",
         .read = read});
    exercise::expect_at_most(
        run,
        {.counter = Counter::global_load_sectors,
         .limit = warps * tiles * (4 + 4),
         .model = warps * tiles * (4 + 4),
         .naive = 0,
         .why = "A warp fetches 32 neighbours of a row of P and 32 of a row of Q for each tile: 4 "
                "sectors each, as in the kernel that you were given. The limit leaves no slack.",
         .read = "chapters/08_gemm_tiling/README.md, 'Tiles'"});
  }
  exercise::expect_faster([&] { problem.call(launch_naive); },
                          [&] { problem.call(launch_distances); }, 2.0, read);
}
