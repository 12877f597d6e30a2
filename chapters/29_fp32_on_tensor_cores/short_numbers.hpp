/// @file
/// What a short number keeps of a float, and the rest that it leaves: a float as a sum of short
/// numbers. The formats, their instructions, and the scaling that two of them need.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdint>
#include <type_traits>

#include "tensor_cores/mma.hpp"

namespace fp32 {

// ---------------------------------------------------------------- powers of two

/// 2^exponent, for -126 to 127.
inline __device__ float power_of_two(int exponent) {
  return __int_as_float((exponent + 127) << 23);
}

/// The exponent e of the power of two that brings a row or a column to where its largest number is
/// below 2^top, and not below half of it. A row of zeros, or one with an infinity, stays as it is.
/// @param largest the bits of the largest magnitude
inline __device__ int exponent_to(int top, std::uint32_t largest) {
  if (largest == 0 || largest >= 0x7F800000U) return 0;
  const int biased = static_cast<int>(largest >> 23);
  const int exponent = biased > 0 ? biased - 127 : 31 - __clz(static_cast<int>(largest)) - 149;
  return min(top - 1 - exponent, 126);
}

/// x times 2^exponent, also where that power is no float.
inline __device__ float times_power(float x, int exponent) {
  const int half = exponent / 2;
  return x * power_of_two(half) * power_of_two(exponent - half);
}

// ---------------------------------------------------------------- formats

/// TF32: 11 bits of precision, a float's exponents.
struct Tf32 {
  using Sum = float;
  static constexpr int in_register = 1;  ///< numbers per register of 4 bytes
  static constexpr bool scales = false;
  static constexpr int top = 0;

  /// The nearest short number. x keeps the rest: the difference is exact.
  static __device__ std::uint32_t take(float& x) {
    const std::uint32_t bits = tensor::rounded_to_tf32(__float_as_uint(x)) & 0xFFFFE000U;
    x -= __uint_as_float(bits);
    return bits;
  }
  static __device__ void multiply(float (&c)[4], const std::uint32_t (&a)[4],
                                  const std::uint32_t (&b)[2]) {
    tensor::multiply(tensor::Tf32<false>{}, c, a, b);
  }
};

/// BF16: 8 bits, a float's exponents.
struct Bf16 {
  using Sum = float;
  using Number = __nv_bfloat16;
  static constexpr int in_register = 2;
  static constexpr bool scales = false;
  static constexpr int top = 0;

  static __device__ Number nearest(float& x) {
    const Number number = __float2bfloat16(x);
    x -= __bfloat162float(number);
    return number;
  }
  static __device__ std::uint32_t take(float& x) { return __bfloat16_as_ushort(nearest(x)); }
  static __device__ void multiply(float (&c)[4], const std::uint32_t (&a)[4],
                                  const std::uint32_t (&b)[2]) {
    tensor::multiply(tensor::Bf16{}, c, a, b);
  }
};

/// FP16: 11 bits, down to 2^-14; below that, fewer, and none below 2^-24. So rows and columns are
/// scaled to the upper end first.
struct Fp16 {
  using Sum = float;
  using Number = __half;
  static constexpr int in_register = 2;
  static constexpr bool scales = true;
  static constexpr int top = 15;  ///< numbers below 2^15, of 65,504

  static __device__ Number nearest(float& x) {
    const Number number = __float2half(x);
    x -= __half2float(number);
    return number;
  }
  static __device__ std::uint32_t take(float& x) { return __half_as_ushort(nearest(x)); }
  static __device__ void multiply(float (&c)[4], const std::uint32_t (&a)[4],
                                  const std::uint32_t (&b)[2]) {
    tensor::multiply(tensor::Fp16{}, c, a, b);
  }
};

/// FP16 as it comes, for numbers that are known to be neither small nor large.
struct UnscaledFp16 : Fp16 {
  static constexpr bool scales = false;
};

/// INT8: slices of seven bits of a fixed-point number. Sums are whole numbers: exact.
struct Int8 {
  using Sum = int;
  static constexpr int in_register = 4;
  static constexpr bool scales = true;
  static constexpr int top = -1;  ///< so that the first slice is at most 64

  /// The nearest multiple of 2^-7. x keeps the rest, times 2^7.
  static __device__ std::uint32_t take(float& x) {
    const float slice = rintf(x * 128.0F);
    x = x * 128.0F - slice;
    return static_cast<std::uint32_t>(static_cast<int>(slice)) & 0xFFU;
  }
  static __device__ void multiply(int (&c)[4], const std::uint32_t (&a)[4],
                                  const std::uint32_t (&b)[2]) {
#ifndef COURSE_OLDER_THAN_AMPERE
    asm volatile(
        "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 "
        "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
#endif
  }
};

// ---------------------------------------------------------------- products

/// How a product of floats becomes products of short numbers: each float is a sum of `parts`, of
/// which part p of A meets part q of B if p + q <= most. The others are too small to count.
///
/// @tparam interval terms after which the tensor core's sums are promoted, that is added to others
///         by the threads, which round to nearest; 0: never
template <class Number_, int parts_, int most_, int interval_>
struct Scheme {
  using Number = Number_;
  static constexpr int parts = parts_;
  static constexpr int most = most_;
  static constexpr int interval = interval_;
  static constexpr bool is_whole = std::is_same_v<typename Number::Sum, int>;
  /// Sums apart: of whole numbers those of each p + q; of floats the first, and all corrections.
  static constexpr int levels = is_whole ? most + 1 : most == 0 ? 1 : 2;

  /// The products that a product of two floats takes.
  static constexpr int products() {
    int count = 0;
    for (int p = 0; p < parts; ++p) {
      for (int q = 0; q < parts; ++q) count += p + q <= most ? 1 : 0;
    }
    return count;
  }
};

}  // namespace fp32
