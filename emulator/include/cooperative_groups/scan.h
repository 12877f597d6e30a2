#pragma once
#pragma GCC system_header
/// \file
/// Cooperative groups: prefix sums, and prefixes of other operators, over the threads of a group.

#include <type_traits>

#include "cooperative_groups.h"
#include "emulator/cooperative/cooperative_operators.h"

namespace cooperative_groups {

/// The values of the thread and of all of lower rank, combined.
template <class Group, class T, class Operator>
EMULATOR_INLINE auto inclusive_scan(const Group& group, T&& value, Operator&& combine)
    -> std::decay_t<decltype(combine(value, value))> {
  using Value = std::decay_t<T>;
  static_assert(std::is_same_v<Value, std::decay_t<decltype(combine(value, value))>>,
                "the operator's result has another type than the values");
  return emulator::detail::scan_group(group, static_cast<const Value&>(value), combine);
}
template <class Group, class T>
EMULATOR_INLINE std::decay_t<T> inclusive_scan(const Group& group, T&& value) {
  return inclusive_scan(group, value, plus<std::decay_t<T>>());
}

/// The values of all threads of lower rank, combined; the first gets a value of zeros.
template <class Group, class T, class Operator>
EMULATOR_INLINE auto exclusive_scan(const Group& group, T&& value, Operator&& combine)
    -> std::decay_t<decltype(combine(value, value))> {
  using Value = std::decay_t<T>;
  const Value total = inclusive_scan(group, value, combine);
  const Value below = group.shfl_up(total, 1U);
  return group.thread_rank() == 0 ? Value{} : below;
}
template <class Group, class T>
EMULATOR_INLINE std::decay_t<T> exclusive_scan(const Group& group, T&& value) {
  return exclusive_scan(group, value, plus<std::decay_t<T>>());
}

}  // namespace cooperative_groups
