#pragma once
/// \file
/// A request to memory, held against all that the checks know: bounds, what has been written, what
/// other threads do without synchronisation, the lives of the cluster's blocks.

#include "base/rooms.hpp"
#include "events/access.hpp"
#include "observers/checks/happens_before/happens_before.hpp"
#include "observers/checks/kernels/bounds_check.hpp"
#include "observers/checks/kernels/cluster_check.hpp"
#include "observers/checks/kernels/code_sites.hpp"
#include "observers/checks/kernels/race_check.hpp"
#include "observers/checks/kernels/running_block.hpp"

namespace emulator::checks {

/// Checks loads, stores and atomics, of global and of shared memory.
class MemoryCheck {
 public:
  MemoryCheck(const RunningBlock& running, HappensBefore& order, BoundsCheck& bounds,
              RaceCheck& races, ClusterCheck& clusters)
      : running_(running), order_(order), bounds_(bounds), races_(races), clusters_(clusters) {}

  void check(const Request& request, CodeSite& site);

 private:
  const RunningBlock& running_;
  HappensBefore& order_;
  BoundsCheck& bounds_;
  RaceCheck& races_;
  ClusterCheck& clusters_;
};

}  // namespace emulator::checks
