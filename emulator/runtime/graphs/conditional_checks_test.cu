/// \file
/// What is found in graphs with conditional nodes: the emulator's alone.

#include "graphs/conditional_test.hpp"
#include "tests/kernel_test.hpp"

#ifdef CUDA_EMULATOR

using namespace graph_test;

namespace {

__global__ void set_to_number(Handle handle, int*) {
  cudaGraphSetConditional(handle, threadIdx.x);
}

// One after the other, which is not a race.
__global__ void set_twice(Handle handle, int*) {
  if (threadIdx.x == 0) cudaGraphSetConditional(handle, 1);
  __syncthreads();
  if (threadIdx.x == 1) cudaGraphSetConditional(handle, 0);
}

__global__ void set_some_handle(Handle handle, int*) {
  cudaGraphSetConditional(handle + 1, 1);
}

// A graph, made while the checks are on.
struct Checked {
  Checked() { emulator::set_checking(true); }
  ~Checked() { emulator::set_checking(false); }

  /// What is found in one launch.
  std::string found() const {
    return lines_found_in([&] {
      cudaGraphExec_t executable = nullptr;
      if (cudaGraphInstantiate(&executable, graph, 0) == cudaSuccess) {
        CHECK(cudaGraphLaunch(executable, nullptr) == cudaSuccess);
        cudaGraphExecDestroy(executable);  // the graph has one at a time
      }
      cudaGetLastError();
    });
  }

  /// A node of a kernel of 32 threads.
  cudaGraphNode_t add(void* function, Handle handle, const Nodes& before = {}) const {
    cudaGraphNode_t const node = handle_node(graph, function, handle, nullptr, before);
    cudaKernelNodeParams parameters = {};
    CHECK(cudaGraphKernelNodeGetParams(node, &parameters) == cudaSuccess);
    parameters.blockDim = dim3(32);
    CHECK(cudaGraphKernelNodeSetParams(node, &parameters) == cudaSuccess);
    return node;
  }

  Fresh fresh;
  cudaGraph_t graph = some_graph();
};

}  // namespace

TEST_CASE("conditional nodes: an edge is what makes a kernel's value count") {
  const Checked checked;
  const Handle handle = handle_of(checked.graph, 1);
  cudaGraphNode_t const setter = checked.add((void*)set_twice, handle);
  const Conditional node(checked.graph, handle, cudaGraphCondTypeIf);
  kernel_node(node.bodies[0], (void*)append, managed_ints(), 1);
  CHECK(first_line(checked.found()) ==
        "unordered: a conditional node reads memory that a kernel in another branch of a graph "
        "writes, and nothing orders the two");
  cudaGraphNode_t last = node.node;
  CHECK(cudaGraphAddDependencies(checked.graph, &setter, &last, nullptr, 1) == cudaSuccess);
  CHECK(checked.found().empty());
}

TEST_CASE("conditional nodes: a value that nothing in the launch has set is found") {
  const Checked checked;
  const Handle handle = handle_of(checked.graph);
  const Conditional node(checked.graph, handle, cudaGraphCondTypeSwitch, 2);
  checked.add((void*)set_twice, handle, {node.node});  // too late
  CHECK(first_line(checked.found()) ==
        "uninitialised: a SWITCH node of a graph looks at a value that nothing in this launch has "
        "set before");
}

TEST_CASE("conditional nodes: in a body, too, only edges order, from round to round all is") {
  const Checked checked;
  const Handle handle = handle_of(checked.graph, 1);
  const Conditional loop(checked.graph, handle, cudaGraphCondTypeWhile);
  int* const memory = managed_ints(3);
  memory[2] = 3;
  // Two rows, which meet in the last node.
  cudaGraphNode_t const one = kernel_node(loop.bodies[0], (void*)add, memory, 1);
  cudaGraphNode_t const other = kernel_node(loop.bodies[0], (void*)add, memory + 1, 1);
  cudaGraphNode_t const last =
      handle_node(loop.bodies[0], (void*)count_down, handle, memory + 2, {one, other});
  kernel_node(checked.graph, (void*)add, memory, 10, {loop.node});
  kernel_node(checked.graph, (void*)multiply, memory + 1, 10, {loop.node});
  CHECK(checked.found().empty());
  CHECK(memory[0] == 13);
  CHECK(memory[1] == 30);
  // And one that nothing orders with one of them.
  memory[2] = 2;
  cudaGraphNode_t added = kernel_node(loop.bodies[0], (void*)add, memory, 1);
  const std::string found = checked.found();
  CHECK(found.rfind("unordered: a kernel ", 0) == 0);
  CHECK(found.find(" memory that a kernel in another branch of a graph ") != std::string::npos);
  cudaGraphNode_t before = one;
  CHECK(cudaGraphAddDependencies(loop.bodies[0], &before, &added, nullptr, 1) == cudaSuccess);
  memory[2] = 2;
  CHECK(checked.found().empty());
  CHECK(type_of(last) == cudaGraphNodeTypeKernel);
}

TEST_CASE("conditional nodes: threads that set a value at the same time race") {
  const Checked checked;
  const Handle handle = handle_of(checked.graph);
  const Conditional node(checked.graph, handle, cudaGraphCondTypeSwitch, 2,
                         {checked.add((void*)set_to_number, handle)});
  CHECK(checked.found().rfind("race: ", 0) == 0);
}

TEST_CASE("conditional nodes: a kernel sets no value by what is no handle") {
  const Checked checked;
  const Handle handle = handle_of(checked.graph, 0);
  const Conditional node(checked.graph, handle, cudaGraphCondTypeIf, 1,
                         {checked.add((void*)set_some_handle, handle)});
  const std::string found = checked.found();
  CHECK(found.rfind("failed-kernel: cudaGraphSetConditional() of 0x", 0) == 0);
  CHECK(found.find(", which is the handle of no existing graph") != std::string::npos);
}

TEST_CASE("conditional nodes: only kernels in a launch of its graph set a value") {
  const Fresh fresh;
  int* memory = managed_ints();
  cudaGraph_t const graph = some_graph();
  const Handle handle = handle_of(graph);
  cudaGraphNode_t const setter = handle_node(graph, (void*)set_to, handle, memory);
  const Conditional node(graph, handle, cudaGraphCondTypeIf, 1, {setter});
  const auto set_from_outside = [&] {
    set_to<<<1, 1>>>(handle, memory);
    return cudaDeviceSynchronize();
  };
  cudaGraphExec_t const executable = instantiated(graph);
  launch(executable);
  SUBCASE("a kernel after the launch") {}
  SUBCASE("and when the graph is gone") {
    CHECK(cudaGraphExecDestroy(executable) == cudaSuccess);
    CHECK(cudaGraphDestroy(graph) == cudaSuccess);
  }
  CHECK(set_from_outside() == cudaErrorIllegalAddress);
  CHECK(cudaDeviceSynchronize() == cudaErrorIllegalAddress);  // nothing works any more
}

TEST_CASE("conditional nodes: a WHILE node whose body cannot end it fails at once") {
  const Checked checked;
  const Conditional node(checked.graph, handle_of(checked.graph, 7), cudaGraphCondTypeWhile);
  empty_node(node.bodies[0]);
  CHECK(checked.found() ==
        "failed-kernel: a WHILE node of a graph never ends: its value is 7, and its body has no "
        "kernel that could set it\n");
}

TEST_CASE("conditional nodes: what is said of a graph that cannot be instantiated") {
  const Checked checked;
  const Conditional node(checked.graph, handle_of(checked.graph, 0), cudaGraphCondTypeIf);
  handle_of(checked.graph, 0);
  CHECK(checked.found() ==
        "invalid-launch: a handle that cudaGraphConditionalHandleCreate() made for it has no "
        "conditional node\n");
  cudaGraphNode_t added = nullptr;
  CHECK(cudaGraphAddEventRecordNode(&added, node.bodies[0], nullptr, 0, some_event()) ==
        cudaSuccess);
  CHECK(checked.found() == "invalid-launch: the body of a conditional node holds an event\n");
}

TEST_CASE("conditional nodes: setting a value is no traffic, and kernels in bodies are launches") {
  const Fresh fresh;
  int* const memory = managed_ints(2);
  cudaGraph_t const graph = some_graph();
  const Handle handle = handle_of(graph, 1);
  const Conditional loop(graph, handle, cudaGraphCondTypeWhile);
  handle_node(loop.bodies[0], (void*)count_down, handle, memory);
  cudaGraphExec_t const executable = instantiated(graph);
  memory[0] = 5;
  const emulator::Traffic traffic = traffic_of([&] { launch(executable); });
  CHECK(traffic.global_load_requests == 5);
  CHECK(traffic.global_store_requests == 5);
}

#endif
