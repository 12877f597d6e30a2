#pragma once
/// \file
/// The traces of a worker: where the lanes of a warp that is recorded leave their accesses.

#include <memory>
#include <vector>

#include "base/rooms.hpp"
#include "engine/warp.hpp"
#include "events/trace.hpp"

namespace emulator::engine {

/// Makes traces as they are needed, and keeps them for the warps to come.
class WarpTraces {
 public:
  /// Gives one to a warp that has none.
  /// \param with_order whether the order of its lanes' accesses is kept, for details
  void lend(Warp& warp, bool with_order);
  /// All that the warp has recorded has been merged.
  void take_back(Warp& warp);

 private:
  std::vector<std::unique_ptr<WarpTrace>> idle_;
};

}  // namespace emulator::engine
