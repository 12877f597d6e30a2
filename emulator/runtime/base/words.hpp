#pragma once
/// \file
/// Words and places that messages of all rooms are made of.

#include <cstdint>
#include <string>
#include <vector>

#include "base/rooms.hpp"
#include "base/words.hpp"
#include "emulator/device/vector_types.h"
#include "emulator/findings.h"

namespace emulator::base {

/// `1 byte`, `4000 bytes`.
std::string counted_bytes(std::uint64_t bytes);

/// `(x,y,z)`.
std::string triple(const dim3& value);

/// `thread (x,y,z) of block (x,y,z)`, as the events of findings name a thread.
std::string thread_text(const dim3& thread, const dim3& block);

/// The place in the source of an instruction, and what happened there.
FindingPlace place_at(std::uint64_t pc, std::string event);

/// The same; if a library's function does it that was inlined, the program's line that calls the
/// library first, and the library's after it.
constexpr const char* in_library = "in the library";
std::vector<FindingPlace> places_at(std::uint64_t pc, std::string event);

/// A sentence on how to mend a finding of that kind.
const char* remedy_of(const std::string& kind);

}  // namespace emulator::base
