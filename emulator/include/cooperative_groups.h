#pragma once
#pragma GCC system_header
/// \file
/// Cooperative groups: names for the threads that work together, and what they can do together. The
/// groups that one warp can form, blocks, clusters, and the whole grid of a cooperative launch.
///
/// Reductions, scans and asynchronous copies are in headers of their own, as in CUDA:
/// cooperative_groups/reduce.h, scan.h and memcpy_async.h.

#include <cuda/atomic>  // NVIDIA's header brings it along, too

#include "emulator/cooperative/cooperative_base.h"
#include "emulator/cooperative/cooperative_cluster.h"
#include "emulator/cooperative/cooperative_grid.h"
#include "emulator/cooperative/cooperative_partition.h"
#include "emulator/cooperative/cooperative_tiles.h"
#include "emulator/cooperative/cooperative_warp.h"

namespace cooperative_groups {

/// Waits for all threads of the group.
template <class Group>
EMULATOR_INLINE void sync(const Group& group) {
  group.sync();
}

/// The calling thread's place in the group, from 0 on.
template <class Group>
EMULATOR_INLINE auto thread_rank(const Group& group) {
  return group.thread_rank();
}

/// How many threads the group has.
template <class Group>
EMULATOR_INLINE auto group_size(const Group& group) {
  return group.size();
}

/// Lets one thread of the group call `function(arguments...)`, and no other.
template <class Group, class Function, class... Arguments>
EMULATOR_INLINE void invoke_one(const Group& group, Function&& function, Arguments&&... arguments) {
  if (group.thread_rank() == 0) {
    static_cast<Function&&>(function)(static_cast<Arguments&&>(arguments)...);
  }
}

/// Lets one thread of the group call `function(arguments...)`; all get what it returned.
template <class Group, class Function, class... Arguments>
EMULATOR_INLINE auto invoke_one_broadcast(const Group& group, Function&& function,
                                          Arguments&&... arguments) {
  using Result = decltype(function(static_cast<Arguments&&>(arguments)...));
  std::remove_cv_t<std::remove_reference_t<Result>> result{};
  if (group.thread_rank() == 0) {
    result = static_cast<Function&&>(function)(static_cast<Arguments&&>(arguments)...);
  }
  return group.shfl(result, 0);
}

}  // namespace cooperative_groups
