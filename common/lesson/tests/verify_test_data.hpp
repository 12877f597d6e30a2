#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "verify.hpp"

/// @file
/// The data of verify()'s tests: results that are right, or nearly.

namespace course::test {

inline constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();
inline const float poison = std::bit_cast<float>(course::poison_bits);

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

inline std::vector<float> as_floats(const std::vector<double>& values) {
  return std::vector<float>(values.begin(), values.end());
}

/// Exact values as a result: nonzero, without a pattern, all float.
inline std::vector<double> expectation(std::size_t size) {
  const std::vector<float> values = course::exact_vector(size, 1);
  return std::vector<double>(values.begin(), values.end());
}

inline Verdict verify_exact(const std::vector<float>& got, const std::vector<double>& expected,
                            std::size_t cols = 1) {
  return course::verify_exact(got.data(), expected.data(), expected.size() / cols, cols);
}

/// The matrix-vector product with float accumulators, in one of several orders of summation.
enum class Order { forward, reversed, pairwise, strided, fused };

inline float sum_pairwise(const std::vector<float>& terms, std::size_t from, std::size_t to) {
  if (to - from == 0) return 0.0f;
  if (to - from == 1) return terms[from];
  const std::size_t middle = from + (to - from) / 2;
  return sum_pairwise(terms, from, middle) + sum_pairwise(terms, middle, to);
}

inline std::vector<float> multiply(const SgemvProblem& p, Order order) {
  std::vector<float> y(p.rows);
  std::vector<float> a(p.cols);
  std::vector<float> terms(p.cols);
  for (std::size_t i = 0; i < p.rows; ++i) {
    for (std::size_t j = 0; j < p.cols; ++j) {
      a[j] = p.A[course::matrix_index(i, j, p.rows, p.cols, p.layout)];
      terms[j] = a[j] * p.x[j];
    }
    float sum = 0.0f;
    if (order == Order::forward) {
      for (std::size_t j = 0; j < p.cols; ++j) sum += terms[j];
    } else if (order == Order::reversed) {
      for (std::size_t j = p.cols; j-- > 0;) sum += terms[j];
    } else if (order == Order::pairwise) {
      sum = sum_pairwise(terms, 0, p.cols);
    } else if (order == Order::strided) {  // a warp: each lane every 32nd term, then all lanes
      std::vector<float> lanes(32, 0.0f);
      for (std::size_t j = 0; j < p.cols; ++j) lanes[j % 32] += terms[j];
      for (std::size_t step = 16; step > 0; step /= 2) {
        for (std::size_t lane = 0; lane < step; ++lane) lanes[lane] += lanes[lane + step];
      }
      sum = lanes[0];
    } else {
      for (std::size_t j = 0; j < p.cols; ++j) sum = std::fma(a[j], p.x[j], sum);
    }
    y[i] = sum;
  }
  return y;
}

}  // namespace course::test
