#pragma once
/// \file
/// What the findings of all checks in kernels share: words, places, and when to stop describing.

#include <cstdint>
#include <string>

#include "base/rooms.hpp"
#include "base/words.hpp"
#include "events/access.hpp"
#include "events/findings.hpp"

namespace emulator::checks {

/// What is found at one place of the code, or at two, is described this often and then counted.
constexpr std::uint64_t most_described = 64;

/// What a kernel does with memory: "reads", "writes", "atomically changes".
const char* verb_of(AccessKind kind);

/// The same as the event at a place, before the thread's name: "read by ", "written by ",
/// "changed by an atomic of ".
const char* event_of(AccessKind kind);

}  // namespace emulator::checks
