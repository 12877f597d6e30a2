#pragma once
/// \file
/// The numbers that are multiplied: from a seed, the same on every machine, element by element.

#include <cstdint>

namespace matrices {

/// A format of floating-point numbers. What a register has more than that is below the fraction.
struct Format {
  int exponent_bits;
  int fraction_bits;
  int unused_bits = 0;
};
constexpr Format half_format{5, 10};
constexpr Format bfloat16_format{8, 7};
constexpr Format tf32_format{8, 10, 13};
constexpr Format float_format{8, 23};
constexpr Format double_format{11, 52};
constexpr Format e4m3{4, 3};
constexpr Format e5m2{5, 2};

/// Integers.
struct Integers {
  int bits;
  bool is_signed;
};
constexpr Integers s8{8, true};
constexpr Integers u8{8, false};
constexpr Integers s32{32, true};

/// How many bits a number has in a register.
__host__ __device__ constexpr int bits_in(Format format) {
  return 1 + format.exponent_bits + format.fraction_bits + format.unused_bits;
}
__host__ __device__ constexpr int bits_in(Integers format) {
  return format.bits;
}

enum class Matrix : unsigned { a, b, c };

/// What the numbers of a product are like. Products follow each other in turn through all kinds.
enum class Kind : unsigned {
  any_exponent,   ///< of all magnitudes
  near_one,       ///< all about as large
  wide,           ///< of 21 exponents
  cancelling,     ///< pairs of products that nearly cancel
  denormal,       ///< A and C are denormal, or hardly not
  special,        ///< with infinities and NaN among them
  zeros,          ///< half of them are zeros
  falling_behind  ///< exponents that differ by up to 31: where terms are cut off
};
constexpr unsigned kinds = 8;

__host__ __device__ inline Kind kind_of(unsigned tile) {
  return static_cast<Kind>(tile % kinds);
}

/// Well-mixed bits of a number (the finaliser of splitmix64).
__host__ __device__ inline std::uint64_t mixed(std::uint64_t x) {
  x += 0x9E3779B97F4A7C15ULL;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ULL;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBULL;
  return x ^ (x >> 31);
}

/// Which element it is.
struct Element {
  unsigned series;
  unsigned tile;
  Matrix matrix;
  unsigned row;
  unsigned column;
};

__host__ __device__ inline std::uint64_t random_bits(const Element& e, unsigned use) {
  std::uint64_t bits = mixed(e.series * 16ULL + use);
  bits = mixed(bits ^ e.tile);
  return mixed(bits ^ (static_cast<std::uint64_t>(e.matrix) << 32 | e.row << 16 | e.column));
}

__host__ __device__ inline int exponent_field(const Element& e, Kind kind, Format format) {
  const int bias = (1 << (format.exponent_bits - 1)) - 1;
  const int greatest = 2 * bias;  // of a finite number
  const auto random = static_cast<int>(random_bits(e, 1) >> 40);
  int field = bias;
  switch (kind) {
    case Kind::any_exponent:
      field = random % (greatest + 1);
      break;
    case Kind::wide:
    case Kind::zeros:
      field = bias - 10 + random % 21;
      break;
    case Kind::denormal:
      field = e.matrix == Matrix::b ? bias + random % 8 : random % 3;
      break;
    case Kind::falling_behind:
      field = e.matrix == Matrix::a ? bias : bias - random % 32;
      break;
    default:
      field = bias - 3 + random % 7;
      break;
  }
  return field < 0 ? 0 : field > greatest ? greatest : field;
}

/// The bits of an element.
__host__ __device__ inline std::uint64_t bits_of(Element e, Format format) {
  const Kind kind = kind_of(e.tile);
  // Of two neighbours along k the second is the first, its sign turned over in B; and, now and
  // then, its last bit.
  unsigned& along_k = e.matrix == Matrix::a ? e.column : e.row;
  const bool is_twin = kind == Kind::cancelling && e.matrix != Matrix::c && along_k % 2 == 1;
  if (is_twin) --along_k;
  std::uint64_t sign = random_bits(e, 0) & 1;
  std::uint64_t exponent = static_cast<std::uint64_t>(exponent_field(e, kind, format));
  const int low_bits = format.fraction_bits + format.unused_bits;
  std::uint64_t low = random_bits(e, 2) & ((1ULL << low_bits) - 1);
  if (is_twin) {
    ++along_k;
    if (e.matrix == Matrix::b) sign ^= 1;
    if (random_bits(e, 3) % 4 == 0) low ^= 1ULL << format.unused_bits;
  }
  const std::uint64_t all_ones = (1ULL << format.exponent_bits) - 1;
  const std::uint64_t choice = random_bits(e, 3) % 128;
  if (kind == Kind::zeros && choice % 2 == 0) exponent = low = 0;
  if (kind == Kind::special && choice < 4) {
    exponent = all_ones - (choice == 3 ? 1 : 0);  // 3: the largest finite number
    if (choice == 0) low = 0;                     // an infinity
    if (choice == 1) low = 1ULL << (low_bits - 1);
    if (choice == 3) low = (1ULL << low_bits) - 1;
  }
  return sign << (format.exponent_bits + low_bits) | exponent << low_bits | low;
}

/// The same of integers, for which few of the kinds mean anything: small ones, pairs that cancel,
/// zeros, ends of the range (of C, numbers near them: sums leave the range), and any.
__host__ __device__ inline std::uint64_t bits_of(Element e, Integers format) {
  const Kind kind = kind_of(e.tile);
  const std::uint64_t all_ones = (1ULL << format.bits) - 1;
  const std::uint64_t most = format.is_signed ? all_ones >> 1 : all_ones;
  unsigned& along_k = e.matrix == Matrix::a ? e.column : e.row;
  const bool is_twin = kind == Kind::cancelling && e.matrix != Matrix::c && along_k % 2 == 1;
  if (is_twin) --along_k;
  std::uint64_t bits = random_bits(e, 2) & all_ones;
  const std::uint64_t choice = random_bits(e, 3) % 4;
  const bool is_near_end = kind == Kind::special || kind == Kind::falling_behind;
  if (kind == Kind::near_one) bits = choice - (format.is_signed ? 2 : 0);
  if (kind == Kind::zeros && choice % 2 == 0) bits = 0;
  if (is_near_end && e.matrix == Matrix::c) {
    bits = choice % 2 == 0 ? most - bits % 65536 : most + 1 + bits % 65536;
  } else if (kind == Kind::special && choice < 2) {
    bits = choice == 0 ? most : most + 1;
  }
  if (is_twin && e.matrix == Matrix::b) bits = 0 - bits;
  return bits & all_ones;
}

}  // namespace matrices
