#pragma once
/// \file
/// Host threads for launches, while there are several devices: a kernel may wait for one that is
/// launched later, on another device. So whoever has launched it goes on if it only polls.

#include <functional>

#include "base/rooms.hpp"

namespace emulator::streams {

/// Does this on a host thread of the emulator's, which runs a launch. Returns when it is done, or
/// once the launch only polls, and all others that have not ended do.
void run_aside(std::function<void()> run);

}  // namespace emulator::streams
