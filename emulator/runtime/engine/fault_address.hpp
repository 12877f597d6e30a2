#pragma once
/// \file
/// The address that an instruction could not access, where the kernel of the host does not say it.

#include <cstdint>
#include <optional>

#include "base/rooms.hpp"

namespace emulator::engine {

/// What x86-64 raises for an address that no memory can have, and for one that an instruction of 16
/// or 32 bytes wants aligned, comes without the address. This reads it from the instruction.
/// \param context of the signal
/// \return nothing if the instruction is not one that g++ accesses memory with
std::optional<std::uintptr_t> address_of_operand(const void* context);

}  // namespace emulator::engine
