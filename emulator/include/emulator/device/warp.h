#pragma once
#pragma GCC system_header
/// \file
/// Barriers, shuffles, votes: everything by which the threads of a block or warp wait for others.

#include <type_traits>

#include "emulator/inline.h"

namespace emulator::detail {

// std::uint64_t, without its header: a program that lacks the header is to be told.
using Bits = __UINT64_TYPE__;

enum class BarrierKind : unsigned char { plain, count, all, any };

enum class WarpOperation : unsigned char {
  sync,
  shuffle,
  shuffle_up,
  shuffle_down,
  shuffle_xor,
  ballot,
  all,
  any,
  match_any,
  match_all,
  add,
  min,
  max,
  signed_min,
  signed_max,
  bit_and,
  bit_or,
  bit_xor,
  active_mask,
  matrix,  ///< one of matrix.h
};

/// Waits at a barrier for all live threads of the block.
void block_barrier();

/// The same at a barrier that combines the predicates that the threads bring; returns the result.
int block_vote(BarrierKind kind, int predicate);

/// Waits for the lanes that the operation needs; returns its result. Takes plain values, so that
/// the caller, which is instrumented, keeps everything in registers.
/// @param all_equal set by match_all, if not null
Bits warp_operation(WarpOperation operation, unsigned mask, Bits value, int source = 0,
                    int width = 32, bool* all_equal = nullptr);

template <class T>
EMULATOR_INLINE Bits to_bits(T value) {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= 8,
                "a warp operation moves values of at most 8 bytes");
  Bits bits = 0;
  __builtin_memcpy(&bits, &value, sizeof(T));
  return bits;
}

template <class T>
EMULATOR_INLINE T from_bits(Bits bits) {
  T value;
  __builtin_memcpy(&value, &bits, sizeof(T));
  return value;
}

/// One value in, the same type out: shuffles and reductions.
template <class T>
EMULATOR_INLINE T exchange(WarpOperation operation, unsigned mask, T value, int source = 0,
                           int width = 32) {
  return from_bits<T>(warp_operation(operation, mask, to_bits(value), source, width));
}

/// Votes: a predicate in, an int or a mask of lanes out.
EMULATOR_INLINE int vote(WarpOperation operation, unsigned mask, int predicate) {
  return static_cast<int>(warp_operation(operation, mask, predicate != 0));
}

}  // namespace emulator::detail

EMULATOR_DEVICE_ONLY_BEGIN

// block_barrier() itself: inlined, its call would be in a line of this file, and no debugger
// could stop in the program's.
void __syncthreads() __asm__("_ZN8emulator6detail13block_barrierEv");
EMULATOR_INLINE int __syncthreads_count(int predicate) {
  return emulator::detail::block_vote(emulator::detail::BarrierKind::count, predicate);
}
EMULATOR_INLINE int __syncthreads_and(int predicate) {
  return emulator::detail::block_vote(emulator::detail::BarrierKind::all, predicate);
}
EMULATOR_INLINE int __syncthreads_or(int predicate) {
  return emulator::detail::block_vote(emulator::detail::BarrierKind::any, predicate);
}

EMULATOR_INLINE void __syncwarp(unsigned mask = 0xFFFFFFFFU) {
  emulator::detail::warp_operation(emulator::detail::WarpOperation::sync, mask, 0);
}
EMULATOR_INLINE unsigned __activemask() {
  return static_cast<unsigned>(emulator::detail::warp_operation(
      emulator::detail::WarpOperation::active_mask, 0xFFFFFFFFU, 0));
}

template <class T>
EMULATOR_INLINE T __shfl_sync(unsigned mask, T value, int source_lane, int width = 32) {
  return emulator::detail::exchange(emulator::detail::WarpOperation::shuffle, mask, value,
                                    source_lane, width);
}
template <class T>
EMULATOR_INLINE T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32) {
  return emulator::detail::exchange(emulator::detail::WarpOperation::shuffle_up, mask, value,
                                    static_cast<int>(delta), width);
}
template <class T>
EMULATOR_INLINE T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32) {
  return emulator::detail::exchange(emulator::detail::WarpOperation::shuffle_down, mask, value,
                                    static_cast<int>(delta), width);
}
template <class T>
EMULATOR_INLINE T __shfl_xor_sync(unsigned mask, T value, int lane_mask, int width = 32) {
  return emulator::detail::exchange(emulator::detail::WarpOperation::shuffle_xor, mask, value,
                                    lane_mask, width);
}

EMULATOR_INLINE unsigned __ballot_sync(unsigned mask, int predicate) {
  return static_cast<unsigned>(
      emulator::detail::vote(emulator::detail::WarpOperation::ballot, mask, predicate));
}
EMULATOR_INLINE int __all_sync(unsigned mask, int predicate) {
  return emulator::detail::vote(emulator::detail::WarpOperation::all, mask, predicate);
}
EMULATOR_INLINE int __any_sync(unsigned mask, int predicate) {
  return emulator::detail::vote(emulator::detail::WarpOperation::any, mask, predicate);
}

template <class T>
EMULATOR_INLINE unsigned __match_any_sync(unsigned mask, T value) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8);
  return static_cast<unsigned>(emulator::detail::warp_operation(
      emulator::detail::WarpOperation::match_any, mask, emulator::detail::to_bits(value)));
}
template <class T>
EMULATOR_INLINE unsigned __match_all_sync(unsigned mask, T value, int* all_equal) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8);
  bool equal = false;
  const auto lanes = static_cast<unsigned>(
      emulator::detail::warp_operation(emulator::detail::WarpOperation::match_all, mask,
                                       emulator::detail::to_bits(value), 0, 32, &equal));
  *all_equal = equal ? 1 : 0;
  return lanes;
}

// Reductions over the lanes of a mask: of unsigned and signed values, but for the bitwise ones.
#define EMULATOR_REDUCE(name, type, operation)                                                  \
  EMULATOR_INLINE type __reduce_##name##_sync(unsigned mask, type value) {                      \
    return emulator::detail::exchange(emulator::detail::WarpOperation::operation, mask, value); \
  }
EMULATOR_REDUCE(add, unsigned, add)
EMULATOR_REDUCE(add, int, add)
EMULATOR_REDUCE(min, unsigned, min)
EMULATOR_REDUCE(min, int, signed_min)
EMULATOR_REDUCE(max, unsigned, max)
EMULATOR_REDUCE(max, int, signed_max)
EMULATOR_REDUCE(and, unsigned, bit_and)
EMULATOR_REDUCE(or, unsigned, bit_or)
EMULATOR_REDUCE(xor, unsigned, bit_xor)
#undef EMULATOR_REDUCE

EMULATOR_DEVICE_ONLY_END
