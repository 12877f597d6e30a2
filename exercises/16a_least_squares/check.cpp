// The checks of exercise 16a. The functions under test are in least_squares.cu.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "checks/exercise.hpp"
#include "checks/streams.hpp"
#include "cublas.hpp"

void launch_least_squares(cublasHandle_t handle, const float* Q, int ldq, const float* R, int ldr,
                          const float* B, int ldb, float* X, int ldx, int m, int n, int s);
void launch_least_norm(cublasHandle_t handle, const float* Q, int ldq, const float* R, int ldr,
                       float* C, int ldc, float* Y, int ldy, int m, int n, int s);

namespace {

namespace exercise = course::exercise;
using Shape = std::array<int, 3>;  // m, n, s

constexpr float no_number = std::numeric_limits<float>::quiet_NaN();

/// A handle of cuBLAS's for a case.
class Handle {
 public:
  Handle() { CUDA_CHECK(cublasCreate(&handle_)); }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() { CUDA_WARN(cublasDestroy(handle_)); }
  operator cublasHandle_t() const { return handle_; }

 private:
  cublasHandle_t handle_ = nullptr;
};

/// A row-major matrix on the host, zero at first.
struct Matrix {
  std::size_t rows;
  std::size_t cols;
  std::vector<double> elements = std::vector<double>(rows * cols);

  double& at(std::size_t i, std::size_t j) { return elements[i * cols + j]; }
  double at(std::size_t i, std::size_t j) const { return elements[i * cols + j]; }
};

Matrix multiply(const Matrix& A, const Matrix& B) {
  Matrix C{A.rows, B.cols};
  for (std::size_t i = 0; i < A.rows; ++i) {
    for (std::size_t l = 0; l < A.cols; ++l) {
      if (A.at(i, l) == 0) continue;
      for (std::size_t j = 0; j < B.cols; ++j) C.at(i, j) += A.at(i, l) * B.at(l, j);
    }
  }
  return C;
}

Matrix transposed(const Matrix& A) {
  Matrix B{A.cols, A.rows};
  for (std::size_t i = 0; i < A.rows; ++i) {
    for (std::size_t j = 0; j < A.cols; ++j) B.at(j, i) = A.at(i, j);
  }
  return B;
}

/// Whole numbers from -3 to 3, none of them 0.
Matrix small_numbers(std::size_t rows, std::size_t cols, std::uint64_t seed) {
  Matrix A{rows, cols};
  const std::vector<float> values = course::exact_vector(rows * cols, 1U << 20, seed);
  std::transform(values.begin(), values.end(), A.elements.begin(), [](float value) {
    return value < 0 ? std::fmod(value, 3.0F) - 1 : std::fmod(value, 3.0F) + 1;
  });
  return A;
}

/// An order of 0 ... n - 1.
std::vector<std::size_t> shuffled(std::size_t n, std::uint64_t seed) {
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  const course::RandomBits bits(seed);
  for (std::size_t k = n; k > 1; --k) std::swap(order[k - 1], order[bits(k) % k]);
  return order;
}

/// m x m and orthogonal, of elements that are 0 or plus or minus 1/4, 1/2 or 1: blocks of 16, 4
/// and 1 rows whose signs are those of a Hadamard matrix, rows and columns in some order.
Matrix orthogonal(std::size_t m) {
  const std::vector<std::size_t> rows = shuffled(m, 11);
  const std::vector<std::size_t> cols = shuffled(m, 12);
  const course::RandomBits bits(13);
  Matrix Q{m, m};
  std::size_t begin = 0;
  while (begin < m) {
    const std::size_t left = m - begin;
    const std::size_t size = left >= 16 ? 16 : left >= 4 ? 4 : 1;
    const double value = size == 16 ? 0.25 : size == 4 ? 0.5 : 1;
    for (std::size_t i = 0; i < size; ++i) {
      for (std::size_t j = 0; j < size; ++j) {
        const bool is_negative = ((bits(begin + i) >> 32) ^ __builtin_popcountll(i & j)) % 2 != 0;
        Q.at(rows[begin + i], cols[begin + j]) = is_negative ? -value : value;
      }
    }
    begin += size;
  }
  return Q;
}

/// Upper triangular. Whole numbers above a diagonal of powers of two, but only in even rows and odd
/// columns, so that the inverse has small elements as well, and however a library goes about it,
/// nothing rounds.
Matrix triangle(std::size_t n) {
  Matrix R = small_numbers(n, n, 21);
  const std::array<double, 6> diagonal{2, -1, 4, 0.5, -2, 1};
  const course::RandomBits bits(22);
  for (std::size_t i = 0; i < n; ++i) {
    const double factor = diagonal[(bits(i) >> 32) % diagonal.size()];
    for (std::size_t j = 0; j < n; ++j) {
      if (j <= i || i % 2 == 1 || j % 2 == 0) R.at(i, j) = 0;
    }
    R.at(i, i) = factor;
  }
  return R;
}

Matrix first_columns(const Matrix& A, std::size_t n) {
  Matrix B{A.rows, n};
  for (std::size_t i = 0; i < A.rows; ++i) {
    for (std::size_t j = 0; j < n; ++j) B.at(i, j) = A.at(i, j);
  }
  return B;
}

/// A matrix on the device as part of a larger one: NaN is in the gaps between its rows, and
/// beside its diagonal if only a triangle is of interest.
class DeviceMatrix {
 public:
  DeviceMatrix(const Matrix& A, int gap, bool is_triangle = false)
      : rows_(A.rows), cols_(A.cols), ld_(A.cols + static_cast<std::size_t>(gap)) {
    ld_ = std::max<std::size_t>(ld_, 1);
    begin_.assign(rows_ * ld_, no_number);
    for (std::size_t i = 0; i < rows_; ++i) {
      for (std::size_t j = is_triangle ? i : 0; j < cols_; ++j) {
        begin_[i * ld_ + j] = static_cast<float>(A.at(i, j));
      }
    }
    array_ = std::make_unique<exercise::Array<float>>(begin_);
  }
  /// One that is only written: NaN all over.
  DeviceMatrix(std::size_t rows, std::size_t cols, int gap)
      : DeviceMatrix(unwritten(rows, cols), gap) {}

  float* data() const { return array_->data(); }
  int ld() const { return static_cast<int>(ld_); }

  void expect(const Matrix& right, const std::string& name, const std::string& where) const {
    const std::vector<float> now = array_->to_host();
    std::vector<float> got;
    bool gaps_kept = true;
    for (std::size_t i = 0; i < rows_; ++i) {
      for (std::size_t j = 0; j < ld_; ++j) {
        const float value = now[i * ld_ + j];
        if (j < cols_) {
          got.push_back(value);
        } else {
          gaps_kept = gaps_kept && std::isnan(value);
        }
      }
    }
    exercise::expect_exact(got, right.elements, rows_, cols_, name + ", " + where);
    if (!gaps_kept)
      FAIL(std::string("with " + where + ": the gap between rows of " + name +
                       " was written. What is its leading dimension?"));
    exercise::expect_intact(array_->intact(), name, where);
  }

 private:
  static Matrix unwritten(std::size_t rows, std::size_t cols) {
    Matrix A{rows, cols};
    std::fill(A.elements.begin(), A.elements.end(), no_number);
    return A;
  }

  std::size_t rows_;
  std::size_t cols_;
  std::size_t ld_;
  std::vector<float> begin_;
  std::unique_ptr<exercise::Array<float>> array_;
};

/// A = Q R with right-hand sides, made from what is to come out.
class Problem {
 public:
  Problem(const Shape& shape, int gap)
      : m_(shape[0]),
        n_(shape[1]),
        s_(shape[2]),
        all_of_q_(orthogonal(size(m_))),
        q_(first_columns(all_of_q_, size(n_))),
        r_(triangle(size(n_))),
        x_(small_numbers(size(n_), size(s_), 31)),
        b_(make_b()),
        z_(small_numbers(size(n_), size(s_), 33)),
        y_(multiply(q_, z_)),
        Q_(q_, gap),
        R_(r_, wider(gap, 1), true),
        B_(b_, wider(gap, 2)),
        X_(size(n_), size(s_), gap),
        C_(multiply(transposed(r_), z_), wider(gap, 1)),
        Y_(size(m_), size(s_), wider(gap, 2)) {}

  void call_squares(cublasHandle_t handle) const {
    launch_least_squares(handle, Q_.data(), Q_.ld(), R_.data(), R_.ld(), B_.data(), B_.ld(),
                         X_.data(), X_.ld(), m_, n_, s_);
  }
  void call_norm(cublasHandle_t handle) const {
    launch_least_norm(handle, Q_.data(), Q_.ld(), R_.data(), R_.ld(), C_.data(), C_.ld(), Y_.data(),
                      Y_.ld(), m_, n_, s_);
  }
  void expect_squares() const { X_.expect(x_, "X", where()); }
  void expect_norm() const {
    C_.expect(z_, "C", where());
    Y_.expect(y_, "Y", where());
  }

 private:
  static std::size_t size(int count) { return static_cast<std::size_t>(count); }

  /// Matrices with gaps have different ones.
  static int wider(int gap, int more) { return gap == 0 ? 0 : gap + more; }

  /// A X, and something that no x can reach: it is orthogonal to all columns of A.
  Matrix make_b() const {
    Matrix coefficients = multiply(r_, x_);
    const Matrix rest = small_numbers(size(m_), size(s_), 32);
    coefficients.rows = size(m_);
    coefficients.elements.resize(size(m_) * size(s_));
    for (std::size_t k = size(n_) * size(s_); k < coefficients.elements.size(); ++k) {
      coefficients.elements[k] = rest.elements[k];
    }
    return multiply(all_of_q_, coefficients);
  }

  std::string where() const {
    return "m = " + std::to_string(m_) + ", n = " + std::to_string(n_) +
           ", s = " + std::to_string(s_) + ", ldq = " + std::to_string(Q_.ld()) +
           ", ldr = " + std::to_string(R_.ld());
  }

  int m_;
  int n_;
  int s_;
  Matrix all_of_q_;
  Matrix q_;
  Matrix r_;
  Matrix x_;
  Matrix b_;
  Matrix z_;
  Matrix y_;
  DeviceMatrix Q_;
  DeviceMatrix R_;
  DeviceMatrix B_;
  DeviceMatrix X_;
  DeviceMatrix C_;
  DeviceMatrix Y_;
};

enum class Function { squares, norm };

void check(Function function, const Shape& shape, int gap, cublasHandle_t handle) {
  const Problem problem(shape, gap);
  // Library calls are not kernels of ours, so none is expected to be seen.
  exercise::run(
      [&] {
        function == Function::squares ? problem.call_squares(handle) : problem.call_norm(handle);
      },
      exercise::Kernels::in_a_library);
  function == Function::squares ? problem.expect_squares() : problem.expect_norm();
}

void expect_calls(const exercise::StreamRun& run, const std::string& function) {
  const std::vector<std::string> calls = exercise::library_calls(run);
  if (calls.size() <= 2) return;
  FAIL(std::string(
      function + " called the library " + std::to_string(calls.size()) + " times (" + calls[0] +
      ", " + calls[1] + ", " + calls[2] + (calls.size() > 3 ? ", ..." : "") +
      "). Two calls are enough: a product, and one solution for all right-hand sides at once. The "
      "inverse of R is not needed.\n"
      "read again: chapters/16_cublas_tour/README.md, level 3"));
}

}  // namespace

TEST_CASE("correct: least squares with one right-hand side") {
  const Handle handle;
  for (const Shape& shape : {Shape{2, 1, 1}, Shape{1, 1, 1}, Shape{3, 2, 1}, Shape{4, 4, 1},
                             Shape{33, 7, 1}, Shape{127, 31, 1}, Shape{65, 64, 1}}) {
    check(Function::squares, shape, 0, handle);
  }
}

TEST_CASE("correct: least squares with many right-hand sides") {
  const Handle handle;
  for (const Shape& shape :
       {Shape{2, 2, 2}, Shape{4, 3, 2}, Shape{5, 2, 3}, Shape{20, 3, 17},
        Shape{exercise::drawn(50, 40, 90), exercise::drawn(20, 8, 39), exercise::drawn(6, 2, 30)},
        Shape{33, 31, 32}, Shape{127, 33, 5}, Shape{64, 64, 64}}) {
    check(Function::squares, shape, 0, handle);
  }
}

TEST_CASE("correct: least norm") {
  const Handle handle;
  for (const Shape& shape :
       {Shape{1, 1, 1}, Shape{3, 2, 1}, Shape{33, 7, 1}, Shape{2, 2, 2}, Shape{4, 3, 2},
        Shape{20, 3, 17}, Shape{127, 33, 5}, Shape{64, 64, 64}}) {
    check(Function::norm, shape, 0, handle);
  }
}

TEST_CASE("correct: parts of larger matrices") {
  const Handle handle;
  for (const Shape& shape : {Shape{3, 2, 1}, Shape{5, 4, 3}, Shape{33, 17, 6}, Shape{40, 40, 40}}) {
    check(Function::squares, shape, 3, handle);
    check(Function::norm, shape, 3, handle);
  }
}

TEST_CASE("correct: empty shapes") {
  const Handle handle;
  for (const Shape& shape : {Shape{0, 0, 0}, Shape{0, 0, 3}, Shape{3, 0, 0}, Shape{3, 0, 2},
                             Shape{5, 3, 0}, Shape{5, 3, 2}}) {
    check(Function::squares, shape, 2, handle);
    check(Function::norm, shape, 2, handle);
  }
}

TEST_CASE("safe: a call that fails is reported") {
  {
    const Handle handle;
    check(Function::squares, {50, 20, 4}, 4, handle);
    check(Function::norm, {50, 20, 4}, 4, handle);
    exercise::expect_no_findings();
  }
  // No handle: every call returns CUBLAS_STATUS_NOT_INITIALIZED and does nothing.
  const Problem problem({5, 3, 2}, 1);
  const bool squares = exercise::ends_in_an_exception([&] { problem.call_squares(nullptr); });
  const bool norm = exercise::ends_in_an_exception([&] { problem.call_norm(nullptr); });
  if (squares && norm) return;
  FAIL(std::string(std::string("given nullptr in place of a handle, the library returned "
                               "CUBLAS_STATUS_NOT_INITIALIZED, and ") +
                   (squares ? "launch_least_norm()" : "launch_least_squares()") +
                   " returned as if all were well.\n"
                   "Every call of the library returns a status: hand it to CUDA_CHECK()."));
}

TEST_CASE("efficient: two calls of the library for all right-hand sides") {
  const Handle handle;
  for (const int s : {1, 9}) {
    const Problem problem({exercise::drawn(70, 71, 90), 40, s}, 1);
    const auto squares = exercise::run_in_streams([&] { problem.call_squares(handle); },
                                                  exercise::Kernels::in_a_library);
    problem.expect_squares();
    expect_calls(squares, "launch_least_squares()");
    const auto norm = exercise::run_in_streams([&] { problem.call_norm(handle); },
                                               exercise::Kernels::in_a_library);
    problem.expect_norm();
    expect_calls(norm, "launch_least_norm()");
  }
}
