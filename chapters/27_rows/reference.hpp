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
#include "numbers.hpp"

namespace rows {

using Doubles = std::vector<double>;

/// A number of a normal distribution of mean 0 and deviation 1 (Box and Muller), for each index.
inline float normal_number(std::uint64_t seed, std::uint64_t index) {
  const std::uint64_t bits = course::RandomBits(seed)(index);
  const double u = (static_cast<double>(bits >> 32) + 0.5) * 0x1p-32;
  const double v = static_cast<double>(bits & 0xFFFFFFFFU) * 0x1p-32;
  return static_cast<float>(std::sqrt(-2.0 * std::log(u)) * std::cos(2.0 * std::numbers::pi * v));
}

inline double as_double(float x) {
  return static_cast<double>(x);
}
inline double as_double(Bf16 x) {
  return static_cast<double>(__bfloat162float(x));
}
template <class T>
T as_number(float x) {
  if constexpr (sizeof(T) == 4) return x;
  return __float2bfloat16(x);
}

/// `rows` rows of normal numbers times `scale` plus `offset`. Only the first few hundred rows
/// differ from each other: enough to see a row that is not in its place.
template <class T>
std::vector<T> some_numbers(std::size_t rows, std::size_t cols, std::uint64_t seed, float scale = 1,
                            float offset = 0) {
  constexpr std::size_t different = 509;
  std::vector<T> numbers(rows * cols);
  const std::size_t made = std::min(rows, different) * cols;
  course::detail::in_parallel(made, made, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      numbers[i] = as_number<T>(scale * normal_number(seed, i) + offset);
    }
  });
  for (std::size_t i = made; i < numbers.size(); ++i) numbers[i] = numbers[i - made];
  return numbers;
}

inline double max_of(const Doubles& x) {
  double max = -std::numeric_limits<double>::infinity();
  for (const double value : x) max = std::isnan(value) ? value : std::max(max, value);
  return max;
}
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

/// How far a result is from what it should be: relative to the expected value, or to `floor` if
/// that is larger. Infinite where only one of the two is a NaN.
inline double error_of(double got, double expected, double floor) {
  if (std::isnan(got) || std::isnan(expected)) {
    return std::isnan(got) && std::isnan(expected) ? 0 : std::numeric_limits<double>::infinity();
  }
  if (got == expected) return 0;
  return std::abs(got - expected) / std::max(std::abs(expected), floor);
}

/// The rows of a large matrix that are looked at.
inline std::vector<std::size_t> rows_to_check(std::size_t rows, std::size_t most = 64) {
  std::vector<std::size_t> chosen;
  const std::size_t count = std::min(rows, most);
  for (std::size_t k = 0; k < count; ++k) {
    chosen.push_back(count == 1 ? 0 : k * (rows - 1) / (count - 1));
  }
  return chosen;
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
