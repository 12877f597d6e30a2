#pragma once
/// \file
/// Conditional nodes at work: which body they run, and how often.

#include <memory>
#include <vector>

#include "base/rooms.hpp"
#include "graphs/executable.hpp"

namespace emulator::graphs {

/// A conditional node in the queue, as it was when its graph was launched: later changes of the
/// executable graph are for later launches.
struct Branch {
  Step step;
};

/// Performs a step: work like any other, or a conditional node with its bodies.
void perform(const Step& step);

/// For the instantiation of a graph: whether the bodies of its conditional nodes hold only what
/// they may, and each value that was made for the graph has its node. While the checks are on, a
/// finding says what is wrong.
struct Structure {
  cudaError_t error = cudaSuccess;
  cudaGraphInstantiateResult result = cudaGraphInstantiateSuccess;
  cudaGraphNode_t node = nullptr;  ///< that is wrong, if it is one
};
Structure check_conditional_nodes(const Graph& graph);

/// The values that the graph's conditional nodes look at, those in bodies included.
std::vector<std::shared_ptr<Condition>> conditions_of(const Graph& graph);

}  // namespace emulator::graphs
