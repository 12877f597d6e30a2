/// \file
/// Conditional nodes of graphs. NVIDIA's compiler takes this file as well.

#include "graphs/conditional_test.hpp"

using namespace graph_test;

TEST_CASE("conditional nodes: IF runs its body when a kernel before it says so") {
  const Fresh fresh;
  int* const memory = managed_ints(2);  // the value, and what was done
  cudaGraph_t const graph = some_graph();
  const Handle handle = handle_of(graph);
  cudaGraphNode_t const first = handle_node(graph, (void*)set_to, handle, memory);
  const Conditional node(graph, handle, cudaGraphCondTypeIf, 1, {first});
  kernel_node(node.bodies[0], (void*)append, memory + 1, 1);
  kernel_node(graph, (void*)append, memory + 1, 2, {node.node});
  CHECK(type_of(node.node) == cudaGraphNodeTypeConditional);
  CHECK(nodes_of(graph).size() == 3);
  CHECK(nodes_of(node.bodies[0]).size() == 1);
  cudaGraphExec_t const executable = instantiated(graph);
  for (const int value : {0, 1, 7}) {
    memory[0] = value;
    memory[1] = 0;
    launch(executable);
    CHECK(memory[1] == (value == 0 ? 2 : 12));
  }
  CHECK(cudaGraphExecDestroy(executable) == cudaSuccess);
  CHECK(cudaGraphDestroy(graph) == cudaSuccess);
}

TEST_CASE("conditional nodes: IF with two bodies runs one of them, SWITCH one or none") {
  const Fresh fresh;
  int* const memory = managed_ints(3);
  cudaGraph_t const graph = some_graph();
  const Handle either = handle_of(graph);
  const Handle which = handle_of(graph);
  cudaGraphNode_t const first = handle_node(graph, (void*)set_to, either, memory);
  cudaGraphNode_t const second = handle_node(graph, (void*)set_to, which, memory + 1, {first});
  const Conditional branch(graph, either, cudaGraphCondTypeIf, 2, {second});
  const Conditional choice(graph, which, cudaGraphCondTypeSwitch, 3, {branch.node});
  kernel_node(branch.bodies[0], (void*)append, memory + 2, 1);
  kernel_node(branch.bodies[1], (void*)append, memory + 2, 2);
  for (int i = 0; i < 3; ++i) {
    kernel_node(choice.bodies[static_cast<unsigned>(i)], (void*)append, memory + 2, 3 + i);
  }
  cudaGraphExec_t const executable = instantiated(graph);
  const auto result = [&](int condition, int number) {
    memory[0] = condition;
    memory[1] = number;
    memory[2] = 0;
    launch(executable);
    return memory[2];
  };
  CHECK(result(1, 0) == 13);
  CHECK(result(0, 1) == 24);
  CHECK(result(5, 2) == 15);
  CHECK(result(0, 3) == 2);  // there is no such body
  CHECK(result(1, -1) == 1);
}

TEST_CASE("conditional nodes: WHILE runs its body until the value is zero, from the default on") {
  const Fresh fresh;
  int* const memory = managed_ints(2);
  cudaGraph_t const graph = some_graph();
  const Handle handle = handle_of(graph, 1);
  const Conditional loop(graph, handle, cudaGraphCondTypeWhile);
  cudaGraphNode_t const inner = kernel_node(loop.bodies[0], (void*)add, memory + 1, 3);
  handle_node(loop.bodies[0], (void*)count_down, handle, memory, {inner});
  kernel_node(graph, (void*)multiply, memory + 1, 2, {loop.node});
  cudaGraphExec_t const executable = instantiated(graph);
  for (const int rounds : {1, 4, 100}) {
    memory[0] = rounds;
    memory[1] = 0;
    launch(executable);
    CHECK(memory[0] == 0);
    CHECK(memory[1] == 6 * rounds);
  }
}

TEST_CASE("conditional nodes: a default of zero, or a value from before, runs no body") {
  const Fresh fresh;
  int* const memory = managed_ints(2);
  cudaGraph_t const graph = some_graph();
  const Handle handle = handle_of(graph, 0);
  const Conditional loop(graph, handle, cudaGraphCondTypeWhile);
  kernel_node(loop.bodies[0], (void*)append, memory, 1);
  // It comes too late for this launch, and the next one begins with the default.
  memory[1] = 1;
  handle_node(graph, (void*)set_to, handle, memory + 1, {loop.node});
  cudaGraphExec_t const executable = instantiated(graph);
  launch(executable);
  launch(executable);
  CHECK(memory[0] == 0);
}

TEST_CASE("conditional nodes: one in the other, a child graph, copies and memsets in bodies") {
  const Fresh fresh;
  int* const memory = managed_ints(6);
  int* scratch = nullptr;
  REQUIRE(cudaMalloc(&scratch, 2 * sizeof(int)) == cudaSuccess);
  cudaGraph_t const graph = some_graph();
  const Handle outer = handle_of(graph, 1);
  const Handle inner = handle_of(graph);  // of the outermost graph, used in a body
  const Conditional loop(graph, outer, cudaGraphCondTypeWhile);
  cudaGraph_t const body = loop.bodies[0];

  // memory[2] = memory[0] even ? 0 : memory[2] x 10 + 1, by an IF node within the WHILE node.
  cudaGraph_t const child = some_graph();
  cudaGraphNode_t node = kernel_node(child, (void*)append, memory + 2, 1);
  cudaGraphNode_t child_node = nullptr;
  cudaGraphNode_t const set = handle_node(body, (void*)set_to, inner, memory + 1);
  const Conditional branch(body, inner, cudaGraphCondTypeIf, 2, {set});
  CHECK(cudaGraphAddChildGraphNode(&child_node, branch.bodies[0], nullptr, 0, child) ==
        cudaSuccess);
  cudaMemsetParams zeros = {};
  zeros.dst = memory + 2;
  zeros.elementSize = 4;
  zeros.width = zeros.height = 1;
  CHECK(cudaGraphAddMemsetNode(&node, branch.bodies[1], nullptr, 0, &zeros) == cudaSuccess);
  // memory[3] = memory[2], by way of the device's memory.
  cudaGraphNode_t out = nullptr;
  CHECK(cudaGraphAddMemcpyNode1D(&out, body, &branch.node, 1, scratch, memory + 2, sizeof(int),
                                 cudaMemcpyDefault) == cudaSuccess);
  CHECK(cudaGraphAddMemcpyNode1D(&node, body, &out, 1, memory + 3, scratch, sizeof(int),
                                 cudaMemcpyDefault) == cudaSuccess);
  cudaGraphNode_t const nothing = empty_node(body, {node});
  handle_node(body, (void*)count_down, outer, memory, {nothing});
  cudaGraphExec_t const executable = instantiated(graph);
  memory[0] = 3;
  memory[1] = 1;
  launch(executable);
  CHECK(memory[2] == 111);
  CHECK(memory[3] == 111);
  memory[0] = 2;
  memory[1] = 0;
  launch(executable);
  CHECK(memory[3] == 0);
  CHECK(cudaFree(scratch) == cudaSuccess);
}

TEST_CASE("conditional nodes: bodies, and what stands around a node, can be captured") {
  const Fresh fresh;
  int* const memory = managed_ints(2);
  cudaStream_t const stream = stream_with(cudaStreamNonBlocking);
  REQUIRE(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal) == cudaSuccess);
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  cudaGraph_t graph = nullptr;
  const cudaGraphNode_t* before = nullptr;
  std::size_t count = 0;
  CHECK(cudaStreamGetCaptureInfo(stream, &status, nullptr, &graph, &before, nullptr, &count) ==
        cudaSuccess);
  const Handle handle = handle_of(graph);
  set_to<<<1, 1, 0, stream>>>(handle, memory);
  CHECK(cudaStreamGetCaptureInfo(stream, &status, nullptr, &graph, &before, nullptr, &count) ==
        cudaSuccess);
  REQUIRE(count == 1);
  const Conditional loop(graph, handle, cudaGraphCondTypeWhile, 1, Nodes(before, before + count));
  cudaGraphNode_t node = loop.node;
  CHECK(cudaStreamUpdateCaptureDependencies(stream, &node, nullptr, 1,
                                            cudaStreamSetCaptureDependencies) == cudaSuccess);
  append<<<1, 1, 0, stream>>>(memory + 1, 2);
  CHECK(cudaStreamEndCapture(stream, &graph) == cudaSuccess);

  CHECK(cudaStreamBeginCaptureToGraph(stream, loop.bodies[0], nullptr, nullptr, 0,
                                      cudaStreamCaptureModeGlobal) == cudaSuccess);
  append<<<1, 1, 0, stream>>>(memory + 1, 1);
  count_down<<<1, 1, 0, stream>>>(handle, memory);
  CHECK(cudaStreamEndCapture(stream, nullptr) == cudaSuccess);
  CHECK(nodes_of(loop.bodies[0]).size() == 2);

  cudaGraphExec_t const executable = instantiated(graph);
  memory[0] = 3;
  CHECK(cudaGraphLaunch(executable, stream) == cudaSuccess);
  CHECK(cudaStreamSynchronize(stream) == cudaSuccess);
  CHECK(memory[1] == 1112);
  memory[1] = 0;
  CHECK(cudaGraphLaunch(executable, stream) == cudaSuccess);  // the value is 0 now
  CHECK(cudaStreamSynchronize(stream) == cudaSuccess);
  CHECK(memory[1] == 2);
}

TEST_CASE("conditional nodes: handles and sizes that make no sense are refused") {
  const Fresh fresh;
  cudaGraph_t const graph = some_graph();
  cudaGraph_t const other = some_graph();
  Handle handle = 0;
  CHECK(cudaGraphConditionalHandleCreate(nullptr, graph) == cudaErrorInvalidValue);
  CHECK(cudaGraphConditionalHandleCreate(&handle, nullptr) == cudaErrorInvalidValue);
  CHECK(cudaGraphConditionalHandleCreate(&handle, graph, 0, 2) == cudaErrorInvalidValue);
  handle = handle_of(graph, 0);
  CHECK(try_conditional(graph, handle, cudaGraphCondTypeIf, 0) == cudaErrorInvalidValue);
  CHECK(try_conditional(graph, handle, cudaGraphCondTypeIf, 3) == cudaErrorInvalidValue);
  CHECK(try_conditional(graph, handle, cudaGraphCondTypeWhile, 2) == cudaErrorInvalidValue);
  CHECK(try_conditional(graph, handle, cudaGraphCondTypeSwitch, 0) == cudaErrorInvalidValue);
  CHECK(try_conditional(other, handle, cudaGraphCondTypeIf, 1) == cudaErrorInvalidValue);
  CHECK(nodes_of(graph).empty());
  CHECK(try_conditional(graph, handle, cudaGraphCondTypeIf, 1) == cudaSuccess);
  CHECK(try_conditional(graph, handle, cudaGraphCondTypeIf, 1) == cudaErrorInvalidValue);
  CHECK(nodes_of(graph).size() == 1);
}

TEST_CASE("conditional nodes: a handle may be of any graph within the same outermost one") {
  const Fresh fresh;
  cudaGraph_t const graph = some_graph();
  const Conditional outer(graph, handle_of(graph, 1), cudaGraphCondTypeIf, 2);
  cudaGraph_t const body = outer.bodies[0];
  const auto taken = [&](cudaGraph_t by, cudaGraph_t from) {
    return try_conditional(by, handle_of(from, 1), cudaGraphCondTypeIf, 1) == cudaSuccess;
  };
  CHECK(taken(body, graph));
  CHECK(taken(body, body));
  CHECK(taken(graph, body));
  CHECK(taken(outer.bodies[1], body));
  CHECK(instantiate(graph) == cudaSuccess);
  cudaGraph_t const other = some_graph();
  CHECK_FALSE(taken(other, body));
  CHECK_FALSE(taken(body, other));
}

TEST_CASE("conditional nodes: what a body may not hold shows when the graph is instantiated") {
  const Fresh fresh;
  int* const memory = managed_ints();
  int on_host = 0;
  cudaGraphInstantiateResult result = cudaGraphInstantiateSuccess;
  bool is_that_node = false;
  const auto refused = [&](auto fill) {
    cudaGraph_t const graph = some_graph();
    const Conditional node(graph, handle_of(graph, 0), cudaGraphCondTypeIf);
    cudaGraphNode_t added = nullptr;
    cudaError_t error = fill(&added, node.bodies[0]);
    REQUIRE(error == cudaSuccess);
    cudaGraphInstantiateParams parameters = {};
    cudaGraphExec_t executable = nullptr;
    error = cudaGraphInstantiateWithParams(&executable, graph, &parameters);
    result = parameters.result_out;
    is_that_node = added != nullptr && parameters.errNode_out == added;
    cudaGraphDestroy(graph);
    cudaGetLastError();
    return error;
  };
  CHECK(refused([&](cudaGraphNode_t*, cudaGraph_t) { return cudaSuccess; }) == cudaSuccess);
  CHECK(refused([&](cudaGraphNode_t* node, cudaGraph_t body) {
          cudaHostNodeParams host = {};
          host.fn = [](void*) {};
          return cudaGraphAddHostNode(node, body, nullptr, 0, &host);
        }) == cudaErrorInvalidValue);
  CHECK(result == cudaGraphInstantiateNodeOperationNotSupported);
  CHECK(is_that_node);
  CHECK(refused([&](cudaGraphNode_t* node, cudaGraph_t body) {
          return cudaGraphAddEventRecordNode(node, body, nullptr, 0, some_event());
        }) == cudaErrorInvalidValue);
  CHECK(result == cudaGraphInstantiateNodeOperationNotSupported);
  CHECK(refused([&](cudaGraphNode_t* node, cudaGraph_t body) {
          return cudaGraphAddMemcpyNode1D(node, body, nullptr, 0, memory, &on_host, sizeof(int),
                                          cudaMemcpyDefault);
        }) == cudaErrorInvalidValue);
  CHECK(result == cudaGraphInstantiateMultipleDevicesNotSupported);
  CHECK(is_that_node);
}

TEST_CASE("conditional nodes: their graph is one of a kind") {
  const Fresh fresh;
  cudaGraph_t const graph = some_graph();
  const Conditional node(graph, handle_of(graph, 0), cudaGraphCondTypeIf);
  cudaGraph_t clone = nullptr;
  CHECK(cudaGraphClone(&clone, graph) == cudaErrorNotSupported);
  cudaGraph_t const parent = some_graph();
  cudaGraphNode_t added = nullptr;
  CHECK(cudaGraphAddChildGraphNode(&added, parent, nullptr, 0, graph) == cudaErrorNotSupported);
  cudaGraphExec_t const executable = instantiated(graph);
  CHECK(instantiate(graph) == cudaErrorNotSupported);
  CHECK(instantiate(node.bodies[0]) == cudaErrorNotSupported);
  CHECK(cudaGraphExecDestroy(executable) == cudaSuccess);
  CHECK(instantiate(graph) == cudaSuccess);
  CHECK(cudaGraphClone(&clone, node.bodies[0]) == cudaErrorNotSupported);
  CHECK(cudaGraphDestroy(node.bodies[0]) == cudaErrorInvalidValue);
}

TEST_CASE("conditional nodes: a handle without a node keeps a graph from being instantiated") {
  const Fresh fresh;
  cudaGraph_t const graph = some_graph();
  empty_node(graph);
  handle_of(graph, 1);
  cudaGraphInstantiateParams parameters = {};
  cudaGraphExec_t executable = nullptr;
  CHECK(cudaGraphInstantiateWithParams(&executable, graph, &parameters) == cudaErrorInvalidValue);
  CHECK(parameters.result_out == cudaGraphInstantiateConditionalHandleUnused);
}

TEST_CASE("conditional nodes: kernels in bodies can be changed and turned off") {
  const Fresh fresh;
  int* const memory = managed_ints(2);
  cudaGraph_t const graph = some_graph();
  const Conditional node(graph, handle_of(graph, 1), cudaGraphCondTypeIf);
  cudaGraphNode_t const inner = kernel_node(node.bodies[0], (void*)append, memory, 1);
  cudaGraphExec_t const executable = instantiated(graph);
  int* out = memory;
  int value = 2;
  void* arguments[] = {&out, &value};
  const cudaKernelNodeParams changed = kernel((void*)append, arguments);
  CHECK(cudaGraphExecKernelNodeSetParams(executable, inner, &changed) == cudaSuccess);
  launch(executable);
  CHECK(*memory == 2);
  CHECK(cudaGraphNodeSetEnabled(executable, inner, 0) == cudaSuccess);
  launch(executable);
  CHECK(*memory == 2);
  CHECK(cudaGraphNodeSetEnabled(executable, node.node, 0) == cudaErrorInvalidValue);
}

TEST_CASE("conditional nodes: a graph made by the same calls updates another one") {
  const Fresh fresh;
  int* const memory = managed_ints(2);
  const auto graph_with = [&](unsigned initial, cudaGraphConditionalNodeType type, int value) {
    cudaGraph_t const graph = some_graph();
    const Handle handle = handle_of(graph, initial);
    const Conditional node(graph, handle, type);
    cudaGraphNode_t const first = kernel_node(node.bodies[0], (void*)append, memory, value);
    handle_node(node.bodies[0], (void*)count_down, handle, memory + 1, {first});
    return graph;
  };
  cudaGraphExec_t const executable = instantiated(graph_with(1, cudaGraphCondTypeWhile, 1));
  memory[1] = 2;
  launch(executable);
  CHECK(memory[0] == 11);
  cudaGraphExecUpdateResultInfo info = {};
  CHECK(cudaGraphExecUpdate(executable, graph_with(1, cudaGraphCondTypeWhile, 3), &info) ==
        cudaSuccess);
  memory[0] = 0;
  memory[1] = 3;
  launch(executable);
  CHECK(memory[0] == 333);
  // The default is the new graph's as well.
  CHECK(cudaGraphExecUpdate(executable, graph_with(0, cudaGraphCondTypeWhile, 4), &info) ==
        cudaSuccess);
  launch(executable);
  CHECK(memory[0] == 333);
  CHECK(cudaGraphExecUpdate(executable, graph_with(1, cudaGraphCondTypeIf, 5), &info) ==
        cudaErrorGraphExecUpdateFailure);
}
