/// \file
/// The functions for nodes of any type: each goes to the one for the type that it is given.

#include <cstddef>

#include "emulator/host/graphs.h"
#include "emulator/host/unmodelled.h"
#include "graphs/graph.hpp"
#include "graphs/node_work.hpp"

using namespace emulator::graphs;

namespace {

cudaKernelNodeParams first_form(const cudaKernelNodeParamsV2& p) {
  return {p.func, p.gridDim, p.blockDim, p.sharedMemBytes, p.kernelParams, p.extra};
}

cudaMemsetParams first_form(const cudaMemsetParamsV2& p) {
  return {p.dst, p.pitch, p.value, p.elementSize, p.width, p.height};
}

cudaHostNodeParams first_form(const cudaHostNodeParamsV2& p) {
  return {p.fn, p.userData};
}

// What is the same for all functions that set parameters: `one` has an overload for each type.
template <class SetOne>
cudaError_t set_any(const cudaGraphNodeParams* p, SetOne set_one) {
  if (p == nullptr) return report(cudaErrorInvalidValue);
  switch (p->type) {
    case cudaGraphNodeTypeKernel:
      return set_one.kernel(first_form(p->kernel));
    case cudaGraphNodeTypeMemcpy:
      return set_one.memcpy(p->memcpy.copyParams);
    case cudaGraphNodeTypeMemset:
      return set_one.memset(first_form(p->memset));
    case cudaGraphNodeTypeHost:
      return set_one.host(first_form(p->host));
    case cudaGraphNodeTypeWaitEvent:
      return set_one.wait(p->eventWait.event);
    case cudaGraphNodeTypeEventRecord:
      return set_one.record(p->eventRecord.event);
    case cudaGraphNodeTypeGraph:
      return set_one.child(p->graph.graph);
    case cudaGraphNodeTypeConditional:
      return report(cudaErrorNotSupported);
    default:
      return report(cudaErrorInvalidValue);
  }
}

struct SetNode {
  cudaGraphNode_t node;

  cudaError_t kernel(const cudaKernelNodeParams& p) const {
    return cudaGraphKernelNodeSetParams(node, &p);
  }
  cudaError_t memcpy(const cudaMemcpy3DParms& p) const {
    return cudaGraphMemcpyNodeSetParams(node, &p);
  }
  cudaError_t memset(const cudaMemsetParams& p) const {
    return cudaGraphMemsetNodeSetParams(node, &p);
  }
  cudaError_t host(const cudaHostNodeParams& p) const {
    return cudaGraphHostNodeSetParams(node, &p);
  }
  cudaError_t wait(cudaEvent_t event) const { return cudaGraphEventWaitNodeSetEvent(node, event); }
  cudaError_t record(cudaEvent_t event) const {
    return cudaGraphEventRecordNodeSetEvent(node, event);
  }
  cudaError_t child(cudaGraph_t) const { return report(cudaErrorInvalidValue); }
};

struct SetStep {
  cudaGraphExec_t executable;
  cudaGraphNode_t node;

  cudaError_t kernel(const cudaKernelNodeParams& p) const {
    return cudaGraphExecKernelNodeSetParams(executable, node, &p);
  }
  cudaError_t memcpy(const cudaMemcpy3DParms& p) const {
    return cudaGraphExecMemcpyNodeSetParams(executable, node, &p);
  }
  cudaError_t memset(const cudaMemsetParams& p) const {
    return cudaGraphExecMemsetNodeSetParams(executable, node, &p);
  }
  cudaError_t host(const cudaHostNodeParams& p) const {
    return cudaGraphExecHostNodeSetParams(executable, node, &p);
  }
  cudaError_t wait(cudaEvent_t event) const {
    return cudaGraphExecEventWaitNodeSetEvent(executable, node, event);
  }
  cudaError_t record(cudaEvent_t event) const {
    return cudaGraphExecEventRecordNodeSetEvent(executable, node, event);
  }
  cudaError_t child(cudaGraph_t graph) const {
    return cudaGraphExecChildGraphNodeSetParams(executable, node, graph);
  }
};

cudaError_t add_allocation(const NewNode& place, cudaMemAllocNodeParamsV2& p) {
  cudaMemAllocNodeParams first{p.poolProps, p.accessDescs, p.accessDescCount, p.bytesize, nullptr};
  const cudaError_t error =
      cudaGraphAddMemAllocNode(place.node, place.graph, place.dependencies, place.count, &first);
  p.dptr = first.dptr;
  return error;
}

cudaError_t add_child(const NewNode& place, const cudaChildGraphNodeParams& p) {
  return add_node(place, [&](Work& work, Graph& parent) {
    return set_work(work, parent, p.graph, p.ownership);
  });
}

}  // namespace

cudaError_t cudaGraphAddNode(cudaGraphNode_t* node, cudaGraph_t graph,
                             const cudaGraphNode_t* dependencies,
                             const cudaGraphEdgeData* dependency_data, std::size_t count,
                             cudaGraphNodeParams* p) {
  if (p == nullptr || !is_plain(dependency_data, count)) return report(cudaErrorInvalidValue);
  const NewNode place{node, graph, dependencies, count};
  const auto add = [&](const auto& parameters) {
    return add_node(place, [&](Work& work, Graph&) { return set_work(work, parameters); });
  };
  const auto add_event = [&](cudaEvent_t event) {
    return add_node(place, [&](Work& work, Graph&) { return set_work(work, p->type, event); });
  };
  switch (p->type) {
    case cudaGraphNodeTypeKernel:
      return add(first_form(p->kernel));
    case cudaGraphNodeTypeMemcpy:
      return add(p->memcpy.copyParams);
    case cudaGraphNodeTypeMemset:
      return add(first_form(p->memset));
    case cudaGraphNodeTypeHost:
      return add(first_form(p->host));
    case cudaGraphNodeTypeGraph:
      return add_child(place, p->graph);
    case cudaGraphNodeTypeEmpty:
      return cudaGraphAddEmptyNode(node, graph, dependencies, count);
    case cudaGraphNodeTypeWaitEvent:
      return add_event(p->eventWait.event);
    case cudaGraphNodeTypeEventRecord:
      return add_event(p->eventRecord.event);
    case cudaGraphNodeTypeMemAlloc:
      return add_allocation(place, p->alloc);
    case cudaGraphNodeTypeMemFree:
      return cudaGraphAddMemFreeNode(node, graph, dependencies, count, p->free.dptr);
    case cudaGraphNodeTypeConditional:
      return add_node(
          place, [&](Work& work, Graph& parent) { return set_work(work, parent, p->conditional); });
    case cudaGraphNodeTypeExtSemaphoreSignal:
    case cudaGraphNodeTypeExtSemaphoreWait:
      return not_modelled("a node for semaphores");
    case cudaGraphNodeTypeCount:
      break;
  }
  return report(cudaErrorInvalidValue);
}

cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t node, cudaGraphNodeParams* parameters) {
  return set_any(parameters, SetNode{node});
}

cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                       cudaGraphNodeParams* parameters) {
  return set_any(parameters, SetStep{executable, node});
}
