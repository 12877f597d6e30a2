/// @file
/// Problems of any format: data, the expected result, and the error of sums.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "course.hpp"
#include "format_gemm.hpp"
#include "numbers.hpp"
#include "sampled_rows.hpp"

namespace hopper {

/// A float as an element.
template <class T>
T element_of(float value) {
  if constexpr (sizeof(T) == 1) {
    return T(value);
  } else {
    return rounded_to<T>(value);
  }
}

/// Whole numbers from -2 to 2: their sums are exact in any order, and in any format's sums.
class WholeValues {
 public:
  explicit WholeValues(std::uint64_t seed) : bits_(seed) {}

  COURSE_DETAIL_INLINE float operator()(std::uint64_t i, std::uint64_t j) const {
    return static_cast<float>((bits_(i << 32 | j) >> 32) * 5 >> 32) - 2.0F;
  }

 private:
  course::RandomBits bits_;
};

/// Values, each as an element of type T has it.
template <class T, class Values>
struct RoundedValues {
  Values values;
  COURSE_DETAIL_INLINE float operator()(std::uint64_t i, std::uint64_t j) const {
    return to_float(element_of<T>(values(i, j)));
  }
};

/// The values of a row-major matrix, each as its element of type T has it.
template <class T>
course::HostMatrix values_of(course::Data data, std::size_t rows, std::size_t cols,
                             std::uint64_t seed) {
  course::HostMatrix matrix(rows * cols);
  const auto fill = [&](const auto values) {
    course::fill_matrix(matrix.data(), rows, cols, course::Layout::row_major,
                        RoundedValues<T, decltype(values)>{values});
  };
  if (data == course::Data::exact) {
    fill(WholeValues(seed));
  } else {
    fill(NormalValues(seed));
  }
  return matrix;
}

/// Some lines of a stored matrix: elements of a row-major one of `cols` columns.
template <class T>
COURSE_DETAIL_HOST_LOOP void store_lines(T* to, const float* matrix, std::size_t cols,
                                         std::size_t begin, std::size_t end, std::size_t in_line,
                                         bool transposed) {
  for (std::size_t line = begin; line < end; ++line) {
    for (std::size_t i = 0; i < in_line; ++i) {
      to[line * in_line + i] =
          element_of<T>(matrix[transposed ? i * cols + line : line * cols + i]);
    }
  }
}

/// The elements of a row-major matrix as they are stored, after those that are there.
template <class T>
void append_stored(std::vector<T>& to, const course::HostMatrix& matrix, std::size_t rows,
                   std::size_t cols, bool transposed) {
  const std::size_t before = to.size();
  to.resize(before + rows * cols);
  T* const begin_of_all = to.data() + before;
  const std::size_t in_line = transposed ? rows : cols;
  course::detail::in_parallel(
      transposed ? cols : rows, rows * cols, [&](std::size_t begin, std::size_t end) {
        store_lines(begin_of_all, matrix.data(), cols, begin, end, in_line, transposed);
      });
}

/// How a problem's operands are stored, and how many there are.
struct Storing {
  Major major_A = Major::k;
  Major major_B = Major::mn;
  int batches = 1;
};

/// A batch of products on the device, and some rows of each expected C.
template <class A_, class B_, class C_>
class FormatProblem {
 public:
  FormatProblem(course::Data data, const course::Options& options, const Storing& storing)
      : is_exact_(data == course::Data::exact),
        rows_(options.rows),
        cols_(options.cols),
        inner_(options.inner),
        A(fill<A_>(data, storing, storing.major_A == Major::mn, options.seed, true)),
        B(fill<B_>(data, storing, storing.major_B == Major::k, ~options.seed, false)),
        C(rows_ * cols_ * static_cast<std::size_t>(storing.batches)),
        product{A,
                B,
                C,
                static_cast<int>(rows_),
                static_cast<int>(cols_),
                static_cast<int>(inner_),
                static_cast<std::int64_t>(storing.major_A == Major::k ? inner_ : rows_),
                static_cast<std::int64_t>(storing.major_B == Major::k ? inner_ : cols_),
                static_cast<std::int64_t>(cols_),
                storing.major_A,
                storing.major_B,
                storing.batches,
                static_cast<std::int64_t>(rows_ * inner_),
                static_cast<std::int64_t>(inner_ * cols_),
                static_cast<std::int64_t>(rows_ * cols_)} {
    for (int i = 0; i < storing.batches; ++i) {
      expected_.emplace_back(host_A_[i], host_B_[i], rows_, cols_, inner_);
    }
    host_A_.clear();
    host_B_.clear();
  }

  /// Whether these rows of C are right: bit for bit, if the data are exact. Otherwise a result may
  /// be off by its own rounding, and by that of its sum.
  course::Verdict verify() const {
    const std::vector<C_> all = C.to_host();
    course::Verdict verdict{true, ""};
    for (std::size_t i = 0; i < expected_.size(); ++i) {
      const auto begin = all.begin() + static_cast<std::ptrdiff_t>(i * rows_ * cols_);
      const std::vector<C_> one(
          begin, begin + static_cast<std::ptrdiff_t>(expected_.size() == 1 ? 0 : rows_ * cols_));
      verdict = expected_[i].verify(
          expected_.size() == 1 ? all : one,
          [&](const float* got, const double* expected, const double* magnitude, std::size_t rows,
              std::size_t cols) {
            if (!is_exact_) {
              return course::verify_within(got, expected, magnitude, rows, cols, tolerance());
            }
            std::vector<double> rounded(expected, expected + rows * cols);
            for (double& x : rounded) x = to_float(rounded_to<C_>(static_cast<float>(x)));
            return course::verify_exact(got, rounded.data(), rows, cols);
          });
      if (!verdict.passed) return verdict;
    }
    return verdict;
  }

 private:
  double tolerance() const {
    const double result = sizeof(C_) == 4 ? 0.0 : 0x1p-8;
    return result + (sizeof(A_) == 1 ? 0x1p-8 : static_cast<double>(inner_) * 0x1p-23);
  }

  template <class T>
  std::vector<T> fill(course::Data data, const Storing& storing, bool transposed,
                      std::uint64_t seed, bool is_A) {
    std::vector<T> all;
    const std::size_t rows = is_A ? rows_ : inner_;
    const std::size_t cols = is_A ? inner_ : cols_;
    all.reserve(rows * cols * static_cast<std::size_t>(storing.batches));
    for (int i = 0; i < storing.batches; ++i) {
      auto& host = is_A ? host_A_ : host_B_;
      host.push_back(values_of<T>(data, rows, cols, seed + static_cast<std::uint64_t>(i) * 2));
      append_stored(all, host.back(), rows, cols, transposed);
    }
    return all;
  }

  bool is_exact_;
  std::size_t rows_, cols_, inner_;
  std::vector<course::HostMatrix> host_A_, host_B_;
  std::vector<course::SampledRows> expected_;

 public:
  course::DeviceArray<A_> A;
  course::DeviceArray<B_> B;
  course::DeviceArray<C_> C;
  ProductOf<A_, B_, C_> product;
};

}  // namespace hopper
