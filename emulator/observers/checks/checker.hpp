#pragma once
/// \file
/// The checks inside kernels: every request of a warp is held against the bounds of memory, against
/// what has been written, and against what other threads do without synchronisation. Each of these
/// questions has a class of its own in kernels/, and what orders accesses is in happens_before/;
/// here is which of them gets what.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/rooms.hpp"
#include "events/launch_details.hpp"
#include "events/launch_observer.hpp"
#include "observers/checks/happens_before/happens_before.hpp"
#include "observers/checks/kernels/async_check.hpp"
#include "observers/checks/kernels/bounds_check.hpp"
#include "observers/checks/kernels/cluster_check.hpp"
#include "observers/checks/kernels/code_sites.hpp"
#include "observers/checks/kernels/engine_faults.hpp"
#include "observers/checks/kernels/launch_findings.hpp"
#include "observers/checks/kernels/memory_check.hpp"
#include "observers/checks/kernels/race_check.hpp"
#include "observers/checks/kernels/running_block.hpp"
#include "observers/checks/kernels/shared_memories.hpp"

namespace emulator::checks {

/// Checks the launches of one worker.
class Checker final : public SyncObserver {
 public:
  void begin_launch(const ObservedLaunch& launch);
  /// The launch has ended, well or not: what was not reported before is reported now.
  void end_launch();
  void begin_block(const dim3& block) override;
  void begin_turn(const dim3& block, std::uint64_t number, std::uintptr_t shared,
                  std::uintptr_t dynamic) override;
  void leaves_turn() override { order_.leaves_turn(running_.turn()); }
  void begin_cluster(const dim3& first_block, const dim3& shape,
                     const std::vector<std::uintptr_t>& memories,
                     std::optional<std::uint64_t> turn) override;
  void cluster_arrived(bool all_wait) override { order_.cluster_arrived(all_wait); }
  void end_block_of_cluster(unsigned rank) override { clusters_.end_block(rank); }
  void grid_synchronised() override { order_.grid_synchronised(); }
  void gives_way() override { order_.gives_way(); }
  void goes_on() override { order_.goes_on(); }
  void block_synchronised(unsigned first_thread) override {
    order_.block_synchronised(first_thread);
  }
  void warp_synchronised(unsigned warp, std::uint32_t lanes, bool all) override {
    order_.warp_synchronised(warp, lanes, all);
  }
  void phase_seen(unsigned thread, std::uint64_t place, std::uint64_t phase,
                  std::uint64_t pc) override;
  void copy_arrived(std::uint64_t shared, std::size_t bytes, unsigned barrier_number,
                    std::uint64_t place, std::uint64_t phase) override {
    async_.copy_arrived(shared, bytes, barrier_number, place, phase);
  }

  /// What is checked from now on comes from this warp.
  void set_warp(unsigned warp) { running_.set_warp(warp); }
  /// Checks one request of the warp. Requests are merged: all lanes do the same at one place.
  void check(const Request& request);

  /// Receives what the engine itself sees go wrong.
  FaultObserver& faults() { return faults_; }

 private:
  void start_block(unsigned blocks);
  void check_foreign(const Request& request);

  RunningBlock running_;
  CodeSites sites_;
  HappensBefore order_{running_};
  SharedMemories shared_;
  LaunchFindings findings_{running_, order_};
  BoundsCheck bounds_{running_, shared_, findings_};
  RaceCheck races_{running_, order_, sites_, shared_, findings_};
  ClusterCheck clusters_{running_, order_, sites_, shared_, findings_};
  MemoryCheck memory_{running_, order_, bounds_, races_, clusters_};
  AsyncCheck async_{running_, order_, sites_, shared_, findings_, races_, clusters_, memory_};
  EngineFaults faults_{running_, shared_, findings_};
};

}  // namespace emulator::checks
