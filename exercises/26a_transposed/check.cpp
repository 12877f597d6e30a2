// The checks of exercise 26a. The function under test is in transposed.cu.

#include <algorithm>
#include <memory>
#include <numeric>

#include "checks/exercise.hpp"
#include "checks/launches.hpp"

void launch_transposed(const int* offsets, const float* values, int rows, int cols,
                       const int* by_column, const int* column_offsets, int* row_of, const float* x,
                       float* y);

namespace {

namespace exercise = course::exercise;
using exercise::Counter;

/// How long rows are.
enum class Rows : std::uint8_t { equal, ragged, one_long };

std::size_t size(int count) {
  return static_cast<std::size_t>(count);
}

class Problem {
 public:
  /// About `mean` elements in a row. Most columns beyond the first half have none.
  Problem(int rows, int cols, int mean, Rows kind)
      : rows_(rows),
        cols_(cols),
        offsets_(size(rows) + 1),
        column_offsets_(size(cols) + 1),
        x_(course::exact_vector(size(rows), size(rows) + 1, 262)),
        expected_(size(cols)) {
    const course::RandomBits bits(261);
    for (int row = 0; row < rows && cols > 0; ++row) {
      int length = mean;
      if (kind == Rows::ragged) length = static_cast<int>(bits(size(row)) % (2 * size(mean) + 1));
      if (kind == Rows::one_long) length = row == rows / 2 ? 10 * mean : row % 2;
      length = std::min(length, cols);
      for (int e = 0; e < length; ++e) {  // one in each part of the row
        const std::size_t from = size(cols) * size(e) / size(length);
        const std::size_t to = size(cols) * (size(e) + 1) / size(length);
        columns_.push_back(static_cast<int>((from + bits(columns_.size() + 7919) % (to - from)) /
                                            (row % 8 == 0 || cols < 4 ? 1 : 2)));
        row_of_.push_back(row);
      }
      offsets_[size(row) + 1] = static_cast<int>(columns_.size());
    }
    values_ = course::exact_vector(columns_.size(), size(rows) + 1, 263);
    by_column_.resize(columns_.size());
    std::iota(by_column_.begin(), by_column_.end(), 0);
    std::stable_sort(by_column_.begin(), by_column_.end(),
                     [this](int a, int b) { return columns_[size(a)] < columns_[size(b)]; });
    for (std::size_t k = 0; k < columns_.size(); ++k) {
      ++column_offsets_[size(columns_[k]) + 1];
      expected_[size(columns_[k])] += double{values_[k]} * double{x_[size(row_of_[k])]};
    }
    std::partial_sum(column_offsets_.begin(), column_offsets_.end(), column_offsets_.begin());
    device_ = std::make_unique<Device>(*this);
  }

  void run() {
    device_->row_of.poison();
    device_->y.poison();
    launch_transposed(device_->offsets.data(), device_->values.data(), rows_, cols_,
                      device_->by_column.data(), device_->column_offsets.data(),
                      device_->row_of.data(), device_->x.data(), device_->y.data());
  }

  void expect_right() const {
    exercise::expect_exact(device_->y.to_host(), expected_, where());
    exercise::expect_intact(device_->y.intact(), "y", where());
    exercise::expect_intact(device_->row_of.intact(), "row_of", where());
    if (device_->row_of.to_host() != row_of_ && rows_ > 0 && cols_ > 0) {
      FAIL("with ", where(), " row_of is not the row of each element");
    }
    if (device_->offsets.to_host() != offsets_ || device_->by_column.to_host() != by_column_) {
      FAIL("with ", where(), " offsets or by_column was written to. They must only be read.");
    }
  }
  std::size_t elements() const { return columns_.size(); }

 private:
  struct Device {
    explicit Device(const Problem& p)
        : offsets(p.offsets_),
          by_column(p.by_column_),
          column_offsets(p.column_offsets_),
          row_of(p.columns_.size()),
          values(p.values_),
          x(p.x_),
          y(p.expected_.size()) {}
    exercise::Array<int> offsets, by_column, column_offsets, row_of;
    exercise::Array<float> values, x, y;
  };

  std::string where() const {
    return std::to_string(rows_) + " rows, " + std::to_string(cols_) + " columns and " +
           std::to_string(columns_.size()) + " elements";
  }

  int rows_, cols_;
  std::vector<int> offsets_, columns_, row_of_, by_column_, column_offsets_;
  std::vector<float> values_, x_;
  std::vector<double> expected_;
  std::unique_ptr<Device> device_;
};

const std::vector<std::pair<int, int>> shapes = {
    {1, 1},   {1, 40},  {40, 1},   {31, 33},    {33, 31},
    {100, 7}, {7, 100}, {127, 64}, {257, 1009}, {exercise::drawn(150, 33, 400), 127}};

}  // namespace

TEST_CASE("correct: rows and columns of any number and length") {
  for (const auto& [rows, cols] : shapes) {
    for (const Rows kind : {Rows::equal, Rows::ragged, Rows::one_long}) {
      Problem problem(rows, cols, 9, kind);
      exercise::run([&] { problem.run(); });
      problem.expect_right();
    }
  }
  for (const auto& [rows, cols] : std::vector<std::pair<int, int>>{{0, 0}, {5, 0}}) {
    Problem nothing(rows, cols, 3, Rows::equal);
    exercise::run([&] { nothing.run(); }, exercise::Kernels::if_needed);
  }
  Problem no_rows(0, 37, 3, Rows::equal);
  exercise::run([&] { no_rows.run(); });
  no_rows.expect_right();
}

TEST_CASE("safe: nothing is touched outside the arrays") {
  for (const auto& [rows, cols] : shapes) {
    Problem problem(rows, cols, 7, Rows::ragged);
    exercise::run([&] { problem.run(); });
    problem.expect_right();
    exercise::expect_no_findings();
  }
}

TEST_CASE("efficient: no atomics and neighbouring lanes read neighbours") {
  const auto rows = static_cast<std::uint64_t>(exercise::drawn(512, 520, 640));
  Problem problem(static_cast<int>(rows), 64, 32, Rows::equal);
  const exercise::Run run = exercise::run([&] { problem.run(); });
  problem.expect_right();
  if (!course::on_emulator) {
    exercise::skip(
        "counted on the emulator; a GPU would count the same, but it does not report it");
    return;
  }
  const std::string read_again = "chapters/26_sparse/README.md, the warp per row";
  exercise::expect_at_most(run, {.counter = Counter::global_atomic_requests,
                                 .limit = 0,
                                 .model = 0,
                                 .naive = problem.elements() / 32,
                                 .why = "A column's sum can be made by one warp alone.",
                                 .read = read_again});
  exercise::expect_at_most(
      run,
      {.counter = Counter::global_load_requests,
       .limit = 5000 * rows / 512,
       .model = 4359 * rows / 512,
       .naive = 40000 * rows / 512,
       .why = "For 32 elements of a column a warp needs four loads: their numbers, values, rows "
              "and elements of x.",
       .read = read_again});
  exercise::expect_at_most(
      run, {.counter = Counter::global_load_sectors,
            .limit = 50000 * rows / 512,
            .model = 40741 * rows / 512,
            .naive = 0,
            .why = "Numbers of elements are neighbours in a column: 32 lanes read four sectors of "
                   "them, if each takes every 32nd.",
            .read = read_again});
  exercise::expect_at_most(run, {.counter = Counter::global_store_requests,
                                 .limit = rows + 128,
                                 .model = rows + 64,
                                 .naive = rows * 32,
                                 .why = "The 32 rows of 32 neighbouring elements are one store.",
                                 .read = read_again});
  // A column of this problem has about as many elements as there are rows.
  exercise::expect_loads_of_a_warp(run, rows / 2, "32 elements per row, 64 columns");
}
