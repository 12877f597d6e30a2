#pragma once
/// \file
/// What a thread is found to do wrong while it goes on: the observer of details is told.

#include <cstdint>
#include <string>

#include "base/rooms.hpp"
#include "emulator/findings.h"
#include "engine/lane.hpp"

namespace emulator::engine {

/// The thread uses a pointer that is not aligned as its type, `type`, is.
void report_misaligned_pointer(const Lane& lane, std::uintptr_t pointer, unsigned alignment,
                               const std::string& type, std::uintptr_t pc);

/// It shifts by `amount` where there are no more than `bits`.
void report_wide_shift(const Lane& lane, const std::string& amount, unsigned bits,
                       std::uintptr_t pc);

/// What else it does wrong.
void report_finding(const Lane& lane, Finding finding, std::uintptr_t pc);

}  // namespace emulator::engine
