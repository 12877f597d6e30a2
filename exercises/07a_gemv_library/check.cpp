// The checks of exercise 07a. The function under test is in gemv_library.cu.

#include "checks/exercise.hpp"
#include "cublas.hpp"

void launch_way_down(cublasHandle_t handle, const float* A, int lda, const float* x, float* r,
                     float* d, int m, int n);

namespace {

namespace exercise = course::exercise;

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

/// r = b - A x and d = A^T r, with NaN in the gaps between the rows of A.
class Problem {
 public:
  Problem(int m, int n, int gap)
      : m_(m),
        n_(n),
        lda_(n + gap),
        A_(exercise::matrix_with_gaps(size(m), size(n), size(lda_), terms())),
        x_(course::exact_vector(size(n), terms(), 2)),
        b_(course::exact_vector(size(m), terms(), 3)),
        device_A_(A_),
        device_x_(x_),
        device_r_(b_),
        device_d_(size(n)) {}

  void call(cublasHandle_t handle) {
    launch_way_down(handle, device_A_.data(), lda_, device_x_.data(), device_r_.data(),
                    device_d_.data(), m_, n_);
  }

  std::string where() const {
    return "m = " + std::to_string(m_) + ", n = " + std::to_string(n_) +
           ", lda = " + std::to_string(lda_);
  }

  void expect_right() const {
    const std::vector<double> b(b_.begin(), b_.end());
    const std::vector<double> x(x_.begin(), x_.end());
    const std::vector<double> r = plus(b, -1.0, times(x));
    const std::vector<double> d = transposed_times(r);
    const std::vector<float> got_r = device_r_.to_host();
    const std::vector<float> got_d = device_d_.to_host();

    std::vector<Mistake> in_r{
        {b, "It is still b: nothing was subtracted"},
        {plus(b, 1.0, times(x)), "It is b + A x"},
        {plus(r, -1.0, b), "It is -A x: b is lost. What is beta in that call?"}};
    std::vector<Mistake> in_d{{transposed_times(b), "It is A^T b: it was made from the old r"}};
    if (m_ == n_) {
      const std::string seen =
          ". The library sees columns where you have rows: what is the matrix that it sees?";
      in_r.push_back({plus(b, -1.0, transposed_times(x)), "It is b - A^T x" + seen});
      in_d.push_back({times(r), "It is A r" + seen});
    }
    exercise::expect_exact(got_r, r, where() + ", in r" + likely(got_r, r, in_r));
    exercise::expect_exact(got_d, d, where() + ", in d" + likely(got_d, d, in_d));
    exercise::expect_intact(device_r_.intact(), "r", where());
    exercise::expect_intact(device_d_.intact(), "d", where());
  }

 private:
  static std::size_t size(int count) { return static_cast<std::size_t>(count); }

  double element(std::size_t i, std::size_t j) const { return double{A_[i * size(lda_) + j]}; }

  /// A wrong result, and what it tells.
  struct Mistake {
    std::vector<double> result;
    std::string text;
  };

  static std::string likely(const std::vector<float>& got, const std::vector<double>& right,
                            const std::vector<Mistake>& mistakes) {
    const std::vector<double> found(got.begin(), got.end());
    if (found == right) return "";
    for (const Mistake& mistake : mistakes) {
      if (found == mistake.result) return "\n(" + mistake.text + ")";
    }
    return "";
  }

  static std::vector<double> plus(std::vector<double> v, double factor,
                                  const std::vector<double>& w) {
    for (std::size_t k = 0; k < v.size(); ++k) v[k] += factor * w[k];
    return v;
  }

  std::vector<double> times(const std::vector<double>& v) const {
    std::vector<double> product(size(m_));
    for (std::size_t i = 0; i < size(m_); ++i) {
      for (std::size_t j = 0; j < size(n_); ++j) product[i] += element(i, j) * v[j];
    }
    return product;
  }

  std::vector<double> transposed_times(const std::vector<double>& v) const {
    std::vector<double> product(size(n_));
    for (std::size_t i = 0; i < size(m_); ++i) {
      for (std::size_t j = 0; j < size(n_); ++j) product[j] += element(i, j) * v[i];
    }
    return product;
  }

  /// An element of d adds up m products of an element of A with a sum of n + 1 terms of two
  /// factors. As no factor is above 15, this keeps products of three exact as well.
  std::size_t terms() const { return (size(m_) + 1) * (size(n_) + 1) * 15; }

  int m_;
  int n_;
  int lda_;
  std::vector<float> A_;
  std::vector<float> x_;
  std::vector<float> b_;
  exercise::Array<float> device_A_;
  exercise::Array<float> device_x_;
  exercise::Array<float> device_r_;
  exercise::Array<float> device_d_;
};

void check(cublasHandle_t handle, int m, int n, int gap) {
  Problem problem(m, n, gap);
  // Library calls are not kernels of ours, so none is expected to be seen.
  exercise::run([&] { problem.call(handle); }, exercise::Kernels::in_a_library);
  problem.expect_right();
}

}  // namespace

TEST_CASE("correct: square matrices") {
  const Handle handle;
  for (const int n : {1, 2, 3, 31, 32, 33, 127}) check(handle, n, n, 0);
}

TEST_CASE("correct: flat and tall matrices") {
  const Handle handle;
  for (const auto& [m, n] : exercise::awkward_shapes) check(handle, m, n, 0);
}

TEST_CASE("correct: parts of a larger matrix") {
  const Handle handle;
  for (const auto& [m, n] : exercise::awkward_shapes) check(handle, m, n, 5);
}

TEST_CASE("correct: empty shapes and nearly empty ones") {
  const Handle handle;
  for (const int m : {0, 1, 20}) {
    for (const int n : {0, 1, 30}) check(handle, m, n, 3);
  }
}

TEST_CASE("safe: a call that fails is reported") {
  {
    const Handle handle;
    check(handle, 50, 20, 4);
    exercise::expect_no_findings();
  }
  // No handle: every call returns CUBLAS_STATUS_NOT_INITIALIZED and does nothing.
  Problem problem(50, 20, 4);
  if (!exercise::ends_in_an_exception([&] { problem.call(nullptr); })) {
    FAIL(
        "given nullptr in place of a handle, cublasSgemv returned CUBLAS_STATUS_NOT_INITIALIZED, "
        "and launch_way_down() returned as if all were well.\n"
        "Every call of the library returns a status: hand it to CUDA_CHECK().\n"
        "read again: chapters/07_cublas/README.md, 'The program'");
  }
}
