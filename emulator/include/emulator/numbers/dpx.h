#pragma once
#pragma GCC system_header
/// \file
/// CUDA's DPX functions, for dynamic programming: the greatest or the least of two or three, with
/// an addition before it, and with 0 as one more (`relu`).
///
/// The names end with what the numbers are: `s32` and `u32` one, `s16x2` and `u16x2` two in a word,
/// each computed by itself. Sums wrap. Hosts may also call these. A GPU from 9.0 on has
/// instructions for them.

#include "emulator/inline.h"

namespace emulator::detail {

template <class T>
constexpr T least_of(T a, T b) {
  return a < b ? a : b;
}
template <class T>
constexpr T greatest_of(T a, T b) {
  return a > b ? a : b;
}
/// Wraps, as the addition of a GPU's registers does.
template <class T>
constexpr T wrapped_sum(T a, T b) {
  return static_cast<T>(static_cast<unsigned>(a) + static_cast<unsigned>(b));
}

/// In each half of a word that is a T: what `choose` makes of the three.
template <class T, class Choose>
EMULATOR_LEAF unsigned in_both_halves(unsigned a, unsigned b, unsigned c, Choose choose) {
  unsigned result = 0;
  for (unsigned shift = 0; shift < 32; shift += 16) {
    const T half =
        choose(static_cast<T>(a >> shift), static_cast<T>(b >> shift), static_cast<T>(c >> shift));
    result |= (static_cast<unsigned>(half) & 0xFFFFU) << shift;
  }
  return result;
}

}  // namespace emulator::detail

// The function of numbers of 32 bits, and that of halves. `x`, `y` and `z` are the numbers.
#define EMULATOR_DPX_TWO(of_words, of_halves, word, half, expression)                          \
  EMULATOR_LEAF word of_words(word x, word y) {                                                \
    using T = word;                                                                            \
    return expression;                                                                         \
  }                                                                                            \
  EMULATOR_LEAF unsigned of_halves(unsigned a, unsigned b) {                                   \
    using T = half;                                                                            \
    return ::emulator::detail::in_both_halves<T>(a, b, 0,                                      \
                                                 [](T x, T y, T) -> T { return expression; }); \
  }
#define EMULATOR_DPX_THREE(of_words, of_halves, word, half, expression)                          \
  EMULATOR_LEAF word of_words(word x, word y, word z) {                                          \
    using T = word;                                                                              \
    return expression;                                                                           \
  }                                                                                              \
  EMULATOR_LEAF unsigned of_halves(unsigned a, unsigned b, unsigned c) {                         \
    using T = half;                                                                              \
    return ::emulator::detail::in_both_halves<T>(a, b, c,                                        \
                                                 [](T x, T y, T z) -> T { return expression; }); \
  }
// These also say whether a was chosen. The store is in the caller's line.
#define EMULATOR_DPX_CHOICE(of_words, of_halves, word, half, choose, sign)                       \
  EMULATOR_INLINE word of_words(word a, word b, bool* pred) {                                    \
    *pred = a sign b;                                                                            \
    return ::emulator::detail::choose(a, b);                                                     \
  }                                                                                              \
  EMULATOR_INLINE unsigned of_halves(unsigned a, unsigned b, bool* pred_hi, bool* pred_lo) {     \
    *pred_hi = static_cast<half>(a >> 16) sign static_cast<half>(b >> 16);                       \
    *pred_lo = static_cast<half>(a) sign static_cast<half>(b);                                   \
    return ::emulator::detail::in_both_halves<half>(                                             \
        a, b, 0, [](half x, half y, half) -> half { return ::emulator::detail::choose(x, y); }); \
  }
#define EMULATOR_LEAST ::emulator::detail::least_of<T>
#define EMULATOR_GREATEST ::emulator::detail::greatest_of<T>
#define EMULATOR_SUM ::emulator::detail::wrapped_sum<T>
EMULATOR_DPX_TWO(__vimax_s32_relu, __vimax_s16x2_relu, int, short,
                 EMULATOR_GREATEST(EMULATOR_GREATEST(x, y), 0))
EMULATOR_DPX_TWO(__vimin_s32_relu, __vimin_s16x2_relu, int, short,
                 EMULATOR_GREATEST(EMULATOR_LEAST(x, y), 0))
EMULATOR_DPX_THREE(__vimax3_s32, __vimax3_s16x2, int, short,
                   EMULATOR_GREATEST(EMULATOR_GREATEST(x, y), z))
EMULATOR_DPX_THREE(__vimax3_u32, __vimax3_u16x2, unsigned, unsigned short,
                   EMULATOR_GREATEST(EMULATOR_GREATEST(x, y), z))
EMULATOR_DPX_THREE(__vimin3_s32, __vimin3_s16x2, int, short,
                   EMULATOR_LEAST(EMULATOR_LEAST(x, y), z))
EMULATOR_DPX_THREE(__vimin3_u32, __vimin3_u16x2, unsigned, unsigned short,
                   EMULATOR_LEAST(EMULATOR_LEAST(x, y), z))
EMULATOR_DPX_THREE(__vimax3_s32_relu, __vimax3_s16x2_relu, int, short,
                   EMULATOR_GREATEST(EMULATOR_GREATEST(EMULATOR_GREATEST(x, y), z), 0))
EMULATOR_DPX_THREE(__vimin3_s32_relu, __vimin3_s16x2_relu, int, short,
                   EMULATOR_GREATEST(EMULATOR_LEAST(EMULATOR_LEAST(x, y), z), 0))
EMULATOR_DPX_THREE(__viaddmax_s32, __viaddmax_s16x2, int, short,
                   EMULATOR_GREATEST(EMULATOR_SUM(x, y), z))
EMULATOR_DPX_THREE(__viaddmax_u32, __viaddmax_u16x2, unsigned, unsigned short,
                   EMULATOR_GREATEST(EMULATOR_SUM(x, y), z))
EMULATOR_DPX_THREE(__viaddmin_s32, __viaddmin_s16x2, int, short,
                   EMULATOR_LEAST(EMULATOR_SUM(x, y), z))
EMULATOR_DPX_THREE(__viaddmin_u32, __viaddmin_u16x2, unsigned, unsigned short,
                   EMULATOR_LEAST(EMULATOR_SUM(x, y), z))
EMULATOR_DPX_THREE(__viaddmax_s32_relu, __viaddmax_s16x2_relu, int, short,
                   EMULATOR_GREATEST(EMULATOR_GREATEST(EMULATOR_SUM(x, y), z), 0))
EMULATOR_DPX_THREE(__viaddmin_s32_relu, __viaddmin_s16x2_relu, int, short,
                   EMULATOR_GREATEST(EMULATOR_LEAST(EMULATOR_SUM(x, y), z), 0))
EMULATOR_DPX_CHOICE(__vibmax_s32, __vibmax_s16x2, int, short, greatest_of, >=)
EMULATOR_DPX_CHOICE(__vibmax_u32, __vibmax_u16x2, unsigned, unsigned short, greatest_of, >=)
EMULATOR_DPX_CHOICE(__vibmin_s32, __vibmin_s16x2, int, short, least_of, <=)
EMULATOR_DPX_CHOICE(__vibmin_u32, __vibmin_u16x2, unsigned, unsigned short, least_of, <=)
#undef EMULATOR_SUM
#undef EMULATOR_GREATEST
#undef EMULATOR_LEAST
#undef EMULATOR_DPX_CHOICE
#undef EMULATOR_DPX_THREE
#undef EMULATOR_DPX_TWO
