#pragma once
/// \file
/// What the engine itself sees go wrong, as findings of the launch: barriers, masks, pointers,
/// shifts, and what a block leaves undone.

#include <cstdint>
#include <string>
#include <utility>

#include "base/rooms.hpp"
#include "events/async_events.hpp"
#include "events/findings.hpp"
#include "events/launch_details.hpp"
#include "observers/checks/kernels/launch_findings.hpp"
#include "observers/checks/kernels/running_block.hpp"
#include "observers/checks/kernels/shared_memories.hpp"

namespace emulator::checks {

/// Makes findings of what the engine reports.
class EngineFaults final : public FaultObserver {
 public:
  EngineFaults(const RunningBlock& running, const SharedMemories& shared, LaunchFindings& findings)
      : running_(running), shared_(shared), findings_(findings) {}

  void unawaited_copy(std::uint64_t pc, unsigned thread, bool is_store) override;
  void products_left(const GroupProblem& problem) override;
  void two_barriers(std::uint64_t pc, unsigned thread, std::uint64_t other_pc,
                    unsigned other) override;
  void passed_barrier(std::uint64_t pc, unsigned thread, unsigned passed) override;
  void misaligned_pointer(std::uint64_t address, unsigned alignment, std::string type,
                          std::uint64_t pc, bool is_shared, unsigned thread) override;
  void wide_shift(const std::string& amount, unsigned bits, std::uint64_t pc,
                  unsigned thread) override;
  void two_warp_operations(std::uint64_t pc, unsigned thread, std::uint64_t other_pc,
                           unsigned other) override;
  void wrong_mask(std::string what, std::uint64_t pc, unsigned thread, std::string remedy) override;
  void found(Finding finding, std::uint64_t pc, unsigned thread) override {
    findings_.report(std::move(finding), pc, thread);
  }
  void barrier_failed() override { findings_.tell_unwritten(); }
  std::uint64_t findings() const override { return findings_.count(); }

 private:
  const RunningBlock& running_;
  const SharedMemories& shared_;
  LaunchFindings& findings_;
};

}  // namespace emulator::checks
