#pragma once
/// \file
/// The runtime's names, as the libraries see them. Each library has a namespace of its own, which
/// uses that of all of them.

#include "base/rooms.hpp"

/// What the libraries have in common.
namespace emulator::libraries {
using namespace api;
}
