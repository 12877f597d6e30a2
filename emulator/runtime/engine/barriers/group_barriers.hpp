#pragma once
/// \file
/// Barriers of tiles of several warps, whose threads may exchange values there.

#include "base/rooms.hpp"

namespace emulator::engine {

class RunningBlock;

/// What one thread of a tile of several warps offers to the others, and what it takes.
struct TileRequest {
  unsigned size;  ///< threads of the tile
  const void* value;
  void* result;
  unsigned bytes;   ///< 0: it only waits
  unsigned source;  ///< rank of the thread whose value it takes
};

/// Called when no warp can run. Releases each tile whose live threads are all there.
/// \return whether there was one
bool release_tiles(RunningBlock& block);

}  // namespace emulator::engine
