#pragma once
/// \file
/// Telling a witness what was counted. A witness is a program that runs this one instruction by
/// instruction, as grading/witness does, and compares: what kernels access is what was recorded, or
/// it was not counted.

#include <cstdint>

#include "base/rooms.hpp"

namespace emulator::events {

/// What can be recorded. Of accesses it is the operation: see recording.hpp.
enum class Announcement : std::uint64_t {
  load,
  store,
  atomic,
  fiber = 16,  ///< a stack of a kernel's thread, from its first byte to one past its last
  loan,        ///< memory of the host's that a function may write to, from here to there
  loan_ends,   ///< and may no more
  launch,      ///< of a kernel whose arguments have that many bytes
};

/// Whether somebody listens. Set once, before all kernels.
extern bool is_witnessed;

/// Does nothing: the witness knows this function by its address, and reads the arguments of each
/// call.
extern "C" void emulator_tell_witness(Announcement what, std::uint64_t first, std::uint64_t second);

/// Tells of `bytes` bytes at an address.
inline void tell_access(Announcement what, std::uintptr_t address, unsigned bytes) {
  if (__builtin_expect(is_witnessed, 0)) emulator_tell_witness(what, address, bytes);
}

}  // namespace emulator::events
