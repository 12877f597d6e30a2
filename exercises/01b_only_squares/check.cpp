// The checks of exercise 01b. The functions under test are in only_squares.cu and naive.cu.

#include <cmath>

#include "checks/exercise.hpp"

void launch_distances(const float* P, const float* q, float* d, int m, int n);
void launch_naive(const float* P, const float* q, float* d, int m, int n);

namespace {

namespace exercise = course::exercise;
using exercise::Counter;

/// m points of n coordinates, row after row, and a place q. Sums of up to 2^24 / 30 differences of
/// such small whole numbers are exact.
class Problem {
 public:
  Problem(int m, int n)
      : m_(m),
        n_(n),
        P_(course::exact_vector(size(m) * size(n), 1, 11)),
        q_(course::exact_vector(size(n), 1, 12)),
        device_P_(P_),
        device_q_(q_),
        device_d_(size(m)) {}

  template <class Launch>
  void call(Launch launch) {
    launch(device_P_.data(), device_q_.data(), device_d_.data(), m_, n_);
  }

  exercise::Run run() {
    device_d_.poison();
    return exercise::run([&] { call(launch_distances); }, exercise::kernels_for(n_));
  }

  /// @param remark what else to say of the shape if a distance is wrong
  void expect_right(const std::string& remark = "") const {
    const std::string where = "m = " + std::to_string(m_) + " points, n = " + std::to_string(n_) +
                              (n_ == 1 ? " coordinate" : " coordinates");
    std::vector<double> expected(size(m_), 0.0);
    for (std::size_t i = 0; i < size(m_); ++i) {
      for (std::size_t j = 0; j < size(n_); ++j) {
        expected[i] += std::fabs(double{P_[i * size(n_) + j]} - double{q_[j]});
      }
    }
    exercise::expect_exact(device_d_.to_host(), expected, where + remark);
    exercise::expect_intact(device_d_.intact(), "d", where);
  }

 private:
  static std::size_t size(int count) { return static_cast<std::size_t>(count); }

  int m_;
  int n_;
  std::vector<float> P_;
  std::vector<float> q_;
  exercise::Array<float> device_P_;
  exercise::Array<float> device_q_;
  exercise::Array<float> device_d_;
};

void check_shapes(const std::vector<std::pair<int, int>>& shapes, const std::string& remark = "") {
  for (const auto& [m, n] : shapes) {
    Problem problem(m, n);
    problem.run();
    problem.expect_right(remark);
  }
}

const std::string no_rounding = " (multiples of the block, so it is not the rounding)";

}  // namespace

TEST_CASE("correct: few points of many coordinates") {
  check_shapes({{128, 128}, {128, 256}, {128, 384}, {256, 640}}, no_rounding);
}

TEST_CASE("correct: many points of few coordinates") {
  check_shapes({{256, 128}, {640, 256}, {1280, 128}}, no_rounding);
}

TEST_CASE("correct: awkward and empty shapes") {
  check_shapes(exercise::awkward_shapes);
  check_shapes({{1, 0}, {200, 0}});  // no coordinates: all points are in one place
  Problem no_points(0, 5);
  no_points.call(launch_distances);
  CUDA_CHECK_LAUNCH();
}

TEST_CASE("safe: nothing outside the arrays is touched") {
  for (const auto& [m, n] : {std::pair{1, 1}, {5, 100}, {100, 5}, {129, 200}, {200, 129}}) {
    Problem problem(m, n);
    problem.run();
    problem.expect_right();
    exercise::expect_no_findings();
  }
}

TEST_CASE("efficient: two loads per coordinate and full warps") {
  const bool big = !course::on_emulator;  // a GPU has more room, and wants more work
  const int m = big ? 1 << 17 : 256;
  const int n = big ? 256 : exercise::drawn(100, 110, 140);
  const auto coordinates = static_cast<std::uint64_t>(n);
  Problem problem(m, n);
  const exercise::Run run = problem.run();
  problem.expect_right();
  const std::string read = "chapters/01_global/README.md, 'What the emulator shows'";
  const std::uint64_t warps = 256 / 32;
  exercise::expect_at_most(
      run,
      {.counter = Counter::global_load_requests,
       .limit = warps * 2 * coordinates,
       .model = warps * 2 * coordinates,
       .naive = 32 * warps * 2 * coordinates,
       .why =
           "For each coordinate a warp loads one element of P for each of its 32 points, and one "
           "of q for all of them: two requests. The naive version has a block of one thread for "
           "each point, so a warp serves one point instead of 32. The limit leaves no slack.",
       .read = read});
  exercise::expect_at_most(run, {.counter = Counter::global_store_requests,
                                 .limit = warps,
                                 .model = warps,
                                 .naive = 32 * warps,
                                 .why = "A warp stores its 32 results with one request, when the "
                                        "sums are complete.",
                                 .read = read});
  exercise::expect_faster([&] { problem.call(launch_naive); },
                          [&] { problem.call(launch_distances); }, 1.2, read);
}
