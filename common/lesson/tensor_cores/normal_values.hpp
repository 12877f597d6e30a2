/// @file
/// Normal random numbers of BF16 on the host.
#pragma once

#include <cuda_bf16.h>

#include <cmath>
#include <cstdint>
#include <numbers>

#include "data.hpp"

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

}  // namespace hopper
