#pragma once
/// \file
/// What is announced of launches beside their blocks (launch_observer.hpp).

#include <string>

#include "base/rooms.hpp"

namespace emulator::events {

/// A launch that cannot be: `invalid-launch`.
/// \param kernel as it was launched, which may be the name of a variable
/// \param function the kernel's address, if it is known
/// \param reason what is too large and what the limit is
void launch_refused(const char* kernel, const void* function, const std::string& reason,
                    const std::string& remedy);

}  // namespace emulator::events
