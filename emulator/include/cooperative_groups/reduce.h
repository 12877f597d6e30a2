#pragma once
#pragma GCC system_header
/// \file
/// Cooperative groups: reductions over the threads of a tile or a coalesced group.

#include <type_traits>

#include "cooperative_groups.h"
#include "emulator/cooperative/cooperative_operators.h"

namespace cooperative_groups {

/// op(op(a, b), ...) over the values of all threads of the group; all get the result. The order is
/// a GPU's: in a tile halves, quarters and so on are folded onto each other.
template <unsigned int Size, class Parent, class T, class Operator>
EMULATOR_INLINE auto reduce(const thread_block_tile<Size, Parent>& group, T&& value,
                            Operator&& combine) -> std::decay_t<decltype(combine(value, value))> {
  using Value = std::decay_t<T>;
  static_assert(std::is_same_v<Value, std::decay_t<decltype(combine(value, value))>>,
                "the operator's result has another type than the values");
  Value total = value;
  if constexpr (Size <= 32) {
    for (unsigned distance = Size / 2; distance > 0; distance /= 2) {
      total = combine(total, group.shfl_xor(total, distance));
    }
  } else {
    using emulator::detail::WarpOperation;
    for (int distance = 16; distance > 0; distance /= 2) {
      total = combine(total, emulator::detail::shuffle_value(WarpOperation::shuffle_xor,
                                                             0xFFFFFFFFU, total, distance));
    }
    constexpr unsigned warps = Size / 32;
    Value of_warp[warps] = {};
    for (unsigned warp = 0; warp < warps; ++warp) {
      of_warp[warp] = group.shfl(total, static_cast<int>(warp * 32));
    }
    for (unsigned distance = warps / 2; distance > 0; distance /= 2) {
      for (unsigned warp = 0; warp < distance; ++warp) {
        of_warp[warp] = combine(of_warp[warp], of_warp[warp + distance]);
      }
    }
    total = of_warp[0];
  }
  return total;
}

template <class T, class Operator>
EMULATOR_INLINE auto reduce(const coalesced_group& group, T&& value, Operator&& combine)
    -> std::decay_t<decltype(combine(value, value))> {
  using Value = std::decay_t<T>;
  static_assert(std::is_same_v<Value, std::decay_t<decltype(combine(value, value))>>,
                "the operator's result has another type than the values");
  if (group.size() == 32) {
    Value total = value;
    for (int distance = 16; distance > 0; distance /= 2) {
      using emulator::detail::WarpOperation;
      total = combine(total, emulator::detail::shuffle_value(WarpOperation::shuffle_xor,
                                                             0xFFFFFFFFU, total, distance));
    }
    return total;
  }
  const Value total =
      emulator::detail::scan_group(group, static_cast<const Value&>(value), combine);
  return group.shfl(total, static_cast<int>(group.size()) - 1);
}

/// The same; the result goes to memory. It is there when the group's threads have met next.
template <class Group, class Result, class T, class Operator>
EMULATOR_INLINE void reduce_store_async(const Group& group, Result* destination, T&& value,
                                        Operator&& combine) {
  const auto total = reduce(group, value, combine);
  if (group.thread_rank() == 0) *destination = total;
}

}  // namespace cooperative_groups
