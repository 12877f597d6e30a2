// The checks of exercise 00b. The functions under test are in grid_and_errors.cu and naive.cu.

#include "checks/exercise.hpp"

void launch_mirror(const float* in, float* out, int rows, int cols);
void launch_naive(const float* in, float* out, int rows, int cols);

namespace {

namespace exercise = course::exercise;
using exercise::Counter;

/// An image without a pattern, so that a pixel from the wrong place shows.
class Problem {
 public:
  Problem(int rows, int cols)
      : rows_(rows),
        cols_(cols),
        in_(course::exact_vector(size(rows) * size(cols), 1, 7)),
        device_in_(in_),
        device_out_(in_.size()) {}

  template <class Launch>
  void call(Launch launch) {
    launch(device_in_.data(), device_out_.data(), rows_, cols_);
  }

  exercise::Run run() {
    device_out_.poison();
    return exercise::run([&] { call(launch_mirror); });
  }

  std::string where() const {
    return std::to_string(rows_) + " rows of " + std::to_string(cols_) + " pixels";
  }

  /// @param remark what else to say of the image if a pixel is wrong
  void expect_right(const std::string& remark = "") const {
    const std::size_t cols = size(cols_);
    std::vector<double> expected(in_.size());
    for (std::size_t row = 0; row < size(rows_); ++row) {
      for (std::size_t col = 0; col < cols; ++col) {
        expected[row * cols + col] = in_[row * cols + (cols - 1 - col)];
      }
    }
    exercise::expect_exact(device_out_.to_host(), expected, size(rows_), cols, where() + remark);
    exercise::expect_intact(device_out_.intact(), "out", where());
  }

 private:
  static std::size_t size(int count) { return static_cast<std::size_t>(count); }

  int rows_;
  int cols_;
  std::vector<float> in_;
  exercise::Array<float> device_in_;
  exercise::Array<float> device_out_;
};

}  // namespace

TEST_CASE("correct: images that whole blocks cover") {
  // These sizes are multiples of all usual blocks' sides; one image is flat, one is tall.
  for (const auto& [rows, cols] : {std::pair{64, 64}, {64, 256}, {256, 64}}) {
    Problem problem(rows, cols);
    problem.run();
    problem.expect_right(
        " (whole blocks, so it is not the rounding: do kernel and grid agree on what x is?)");
  }
}

TEST_CASE("correct: images with ragged edges and empty ones") {
  for (const auto& [rows, cols] : exercise::awkward_shapes) {
    Problem problem(rows, cols);
    problem.run();
    problem.expect_right();
  }
  for (const auto& [rows, cols] : {std::pair{0, 5}, {5, 0}, {0, 0}}) {
    Problem problem(rows, cols);
    problem.call(launch_mirror);  // no pixels: nothing to launch
    CUDA_CHECK_LAUNCH();
  }
}

TEST_CASE("correct: a launch that CUDA refuses is reported") {
  // A grid has at most 65535 blocks in y. Blocks of 32 rows need one more than that here, smaller
  // ones many more, so the launch fails; a student who finds a way to launch it after all must get
  // the result right.
  constexpr int rows = 65535 * 32 + 1;
  Problem problem(rows, 1);
  if (exercise::ends_in_an_exception([&] { problem.call(launch_mirror); })) {
    Problem smaller(81, 33);  // and now one that is possible
    if (const std::string failed =
            exercise::unnoticed_failure([&] { smaller.call(launch_mirror); });
        !failed.empty()) {
      FAIL("with ", smaller.where(), ' ', failed,
           " was made to fail, and launch_mirror() returned as if all were well. A launch returns "
           "no status: ask for it afterwards, with CUDA_CHECK_LAUNCH().");
    }
    smaller.run();
    smaller.expect_right();
    return;
  }
  const cudaError_t unchecked = cudaGetLastError();
  if (unchecked != cudaSuccess) {
    FAIL("with " << problem.where() << " the launch was refused ("
                 << std::string(cudaGetErrorName(unchecked))
                 << "), as it should be, and launch_mirror() returned as if all were well. A "
                    "launch returns no status: ask for it afterwards, with CUDA_CHECK_LAUNCH().");
  }
  if (cudaDeviceSynchronize() != cudaSuccess) {
    FAIL("with " << problem.where()
                 << " a kernel failed while it ran. Look at the cases above and below first.");
  }
  problem.expect_right();
}

TEST_CASE("safe: no thread works outside the image") {
  for (const auto& [rows, cols] : {std::pair{1, 1}, {9, 33}, {33, 9}, {31, 65}, {100, 100}}) {
    Problem problem(rows, cols);
    problem.run();
    problem.expect_right();
    exercise::expect_no_findings();
  }
}

TEST_CASE("efficient: a warp reads and writes along a row") {
  const bool big = !course::on_emulator;  // a GPU has more room, and wants more work
  const int rows = big ? 4096 : 8 * exercise::drawn(16, 12, 20);
  const int cols = big ? 6400 : 32 * exercise::drawn(8, 6, 10);
  Problem problem(rows, cols);
  const exercise::Run run = problem.run();
  problem.expect_right();
  const std::string read =
      "chapters/00_first_kernel/README.md, 'The idea' and 'What the emulator "
      "shows'";
  // 8 pixels fit in a sector. If x and y are exchanged, each pixel takes one of its own.
  const auto pixels = static_cast<std::uint64_t>(rows) * static_cast<std::uint64_t>(cols);
  const std::string why =
      "32 neighbouring pixels are 128 bytes, 4 sectors, and a warp is 32 threads with neighbouring "
      "threadIdx.x. In the naive version x runs from row to row, so a warp touches 32 rows and a "
      "sector in each. The limit leaves no slack: blocks of 32 x 8, 16 x 16 and 8 x 32 all meet "
      "it.";
  exercise::expect_at_most(run, {.counter = Counter::global_load_sectors,
                                 .limit = pixels / 8,
                                 .model = pixels / 8,
                                 .naive = pixels,
                                 .why = why,
                                 .read = read});
  exercise::expect_at_most(run, {.counter = Counter::global_store_sectors,
                                 .limit = pixels / 8,
                                 .model = pixels / 8,
                                 .naive = pixels,
                                 .why = why,
                                 .read = read});
  exercise::expect_faster([&] { problem.call(launch_naive); }, [&] { problem.call(launch_mirror); },
                          1.5, read);
}
