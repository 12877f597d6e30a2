/// \file
/// Changes of executable graphs: they hold for the launches that follow.

#include <algorithm>
#include <cstddef>
#include <utility>
#include <variant>
#include <vector>

#include "base/copy_waits.hpp"
#include "emulator/host/graphs.h"
#include "emulator/host/unmodelled.h"
#include "events/stream_work.hpp"
#include "graphs/branch.hpp"
#include "graphs/executable.hpp"
#include "graphs/node_work.hpp"

using namespace emulator::graphs;

namespace {

bool is_one_row(const CopyTask& copy) {
  return copy.extent.height == 1 && copy.extent.depth == 1;
}

bool is_same_memory(const CopyTask& one, const CopyTask& other) {
  return side_of(one.to.origin) == side_of(other.to.origin) &&
         side_of(one.from.origin) == side_of(other.from.origin);
}

bool is_same_shape(const SetTask& one, const SetTask& other) {
  return one.extent.width == other.extent.width && one.extent.height == other.extent.height &&
         one.element_bytes == other.element_bytes && one.box.pitch == other.box.pitch;
}

// Whether a node can come to do another work of its type, as CUDA's documentation has it.
cudaGraphExecUpdateResult can_become(const Work& now, const Work& later) {
  switch (now.type) {
    case cudaGraphNodeTypeKernel: {
      if (is_own_kernel(now) != is_own_kernel(later)) {
        return cudaGraphExecUpdateErrorParametersChanged;
      }
      if (!is_own_kernel(now)) return cudaGraphExecUpdateSuccess;
      const bool was = std::get<KernelTask>(now.task).cooperative != nullptr;
      const bool will_be = std::get<KernelTask>(later.task).cooperative != nullptr;
      return was == will_be ? cudaGraphExecUpdateSuccess
                            : cudaGraphExecUpdateErrorAttributesChanged;
    }
    case cudaGraphNodeTypeMemcpy:
      return is_same_memory(std::get<CopyTask>(now.task), std::get<CopyTask>(later.task))
                 ? cudaGraphExecUpdateSuccess
                 : cudaGraphExecUpdateErrorParametersChanged;
    case cudaGraphNodeTypeMemset: {
      const auto& was = std::get<SetTask>(now.task);
      const auto& will_be = std::get<SetTask>(later.task);
      const bool are_rows = was.extent.height == 1 && will_be.extent.height == 1;
      const bool fits = side_of(was.box.origin) == side_of(will_be.box.origin) &&
                        (are_rows || is_same_shape(was, will_be));
      return fits ? cudaGraphExecUpdateSuccess : cudaGraphExecUpdateErrorParametersChanged;
    }
    case cudaGraphNodeTypeConditional:
      return now.choice.type == later.choice.type ? cudaGraphExecUpdateSuccess
                                                  : cudaGraphExecUpdateErrorParametersChanged;
    case cudaGraphNodeTypeMemAlloc:
      return now.memory == later.memory ? cudaGraphExecUpdateSuccess
                                        : cudaGraphExecUpdateErrorNotSupported;
    case cudaGraphNodeTypeMemFree:
      return std::get<FreeTask>(now.task).pointer == std::get<FreeTask>(later.task).pointer
                 ? cudaGraphExecUpdateSuccess
                 : cudaGraphExecUpdateErrorNotSupported;
    default:
      return cudaGraphExecUpdateSuccess;
  }
}

cudaGraphExecUpdateResultInfo compare_all(const std::vector<Step>& old_steps,
                                          const std::vector<Step>& new_steps);

// Whether step i of the new graph can take the place of the old one; if not, why.
cudaGraphExecUpdateResultInfo compare(const std::vector<Step>& old_steps,
                                      const std::vector<Step>& new_steps, std::size_t i) {
  const Step& was = old_steps[i];
  const Step& will_be = new_steps[i];
  auto* const node = will_be.node;
  if (was.work.type != will_be.work.type || (was.node == nullptr) != (node == nullptr)) {
    return {cudaGraphExecUpdateErrorNodeTypeChanged, node, nullptr};
  }
  if (was.after.size() != will_be.after.size()) {
    return {cudaGraphExecUpdateErrorTopologyChanged, node, nullptr};
  }
  for (const std::size_t before : will_be.after) {
    if (std::ranges::find(was.after, before) == was.after.end()) {
      return {cudaGraphExecUpdateErrorTopologyChanged, node, new_steps[before].node};
    }
  }
  const cudaGraphExecUpdateResult result = can_become(was.work, will_be.work);
  if (result != cudaGraphExecUpdateSuccess) return {result, node, nullptr};
  if (was.bodies.size() != will_be.bodies.size()) {
    return {cudaGraphExecUpdateErrorParametersChanged, node, nullptr};
  }
  for (std::size_t body = 0; body < was.bodies.size(); ++body) {
    const auto info = compare_all(was.bodies[body], will_be.bodies[body]);
    if (info.result != cudaGraphExecUpdateSuccess) return info;
  }
  return {cudaGraphExecUpdateSuccess, nullptr, nullptr};
}

cudaGraphExecUpdateResultInfo compare_all(const std::vector<Step>& old_steps,
                                          const std::vector<Step>& new_steps) {
  if (old_steps.size() != new_steps.size()) {
    return {cudaGraphExecUpdateErrorTopologyChanged, nullptr, nullptr};
  }
  for (std::size_t i = 0; i < old_steps.size(); ++i) {
    const auto info = compare(old_steps, new_steps, i);
    if (info.result != cudaGraphExecUpdateSuccess) return info;
  }
  return {cudaGraphExecUpdateSuccess, nullptr, nullptr};
}

// The steps stay, and whether they are enabled; what they do is new.
void take_work(std::vector<Step>& steps, std::vector<Step>& new_steps) {
  for (std::size_t i = 0; i < steps.size(); ++i) {
    steps[i].work = std::move(new_steps[i].work);
    for (std::size_t body = 0; body < steps[i].bodies.size(); ++body) {
      take_work(steps[i].bodies[body], new_steps[i].bodies[body]);
    }
  }
}

cudaGraphExecUpdateResultInfo update(Executable& executable, std::vector<Step> new_steps) {
  const auto info = compare_all(executable.steps, new_steps);
  if (info.result == cudaGraphExecUpdateSuccess) take_work(executable.steps, new_steps);
  return info;
}

// Calls `change` with a copy of the work of a step, which takes its place if that goes well.
template <class Change>
cudaError_t change_step(cudaGraphExec_t executable, cudaGraphNode_t node, cudaGraphNodeType type,
                        Change change) {
  return with_executable(executable, [&](Executable& live) {
    Step* const step = live.find(node);
    if (step == nullptr || step->work.type != type) return cudaErrorInvalidValue;
    if (type == cudaGraphNodeTypeKernel && !is_own_kernel(step->work)) {
      return not_modelled("changing the kernels of a library's call in a graph");
    }
    Work later = step->work;
    if (const cudaError_t error = change(later); error != cudaSuccess) return error;
    if (can_become(step->work, later) != cudaGraphExecUpdateSuccess) return cudaErrorInvalidValue;
    step->work = std::move(later);
    note_graph_calls({.updates = 1});
    return cudaSuccess;
  });
}

template <class Parameters>
cudaError_t set(cudaGraphExec_t executable, cudaGraphNode_t node, cudaGraphNodeType type,
                const Parameters* parameters) {
  if (parameters == nullptr) return report(cudaErrorInvalidValue);
  return change_step(executable, node, type,
                     [&](Work& work) { return set_work(work, *parameters); });
}

// Copies have to be of one row, before and after.
template <class Change>
cudaError_t set_copy_step(cudaGraphExec_t executable, cudaGraphNode_t node, Change change) {
  return change_step(executable, node, cudaGraphNodeTypeMemcpy, [&](Work& work) {
    if (!is_one_row(std::get<CopyTask>(work.task))) return cudaErrorInvalidValue;
    if (const cudaError_t error = change(work); error != cudaSuccess) return error;
    return is_one_row(std::get<CopyTask>(work.task)) ? cudaSuccess : cudaErrorInvalidValue;
  });
}

cudaError_t set_event(cudaGraphExec_t executable, cudaGraphNode_t node, cudaGraphNodeType type,
                      cudaEvent_t event) {
  return change_step(executable, node, type,
                     [&](Work& work) { return set_work(work, type, event); });
}

bool can_be_disabled(cudaGraphNodeType type) {
  return type == cudaGraphNodeTypeKernel || type == cudaGraphNodeTypeMemcpy ||
         type == cudaGraphNodeTypeMemset;
}

}  // namespace

namespace emulator::graphs {

cudaError_t set_symbol_step(cudaGraphExec_t executable, cudaGraphNode_t node,
                            const SymbolCopy& copy) {
  return set_copy_step(executable, node, [&](Work& work) { return set_work(work, copy); });
}

}  // namespace emulator::graphs

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t executable, cudaGraph_t graph,
                                cudaGraphExecUpdateResultInfo* result) {
  if (result == nullptr) return report(cudaErrorInvalidValue);
  *result = {cudaGraphExecUpdateError, nullptr, nullptr};
  return with_executable(executable, [&](Executable& live) {
    const Graph* const source = Graphs::get().find(graph);
    if (source == nullptr) return cudaErrorInvalidValue;
    *result = update(live, steps_of(*source));
    if (result->result != cudaGraphExecUpdateSuccess) return cudaErrorGraphExecUpdateFailure;
    live.conditions = std::make_shared<Executable::Conditions>(conditions_of(*source));
    note_graph_calls({.updates = 1});
    return cudaSuccess;
  });
}

cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                             const cudaKernelNodeParams* parameters) {
  return set(executable, node, cudaGraphNodeTypeKernel, parameters);
}

cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                             const cudaMemcpy3DParms* parameters) {
  if (parameters == nullptr) return report(cudaErrorInvalidValue);
  return set_copy_step(executable, node, [&](Work& work) { return set_work(work, *parameters); });
}

cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t executable, cudaGraphNode_t node,
                                               void* to, const void* from, std::size_t bytes,
                                               cudaMemcpyKind kind) {
  return set_copy_step(executable, node,
                       [&](Work& work) { return set_work(work, to, from, bytes, kind); });
}

cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                             const cudaMemsetParams* parameters) {
  return set(executable, node, cudaGraphNodeTypeMemset, parameters);
}

cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                           const cudaHostNodeParams* parameters) {
  return set(executable, node, cudaGraphNodeTypeHost, parameters);
}

// The steps of a child are between its node's and the one that ends it, and are in the same order
// as those of a graph made by the same calls.
cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                                 cudaGraph_t child) {
  return with_executable(executable, [&](Executable& live) {
    const Graph* const source = Graphs::get().find(child);
    const auto [steps, first] = live.position_of(node);
    if (source == nullptr || steps == nullptr ||
        (*steps)[first].work.type != cudaGraphNodeTypeGraph || source->has_conditional_nodes()) {
      return cudaErrorInvalidValue;
    }
    Graph around;  // a graph with nothing but that child, as the executable one has it
    Work work{cudaGraphNodeTypeGraph};
    work.child = Graphs::get().live.at(child);
    around.nodes.emplace(node, Node{std::move(work), {}});
    std::vector<Step> new_steps = steps_of(around);
    if (steps->size() - first < new_steps.size()) return cudaErrorInvalidValue;
    const auto begin = steps->begin() + static_cast<std::ptrdiff_t>(first);
    std::vector<Step> old_steps(begin, begin + static_cast<std::ptrdiff_t>(new_steps.size()));
    for (std::size_t i = 1; i < old_steps.size(); ++i) {
      for (std::size_t& before : old_steps[i].after) before -= first;
      if (compare(old_steps, new_steps, i).result != cudaGraphExecUpdateSuccess) {
        return cudaErrorInvalidValue;
      }
    }
    for (std::size_t i = 1; i < old_steps.size(); ++i) {
      (*steps)[first + i].work = std::move(new_steps[i].work);
    }
    note_graph_calls({.updates = 1});
    return cudaSuccess;
  });
}

cudaError_t cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t executable, cudaGraphNode_t node,
                                                 cudaEvent_t event) {
  return set_event(executable, node, cudaGraphNodeTypeEventRecord, event);
}

cudaError_t cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t executable, cudaGraphNode_t node,
                                               cudaEvent_t event) {
  return set_event(executable, node, cudaGraphNodeTypeWaitEvent, event);
}

cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t executable, cudaGraphNode_t node,
                                    unsigned int enabled) {
  return with_executable(executable, [&](Executable& live) {
    Step* const step = live.find(node);
    if (step == nullptr || !can_be_disabled(step->work.type)) return cudaErrorInvalidValue;
    step->is_enabled = enabled != 0;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t executable, cudaGraphNode_t node,
                                    unsigned int* enabled) {
  if (enabled == nullptr) return report(cudaErrorInvalidValue);
  return with_executable(executable, [&](Executable& live) {
    const Step* const step = live.find(node);
    if (step == nullptr || !can_be_disabled(step->work.type)) return cudaErrorInvalidValue;
    *enabled = step->is_enabled ? 1 : 0;
    return cudaSuccess;
  });
}
