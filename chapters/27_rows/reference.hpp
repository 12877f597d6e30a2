/// @file
/// Chapter 27: data, and what should come out, computed in doubles by the host.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

#include "course.hpp"
#include "host_numbers.hpp"
#include "numbers.hpp"

namespace rows {

using course::as_double;
using course::as_number;
using course::error_of;
using course::max_of;
using course::normal_number;
using course::rows_to_check;
using course::some_numbers;
using Doubles = std::vector<double>;

/// log of the sum of e^x. NaN if the row has a NaN or +infinity, or nothing but minus infinity.
inline double log_sum(const Doubles& x) {
  double sum = 0;
  const double max = max_of(x);
  for (const double value : x) sum += std::exp(value - max);
  return max + std::log(sum);
}
inline Doubles log_softmax_of(Doubles x) {
  const double all = log_sum(x);
  for (double& value : x) value -= all;
  return x;
}
inline Doubles softmax_of(const Doubles& x) {
  Doubles y = log_softmax_of(x);
  for (double& value : y) value = std::exp(value);
  return y;
}

inline double mean_of(const Doubles& x) {
  double sum = 0;
  for (const double value : x) sum += value;
  return sum / static_cast<double>(x.size());
}
/// x less its mean, or x itself, over its deviation.
inline Doubles normalised(Doubles x, bool has_mean, double epsilon, double& deviation) {
  const double mean = has_mean ? mean_of(x) : 0;
  double squares = 0;
  for (double& value : x) {
    value -= mean;
    squares += value * value;
  }
  deviation = std::sqrt(squares / static_cast<double>(x.size()) + epsilon);
  for (double& value : x) value /= deviation;
  return x;
}
inline Doubles norm_of(const Doubles& x, bool has_mean, double epsilon, const Doubles& gamma,
                       const Doubles& beta) {
  double deviation = 0;
  Doubles y = normalised(x, has_mean, epsilon, deviation);
  for (std::size_t j = 0; j < y.size(); ++j) {
    y[j] = y[j] * gamma[j] + (has_mean ? beta[j] : 0.0);
  }
  return y;
}

/// The gradients.
inline Doubles softmax_backward_of(const Doubles& y, const Doubles& dy, bool of_logarithm) {
  double sum = 0;
  for (std::size_t j = 0; j < y.size(); ++j) sum += of_logarithm ? dy[j] : y[j] * dy[j];
  Doubles dx(y.size());
  for (std::size_t j = 0; j < y.size(); ++j) {
    dx[j] = of_logarithm ? dy[j] - std::exp(y[j]) * sum : y[j] * (dy[j] - sum);
  }
  return dx;
}
inline Doubles norm_backward_of(const Doubles& x, const Doubles& dy, bool has_mean, double epsilon,
                                const Doubles& gamma) {
  double deviation = 0;
  const Doubles z = normalised(x, has_mean, epsilon, deviation);
  double mean = 0, product = 0;
  for (std::size_t j = 0; j < z.size(); ++j) {
    mean += has_mean ? dy[j] * gamma[j] : 0.0;
    product += dy[j] * gamma[j] * z[j];
  }
  const auto n = static_cast<double>(z.size());
  Doubles dx(z.size());
  for (std::size_t j = 0; j < z.size(); ++j) {
    dx[j] = (dy[j] * gamma[j] - mean / n - z[j] * product / n) / deviation;
  }
  return dx;
}

/// The largest error of a matrix on the device, of the rows that are looked at.
template <class T>
double largest_error(const T* device, std::size_t rows, std::size_t cols, double floor,
                     const std::function<Doubles(std::size_t row)>& expected) {
  double largest = 0;
  for (const std::size_t row : rows_to_check(rows)) {
    std::vector<T> got(cols);
    CUDA_CHECK(
        cudaMemcpy(got.data(), device + row * cols, cols * sizeof(T), cudaMemcpyDeviceToHost));
    const Doubles right = expected(row);
    for (std::size_t j = 0; j < cols; ++j) {
      largest = std::max(largest, error_of(as_double(got[j]), right[j], floor));
    }
  }
  return largest;
}

}  // namespace rows
