#pragma once
/// \file
/// One lane's part in a request.

#include <cstdint>

#include "base/rooms.hpp"
#include "events/access.hpp"
#include "observers/checks/shadow.hpp"

namespace emulator::checks {

/// What a lane does to some bytes of memory.
struct Touch {
  Slot slot;
  std::uint64_t address = 0;
  std::uint64_t value = 0;  ///< what it stores
  unsigned bytes = 0;
  AccessKind kind{};
  bool is_shared = false;
  bool reads = false;
  bool writes = false;
  bool is_piece = false;   ///< of a structure that is copied whole
  bool is_update = false;  ///< a volatile store of what this thread has loaded before
};

}  // namespace emulator::checks
