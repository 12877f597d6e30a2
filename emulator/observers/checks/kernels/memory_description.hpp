#pragma once
/// \file
/// Which allocation or variable an access was most likely meant for, in a finding's words.

#include <cstdint>
#include <string>

#include "base/arena.hpp"
#include "base/rooms.hpp"
#include "events/access.hpp"
#include "events/findings.hpp"
#include "observers/checks/kernels/shared_memories.hpp"

namespace emulator::checks {

/// Says in a finding where an access of that kind would be, held against what it was meant for.
void describe_memory(Finding& finding, std::uint64_t address, AccessKind kind,
                     const SharedMemories& shared);

/// The same of an access that was meant for that allocation.
void describe_allocation(Finding& finding, const Allocation& allocation, std::uint64_t address);

/// Whether the host has memory at an address. Where it has none, a kernel's pointer is not a
/// pointer of the host's that came by mistake, but one of the device's with an index that is out of
/// bounds.
bool is_mapped(std::uint64_t address);

/// A variable's name, `as it is quoted`.
std::string quoted(const std::string& name);

}  // namespace emulator::checks
