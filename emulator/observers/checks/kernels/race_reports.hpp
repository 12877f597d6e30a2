#pragma once
/// \file
/// What is said of races and of reads before anything was written, and how to mend each.

#include <string>

#include "base/rooms.hpp"
#include "events/findings.hpp"
#include "observers/checks/happens_before/happens_before.hpp"
#include "observers/checks/kernels/code_sites.hpp"
#include "observers/checks/kernels/launch_findings.hpp"
#include "observers/checks/kernels/running_block.hpp"
#include "observers/checks/kernels/shared_memories.hpp"
#include "observers/checks/kernels/touch.hpp"
#include "observers/checks/shadow.hpp"

namespace emulator::checks {

/// Tells what the race check has found.
class RaceReports {
 public:
  RaceReports(const RunningBlock& running, const HappensBefore& order, CodeSites& sites,
              const SharedMemories& shared, LaunchFindings& findings)
      : running_(running), order_(order), sites_(sites), shared_(shared), findings_(findings) {}

  /// Nothing orders what a lane does now and an earlier access, which may be a copy's that goes on.
  /// \param same_value whether both write the same
  void report_race(const Touch& touch, const Slot& earlier, bool earlier_writes, bool same_value);
  /// A lane reads what nobody has written.
  void report_unwritten(const Touch& touch);

 private:
  // Where the thread of an earlier access is, seen from the lane.
  struct Nearness {
    bool same_warp;
    bool same_block;
    bool same_cluster;  // or block, if there are no clusters
  };
  Nearness nearness_of(const Slot& earlier) const;
  void report_unfinished(const Touch& touch, const Slot& copy);
  std::string remedy_of_race(const Touch& touch, const Slot& earlier, bool earlier_writes) const;

  const RunningBlock& running_;
  const HappensBefore& order_;
  CodeSites& sites_;
  const SharedMemories& shared_;
  LaunchFindings& findings_;
};

}  // namespace emulator::checks
