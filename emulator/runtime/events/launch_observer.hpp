#pragma once
/// \file
/// What a launch announces while it runs, and to whom. There is an observer only for a launch that
/// somebody wants to know of; then its blocks run one after the other, or in turns.
///
/// Accesses are not announced one by one: each lane leaves its own in a trace, and merge() makes
/// requests of those of a warp. The observer's merge is compiled together with what it does.

#include <cstddef>
#include <cstdint>
#include <memory>

#include "base/rooms.hpp"
#include "emulator/device/vector_types.h"
#include "emulator/host/host_types.h"
#include "events/launch_details.hpp"
#include "events/trace.hpp"

namespace emulator::events {

/// What the launch is called and where its shared memory lies.
struct ObservedLaunch {
  const char* kernel = nullptr;    ///< as the launch names it
  const void* function = nullptr;  ///< its address, if that is known: the launch names a variable
  dim3 grid;
  dim3 block;
  std::uintptr_t shared = 0;      ///< the worker's thread-local storage
  std::size_t shared_bytes = 0;   ///< its size
  std::uintptr_t dynamic = 0;     ///< where the dynamic shared memory starts
  std::size_t dynamic_bytes = 0;  ///< what the launch has asked for
  std::size_t dynamic_limit = 0;  ///< what could be asked for
  int device = 0;
};

/// The warp whose accesses are merged.
struct MergedWarp {
  WarpTrace& trace;
  dim3 block;
  unsigned number = 0;            ///< in its block
  unsigned number_of_all = 0;     ///< among those of its cluster
  std::uint32_t running = 0;      ///< lanes that may still add to their trace, one bit per lane
  std::uint32_t left_out = 0;     ///< lanes that keep what they have
  std::uintptr_t own_shared = 0;  ///< the block's shared memory, in a cluster; else 0
  std::size_t own_shared_bytes = 0;
};

class LaunchObserver {
 public:
  LaunchObserver() = default;
  virtual ~LaunchObserver() = default;
  LaunchObserver(const LaunchObserver&) = delete;
  LaunchObserver& operator=(const LaunchObserver&) = delete;

  /// An observer of more than accesses: of stored values, of how far threads come, and of all
  /// that LaunchDetails names; null if nobody does.
  virtual const LaunchDetails* details() const = 0;

  /// Merges what the lanes of a warp have done, as far as that can be known now.
  virtual void merge(const MergedWarp& warp) = 0;

  /// A thread begins an asynchronous copy while one of an earlier batch of its own is in flight.
  virtual void copy_runs_ahead() = 0;

  /// All blocks have ended, or the launch has failed.
  virtual void blocks_ended() = 0;
  /// The launch has ended. Nothing is announced after that.
  /// \param error its name, or null
  virtual void launch_ended(const char* error, double milliseconds) = 0;
};

/// The observer of a launch that begins; null if nobody wants to know of it.
std::unique_ptr<LaunchObserver> observer_of(const ObservedLaunch& launch);

}  // namespace emulator::events
