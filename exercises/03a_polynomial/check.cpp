// The checks of exercise 03a. The function under test is in polynomial.cu.

#include <map>

#include "checks/exercise.hpp"

void launch_polynomial(const float* c, int count, const float* x, float* y, int n);

namespace {

namespace exercise = course::exercise;
using exercise::Counter;

constexpr int most = 16384;  // floats that constant memory holds
const std::string read_idea = "chapters/03_constant/README.md, 'The idea'";

/// A polynomial of `count` coefficients, and n points.
///
/// The values are exact: few coefficients meet points from -3 to 3, many only -1, 0 and 1, whose
/// powers do not grow.
class Problem {
 public:
  Problem(int count, int n)
      : count_(count),
        n_(n),
        c_(course::exact_vector(size(count), size(count) + 1, 2)),
        x_(make_points()),
        device_x_(x_),
        device_y_(size(n)) {}

  exercise::Run run() {
    INFO(where());
    device_y_.poison();
    // An empty sum may be set without a kernel.
    return exercise::run([&] { call(); }, exercise::kernels_for(count_));
  }

  /// The launches alone, for no points.
  void call() { launch_polynomial(c_.data(), count_, device_x_.data(), device_y_.data(), n_); }

  void expect_right() const {
    std::map<float, double> values;  // there are but a few different points
    std::vector<double> expected;
    expected.reserve(size(n_));
    for (const float x : x_) {
      const auto [found, is_new] = values.try_emplace(x, 0.0);
      if (is_new) {
        for (std::size_t k = size(count_); k-- > 0;) {
          found->second = found->second * double{x} + double{c_[k]};
        }
      }
      expected.push_back(found->second);
    }
    exercise::expect_exact(device_y_.to_host(), expected, where());
    exercise::expect_intact(device_y_.intact(), "y", where());
  }

 private:
  static std::size_t size(int count) { return static_cast<std::size_t>(count); }

  std::string where() const {
    std::string text = "count = " + std::to_string(count_) + ", n = " + std::to_string(n_);
    for (std::size_t i = 0; i < std::min<std::size_t>(x_.size(), 4); ++i) {
      text += (i == 0 ? ", x = " : " ") + std::to_string(static_cast<int>(x_[i]));
    }
    if (x_.size() > 4) text += " ...";
    return text;
  }

  std::vector<float> make_points() const {
    std::vector<float> x(size(n_));
    const course::RandomBits bits(7);
    const std::uint64_t largest = count_ <= 8 ? 3 : 1;
    for (std::size_t i = 0; i < x.size(); ++i) {
      x[i] = static_cast<float>(bits(i) % (2 * largest + 1)) - static_cast<float>(largest);
    }
    return x;
  }

  int count_;
  int n_;
  std::vector<float> c_;
  std::vector<float> x_;
  exercise::Array<float> device_x_;
  exercise::Array<float> device_y_;
};

}  // namespace

TEST_CASE("correct: every bit for all sorts of counts") {
  for (const int n : exercise::awkward_sizes) {
    for (const int count : {1, 2, 3, 8, 33}) {
      Problem problem(count, n);
      problem.run();
      problem.expect_right();
    }
  }
}

TEST_CASE("correct: more coefficients than constant memory holds") {
  for (const int count : {most - 1, most, most + 1, 2 * most + 3,
                          exercise::drawn(3 * most, 3 * most + 1, 5 * most)}) {
    Problem problem(count, 7);
    const exercise::Run run = problem.run();
    problem.expect_right();
    // A launch for each batch, and in each the only warp writes y; unless the coefficients come
    // from somewhere else. The emulator would let a larger array of constants through.
    const int batches = (count + most - 1) / most;
    if (course::on_emulator &&
        run.count(Counter::global_load_requests) < static_cast<std::uint64_t>(count) &&
        run.count(Counter::global_store_requests) < static_cast<std::uint64_t>(batches)) {
      FAIL("with count = " << count << ": too few batches, at least " << batches
                           << " are needed. All constant memory of a program is 64 KB, 16384 "
                              "floats; for a GPU a larger array does not compile.");
    }
  }
}

TEST_CASE("correct: no coefficients and no points") {
  for (const int n : {1, 200}) {
    Problem zero(0, n);
    zero.run();
    zero.expect_right();
  }
  Problem none(5, 0);
  none.call();
  CUDA_CHECK(cudaDeviceSynchronize());
  none.expect_right();
}

TEST_CASE("safe: nothing outside the arrays is touched and nothing is left behind") {
  for (const auto& [count, n] : {std::pair{3, 1}, {40, 33}, {7, 300}, {most + 5, 2}}) {
    Problem problem(count, n);
    problem.run();
    problem.expect_right();
    exercise::expect_no_findings();
  }
}

TEST_CASE("efficient: coefficients are not loaded from global memory") {
  const int count = most + exercise::drawn(100, 1, 300);
  const int n = exercise::drawn(33, 34, 64);  // 2 warps
  Problem problem(count, n);
  const exercise::Run run = problem.run();
  problem.expect_right();
  if (!course::on_emulator) {
    exercise::skip(
        "requests are counted on the emulator only; a GPU answers those for coefficients "
        "from its level-1 cache");
    return;
  }
  const std::uint64_t warps = 2;
  const std::uint64_t batches = 2;
  exercise::expect_at_most(
      run, {.counter = Counter::global_store_requests,
            .limit = warps * batches,
            .model = warps * batches,
            .naive = 0,
            .why = "There are 2 warps, and coefficients for 2 batches of at most 16384. A warp "
                   "writes y once a batch: 4 requests in all. Needless batches are launches that "
                   "cost time, and the value of a batch belongs in a register.",
            .read = "chapters/03_constant/README.md, 'What GPUs show, and why'"});
  exercise::expect_at_most(
      run, {.counter = Counter::global_load_requests,
            .limit = warps * (2 * batches),  // y may be loaded in the first batch as well
            .model = warps * (2 * batches - 1),
            .naive = warps * (1 + static_cast<std::uint64_t>(count)),
            .why = "There are 2 warps, and coefficients for 2 batches. In each batch a warp loads "
                   "x once, and y once if it continues: 4 requests a warp pass. A coefficient that "
                   "is read from constant memory is not a request to global memory.",
            .read = read_idea});
}
