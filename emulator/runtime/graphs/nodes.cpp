/// \file
/// The functions that add nodes to graphs, and ask or say what they do.

#include <cstddef>
#include <utility>

#include "emulator/host/graphs.h"
#include "emulator/host/unmodelled.h"
#include "graphs/executable.hpp"
#include "graphs/graph.hpp"
#include "graphs/node_work.hpp"

using namespace emulator::graphs;

namespace {

// A node that is made of a structure of parameters.
template <class Parameters>
cudaError_t add(const NewNode& place, const Parameters* parameters) {
  if (parameters == nullptr) return report(cudaErrorInvalidValue);
  return add_node(place, [&](Work& work, Graph&) { return set_work(work, *parameters); });
}

template <class Parameters>
cudaError_t get(cudaGraphNode_t node, cudaGraphNodeType type, Parameters* parameters) {
  if (parameters == nullptr) return report(cudaErrorInvalidValue);
  return with_node(node, type, [&](const Work& work) {
    get_parameters(work, *parameters);
    return cudaSuccess;
  });
}

template <class Parameters>
cudaError_t set(cudaGraphNode_t node, cudaGraphNodeType type, const Parameters* parameters) {
  if (parameters == nullptr) return report(cudaErrorInvalidValue);
  return with_node(node, type, [&](Work& work) { return set_work(work, *parameters); });
}

cudaError_t get_event(cudaGraphNode_t node, cudaGraphNodeType type, cudaEvent_t* event) {
  if (event == nullptr) return report(cudaErrorInvalidValue);
  return with_node(node, type, [&](const Work& work) {
    *event = work.event;
    return cudaSuccess;
  });
}

cudaError_t set_event(cudaGraphNode_t node, cudaGraphNodeType type, cudaEvent_t event) {
  return with_node(node, type, [&](Work& work) { return set_work(work, type, event); });
}

}  // namespace

// What programs call.
namespace emulator::detail {

using namespace graphs;

cudaError_t add_symbol_node(cudaGraphNode_t* node, cudaGraph_t graph,
                            const cudaGraphNode_t* dependencies, std::size_t count, void* symbol,
                            std::size_t symbol_bytes, const void* other, std::size_t bytes,
                            std::size_t offset, cudaMemcpyKind kind, bool to_symbol) {
  const SymbolCopy copy{symbol, symbol_bytes, const_cast<void*>(other), bytes, offset,
                        kind,   to_symbol};
  return add({node, graph, dependencies, count}, &copy);
}

cudaError_t set_symbol_node(cudaGraphExec_t executable, cudaGraphNode_t node, void* symbol,
                            std::size_t symbol_bytes, const void* other, std::size_t bytes,
                            std::size_t offset, cudaMemcpyKind kind, bool to_symbol) {
  const SymbolCopy copy{symbol, symbol_bytes, const_cast<void*>(other), bytes, offset,
                        kind,   to_symbol};
  if (executable != nullptr) return set_symbol_step(executable, node, copy);
  return set(node, cudaGraphNodeTypeMemcpy, &copy);
}

}  // namespace emulator::detail

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* dependencies, std::size_t count,
                                   const cudaKernelNodeParams* parameters) {
  return add({node, graph, dependencies, count}, parameters);
}

cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, cudaKernelNodeParams* parameters) {
  return get(node, cudaGraphNodeTypeKernel, parameters);
}

cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node,
                                         const cudaKernelNodeParams* parameters) {
  return set(node, cudaGraphNodeTypeKernel, parameters);
}

cudaError_t cudaGraphKernelNodeSetAttribute(cudaGraphNode_t node, cudaKernelNodeAttrID attribute,
                                            const cudaKernelNodeAttrValue* value) {
  if (value == nullptr) return report(cudaErrorInvalidValue);
  return with_node(node, cudaGraphNodeTypeKernel,
                   [&](Work& work) { return set_attribute(work, attribute, *value); });
}

cudaError_t cudaGraphKernelNodeGetAttribute(cudaGraphNode_t node, cudaKernelNodeAttrID attribute,
                                            cudaKernelNodeAttrValue* value) {
  const bool known = attribute == cudaLaunchAttributeAccessPolicyWindow ||
                     attribute == cudaLaunchAttributeCooperative ||
                     attribute == cudaLaunchAttributePriority;
  if (value == nullptr || !known) return report(cudaErrorInvalidValue);
  return with_node(node, cudaGraphNodeTypeKernel, [&](const Work& work) {
    const auto found = work.attributes.find(attribute);
    *value = found != work.attributes.end() ? found->second : cudaKernelNodeAttrValue{};
    return cudaSuccess;
  });
}

cudaError_t cudaGraphKernelNodeCopyAttributes(cudaGraphNode_t to, cudaGraphNode_t from) {
  return with_node(to, cudaGraphNodeTypeKernel, [&](Work& work) {
    const Node* const source = Graphs::get().find(from);
    if (source == nullptr || source->work.type != cudaGraphNodeTypeKernel ||
        !is_own_kernel(source->work)) {
      return cudaErrorInvalidValue;
    }
    for (const auto& [attribute, value] : source->work.attributes) {
      set_attribute(work, static_cast<cudaLaunchAttributeID>(attribute), value);
    }
    return cudaSuccess;
  });
}

cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* dependencies, std::size_t count,
                                   const cudaMemcpy3DParms* parameters) {
  return add({node, graph, dependencies, count}, parameters);
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node, cudaGraph_t graph,
                                     const cudaGraphNode_t* dependencies, std::size_t count,
                                     void* to, const void* from, std::size_t bytes,
                                     cudaMemcpyKind kind) {
  return add_node({node, graph, dependencies, count},
                  [&](Work& work, Graph&) { return set_work(work, to, from, bytes, kind); });
}

cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node, cudaMemcpy3DParms* parameters) {
  return get(node, cudaGraphNodeTypeMemcpy, parameters);
}

cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node,
                                         const cudaMemcpy3DParms* parameters) {
  return set(node, cudaGraphNodeTypeMemcpy, parameters);
}

cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void* to, const void* from,
                                           std::size_t bytes, cudaMemcpyKind kind) {
  return with_node(node, cudaGraphNodeTypeMemcpy,
                   [&](Work& work) { return set_work(work, to, from, bytes, kind); });
}

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* dependencies, std::size_t count,
                                   const cudaMemsetParams* parameters) {
  return add({node, graph, dependencies, count}, parameters);
}

cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t node, cudaMemsetParams* parameters) {
  return get(node, cudaGraphNodeTypeMemset, parameters);
}

cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node, const cudaMemsetParams* parameters) {
  return set(node, cudaGraphNodeTypeMemset, parameters);
}

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                 const cudaGraphNode_t* dependencies, std::size_t count,
                                 const cudaHostNodeParams* parameters) {
  return add({node, graph, dependencies, count}, parameters);
}

cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t node, cudaHostNodeParams* parameters) {
  return get(node, cudaGraphNodeTypeHost, parameters);
}

cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node, const cudaHostNodeParams* parameters) {
  return set(node, cudaGraphNodeTypeHost, parameters);
}

cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                       const cudaGraphNode_t* dependencies, std::size_t count,
                                       cudaGraph_t child) {
  return add_node({node, graph, dependencies, count}, [&](Work& work, Graph& parent) {
    return set_work(work, parent, child, cudaGraphChildGraphOwnershipClone);
  });
}

cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t* graph) {
  if (graph == nullptr) return report(cudaErrorInvalidValue);
  return with_node(node, cudaGraphNodeTypeGraph, [&](const Work& work) {
    *graph = work.child->handle;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                  const cudaGraphNode_t* dependencies, std::size_t count) {
  return add_node({node, graph, dependencies, count}, [](Work&, Graph&) { return cudaSuccess; });
}

cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                        const cudaGraphNode_t* dependencies, std::size_t count,
                                        cudaEvent_t event) {
  return add_node({node, graph, dependencies, count}, [&](Work& work, Graph&) {
    return set_work(work, cudaGraphNodeTypeEventRecord, event);
  });
}

cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* event) {
  return get_event(node, cudaGraphNodeTypeEventRecord, event);
}

cudaError_t cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {
  return set_event(node, cudaGraphNodeTypeEventRecord, event);
}

cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                      const cudaGraphNode_t* dependencies, std::size_t count,
                                      cudaEvent_t event) {
  return add_node({node, graph, dependencies, count}, [&](Work& work, Graph&) {
    return set_work(work, cudaGraphNodeTypeWaitEvent, event);
  });
}

cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* event) {
  return get_event(node, cudaGraphNodeTypeWaitEvent, event);
}

cudaError_t cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {
  return set_event(node, cudaGraphNodeTypeWaitEvent, event);
}

cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                     const cudaGraphNode_t* dependencies, std::size_t count,
                                     cudaMemAllocNodeParams* parameters) {
  if (parameters == nullptr) return report(cudaErrorInvalidValue);
  return add_node({node, graph, dependencies, count}, [&](Work& work, Graph&) {
    return set_work(work, *parameters, "cudaGraphAddMemAllocNode");
  });
}

cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t node,
                                           cudaMemAllocNodeParams* parameters) {
  if (parameters == nullptr) return report(cudaErrorInvalidValue);
  return with_node(node, cudaGraphNodeTypeMemAlloc, [&](const Work& work) {
    *parameters = work.memory->parameters();
    return cudaSuccess;
  });
}

cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                    const cudaGraphNode_t* dependencies, std::size_t count,
                                    void* pointer) {
  return add_node({node, graph, dependencies, count},
                  [&](Work& work, Graph& live) { return set_work(work, live, pointer); });
}

cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node, void* pointer) {
  if (pointer == nullptr) return report(cudaErrorInvalidValue);
  return with_node(node, cudaGraphNodeTypeMemFree, [&](const Work& work) {
    *static_cast<void**>(pointer) = std::get<FreeTask>(work.task).pointer;
    return cudaSuccess;
  });
}
