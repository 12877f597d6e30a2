// The checks of exercise 12a. The function under test is in five_points.cu.

#include <bit>

#include "checks/exercise.hpp"
#include "verify.hpp"

void launch_five_points(const float* x, float* y, int m, int n, int ld);

namespace {

namespace exercise = course::exercise;
using exercise::Counter;

constexpr int strip = 32;  // as in five_points.cu: a warp's columns, and its rows

/// A plate of whole numbers, of which hardly two near each other are alike. Between its rows are
/// elements that are nobody's: poison, in x and y.
class Problem {
 public:
  Problem(int m, int n, int gap)
      : m_(m), n_(n), ld_(n + gap), x_(make_x()), device_x_(x_), device_y_(x_.size()) {}
  Problem(int m, int n) : Problem(m, n, 0) {}

  void run() {
    device_y_.poison();
    launch_five_points(device_x_.data(), device_y_.data(), m_, n_, ld_);
  }

  void expect_right() const {
    const std::vector<float> y = device_y_.to_host();
    std::vector<float> got;
    std::vector<double> expected;
    for (int row = 0; row < m_; ++row) {
      for (int col = 0; col < n_; ++col) {
        got.push_back(y[at(row, col)]);
        expected.push_back(0.5 * x(row, col) + 0.125 * (x(row - 1, col) + x(row + 1, col) +
                                                        x(row, col - 1) + x(row, col + 1)));
      }
    }
    const std::string where = size() + pattern(got, expected);
    exercise::expect_exact(got, expected, static_cast<std::size_t>(m_),
                           static_cast<std::size_t>(n_), where);
    for (int row = 0; row + 1 < m_; ++row) {
      for (int col = n_; col < ld_; ++col) {
        if (std::bit_cast<std::uint32_t>(y[at(row, col)]) != course::poison_bits) {
          FAIL("with ", size(), " y was written past the end of row ", row, ", at column ", col,
               ": the gap between rows is not part of the plate");
        }
      }
    }
    exercise::expect_intact(device_y_.intact(), "y", where);
  }

 private:
  std::size_t at(int row, int col) const {
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(ld_) +
           static_cast<std::size_t>(col);
  }

  /// What is not on the plate is 0.
  double x(int row, int col) const {
    const bool on_plate = row >= 0 && row < m_ && col >= 0 && col < n_;
    return on_plate ? double{x_[at(row, col)]} : 0.0;
  }

  /// The last row ends with its last point: the next element is beyond the array.
  std::vector<float> make_x() const {
    const course::ExactValues coarse(1, 1);
    const course::ExactValues fine(1, 2);
    std::vector<float> values(m_ == 0 ? 0 : at(m_ - 1, n_),
                              std::bit_cast<float>(course::poison_bits));
    for (int row = 0; row < m_; ++row) {
      for (int col = 0; col < n_; ++col) {
        const std::uint64_t k = at(row, col);
        values[k] = 31.0F * coarse(k) + fine(k);
      }
    }
    return values;
  }

  std::string size() const {
    std::string text = "m = " + std::to_string(m_) + ", n = " + std::to_string(n_);
    if (ld_ > n_) text += ", ld = " + std::to_string(ld_);
    return text;
  }

  /// Where the wrong points are, if that says much.
  std::string pattern(const std::vector<float>& got, const std::vector<double>& expected) const {
    std::size_t wrong = 0;
    std::size_t beside_a_strip = 0;
    std::size_t above_or_below = 0;
    for (std::size_t k = 0; k < got.size(); ++k) {
      if (double{got[k]} == expected[k]) continue;
      ++wrong;
      const int col = static_cast<int>(k % static_cast<std::size_t>(n_)) % strip;
      const int row = static_cast<int>(k / static_cast<std::size_t>(n_)) % strip;
      if (col == 0 || col == strip - 1) ++beside_a_strip;
      if (row == 0 || row == strip - 1) ++above_or_below;
    }
    if (wrong > 1 && wrong == beside_a_strip) {
      return " (only columns of lanes 0 and 31 are wrong: their neighbours are another warp's)";
    }
    if (wrong > 1 && wrong == above_or_below) {
      return " (only first or last rows of strips are wrong: the row beyond is another warp's)";
    }
    return "";
  }

  int m_;
  int n_;
  int ld_;
  std::vector<float> x_;
  exercise::Array<float> device_x_;
  exercise::Array<float> device_y_;
};

const std::string read_again =
    "chapters/12_stencil/README.md, 'A halo by shuffles' and 'Many sweeps in one kernel'";

/// Strips that are whole, four below each other and so many beside each other.
const auto beside = static_cast<std::uint64_t>(exercise::drawn(4, 5, 7));
const std::uint64_t strips = 4 * beside;
const std::uint64_t rows = strips * strip;  // of strips

void say_why_no_gpu() {
  exercise::skip("counted on the emulator; a GPU would count the same, but it does not report it");
}

/// Three points below each other, in rows that are 2^30 elements apart: x and y are in the same
/// stretch of memory, of which hardly anything is used. Without one that long, all is well.
void check_rows_far_apart() {
  if (exercise::detail::is_judge()) return;  // it would have to travel
  constexpr int ld = 1 << 30;
  constexpr std::size_t row = ld;
  float* memory = nullptr;
  if (cudaMalloc(reinterpret_cast<void**>(&memory), (2 * row + 2) * sizeof(float)) != cudaSuccess) {
    static_cast<void>(cudaGetLastError());
    return;
  }
  const std::string where = "m = 3, n = 1, ld = 2^30, where row * ld is more than an int can hold";
  INFO(where);
  for (std::size_t k = 0; k < 3; ++k) {
    const float value[2] = {static_cast<float>(8 << k), -1.0F};
    CUDA_CHECK(cudaMemcpy(memory + k * row, value, sizeof value, cudaMemcpyHostToDevice));
  }
  exercise::run([&] { launch_five_points(memory, memory + 1, 3, 1, ld); });
  std::vector<float> got(3);
  for (std::size_t k = 0; k < 3; ++k) {
    CUDA_CHECK(cudaMemcpy(&got[k], memory + k * row + 1, sizeof(float), cudaMemcpyDeviceToHost));
  }
  CUDA_CHECK(cudaFree(memory));
  exercise::expect_exact(got, {6, 13, 18}, where);
}

}  // namespace

TEST_CASE("correct: every point at awkward sizes") {
  for (const auto& [m, n] : exercise::awkward_shapes) {
    Problem problem(m, n);
    exercise::run([&] { problem.run(); });
    problem.expect_right();
  }
}

TEST_CASE("correct: rows with a gap and no plate at all") {
  for (const auto& [m, n, gap] :
       {std::tuple{1, 1, 3}, {5, 31, 1}, {33, 32, 7}, {65, 33, 31}, {3, 100, 28}, {130, 5, 1}}) {
    Problem problem(m, n, gap);
    exercise::run([&] { problem.run(); });
    problem.expect_right();
  }
  for (const auto& [m, n] : {std::pair{0, 5}, {5, 0}, {0, 0}}) {
    Problem problem(m, n);
    problem.run();
    CUDA_CHECK(cudaDeviceSynchronize());
    problem.expect_right();
  }
  check_rows_far_apart();
}

TEST_CASE("safe: all lanes reach the shuffles and nothing outside the plate is touched") {
  for (const auto& [m, n, gap] :
       {std::tuple{1, 1, 0}, {33, 40, 0}, {31, 65, 3}, {64, 64, 0}, {129, 33, 1}}) {
    Problem problem(m, n, gap);
    exercise::in_every_order([&](const std::string&) {
      exercise::run([&] { problem.run(); });
      problem.expect_right();
    });
    exercise::expect_no_findings();
  }
}

TEST_CASE("efficient: each row is loaded once and its neighbours come from registers") {
  Problem problem(4 * strip, static_cast<int>(beside) * strip);
  const exercise::Run run = exercise::run([&] { problem.run(); });
  problem.expect_right();
  if (!course::on_emulator) return say_why_no_gpu();
  // The plate's first and last rows have none beyond them, its first and last columns neither.
  const std::uint64_t beyond = strips * 2 - 2 * beside;  // rows
  constexpr std::uint64_t none = 2 * 4 * strip;          // edges of strips that are the plate's
  exercise::expect_at_most(
      run, {.counter = Counter::global_load_requests,
            .limit = 3 * rows + beyond,
            .model = 2 * rows + beyond,
            .naive = 5 * rows - 2 * beside,
            .why = "A strip has one request for a row, and one for the points beside both its "
                   "edges; and a row above and one below. The limit leaves one more for each row: "
                   "the two edges may be loaded one after the other.",
            .read = read_again});
  exercise::expect_at_most(
      run, {.counter = Counter::global_load_sectors,
            .limit = 8 * rows,
            .model = 4 * (rows + beyond) + 2 * rows - none,
            .naive = 3 * 4 * rows - 2 * beside * 4 + 2 * 5 * rows - none,
            .why = "A row of a strip is 4 sectors, and the points beside it are 2 more. The limit "
                   "leaves another 2.",
            .read = read_again});
  exercise::expect_at_most(run, {.counter = Counter::global_store_requests,
                                 .limit = rows,
                                 .model = rows,
                                 .naive = rows,
                                 .why = "A strip stores each of its rows by one request.",
                                 .read = read_again});
}
