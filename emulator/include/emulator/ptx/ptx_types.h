#pragma once
#pragma GCC system_header
/// \file
/// Types of PTX, and what is in the names of its instructions.

#include <type_traits>

#include "emulator/inline.h"
#include "emulator/numbers/bits.h"

namespace emulator::ptx {

// Names of their own: a program that uses std::uint32_t has to include it, as for nvcc.
using u8 = unsigned char;
using u16 = unsigned short;
using u32 = unsigned;
using u64 = unsigned long;
using u128 = ::emulator::detail::Uint128;
using s8 = signed char;
using s16 = short;
using s32 = int;
using s64 = long;

/// Numbers of 16 bits, and two numbers in a word, by their bits.
struct f16 {
  u16 bits;
};
struct bf16 {
  u16 bits;
};
struct f16x2 {
  u32 bits;
};
struct bf16x2 {
  u32 bits;
};
struct u16x2 {
  u32 bits;
};
struct s16x2 {
  u32 bits;
};
struct e4m3x2 {
  u16 bits;
};
struct e5m2x2 {
  u16 bits;
};

/// A part of an instruction's name: `.rn`, `.ftz`. The underscore keeps clear of C++'s own words.
enum class Option : unsigned char {
  none,
  // rounding
  rn_,
  rz_,
  rm_,
  rp_,
  rna_,
  rni_,
  rzi_,
  rmi_,
  rpi_,
  // and what else is done to a number
  ftz_,
  sat_,
  satfinite_,
  relu_,
  NaN_,
  xorsign_abs_,
  // operations
  add_,
  sub_,
  mul_,
  div_,
  min_,
  max_,
  neg_,
  abs_,
  and_,
  or_,
  xor_,
  rcp_,
  sqrt_,
  rsqrt_,
  ex2_,
  lg2_,
  sin_,
  cos_,
  tanh_,
  lo_,
  hi_,
  approx_,
  full_,
  // comparisons, besides lo_ and hi_
  eq_,
  ne_,
  lt_,
  le_,
  gt_,
  ge_,
  ls_,
  hs_,
  equ_,
  neu_,
  ltu_,
  leu_,
  gtu_,
  geu_,
  num_,
  nan_,
  // kinds of numbers
  finite_,
  infinite_,
  number_,
  notanumber_,
  normal_,
  subnormal_,
  // bits and bytes
  l_,
  r_,
  wrap_,
  clamp_,
  f4e_,
  b4e_,
  rc8_,
  ecl_,
  ecr_,
  rc16_,
  shiftamt_,
  u2_,
  s2_,
  u4_,
  s4_,
  // lanes
  all_,
  any_,
  uni_,
  up_,
  down_,
  bfly_,
  idx_,
  // state spaces, and hints that nobody reads
  const_,
  global_,
  local_,
  shared_,
  L1_,
  L2_,
  aligned_,
  release_,
  acquire_,
  relaxed_,
  sc_,
};

/// What an instruction with two results has.
template <class T>
struct Pair {
  T first;
  bool second;
};

/// The bits of a value as another type of the same size.
template <class To, class From>
EMULATOR_UNSEEN inline __attribute__((always_inline)) To as(From from) {
  static_assert(sizeof(To) == sizeof(From));
  return __builtin_bit_cast(To, from);
}

template <class T>
inline constexpr bool is_real = std::is_floating_point_v<T>;
template <class T>
inline constexpr bool is_16 = std::is_same_v<T, f16> || std::is_same_v<T, bf16>;

}  // namespace emulator::ptx
