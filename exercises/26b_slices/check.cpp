// The checks of exercise 26b. The function under test is in slices.cu.

#include <algorithm>
#include <numeric>

#include "checks/exercise.hpp"

void launch_slices(const int* offsets, const int* columns, const float* values, int rows,
                   int* widths, int* begins, int* sliced_columns, float* sliced_values,
                   const float* x, float* y);

namespace {

namespace exercise = course::exercise;
using exercise::Counter;

constexpr int slice = 32, padding = -1;  // as in slices.cu
constexpr int cols = 200;

std::size_t size(int count) {
  return static_cast<std::size_t>(count);
}

/// A matrix whose rows have these lengths.
class Problem {
 public:
  explicit Problem(const std::vector<int>& lengths)
      : rows_(static_cast<int>(lengths.size())),
        slices_((rows_ + slice - 1) / slice),
        offsets_(lengths.size() + 1),
        begins_(size(slices_) + 1),
        x_(course::exact_vector(cols, cols, 265)),
        expected_(lengths.size()) {
    std::partial_sum(lengths.begin(), lengths.end(), offsets_.begin() + 1);
    for (int s = 0; s < slices_; ++s) {
      const auto begin = lengths.begin() + slice * s;
      begins_[size(s) + 1] =
          begins_[size(s)] +
          slice * *std::max_element(begin, lengths.begin() + std::min(slice * (s + 1), rows_));
    }
    const course::RandomBits bits(266);
    values_ = course::exact_vector(size(offsets_.back()), cols, 267);
    sliced_columns_.assign(size(begins_.back()), padding);
    sliced_values_.assign(size(begins_.back()), 0.0F);
    for (std::size_t row = 0; row < lengths.size(); ++row) {
      for (int e = 0; e < lengths[row]; ++e) {
        const int from = cols * e / lengths[row], to = cols * (e + 1) / lengths[row];
        const std::size_t k = columns_.size();
        columns_.push_back(from + static_cast<int>(bits(k) % size(to - from)));
        expected_[row] += double{values_[k]} * double{x_[size(columns_[k])]};
        const std::size_t at = size(begins_[row / slice]) + size(e) * slice + row % slice;
        sliced_columns_[at] = columns_[k];
        sliced_values_[at] = values_[k];
      }
    }
    device_ = std::make_unique<Device>(*this);
  }

  void run() {
    device_->poison();
    launch_slices(device_->offsets.data(), device_->columns.data(), device_->values.data(), rows_,
                  device_->widths.data(), device_->begins.data(), device_->sliced_columns.data(),
                  device_->sliced_values.data(), device_->x.data(), device_->y.data());
  }

  void expect_right() const {
    if (rows_ > 0 && device_->begins.to_host() != begins_) {
      FAIL("with ", where(),
           " begins is not where the slices begin. Each is 32 times as long as "
           "its longest row");
    }
    exercise::expect_exact(device_->y.to_host(), expected_, where());
    expect_elements();
    exercise::expect_intact(device_->y.intact(), "y", where());
    exercise::expect_intact(device_->widths.intact(), "widths", where());
    exercise::expect_intact(device_->begins.intact(), "begins", where());
    exercise::expect_intact(device_->sliced_columns.intact(), "sliced_columns", where());
    exercise::expect_intact(device_->sliced_values.intact(), "sliced_values", where());
  }

 private:
  struct Device {
    explicit Device(const Problem& p)
        : offsets(p.offsets_),
          columns(p.columns_),
          widths(size(p.slices_)),
          begins(p.begins_.size()),
          sliced_columns(p.sliced_columns_.size()),
          values(p.values_),
          sliced_values(p.sliced_values_.size()),
          x(p.x_),
          y(p.expected_.size()) {}
    void poison() {
      for (auto* const array : {&widths, &begins, &sliced_columns}) array->poison();
      sliced_values.poison();
      y.poison();
    }
    exercise::Array<int> offsets, columns, widths, begins, sliced_columns;
    exercise::Array<float> values, sliced_values, x, y;
  };

  /// Rows that the last slice lacks are nobody's.
  void expect_elements() const {
    const std::vector<int> columns = device_->sliced_columns.to_host();
    const std::vector<float> values = device_->sliced_values.to_host();
    for (int row = 0; row < rows_; ++row) {
      const int end = begins_[size(row / slice) + 1];
      for (int at = begins_[size(row / slice)] + row % slice; at < end; at += slice) {
        if (columns[size(at)] != sliced_columns_[size(at)] ||
            values[size(at)] != sliced_values_[size(at)]) {
          FAIL("with ", where(), " element ", at, " of the slices is wrong: it is of row ", row);
        }
      }
    }
  }

  std::string where() const {
    return std::to_string(rows_) + " rows and " + std::to_string(columns_.size()) + " elements";
  }

  int rows_, slices_;
  std::vector<int> offsets_, columns_, begins_, sliced_columns_;
  std::vector<float> values_, sliced_values_, x_;
  std::vector<double> expected_;
  std::unique_ptr<Device> device_;
};

std::vector<int> ragged(int rows, int most) {
  const course::RandomBits bits(268);
  std::vector<int> lengths(size(rows));
  for (std::size_t row = 0; row < lengths.size(); ++row) {
    lengths[row] = static_cast<int>(bits(row) % size(most + 1));
  }
  return lengths;
}

void check(const std::vector<int>& lengths) {
  Problem problem(lengths);
  exercise::run([&] { problem.run(); });
  problem.expect_right();
}

}  // namespace

TEST_CASE("correct: one row of a slice is the longest wherever it is") {
  for (int longest = 0; longest < slice; ++longest) {
    std::vector<int> lengths(2 * slice, 2);
    lengths[size(longest)] = 7;
    check(lengths);
  }
}

TEST_CASE("correct: rows of any length or none") {
  for (const int rows : {32, 64, 128, 160, 320}) {
    for (const int most : {0, 1, 20, cols}) check(ragged(rows, most));
  }
}

TEST_CASE("correct: slices that are not full") {
  for (const int rows : {1, 2, 31, 33, 127, 129, 257, exercise::drawn(200, 100, 400)}) {
    check(ragged(rows, 11));
  }
  Problem nothing(std::vector<int>{});
  exercise::run([&] { nothing.run(); }, exercise::Kernels::if_needed);
}

TEST_CASE("safe: nothing is touched outside the arrays and lanes that shuffle are there") {
  for (const int rows : {1, 33, 64, 127, 300}) {
    Problem problem(ragged(rows, 9));
    exercise::run([&] { problem.run(); });
    problem.expect_right();
    exercise::expect_no_findings();
  }
}

TEST_CASE("efficient: slices and neighbouring rows side by side") {
  const auto rows = 32 * static_cast<std::uint64_t>(exercise::drawn(32, 33, 40));
  const auto mean = static_cast<std::uint64_t>(exercise::drawn(16, 17, 20));
  const std::uint64_t elements = rows * mean;
  Problem problem(std::vector<int>(rows, static_cast<int>(mean)));
  const exercise::Run run = exercise::run([&] { problem.run(); });
  problem.expect_right();
  if (!course::on_emulator) {
    exercise::skip(
        "counted on the emulator; a GPU would count the same, but it does not report it");
    return;
  }
  exercise::expect_at_most(
      run, {.counter = Counter::global_store_sectors,
            .limit = elements / 4 + rows * 19 / 64,
            .model = elements / 4 + rows * 193 / 1024,
            .naive = 2 * elements,
            .why = "32 rows of a slice store 32 neighbours: four sectors of columns, and four of "
                   "values.",
            .read = "chapters/26_sparse/README.md, sliced ELL"});
  exercise::expect_at_most(
      run,
      {.counter = Counter::global_load_requests,
       .limit = 4000 * elements / (1024 * 16),
       .model = 3360 * elements / (1024 * 16),
       .naive = 8000 * elements / (1024 * 16),
       .why = "An element is loaded once to be moved and once to be multiplied: its column, its "
              "value, and its element of x.",
       .read = "chapters/26_sparse/README.md, sliced ELL"});
}
