#pragma once
/// \file
/// What a program has said about managed memory, for calls that ask: it has no other effect here.

#include "base/rooms.hpp"

namespace emulator::api {

/// Forgets what was said about an allocation, if its first byte is here.
void forget_hints(const void* pointer);

/// Forgets everything.
void reset_hints();

}  // namespace emulator::api
