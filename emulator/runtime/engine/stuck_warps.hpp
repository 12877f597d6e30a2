#pragma once
/// \file
/// Whether the warps of a block that is recorded get on.

#include "base/rooms.hpp"

namespace emulator::engine {

/// The merge has lanes wait for others that are further up in the code. If those others poll, for
/// a lock that a waiting lane holds, say, that would be forever: as before Volta, when a warp's
/// lanes could not go on one by one. So once no warp of the block gets on in any other way, lanes
/// that poll no longer keep others waiting. All else is merged as ever.
class StuckWarps {
 public:
  void begin_launch() { lanes_pass_ = false; }
  void begin_block() {
    some_wait_ = some_get_on_ = some_poll_ = false;
    passes_stuck_ = passes_polling_ = 0;
  }
  /// Others have run in the meantime, who may have changed what is polled.
  void others_ran() { passes_polling_ = 0; }

  /// Whether lanes that poll no longer keep others waiting.
  bool lanes_pass() const { return lanes_pass_; }

  /// A warp has had its turn.
  /// \param wait whether the merge has lanes wait that do not poll
  /// \param get_on whether other lanes get on
  void note_turn(bool wait, bool get_on) {
    some_get_on_ = some_get_on_ || get_on;
    some_wait_ = some_wait_ || wait;
    some_poll_ = true;
  }
  /// All warps have had their turn.
  /// \param more whether one of them only spins
  void end_pass(bool more);

  /// Whether all that the warps did in the last pass was polling.
  bool polls() const { return passes_polling_ > 0; }
  /// Whether the block has done nothing but poll for so long that it will never do anything else:
  /// nobody runs beside it.
  bool polls_forever() const { return passes_polling_ > most_passes; }

 private:
  static constexpr unsigned most_passes = 100;  // of a thousand turns or more

  // Of a pass over the warps, and since when.
  bool some_wait_ = false;
  bool some_get_on_ = false;
  bool some_poll_ = false;
  unsigned passes_stuck_ = 0;
  unsigned passes_polling_ = 0;
  bool lanes_pass_ = false;
};

}  // namespace emulator::engine
