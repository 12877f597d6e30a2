// The checks of exercise 15b. The function under test is in pipeline.cu.

#include <algorithm>
#include <bit>

#include "checks/exercise.hpp"
#include "checks/streams.hpp"
#include "pinned.hpp"
#include "verify.hpp"

void transform_in_pieces(const float* x, float* y, float* d, int n, int pieces);
void naive_transform(const float* x, float* y, float* d, int n);

namespace {

namespace exercise = course::exercise;

constexpr std::size_t beside = 64;  // elements on both sides of y, which nobody may write
const float poison = std::bit_cast<float>(course::poison_bits);
const std::string read_again = "chapters/15_streams/README.md, 'The kernels' and 'Traps'";

/// Whole numbers in pinned memory, and room for the result.
class Problem {
 public:
  Problem(int n, int pieces)
      : n_(n),
        pieces_(pieces),
        count_(static_cast<std::size_t>(n)),
        x_(course::exact_vector(count_, 4)),
        y_(count_ + 2 * beside),
        d_(count_),
        expected_(count_) {
    for (std::size_t i = 0; i < count_; ++i) {
      const double x{x_.data()[i]};
      expected_[i] = (x - 1) * x + 2;
    }
  }

  void poison_all() {
    std::fill(y_.begin(), y_.end(), poison);
    d_.poison();
    CUDA_CHECK(cudaDeviceSynchronize());  // whatever streams the function uses
  }
  void call() { transform_in_pieces(x_.data(), y_.data() + beside, d_.data(), n_, pieces_); }
  void call_naive() { naive_transform(x_.data(), y_.data() + beside, d_.data(), n_); }
  void take() { got_.assign(y_.begin() + beside, y_.end() - beside); }

  /// Calls the function, and looks at y as soon as it returns.
  void run() {
    poison_all();
    exercise::run([&] { call(), take(); });
  }
  exercise::StreamRun run_in_streams() {
    poison_all();
    return exercise::run_in_streams([&] { call(), take(); });
  }

  void expect_right(const std::string& order = "") {
    const std::string where = "n = " + std::to_string(n_) +
                              ", pieces = " + std::to_string(pieces_) +
                              (order.empty() ? "" : ", ") + order;
    exercise::expect_exact(got_, expected_, where);
    const auto untouched = [](float value) { return value != value; };
    exercise::expect_intact(std::all_of(y_.begin(), y_.begin() + beside, untouched) &&
                                std::all_of(y_.end() - beside, y_.end(), untouched),
                            "y", where);
    exercise::expect_intact(d_.intact(), "d", where);
  }

 private:
  int n_;
  int pieces_;
  std::size_t count_;
  course::PinnedArray<float> x_;
  course::PinnedArray<float> y_;
  exercise::Array<float> d_;
  std::vector<double> expected_;
  std::vector<float> got_;
};

}  // namespace

TEST_CASE("correct: pieces of the same length") {
  for (const int pieces : {1, 2, 3, 8}) {
    for (const int length : {1, 32, 257}) {
      Problem problem(pieces * length, pieces);
      problem.run();
      problem.expect_right();
    }
  }
}

TEST_CASE("correct: pieces of other lengths and empty ones") {
  for (const int pieces : {2, 3, 7}) {
    for (const int n : {1, 2, 5, 129, 1009, exercise::drawn(500, 130, 1000)}) {
      Problem problem(n, pieces);
      problem.run();
      problem.expect_right();
    }
  }
  transform_in_pieces(nullptr, nullptr, nullptr, 0, 3);
  CUDA_CHECK_LAUNCH();
}

TEST_CASE("safe: right in every order and complete when the function returns") {
  for (const int pieces : {1, 4, 9}) {
    Problem problem(1009, pieces);
    exercise::in_every_order([&](const std::string& order) {
      problem.run();
      problem.expect_right(order);
      exercise::expect_no_findings();
    });
  }
}

TEST_CASE("efficient: neighbouring pieces wait for nothing of each other") {
  const int pieces = exercise::drawn(8, 6, 10);
  const int n = course::on_emulator ? exercise::drawn(8192, 6000, 8000) : 1 << 25;
  const std::uint64_t bytes = static_cast<std::uint64_t>(n) * sizeof(float);
  Problem problem(n, pieces);
  const exercise::StreamRun run = problem.run_in_streams();
  problem.expect_right();
  exercise::expect_pipeline(run, {.pieces = static_cast<std::size_t>(pieces),
                                  .bytes_in = bytes,
                                  .bytes_out = bytes,
                                  .read = read_again});
  // Copies in both directions at once: nearly twice as fast, but for the first and the last piece.
  exercise::expect_faster([&] { problem.call_naive(); }, [&] { problem.call(); }, 1.3, read_again);
}
