#pragma once
/// \file
/// What is said of races and of reads before anything was written, and how to mend each.

#include <string>
#include <vector>

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
  /// The launch has ended: races of updates get the remedy of those.
  void tell_updates();
  /// What orders an access after one of another block is that its own block has waited for that,
  /// at `pc`, and has drawn no number that says that the other one has begun.
  void report_undrawn(const Touch& touch, const Slot& earlier, std::uint64_t pc);
  /// A lane reads, by the read-only cache, what its launch has written.
  void report_read_only(const Slot& now, std::uint64_t address, const Slot& written);
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
  bool is_read_before_told(const CodeSite& site, const CodeSite& earlier_site,
                           const Slot& earlier) const;
  // A race whose remedy depends on what the two threads do next.
  struct PossibleUpdate {
    struct Half {
      const CodeSite* site;
      bool writes;
    };
    FindingId id;
    Half now;
    Half earlier;
  };
  void note_possible_update(FindingId id, const Touch& touch, const Slot& earlier,
                            bool earlier_writes);
  void report_unfinished(const Touch& touch, const Slot& copy);
  const char* remedy_of_flag(const Touch& touch, const Slot& earlier, bool earlier_writes) const;
  std::string remedy_of_race(const Touch& touch, const Slot& earlier, bool earlier_writes) const;

  const RunningBlock& running_;
  const HappensBefore& order_;
  CodeSites& sites_;
  const SharedMemories& shared_;
  LaunchFindings& findings_;
  std::vector<PossibleUpdate> possible_updates_;  // of this launch
};

}  // namespace emulator::checks
