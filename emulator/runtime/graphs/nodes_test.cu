/// \file
/// What nodes do, and how their parameters are read and changed. NVIDIA's compiler also takes this
/// file.

#include <cstring>

#include "tests/support/graph_test.hpp"

using namespace graph_test;

namespace {

__device__ int variable;

__global__ void read_variable(int* out) {
  *out = variable;
}

void append(void* data) {
  *static_cast<std::string*>(data) += 'x';
}

}  // namespace

TEST_CASE("graph nodes: a kernel has the arguments of the call, until others are set") {
  const Fresh fresh;
  int* const out = managed_ints(2);
  cudaGraph_t const graph = some_graph();
  cudaGraphNode_t const node = kernel_node(graph, (void*)put, out, 7);
  launch(instantiated(graph));
  CHECK(out[0] == 7);

  cudaKernelNodeParams parameters = {};
  REQUIRE(cudaGraphKernelNodeGetParams(node, &parameters) == cudaSuccess);
  CHECK(parameters.func == (void*)put);
  CHECK(parameters.gridDim.x == 1);
  REQUIRE(parameters.kernelParams != nullptr);
  CHECK(*static_cast<int**>(parameters.kernelParams[0]) == out);
  CHECK(*static_cast<int*>(parameters.kernelParams[1]) == 7);

  int* other = out + 1;
  int value = 8;
  void* arguments[] = {&other, &value};
  parameters = kernel((void*)add, arguments);
  CHECK(cudaGraphKernelNodeSetParams(node, &parameters) == cudaSuccess);
  launch(instantiated(graph));
  launch(instantiated(graph));
  CHECK(out[0] == 7);
  CHECK(out[1] == 16);
}

TEST_CASE("graph nodes: kernels that cannot be launched are refused at once") {
  const Fresh fresh;
  int* out = managed_ints();
  int value = 1;
  void* arguments[] = {&out, &value};
  cudaGraph_t const graph = some_graph();
  cudaGraphNode_t node = nullptr;
  cudaKernelNodeParams parameters = kernel((void*)put, arguments);
  CHECK(cudaGraphAddKernelNode(&node, graph, nullptr, 0, nullptr) == cudaErrorInvalidValue);
  parameters.func = nullptr;
  CHECK(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &parameters) ==
        cudaErrorInvalidDeviceFunction);
  parameters = kernel((void*)put, arguments);
  parameters.blockDim = dim3(2000);
  CHECK(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &parameters) != cudaSuccess);
  CHECK(nodes_of(graph).empty());
}

TEST_CASE("graph nodes: a kernel's attributes are those that were set or copied") {
  const Fresh fresh;
  int* const out = managed_ints();
  cudaGraph_t const graph = some_graph();
  cudaGraphNode_t const a = kernel_node(graph, (void*)put, out, 1);
  cudaGraphNode_t const b = kernel_node(graph, (void*)put, out, 2, {a});
  cudaKernelNodeAttrValue value = {};
  value.cooperative = 1;
  CHECK(cudaGraphKernelNodeSetAttribute(a, cudaLaunchAttributeCooperative, &value) == cudaSuccess);
  CHECK(cudaGraphKernelNodeCopyAttributes(b, a) == cudaSuccess);
  value.cooperative = 0;
  CHECK(cudaGraphKernelNodeGetAttribute(b, cudaLaunchAttributeCooperative, &value) == cudaSuccess);
  CHECK(value.cooperative == 1);
  launch(instantiated(graph));
  CHECK(*out == 2);
}

TEST_CASE("graph nodes: copies") {
  const Fresh fresh;
  int host[6] = {1, 2, 3, 4, 5, 6};
  int back[6] = {};
  int* device = nullptr;
  REQUIRE(cudaMalloc(&device, sizeof(host)) == cudaSuccess);
  cudaGraph_t const graph = some_graph();
  cudaGraphNode_t in = nullptr;
  cudaGraphNode_t out = nullptr;
  CHECK(cudaGraphAddMemcpyNode1D(&in, graph, nullptr, 0, device, host, sizeof(host),
                                 cudaMemcpyHostToDevice) == cudaSuccess);
  cudaMemcpy3DParms parameters = {};
  parameters.srcPtr = make_cudaPitchedPtr(device, 12, 12, 2);
  parameters.dstPtr = make_cudaPitchedPtr(back, 12, 12, 2);
  parameters.srcPos = make_cudaPos(4, 0, 0);
  parameters.extent = make_cudaExtent(4, 2, 1);
  parameters.kind = cudaMemcpyDeviceToHost;
  CHECK(cudaGraphAddMemcpyNode(&out, graph, &in, 1, &parameters) == cudaSuccess);
  CHECK(type_of(out) == cudaGraphNodeTypeMemcpy);
  host[1] = 20;  // read when the node's turn comes
  launch(instantiated(graph));
  CHECK(back[0] == 20);
  CHECK(back[1] == 0);
  CHECK(back[3] == 5);

  cudaMemcpy3DParms read = {};
  CHECK(cudaGraphMemcpyNodeGetParams(out, &read) == cudaSuccess);
  CHECK(read.kind == cudaMemcpyDeviceToHost);
  CHECK(read.extent.height == 2);
  read.dstPtr = make_cudaPitchedPtr(back + 1, 12, 12, 2);
  read.dstPos = make_cudaPos(0, 0, 0);
  CHECK(cudaGraphMemcpyNodeSetParams(out, &read) == cudaSuccess);
  launch(instantiated(graph));
  CHECK(back[1] == 20);

  CHECK(cudaGraphMemcpyNodeSetParams1D(out, back, device, 4, cudaMemcpyDeviceToHost) ==
        cudaSuccess);
  launch(instantiated(graph));
  CHECK(back[0] == 1);
  CHECK(cudaGraphMemcpyNodeSetParams1D(out, back, device, 0, cudaMemcpyDeviceToHost) ==
        cudaErrorInvalidValue);
  CHECK(cudaGraphMemcpyNodeSetParams1D(out, back, device, 4, static_cast<cudaMemcpyKind>(9)) ==
        cudaErrorInvalidMemcpyDirection);
}

TEST_CASE("graph nodes: copies to and from variables") {
  const Fresh fresh;
  int value = 12;
  int* const out = managed_ints(2);
  cudaGraph_t const graph = some_graph();
  cudaGraphNode_t in = nullptr;
  cudaGraphNode_t read = nullptr;
  cudaGraphNode_t back = nullptr;
  CHECK(cudaGraphAddMemcpyNodeToSymbol(&in, graph, nullptr, 0, variable, &value, sizeof(int), 0,
                                       cudaMemcpyHostToDevice) == cudaSuccess);
  int* target = out;
  void* arguments[] = {&target};
  const cudaKernelNodeParams parameters = kernel((void*)read_variable, arguments);
  CHECK(cudaGraphAddKernelNode(&read, graph, &in, 1, &parameters) == cudaSuccess);
  CHECK(cudaGraphAddMemcpyNodeFromSymbol(&back, graph, &in, 1, out + 1, variable, sizeof(int), 0,
                                         cudaMemcpyDefault) == cudaSuccess);
  cudaGraphExec_t const executable = instantiated(graph);
  launch(executable);
  CHECK(out[0] == 12);
  CHECK(out[1] == 12);
  int other = 13;
  CHECK(cudaGraphExecMemcpyNodeSetParamsToSymbol(executable, in, variable, &other, sizeof(int), 0,
                                                 cudaMemcpyHostToDevice) == cudaSuccess);
  launch(executable);
  CHECK(out[0] == 13);
}

TEST_CASE("graph nodes: memory is set by elements of 1, 2 or 4 bytes") {
  const Fresh fresh;
  int* const out = managed_ints(4);
  cudaGraph_t const graph = some_graph();
  cudaMemsetParams parameters = {};
  parameters.dst = out;
  parameters.value = 0x01020304;
  parameters.elementSize = 4;
  parameters.width = 3;
  parameters.height = 1;
  parameters.pitch = 40;
  cudaGraphNode_t node = nullptr;
  CHECK(cudaGraphAddMemsetNode(&node, graph, nullptr, 0, &parameters) == cudaSuccess);
  launch(instantiated(graph));
  CHECK(out[0] == 0x01020304);
  CHECK(out[2] == 0x01020304);
  CHECK(out[3] == 0);

  CHECK(cudaGraphMemsetNodeGetParams(node, &parameters) == cudaSuccess);
  CHECK(parameters.elementSize == 4);
  CHECK(parameters.width == 3);
  CHECK(parameters.pitch == 40);
  parameters.elementSize = 2;
  parameters.value = 0x0506;
  parameters.width = 1;
  parameters.height = 2;
  parameters.pitch = 8;
  CHECK(cudaGraphMemsetNodeSetParams(node, &parameters) == cudaSuccess);
  launch(instantiated(graph));
  CHECK(out[0] == 0x01020506);
  CHECK(out[1] == 0x01020304);
  CHECK(out[2] == 0x01020506);
  parameters.elementSize = 3;
  CHECK(cudaGraphMemsetNodeSetParams(node, &parameters) == cudaErrorInvalidValue);
}

TEST_CASE("graph nodes: host functions") {
  const Fresh fresh;
  std::string text;
  std::string other;
  cudaGraph_t const graph = some_graph();
  cudaHostNodeParams parameters = {append, &text};
  cudaGraphNode_t node = nullptr;
  CHECK(cudaGraphAddHostNode(&node, graph, nullptr, 0, &parameters) == cudaSuccess);
  cudaGraphExec_t const executable = instantiated(graph);
  launch(executable);
  launch(executable);
  CHECK(text == "xx");
  CHECK(cudaGraphHostNodeGetParams(node, &parameters) == cudaSuccess);
  CHECK(parameters.userData == &text);
  parameters.userData = &other;
  CHECK(cudaGraphHostNodeSetParams(node, &parameters) == cudaSuccess);
  launch(executable);
  CHECK(text == "xxx");  // the executable graph is as it was
  CHECK(cudaGraphExecHostNodeSetParams(executable, node, &parameters) == cudaSuccess);
  launch(executable);
  CHECK(other == "x");
  parameters.fn = nullptr;
  CHECK(cudaGraphHostNodeSetParams(node, &parameters) == cudaErrorInvalidValue);
}

TEST_CASE("graph nodes: events") {
  const Fresh fresh;
  int* const out = managed_ints();
  cudaEvent_t const event = some_event();
  cudaEvent_t const other = some_event();
  cudaGraph_t const graph = some_graph();
  cudaGraphNode_t const first = kernel_node(graph, (void*)put, out, 4);
  cudaGraphNode_t record = nullptr;
  cudaGraphNode_t wait = nullptr;
  CHECK(cudaGraphAddEventRecordNode(&record, graph, &first, 1, event) == cudaSuccess);
  CHECK(cudaGraphAddEventWaitNode(&wait, graph, nullptr, 0, other) == cudaSuccess);
  cudaEvent_t read = nullptr;
  CHECK(cudaGraphEventRecordNodeGetEvent(record, &read) == cudaSuccess);
  CHECK(read == event);
  CHECK(cudaGraphEventWaitNodeSetEvent(wait, event) == cudaSuccess);
  CHECK(cudaGraphEventWaitNodeGetEvent(wait, &read) == cudaSuccess);
  CHECK(read == event);
  cudaGraphExec_t const executable = instantiated(graph);
  CHECK(cudaGraphExecEventWaitNodeSetEvent(executable, wait, other) == cudaSuccess);
  CHECK(cudaGraphLaunch(executable, nullptr) == cudaSuccess);
  CHECK(cudaEventSynchronize(event) == cudaSuccess);
  CHECK(*out == 4);
  CHECK(cudaGraphEventRecordNodeGetEvent(wait, &read) == cudaErrorInvalidValue);
}

TEST_CASE("graph nodes: any of them can be added by one function") {
  const Fresh fresh;
  int* out = managed_ints(2);
  int value = 6;
  void* arguments[] = {&out, &value};
  std::string text;
  cudaGraph_t const graph = some_graph();
  cudaGraphNode_t set = nullptr;
  cudaGraphNode_t run = nullptr;
  cudaGraphNode_t call = nullptr;
  cudaGraphNodeParams parameters = {};
  parameters.type = cudaGraphNodeTypeMemset;
  parameters.memset.dst = out;
  parameters.memset.elementSize = 4;
  parameters.memset.value = 30;
  parameters.memset.width = 2;
  parameters.memset.height = 1;
  CHECK(cudaGraphAddNode(&set, graph, nullptr, nullptr, 0, &parameters) == cudaSuccess);
  parameters = {};
  parameters.type = cudaGraphNodeTypeKernel;
  parameters.kernel.func = (void*)add;
  parameters.kernel.gridDim = dim3(1);
  parameters.kernel.blockDim = dim3(1);
  parameters.kernel.kernelParams = arguments;
  CHECK(cudaGraphAddNode(&run, graph, &set, nullptr, 1, &parameters) == cudaSuccess);
  cudaGraphNodeParams host = {};
  host.type = cudaGraphNodeTypeHost;
  host.host.fn = append;
  host.host.userData = &text;
  CHECK(cudaGraphAddNode(&call, graph, &run, nullptr, 1, &host) == cudaSuccess);
  cudaGraphExec_t const executable = instantiated(graph);
  launch(executable);
  CHECK(out[0] == 36);
  CHECK(out[1] == 30);
  CHECK(text == "x");
  value = 7;
  CHECK(cudaGraphExecNodeSetParams(executable, run, &parameters) == cudaSuccess);
  launch(executable);
  CHECK(out[0] == 37);
  CHECK(cudaGraphNodeSetParams(call, &parameters) == cudaErrorInvalidValue);
}

TEST_CASE("graph nodes: a child that allocates can be moved into its parent, not copied") {
  const Fresh fresh;
  int* const out = managed_ints();
  cudaGraph_t const child = some_graph();
  cudaGraphNode_t node = nullptr;
  cudaGraphNodeParams parameters = {};
  parameters.type = cudaGraphNodeTypeMemAlloc;
  parameters.alloc.poolProps.allocType = cudaMemAllocationTypePinned;
  parameters.alloc.poolProps.location.type = cudaMemLocationTypeDevice;
  parameters.alloc.bytesize = sizeof(int);
  CHECK(cudaGraphAddNode(&node, child, nullptr, nullptr, 0, &parameters) == cudaSuccess);
  int* const memory = static_cast<int*>(parameters.alloc.dptr);
  node = kernel_node(child, (void*)put, memory, 3, {node});
  CHECK(cudaGraphAddMemcpyNode1D(&node, child, &node, 1, out, memory, sizeof(int),
                                 cudaMemcpyDefault) == cudaSuccess);
  cudaGraphNodeParams end = {};
  end.type = cudaGraphNodeTypeMemFree;
  end.free.dptr = memory;
  CHECK(cudaGraphAddNode(&node, child, &node, nullptr, 1, &end) == cudaSuccess);
  cudaGraph_t const graph = some_graph();
  CHECK(cudaGraphAddChildGraphNode(&node, graph, nullptr, 0, child) == cudaErrorNotSupported);
  cudaGraphNodeParams inside = {};
  inside.type = cudaGraphNodeTypeGraph;
  inside.graph.graph = child;
  inside.graph.ownership = cudaGraphChildGraphOwnershipMove;
  CHECK(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &inside) == cudaSuccess);
  kernel_node(graph, (void*)add, out, 10, {node});
  CHECK(cudaGraphDestroy(child) == cudaErrorInvalidValue);
  launch(instantiated(graph));
  CHECK(*out == 13);
}
