#pragma once
/// \file
/// A launch in progress.

#include <atomic>
#include <chrono>
#include <cstdint>

#include "base/rooms.hpp"
#include "emulator/host/launch.h"
#include "engine/launches/block_order.hpp"
#include "events/launch_observer.hpp"

namespace emulator::engine {

class ChildLaunches;
class ClusteredGrid;
class CooperativeGrid;
class HostThreads;
class LaunchTurn;

/// A launch in progress, shared by the workers that run it.
struct Grid {
  const char* kernel = nullptr;
  Configuration configuration{dim3(), dim3()};
  ThreadBody body{};
  CooperativeGrid* cooperative = nullptr;  ///< null unless its blocks may wait for each other
  ClusteredGrid* clustered = nullptr;      ///< null unless its blocks form clusters
  ChildLaunches* children = nullptr;       ///< what its threads launch
  HostThreads* pool = nullptr;             ///< where more host threads come from; may be null
  LaunchTurn* turn = nullptr;              ///< null if it keeps its turn to the end
  LaunchObserver* observer = nullptr;      ///< null unless somebody wants to know of the launch
  const LaunchDetails* details = nullptr;  ///< null unless the observer wants details
  std::uint64_t number = ++launches;       ///< of this launch, from 1 on
  std::uint64_t blocks = 0;
  BlockOrder order;  ///< in which they begin, if they do not form clusters
  std::atomic<std::uint64_t> next_block{0};
  std::atomic<cudaError_t> error{cudaSuccess};
  /// What the kernel itself says of clusters, if that is not what it was launched with: then no
  /// block has done anything yet.
  dim3 declared{0, 0, 0};
  std::atomic<bool> told_of_waiting{false};
  std::atomic<bool> told_of_running{false};
  std::chrono::steady_clock::time_point began = std::chrono::steady_clock::now();

  static inline std::atomic<std::uint64_t> launches{0};

  /// Whether its blocks may wait for each other.
  bool is_cooperative() const { return cooperative != nullptr; }
  bool has_explicit_clusters() const { return configuration.cluster.x != 0; }
};

}  // namespace emulator::engine
