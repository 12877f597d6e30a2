#pragma once
#pragma GCC system_header
/// \file
/// Cooperative groups: what threads of one warp do together, and groups of any of its lanes.

#include <cstddef>
#include <type_traits>

#include "emulator/cooperative/cooperative_base.h"

namespace emulator::detail {

/// A shuffle of a value of up to 32 bytes, of any type that can be copied byte by byte: 8 bytes at
/// a time.
template <class T>
EMULATOR_INLINE T shuffle_value(WarpOperation operation, unsigned mask, const T& value, int source,
                                int width = 32) {
  static_assert(std::is_trivially_copyable_v<T>,
                "a shuffle moves values that can be copied byte by byte");
  static_assert(sizeof(T) <= 32, "a shuffle moves values of at most 32 bytes");
  if constexpr (sizeof(T) <= 8) {
    return exchange(operation, mask, value, source, width);
  } else {
    constexpr std::size_t words = (sizeof(T) + 7) / 8;
    std::uint64_t bits[words] = {};
    __builtin_memcpy(bits, &value, sizeof(T));
    for (std::size_t i = 0; i < words; ++i) {
      bits[i] = warp_operation(operation, mask, bits[i], source, width);
    }
    T result = value;
    __builtin_memcpy(&result, bits, sizeof(T));
    return result;
  }
}

/// The lane that holds place `rank` among those of the mask, or `otherwise` if it has fewer.
EMULATOR_LEAF int lane_of_rank(unsigned mask, unsigned rank, int otherwise) {
  for (; rank > 0; --rank) mask &= mask - 1;
  return mask != 0 ? __builtin_ctz(mask) : otherwise;
}

/// The votes of a mask's lanes, moved together: bit i is that of the lane of rank i.
EMULATOR_LEAF unsigned pack_lanes(unsigned votes, unsigned mask) {
  unsigned packed = 0;
  for (unsigned rank = 0; mask != 0; ++rank, mask &= mask - 1) {
    if ((votes & mask & -mask) != 0) packed |= 1U << rank;
  }
  return packed;
}

/// For match_any and match_all: values are compared bit by bit.
template <class T>
EMULATOR_INLINE unsigned match_lanes(WarpOperation operation, unsigned mask, T value,
                                     bool* all_equal = nullptr) {
  static_assert(std::is_arithmetic_v<T> || std::is_enum_v<T> || std::is_pointer_v<T>,
                "a match compares numbers");
  return static_cast<unsigned>(warp_operation(operation, mask, to_bits(value), 0, 32, all_equal));
}

}  // namespace emulator::detail

namespace cooperative_groups {

/// Some of a warp's threads, numbered without gaps.
class coalesced_group : public thread_group {
 public:
  EMULATOR_INLINE unsigned size() const { return size_; }
  EMULATOR_INLINE unsigned num_threads() const { return size_; }
  EMULATOR_INLINE unsigned thread_rank() const {
    return emulator::detail::count_lanes(mask_ & emulator::detail::lanes_below());
  }
  /// Which of the parts that a partition made of its group this is, and how many there are.
  EMULATOR_INLINE unsigned meta_group_rank() const { return meta_rank_; }
  EMULATOR_INLINE unsigned meta_group_size() const { return meta_size_; }
  EMULATOR_INLINE void sync() const { __syncwarp(mask_); }

  /// The value of the thread with that rank.
  template <class T>
  EMULATOR_INLINE T shfl(T value, int rank) const {
    return from_rank(value, static_cast<unsigned>(rank));
  }
  /// The value of the thread `delta` ranks below; one's own if there is none.
  template <class T>
  EMULATOR_INLINE T shfl_up(T value, unsigned delta) const {
    const unsigned rank = thread_rank();
    return from_rank(value, delta <= rank ? rank - delta : rank);
  }
  /// The value of the thread `delta` ranks above; one's own if there is none.
  template <class T>
  EMULATOR_INLINE T shfl_down(T value, unsigned delta) const {
    const unsigned rank = thread_rank();
    return from_rank(value, delta < size_ - rank ? rank + delta : rank);
  }

  EMULATOR_INLINE int any(int predicate) const { return __any_sync(mask_, predicate); }
  EMULATOR_INLINE int all(int predicate) const { return __all_sync(mask_, predicate); }
  /// The votes, a bit a rank.
  EMULATOR_INLINE unsigned ballot(int predicate) const {
    return emulator::detail::pack_lanes(__ballot_sync(mask_, predicate), mask_);
  }
  /// The ranks that have the same value.
  template <class T>
  EMULATOR_INLINE unsigned match_any(T value) const {
    using emulator::detail::WarpOperation;
    return emulator::detail::pack_lanes(
        emulator::detail::match_lanes(WarpOperation::match_any, mask_, value), mask_);
  }
  /// All ranks if all have the same value, else none; `equal` tells which.
  template <class T>
  EMULATOR_INLINE unsigned match_all(T value, int& equal) const {
    using emulator::detail::WarpOperation;
    bool all_equal = false;
    const unsigned lanes =
        emulator::detail::match_lanes(WarpOperation::match_all, mask_, value, &all_equal);
    equal = all_equal ? 1 : 0;
    return emulator::detail::pack_lanes(lanes, mask_);
  }

 protected:
  friend class group_access;

  EMULATOR_INLINE coalesced_group(unsigned mask, unsigned meta_rank, unsigned meta_size)
      : thread_group(emulator::detail::GroupKind::coalesced, emulator::detail::count_lanes(mask)) {
    mask_ = mask;
    meta_rank_ = meta_rank;
    meta_size_ = meta_size;
  }

 private:
  template <class T>
  EMULATOR_INLINE T from_rank(const T& value, unsigned rank) const {
    const int self = static_cast<int>(emulator::detail::lane_of_thread());
    const int lane = emulator::detail::lane_of_rank(mask_, rank, self);
    return emulator::detail::shuffle_value(emulator::detail::WarpOperation::shuffle, mask_, value,
                                           lane);
  }
};

/// The threads of the warp that are at this place now, together with the caller.
EMULATOR_INLINE coalesced_group coalesced_threads() {
  return group_access::make<coalesced_group>(__activemask(), 0U, 1U);
}

}  // namespace cooperative_groups
