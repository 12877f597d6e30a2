// The checks of exercise 16b. The functions under test are in band.cu.

#include <algorithm>
#include <array>
#include <limits>

#include "checks/exercise.hpp"
#include "cublas.hpp"

void launch_pack(const float* A, int lda, float* band, int m, int n, int kl, int ku);
void launch_band_product(cublasHandle_t handle, const float* band, const float* x, float* y, int m,
                         int n, int kl, int ku);
void launch_band_product_transposed(cublasHandle_t handle, const float* band, const float* x,
                                    float* y, int m, int n, int kl, int ku);

namespace {

namespace exercise = course::exercise;
using Shape = std::array<int, 4>;  // m, n, kl, ku

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

enum class Product { plain, transposed };

/// A band matrix of small whole numbers. What is not of the band is NaN: nobody has to look there,
/// neither in A, where it would be 0, nor in the corners of the storage.
class Problem {
 public:
  Problem(const Shape& shape, int gap)
      : m_(shape[0]), n_(shape[1]), kl_(shape[2]), ku_(shape[3]), lda_(n_ + gap) {
    const course::ExactValues values(static_cast<std::size_t>(kl_ + ku_ + 1));
    std::vector<float> A(size(m_) * size(lda_), no_number);
    band_.resize(size(kl_ + ku_ + 1) * size(n_), no_number);
    for (int j = 0; j < n_; ++j) {
      for (int i = first_row(j); i < end_row(j); ++i) {
        const float value = values(size(i), size(j));
        A[size(i) * size(lda_) + size(j)] = value;
        band_[place(i, j)] = value;
      }
    }
    device_A_ = std::make_unique<exercise::Array<float>>(A);
  }

  void check_packing() const {
    exercise::Array<float> band(band_.size());
    exercise::run(
        [&] { launch_pack(device_A_->data(), lda_, band.data(), m_, n_, kl_, ku_); },
        band_.empty() || m_ == 0 ? exercise::Kernels::if_needed : exercise::Kernels::expected,
        where());
    expect_band(band.to_host());
    exercise::expect_intact(band.intact(), "band", where());
  }

  void check_product(Product product, cublasHandle_t handle) const {
    const bool plain = product == Product::plain;
    const std::vector<float> x =
        course::exact_vector(size(plain ? n_ : m_), size(kl_ + ku_ + 1), 2);
    const exercise::Array<float> band(band_);
    const exercise::Array<float> device_x(x);
    exercise::Array<float> y(size(plain ? m_ : n_));
    exercise::run(
        [&] {
          (plain ? launch_band_product : launch_band_product_transposed)(
              handle, band.data(), device_x.data(), y.data(), m_, n_, kl_, ku_);
        },
        exercise::Kernels::in_a_library);
    std::vector<double> right(y.size());
    for (int j = 0; j < n_; ++j) {
      for (int i = first_row(j); i < end_row(j); ++i) {
        right[size(plain ? i : j)] += double{band_[place(i, j)]} * x[size(plain ? j : i)];
      }
    }
    const std::string what = plain ? "y = A x, " : "y = A^T x, ";
    exercise::expect_exact(y.to_host(), right, what + where());
    exercise::expect_intact(y.intact(), "y", where());
  }

 private:
  static std::size_t size(int count) { return static_cast<std::size_t>(count); }
  int first_row(int j) const { return std::max(0, j - ku_); }
  int end_row(int j) const { return std::min(m_, j + kl_ + 1); }
  std::size_t place(int i, int j) const {
    return size(ku_ + i - j) + size(j) * size(kl_ + ku_ + 1);
  }
  std::string where() const {
    return "m = " + std::to_string(m_) + ", n = " + std::to_string(n_) +
           ", kl = " + std::to_string(kl_) + ", ku = " + std::to_string(ku_) +
           ", lda = " + std::to_string(lda_);
  }

  /// Column after column, as it is stored: in a message a row is a column of A.
  void expect_band(const std::vector<float>& got) const {
    std::vector<float> in_band;
    std::vector<double> right;
    for (std::size_t k = 0; k < got.size(); ++k) {
      const bool is_corner = band_[k] != band_[k];
      if (is_corner && got[k] == got[k]) {
        FAIL(std::string(
            "with " + where() + ": in column " + std::to_string(k / size(kl_ + ku_ + 1)) +
            " of the band something was written to row " + std::to_string(k % size(kl_ + ku_ + 1)) +
            ", which holds no element of A"));
      }
      in_band.push_back(is_corner ? 0 : got[k]);
      right.push_back(is_corner ? 0 : double{band_[k]});
    }
    exercise::expect_exact(in_band, right, size(n_), size(kl_ + ku_ + 1),
                           "the band's columns as rows, corners as 0, " + where());
  }

  int m_;
  int n_;
  int kl_;
  int ku_;
  int lda_;
  std::vector<float> band_;
  std::unique_ptr<exercise::Array<float>> device_A_;
};

// Square and with as much above the diagonal as below it.
const std::vector<Shape> even_shapes{{1, 1, 0, 0}, {2, 2, 1, 1},   {3, 3, 1, 1},    {33, 33, 2, 2},
                                     {7, 7, 3, 3}, {64, 64, 5, 5}, {127, 127, 1, 1}};
const std::vector<Shape> other_shapes{
    {4, 4, 2, 1},      {4, 4, 1, 2},
    {5, 3, 1, 0},      {3, 5, 0, 1},
    {31, 65, 2, 7},    {65, 31, 7, 2},
    {1, 7, 0, 3},      {7, 1, 3, 0},
    {127, 33, 40, 5},  {20, 90, 3, 4},
    {90, 20, 3, 4},    {257, 257, 0, 3},
    {100, 150, 2, 30}, {exercise::drawn(40, 34, 90), exercise::drawn(60, 34, 90), 3, 2}};

}  // namespace

TEST_CASE("correct: packing a square matrix with as much above as below") {
  for (const Shape& shape : even_shapes) Problem(shape, 0).check_packing();
}

TEST_CASE("correct: packing matrices of any shape and band") {
  for (const int gap : {0, 3}) {
    for (const Shape& shape : other_shapes) Problem(shape, gap).check_packing();
  }
}

TEST_CASE("correct: A times x") {
  const Handle handle;
  for (const Shape& shape : even_shapes) Problem(shape, 0).check_product(Product::plain, handle);
  for (const Shape& shape : other_shapes) Problem(shape, 0).check_product(Product::plain, handle);
}

TEST_CASE("correct: A transposed times x") {
  const Handle handle;
  for (const Shape& shape : even_shapes) {
    Problem(shape, 0).check_product(Product::transposed, handle);
  }
  for (const Shape& shape : other_shapes) {
    Problem(shape, 0).check_product(Product::transposed, handle);
  }
}

TEST_CASE("correct: empty shapes and bands wider than the matrix") {
  const Handle handle;
  for (const Shape& shape : {Shape{0, 0, 1, 1}, Shape{0, 3, 1, 2}, Shape{3, 0, 2, 1},
                             Shape{4, 4, 9, 2}, Shape{4, 4, 2, 9}, Shape{2, 5, 6, 6}}) {
    const Problem problem(shape, 1);
    problem.check_packing();
    problem.check_product(Product::plain, handle);
    problem.check_product(Product::transposed, handle);
  }
}

TEST_CASE("safe: the corners stand for nothing") {
  const Handle handle;
  for (const Shape& shape : {Shape{40, 40, 3, 3}, Shape{50, 20, 4, 6}, Shape{20, 50, 6, 4}}) {
    const Problem problem(shape, 0);
    problem.check_packing();
    problem.check_product(Product::plain, handle);
    problem.check_product(Product::transposed, handle);
    exercise::expect_no_findings();
  }
}
