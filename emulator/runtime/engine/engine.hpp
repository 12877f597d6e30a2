#pragma once
/// \file
/// The engine: runs the blocks of a launch, thread by thread, on the fibers of a worker.
///
/// A *worker* is a host thread that runs whole blocks, one at a time. Inside a block each warp
/// runs until all its threads wait at a block barrier or have ended; inside a warp each lane runs
/// until it has to wait, for a barrier, for the other lanes of a shuffle, or, while recording,
/// for the merge to make room in its trace.

#include <csetjmp>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/rooms.hpp"
#include "emulator/device/warp.h"
#include "emulator/traffic.h"
#include "engine/barriers/block_waits.hpp"
#include "engine/fiber.hpp"
#include "engine/fiber_pool.hpp"
#include "engine/grid.hpp"
#include "engine/lane.hpp"
#include "engine/launch_failure.hpp"
#include "engine/launches/cluster_seat.hpp"
#include "engine/running_block.hpp"
#include "engine/shared_storage.hpp"
#include "engine/spin_watch.hpp"
#include "engine/stuck_warps.hpp"
#include "engine/warp.hpp"
#include "engine/warp_traces.hpp"

namespace emulator::engine {

/// A host thread's equipment for running blocks.
class Worker {
 public:
  Worker() = default;
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  /// Runs blocks of `grid` until none is left or a thread has failed.
  void run(Grid& grid);

  /// Runs one thread after the other, on a fiber.
  [[noreturn]] static void thread_main();

  /// Lets others have their turn. The calling thread waits for nothing.
  void suspend(Lane& lane) {
    begin_switch();
    switch_stacks(suspended_, lane.suspended);
  }

  /// Suspends the calling thread until the engine has what it waits for, which the lane has noted.
  void wait(Lane& lane, Wait what);

  /// The same for a barrier of the block, called at `pc`.
  void wait_at_barrier(Lane& lane, std::uintptr_t pc);
  void vote_at_barrier(Lane& lane, BarrierKind kind, int predicate, std::uintptr_t pc);

  /// Ends the launch for what the running thread does: remembers the error, has the line printed,
  /// and abandons the block on the spot.
  /// \param what no std::string: its functions may be the program's, and count as the kernel's work
  /// \param kind what a finding of it is called, if the checks are on
  /// \param pc where it happened, if that is known
  [[noreturn]] void fail(cudaError_t error, const char* what, const char* kind = "failed-kernel",
                         std::uintptr_t pc = 0);

  /// The same for what a thread of the block waits for, which need not run; null if it is not a
  /// block's.
  [[noreturn]] void fail_for(const Lane* lane, cudaError_t error, const char* what,
                             const char* kind = "failed-kernel", std::uintptr_t pc = 0);

  /// The same where the threads of the block wait for what never comes: says what that is.
  [[noreturn]] void report_deadlock();
  /// The same where the block polls what only a block could change that has not begun.
  [[noreturn]] void report_wait_for_a_later_block();
  /// The same where nothing that runs beside the launch does it either.
  [[noreturn]] void report_wait_for_nobody();
  /// The same in a cooperative launch.
  [[noreturn]] void report_wait_for_no_block();

  /// Like fail(), without a message of its own.
  [[noreturn]] void abandon(cudaError_t error);

  /// The launch and the block that run.
  Grid& grid() const { return *grid_; }
  const RunningBlock& block() const { return block_; }

  /// Where its blocks have their shared memory.
  const SharedStorage& shared() const { return shared_; }
  /// Notes that the running block has asked for that address of its shared memory in 32 bits.
  void note_asked_for_shared(std::uintptr_t address) { shared_.note_asked(address); }
  /// Whether the address is in the shared memory of any block of the cluster.
  bool is_shared_of_cluster(std::uintptr_t address) const {
    return shared_.holds(address) ||
           (seat_.cluster() != nullptr && seat_.owner_of(address) != nullptr);
  }

  /// Its place in a cluster.
  const ClusterSeat& seat() const { return seat_; }

 private:
  void run_blocks();
  void run_block(std::uint64_t number);
  void run_passes();
  void give_way_if_it_polls();
  void let_blocks_run_if_it_polls();
  const Lane* polling_lane() const;
  bool run_warp(Warp& warp);
  void merge(Warp& warp, std::uint32_t running, std::uint32_t left_out = 0);
  Lane& resume(Lane& lane);
  Suspended next_after(const Lane& lane, Wait what);
  bool begin_next(Lane& lane);
  void end_failed_launch();

  Grid* grid_ = nullptr;
  Suspended suspended_ = nullptr;  // where the engine itself is while a thread runs
  RunningBlock block_;
  SharedStorage shared_;
  BlockWaits waits_;
  FiberPool fibers_;
  WarpTraces traces_;
  ClusterSeat seat_{*this, block_};
  StuckWarps stuck_;
  SpinWatch watch_;
  LaunchFailure failure_;
  std::jmp_buf escape_;
};

/// Notes that the running thread has come to a barrier at `pc`, if accesses are recorded.
void record_barrier(const void* pc);

/// The calling host thread's worker, made at first use.
Worker& this_worker();

/// Catches invalid addresses in kernels, so that they end the launch and not the program.
void install_fault_handler();

}  // namespace emulator::engine
