#define main chapter_main  // not the main() of the test
#include "rows.cu"
#undef main

#include <doctest/doctest.h>

using namespace rows;

namespace {

// Around chunks, warps, blocks and clusters; ragged ones, primes.
const std::vector<std::pair<int, int>> shapes = {
    {1, 1},    {2, 3},    {9, 7},    {5, 8},     {3, 31},   {3, 32},
    {2, 33},   {7, 127},  {5, 128},  {3, 257},   {2, 1009}, {6, 1024},
    {3, 1025}, {2, 4096}, {2, 9001}, {1, 16384}, {1, 16391}};

template <class T>
void check_all(const std::vector<Case>& cases) {
  for (const Case& one : cases) {
    CAPTURE(one.name);
    one.poison();
    one.launch();
    const course::Verdict verdict = one.verify();
    CHECK_MESSAGE(verdict.passed, verdict.message);
  }
}

template <class T>
void check_shapes() {
  for (const auto& [rows, cols] : shapes) {
    CAPTURE(rows);
    CAPTURE(cols);
    const Cases<T> cases(std::make_shared<Data<T>>(rows, cols, 7));
    check_all<T>(cases.softmax_rungs());
    check_all<T>(cases.others());
    check_all<T>(cases.norms_in_two_passes());
  }
}

constexpr float infinity = std::numeric_limits<float>::infinity();
const float nan_value = std::nanf("");

// Rows of `cols` ordinary numbers, of which some are replaced.
template <class T>
std::vector<T> special_rows(std::size_t cols) {
  std::vector<T> x = some_numbers<T>(6, cols, 3);
  const auto set = [&](std::size_t row, std::size_t col, float value) {
    x[row * cols + col] = as_number<T>(value);
  };
  for (std::size_t j = 0; j < cols; j += 3) set(0, j, -infinity);  // masked in part
  for (std::size_t j = 0; j < cols; ++j) set(1, j, -infinity);     // masked entirely
  for (std::size_t j = 1; j < cols; ++j) set(2, j, -infinity);     // but for one
  set(3, cols / 2, nan_value);
  set(4, cols - 1, infinity);
  return x;
}

template <class T>
void check_special(std::size_t cols) {
  const std::size_t rows = 6;
  const std::vector<T> x = special_rows<T>(cols);
  course::DeviceArray<T> d_x(x), d_y(x.size());
  const auto row_of = [&](std::size_t i) {
    Doubles row(cols);
    for (std::size_t j = 0; j < cols; ++j) row[j] = as_double(x[i * cols + j]);
    return row;
  };
  const auto width = static_cast<int>(cols);
  const int count = static_cast<int>(rows);
  const auto check = [&](const char* name, auto launch, double floor, auto expected) {
    CAPTURE(name);
    d_y.poison();
    launch();
    const T* const y = d_y;
    const double error = largest_error<T>(y, rows, cols, floor, expected);
    CHECK(error <= tolerance_of<T>);
  };
  const Softmax<T, ByEx2> task = {width, {d_x}, d_y};
  const Softmax<T, ByExpf> by_expf = {width, {d_x}, d_y};
  const auto right = [&](std::size_t i) { return softmax_of(row_of(i)); };
  check(
      "three passes", [&] { launch_three_passes(by_expf, count); }, 1e-30, right);
  check(
      "three passes, ex2", [&] { launch_three_passes(task, count); }, 1e-30, right);
  check(
      "online", [&] { launch_online(by_expf, count); }, 1e-30, right);
  check(
      "online, ex2", [&] { launch_online(task, count); }, 1e-30, right);
  check(
      "16 bytes", [&] { launch_in_two_passes(task, count); }, 1e-30, right);
  check(
      "16 bytes, expf", [&] { launch_in_two_passes(by_expf, count); }, 1e-30, right);
  check(
      "ours", [&] { launch_rows(task, count); }, 1e-30, right);
  const LogSoftmax<T> logarithm = {width, {d_x}, d_y};
  check(
      "log-softmax", [&] { launch_rows(logarithm, count); }, 1,
      [&](std::size_t i) { return log_softmax_of(row_of(i)); });
}

}  // namespace

TEST_CASE("every kernel at shapes of all kinds: FP32") {
  course::device();  // ends the test as skipped where there is none
  check_shapes<float>();
}

TEST_CASE("every kernel at shapes of all kinds: BF16") {
  course::device();
  check_shapes<Bf16>();
}

TEST_CASE("NaN, infinities, and rows of minus infinity") {
  course::device();
  for (const std::size_t cols : {5, 64, 333, 2048, 9000}) {
    CAPTURE(cols);
    check_special<float>(cols);
    check_special<Bf16>(cols);
  }
}

TEST_CASE("a norm of a row with a NaN or an infinity is NaN, and its neighbours are not") {
  course::device();
  const std::size_t rows = 3, cols = 300;
  std::vector<float> x = some_numbers<float>(rows, cols, 5);
  const std::vector<float> ones(cols, 1.0F);
  const course::DeviceArray<float> gamma(ones);
  for (const float special : {nan_value, infinity}) {
    x[cols + 17] = special;
    course::DeviceArray<float> d_x(x), d_y(x.size());
    LayerNorm<float, false> layer;
    static_cast<Norm<float, false>&>(layer) = {
        static_cast<int>(cols), {d_x}, d_y, nullptr, gamma, gamma, epsilon};
    RmsNorm<float, false> rms;
    static_cast<Norm<float, false>&>(rms) = layer;
    const auto check = [&](bool all_of_row) {
      const std::vector<float> y = d_y.to_host();
      for (std::size_t j = 0; j < cols; ++j) {
        CHECK(!std::isnan(y[j]));
        CHECK(!std::isnan(y[2 * cols + j]));
        if (all_of_row || j == 17) CHECK(std::isnan(y[cols + j]));
      }
    };
    launch_rows(layer, 3);
    check(true);
    launch_rows(rms, 3);
    check(std::isnan(special));  // numbers over infinity are 0, as they should be
  }
}

// Numbers far from 0: a softmax does not depend on where they are, and a variance is not the
// difference of two large squares.
TEST_CASE("large numbers, and numbers far from 0") {
  course::device();
  const std::size_t rows = 2, cols = 3000;
  for (const float offset : {-30000.0F, 5000.0F}) {
    CAPTURE(offset);
    const std::vector<float> x = some_numbers<float>(rows, cols, 9, 2, offset);
    const std::vector<float> ones(cols, 1.0F), zeros(cols, 0.0F);
    course::DeviceArray<float> d_x(x), d_y(x.size()), gamma(ones), beta(zeros);
    const auto row_of = [&](std::size_t i) {
      return Doubles(x.begin() + i * cols, x.begin() + (i + 1) * cols);
    };
    const float* const y = d_y;
    for (const bool held : {true, false}) {
      CAPTURE(held);
      const auto launch = [&](const auto& task) {
        d_y.poison();
        held ? launch_rows(task, 2) : launch_in_two_passes(task, 2);
      };
      launch(Softmax<float>{static_cast<int>(cols), {d_x}, d_y});
      CHECK(largest_error<float>(y, rows, cols, 1e-30,
                                 [&](std::size_t i) { return softmax_of(row_of(i)); }) <= 2e-5);
      LayerNorm<float, false> layer;
      static_cast<Norm<float, false>&>(layer) = {
          static_cast<int>(cols), {d_x}, d_y, nullptr, gamma, beta, epsilon};
      launch(layer);
      CHECK(largest_error<float>(y, rows, cols, 1, [&](std::size_t i) {
              return norm_of(row_of(i), true, epsilon, Doubles(cols, 1), Doubles(cols, 0));
            }) <= 2e-3);  // a unit in the last place of 30,000 is 2e-3
    }
  }
}

TEST_CASE("no rows, and rows of no columns: nothing is launched") {
  course::device();
  course::DeviceArray<float> x(8), y(8);
  for (const auto& [rows, cols] : std::vector<std::pair<int, int>>{{0, 8}, {8, 0}, {0, 0}}) {
    const Softmax<float> task = {cols, {x}, y};
    launch_three_passes(task, rows);
    launch_online(task, rows);
    launch_in_two_passes(task, rows);
    launch_rows(task, rows);
  }
  CUDA_CHECK(cudaDeviceSynchronize());
}

TEST_CASE("cross-entropy without a gradient") {
  course::device();
  const int rows = 5, cols = 777;
  const std::vector<float> x = some_numbers<float>(rows, cols, 4);
  course::DeviceArray<float> d_x(x), d_y(x.size()), losses(rows), others(rows);
  course::DeviceArray<int> targets(std::vector<int>{0, 776, 5, 400, 7});
  launch_rows(CrossEntropy<float>{cols, {d_x}, targets, losses, d_y, 0.5F}, rows);
  launch_rows(CrossEntropy<float>{cols, {d_x}, targets, others, nullptr, 0.5F}, rows);
  CHECK(losses.to_host() == others.to_host());
  CHECK(d_x.to_host() == x);
}

// Every rung and every task at rows that rings and clusters take, and at ragged ones beside them.
TEST_CASE("long rows: rings, clusters, two passes") {
  course::device();
  for (const auto& [rows, cols] :
       std::vector<std::pair<int, int>>{{2, 20000}, {1, 40008}, {1, 40001}}) {
    CAPTURE(rows);
    CAPTURE(cols);
    check_all<Bf16>(Cases<Bf16>(std::make_shared<Data<Bf16>>(rows, cols, 8)).others());
  }
  check_all<float>(Cases<float>(std::make_shared<Data<float>>(1, 40000, 8)).others());
}

// More rows than stages: each stage is used again, by one team and by two.
TEST_CASE("rings that wrap around, with teams of all sizes") {
  course::device();
  if (course::device().compute_capability < 90) {
    MESSAGE("SKIPPED: wants a GPU of compute capability 9.0");
    return;
  }
  const int rows = 9, cols = 4088;  // the last block's part is shorter
  const std::vector<Bf16> x = some_numbers<Bf16>(rows, cols, 6);
  const std::vector<Bf16> gamma = some_numbers<Bf16>(1, cols, 7, 0.2F, 1);
  course::DeviceArray<Bf16> d_x(x), d_y(x.size()), d_gamma(gamma);
  const auto row_of = [&](const std::vector<Bf16>& matrix, std::size_t i) {
    Doubles row(cols);
    for (int j = 0; j < cols; ++j) row[j] = as_double(matrix[i * cols + j]);
    return row;
  };
  LayerNorm<Bf16, false> layer;
  static_cast<Norm<Bf16, false>&>(layer) = {cols, {d_x}, d_y, nullptr, d_gamma, d_gamma, epsilon};
  const Bf16* const y = d_y;
  for (const int blocks : {1, 2, 4, 8}) {
    for (const int most_teams : {1, 2}) {
      CAPTURE(blocks);
      CAPTURE(most_teams);
      d_y.poison();
      launch_ahead(again(Softmax<Bf16>{cols, {d_x}, d_y}), rows, blocks, most_teams);
      CHECK(largest_error<Bf16>(y, rows, cols, 1e-30, [&](std::size_t i) {
              return softmax_of(row_of(x, i));
            }) <= tolerance_of<Bf16>);
      d_y.poison();
      launch_ahead(layer, rows, blocks, most_teams);
      CHECK(largest_error<Bf16>(y, rows, cols, 1, [&](std::size_t i) {
              return norm_of(row_of(x, i), true, epsilon, row_of(gamma, 0), row_of(gamma, 0));
            }) <= tolerance_of<Bf16>);
    }
  }
}

TEST_CASE("gradients of gamma and beta") {
  course::device();
  const int rows = 200, cols = 130;
  const std::vector<float> x = some_numbers<float>(rows, cols, 1, 2, 3);
  const std::vector<float> dy = some_numbers<float>(rows, cols, 2);
  std::vector<float2> moments;
  Doubles dgamma(cols, 0), dbeta(cols, 0);
  for (int i = 0; i < rows; ++i) {
    const Doubles row(x.begin() + i * cols, x.begin() + (i + 1) * cols);
    double deviation = 0;
    const Doubles z = normalised(row, true, epsilon, deviation);
    moments.push_back({static_cast<float>(mean_of(row)), static_cast<float>(1 / deviation)});
    for (int j = 0; j < cols; ++j) {
      dgamma[j] += z[j] * dy[i * cols + j];
      dbeta[j] += dy[i * cols + j];
    }
  }
  course::DeviceArray<float> d_x(x), d_dy(dy), d_dgamma(cols), d_dbeta(cols);
  course::DeviceArray<float2> d_moments(moments), found(column_parts * cols);
  launch_column_gradients<float>(d_x, d_dy, d_moments, rows, cols, found, d_dgamma, d_dbeta);
  const float* const of_gamma = d_dgamma;
  const float* const of_beta = d_dbeta;
  CHECK(largest_error<float>(of_gamma, 1, cols, 1, [&](std::size_t) { return dgamma; }) <= 1e-5);
  CHECK(largest_error<float>(of_beta, 1, cols, 1, [&](std::size_t) { return dbeta; }) <= 1e-5);
}
