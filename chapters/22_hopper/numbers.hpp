/// @file
/// Numbers of BF16 on the host, and a product of which some rows are held against the CPU.
#pragma once

#include <cmath>
#include <numbers>
#include <vector>

#include "course.hpp"
#include "tiles.hpp"

namespace hopper {

/// Numbers with a normal distribution of mean 0 and deviation 1 (Box and Muller), rounded to BF16.
class NormalValues {
 public:
  explicit NormalValues(std::uint64_t seed) : bits_(seed) {}

  COURSE_DETAIL_INLINE float operator()(std::uint64_t i, std::uint64_t j) const {
    const std::uint64_t bits = bits_(i << 32 | j);
    const double u = (static_cast<double>(bits >> 32) + 0.5) * 0x1p-32;
    const double v = static_cast<double>(bits & 0xFFFFFFFFU) * 0x1p-32;
    const double x = std::sqrt(-2.0 * std::log(u)) * std::cos(2.0 * std::numbers::pi * v);
    return __bfloat162float(__float2bfloat16(static_cast<float>(x)));
  }

 private:
  course::RandomBits bits_;
};

/// A and B on the device, and what C should be: in all rows, or in 256 of them if it has more.
class Problem {
 public:
  Problem(course::Data data, std::size_t m, std::size_t n, std::size_t k, std::uint64_t seed)
      : data_(data), m_(m), n_(n), k_(k), host_A_(m * k), host_B_(k * n) {
    const auto by_rows = course::Layout::row_major;
    if (data == course::Data::exact) {  // whole numbers up to 15: no sum of products rounds
      course::fill_matrix(host_A_.data(), m, k, by_rows, course::ExactValues(k, seed));
      course::fill_matrix(host_B_.data(), k, n, by_rows, course::ExactValues(k, ~seed));
    } else {
      course::fill_matrix(host_A_.data(), m, k, by_rows, NormalValues(seed));
      course::fill_matrix(host_B_.data(), k, n, by_rows, NormalValues(~seed));
    }
    const std::size_t count = std::min<std::size_t>(m, 256);
    for (std::size_t i = 0; i < count; ++i) {
      rows_.push_back(count == m ? i : i * (m - 1) / (count - 1));
    }
    std::vector<float> some(count * k);
    for (std::size_t i = 0; i < count; ++i) {
      std::copy_n(host_A_.data() + rows_[i] * k, k, some.data() + i * k);
    }
    reference_.resize(count * n);
    if (data != course::Data::exact) magnitude_.resize(count * n);
    course::reference_gemm(some.data(), host_B_.data(), count, n, k, reference_.data(),
                           magnitude_.empty() ? nullptr : magnitude_.data());
    if (data == course::Data::exact) {
      for (double& x : reference_) x = __bfloat162float(__float2bfloat16(static_cast<float>(x)));
    }
  }

  /// All of A, or of B, as numbers of BF16.
  std::vector<Bf16> A() const { return in_bf16(host_A_); }
  std::vector<Bf16> B() const { return in_bf16(host_B_); }

  /// Whether these rows of C hold what they should: bit for bit, if the data are exact. Otherwise
  /// a result may be off by its own rounding, and by what tensor cores cut off of each sum.
  course::Verdict verify(const std::vector<Bf16>& C) const {
    std::vector<float> some(rows_.size() * n_);
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      for (std::size_t j = 0; j < n_; ++j)
        some[i * n_ + j] = __bfloat162float(C[rows_[i] * n_ + j]);
    }
    if (data_ == course::Data::exact) {
      return course::verify_exact(some.data(), reference_.data(), rows_.size(), n_);
    }
    return course::verify_within(some.data(), reference_.data(), magnitude_.data(), rows_.size(),
                                 n_, 0x1p-8 + static_cast<double>(k_) * 0x1p-23);
  }

 private:
  static std::vector<Bf16> in_bf16(const course::HostMatrix& values) {
    std::vector<Bf16> numbers(values.size());
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = __float2bfloat16(values[i]);
    return numbers;
  }

  course::Data data_;
  std::size_t m_, n_, k_;
  course::HostMatrix host_A_, host_B_;
  std::vector<std::size_t> rows_;
  std::vector<double> reference_, magnitude_;
};

}  // namespace hopper
