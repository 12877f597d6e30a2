#pragma once
#pragma GCC system_header
/// \file
/// Minima and maxima of two or four numbers in a word. Of CUDA's SIMD intrinsics these are
/// modelled.

#include "emulator/inline.h"

namespace emulator::detail {

/// In each part of a word that is a T: what `choose` makes of the two.
template <class T, class Choose>
EMULATOR_LEAF unsigned in_each(unsigned a, unsigned b, Choose choose) {
  unsigned result = 0;
  for (unsigned shift = 0; shift < 32; shift += 8 * sizeof(T)) {
    const T part = choose(static_cast<T>(a >> shift), static_cast<T>(b >> shift));
    result |= (static_cast<unsigned>(part) & (sizeof(T) == 1 ? 0xFFU : 0xFFFFU)) << shift;
  }
  return result;
}

}  // namespace emulator::detail

EMULATOR_DEVICE_ONLY_BEGIN
#define EMULATOR_IN_EACH(name, T, sign)                                                     \
  EMULATOR_LEAF unsigned name(unsigned a, unsigned b) {                                     \
    return ::emulator::detail::in_each<T>(a, b, [](T x, T y) { return x sign y ? x : y; }); \
  }
EMULATOR_IN_EACH(__vmins2, short, <)
EMULATOR_IN_EACH(__vminu2, unsigned short, <)
EMULATOR_IN_EACH(__vmaxs2, short, >)
EMULATOR_IN_EACH(__vmaxu2, unsigned short, >)
EMULATOR_IN_EACH(__vmins4, signed char, <)
EMULATOR_IN_EACH(__vminu4, unsigned char, <)
EMULATOR_IN_EACH(__vmaxs4, signed char, >)
EMULATOR_IN_EACH(__vmaxu4, unsigned char, >)
#undef EMULATOR_IN_EACH
EMULATOR_DEVICE_ONLY_END
