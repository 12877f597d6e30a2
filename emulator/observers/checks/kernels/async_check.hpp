#pragma once
/// \file
/// What threads do that has no end of its own: they arrive at barriers in shared memory and at
/// numbered ones, and start copies. From its start until it has been waited for a copy may write at
/// any time: what it writes to is marked, and any access to it, even by the thread itself, makes
/// a finding.

#include <cstddef>
#include <cstdint>

#include "base/rooms.hpp"
#include "events/access.hpp"
#include "observers/checks/happens_before/happens_before.hpp"
#include "observers/checks/kernels/bulk_copy_check.hpp"
#include "observers/checks/kernels/cluster_check.hpp"
#include "observers/checks/kernels/code_sites.hpp"
#include "observers/checks/kernels/launch_findings.hpp"
#include "observers/checks/kernels/made_barriers.hpp"
#include "observers/checks/kernels/memory_check.hpp"
#include "observers/checks/kernels/proxy_fences.hpp"
#include "observers/checks/kernels/race_check.hpp"
#include "observers/checks/kernels/running_block.hpp"
#include "observers/checks/kernels/shared_memories.hpp"

namespace emulator::checks {

/// Checks barriers that not all threads wait at, and asynchronous copies.
class AsyncCheck {
 public:
  AsyncCheck(const RunningBlock& running, HappensBefore& order, CodeSites& sites,
             const SharedMemories& shared, LaunchFindings& findings, RaceCheck& races,
             ClusterCheck& clusters, MemoryCheck& memory)
      : running_(running),
        order_(order),
        sites_(sites),
        shared_(shared),
        clusters_(clusters),
        memory_(memory),
        fences_(order, sites, findings),
        barriers_(running, order, sites, findings, fences_),
        bulk_(running, order, sites, shared, findings, races, memory, barriers_, fences_) {}

  void begin_block() { barriers_.begin_block(); }

  /// An asynchronous copy begins to write, or has been waited for.
  void check_copy(const Request& request);
  /// Bulk copies begin.
  void check_bulk(const Request& request) { bulk_.check(request); }
  /// An AsyncEvent.
  void check_event(const Request& request);

  void phase_seen(unsigned thread, std::uint64_t place, std::uint64_t phase, std::uint64_t pc);
  void copy_arrived(std::uint64_t shared, std::size_t bytes, unsigned barrier_number,
                    std::uint64_t place, std::uint64_t phase);

 private:
  void check_lanes_event(const Request& request, const CodeSite& site, unsigned i);

  const RunningBlock& running_;
  HappensBefore& order_;
  CodeSites& sites_;
  const SharedMemories& shared_;
  ClusterCheck& clusters_;
  MemoryCheck& memory_;
  ProxyFences fences_;
  MadeBarriers barriers_;
  BulkCopyCheck bulk_;
};

}  // namespace emulator::checks
