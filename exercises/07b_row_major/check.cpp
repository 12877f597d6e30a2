// The checks of exercise 07b. The functions under test are in row_major.cu.

#include <array>

#include "checks/exercise.hpp"
#include "cublas.hpp"

void launch_multiply(cublasHandle_t handle, const float* A, const float* B, float* C, int m, int n,
                     int k);
void launch_multiply_transposed(cublasHandle_t handle, const float* A, const float* B, float* C,
                                int m, int n, int k);

namespace {

namespace exercise = course::exercise;
using Shape = std::array<int, 3>;  // m, n, k

/// What is multiplied with A: B, or its transpose.
enum class Product { plain, transposed };

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

/// A row-major matrix on the host.
struct Matrix {
  std::size_t rows;
  std::size_t cols;
  std::vector<float> elements;

  double at(std::size_t i, std::size_t j) const { return double{elements[i * cols + j]}; }

  Matrix transposed() const {
    Matrix result{cols, rows, std::vector<float>(elements.size())};
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t j = 0; j < cols; ++j) result.elements[j * rows + i] = elements[i * cols + j];
    }
    return result;
  }
};

std::vector<double> multiply(const Matrix& A, const Matrix& B) {
  std::vector<double> C(A.rows * B.cols);
  for (std::size_t i = 0; i < A.rows; ++i) {
    for (std::size_t l = 0; l < A.cols; ++l) {
      for (std::size_t j = 0; j < B.cols; ++j) C[i * B.cols + j] += A.at(i, l) * B.at(l, j);
    }
  }
  return C;
}

/// C = A B or C = A B^T.
class Problem {
 public:
  Problem(Product product, const Shape& shape)
      : product_(product),
        m_(shape[0]),
        n_(shape[1]),
        k_(shape[2]),
        A_(make(m_, k_, 1)),
        B_(product == Product::plain ? make(k_, n_, 2) : make(n_, k_, 2)),
        device_A_(A_.elements),
        device_B_(B_.elements),
        device_C_(size(m_) * size(n_)) {}

  void call(cublasHandle_t handle) {
    device_C_.poison();
    const auto launch = product_ == Product::plain ? launch_multiply : launch_multiply_transposed;
    launch(handle, device_A_.data(), device_B_.data(), device_C_.data(), m_, n_, k_);
  }

  void expect_right() const {
    const bool plain = product_ == Product::plain;
    const std::string where = std::string("C = A ") + (plain ? "B" : "B^T") +
                              ", m = " + std::to_string(m_) + ", n = " + std::to_string(n_) +
                              ", k = " + std::to_string(k_);
    const std::vector<double> expected = multiply(A_, plain ? B_ : B_.transposed());
    const std::vector<float> got = device_C_.to_host();
    exercise::expect_exact(got, expected, size(m_), size(n_), where + likely(got, expected));
    exercise::expect_intact(device_C_.intact(), "C", where);
  }

 private:
  static std::size_t size(int count) { return static_cast<std::size_t>(count); }

  Matrix make(int rows, int cols, std::uint64_t seed) const {
    const std::size_t elements = size(rows) * size(cols);
    return {size(rows), size(cols), course::exact_vector(elements, size(k_), seed)};
  }

  /// Which other product of square matrices it is.
  std::string likely(const std::vector<float>& got, const std::vector<double>& expected) const {
    const std::vector<double> found(got.begin(), got.end());
    if (m_ != n_ || n_ != k_ || m_ < 2 || found == expected) return "";
    const Matrix At = A_.transposed();
    const Matrix Bt = B_.transposed();
    const std::array<std::pair<const char*, std::vector<double>>, 8> products{
        {{"A B", multiply(A_, B_)},
         {"A B^T", multiply(A_, Bt)},
         {"A^T B", multiply(At, B_)},
         {"A^T B^T", multiply(At, Bt)},
         {"B A", multiply(B_, A_)},
         {"B A^T", multiply(B_, At)},
         {"B^T A", multiply(Bt, A_)},
         {"B^T A^T", multiply(Bt, At)}}};
    for (const auto& [name, product] : products) {
      if (found == product) return std::string("\n(C is ") + name + ")";
    }
    return "";
  }

  Product product_;
  int m_;
  int n_;
  int k_;
  Matrix A_;
  Matrix B_;
  exercise::Array<float> device_A_;
  exercise::Array<float> device_B_;
  exercise::Array<float> device_C_;
};

void check(Product product, const Shape& shape, cublasHandle_t handle) {
  Problem problem(product, shape);
  // Library calls are not kernels of ours, so none is expected to be seen.
  exercise::run([&] { problem.call(handle); }, exercise::Kernels::in_a_library);
  problem.expect_right();
}

void check_squares(Product product) {
  const Handle handle;
  for (const int n : {2, 1, 3, 31, 32, 33, 64}) check(product, {n, n, n}, handle);
}

void check_others(Product product) {
  const Handle handle;
  for (const Shape& shape :
       {Shape{2, 3, 4}, Shape{4, 3, 2}, Shape{3, 4, 2}, Shape{2, 4, 3}, Shape{4, 2, 3},
        Shape{3, 2, 4}, Shape{1, 7, 40}, Shape{40, 1, 7}, Shape{7, 40, 1}, Shape{31, 65, 33},
        Shape{100, 17, 50}, Shape{5, 129, 3},
        Shape{exercise::drawn(45, 34, 90), exercise::drawn(70, 34, 90),
              exercise::drawn(50, 34, 90)}}) {
    check(product, shape, handle);
  }
}

/// Whether a call without a handle ends in an exception.
bool reports(Product product) {
  Problem problem(product, {5, 7, 6});
  return exercise::ends_in_an_exception([&] { problem.call(nullptr); });
}

}  // namespace

TEST_CASE("correct: A times B when both are square") {
  check_squares(Product::plain);
}

TEST_CASE("correct: A times B of any shape") {
  check_others(Product::plain);
}

TEST_CASE("correct: A times B transposed when both are square") {
  check_squares(Product::transposed);
}

TEST_CASE("correct: A times B transposed of any shape") {
  check_others(Product::transposed);
}

TEST_CASE("correct: empty shapes and nearly empty ones") {
  const Handle handle;
  for (const Product product : {Product::plain, Product::transposed}) {
    for (const int m : {0, 1, 3}) {
      for (const int n : {0, 1, 4}) {
        for (const int k : {0, 1, 5}) check(product, {m, n, k}, handle);
      }
    }
  }
}

TEST_CASE("safe: a call that fails is reported") {
  {
    const Handle handle;
    check(Product::plain, {5, 7, 6}, handle);
    check(Product::transposed, {5, 7, 6}, handle);
    exercise::expect_no_findings();
  }
  // No handle: every call returns CUBLAS_STATUS_NOT_INITIALIZED and does nothing.
  const std::string plain = reports(Product::plain) ? "" : " launch_multiply()";
  const std::string transposed =
      reports(Product::transposed) ? "" : " launch_multiply_transposed()";
  if (!plain.empty() || !transposed.empty()) {
    FAIL(
        "given nullptr in place of a handle, cublasSgemm returned CUBLAS_STATUS_NOT_INITIALIZED, "
        "and this returned as if all were well:",
        plain, transposed,
        "\nEvery call of the library returns a status: hand it to CUDA_CHECK().\n"
        "read again: chapters/07_cublas/README.md, 'The program'");
  }
}
