#pragma once
#pragma GCC system_header
/// \file
/// What PTX has for the lanes of a warp and the threads of a block, and for state spaces.

#include "emulator/device/clusters.h"
#include "emulator/device/special_registers.h"
#include "emulator/device/warp.h"
#include "emulator/ptx/ptx_types.h"

namespace emulator::detail {

/// Whether an address is one of shared memory, or of the running thread's own.
bool is_shared_address(const void* pointer);
bool is_local_address(const void* pointer);

}  // namespace emulator::detail

namespace emulator::ptx {

template <Option which>
EMULATOR_INLINE bool vote(bool predicate, u32 mask) {
  if constexpr (which == Option::all_) return ::__all_sync(mask, predicate) != 0;
  if constexpr (which == Option::any_) return ::__any_sync(mask, predicate) != 0;
  return ::__any_sync(mask, predicate) == ::__all_sync(mask, predicate);  // uni
}

template <class T>
EMULATOR_INLINE Pair<u32> match_all(T value, u32 mask) {
  int is_equal = 0;
  const u32 lanes = ::__match_all_sync(mask, value, &is_equal);
  return {lanes, is_equal != 0};
}

/// From which lane a shuffle reads, and whether there is one. `packed` has the last lane of a
/// segment in its lowest five bits, and in the second byte those bits of a lane that name its
/// segment.
template <Option which>
EMULATOR_LEAF Pair<u32> source_of(u32 lane, u32 by, u32 packed) {
  const u32 segments = packed >> 8 & 31U;
  const u32 last = (lane & segments) | (packed & 31U & ~segments);
  const u32 first = lane & segments;
  by &= 31U;
  s32 from = 0;
  bool is_there = false;
  switch (which) {
    case Option::up_:
      from = static_cast<s32>(lane) - static_cast<s32>(by);
      is_there = from >= static_cast<s32>(last);
      break;
    case Option::down_:
      from = static_cast<s32>(lane + by);
      is_there = from <= static_cast<s32>(last);
      break;
    case Option::bfly_:
      from = static_cast<s32>(lane ^ by);
      is_there = from <= static_cast<s32>(last);
      break;
    default:
      from = static_cast<s32>(first | (by & ~segments));
      is_there = from <= static_cast<s32>(last);
  }
  return {is_there ? static_cast<u32>(from) : lane, is_there};
}
template <Option which>
EMULATOR_INLINE Pair<u32> shuffle(u32 value, u32 by, u32 packed, u32 mask) {
  const Pair<u32> source = source_of<which>(special::laneid(), by, packed);
  return {::__shfl_sync(mask, value, static_cast<int>(source.first)), source.second};
}

template <Option which, class T>
EMULATOR_INLINE T reduce(T value, u32 mask) {
  using Operation = ::emulator::detail::WarpOperation;
  constexpr bool is_signed = std::is_signed_v<T>;
  constexpr Operation operation =
      which == Option::add_   ? Operation::add
      : which == Option::min_ ? is_signed ? Operation::signed_min : Operation::min
      : which == Option::max_ ? is_signed ? Operation::signed_max : Operation::max
      : which == Option::and_ ? Operation::bit_and
      : which == Option::or_  ? Operation::bit_or
                              : Operation::bit_xor;
  return ::emulator::detail::exchange(operation, mask, value);
}

/// One lane of those that are there: the lowest.
EMULATOR_INLINE Pair<u32> elect(u32 mask) {
  const u32 lanes = ::__ballot_sync(mask, 1);
  const auto leader = static_cast<u32>(__builtin_ctz(lanes | 0x80000000U));
  return {leader, leader == special::laneid()};
}

/// An 8 x 8 matrix of 16-bit elements turned round; a lane has two elements of a row.
EMULATOR_INLINE u32 transposed(u32 pair) {
  const u32 lane = special::laneid();
  const u32 row = lane / 4;
  const u32 column = lane % 4 * 2;
  const u32 low = ::__shfl_sync(~0U, pair, static_cast<int>(column * 4 + row / 2));
  const u32 high = ::__shfl_sync(~0U, pair, static_cast<int>((column + 1) * 4 + row / 2));
  const u32 shift = row % 2 * 16;
  return (low >> shift & 0xFFFFU) | (high >> shift & 0xFFFFU) << 16;
}

template <long long number>
EMULATOR_INLINE u32 barrier_count(bool predicate) {
  static_assert(number == 0, "bar.red is modelled for barrier 0 alone");
  return static_cast<u32>(
      ::emulator::detail::block_vote(::emulator::detail::BarrierKind::count, predicate ? 1 : 0));
}
template <long long number, Option which>
EMULATOR_INLINE bool barrier_vote(bool predicate) {
  static_assert(number == 0, "bar.red is modelled for barrier 0 alone");
  return ::emulator::detail::block_vote(which == Option::and_
                                            ? ::emulator::detail::BarrierKind::all
                                            : ::emulator::detail::BarrierKind::any,
                                        predicate ? 1 : 0) != 0;
}

/// The same address in another block of the cluster; and in which block an address is.
EMULATOR_INLINE u32 of_block(u32 address, u32 block) {
  return ::emulator::detail::shared_of_block(address, block);
}
EMULATOR_INLINE u64 of_block(u64 address, u32 block) {
  if (address >> 32 == 0) return of_block(static_cast<u32>(address), block);
  return reinterpret_cast<u64>(
      ::emulator::detail::shared_of_block(reinterpret_cast<const void*>(address), block));
}
EMULATOR_INLINE u32 block_of(u32 address) {
  return ::emulator::detail::block_of_shared(address);
}
EMULATOR_INLINE u32 block_of(u64 address) {
  if (address >> 32 == 0) return block_of(static_cast<u32>(address));
  return ::emulator::detail::block_of_shared(reinterpret_cast<const void*>(address));
}

template <Option space>
EMULATOR_INLINE bool is_in_space(u64 address) {
  const auto* const pointer = reinterpret_cast<const void*>(address);
  if constexpr (space == Option::shared_) return ::emulator::detail::is_shared_address(pointer);
  if constexpr (space == Option::local_) return ::emulator::detail::is_local_address(pointer);
  if constexpr (space == Option::const_) return false;
  return !::emulator::detail::is_shared_address(pointer) &&
         !::emulator::detail::is_local_address(pointer);
}

}  // namespace emulator::ptx

EMULATOR_DEVICE_ONLY_BEGIN
/// Which memory a pointer is to: 1 or 0. Constant variables and parameters are in global memory
/// here.
EMULATOR_INLINE unsigned __isGlobal(const void* pointer) {
  return ::emulator::ptx::is_in_space<::emulator::ptx::Option::global_>(
      reinterpret_cast<::emulator::ptx::u64>(pointer));
}
EMULATOR_INLINE unsigned __isShared(const void* pointer) {
  return ::emulator::ptx::is_in_space<::emulator::ptx::Option::shared_>(
      reinterpret_cast<::emulator::ptx::u64>(pointer));
}
EMULATOR_INLINE unsigned __isClusterShared(const void* pointer) {
  return ::emulator::detail::is_shared_address(pointer);  // of any block of the cluster
}
EMULATOR_INLINE unsigned __isLocal(const void* pointer) {
  return ::emulator::ptx::is_in_space<::emulator::ptx::Option::local_>(
      reinterpret_cast<::emulator::ptx::u64>(pointer));
}
EMULATOR_DEVICE_ONLY_END
