#pragma once
/// \file
/// Whether the warps of a block that is recorded get on.

#include "base/rooms.hpp"

namespace emulator::engine {

/// The merge has lanes wait for others that stand further up in the code. If those others poll, for
/// a lock that a waiting lane holds, say, that would be for ever: as before Volta, when a warp's
/// lanes could not go on one by one. So once no warp of the block gets on in any other way, lanes
/// that poll no longer keep others waiting. All else is merged as ever.
class StuckWarps {
 public:
  void begin_launch() { lanes_pass_ = false; }
  void begin_block() {
    some_wait_ = some_get_on_ = false;
    passes_stuck_ = 0;
  }

  /// Whether lanes that poll no longer keep others waiting.
  bool lanes_pass() const { return lanes_pass_; }

  /// A warp has had its turn.
  /// \param wait whether the merge has lanes wait that do not poll
  /// \param get_on whether other lanes get on
  void note_turn(bool wait, bool get_on) {
    some_get_on_ = some_get_on_ || get_on;
    some_wait_ = some_wait_ || wait;
  }
  /// All warps have had their turn.
  /// \param more whether one of them only spins
  void end_pass(bool more);

 private:
  // Of a pass over the warps, and since when.
  bool some_wait_ = false;
  bool some_get_on_ = false;
  unsigned passes_stuck_ = 0;
  bool lanes_pass_ = false;
};

}  // namespace emulator::engine
