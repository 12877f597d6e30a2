#pragma once
/// \file
/// What somebody knows of what the others have done: a vector clock.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/rooms.hpp"

namespace emulator::ordering {

/// A host thread or a stream, by its number.
using Actor = std::uint32_t;

/// For each actor the last moment that is known. Knowing a moment means knowing all that the actor
/// did up to then.
class Clock {
 public:
  std::uint32_t of(Actor actor) const { return actor < times_.size() ? times_[actor] : 0; }

  void set(Actor actor, std::uint32_t time) {
    if (actor >= times_.size()) times_.resize(actor + 1);
    times_[actor] = time;
  }

  /// Learns of one moment.
  void learn(Actor actor, std::uint32_t time) {
    if (of(actor) < time) set(actor, time);
  }

  /// Learns all that the other one knows.
  void learn(const Clock& other) {
    if (other.times_.size() > times_.size()) times_.resize(other.times_.size());
    for (std::size_t i = 0; i < other.times_.size(); ++i) {
      times_[i] = std::max(times_[i], other.times_[i]);
    }
  }

  /// Whether it knows at least as much as the other one.
  bool covers(const Clock& other) const {
    for (std::size_t i = 0; i < other.times_.size(); ++i) {
      if (of(static_cast<Actor>(i)) < other.times_[i]) return false;
    }
    return true;
  }

 private:
  std::vector<std::uint32_t> times_;
};

}  // namespace emulator::ordering
