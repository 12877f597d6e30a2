#pragma once
/// \file
/// What has been written, and races: each access held against the earlier ones to the same word.
///
/// Two accesses by different threads, one of them a write, race unless something orders them
/// (happens_before.hpp).

#include <cstdint>

#include "base/rooms.hpp"
#include "events/access.hpp"
#include "observers/checks/happens_before/happens_before.hpp"
#include "observers/checks/kernels/code_sites.hpp"
#include "observers/checks/kernels/launch_findings.hpp"
#include "observers/checks/kernels/narrow_cells.hpp"
#include "observers/checks/kernels/quick_race_check.hpp"
#include "observers/checks/kernels/race_reports.hpp"
#include "observers/checks/kernels/running_block.hpp"
#include "observers/checks/kernels/shared_memories.hpp"
#include "observers/checks/kernels/touch.hpp"
#include "observers/checks/shadow.hpp"

namespace emulator::checks {

/// See emulator/strict_checks.h.
inline constinit bool split_updates_race = false;

/// Holds accesses against those that were before, and remembers them.
class RaceCheck {
 public:
  RaceCheck(const RunningBlock& running, const HappensBefore& order, CodeSites& sites,
            SharedMemories& shared, LaunchFindings& findings)
      : order_(order),
        sites_(sites),
        shared_(shared),
        reports_(running, order, sites, shared, findings) {}

  void begin_launch() { narrow_.clear(); }
  /// The launch has ended: what could not be reported before.
  void tell_updates() { reports_.tell_updates(); }

  /// For accesses to that region, in the running warp's next step.
  QuickRaceCheck quick_check(Region* region, unsigned bytes, bool is_shared) const {
    return {region, bytes, is_shared, order_.segments().past(is_shared), shared_.since()};
  }
  /// Checks what the request's lane number i does within a region.
  /// \param slot the access as it is remembered
  void check(const Request& request, Region& region, unsigned i, const Slot& slot);

  /// The same for loads by the read-only cache, which are to come: no barrier orders them after a
  /// store of the same launch.
  void check_read_only(const Request& request);

  /// Who has written that byte, and not its word.
  Slot narrow_write(std::uint64_t address, bool is_shared);

 private:
  NarrowCells& narrow_cells(bool is_shared) { return is_shared ? shared_.narrow_cells() : narrow_; }
  void check_written(const Touch& touch, const Region& region, const WriteCell* writes,
                     unsigned words);
  void check_cells(const Touch& touch, WriteCell& write, ReadCell& read, std::uint64_t& value);
  bool check_writes(const Touch& touch, const WriteCell& write, std::uint64_t value);
  bool check_reads(const Touch& touch, const ReadCell& read);
  void check_bytes(const Touch& touch, Region& region);
  void check_narrow_cells(const Touch& touch, std::uint64_t word);
  bool races(const Slot& earlier, const Touch& touch);
  bool is_lost_update(const Touch& touch, const WriteCell& write, const ReadCell& read,
                      std::uint64_t value) const;

  const HappensBefore& order_;
  CodeSites& sites_;
  SharedMemories& shared_;
  RaceReports reports_;
  NarrowCells narrow_;  // of global memory
};

}  // namespace emulator::checks
