#pragma once
/// \file
/// Which thread has initialised each of the block's mbarriers: every use must come after that.

#include <cstdint>
#include <unordered_map>

#include "base/rooms.hpp"
#include "observers/checks/happens_before/happens_before.hpp"
#include "observers/checks/kernels/code_sites.hpp"
#include "observers/checks/kernels/launch_findings.hpp"
#include "observers/checks/kernels/proxy_fences.hpp"
#include "observers/checks/kernels/running_block.hpp"
#include "observers/checks/shadow.hpp"

namespace emulator::checks {

/// The mbarriers of the running block or cluster. Each is known by its address.
class MadeBarriers {
 public:
  MadeBarriers(const RunningBlock& running, HappensBefore& order, const CodeSites& sites,
               LaunchFindings& findings, ProxyFences& fences)
      : running_(running), order_(order), sites_(sites), findings_(findings), fences_(fences) {}

  void begin_block() { made_.clear(); }

  /// \param is_fenced whether no fence is needed after it
  void make(std::uint64_t barrier, const Slot& by, bool is_fenced);
  /// A thread uses one.
  void check_use(std::uint64_t barrier, unsigned thread, std::uint64_t pc);
  /// The same for a bulk copy that it starts, which also needs a fence.
  void check_use_by_copy(std::uint64_t barrier, unsigned thread, std::uint64_t pc);

 private:
  struct Made {
    Slot by;
    bool is_fenced = false;
    bool is_told = false;
    std::uint64_t cluster_phase = 0;  // in which that was
  };
  bool passed_by_cluster(const Made& made) const;

  const RunningBlock& running_;
  HappensBefore& order_;
  const CodeSites& sites_;
  LaunchFindings& findings_;
  ProxyFences& fences_;
  std::unordered_map<std::uint64_t, Made> made_;
};

}  // namespace emulator::checks
