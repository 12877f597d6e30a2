#pragma once
/// \file
/// Uses of other blocks' shared memory: each must come after the begin of that block and before its
/// end. The checks look at the blocks of a cluster together, as if they were one block whose
/// barrier is the cluster's; a barrier of one of the blocks orders only its own threads.

#include <cstdint>
#include <vector>

#include "base/rooms.hpp"
#include "events/access.hpp"
#include "observers/checks/happens_before/happens_before.hpp"
#include "observers/checks/kernels/code_sites.hpp"
#include "observers/checks/kernels/launch_findings.hpp"
#include "observers/checks/kernels/running_block.hpp"
#include "observers/checks/kernels/shared_memories.hpp"
#include "observers/checks/shadow.hpp"

namespace emulator::checks {

/// Holds uses of shared memory against the lives of the cluster's blocks.
class ClusterCheck {
 public:
  ClusterCheck(const RunningBlock& running, HappensBefore& order, const CodeSites& sites,
               const SharedMemories& shared, LaunchFindings& findings)
      : running_(running), order_(order), sites_(sites), shared_(shared), findings_(findings) {}

  /// So many blocks begin, or go on.
  void begin_cluster(unsigned blocks);
  void end_block(unsigned rank);

  /// Checks a request to shared memory.
  void check(const Request& request, const CodeSite& site);

 private:
  struct Block {
    bool has_ended = false;
    std::vector<Slot> uses{};  // by other blocks: for each thread the last one
  };
  bool knows_any(unsigned thread, unsigned rank) const;
  bool is_known_in(unsigned rank, const Slot& use, unsigned thread) const;
  void check_use(const Request& request, unsigned i, unsigned rank);

  const RunningBlock& running_;
  HappensBefore& order_;
  const CodeSites& sites_;
  const SharedMemories& shared_;
  LaunchFindings& findings_;
  std::vector<Block> blocks_;  // by their ranks
};

}  // namespace emulator::checks
