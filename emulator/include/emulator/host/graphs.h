#pragma once
#pragma GCC system_header
/// \file
/// CUDA 13's graphs: capturing streams into them, building them by hand, and launching them.
///
/// A graph's nodes are work as streams do it, and wait for nothing but what their edges say. In the
/// order of issue a launch performs them one after the other before it returns; EMULATOR_ORDER also
/// asks for other legal orders of them. An edge is a full one: data that belongs to edges has to be
/// zero, anything else is not modelled, as device launches and semaphores are not.

#include <stddef.h>

#include "emulator/host/graph_types.h"
#include "emulator/host/host_api.h"
#include "emulator/host/host_types.h"

#ifdef __cplusplus
#include <cstddef>
#endif

EMULATOR_C_BEGIN

// Capturing streams -------------------------------------------------------------------------------

/// From now on the stream's work is not done, but becomes nodes of a new graph; so does that of a
/// stream that waits for an event which was recorded in it. The legacy default stream cannot be
/// captured. What may not be done in the meantime invalidates the capture.
cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode);
/// The same, and the nodes become some of an existing graph.
cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph,
                                          const cudaGraphNode_t* dependencies,
                                          const cudaGraphEdgeData* dependency_data, size_t count,
                                          cudaStreamCaptureMode mode);
/// All streams of the capture are as before. If it was invalidated, or began in another thread, or
/// streams that joined it have not come back to this one, there is an error and no graph.
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph);
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status);
/// All but the status may be null.
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                     unsigned long long* id EMULATOR_DEFAULT(nullptr),
                                     cudaGraph_t* graph EMULATOR_DEFAULT(nullptr),
                                     const cudaGraphNode_t** dependencies EMULATOR_DEFAULT(nullptr),
                                     const cudaGraphEdgeData** edge_data EMULATOR_DEFAULT(nullptr),
                                     size_t* count EMULATOR_DEFAULT(nullptr));
cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t* dependencies,
                                                const cudaGraphEdgeData* dependency_data,
                                                size_t count,
                                                unsigned int flags EMULATOR_DEFAULT(0));
/// What this thread may do while it, or another one, captures.
cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode);

// Graphs ------------------------------------------------------------------------------------------

cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned int flags);
cudaError_t cudaGraphDestroy(cudaGraph_t graph);
/// Graphs with nodes that allocate or free, or with conditional ones, cannot be cloned.
cudaError_t cudaGraphClone(cudaGraph_t* clone, cudaGraph_t original);
cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t* node, cudaGraphNode_t original,
                                     cudaGraph_t clone);
/// With a null pointer in place of the nodes they say how many there are. If there is more room,
/// the rest becomes null.
cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count);
cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count);
cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to,
                              cudaGraphEdgeData* data, size_t* count);
cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* dependencies,
                                         cudaGraphEdgeData* data, size_t* count);
cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t* dependents,
                                           cudaGraphEdgeData* data, size_t* count);
cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType* type);
/// \restricted An edge that would close a cycle is refused at once; a GPU's driver may wait until
/// the graph is instantiated.
cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                     const cudaGraphNode_t* to, const cudaGraphEdgeData* data,
                                     size_t count);
cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                        const cudaGraphNode_t* to, const cudaGraphEdgeData* data,
                                        size_t count);
cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node);
/// Writes the nodes and edges as a drawing for dot. Each flag adds the parameters of one kind of
/// node.
cudaError_t cudaGraphDebugDotPrint(cudaGraph_t graph, const char* path, unsigned int flags);

// Nodes -------------------------------------------------------------------------------------------

/// The kernel has to be cast to `void*` where it is named: (void*)kernel. Arguments are copied.
cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* dependencies, size_t count,
                                   const cudaKernelNodeParams* parameters);
/// Of a node that was captured, `func` stands for the kernel as it was launched there, and may not
/// be the kernel's address.
cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, cudaKernelNodeParams* parameters);
cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node,
                                         const cudaKernelNodeParams* parameters);
/// \restricted Only whether a kernel is cooperative has an effect; priorities and access policy
/// windows are remembered.
cudaError_t cudaGraphKernelNodeSetAttribute(cudaGraphNode_t node, cudaKernelNodeAttrID attribute,
                                            const cudaKernelNodeAttrValue* value);
cudaError_t cudaGraphKernelNodeGetAttribute(cudaGraphNode_t node, cudaKernelNodeAttrID attribute,
                                            cudaKernelNodeAttrValue* value);
cudaError_t cudaGraphKernelNodeCopyAttributes(cudaGraphNode_t to, cudaGraphNode_t from);
cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* dependencies, size_t count,
                                   const cudaMemcpy3DParms* parameters);
cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node, cudaGraph_t graph,
                                     const cudaGraphNode_t* dependencies, size_t count, void* to,
                                     const void* from, size_t bytes, cudaMemcpyKind kind);
/// Positions are part of the pointers that come back.
cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node, cudaMemcpy3DParms* parameters);
cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node, const cudaMemcpy3DParms* parameters);
cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void* to, const void* from,
                                           size_t bytes, cudaMemcpyKind kind);
cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* dependencies, size_t count,
                                   const cudaMemsetParams* parameters);
cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t node, cudaMemsetParams* parameters);
cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node, const cudaMemsetParams* parameters);
cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                 const cudaGraphNode_t* dependencies, size_t count,
                                 const cudaHostNodeParams* parameters);
cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t node, cudaHostNodeParams* parameters);
cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node, const cudaHostNodeParams* parameters);
/// The node has a copy of the graph.
cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                       const cudaGraphNode_t* dependencies, size_t count,
                                       cudaGraph_t child);
cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t* graph);
cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                  const cudaGraphNode_t* dependencies, size_t count);
cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                        const cudaGraphNode_t* dependencies, size_t count,
                                        cudaEvent_t event);
cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* event);
cudaError_t cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event);
cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                      const cudaGraphNode_t* dependencies, size_t count,
                                      cudaEvent_t event);
cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* event);
cudaError_t cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event);
/// The address is known at once. The memory is there from the graph's launch on, until it is freed:
/// by a node, by cudaFreeAsync() or by cudaFree().
cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                     const cudaGraphNode_t* dependencies, size_t count,
                                     cudaMemAllocNodeParams* parameters);
cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t node,
                                           cudaMemAllocNodeParams* parameters);
cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                    const cudaGraphNode_t* dependencies, size_t count,
                                    void* pointer);
/// \param pointer where to store the address
cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node, void* pointer);
/// What launches needed is kept for the next ones, in pieces of 32 MiB, until it is trimmed. Used
/// and reserved is all that is kept.
cudaError_t cudaDeviceGraphMemTrim(int device);
cudaError_t cudaDeviceGetGraphMemAttribute(int device, cudaGraphMemAttributeType attribute,
                                           void* value);
cudaError_t cudaDeviceSetGraphMemAttribute(int device, cudaGraphMemAttributeType attribute,
                                           void* value);
/// Any of the nodes above, or a conditional one: `phGraph_out` then gets its bodies, empty graphs
/// to be filled. The handle has to be of this graph or of any other inside the same outermost one,
/// and may have but one node.
cudaError_t cudaGraphAddNode(cudaGraphNode_t* node, cudaGraph_t graph,
                             const cudaGraphNode_t* dependencies,
                             const cudaGraphEdgeData* dependency_data, size_t count,
                             cudaGraphNodeParams* parameters);
/// Of a conditional node nothing can be changed.
cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t node, cudaGraphNodeParams* parameters);
/// A value for a conditional node to look at. With cudaGraphCondAssignDefault as `flags` it is
/// `initial` at the begin of each launch; else what a kernel sets that comes before the node. Each
/// handle needs its node before the graph is instantiated.
cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle* handle, cudaGraph_t graph,
                                             unsigned int initial EMULATOR_DEFAULT(0),
                                             unsigned int flags EMULATOR_DEFAULT(0));
/// For kernels: sets a handle's value. It counts as no traffic. The checks see it as a
/// store, and the node as what loads: so nothing but an edge orders the two.
void cudaGraphSetConditional(cudaGraphConditionalHandle handle, unsigned int value);

// Executable graphs -------------------------------------------------------------------------------

/// A graph with nodes that allocate or free, or with conditional ones, has one executable graph at
/// a time. Bodies of conditional nodes may hold kernels, empty nodes, child graphs, conditional
/// nodes, and copies and memsets of memory that the device reaches.
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph,
                                 unsigned long long flags EMULATOR_DEFAULT(0));
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* executable, cudaGraph_t graph,
                                          unsigned long long flags EMULATOR_DEFAULT(0));
cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t* executable, cudaGraph_t graph,
                                           cudaGraphInstantiateParams* parameters);
cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t executable, unsigned long long* flags);
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable);
/// \restricted Without effect beyond the checks: there is nothing to bring to the device.
cudaError_t cudaGraphUpload(cudaGraphExec_t executable, cudaStream_t stream);
/// Comes after what is in the stream, and after the last launch of the same executable graph. It
/// cannot be captured.
cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream);
/// Nodes are paired in the order in which they were added. Whatever is refused changes nothing.
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t executable, cudaGraph_t graph,
                                cudaGraphExecUpdateResultInfo* result);
cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                             const cudaKernelNodeParams* parameters);
cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                             const cudaMemcpy3DParms* parameters);
cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t executable, cudaGraphNode_t node,
                                               void* to, const void* from, size_t bytes,
                                               cudaMemcpyKind kind);
cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                             const cudaMemsetParams* parameters);
cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                           const cudaHostNodeParams* parameters);
cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                                 cudaGraph_t child);
cudaError_t cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t executable, cudaGraphNode_t node,
                                                 cudaEvent_t event);
cudaError_t cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t executable, cudaGraphNode_t node,
                                               cudaEvent_t event);
cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                       cudaGraphNodeParams* parameters);
/// Kernel, memcpy and memset nodes only.
cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t executable, cudaGraphNode_t node,
                                    unsigned int enabled);
cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t executable, cudaGraphNode_t node,
                                    unsigned int* enabled);

// User objects ------------------------------------------------------------------------------------

cudaError_t cudaUserObjectCreate(cudaUserObject_t* object, void* pointer, cudaHostFn_t destroy,
                                 unsigned int references, unsigned int flags);
cudaError_t cudaUserObjectRetain(cudaUserObject_t object, unsigned int count EMULATOR_DEFAULT(1));
cudaError_t cudaUserObjectRelease(cudaUserObject_t object, unsigned int count EMULATOR_DEFAULT(1));
cudaError_t cudaGraphRetainUserObject(cudaGraph_t graph, cudaUserObject_t object,
                                      unsigned int count EMULATOR_DEFAULT(1),
                                      unsigned int flags EMULATOR_DEFAULT(0));
cudaError_t cudaGraphReleaseUserObject(cudaGraph_t graph, cudaUserObject_t object,
                                       unsigned int count EMULATOR_DEFAULT(1));

EMULATOR_C_END

#ifdef __cplusplus

// Copies to and from variables, which are passed by name ------------------------------------------

namespace emulator::detail {

cudaError_t add_symbol_node(cudaGraphNode_t* node, cudaGraph_t graph,
                            const cudaGraphNode_t* dependencies, std::size_t count, void* symbol,
                            std::size_t symbol_bytes, const void* other, std::size_t bytes,
                            std::size_t offset, cudaMemcpyKind kind, bool to_symbol);
// Without an executable graph the node's own parameters.
cudaError_t set_symbol_node(cudaGraphExec_t executable, cudaGraphNode_t node, void* symbol,
                            std::size_t symbol_bytes, const void* other, std::size_t bytes,
                            std::size_t offset, cudaMemcpyKind kind, bool to_symbol);

}  // namespace emulator::detail

template <class T>
cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t* node, cudaGraph_t graph,
                                           const cudaGraphNode_t* dependencies, std::size_t count,
                                           const T& symbol, const void* from, std::size_t bytes,
                                           std::size_t offset, cudaMemcpyKind kind) {
  using namespace emulator::detail;
  return add_symbol_node(node, graph, dependencies, count, address_of(symbol), sizeof(T), from,
                         bytes, offset, kind, true);
}
template <class T>
cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t* node, cudaGraph_t graph,
                                             const cudaGraphNode_t* dependencies, std::size_t count,
                                             void* to, const T& symbol, std::size_t bytes,
                                             std::size_t offset, cudaMemcpyKind kind) {
  using namespace emulator::detail;
  return add_symbol_node(node, graph, dependencies, count, address_of(symbol), sizeof(T), to, bytes,
                         offset, kind, false);
}
template <class T>
cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t node, const T& symbol,
                                                 const void* from, std::size_t bytes,
                                                 std::size_t offset, cudaMemcpyKind kind) {
  using namespace emulator::detail;
  return set_symbol_node(nullptr, node, address_of(symbol), sizeof(T), from, bytes, offset, kind,
                         true);
}
template <class T>
cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t node, void* to, const T& symbol,
                                                   std::size_t bytes, std::size_t offset,
                                                   cudaMemcpyKind kind) {
  using namespace emulator::detail;
  return set_symbol_node(nullptr, node, address_of(symbol), sizeof(T), to, bytes, offset, kind,
                         false);
}
template <class T>
cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t executable,
                                                     cudaGraphNode_t node, const T& symbol,
                                                     const void* from, std::size_t bytes,
                                                     std::size_t offset, cudaMemcpyKind kind) {
  using namespace emulator::detail;
  return set_symbol_node(executable, node, address_of(symbol), sizeof(T), from, bytes, offset, kind,
                         true);
}
template <class T>
cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t executable,
                                                       cudaGraphNode_t node, void* to,
                                                       const T& symbol, std::size_t bytes,
                                                       std::size_t offset, cudaMemcpyKind kind) {
  using namespace emulator::detail;
  return set_symbol_node(executable, node, address_of(symbol), sizeof(T), to, bytes, offset, kind,
                         false);
}

// C++ spellings -----------------------------------------------------------------------------------

// The forms that CUDA 11 began with.
inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph,
                                        cudaGraphNode_t*, char*, std::size_t) {
  return cudaGraphInstantiate(executable, graph, 0);
}
inline cudaError_t cudaGraphExecUpdate(cudaGraphExec_t executable, cudaGraph_t graph,
                                       cudaGraphNode_t* error_node,
                                       cudaGraphExecUpdateResult* result) {
  cudaGraphExecUpdateResultInfo info{};
  const cudaError_t error = cudaGraphExecUpdate(executable, graph, &info);
  if (error_node != nullptr) *error_node = info.errorNode;
  if (result != nullptr) *result = info.result;
  return error;
}

// The same as CUDA 12 declares them, without data of edges.
inline cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to,
                                     std::size_t* count) {
  return cudaGraphGetEdges(graph, from, to, nullptr, count);
}
inline cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* dependencies,
                                                std::size_t* count) {
  return cudaGraphNodeGetDependencies(node, dependencies, nullptr, count);
}
inline cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t* dependents,
                                                  std::size_t* count) {
  return cudaGraphNodeGetDependentNodes(node, dependents, nullptr, count);
}
inline cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                            const cudaGraphNode_t* to, std::size_t count) {
  return cudaGraphAddDependencies(graph, from, to, nullptr, count);
}
inline cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                               const cudaGraphNode_t* to, std::size_t count) {
  return cudaGraphRemoveDependencies(graph, from, to, nullptr, count);
}
inline cudaError_t cudaGraphAddNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                    const cudaGraphNode_t* dependencies, std::size_t count,
                                    cudaGraphNodeParams* parameters) {
  return cudaGraphAddNode(node, graph, dependencies, nullptr, count, parameters);
}

#endif  // __cplusplus
