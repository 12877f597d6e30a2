#pragma once
/// \file
/// Bulk copies, asynchronous stores and the operands of wgmma. From its start until its phase is
/// complete a bulk copy may read and write at any time: what it writes is marked, and any access
/// there makes a finding.

#include <cstddef>
#include <cstdint>

#include "base/rooms.hpp"
#include "events/access.hpp"
#include "events/bulk_copies.hpp"
#include "observers/checks/happens_before/happens_before.hpp"
#include "observers/checks/kernels/code_sites.hpp"
#include "observers/checks/kernels/launch_findings.hpp"
#include "observers/checks/kernels/made_barriers.hpp"
#include "observers/checks/kernels/memory_check.hpp"
#include "observers/checks/kernels/proxy_fences.hpp"
#include "observers/checks/kernels/race_check.hpp"
#include "observers/checks/kernels/running_block.hpp"
#include "observers/checks/kernels/shared_memories.hpp"
#include "observers/checks/shadow.hpp"

namespace emulator::checks {

/// Checks what bulk copies do to memory.
class BulkCopyCheck {
 public:
  BulkCopyCheck(const RunningBlock& running, HappensBefore& order, CodeSites& sites,
                const SharedMemories& shared, const LaunchFindings& findings, RaceCheck& races,
                MemoryCheck& memory, MadeBarriers& barriers, ProxyFences& fences)
      : running_(running),
        order_(order),
        sites_(sites),
        shared_(shared),
        findings_(findings),
        races_(races),
        memory_(memory),
        barriers_(barriers),
        fences_(fences) {}

  /// Lanes start copies, whose numbers are in place of addresses.
  void check(const Request& request);
  /// The request's lane number i starts an access to one of the two memories.
  void check_side(const Request& request, unsigned i, const BulkCopy& copy, bool is_shared);

  /// What a copy writes to shared memory is there: `by` has written it.
  void arrive(std::uint64_t shared, std::size_t bytes, const Slot& by);
  /// A copy out of that number has read its source, or written its target.
  void end_copy_out(std::uint64_t number, bool has_written);

 private:
  class Writers;
  bool check_chunk(const Request& access, CodeSite& site, const BulkCopy& copy, bool is_shared,
                   bool is_told);
  void find_writers(Writers& writers, const Region& region, std::uint64_t address, unsigned bytes,
                    bool in_shared);
  void mark_unfinished(const Request& access, const CodeSite& site, const BulkCopy& copy,
                       bool is_shared);

  const RunningBlock& running_;
  HappensBefore& order_;
  CodeSites& sites_;
  const SharedMemories& shared_;
  const LaunchFindings& findings_;
  RaceCheck& races_;
  MemoryCheck& memory_;
  MadeBarriers& barriers_;
  ProxyFences& fences_;
};

}  // namespace emulator::checks
