/// @file
/// A matrix product that takes too long on the CPU: 64 of its rows are computed there.
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <vector>

#include "data.hpp"
#include "gemm_data.hpp"
#include "verify.hpp"

namespace course {

/// Rows of C = A B, spread from the first to the last, in FP64.
class SampledRows {
 public:
  /// @param A, B m x k and k x n elements, row-major
  SampledRows(const HostMatrix& A, const HostMatrix& B, std::size_t m, std::size_t n, std::size_t k)
      : n_(n), rows_(std::min<std::size_t>(m, 64)) {
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      rows_[i] = i * (m - 1) / std::max<std::size_t>(rows_.size() - 1, 1);
    }
    const std::vector<float> some = sample(A.data(), k);
    expected_.resize(rows_.size() * n);
    magnitude_.resize(rows_.size() * n);
    reference_gemm(some.data(), B.data(), rows_.size(), n, k, expected_.data(), magnitude_.data());
  }

  /// The verdict of `judge(got, expected, magnitude, rows, cols)` on these rows of C, m x n numbers
  /// of any type that converts explicitly to float.
  template <class Number, class Judge>
  Verdict verify(const std::vector<Number>& C, const Judge& judge) const {
    const std::vector<float> got = sample(C.data(), n_);
    return judge(got.data(), expected_.data(), magnitude_.data(), rows_.size(), n_);
  }

 private:
  template <class Number>
  std::vector<float> sample(const Number* matrix, std::size_t cols) const {
    std::vector<float> some;
    some.reserve(rows_.size() * cols);
    for (const std::size_t row : rows_) {
      std::transform(matrix + row * cols, matrix + (row + 1) * cols, std::back_inserter(some),
                     [](Number x) { return static_cast<float>(x); });
    }
    return some;
  }

  std::size_t n_;
  std::vector<std::size_t> rows_;
  std::vector<double> expected_, magnitude_;
};

}  // namespace course
