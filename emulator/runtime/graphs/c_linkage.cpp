/// \file
/// Graphs for files in C: each function once more, by its name there.

#include "base/c_linkage.hpp"
#include "emulator/host/graphs.h"

EMULATOR_C(cudaError_t, cudaStreamBeginCapture, (cudaStream_t stream, cudaStreamCaptureMode mode),
           (stream, mode))
EMULATOR_C(cudaError_t, cudaStreamBeginCaptureToGraph,
           (cudaStream_t stream, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
            const cudaGraphEdgeData* dependency_data, size_t count, cudaStreamCaptureMode mode),
           (stream, graph, dependencies, dependency_data, count, mode))
EMULATOR_C(cudaError_t, cudaStreamEndCapture, (cudaStream_t stream, cudaGraph_t* graph),
           (stream, graph))
EMULATOR_C(cudaError_t, cudaStreamIsCapturing,
           (cudaStream_t stream, cudaStreamCaptureStatus* status), (stream, status))
EMULATOR_C(cudaError_t, cudaStreamGetCaptureInfo,
           (cudaStream_t stream, cudaStreamCaptureStatus* status, unsigned long long* id,
            cudaGraph_t* graph, const cudaGraphNode_t** dependencies,
            const cudaGraphEdgeData** edge_data, size_t* count),
           (stream, status, id, graph, dependencies, edge_data, count))
EMULATOR_C(cudaError_t, cudaStreamUpdateCaptureDependencies,
           (cudaStream_t stream, cudaGraphNode_t* dependencies,
            const cudaGraphEdgeData* dependency_data, size_t count, unsigned int flags),
           (stream, dependencies, dependency_data, count, flags))
EMULATOR_C(cudaError_t, cudaThreadExchangeStreamCaptureMode, (cudaStreamCaptureMode * mode), (mode))
EMULATOR_C(cudaError_t, cudaGraphCreate, (cudaGraph_t * graph, unsigned int flags), (graph, flags))
EMULATOR_C(cudaError_t, cudaGraphDestroy, (cudaGraph_t graph), (graph))
EMULATOR_C(cudaError_t, cudaGraphClone, (cudaGraph_t * clone, cudaGraph_t original),
           (clone, original))
EMULATOR_C(cudaError_t, cudaGraphNodeFindInClone,
           (cudaGraphNode_t * node, cudaGraphNode_t original, cudaGraph_t clone),
           (node, original, clone))
EMULATOR_C(cudaError_t, cudaGraphGetNodes,
           (cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count), (graph, nodes, count))
EMULATOR_C(cudaError_t, cudaGraphGetRootNodes,
           (cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count), (graph, nodes, count))
EMULATOR_C(cudaError_t, cudaGraphGetEdges,
           (cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to, cudaGraphEdgeData* data,
            size_t* count),
           (graph, from, to, data, count))
EMULATOR_C(cudaError_t, cudaGraphNodeGetDependencies,
           (cudaGraphNode_t node, cudaGraphNode_t* dependencies, cudaGraphEdgeData* data,
            size_t* count),
           (node, dependencies, data, count))
EMULATOR_C(cudaError_t, cudaGraphNodeGetDependentNodes,
           (cudaGraphNode_t node, cudaGraphNode_t* dependents, cudaGraphEdgeData* data,
            size_t* count),
           (node, dependents, data, count))
EMULATOR_C(cudaError_t, cudaGraphNodeGetType, (cudaGraphNode_t node, cudaGraphNodeType* type),
           (node, type))
EMULATOR_C(cudaError_t, cudaGraphAddDependencies,
           (cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
            const cudaGraphEdgeData* data, size_t count),
           (graph, from, to, data, count))
EMULATOR_C(cudaError_t, cudaGraphRemoveDependencies,
           (cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
            const cudaGraphEdgeData* data, size_t count),
           (graph, from, to, data, count))
EMULATOR_C(cudaError_t, cudaGraphDestroyNode, (cudaGraphNode_t node), (node))
EMULATOR_C(cudaError_t, cudaGraphDebugDotPrint,
           (cudaGraph_t graph, const char* path, unsigned int flags), (graph, path, flags))
EMULATOR_C(cudaError_t, cudaGraphAddKernelNode,
           (cudaGraphNode_t * node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
            size_t count, const cudaKernelNodeParams* parameters),
           (node, graph, dependencies, count, parameters))
EMULATOR_C(cudaError_t, cudaGraphKernelNodeGetParams,
           (cudaGraphNode_t node, cudaKernelNodeParams* parameters), (node, parameters))
EMULATOR_C(cudaError_t, cudaGraphKernelNodeSetParams,
           (cudaGraphNode_t node, const cudaKernelNodeParams* parameters), (node, parameters))
EMULATOR_C(cudaError_t, cudaGraphKernelNodeSetAttribute,
           (cudaGraphNode_t node, cudaKernelNodeAttrID attribute,
            const cudaKernelNodeAttrValue* value),
           (node, attribute, value))
EMULATOR_C(cudaError_t, cudaGraphKernelNodeGetAttribute,
           (cudaGraphNode_t node, cudaKernelNodeAttrID attribute, cudaKernelNodeAttrValue* value),
           (node, attribute, value))
EMULATOR_C(cudaError_t, cudaGraphKernelNodeCopyAttributes,
           (cudaGraphNode_t to, cudaGraphNode_t from), (to, from))
EMULATOR_C(cudaError_t, cudaGraphAddMemcpyNode,
           (cudaGraphNode_t * node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
            size_t count, const cudaMemcpy3DParms* parameters),
           (node, graph, dependencies, count, parameters))
EMULATOR_C(cudaError_t, cudaGraphAddMemcpyNode1D,
           (cudaGraphNode_t * node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
            size_t count, void* to, const void* from, size_t bytes, cudaMemcpyKind kind),
           (node, graph, dependencies, count, to, from, bytes, kind))
EMULATOR_C(cudaError_t, cudaGraphMemcpyNodeGetParams,
           (cudaGraphNode_t node, cudaMemcpy3DParms* parameters), (node, parameters))
EMULATOR_C(cudaError_t, cudaGraphMemcpyNodeSetParams,
           (cudaGraphNode_t node, const cudaMemcpy3DParms* parameters), (node, parameters))
EMULATOR_C(cudaError_t, cudaGraphMemcpyNodeSetParams1D,
           (cudaGraphNode_t node, void* to, const void* from, size_t bytes, cudaMemcpyKind kind),
           (node, to, from, bytes, kind))
EMULATOR_C(cudaError_t, cudaGraphAddMemsetNode,
           (cudaGraphNode_t * node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
            size_t count, const cudaMemsetParams* parameters),
           (node, graph, dependencies, count, parameters))
EMULATOR_C(cudaError_t, cudaGraphMemsetNodeGetParams,
           (cudaGraphNode_t node, cudaMemsetParams* parameters), (node, parameters))
EMULATOR_C(cudaError_t, cudaGraphMemsetNodeSetParams,
           (cudaGraphNode_t node, const cudaMemsetParams* parameters), (node, parameters))
EMULATOR_C(cudaError_t, cudaGraphAddHostNode,
           (cudaGraphNode_t * node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
            size_t count, const cudaHostNodeParams* parameters),
           (node, graph, dependencies, count, parameters))
EMULATOR_C(cudaError_t, cudaGraphHostNodeGetParams,
           (cudaGraphNode_t node, cudaHostNodeParams* parameters), (node, parameters))
EMULATOR_C(cudaError_t, cudaGraphHostNodeSetParams,
           (cudaGraphNode_t node, const cudaHostNodeParams* parameters), (node, parameters))
EMULATOR_C(cudaError_t, cudaGraphAddChildGraphNode,
           (cudaGraphNode_t * node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
            size_t count, cudaGraph_t child),
           (node, graph, dependencies, count, child))
EMULATOR_C(cudaError_t, cudaGraphChildGraphNodeGetGraph, (cudaGraphNode_t node, cudaGraph_t* graph),
           (node, graph))
EMULATOR_C(cudaError_t, cudaGraphAddEmptyNode,
           (cudaGraphNode_t * node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
            size_t count),
           (node, graph, dependencies, count))
EMULATOR_C(cudaError_t, cudaGraphAddEventRecordNode,
           (cudaGraphNode_t * node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
            size_t count, cudaEvent_t event),
           (node, graph, dependencies, count, event))
EMULATOR_C(cudaError_t, cudaGraphEventRecordNodeGetEvent,
           (cudaGraphNode_t node, cudaEvent_t* event), (node, event))
EMULATOR_C(cudaError_t, cudaGraphEventRecordNodeSetEvent, (cudaGraphNode_t node, cudaEvent_t event),
           (node, event))
EMULATOR_C(cudaError_t, cudaGraphAddEventWaitNode,
           (cudaGraphNode_t * node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
            size_t count, cudaEvent_t event),
           (node, graph, dependencies, count, event))
EMULATOR_C(cudaError_t, cudaGraphEventWaitNodeGetEvent, (cudaGraphNode_t node, cudaEvent_t* event),
           (node, event))
EMULATOR_C(cudaError_t, cudaGraphEventWaitNodeSetEvent, (cudaGraphNode_t node, cudaEvent_t event),
           (node, event))
EMULATOR_C(cudaError_t, cudaGraphAddMemAllocNode,
           (cudaGraphNode_t * node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
            size_t count, cudaMemAllocNodeParams* parameters),
           (node, graph, dependencies, count, parameters))
EMULATOR_C(cudaError_t, cudaGraphMemAllocNodeGetParams,
           (cudaGraphNode_t node, cudaMemAllocNodeParams* parameters), (node, parameters))
EMULATOR_C(cudaError_t, cudaGraphAddMemFreeNode,
           (cudaGraphNode_t * node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
            size_t count, void* pointer),
           (node, graph, dependencies, count, pointer))
EMULATOR_C(cudaError_t, cudaGraphMemFreeNodeGetParams, (cudaGraphNode_t node, void* pointer),
           (node, pointer))
EMULATOR_C(cudaError_t, cudaDeviceGraphMemTrim, (int device), (device))
EMULATOR_C(cudaError_t, cudaDeviceGetGraphMemAttribute,
           (int device, cudaGraphMemAttributeType attribute, void* value),
           (device, attribute, value))
EMULATOR_C(cudaError_t, cudaDeviceSetGraphMemAttribute,
           (int device, cudaGraphMemAttributeType attribute, void* value),
           (device, attribute, value))
EMULATOR_C(cudaError_t, cudaGraphAddNode,
           (cudaGraphNode_t * node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
            const cudaGraphEdgeData* dependency_data, size_t count,
            cudaGraphNodeParams* parameters),
           (node, graph, dependencies, dependency_data, count, parameters))
EMULATOR_C(cudaError_t, cudaGraphConditionalHandleCreate,
           (cudaGraphConditionalHandle * handle, cudaGraph_t graph, unsigned int initial,
            unsigned int flags),
           (handle, graph, initial, flags))
EMULATOR_C(cudaError_t, cudaGraphNodeSetParams,
           (cudaGraphNode_t node, cudaGraphNodeParams* parameters), (node, parameters))
EMULATOR_C(cudaError_t, cudaGraphInstantiate,
           (cudaGraphExec_t * executable, cudaGraph_t graph, unsigned long long flags),
           (executable, graph, flags))
EMULATOR_C(cudaError_t, cudaGraphInstantiateWithFlags,
           (cudaGraphExec_t * executable, cudaGraph_t graph, unsigned long long flags),
           (executable, graph, flags))
EMULATOR_C(cudaError_t, cudaGraphInstantiateWithParams,
           (cudaGraphExec_t * executable, cudaGraph_t graph,
            cudaGraphInstantiateParams* parameters),
           (executable, graph, parameters))
EMULATOR_C(cudaError_t, cudaGraphExecGetFlags,
           (cudaGraphExec_t executable, unsigned long long* flags), (executable, flags))
EMULATOR_C(cudaError_t, cudaGraphExecDestroy, (cudaGraphExec_t executable), (executable))
EMULATOR_C(cudaError_t, cudaGraphUpload, (cudaGraphExec_t executable, cudaStream_t stream),
           (executable, stream))
EMULATOR_C(cudaError_t, cudaGraphLaunch, (cudaGraphExec_t executable, cudaStream_t stream),
           (executable, stream))
EMULATOR_C(cudaError_t, cudaGraphExecUpdate,
           (cudaGraphExec_t executable, cudaGraph_t graph, cudaGraphExecUpdateResultInfo* result),
           (executable, graph, result))
EMULATOR_C(cudaError_t, cudaGraphExecKernelNodeSetParams,
           (cudaGraphExec_t executable, cudaGraphNode_t node,
            const cudaKernelNodeParams* parameters),
           (executable, node, parameters))
EMULATOR_C(cudaError_t, cudaGraphExecMemcpyNodeSetParams,
           (cudaGraphExec_t executable, cudaGraphNode_t node, const cudaMemcpy3DParms* parameters),
           (executable, node, parameters))
EMULATOR_C(cudaError_t, cudaGraphExecMemcpyNodeSetParams1D,
           (cudaGraphExec_t executable, cudaGraphNode_t node, void* to, const void* from,
            size_t bytes, cudaMemcpyKind kind),
           (executable, node, to, from, bytes, kind))
EMULATOR_C(cudaError_t, cudaGraphExecMemsetNodeSetParams,
           (cudaGraphExec_t executable, cudaGraphNode_t node, const cudaMemsetParams* parameters),
           (executable, node, parameters))
EMULATOR_C(cudaError_t, cudaGraphExecHostNodeSetParams,
           (cudaGraphExec_t executable, cudaGraphNode_t node, const cudaHostNodeParams* parameters),
           (executable, node, parameters))
EMULATOR_C(cudaError_t, cudaGraphExecChildGraphNodeSetParams,
           (cudaGraphExec_t executable, cudaGraphNode_t node, cudaGraph_t child),
           (executable, node, child))
EMULATOR_C(cudaError_t, cudaGraphExecEventRecordNodeSetEvent,
           (cudaGraphExec_t executable, cudaGraphNode_t node, cudaEvent_t event),
           (executable, node, event))
EMULATOR_C(cudaError_t, cudaGraphExecEventWaitNodeSetEvent,
           (cudaGraphExec_t executable, cudaGraphNode_t node, cudaEvent_t event),
           (executable, node, event))
EMULATOR_C(cudaError_t, cudaGraphExecNodeSetParams,
           (cudaGraphExec_t executable, cudaGraphNode_t node, cudaGraphNodeParams* parameters),
           (executable, node, parameters))
EMULATOR_C(cudaError_t, cudaGraphNodeSetEnabled,
           (cudaGraphExec_t executable, cudaGraphNode_t node, unsigned int enabled),
           (executable, node, enabled))
EMULATOR_C(cudaError_t, cudaGraphNodeGetEnabled,
           (cudaGraphExec_t executable, cudaGraphNode_t node, unsigned int* enabled),
           (executable, node, enabled))
EMULATOR_C(cudaError_t, cudaUserObjectCreate,
           (cudaUserObject_t * object, void* pointer, cudaHostFn_t destroy, unsigned int references,
            unsigned int flags),
           (object, pointer, destroy, references, flags))
EMULATOR_C(cudaError_t, cudaUserObjectRetain, (cudaUserObject_t object, unsigned int count),
           (object, count))
EMULATOR_C(cudaError_t, cudaUserObjectRelease, (cudaUserObject_t object, unsigned int count),
           (object, count))
EMULATOR_C(cudaError_t, cudaGraphRetainUserObject,
           (cudaGraph_t graph, cudaUserObject_t object, unsigned int count, unsigned int flags),
           (graph, object, count, flags))
EMULATOR_C(cudaError_t, cudaGraphReleaseUserObject,
           (cudaGraph_t graph, cudaUserObject_t object, unsigned int count), (graph, object, count))
