#pragma once
#pragma GCC system_header
/// \file
/// Cooperative groups: the operators of reductions and scans, and the scan that both are made of.

#include "emulator/cooperative/cooperative_warp.h"

namespace cooperative_groups {

/// a + b
template <class T>
struct plus {
  EMULATOR_INLINE T operator()(T a, T b) const { return a + b; }
};
/// The smaller one.
template <class T>
struct less {
  EMULATOR_INLINE T operator()(T a, T b) const { return b < a ? b : a; }
};
/// The larger one.
template <class T>
struct greater {
  EMULATOR_INLINE T operator()(T a, T b) const { return a < b ? b : a; }
};
template <class T>
struct bit_and {
  EMULATOR_INLINE T operator()(T a, T b) const { return static_cast<T>(a & b); }
};
template <class T>
struct bit_or {
  EMULATOR_INLINE T operator()(T a, T b) const { return static_cast<T>(a | b); }
};
template <class T>
struct bit_xor {
  EMULATOR_INLINE T operator()(T a, T b) const { return static_cast<T>(a ^ b); }
};

}  // namespace cooperative_groups

namespace emulator::detail {

/// What the thread and all of lower rank hold, combined: in each round with what the thread twice
/// as far below as in the last has so far.
template <class Group, class T, class Operator>
EMULATOR_INLINE T scan_group(const Group& group, const T& value, Operator& combine) {
  const unsigned rank = group.thread_rank();
  const unsigned size = group.size();
  T total = value;
  for (unsigned distance = 1; distance < size; distance *= 2) {
    const T below = group.shfl_up(total, distance);
    if (rank >= distance) total = combine(total, below);
  }
  return total;
}

}  // namespace emulator::detail
