#pragma once
/// \file
/// A CUDA thread, as the engine keeps it, and what it may wait for.

#include <cstddef>
#include <cstdint>
#include <utility>

#include "base/rooms.hpp"
#include "emulator/device/vector_types.h"
#include "emulator/device/warp.h"
#include "engine/fiber.hpp"
#include "events/lane_progress.hpp"
#include "events/trace.hpp"

namespace emulator::engine {

struct AsyncCopies;
struct PhaseRequest;
struct TileRequest;
struct Warp;
struct WarpRequest;
class Worker;

/// What a thread is waiting for, if anything.
enum class Wait : std::uint8_t {
  nothing,
  block_barrier,
  warp_operation,
  tile_exchange,
  grid_barrier,
  phase,  ///< of an mbarrier, or of a numbered barrier
  ended
};
constexpr std::size_t waits = 7;  ///< how many of them there are

/// How far a thread is at the barrier of its cluster.
enum class AtClusterBarrier : std::uint8_t {
  no,
  arrived,
  complete  ///< all have arrived; it has not waited for that yet
};

/// One CUDA thread. A block has up to 1024 and switches between them all the time: what a switch
/// needs is in the first cache line.
struct alignas(64) Lane {
  Worker* worker = nullptr;
  Warp* warp = nullptr;
  Suspended suspended = nullptr;   ///< where it is; null until it begins and after its end
  WarpRequest* request = nullptr;  ///< what it asked for, on its stack, while it waits for a warp
  std::uintptr_t barrier_pc = 0;   ///< where the barrier is that it waits at
  std::int32_t predicate = 0;      ///< brought to, then taken from, that barrier
  uint3 index{};                   ///< threadIdx
  BarrierKind barrier{};
  AtClusterBarrier at_cluster_barrier = AtClusterBarrier::no;

  alignas(64) Fiber* fiber = nullptr;  ///< as long as it has begun and not ended
  LaneTrace* trace = nullptr;          ///< where accesses go; null while nothing is recorded
  LaneProgress* progress = nullptr;    ///< null unless details are wanted
  union {
    TileRequest* tile = nullptr;  ///< like `request`, for a tile of several warps
    PhaseRequest* phase;          ///< the same for a phase
  };
  AsyncCopies* copies = nullptr;     ///< that it has started; null if it has started none
  std::uint32_t depth = 0;           ///< depth of calls, for the merge
  std::uint32_t polls = 0;           ///< volatile and atomic accesses, each of which may be a poll
  const void* hinted = nullptr;      ///< where an atomic operation is about to be made
  std::uint64_t hint_bits : 16 = 0;  ///< what is known of it: emulator/device/atomics.h says
  std::uint64_t step : 48 = 0;       ///< the volatile access before which it is; see take_step()
};
static_assert(sizeof(Lane) == 128);

/// The lane that runs on this host thread, or null while host code runs.
extern constinit thread_local Lane* current_lane;

/// The same, but null too while nothing is recorded: the one test that instrumented code makes.
extern constinit thread_local Lane* recording_lane;

/// While one lives, what this host thread does is no work of a kernel's, even where it calls
/// functions that were compiled with one: the linker may have chosen the program's copy of
/// std::string's.
class OutsideKernel {
 public:
  OutsideKernel()
      : current_(std::exchange(current_lane, nullptr)),
        recording_(std::exchange(recording_lane, nullptr)) {}
  ~OutsideKernel() {
    current_lane = current_;
    recording_lane = recording_;
  }
  OutsideKernel(const OutsideKernel&) = delete;
  OutsideKernel& operator=(const OutsideKernel&) = delete;

 private:
  Lane* current_;
  Lane* recording_;
};

/// Where the thread that had the last turn was at its end, as a return address: 0 if that is not
/// known.
extern constinit thread_local std::uintptr_t left_at;

}  // namespace emulator::engine
