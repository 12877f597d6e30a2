#pragma once
/// \file
/// What the compiler makes of an atomic operation, by what it can see at the call.

#include <cstdint>

#include "base/rooms.hpp"
#include "emulator/device/atomics.h"
#include "events/access.hpp"

namespace emulator::events {

/// What becomes of an atomic operation. The numbers are kept with the access: three bits.
enum class AtomicForm : unsigned {
  one_step,     ///< one instruction
  compare,      ///< a compare-and-swap
  loop,         ///< a loop of load and compare-and-swap in shared memory, else one instruction
  count_lanes,  ///< adds the number of lanes to each word of shared memory, else as one_step
  one_lane,     ///< the warp's values are added up first
};

/// What the compiler makes of an operation of `bytes`, given what it can see at the call: the bits
/// of emulator/device/atomics.h.
AtomicForm form_of(AtomicOperation operation, unsigned bytes, unsigned hints);

/// What becomes of an access of the kind `what`, an atomic operation.
inline AtomicForm atomic_form(std::uint64_t what) {
  return static_cast<AtomicForm>(Access::form_of(what));
}

/// The form as flags of the access.
constexpr unsigned form_flags(AtomicForm form) {
  return static_cast<unsigned>(form) * access_flags::atomic_form_unit;
}

}  // namespace emulator::events
