#include "engine/matrices/matrix_products.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "emulator/numbers/float16_format.h"
#include "emulator/numbers/float8_format.h"
#include "engine/matrices/matrix_sequences.hpp"

namespace emulator::engine {
namespace {

// What is known of Hopper's tensor cores. A group of products and the accumulator are added at
// once: all are shifted to the largest exponent among them, and what then is below the last
// fraction bit that is kept is cut off, from each of them, towards 0. The sum is exact. It is
// rounded once, to the accumulator's format. Sources:
// [1] P. Xie, Y. Wang, F. Yang, M. Yang: MMA-Sim: Bit-Accurate Reference Model of Tensor Cores and
//     Matrix Cores, arXiv:2511.10909, 2025; compared there with a GPU of each architecture.
// [2] F. A. Khattak, M. Mikaitis: Accurate Models of NVIDIA Tensor Cores, arXiv:2512.07004, 2025.
// [3] M. Fasi, N. J. Higham, M. Mikaitis, S. Pranesh: Numerical behavior of NVIDIA tensor cores,
//     PeerJ Computer Science 7:e330, 2021 (Volta to Ampere; the method).
// [1] and [2] agree in what is marked with both.
struct Arithmetic {
  MatrixType type;         // of A and B
  unsigned group;          // products that are added at once, if k has as many [1], [2]
  int kept_fraction_bits;  // of the term with the largest exponent [1], [2]
  int result_bits = 23;    // of the fraction of a sum that becomes a float [1]
};
constexpr Arithmetic arithmetics[] = {
    {MatrixType::f16, 16, 25},
    {MatrixType::bf16, 16, 25},
    {MatrixType::tf32, 8, 25},
    // In wgmma alone: mma.sync has FP8 multiplied as FP16 (matrix_sequences.cpp).
    {MatrixType::e4m3, 32, 13, 13},
    {MatrixType::e5m2, 32, 13, 13},
};
// A zero does not count where the largest exponent is looked for, and if that is less than this, by
// the result's format, this takes its place [2]. ([1] has a zero count as if its exponent were
// -126. An H200's products of tiny numbers are those of [2]: emulator/evidence/matrices.)
constexpr int least_exponent_to_float = -133;
constexpr int least_exponent_to_half = -21;
// Floats are rounded towards 0, half to the nearest, ties to even [1], [2].
constexpr Rounding half_rounding = Rounding::nearest_even;
// A sum of 0, and one that rounds to it, has no sign [1]; so it is on an H200.
// A NaN that arises, or is handed on, is the canonical one [1].
constexpr std::uint64_t float_nan = 0x7FFFFFFF;
constexpr std::uint64_t half_nan = nan16;
// Of a float that stands for a TF32 number the last bits are not looked at [1].
constexpr int unused_bits_of_tf32 = 13;
// Of double nothing has been published but that it is a chain of fused multiply-adds [1]. Its NaN
// were read off what a GPU has recorded (emulator/evidence/matrices).
constexpr std::uint64_t double_nan = 0xFFF8000000000000;
constexpr std::uint64_t quiet_double = 0x0008000000000000;

const Arithmetic& arithmetic_of(MatrixType type) {
  return *std::find_if(std::begin(arithmetics), std::end(arithmetics),
                       [&](const Arithmetic& one) { return one.type == type; });
}

// A number taken apart: significand * 2^(exponent - its format's fraction bits). Denormal numbers
// are not normalised; they have the smallest exponent of their format.
struct Parts {
  std::int32_t significand = 0;
  std::int32_t exponent = far_below;  // of a zero
  static constexpr std::int32_t far_below = -100'000;
};

struct Format {
  int exponent_bits;
  int fraction_bits;
  bool has_infinity = true;  // if not, only what is all ones is not a number
};
constexpr Format half_format{5, 10};
constexpr Format bfloat16_format{8, 7};
constexpr Format tf32_format{8, 10};
constexpr Format float_format{8, 23};
constexpr Format e4m3_format{4, 3, false};
constexpr Format e5m2_format{5, 2};

constexpr Format format_of(MatrixType type) {
  switch (type) {
    case MatrixType::f16:
      return half_format;
    case MatrixType::bf16:
      return bfloat16_format;
    case MatrixType::tf32:
      return tf32_format;
    case MatrixType::e4m3:
      return e4m3_format;
    case MatrixType::e5m2:
      return e5m2_format;
    default:
      return float_format;
  }
}

// Whether it is an infinity or NaN.
bool is_special(std::uint64_t bits, Format format) {
  if (!format.has_infinity) {
    return (~bits & ((1ULL << (format.exponent_bits + format.fraction_bits)) - 1)) == 0;
  }
  const std::uint64_t field = (1ULL << format.exponent_bits) - 1;
  return (bits >> format.fraction_bits & field) == field;
}

Parts taken_apart(std::uint64_t bits, Format format) {
  const auto field =
      static_cast<int>(bits >> format.fraction_bits & ((1ULL << format.exponent_bits) - 1));
  auto significand = static_cast<std::int32_t>(bits & ((1ULL << format.fraction_bits) - 1));
  if (field != 0) significand |= 1 << format.fraction_bits;
  if (significand == 0) return {};
  const int bias = (1 << (format.exponent_bits - 1)) - 1;
  const bool is_negative = (bits >> (format.exponent_bits + format.fraction_bits) & 1) != 0;
  return {is_negative ? -significand : significand, std::max(field, 1) - bias};
}

// Infinities and NaN only need a value that behaves like them.
double value_of(std::uint64_t bits, MatrixType type) {
  switch (type) {
    case MatrixType::f16:
      return decode16<HalfFormat>(static_cast<unsigned short>(bits));
    case MatrixType::bf16:
      return decode16<Bfloat16Format>(static_cast<unsigned short>(bits));
    case MatrixType::tf32:
      return std::bit_cast<float>(
          static_cast<std::uint32_t>(bits >> unused_bits_of_tf32 << unused_bits_of_tf32));
    case MatrixType::e4m3:
      return decode16<HalfFormat>(half_of_8<E4m3Format>(static_cast<unsigned>(bits)));
    case MatrixType::e5m2:
      return decode16<HalfFormat>(half_of_8<E5m2Format>(static_cast<unsigned>(bits)));
    default:
      return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
  }
}

// significand * 2^exponent as a float of which that many fraction bits are used, rounded towards 0;
// too large is infinite.
std::uint64_t float_towards_zero(bool is_negative, std::uint64_t significand, int exponent,
                                 int fraction_bits) {
  if (significand == 0) return 0;
  const int top = exponent + 63 - std::countl_zero(significand);
  const std::uint64_t sign = is_negative ? 0x80000000U : 0;
  if (top > 127) return sign | 0x7F800000U;
  const int last_place = std::max(top, -126) - fraction_bits;
  const int dropped = last_place - exponent;
  const std::uint64_t kept = dropped > 63   ? 0
                             : dropped >= 0 ? significand >> dropped
                                            : significand << -dropped;
  if (kept == 0) return 0;
  const int unused = float_format.fraction_bits - fraction_bits;
  return sign | ((static_cast<std::uint64_t>(last_place - unused + 149) << 23) + (kept << unused));
}

std::uint64_t rounded(std::int64_t sum, int exponent, MatrixType to, int float_bits) {
  const auto magnitude = static_cast<std::uint64_t>(std::abs(sum));
  if (to == MatrixType::f32) return float_towards_zero(sum < 0, magnitude, exponent, float_bits);
  const unsigned short half = round16<HalfFormat>(sum < 0, magnitude, exponent, half_rounding);
  return half == 0x8000 ? 0 : half;
}

// C may have another format than D: in namespace wmma one may be of floats and the other of halves.
// Then the sum is one of floats, and only the last is rounded to half.
constexpr MatrixType sum_type(const MatrixProduct& product) {
  return product.c == product.d ? product.d : MatrixType::f32;
}
std::uint64_t converted(std::uint64_t bits, MatrixType from, MatrixType to) {
  if (from == to) return bits;
  if (from == MatrixType::f16) {
    return std::bit_cast<std::uint32_t>(decode16<HalfFormat>(static_cast<unsigned short>(bits)));
  }
  return encode16<HalfFormat>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
}

constexpr unsigned most_elements = 32 * 32;

// A row of A or a column of B, ready to be multiplied.
struct Vectors {
  std::array<Parts, most_elements> parts;
  std::array<bool, 32> has_special{};  // of each vector

  Vectors(const std::uint64_t* bits, unsigned vectors, unsigned length, MatrixType type) {
    const Format format = format_of(type);
    const int unused = type == MatrixType::tf32 ? unused_bits_of_tf32 : 0;
    for (unsigned i = 0; i < vectors * length; ++i) {
      parts[i] = taken_apart(bits[i] >> unused, format);
      if (is_special(bits[i] >> unused, format)) has_special[i / length] = true;
    }
  }
};

class FloatProduct {
 public:
  FloatProduct(const MatrixProduct& product, const MatrixBits& bits)
      : product_(product),
        bits_(bits),
        arithmetic_(arithmetic_of(product.a)),
        product_bits_(format_of(product.a).fraction_bits + format_of(product.b).fraction_bits),
        sum_type_(sum_type(product)),
        sum_format_(format_of(sum_type_)),
        a_(bits.a, product.m, product.k, product.a),
        b_(bits.b, product.n, product.k, product.b) {}

  void run() const {
    for (unsigned i = 0; i < product_.m; ++i) {
      for (unsigned j = 0; j < product_.n; ++j) {
        std::uint64_t sum = converted(bits_.c[i * product_.n + j], product_.c, sum_type_);
        for (unsigned begin = 0; begin < product_.k; begin += arithmetic_.group) {
          sum = add_group(i, j, begin, std::min(product_.k, begin + arithmetic_.group), sum);
        }
        bits_.d[i * product_.n + j] = converted(sum, sum_type_, product_.d);
      }
    }
  }

 private:
  std::uint64_t add_group(unsigned i, unsigned j, unsigned begin, unsigned end,
                          std::uint64_t accumulator) const {
    if (a_.has_special[i] || b_.has_special[j] || is_special(accumulator, sum_format_)) {
      const double sum = special_sum(i, j, begin, end, accumulator);
      const bool is_half = sum_type_ == MatrixType::f16;
      if (std::isnan(sum)) return is_half ? half_nan : float_nan;
      if (std::isinf(sum)) {
        if (is_half) return sum < 0 ? 0xFC00 : 0x7C00;
        return sum < 0 ? 0xFF800000 : 0x7F800000;
      }
    }
    const Parts* const a = &a_.parts[i * product_.k];
    const Parts* const b = &b_.parts[j * product_.k];
    const Parts c = taken_apart(accumulator, sum_format_);
    int greatest = std::max(c.exponent, sum_type_ == MatrixType::f16 ? least_exponent_to_half
                                                                     : least_exponent_to_float);
    for (unsigned l = begin; l < end; ++l) {
      greatest = std::max(greatest, a[l].exponent + b[l].exponent);
    }
    std::int64_t sum = aligned(c.significand, sum_format_.fraction_bits, greatest - c.exponent);
    for (unsigned l = begin; l < end; ++l) {
      sum += aligned(std::int64_t{a[l].significand} * b[l].significand, product_bits_,
                     greatest - a[l].exponent - b[l].exponent);
    }
    return rounded(sum, greatest - arithmetic_.kept_fraction_bits, sum_type_,
                   arithmetic_.result_bits);
  }

  // A term in units of the last bit that is kept, `below` places under the largest exponent.
  std::int64_t aligned(std::int64_t significand, int fraction_bits, int below) const {
    const std::int64_t term = std::abs(significand) << arithmetic_.kept_fraction_bits;
    const int places = fraction_bits + below;
    const std::int64_t kept = places > 62 ? 0 : term >> places;
    return significand < 0 ? -kept : kept;
  }

  // With an infinity or NaN among the terms. The finite ones cannot get as far in double.
  double special_sum(unsigned i, unsigned j, unsigned begin, unsigned end,
                     std::uint64_t accumulator) const {
    double sum = value_of(accumulator, sum_type_);
    for (unsigned l = begin; l < end; ++l) {
      sum += value_of(bits_.a[i * product_.k + l], product_.a) *
             value_of(bits_.b[j * product_.k + l], product_.b);
    }
    return sum;
  }

  const MatrixProduct& product_;
  const MatrixBits& bits_;
  const Arithmetic& arithmetic_;
  int product_bits_;  // fraction bits of a product
  MatrixType sum_type_;
  Format sum_format_;
  Vectors a_;
  Vectors b_;
};

// a * b + c, rounded once. A NaN is handed on: b's, else c's, else a's.
std::uint64_t multiply_add(std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  const double sum =
      std::fma(std::bit_cast<double>(a), std::bit_cast<double>(b), std::bit_cast<double>(c));
  if (!std::isnan(sum)) return std::bit_cast<std::uint64_t>(sum);
  for (const std::uint64_t one : {b, c, a}) {
    if (std::isnan(std::bit_cast<double>(one))) return one | quiet_double;
  }
  return double_nan;
}

void multiply_doubles(const MatrixProduct& product, const MatrixBits& bits) {
  for (unsigned i = 0; i < product.m; ++i) {
    for (unsigned j = 0; j < product.n; ++j) {
      std::uint64_t sum = bits.c[i * product.n + j];
      for (unsigned l = 0; l < product.k; ++l) {
        sum = multiply_add(bits.a[i * product.k + l], bits.b[j * product.k + l], sum);
      }
      bits.d[i * product.n + j] = sum;
    }
  }
}

std::int64_t integer_of(std::uint64_t bits, MatrixType type) {
  switch (type) {
    case MatrixType::s8:
      return static_cast<std::int8_t>(bits);
    case MatrixType::s4:
      return static_cast<std::int64_t>(bits ^ 8U) - 8;
    case MatrixType::s32:
      return static_cast<std::int32_t>(bits);
    default:
      return static_cast<std::int64_t>(bits);
  }
}

// Exact; what does not fit wraps round, or stops at the end of the range.
void multiply_integers(const MatrixProduct& product, const MatrixBits& bits) {
  using Limits = std::numeric_limits<std::int32_t>;
  for (unsigned i = 0; i < product.m; ++i) {
    for (unsigned j = 0; j < product.n; ++j) {
      std::int64_t sum = integer_of(bits.c[i * product.n + j], MatrixType::s32);
      for (unsigned l = 0; l < product.k; ++l) {
        const std::int64_t a = integer_of(bits.a[i * product.k + l], product.a);
        const std::int64_t b = integer_of(bits.b[j * product.k + l], product.b);
        if (product.a != MatrixType::b1) {
          sum += a * b;
        } else {
          sum += product.bits == BitOperation::both ? a & b : a ^ b;
        }
      }
      if (product.saturates) {
        sum = std::clamp<std::int64_t>(sum, Limits::min(), Limits::max());
      }
      bits.d[i * product.n + j] = static_cast<std::uint32_t>(sum);
    }
  }
}

}  // namespace

void multiply(const MatrixProduct& product, const MatrixBits& matrices) {
  switch (product.a) {
    case MatrixType::f16:
    case MatrixType::bf16:
    case MatrixType::tf32:
      FloatProduct(product, matrices).run();
      break;
    case MatrixType::e4m3:
    case MatrixType::e5m2:
      if (product.form == MatrixForm::warpgroup) {
        FloatProduct(product, matrices).run();
      } else {
        multiply_bytes(product, matrices);
      }
      break;
    case MatrixType::f64:
      multiply_doubles(product, matrices);
      break;
    default:
      multiply_integers(product, matrices);
      break;
  }
}

}  // namespace emulator::engine
