#pragma once
#pragma GCC system_header
/// \file
/// CUDA's SIMD intrinsics: two or four numbers in a word, each computed by itself.
///
/// The names end with how many there are. `s` and `u` before that say signed and unsigned, `ss` and
/// `us` that a result which does not fit becomes the nearest one that does; without them it wraps.

#include "emulator/inline.h"

namespace emulator::detail {

/// In each part of a word that is a T: what `choose` makes of the two.
template <class T, class Choose>
EMULATOR_LEAF unsigned in_each(unsigned a, unsigned b, Choose choose) {
  unsigned result = 0;
  for (unsigned shift = 0; shift < 32; shift += 8 * sizeof(T)) {
    const auto part = choose(static_cast<T>(a >> shift), static_cast<T>(b >> shift));
    result |= (static_cast<unsigned>(part) & (sizeof(T) == 1 ? 0xFFU : 0xFFFFU)) << shift;
  }
  return result;
}

/// The T nearest to a number.
template <class T>
EMULATOR_LEAF int nearest(int value) {
  constexpr bool is_signed = static_cast<T>(-1) < 0;
  constexpr int bits = 8 * sizeof(T);
  constexpr int least = is_signed ? -(1 << (bits - 1)) : 0;
  constexpr int greatest = (1 << (is_signed ? bits - 1 : bits)) - 1;
  return value < least ? least : value > greatest ? greatest : value;
}

/// The sum of the parts of a word.
template <class T>
EMULATOR_LEAF unsigned sum_of_parts(unsigned word) {
  unsigned result = 0;
  for (unsigned shift = 0; shift < 32; shift += 8 * sizeof(T)) {
    result += static_cast<T>(word >> shift);
  }
  return result;
}

}  // namespace emulator::detail

EMULATOR_DEVICE_ONLY_BEGIN
// `x` and `y` are the parts, as int.
#define EMULATOR_IN_EACH(name, T, expression)                                             \
  EMULATOR_LEAF unsigned name(unsigned a, unsigned b) {                                   \
    return ::emulator::detail::in_each<T>(a, b, [](int x, int y) { return expression; }); \
  }
#define EMULATOR_OF_EACH(name, T, expression)                                           \
  EMULATOR_LEAF unsigned name(unsigned a) {                                             \
    return ::emulator::detail::in_each<T>(a, 0, [](int x, int) { return expression; }); \
  }
// All ones or none, and 1 or 0.
#define EMULATOR_COMPARISON(name, T, sign)             \
  EMULATOR_IN_EACH(__vcmp##name, T, x sign y ? -1 : 0) \
  EMULATOR_IN_EACH(__vset##name, T, x sign y ? 1 : 0)
#define EMULATOR_SUM_OF_DIFFERENCES(name, difference, U)          \
  EMULATOR_LEAF unsigned name(unsigned a, unsigned b) {           \
    return ::emulator::detail::sum_of_parts<U>(difference(a, b)); \
  }
EMULATOR_IN_EACH(__vmins2, short, x < y ? x : y)
EMULATOR_IN_EACH(__vminu2, unsigned short, x < y ? x : y)
EMULATOR_IN_EACH(__vmaxs2, short, x > y ? x : y)
EMULATOR_IN_EACH(__vmaxu2, unsigned short, x > y ? x : y)
EMULATOR_OF_EACH(__vabs2, short, x < 0 ? -x : x)
EMULATOR_OF_EACH(__vabsss2, short, ::emulator::detail::nearest<short>(x < 0 ? -x : x))
EMULATOR_OF_EACH(__vneg2, short, -x)
EMULATOR_OF_EACH(__vnegss2, short, ::emulator::detail::nearest<short>(-x))
EMULATOR_IN_EACH(__vabsdiffs2, short, x < y ? y - x : x - y)
EMULATOR_IN_EACH(__vabsdiffu2, unsigned short, x < y ? y - x : x - y)
EMULATOR_IN_EACH(__vadd2, unsigned short, x + y)
EMULATOR_IN_EACH(__vaddss2, short, ::emulator::detail::nearest<short>(x + y))
EMULATOR_IN_EACH(__vaddus2, unsigned short, ::emulator::detail::nearest<unsigned short>(x + y))
EMULATOR_IN_EACH(__vsub2, unsigned short, x - y)
EMULATOR_IN_EACH(__vsubss2, short, ::emulator::detail::nearest<short>(x - y))
EMULATOR_IN_EACH(__vsubus2, unsigned short, ::emulator::detail::nearest<unsigned short>(x - y))
// Halves go away from zero; in __vhaddu2() they go down.
EMULATOR_IN_EACH(__vavgs2, short, (x + y + (x + y >= 0 ? 1 : 0)) >> 1)
EMULATOR_IN_EACH(__vavgu2, unsigned short, (x + y + 1) >> 1)
EMULATOR_IN_EACH(__vhaddu2, unsigned short, (x + y) >> 1)
EMULATOR_COMPARISON(eq2, unsigned short, ==)
EMULATOR_COMPARISON(ne2, unsigned short, !=)
EMULATOR_COMPARISON(ges2, short, >=)
EMULATOR_COMPARISON(geu2, unsigned short, >=)
EMULATOR_COMPARISON(gts2, short, >)
EMULATOR_COMPARISON(gtu2, unsigned short, >)
EMULATOR_COMPARISON(les2, short, <=)
EMULATOR_COMPARISON(leu2, unsigned short, <=)
EMULATOR_COMPARISON(lts2, short, <)
EMULATOR_COMPARISON(ltu2, unsigned short, <)
EMULATOR_SUM_OF_DIFFERENCES(__vsads2, __vabsdiffs2, unsigned short)
EMULATOR_SUM_OF_DIFFERENCES(__vsadu2, __vabsdiffu2, unsigned short)
EMULATOR_IN_EACH(__vmins4, signed char, x < y ? x : y)
EMULATOR_IN_EACH(__vminu4, unsigned char, x < y ? x : y)
EMULATOR_IN_EACH(__vmaxs4, signed char, x > y ? x : y)
EMULATOR_IN_EACH(__vmaxu4, unsigned char, x > y ? x : y)
EMULATOR_OF_EACH(__vabs4, signed char, x < 0 ? -x : x)
EMULATOR_OF_EACH(__vabsss4, signed char, ::emulator::detail::nearest<signed char>(x < 0 ? -x : x))
EMULATOR_OF_EACH(__vneg4, signed char, -x)
EMULATOR_OF_EACH(__vnegss4, signed char, ::emulator::detail::nearest<signed char>(-x))
EMULATOR_IN_EACH(__vabsdiffs4, signed char, x < y ? y - x : x - y)
EMULATOR_IN_EACH(__vabsdiffu4, unsigned char, x < y ? y - x : x - y)
EMULATOR_IN_EACH(__vadd4, unsigned char, x + y)
EMULATOR_IN_EACH(__vaddss4, signed char, ::emulator::detail::nearest<signed char>(x + y))
EMULATOR_IN_EACH(__vaddus4, unsigned char, ::emulator::detail::nearest<unsigned char>(x + y))
EMULATOR_IN_EACH(__vsub4, unsigned char, x - y)
EMULATOR_IN_EACH(__vsubss4, signed char, ::emulator::detail::nearest<signed char>(x - y))
EMULATOR_IN_EACH(__vsubus4, unsigned char, ::emulator::detail::nearest<unsigned char>(x - y))
// Halves go away from zero; in __vhaddu4() they go down.
EMULATOR_IN_EACH(__vavgs4, signed char, (x + y + (x + y >= 0 ? 1 : 0)) >> 1)
EMULATOR_IN_EACH(__vavgu4, unsigned char, (x + y + 1) >> 1)
EMULATOR_IN_EACH(__vhaddu4, unsigned char, (x + y) >> 1)
EMULATOR_COMPARISON(eq4, unsigned char, ==)
EMULATOR_COMPARISON(ne4, unsigned char, !=)
EMULATOR_COMPARISON(ges4, signed char, >=)
EMULATOR_COMPARISON(geu4, unsigned char, >=)
EMULATOR_COMPARISON(gts4, signed char, >)
EMULATOR_COMPARISON(gtu4, unsigned char, >)
EMULATOR_COMPARISON(les4, signed char, <=)
EMULATOR_COMPARISON(leu4, unsigned char, <=)
EMULATOR_COMPARISON(lts4, signed char, <)
EMULATOR_COMPARISON(ltu4, unsigned char, <)
EMULATOR_SUM_OF_DIFFERENCES(__vsads4, __vabsdiffs4, unsigned char)
EMULATOR_SUM_OF_DIFFERENCES(__vsadu4, __vabsdiffu4, unsigned char)
#undef EMULATOR_SUM_OF_DIFFERENCES
#undef EMULATOR_COMPARISON
#undef EMULATOR_OF_EACH
#undef EMULATOR_IN_EACH
EMULATOR_DEVICE_ONLY_END
