#pragma once
/// \file
/// A warp, as the engine keeps it: its lanes, and what each of them waits for.

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "base/rooms.hpp"
#include "engine/lane.hpp"
#include "events/trace.hpp"

namespace emulator::engine {

/// The 32 lanes (fewer at the ragged end of a block) of one warp.
struct alignas(64) Warp {
  Lane* lanes = nullptr;
  unsigned size = 0;
  std::array<std::uint32_t, waits> waiting{};  ///< for each Wait, the waiting lanes, one bit each
  std::unique_ptr<WarpTrace> trace;            ///< held while accesses may be pending

  std::uint32_t all() const { return size == warp_size ? ~0U : (1U << size) - 1; }
  std::uint32_t at(Wait what) const { return waiting[static_cast<std::size_t>(what)]; }
  unsigned number_of(const Lane& lane) const { return static_cast<unsigned>(&lane - lanes); }

  /// The lanes, all of which wait for `from`, wait for `to` from now on.
  void move(std::uint32_t mask, Wait from, Wait to) {
    waiting[static_cast<std::size_t>(from)] &= ~mask;
    waiting[static_cast<std::size_t>(to)] |= mask;
  }
};

/// Whether that is what a lane waits for.
inline bool waits_for(const Lane& lane, Wait what) {
  return (lane.warp->at(what) >> lane.warp->number_of(lane) & 1U) != 0;
}

}  // namespace emulator::engine
