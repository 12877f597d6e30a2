/// @file
/// Numbers of float and BF16 on the host: random ones, and how far results are from doubles.
#pragma once

#include <cuda_bf16.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numbers>
#include <vector>

#include "data.hpp"

namespace course {

/// A number of a normal distribution of mean 0 and deviation 1 (Box and Muller), for each index.
inline float normal_number(std::uint64_t seed, std::uint64_t index) {
  const std::uint64_t bits = RandomBits(seed)(index);
  const double u = (static_cast<double>(bits >> 32) + 0.5) * 0x1p-32;
  const double v = static_cast<double>(bits & 0xFFFFFFFFU) * 0x1p-32;
  return static_cast<float>(std::sqrt(-2.0 * std::log(u)) * std::cos(2.0 * std::numbers::pi * v));
}

inline double as_double(float x) {
  return static_cast<double>(x);
}
inline double as_double(__nv_bfloat16 x) {
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
  detail::in_parallel(made, made, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      numbers[i] = as_number<T>(scale * normal_number(seed, i) + offset);
    }
  });
  for (std::size_t i = made; i < numbers.size(); ++i) numbers[i] = numbers[i - made];
  return numbers;
}

inline double max_of(const std::vector<double>& x) {
  double max = -std::numeric_limits<double>::infinity();
  for (const double value : x) max = std::isnan(value) ? value : std::max(max, value);
  return max;
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

}  // namespace course
