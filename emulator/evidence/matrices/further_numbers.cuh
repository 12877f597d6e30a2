#pragma once
/// \file
/// More numbers that are multiplied: tiny ones, those of 8 bits, and which of its elements a sparse
/// matrix has.

#include <cstdint>

#include "numbers.cuh"

namespace matrices {

constexpr Format e4m3_format{4, 3};  ///< has no infinity, and one NaN of each sign
constexpr Format e5m2_format{5, 2};
constexpr Integers s4{4, true};

/// Which numbers a series has. Each has eight kinds of them, from tile to tile.
enum class Numbers : unsigned {
  ordinary,  ///< those of numbers.cuh
  tiny,      ///< whose products and sums are about the least numbers of the result's format
  bytes      ///< of 8 bits
};

/// The exponent of the least normal number.
__host__ __device__ constexpr int least_exponent(Format format) {
  return 2 - (1 << (format.exponent_bits - 1));
}

/// +-1.random * 2^exponent: denormal where the format has no such exponent; the greatest exponent
/// in place of a greater one.
__host__ __device__ inline std::uint64_t encoded(std::uint64_t sign, int exponent,
                                                 std::uint64_t random, Format format) {
  const int least = least_exponent(format);
  const int greatest = 1 - least + (format.exponent_bits == 4 ? 1 : 0);
  const int low_bits = format.fraction_bits + format.unused_bits;
  std::uint64_t low = random & ((1ULL << low_bits) - 1);
  if (exponent > greatest) exponent = greatest;
  if (format.exponent_bits == 4 && exponent == greatest && low == 7) low = 6;  // and no NaN
  std::uint64_t bits = 1ULL << low_bits | low;
  if (exponent < least) {
    const int shift = least - exponent;
    bits = shift > low_bits ? 0 : bits >> shift;
  } else {
    bits += static_cast<std::uint64_t>(exponent - least) << low_bits;
  }
  return sign << (format.exponent_bits + low_bits) | bits;
}

/// A number from 0 to count - 1 for the element, other for each use.
__host__ __device__ inline int any_of(const Element& e, unsigned use, int count) {
  return static_cast<int>((random_bits(e, use) >> 33) % static_cast<unsigned>(count));
}

/// The element of A's first row that has the same place along k: what the factors of all products
/// of this place have in common goes by it.
__host__ __device__ inline Element along_k(Element e) {
  const unsigned k = e.matrix == Matrix::a ? e.column : e.row;
  return {e.series, e.tile, Matrix::a, 0, k};
}

/// The element's whole row of A, or column of B.
__host__ __device__ inline Element line_of(Element e) {
  (e.matrix == Matrix::a ? e.column : e.row) = 0xFFFF;
  return e;
}

/// Where the results of tiny numbers are: what comes out has no normal numbers below `least`, and
/// nothing below `last_place`. Products of FP16 do not get as far down in FP32.
struct TinyRange {
  int least;
  int last_place;
};
__host__ __device__ inline TinyRange tiny_range(Format inputs, Format output) {
  if (inputs.exponent_bits == 5 && output.exponent_bits == 8) return {-28, -48};
  const int least = least_exponent(output);
  return {least, least - output.fraction_bits};
}

/// The kinds of tiny numbers.
enum class Tiny : unsigned {
  around,         ///< the least normal number
  dust,           ///< products about the last place and below, those of a result with one sign
  mixed_dust,     ///< the same, with any signs
  cancelling,     ///< pairs that cancel, or nearly
  denormal,       ///< A and C are denormal, or hardly not
  zeros,          ///< half of them are zeros, of both signs
  ties,           ///< one product is half the last place, and the others are far below
  one_among_dust  ///< one product is larger than the others
};

/// The exponent that a product of tiny numbers is to have.
__host__ __device__ inline int tiny_exponent(const Element& e, Tiny kind, TinyRange range,
                                             unsigned inner) {
  const unsigned k = along_k(e).column;
  const int dust = range.last_place - 10 + any_of(e, 1, 11);
  switch (kind) {
    case Tiny::around:
      return range.least - 6 + any_of(e, 1, 13);
    case Tiny::cancelling:
      return range.least - 12 + any_of(e, 1, 16);
    case Tiny::denormal:
      return range.least - 12 + any_of(e, 1, 18);
    case Tiny::ties:
      // In each tile of another width: far down there may be single places.
      return k == 0 ? range.last_place - 1
                    : range.last_place - 24 + any_of(e, 1, 1 + static_cast<int>(e.tile / 8 % 20));
    case Tiny::one_among_dust:
      return k == e.tile / kinds % inner ? range.least - 4 + any_of(e, 1, 24) : dust;
    default:
      return dust;
  }
}

/// C of tiny numbers: zeros of both signs in half of the cases, or more.
__host__ __device__ inline std::uint64_t tiny_sum(const Element& e, Tiny kind, TinyRange range,
                                                  Format output) {
  const std::uint64_t sign = random_bits(e, 0) & 1;
  const int choice = any_of(e, 4, 4);
  int exponent = range.last_place + any_of(e, 1, 4);
  bool is_zero = choice < 2;
  switch (kind) {
    case Tiny::around:
      is_zero = choice == 0;
      exponent = range.least - 6 + any_of(e, 1, 13);
      break;
    case Tiny::cancelling:
    case Tiny::one_among_dust:
      exponent = range.least - 14 + any_of(e, 1, 18);
      break;
    case Tiny::denormal:
      is_zero = choice == 0;
      exponent = least_exponent(output) - any_of(e, 1, output.fraction_bits + 1);
      break;
    case Tiny::zeros:
      is_zero = choice < 3;
      exponent = least_exponent(output) - any_of(e, 1, output.fraction_bits + 1);
      break;
    default:
      break;
  }
  return is_zero ? encoded(sign, -1000, 0, output)
                 : encoded(sign, exponent, random_bits(e, 2), output);
}

/// The bits of an element of a product of tiny numbers. Its factors have exponents that add up to
/// what the product is to have; of the kinds whose products cancel the second of two neighbours
/// along k is the first, its sign turned over in B; and, now and then, its last bit.
__host__ __device__ inline std::uint64_t tiny_bits_of(Element e, Format inputs, Format output,
                                                      unsigned inner) {
  const auto kind = static_cast<Tiny>(e.tile % kinds);
  const TinyRange range = tiny_range(inputs, output);
  if (e.matrix == Matrix::c) return tiny_sum(e, kind, range, output);
  const bool is_a = e.matrix == Matrix::a;
  const std::uint64_t flip = random_bits(e, 3) % 4 == 0 ? 1ULL << inputs.unused_bits : 0;
  unsigned& place = is_a ? e.column : e.row;
  const bool is_twin = kind == Tiny::cancelling && place % 2 == 1;
  if (is_twin) --place;
  const Element common = along_k(e);
  const bool is_half = inputs.exponent_bits == 5;
  int of_a = is_half ? -12 - any_of(common, 5, 10) : -80 + any_of(common, 5, 40);
  if (kind == Tiny::denormal) of_a = least_exponent(inputs);
  if (kind == Tiny::ties) of_a = is_half ? -24 + any_of(common, 5, 2) : -70;
  if (kind == Tiny::ties && common.column == 0) of_a = is_half ? -12 : -70;
  int exponent = is_a ? of_a : tiny_exponent(e, kind, range, inner) - of_a;
  if (is_a && kind == Tiny::denormal) exponent += 1 - any_of(e, 1, inputs.fraction_bits + 2);
  const bool one_sign = kind == Tiny::dust || kind == Tiny::ties;
  std::uint64_t sign = random_bits(one_sign ? line_of(e) : e, 0) & 1;
  std::uint64_t low = random_bits(e, 2);
  if (kind == Tiny::ties && common.column == 0) low = 0;
  if (kind == Tiny::zeros && random_bits(e, 6) % 2 == 0) exponent = -1000;
  std::uint64_t bits = encoded(0, exponent, low, inputs);
  if (is_twin) {
    if (!is_a) sign ^= 1;
    bits ^= flip;
  }
  return sign << (bits_in(inputs) - 1) | bits;
}

/// The kinds of numbers of 8 bits.
enum class Bytes : unsigned {
  any,            ///< finite number
  near_one,       ///< all about as large
  greatest,       ///< so that sums leave the range of FP16
  cancelling,     ///< pairs of products that nearly cancel
  denormal,       ///< they are denormal, or hardly not
  special,        ///< with infinities and NaN among them
  zeros,          ///< half of them are zeros
  falling_behind  ///< products whose exponents are far apart: where terms are cut off
};

/// Any byte that is a finite number.
__host__ __device__ inline std::uint64_t finite_byte(std::uint64_t random, Format format) {
  const std::uint64_t sign = random >> 7 & 1;
  const std::uint64_t count = format.exponent_bits == 4 ? 0x7F : 0x7C;
  return sign << 7 | (random >> 8) % count;
}

__host__ __device__ inline std::uint64_t sum_for_bytes(const Element& e, Bytes kind,
                                                       Format output) {
  const std::uint64_t sign = random_bits(e, 0) & 1;
  const std::uint64_t low = random_bits(e, 2);
  const int choice = any_of(e, 3, 64);
  const int top = 1 - least_exponent(output);
  int exponent = -20 + any_of(e, 1, 41);
  switch (kind) {
    case Bytes::near_one:
      exponent = -3 + any_of(e, 1, 10);
      break;
    case Bytes::greatest:
      exponent = choice % 4 == 0 ? top - any_of(e, 1, 2) : 8 + any_of(e, 1, 26);
      break;
    case Bytes::cancelling:
      exponent = -12 + any_of(e, 1, 16);
      break;
    case Bytes::denormal:
      exponent = -34 + any_of(e, 1, 24);
      break;
    case Bytes::falling_behind:
      exponent = -4 + any_of(e, 1, 30);
      break;
    case Bytes::zeros:
      if (choice % 2 == 0) return encoded(sign, -1000, 0, output);
      break;
    default:
      break;
  }
  if (kind == Bytes::special && choice < 6) {
    const std::uint64_t infinity = ((1ULL << output.exponent_bits) - 1) << output.fraction_bits;
    const std::uint64_t fraction = choice < 3 ? 0 : low & ((1ULL << output.fraction_bits) - 1);
    return sign << (bits_in(output) - 1) | infinity | fraction;
  }
  return encoded(sign, exponent, low, output);
}

/// The bits of an element of a product of bytes.
__host__ __device__ inline std::uint64_t byte_bits_of(Element e, Format format) {
  const auto kind = static_cast<Bytes>(e.tile % kinds);
  if (e.matrix == Matrix::c) return sum_for_bytes(e, kind, format);
  const bool is_a = e.matrix == Matrix::a;
  const std::uint64_t flip = random_bits(e, 3) % 4 == 0 ? 1 : 0;
  unsigned& place = is_a ? e.column : e.row;
  const bool is_twin = kind == Bytes::cancelling && place % 2 == 1;
  if (is_twin) --place;
  const std::uint64_t random = random_bits(e, 2);
  const std::uint64_t sign = random_bits(e, 0) & 1;
  const int choice = any_of(e, 4, 128);
  const int least = least_exponent(format);
  int exponent = -3 + any_of(e, 1, 7);
  switch (kind) {
    case Bytes::any:
      return finite_byte(random, format);
    case Bytes::special:
      if (choice < 3) {  // a NaN, an infinity, or what is one in the other format
        const std::uint64_t all[] = {0x7F, 0x7C, 0x7E};
        return sign << 7 | all[choice];
      }
      return finite_byte(random, format);
    case Bytes::greatest:
      exponent = 1 - least - any_of(e, 1, 3) + (format.exponent_bits == 4 ? 1 : 0);
      break;
    case Bytes::denormal:
      exponent = least + 1 - any_of(e, 1, format.fraction_bits + 2);
      break;
    case Bytes::zeros:
      exponent = choice % 2 == 0 ? -1000 : exponent;
      break;
    case Bytes::falling_behind:
      exponent = is_a ? any_of(e, 1, 3) : 8 - any_of(e, 1, 9 - least + format.fraction_bits);
      break;
    default:
      break;
  }
  std::uint64_t bits = encoded(sign, exponent, random, format);
  if (is_twin) bits ^= flip | (is_a ? 0 : 0x80);
  return bits;
}

/// Which elements of a group of four a sparse matrix has, as its metadata have it: two numbers of
/// two bits. Those of TF32 have groups of two, and these four bits mean one of them.
__host__ __device__ inline unsigned metadata_of(unsigned series, unsigned tile, unsigned row,
                                                unsigned group, bool is_tf32, bool is_ordered) {
  const Element e{series, tile, Matrix::a, row, 0x8000U + group};
  if (is_tf32) return any_of(e, 7, 2) == 0 ? 0b0100 : 0b1110;
  const unsigned all[6] = {0b0100, 0b1110, 0b1000, 0b1100, 0b1001, 0b1101};
  // Pairs along k cancel where neighbours are there.
  const unsigned pair = all[any_of(e, 7, kind_of(tile) == Kind::cancelling ? 2 : 6)];
  if (is_ordered || any_of(e, 8, 2) == 0) return pair;
  return pair >> 2 | (pair & 3U) << 2;
}

}  // namespace matrices
