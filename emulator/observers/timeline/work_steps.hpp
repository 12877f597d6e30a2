#pragma once
/// \file
/// How many steps a piece of work takes in a timeline, and which engine does it. The rule, all of
/// it:
///
/// - a copy between host and device: 1 step for each 4 KiB, on the copy engine of its direction
/// - a copy within the device, setting memory: 1 step for each 64 KiB
/// - a kernel: 1 step for each 1,024 threads, whatever they do
/// - a host function, a library's call, a conditional node of a graph: 1 step, as nothing is known
/// of
///   them when they are issued
/// - recording an event, waiting for one, freeing memory, what a graph begins with: none
///
/// A begun step counts as a whole one. Pageable memory is copied by way of a staging buffer of the
/// driver's: the host fills or empties it, in as many steps as the copy takes.

#include "base/rooms.hpp"
#include "events/tasks.hpp"
#include "observers/timeline/step_model.hpp"

namespace emulator::timeline {

struct WorkSteps {
  Engine engine = Engine::none;
  Steps steps = 0;
  Steps staged_before = 0;  ///< steps of the host before the copy is issued
  Steps staged_after = 0;   ///< and after it has waited for it
};

WorkSteps steps_of(const Task& task);

/// Bytes of a box.
std::uint64_t bytes_of(const cudaExtent& extent);

}  // namespace emulator::timeline
