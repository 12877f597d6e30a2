// The checks of exercise 16c. The functions under test are in power_iteration.cu.

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include "checks/exercise.hpp"
#include "checks/streams.hpp"
#include "cublas.hpp"
#include "verify.hpp"

void launch_power_iteration(cublasHandle_t handle, const float* A, int lda, float* x, float* y,
                            float* memory, float* lambda, int n, int steps);
void launch_scale(cublasHandle_t handle, float factor, float* x, int n);
void naive_power_iteration(cublasHandle_t handle, const float* A, int lda, float* x, float* y,
                           int n, int steps);

namespace {

namespace exercise = course::exercise;

const std::string read_again = "chapters/16_cublas_tour/README.md, on pointer modes";

/// A handle of cuBLAS's for a case, with a stream of its own if it is wanted: the legacy default
/// stream does not wait for that one, nor it for the default stream.
class Handle {
 public:
  explicit Handle(bool has_stream = true) {
    CUDA_CHECK(cublasCreate(&handle_));
    if (!has_stream) return;
    CUDA_CHECK(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    CUDA_CHECK(cublasSetStream(handle_, stream_));
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() {
    CUDA_WARN(cublasDestroy(handle_));
    if (stream_ != nullptr) CUDA_WARN(cudaStreamDestroy(stream_));
  }
  operator cublasHandle_t() const { return handle_; }

 private:
  cublasHandle_t handle_ = nullptr;
  cudaStream_t stream_ = nullptr;
};

/// A column-major matrix and a first guess, as numbers.
struct Data {
  std::vector<double> A;  ///< without gaps
  std::vector<double> x;
};

std::size_t size(int count) {
  return static_cast<std::size_t>(count);
}

/// Each row and each column has one element, a power of two, so that all lengths are powers of two
/// and only what the library does with them may round: its length may be off by a bit. A x is x in
/// another order, with other signs, four times as long. As many elements of x as the largest power
/// of four allows are 1 or -1.
Data exact_data(int n) {
  Data data{std::vector<double>(size(n) * size(n)), std::vector<double>(size(n))};
  std::vector<std::size_t> order(size(n));
  std::iota(order.begin(), order.end(), std::size_t{0});
  const course::RandomBits bits(7);
  for (std::size_t k = order.size(); k > 1; --k) std::swap(order[k - 1], order[bits(k) % k]);
  const double factor = std::ldexp(0.5, static_cast<int>(bits(3000) >> 61));
  for (std::size_t j = 0; j < order.size(); ++j) {
    data.A[j * order.size() + order[j]] = bits(1000 + j) >> 63 != 0 ? factor : -factor;
  }
  std::size_t ones = 1;
  while (4 * ones <= order.size()) ones *= 4;
  for (std::size_t k = 0; k < ones; ++k) data.x[k] = bits(2000 + k) >> 63 != 0 ? 1 : -1;
  return data;
}

/// A = I + factor u u^T: u is an eigenvector to 1 + factor u u, and all others have 1.
Data known_spectrum(int n, double factor) {
  const std::vector<float> u = course::exact_vector(size(n), 1U << 18, 3);
  const double square = std::inner_product(u.begin(), u.end(), u.begin(), 0.0);
  Data data{std::vector<double>(size(n) * size(n)), std::vector<double>(size(n), 1.0)};
  for (std::size_t j = 0; j < size(n); ++j) {
    for (std::size_t i = 0; i < size(n); ++i) {
      data.A[j * size(n) + i] = (i == j ? 1 : 0) + factor * double{u[i]} * double{u[j]} / square;
    }
  }
  data.x[0] += u[0] > 0 ? 20 : -20;  // surely not orthogonal to u
  return data;
}

std::vector<double> product(const std::vector<double>& A, const std::vector<double>& x) {
  std::vector<double> y(x.size());
  for (std::size_t j = 0; j < x.size(); ++j) {
    for (std::size_t i = 0; i < x.size(); ++i) y[i] += A[j * x.size() + i] * x[j];
  }
  return y;
}

/// Of no step's length and reciprocal more than the last bits are lost, and those of a step do not
/// add to those of the one before, since each step makes the length 1 again.
void expect_close(const std::vector<float>& got, const std::vector<double>& expected,
                  const std::string& where) {
  std::vector<double> magnitudes(expected.size());
  std::transform(expected.begin(), expected.end(), magnitudes.begin(),
                 [](double value) { return std::abs(value); });
  const course::Verdict verdict =
      course::verify_bounded(got.data(), expected.data(), magnitudes.data(), expected.size(), 1, 1);
  if (!verdict) FAIL(std::string("with " + where + ":\n" + verdict.message));
}

class Problem {
 public:
  Problem(Data data, int gap, int steps)
      : n_(static_cast<int>(data.x.size())),
        lda_(n_ + gap),
        steps_(steps),
        data_(std::move(data)),
        A_(make_matrix()) {
    for (int step = 0; step < steps; ++step) {
      const std::vector<double> y = product(data_.A, x_right_);
      const double length = std::sqrt(std::inner_product(y.begin(), y.end(), y.begin(), 0.0));
      std::transform(y.begin(), y.end(), x_right_.begin(),
                     [&](double value) { return value / length; });
    }
    const std::vector<double> y = product(data_.A, x_right_);
    lambda_right_ = std::inner_product(y.begin(), y.end(), x_right_.begin(), 0.0);
  }

  void reset() {
    x_.emplace(std::vector<float>(data_.x.begin(), data_.x.end()));
    y_.poison();
    memory_.poison();
    lambda_.poison();
    CUDA_CHECK(cudaDeviceSynchronize());  // the handle's stream waits for nothing else
  }
  void call(cublasHandle_t handle) {
    launch_power_iteration(handle, A_.data(), lda_, x_->data(), y_.data(), memory_.data(),
                           lambda_.data(), n_, steps_);
  }
  void call_naive(cublasHandle_t handle) {
    naive_power_iteration(handle, A_.data(), lda_, x_->data(), y_.data(), n_, steps_);
  }
  /// What the caller does next.
  void scale(cublasHandle_t handle, float factor) { launch_scale(handle, factor, x_->data(), n_); }

  void expect_right(float factor = 1, const std::string& order = "") const {
    std::vector<double> x = x_right_;
    for (double& value : x) value *= double{factor};
    expect_close(x_->to_host(), x, "x, " + where(order));
    expect_close(lambda_.to_host(), {lambda_right_}, "lambda, " + where(order));
    expect_intact(order);
  }

  /// The eigenvalue and a vector of length 1 that does not change its direction.
  void expect_eigenvalue(double right) const {
    const double lambda = double{lambda_.to_host()[0]};
    if (!(std::abs(lambda - right) <= 1e-4 * std::abs(right))) {
      FAIL(std::string("with " + where("") + ": lambda is " + std::to_string(lambda) +
                       ", and the largest eigenvalue without its sign is " + std::to_string(right) +
                       (std::abs(lambda + right) <= 1e-4 * std::abs(right)
                            ? ". The length of y has lost the sign: what is x A x?"
                            : "")));
    }
    const std::vector<float> x = x_->to_host();
    const std::vector<double> same = product(data_.A, {x.begin(), x.end()});
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (std::abs(same[i] - right * double{x[i]}) <= 1e-3 * std::abs(right)) continue;
      FAIL(std::string("with " + where("") + ": x is not an eigenvector of length 1: element " +
                       std::to_string(i) + " of A x is " + std::to_string(same[i]) +
                       ", and lambda times that of x " + std::to_string(right * double{x[i]})));
    }
    const double square = std::inner_product(x.begin(), x.end(), x.begin(), 0.0);
    if (!(std::abs(square - 1) <= 1e-4)) {
      FAIL(std::string("with " + where("") + ": the square of x's length is " +
                       std::to_string(square) + ", and should be 1"));
    }
    expect_intact("");
  }

 private:
  std::string where(const std::string& order) const {
    return "n = " + std::to_string(n_) + ", lda = " + std::to_string(lda_) +
           ", steps = " + std::to_string(steps_) + (order.empty() ? "" : ", ") + order;
  }
  void expect_intact(const std::string& order) const {
    exercise::expect_intact(x_->intact(), "x", where(order));
    exercise::expect_intact(y_.intact(), "y", where(order));
    exercise::expect_intact(memory_.intact(), "memory", where(order));
    exercise::expect_intact(lambda_.intact(), "lambda", where(order));
  }
  std::vector<float> make_matrix() const {
    std::vector<float> A(size(n_) * size(lda_), std::numeric_limits<float>::quiet_NaN());
    for (std::size_t j = 0; j < size(n_); ++j) {
      for (std::size_t i = 0; i < size(n_); ++i) {
        A[j * size(lda_) + i] = static_cast<float>(data_.A[j * size(n_) + i]);
      }
    }
    return A;
  }

  int n_;
  int lda_;
  int steps_;
  Data data_;
  exercise::Array<float> A_;
  std::optional<exercise::Array<float>> x_;
  exercise::Array<float> y_{size(n_)};
  exercise::Array<float> memory_{4};
  exercise::Array<float> lambda_{1};
  std::vector<double> x_right_ = data_.x;
  double lambda_right_ = 0;
};

void check(const Handle& handle, int n, int gap, int steps) {
  Problem problem(exact_data(n), gap, steps);
  problem.reset();
  exercise::run([&] { problem.call(handle); },
                steps == 0 ? exercise::Kernels::if_needed : exercise::Kernels::expected);
  problem.expect_right();
}

}  // namespace

TEST_CASE("correct: one step and none") {
  const Handle handle;
  for (const int steps : {0, 1}) {
    for (const int n : {1, 2, 3, 5, 31, 32, 33, 127}) check(handle, n, 0, steps);
  }
}

TEST_CASE("correct: many steps and columns with a gap") {
  const Handle handle;
  for (const int steps : {2, 3, 20}) {
    for (const int n : {1, 4, 17, 65, exercise::drawn(40, 18, 100)}) {
      check(handle, n, 0, steps);
      check(handle, n, 3, steps);
    }
  }
}

TEST_CASE("correct: a known spectrum") {
  const Handle handle;
  for (const double factor : {7.0, -9.0}) {
    for (const int n : {2, 33, 100}) {
      Problem problem(known_spectrum(n, factor), 2, 30);
      problem.reset();
      exercise::run([&] { problem.call(handle); });
      problem.expect_eigenvalue(1 + factor);
    }
  }
}

TEST_CASE("safe: right in every order and the handle as it was") {
  const Handle handle;
  for (const int n : {20, 64}) {
    Problem problem(exact_data(n), 1, 3);
    exercise::in_every_order([&](const std::string& order) {
      problem.reset();
      exercise::run([&] {
        problem.call(handle);
        problem.scale(handle, 2);
      });
      problem.expect_right(2, order);
      exercise::expect_no_findings();
    });
  }
}

TEST_CASE("efficient: nothing is copied and the host never waits") {
  const Handle handle;
  Problem problem(exact_data(64), 0, 5);
  problem.reset();
  const exercise::StreamRun run = exercise::run_in_streams([&] {
    problem.call(handle);
    problem.scale(handle, 2);
  });
  problem.expect_right(2);
  exercise::expect_no_waits(run, read_again);
  // Where times are taken: in the default stream.
  const Handle in_default_stream(false);
  Problem large(exact_data(256), 0, 100);
  large.reset();
  exercise::expect_faster([&] { large.call_naive(in_default_stream); },
                          [&] { large.call(in_default_stream); }, 1.2, read_again);
}
