// Chapter 25, first lesson: keys as unsigned numbers that compare as the keys do. From here on a
// sort knows only bits.
#pragma once

#include <cstring>
#include <type_traits>

// An order of keys. bits() gives the unsigned number by which a key is compared, key() the key of
// such a number.
//  - Signed keys: with the sign bit flipped, negative ones come first.
//  - Floats: the bits of positive ones rise with their value, those of negative ones fall. So
//    negative ones are complemented, and of others the sign bit is set. Every bit pattern has a
//    place of its own: NaNs with a sign, -infinity, ..., -0, +0, ..., infinity, other NaNs.
//    IEEE 754 calls this totalOrder.
//  - Descending: all bits complemented. Equal keys stay in their order.
template <class Key_, bool descending = false>
struct Order {
  using Key = Key_;
  using Bits = std::conditional_t<sizeof(Key) == 4, unsigned, unsigned long long>;
  static_assert(sizeof(Key) == sizeof(Bits));
  static constexpr int width = 8 * sizeof(Bits);
  static constexpr Bits sign = Bits{1} << (width - 1);
  static constexpr bool is_float = std::is_floating_point_v<Key>;

  static __host__ __device__ Bits bits(Key key) {
    Bits b;
    memcpy(&b, &key, sizeof b);
    if (is_float) b ^= (b & sign) != 0 ? ~Bits{0} : sign;
    if (!is_float && std::is_signed_v<Key>) b ^= sign;
    return descending ? ~b : b;
  }

  static __host__ __device__ Key key(Bits b) {
    if (descending) b = ~b;
    if (is_float) b ^= (b & sign) != 0 ? sign : ~Bits{0};
    if (!is_float && std::is_signed_v<Key>) b ^= sign;
    Key key;
    memcpy(&key, &b, sizeof key);
    return key;
  }
};

constexpr int digits = 256;  // values of a digit
constexpr int digit_bits = 8;

// One digit of a key: `width` bits, at most 8, from bit `shift` on.
struct Digit {
  int shift, width;
  template <class Bits>
  __host__ __device__ unsigned operator()(Bits bits) const {
    return static_cast<unsigned>(bits >> shift) & ((1U << width) - 1);
  }
};

// The digit that the pass from bit `shift` on sorts by, if the keys end at end_bit.
__host__ __device__ inline Digit digit_of_pass(int shift, int end_bit) {
  return {shift, end_bit - shift < digit_bits ? end_bit - shift : digit_bits};
}

__host__ __device__ inline int passes_of(int begin_bit, int end_bit) {
  return (end_bit - begin_bit + digit_bits - 1) / digit_bits;
}
