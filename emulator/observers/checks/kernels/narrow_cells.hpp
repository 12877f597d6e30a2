#pragma once
/// \file
/// What has accessed single bytes, apart from their words: neighbours may use the bytes of one
/// word.

#include <cstdint>
#include <unordered_map>

#include "base/rooms.hpp"
#include "observers/checks/shadow.hpp"

namespace emulator::checks {

/// The last accesses to a byte.
struct NarrowCell {
  WriteCell write;
  ReadCell read;
  std::uint64_t value = 0;
};

/// Those of all bytes that were accessed so, by address.
using NarrowCells = std::unordered_map<std::uint64_t, NarrowCell>;

}  // namespace emulator::checks
