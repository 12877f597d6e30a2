/// @file
/// Numbers of BF16 on the host, and a product of which some rows are compared with the CPU's.
#pragma once

#include <vector>

#include "course.hpp"
#include "sampled_rows.hpp"
#include "tensor_cores/normal_values.hpp"
#include "tensor_cores/tiles.hpp"

namespace hopper {

/// A and B, and the expected C: only some of its rows, if it has many.
class Problem {
 public:
  Problem(course::Data data, std::size_t m, std::size_t n, std::size_t k, std::uint64_t seed)
      : is_exact_(data == course::Data::exact),
        k_(k),
        host_A_(filled(data, m, k, k, seed)),
        host_B_(filled(data, k, n, k, ~seed)),
        rows_(host_A_, host_B_, m, n, k) {}

  /// All of A, or of B, as numbers of BF16.
  std::vector<Bf16> A() const { return in_bf16(host_A_); }
  std::vector<Bf16> B() const { return in_bf16(host_B_); }

  /// Whether these rows of C are right: bit for bit, if the data are exact. Otherwise a result may
  /// be off by its own rounding, and by the tensor cores' truncation of each sum.
  course::Verdict verify(const std::vector<Bf16>& C) const {
    return rows_.verify(C, [&](const float* got, const double* expected, const double* magnitude,
                               std::size_t rows, std::size_t cols) {
      if (!is_exact_) {
        const double bound = 0x1p-8 + static_cast<double>(k_) * 0x1p-23;
        return course::verify_within(got, expected, magnitude, rows, cols, bound);
      }
      std::vector<double> rounded(expected, expected + rows * cols);
      for (double& x : rounded) x = __bfloat162float(__float2bfloat16(static_cast<float>(x)));
      return course::verify_exact(got, rounded.data(), rows, cols);
    });
  }

 private:
  // Exact data are whole numbers up to 15: no sum of k products of them rounds.
  static course::HostMatrix filled(course::Data data, std::size_t rows, std::size_t cols,
                                   std::size_t k, std::uint64_t seed) {
    course::HostMatrix matrix(rows * cols);
    const auto by_rows = course::Layout::row_major;
    if (data == course::Data::exact) {
      course::fill_matrix(matrix.data(), rows, cols, by_rows, course::ExactValues(k, seed));
    } else {
      course::fill_matrix(matrix.data(), rows, cols, by_rows, NormalValues(seed));
    }
    return matrix;
  }

  static std::vector<Bf16> in_bf16(const course::HostMatrix& values) {
    std::vector<Bf16> numbers(values.size());
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = __float2bfloat16(values[i]);
    return numbers;
  }

  bool is_exact_;
  std::size_t k_;
  course::HostMatrix host_A_, host_B_;
  course::SampledRows rows_;
};

}  // namespace hopper
