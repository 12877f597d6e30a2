#pragma once
/// \file
/// Watches a block that has its turn for long, and does not end.

#include <chrono>

#include "base/rooms.hpp"
#include "engine/grid.hpp"
#include "engine/lane.hpp"

namespace emulator::engine {

/// Asks for help, and tells the user, once that takes long.
class SpinWatch {
 public:
  void begin_block() {
    last_lane_ = nullptr;
    block_began_ = std::chrono::steady_clock::now();
    help_asked_ = {};
  }
  /// The thread has had its turn.
  void note_turn(const Lane& lane) { last_lane_ = &lane; }

  /// A launch that takes long may be large, or wait for what never comes. The watcher hears once
  /// where it is; what is true of both is said.
  void tell_where_it_stands(Grid& grid) const;

  /// A block that only spins may wait for one that has not begun. It keeps its host thread, and
  /// another one begins with the next blocks.
  void help_spinning_block(Grid& grid);

 private:
  std::chrono::steady_clock::time_point block_began_;
  std::chrono::nanoseconds help_asked_{};  ///< by the host thread's own time; 0: not yet
  const Lane* last_lane_ = nullptr;        // that had its turn
};

}  // namespace emulator::engine
