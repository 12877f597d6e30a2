#pragma once
#pragma GCC system_header
/// \file
/// Cooperative groups: partitions whose sizes only the running kernel knows.

#include <type_traits>

#include "emulator/cooperative/cooperative_tiles.h"
#include "emulator/cooperative/cooperative_warp.h"

namespace emulator::detail {

/// `count` of the mask's lanes, from the one of rank `first` on.
EMULATOR_LEAF unsigned some_lanes(unsigned mask, unsigned first, unsigned count) {
  unsigned part = 0;
  for (unsigned rank = 0; mask != 0; ++rank, mask &= mask - 1) {
    if (rank >= first && rank < first + count) part |= mask & -mask;
  }
  return part;
}

/// The caller's of the parts of `tile_size` lanes, by rank.
EMULATOR_INLINE cooperative_groups::coalesced_group part_of(unsigned mask, unsigned tile_size) {
  const unsigned rank = count_lanes(mask & lanes_below()) / tile_size;
  const unsigned parts = (count_lanes(mask) + tile_size - 1) / tile_size;
  return cooperative_groups::group_access::make<cooperative_groups::coalesced_group>(
      some_lanes(mask, rank * tile_size, tile_size), rank, parts);
}

EMULATOR_INLINE void check_tile_size(unsigned tile_size) {
  if (tile_size == 0 || tile_size > 32 || (tile_size & (tile_size - 1)) != 0) trap();
}

}  // namespace emulator::detail

namespace cooperative_groups {

/// Cuts a group into parts of `tile_size` threads: 1, 2, 4, … 32; the last may have fewer. Returns
/// the caller's.
EMULATOR_INLINE coalesced_group tiled_partition(const coalesced_group& parent, unsigned tile_size) {
  emulator::detail::check_tile_size(tile_size);
  return emulator::detail::part_of(group_access::mask(parent), tile_size);
}

/// The same of a block, or of any group but the grid.
EMULATOR_INLINE thread_group tiled_partition(const thread_group& parent, unsigned tile_size) {
  using emulator::detail::GroupKind;
  emulator::detail::check_tile_size(tile_size);
  const GroupKind kind = group_access::kind(parent);
  if (kind == GroupKind::coalesced) {
    return emulator::detail::part_of(group_access::mask(parent), tile_size);
  }
  if (kind == GroupKind::grid) emulator::detail::trap();
  const unsigned size = group_access::size(parent);
  const auto rank = static_cast<unsigned>(parent.thread_rank());
  const unsigned first = rank & ~(tile_size - 1U);
  const unsigned threads = size - first < tile_size ? size - first : tile_size;
  return group_access::make<coalesced_group>(0xFFFFFFFFU >> (32U - threads) << (first % 32U),
                                             rank / tile_size, (size + tile_size - 1U) / tile_size);
}

/// Parts a group by a predicate: the caller's part has those that agree with it.
template <class Group>
EMULATOR_INLINE coalesced_group binary_partition(const Group& group, bool predicate) {
  const unsigned mask = group_access::mask(group);
  const unsigned votes = __ballot_sync(mask, predicate);
  if (votes == 0 || votes == mask) return group_access::make<coalesced_group>(mask, 0U, 1U);
  return group_access::make<coalesced_group>(predicate ? votes : mask & ~votes, predicate ? 1U : 0U,
                                             2U);
}

/// Parts a group by a label: the caller's part has those with the same.
template <class Group, class Label>
EMULATOR_INLINE coalesced_group labeled_partition(const Group& group, Label label) {
  static_assert(std::is_integral_v<Label> || std::is_pointer_v<Label> || std::is_enum_v<Label>,
                "a label is an integer or a pointer");
  using emulator::detail::count_lanes;
  if constexpr (std::is_same_v<Label, bool>) {
    return binary_partition(group, label);
  } else {
    const unsigned mask = group_access::mask(group);
    const unsigned part =
        emulator::detail::match_lanes(emulator::detail::WarpOperation::match_any, mask, label);
    // Parts are numbered by their first lanes.
    const unsigned first = part & -part;
    const unsigned own = 1U << emulator::detail::lane_of_thread();
    const unsigned firsts = __ballot_sync(mask, first == own);
    return group_access::make<coalesced_group>(part, count_lanes(firsts & (first - 1U)),
                                               count_lanes(firsts));
  }
}

}  // namespace cooperative_groups
