// The checks of exercise 04b. The function under test is in distances.cu.

#include <cmath>

#include "checks/exercise.hpp"

void launch_distances(const float* A, const float* x, float* y, int m, int n);

namespace {

namespace exercise = course::exercise;
using exercise::Counter;

constexpr int block = 128;  // as in distances.cu
constexpr int tile = 128;

/// The sum over each row of |A(i, j) - x(j)|, with A column after column.
class Problem {
 public:
  Problem(int m, int n)
      : m_(m),
        n_(n),
        A_(size(m) * size(n)),
        x_(course::exact_vector(size(n), terms(), 2)),
        device_A_(filled_matrix()),
        device_x_(x_),
        device_y_(size(m)) {}

  void run() {
    device_y_.poison();
    launch_distances(device_A_.data(), device_x_.data(), device_y_.data(), m_, n_);
  }

  void expect_right() const {
    std::vector<double> expected(size(m_), 0.0);
    for (std::size_t j = 0; j < size(n_); ++j) {
      for (std::size_t i = 0; i < size(m_); ++i) {
        expected[i] += std::fabs(double{A_[j * size(m_) + i]} - double{x_[j]});
      }
    }
    exercise::expect_exact(device_y_.to_host(), expected, where());
    exercise::expect_intact(device_y_.intact(), "y", where());
  }

 private:
  static std::size_t size(int count) { return static_cast<std::size_t>(count); }
  std::size_t terms() const { return size(n_) + 1; }

  const std::vector<float>& filled_matrix() {
    course::fill_matrix(A_.data(), size(m_), size(n_), course::Layout::column_major,
                        course::ExactValues(terms()));
    return A_;
  }

  /// The sizes, and how they divide: that is where tiles go wrong.
  std::string where() const {
    std::string text = "m = " + std::to_string(m_) + ", n = " + std::to_string(n_) +
                       " (whole tiles of x: " + std::to_string(n_ / tile);
    const int rest = n_ % tile;
    if (rest != 0) text += ", and a last one with " + std::to_string(rest) + " of 128 elements";
    if (m_ % block != 0) text += "; threads without a row: " + std::to_string(block - m_ % block);
    return text + ")";
  }

  int m_;
  int n_;
  std::vector<float> A_;
  std::vector<float> x_;
  exercise::Array<float> device_A_;
  exercise::Array<float> device_x_;
  exercise::Array<float> device_y_;
};

void expect_right(const std::vector<std::pair<int, int>>& shapes) {
  for (const auto& [m, n] : shapes) {
    Problem problem(m, n);
    exercise::run([&] { problem.run(); }, exercise::kernels_for(n));
    problem.expect_right();
  }
}

}  // namespace

TEST_CASE("correct: whole blocks and whole tiles") {
  expect_right({{128, 128}, {128, 256}, {256, 128}, {384, 512}});
}

TEST_CASE("correct: a block with threads to spare") {
  // One tile: a barrier that is missing between two tiles does not show.
  expect_right({{100, 128}, {1, 128}, {127, 128}, {129, 128}, {300, 128}, {33, 128}});
}

TEST_CASE("correct: a tile that is not full") {
  // One tile again, and whole blocks: what a tile holds that is not full, and nothing else.
  expect_right({{128, 100}, {128, 1}, {256, 127}, {128, 33}, {256, 0}});
}

TEST_CASE("safe: no race and nothing outside the arrays is touched") {
  expect_right({{128, 200}, {128, 129}, {127, 384}, {33, 256}});
  expect_right(exercise::awkward_shapes);
  Problem none(0, 300);  // no rows: nothing to launch
  none.run();
  CUDA_CHECK(cudaDeviceSynchronize());
  for (const auto& [m, n] : {std::pair{128, 256}, {100, 300}, {129, 128}, {257, 31}}) {
    Problem problem(m, n);
    exercise::run([&] { problem.run(); });
    problem.expect_right();
    exercise::expect_no_findings();
  }
}

TEST_CASE("efficient: x once per block and two barriers per tile") {
  constexpr std::uint64_t blocks = 2;
  const auto tiles = static_cast<std::uint64_t>(exercise::drawn(3, 4, 5));
  constexpr std::uint64_t warps = blocks * block / 32;
  const std::uint64_t columns = tiles * tile;
  Problem problem(blocks * block, static_cast<int>(columns));
  const exercise::Run run = exercise::run([&] { problem.run(); });
  problem.expect_right();
  if (!course::on_emulator) {
    return exercise::skip(
        "Not compared on a GPU: the time goes into loading A, whatever is done with x. The "
        "emulator "
        "counts.");
  }
  const std::string read_again = "chapters/04_shared/README.md, 'The idea'";
  // Each warp asks for its rows' part of every column of A; each block for all of x, 32 elements
  // per request.
  const std::uint64_t for_A = warps * columns;
  const std::uint64_t for_x = blocks * columns / 32;
  exercise::expect_at_most(
      run,
      {.counter = Counter::global_load_requests,
       .limit = for_A + for_x,
       .model = for_A + for_x,
       .naive = for_A + warps * columns,
       .why = "A mended kernel still loads x tile by tile, each element once a block, and each "
              "element of A once. The mistakes cost no request, and mending them needs none.",
       .read = read_again});
  exercise::expect_at_most(
      run, {.counter = Counter::global_load_sectors,
            .limit = 4 * (for_A + for_x),
            .model = 4 * (for_A + for_x),
            .naive = 4 * for_A + warps * columns,
            .why = "32 elements are 4 sectors. Each of x comes once a block, and not once a warp.",
            .read = read_again});
  exercise::expect_at_most(run, {.counter = Counter::barriers,
                                 .limit = warps * (2 * tiles + 1),
                                 .model = warps * 2 * tiles,
                                 .naive = 0,
                                 .why = "Two barriers a tile do, wherever the mistakes are. The "
                                        "limit leaves one more for each warp.",
                                 .read = read_again});
}
