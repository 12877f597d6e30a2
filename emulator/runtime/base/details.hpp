#pragma once
/// \file
/// Whether somebody wants to know more of what a program does than what it costs: where calls come
/// from, what is stored, and what waits for what.

#include "base/rooms.hpp"

namespace emulator::base {

/// Asked at every launch and every call of the API, so it is cheap.
bool details_wanted();
void want_details(bool wanted);

}  // namespace emulator::base
