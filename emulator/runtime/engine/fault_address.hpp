#pragma once
/// \file
/// What an instruction could not do. If it is an access: the address, where the kernel of the host
/// does not say it, and whether it was to be read. If it is a division: going on after it.

#include <cstdint>
#include <optional>

#include "base/rooms.hpp"

namespace emulator::engine {

/// What x86-64 raises for an address that no memory can have, and for one that an instruction of 16
/// or 32 bytes wants aligned, comes without the address. This reads it from the instruction.
/// \param context of the signal
/// \return nothing if the instruction is not one that g++ accesses memory with
std::optional<std::uintptr_t> address_of_operand(const void* context);

/// Whether the instruction was about to read. Not known of all processors: then false.
/// \param context of a SIGSEGV
bool was_read(const void* context);

/// Goes on after a division that the host's processor cannot do, with the results of a GPU: the
/// quotient of a division by zero is all ones, and the remainder the dividend. (PTX leaves open
/// what they are.) That of the smallest number by -1 is that number.
struct PassedDivision {
  bool by_zero;
  std::uintptr_t next;  ///< the instruction after it
};
/// \param context of a SIGFPE
/// \return nothing if the instruction is not a division of integers
std::optional<PassedDivision> pass_over_division(void* context);

}  // namespace emulator::engine
