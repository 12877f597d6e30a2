/// \file
/// The handles of conditional nodes, and how such a node is made.

#include <memory>
#include <utility>

#include "emulator/host/graphs.h"
#include "graphs/conditions.hpp"
#include "graphs/graph.hpp"
#include "graphs/node_work.hpp"

using namespace emulator::graphs;

namespace emulator::graphs {
namespace {

bool is_size_of(cudaGraphConditionalNodeType type, unsigned bodies) {
  switch (type) {
    case cudaGraphCondTypeIf:
      return bodies == 1 || bodies == 2;
    case cudaGraphCondTypeWhile:
      return bodies == 1;
    case cudaGraphCondTypeSwitch:
      return bodies > 0;
  }
  return false;
}

const Graph& outermost(const Graph& graph) {
  const Graph* one = &graph;
  while (one->parent != nullptr) one = one->parent;
  return *one;
}

// A handle may be of any graph inside the same outermost one: of the parent, of a body, of the
// body beside it.
bool may_use(const Graph& graph, const Condition& condition) {
  const Graph* const owner = Graphs::get().find(condition.graph());
  return owner != nullptr && &outermost(*owner) == &outermost(graph);
}

}  // namespace

cudaError_t set_work(Work& work, Graph& graph, cudaConditionalNodeParams& parameters) {
  const std::shared_ptr<Condition> condition = Condition::find(parameters.handle);
  if (condition == nullptr || condition->has_node || !may_use(graph, *condition) ||
      !is_size_of(parameters.type, parameters.size)) {
    return cudaErrorInvalidValue;
  }
  Choice choice{parameters.type, condition};
  choice.handles = std::make_shared<std::vector<cudaGraph_t>>();
  for (unsigned i = 0; i < parameters.size; ++i) {
    const std::shared_ptr<Graph> body = Graphs::get().create();
    body->parent = &graph;
    body->is_body = true;
    choice.handles->push_back(body->handle);
    choice.bodies.push_back(body);
  }
  condition->has_node = true;
  parameters.phGraph_out = choice.handles->data();
  work.type = cudaGraphNodeTypeConditional;
  work.task = BranchTask{};
  work.choice = std::move(choice);
  return cudaSuccess;
}

}  // namespace emulator::graphs

cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle* handle, cudaGraph_t graph,
                                             unsigned int initial, unsigned int flags) {
  if (handle == nullptr || (flags & ~unsigned{cudaGraphCondAssignDefault}) != 0) {
    return report(cudaErrorInvalidValue);
  }
  return with_graph(graph, [&](Graph& live) {
    const std::shared_ptr<Condition> made =
        Condition::create(graph, initial, (flags & cudaGraphCondAssignDefault) != 0);
    if (made == nullptr) return cudaErrorMemoryAllocation;
    live.conditions.push_back(made);
    *handle = made->handle();
    return cudaSuccess;
  });
}
