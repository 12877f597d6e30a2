#pragma once
#pragma GCC system_header
/// \file
/// The atomic sum of 16-bit floating-point numbers.

#include "emulator/device/atomics.h"
#include "emulator/numbers/float16_format.h"

namespace emulator::detail {

/// Adds to the number at `address`, by its bits; returns the old bits.
template <class Format>
EMULATOR_LEAF unsigned short atomic_add16(void* address, unsigned short val) noexcept {
  auto* const bits = static_cast<unsigned short*>(address);
  unsigned short old = __atomic_load_n(bits, __ATOMIC_SEQ_CST);
  while (!__atomic_compare_exchange_n(bits, &old, sum16<Format>(old, val), false, __ATOMIC_SEQ_CST,
                                      __ATOMIC_SEQ_CST)) {
  }
  return old;
}

}  // namespace emulator::detail
