#pragma once
#pragma GCC system_header
/// \file
/// Cooperative groups: tiles, the equal parts into which a block or a larger tile is cut.

#include <type_traits>

#include "emulator/cooperative/cooperative_base.h"
#include "emulator/cooperative/cooperative_warp.h"

namespace cooperative_groups {

/// `Size` neighbouring threads: 1, 2, 4, … 32 of a warp, or 2, 4, … 32 whole warps of a block.
template <unsigned int Size, class Parent = void>
class thread_block_tile;

/// A tile, whatever it is part of.
template <unsigned int Size>
class thread_block_tile<Size, void> : public thread_group {
  static_assert(Size != 0 && (Size & (Size - 1)) == 0 && Size <= 1024,
                "a tile has 1, 2, 4, ... 1024 threads");

 public:
  static constexpr bool is_one_warp = Size <= 32;

  EMULATOR_INLINE static constexpr unsigned size() { return Size; }
  EMULATOR_INLINE static constexpr unsigned num_threads() { return Size; }
  EMULATOR_INLINE static unsigned thread_rank() { return emulator::detail::rank_in_block() % Size; }
  /// Which of the parts of its parent this is, and how many there are.
  EMULATOR_INLINE unsigned meta_group_rank() const { return meta_rank_; }
  EMULATOR_INLINE unsigned meta_group_size() const { return meta_size_; }

  EMULATOR_INLINE void sync() const {
    if constexpr (is_one_warp) {
      __syncwarp(mask_);
    } else {
      emulator::detail::tile_exchange(Size);
    }
  }

  /// The value of the thread with that rank.
  template <class T>
  EMULATOR_INLINE T shfl(T value, int rank) const {
    if constexpr (is_one_warp) {
      return exchanged(emulator::detail::WarpOperation::shuffle, value, rank);
    } else {
      static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= 32,
                    "a shuffle moves values of at most 32 bytes that can be copied byte by byte");
      T result = value;
      emulator::detail::tile_exchange(Size, &value, &result, sizeof(T),
                                      static_cast<unsigned>(rank) % Size);
      return result;
    }
  }
  /// The value of the thread `delta` ranks below; one's own if there is none.
  template <class T>
  EMULATOR_INLINE T shfl_up(T value, unsigned delta) const {
    if (delta >= Size) return value;
    return exchanged(emulator::detail::WarpOperation::shuffle_up, value, static_cast<int>(delta));
  }
  /// The value of the thread `delta` ranks above; one's own if there is none.
  template <class T>
  EMULATOR_INLINE T shfl_down(T value, unsigned delta) const {
    if (delta >= Size) return value;
    return exchanged(emulator::detail::WarpOperation::shuffle_down, value, static_cast<int>(delta));
  }
  /// The value of the thread whose rank is one's own XOR `mask`.
  template <class T>
  EMULATOR_INLINE T shfl_xor(T value, unsigned mask) const {
    return exchanged(emulator::detail::WarpOperation::shuffle_xor, value, static_cast<int>(mask));
  }

  EMULATOR_INLINE int any(int predicate) const {
    if constexpr (is_one_warp) {
      return __any_sync(mask_, predicate);
    } else {
      return any_warp(__any_sync(0xFFFFFFFFU, predicate));
    }
  }
  EMULATOR_INLINE int all(int predicate) const {
    if constexpr (is_one_warp) {
      return __all_sync(mask_, predicate);
    } else {
      return any_warp(__any_sync(0xFFFFFFFFU, !predicate)) == 0 ? 1 : 0;
    }
  }
  /// The votes, a bit a rank.
  EMULATOR_INLINE unsigned ballot(int predicate) const {
    return __ballot_sync(lanes(), predicate) >> first_lane();
  }
  /// The ranks that have the same value.
  template <class T>
  EMULATOR_INLINE unsigned match_any(T value) const {
    using emulator::detail::WarpOperation;
    return emulator::detail::match_lanes(WarpOperation::match_any, lanes(), value) >> first_lane();
  }
  /// All ranks if all have the same value, else none; `equal` tells which.
  template <class T>
  EMULATOR_INLINE unsigned match_all(T value, int& equal) const {
    using emulator::detail::WarpOperation;
    bool all_equal = false;
    const unsigned same =
        emulator::detail::match_lanes(WarpOperation::match_all, lanes(), value, &all_equal);
    equal = all_equal ? 1 : 0;
    return same >> first_lane();
  }

 protected:
  friend class group_access;

  EMULATOR_INLINE thread_block_tile(unsigned meta_rank, unsigned meta_size)
      : thread_group(is_one_warp ? emulator::detail::GroupKind::coalesced
                                 : emulator::detail::GroupKind::multi_warp,
                     Size) {
    constexpr unsigned ones = Size >= 32 ? 0xFFFFFFFFU : (1U << (Size % 32)) - 1U;
    mask_ = is_one_warp ? ones << first_lane() : 0;
    meta_rank_ = meta_rank;
    meta_size_ = meta_size;
  }

 private:
  EMULATOR_INLINE static unsigned first_lane() {
    return emulator::detail::lane_of_thread() & ~(Size - 1U) & 31U;
  }
  EMULATOR_INLINE unsigned lanes() const {
    static_assert(is_one_warp, "not modelled for tiles of several warps");
    return mask_;
  }
  EMULATOR_INLINE int any_warp(int vote) const {
    int votes = 0;
    for (unsigned first = 0; first < Size; first += 32)
      votes |= shfl(vote, static_cast<int>(first));
    return votes;
  }
  template <class T>
  EMULATOR_INLINE T exchanged(emulator::detail::WarpOperation operation, const T& value,
                              int source) const {
    constexpr int width = is_one_warp ? static_cast<int>(Size) : 32;
    return emulator::detail::shuffle_value(operation, lanes(), value, source, width);
  }
};

/// A tile that knows the type of the group it is part of.
template <unsigned int Size, class Parent>
class thread_block_tile : public thread_block_tile<Size, void> {
 public:
  EMULATOR_INLINE thread_block_tile(const Parent& parent)
      : thread_block_tile<Size, void>(static_cast<unsigned>(parent.thread_rank()) / Size,
                                      static_cast<unsigned>(parent.size() + Size - 1) / Size) {}
};

namespace details {

template <class Group>
inline constexpr unsigned largest_tile_of = 0;
template <>
inline constexpr unsigned largest_tile_of<thread_block> = 1024;
template <unsigned int Size, class Parent>
inline constexpr unsigned largest_tile_of<thread_block_tile<Size, Parent>> = Size;

}  // namespace details

/// Cuts a block or a tile into tiles of `Size` threads; returns the caller's.
template <unsigned int Size, class Parent>
EMULATOR_INLINE thread_block_tile<Size, Parent> tiled_partition(const Parent& parent) {
  static_assert(details::largest_tile_of<Parent> != 0, "tiles are cut from blocks and tiles");
  static_assert(details::largest_tile_of<Parent> >= Size, "a tile is no larger than its parent");
  return thread_block_tile<Size, Parent>(parent);
}

/// The calling thread alone.
EMULATOR_INLINE thread_block_tile<1, void> this_thread() {
  return group_access::make<thread_block_tile<1, void>>(0U, 1U);
}

}  // namespace cooperative_groups
