#pragma once
/// \file
/// Why a launch ends in the middle.

#include <cstdint>
#include <string>
#include <vector>

#include "base/rooms.hpp"
#include "emulator/findings.h"
#include "engine/lane.hpp"
#include "engine/running_block.hpp"
#include "events/launch_details.hpp"

namespace emulator::engine {

/// What is kept of it for the time between the jump out of a kernel and its end.
class LaunchFailure {
 public:
  /// What a thread of the block does, or waits for; null if it is not a thread's.
  /// \param kind what a finding of it is called, if the checks are on
  /// \param pc where it happened; 0 if that is not known
  void note(const RunningBlock& block, const Lane* lane, const char* what, const char* kind,
            std::uintptr_t pc);

  /// Other places that are reported beside it, before it is noted itself. A line is reported once.
  void forget_others() { others_.clear(); }
  void add_other(FindingPlace place);

  /// Whether a finding reported it.
  /// \param was_found whether there has been one since
  bool is_told(bool was_found) const;

  /// Tells of it, if there is anything to say.
  void report(const LaunchDetails* details);

  void clear() { *this = {}; }

 private:
  std::string text_;  // empty if there is nothing to say
  std::string kind_;
  std::uintptr_t pc_ = 0;
  unsigned thread_ = 0;
  std::vector<FindingPlace> others_{};
};

}  // namespace emulator::engine
