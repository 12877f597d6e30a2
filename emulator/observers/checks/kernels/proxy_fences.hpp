#pragma once
/// \file
/// What the asynchronous proxy knows: what a thread has written is unknown to it until one of those
/// on the way from the write to the copy has executed a fence.

#include <cstdint>
#include <string>

#include "base/rooms.hpp"
#include "observers/checks/happens_before/happens_before.hpp"
#include "observers/checks/kernels/code_sites.hpp"
#include "observers/checks/kernels/launch_findings.hpp"
#include "observers/checks/shadow.hpp"

namespace emulator::checks {

/// Says whether a fence is missing before a copy that a thread starts.
class ProxyFences {
 public:
  ProxyFences(HappensBefore& order, const CodeSites& sites, LaunchFindings& findings)
      : order_(order), sites_(sites), findings_(findings) {}

  /// Behind what a thread of the running block has written to memory.
  bool is_missing(const Slot& write, unsigned starter) const;
  /// Behind what it has done as it initialised an mbarrier.
  bool is_missing_behind_barrier(const Slot& made_by, unsigned starter) const;
  /// Tells of it.
  void report_missing(const Slot& earlier, std::uint64_t pc, unsigned thread, std::string what);

 private:
  HappensBefore& order_;
  const CodeSites& sites_;
  LaunchFindings& findings_;
};

}  // namespace emulator::checks
