#pragma once
/// \file
/// What a request asks of global memory: the sectors that its bytes are in. The one place that says
/// how they are counted; for bulk copies that is events/bulk_copies.hpp.

#include <cstddef>
#include <cstdint>

#include "base/rooms.hpp"
#include "events/bulk_copies.hpp"

namespace emulator::traffic {

/// What one request asks of global memory.
struct GlobalCost {
  unsigned sectors;  ///< distinct 32-byte segments that its bytes are in
  unsigned bytes;    ///< distinct bytes
};

/// \param addresses the first byte that each active lane asks for, of `bytes`
GlobalCost count_sectors(const std::uint64_t* addresses, unsigned active, unsigned bytes);

/// How many sectors would do if the distinct bytes were contiguous from a sector's start.
inline unsigned ideal_sectors(const GlobalCost& cost) {
  return (cost.bytes + sector_bytes - 1) / sector_bytes;
}

}  // namespace emulator::traffic
