/// \file
/// Executable graphs: launches, changes, memory. NVIDIA's compiler takes this file as well.

#include <cstdint>

#include "tests/support/graph_test.hpp"

using namespace graph_test;

namespace {

// put, then multiply, in a row.
struct Chain {
  explicit Chain(int* out, int value = 2, int factor = 3)
      : graph(some_graph()),
        first(kernel_node(graph, (void*)put, out, value)),
        second(kernel_node(graph, (void*)multiply, out, factor, {first})) {}

  cudaGraph_t graph;
  cudaGraphNode_t first;
  cudaGraphNode_t second;
};

cudaGraphExecUpdateResultInfo update(cudaGraphExec_t executable, cudaGraph_t graph) {
  cudaGraphExecUpdateResultInfo info = {};
  const cudaError_t error = cudaGraphExecUpdate(executable, graph, &info);
  const bool succeeded = info.result == cudaGraphExecUpdateSuccess;
  CHECK(error == (succeeded ? cudaSuccess : cudaErrorGraphExecUpdateFailure));
  return info;
}

cudaMemAllocNodeParams wanted(std::size_t bytes) {
  cudaMemAllocNodeParams parameters = {};
  parameters.poolProps.allocType = cudaMemAllocationTypePinned;
  parameters.poolProps.location.type = cudaMemLocationTypeDevice;
  parameters.bytesize = bytes;
  return parameters;
}

// A driver takes memory for graphs in pieces of this size, and keeps them until it is told to trim.
constexpr std::uint64_t piece = std::uint64_t{32} << 20;

std::uint64_t memory_kept() {
  std::uint64_t bytes = 0;
  CHECK(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &bytes) == cudaSuccess);
  return bytes;
}

}  // namespace

TEST_CASE("graph launches: as often as wanted, in any stream, in its order") {
  const Fresh fresh;
  int* const out = managed_ints();
  const Chain chain(out);
  cudaGraphExec_t const executable = instantiated(chain.graph);
  CHECK(cudaGraphDestroy(chain.graph) == cudaSuccess);
  cudaStream_t const stream = stream_with(cudaStreamNonBlocking);
  CHECK(cudaGraphUpload(executable, stream) == cudaSuccess);
  for (int i = 0; i < 3; ++i) CHECK(cudaGraphLaunch(executable, stream) == cudaSuccess);
  add<<<1, 1, 0, stream>>>(out, 1);
  CHECK(cudaStreamSynchronize(stream) == cudaSuccess);
  CHECK(*out == 7);
  launch(executable);
  CHECK(*out == 6);
  CHECK(cudaGraphExecDestroy(executable) == cudaSuccess);
}

TEST_CASE("graph launches: flags of instantiation") {
  const Fresh fresh;
  cudaGraph_t const graph = some_graph();
  cudaGraphExec_t executable = nullptr;
  unsigned long long flags = 9;
  CHECK(cudaGraphInstantiate(&executable, graph, 1000) == cudaErrorInvalidValue);
  CHECK(cudaGraphInstantiate(nullptr, graph, 0) == cudaErrorInvalidValue);
  REQUIRE(cudaGraphInstantiateWithFlags(&executable, graph,
                                        cudaGraphInstantiateFlagUseNodePriority) == cudaSuccess);
  CHECK(cudaGraphExecGetFlags(executable, &flags) == cudaSuccess);
  CHECK(flags == 0);  // of priorities it says nothing
  launch(executable);
  REQUIRE(cudaGraphInstantiateWithFlags(
              &executable, graph,
              cudaGraphInstantiateFlagAutoFreeOnLaunch | cudaGraphInstantiateFlagUseNodePriority) ==
          cudaSuccess);
  CHECK(cudaGraphExecGetFlags(executable, &flags) == cudaSuccess);
  CHECK(flags == cudaGraphInstantiateFlagAutoFreeOnLaunch);
  cudaGraphInstantiateParams parameters = {};
  parameters.flags = cudaGraphInstantiateFlagUpload;
  CHECK(cudaGraphInstantiateWithParams(&executable, graph, &parameters) == cudaSuccess);
  CHECK(parameters.result_out == cudaGraphInstantiateSuccess);
  CHECK(cudaGraphInstantiate(&executable, graph, nullptr, nullptr, 0) == cudaSuccess);
}

TEST_CASE("graph changes: parameters of an executable graph's nodes") {
  const Fresh fresh;
  int* const out = managed_ints(2);
  Chain chain(out);
  cudaGraphExec_t const executable = instantiated(chain.graph);
  int* target = out;
  int value = 50;
  void* arguments[] = {&target, &value};
  cudaKernelNodeParams parameters = kernel((void*)put, arguments);
  CHECK(cudaGraphExecKernelNodeSetParams(executable, chain.first, &parameters) == cudaSuccess);
  value = 1;
  parameters = kernel((void*)add, arguments);  // another kernel
  CHECK(cudaGraphExecKernelNodeSetParams(executable, chain.second, &parameters) == cudaSuccess);
  launch(executable);
  CHECK(*out == 51);
  launch(instantiated(chain.graph));  // which is as it was
  CHECK(*out == 6);
  cudaGraph_t const other = some_graph();
  CHECK(cudaGraphExecKernelNodeSetParams(executable, empty_node(other), &parameters) ==
        cudaErrorInvalidValue);
}

TEST_CASE("graph changes: nodes that are disabled do nothing, and order what they did") {
  const Fresh fresh;
  int* const out = managed_ints();
  Chain chain(out);
  cudaGraphExec_t const executable = instantiated(chain.graph);
  unsigned enabled = 9;
  CHECK(cudaGraphNodeGetEnabled(executable, chain.second, &enabled) == cudaSuccess);
  CHECK(enabled == 1);
  CHECK(cudaGraphNodeSetEnabled(executable, chain.second, 0) == cudaSuccess);
  CHECK(cudaGraphNodeGetEnabled(executable, chain.second, &enabled) == cudaSuccess);
  CHECK(enabled == 0);
  launch(executable);
  CHECK(*out == 2);
  CHECK(cudaGraphNodeSetEnabled(executable, chain.second, 1) == cudaSuccess);
  launch(executable);
  CHECK(*out == 6);
}

TEST_CASE("graph changes: one graph takes the place of another") {
  const Fresh fresh;
  int* const out = managed_ints();
  const Chain chain(out);
  cudaGraphExec_t const executable = instantiated(chain.graph);
  const Chain same(out, 10, 4);
  CHECK(update(executable, same.graph).result == cudaGraphExecUpdateSuccess);
  launch(executable);
  CHECK(*out == 40);

  cudaGraph_t const shorter = some_graph();
  kernel_node(shorter, (void*)put, out, 99);
  CHECK(update(executable, shorter).result == cudaGraphExecUpdateErrorTopologyChanged);

  cudaGraph_t const side_by_side = some_graph();
  kernel_node(side_by_side, (void*)put, out, 99);
  kernel_node(side_by_side, (void*)add, out, 99);
  CHECK(update(executable, side_by_side).result == cudaGraphExecUpdateErrorTopologyChanged);

  cudaGraph_t const other_type = some_graph();
  cudaGraphNode_t const first = kernel_node(other_type, (void*)put, out, 99);
  cudaGraphNode_t const guilty = empty_node(other_type, {first});
  const cudaGraphExecUpdateResultInfo info = update(executable, other_type);
  CHECK(info.result == cudaGraphExecUpdateErrorNodeTypeChanged);
  CHECK(info.errorNode == guilty);
  launch(executable);
  CHECK(*out == 40);  // what was refused changed nothing

  const auto pairs = [&](bool shares_first) {
    cudaGraph_t const graph = some_graph();
    cudaGraphNode_t const a = kernel_node(graph, (void*)put, out, 1);
    cudaGraphNode_t const b = kernel_node(graph, (void*)put, out, 2);
    kernel_node(graph, (void*)add, out, 3, {a});
    kernel_node(graph, (void*)add, out, 4, {shares_first ? a : b});
    return graph;
  };
  CHECK(update(instantiated(pairs(true)), pairs(false)).result ==
        cudaGraphExecUpdateErrorTopologyChanged);

  const Chain cooperative(out);
  cudaKernelNodeAttrValue value = {};
  value.cooperative = 1;
  CHECK(cudaGraphKernelNodeSetAttribute(cooperative.second, cudaLaunchAttributeCooperative,
                                        &value) == cudaSuccess);
  CHECK(update(executable, cooperative.graph).result != cudaGraphExecUpdateSuccess);
}

TEST_CASE("graph changes: a copy stays one row, between memory of the same kinds") {
  const Fresh fresh;
  int host[4] = {1, 2, 3, 4};
  int* device = nullptr;
  REQUIRE(cudaMalloc(&device, sizeof(host)) == cudaSuccess);
  cudaGraph_t const graph = some_graph();
  cudaGraphNode_t node = nullptr;
  CHECK(cudaGraphAddMemcpyNode1D(&node, graph, nullptr, 0, device, host, 8,
                                 cudaMemcpyHostToDevice) == cudaSuccess);
  cudaGraphExec_t const executable = instantiated(graph);
  CHECK(cudaGraphExecMemcpyNodeSetParams1D(executable, node, device, host + 2, 8,
                                           cudaMemcpyHostToDevice) == cudaSuccess);
  launch(executable);
  int back = 0;
  CHECK(cudaMemcpy(&back, device, sizeof(int), cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(back == 3);
  CHECK(cudaGraphExecMemcpyNodeSetParams1D(executable, node, host, device, 8,
                                           cudaMemcpyDeviceToHost) == cudaErrorInvalidValue);
  cudaMemcpy3DParms rows = {};
  rows.srcPtr = make_cudaPitchedPtr(host, 8, 8, 2);
  rows.dstPtr = make_cudaPitchedPtr(device, 8, 8, 2);
  rows.extent = make_cudaExtent(4, 2, 1);
  rows.kind = cudaMemcpyHostToDevice;
  CHECK(cudaGraphExecMemcpyNodeSetParams(executable, node, &rows) == cudaErrorInvalidValue);
}

TEST_CASE("graph changes: a child graph") {
  const Fresh fresh;
  int* const out = managed_ints();
  const Chain chain(out);
  cudaGraph_t const graph = some_graph();
  cudaGraphNode_t node = nullptr;
  CHECK(cudaGraphAddChildGraphNode(&node, graph, nullptr, 0, chain.graph) == cudaSuccess);
  kernel_node(graph, (void*)add, out, 1, {node});
  cudaGraphExec_t const executable = instantiated(graph);
  const Chain other(out, 7, 7);
  CHECK(cudaGraphExecChildGraphNodeSetParams(executable, node, other.graph) == cudaSuccess);
  launch(executable);
  CHECK(*out == 50);
  cudaGraph_t const shorter = some_graph();
  kernel_node(shorter, (void*)put, out, 99);
  CHECK(cudaGraphExecChildGraphNodeSetParams(executable, node, shorter) != cudaSuccess);
  launch(executable);
  CHECK(*out == 50);
}

TEST_CASE("graph memory: lives from its node to the one that frees it, at one address") {
  const Fresh fresh;
  int* const out = managed_ints();
  cudaGraph_t const graph = some_graph();
  cudaMemAllocNodeParams parameters = wanted(1000);
  cudaGraphNode_t allocation = nullptr;
  REQUIRE(cudaGraphAddMemAllocNode(&allocation, graph, nullptr, 0, &parameters) == cudaSuccess);
  int* const memory = static_cast<int*>(parameters.dptr);
  cudaGraphNode_t const use = kernel_node(graph, (void*)put, memory, 5, {allocation});
  cudaGraphNode_t copy = nullptr;
  CHECK(cudaGraphAddMemcpyNode1D(&copy, graph, &use, 1, out, memory, sizeof(int),
                                 cudaMemcpyDefault) == cudaSuccess);
  cudaGraphNode_t free = nullptr;
  CHECK(cudaGraphAddMemFreeNode(&free, graph, &copy, 1, out) == cudaErrorInvalidValue);
  CHECK(cudaGraphAddMemFreeNode(&free, graph, &copy, 1, memory) == cudaSuccess);
  CHECK(cudaGraphAddMemFreeNode(&free, graph, &copy, 1, memory) == cudaErrorInvalidValue);
  void* read = nullptr;
  CHECK(cudaGraphMemFreeNodeGetParams(nodes_of(graph).back(), &read) == cudaSuccess);
  CHECK(read == memory);
  CHECK(cudaGraphMemAllocNodeGetParams(allocation, &parameters) == cudaSuccess);
  CHECK(parameters.bytesize == 1000);

  cudaGraphExec_t const executable = instantiated(graph);
#ifdef CUDA_EMULATOR
  CHECK(memory_kept() == 0);  // it comes with a launch; an H200 has been seen with a piece by now
#endif
  cudaGraphExec_t second = nullptr;
  CHECK(cudaGraphInstantiate(&second, graph, 0) == cudaErrorNotSupported);
  for (int i = 0; i < 3; ++i) {
    *out = 0;
    launch(executable);
    CHECK(*out == 5);
    CHECK(memory_kept() == piece);  // for the next one
  }
  CHECK(cudaDeviceGraphMemTrim(0) == cudaSuccess);
  CHECK(memory_kept() == 0);
  launch(executable);
  CHECK(memory_kept() == piece);
  cudaGraph_t clone = nullptr;
  CHECK(cudaGraphClone(&clone, graph) == cudaErrorNotSupported);
  CHECK(cudaGraphDestroyNode(copy) == cudaErrorNotSupported);
  CHECK(cudaGraphRemoveDependencies(graph, &use, &copy, nullptr, 1) == cudaErrorNotSupported);
}

TEST_CASE("graph memory: what a launch leaves has to be freed before the next") {
  const Fresh fresh;
  int* const out = managed_ints();
  cudaGraph_t const graph = some_graph();
  cudaMemAllocNodeParams parameters = wanted(sizeof(int));
  cudaGraphNode_t allocation = nullptr;
  REQUIRE(cudaGraphAddMemAllocNode(&allocation, graph, nullptr, 0, &parameters) == cudaSuccess);
  int* const memory = static_cast<int*>(parameters.dptr);
  kernel_node(graph, (void*)put, memory, 5, {allocation});
  cudaGraph_t const freeing = some_graph();
  cudaGraphNode_t free = nullptr;
  REQUIRE(cudaGraphAddMemFreeNode(&free, freeing, nullptr, 0, memory) == cudaSuccess);
  cudaGraphExec_t const executable = instantiated(graph);
  cudaGraphExec_t const freer = instantiated(freeing);
  launch(executable);
  CHECK(memory_kept() == piece);
  CHECK(cudaMemcpy(out, memory, sizeof(int), cudaMemcpyDefault) == cudaSuccess);
  CHECK(*out == 5);
  CHECK(cudaGraphLaunch(executable, nullptr) == cudaErrorInvalidValue);
  CHECK(cudaFree(memory) == cudaSuccess);
  launch(executable);
  CHECK(cudaFreeAsync(memory, nullptr) == cudaSuccess);
  launch(executable);
  launch(freer);
  CHECK(cudaGraphLaunch(freer, nullptr) == cudaErrorInvalidValue);  // nothing is allocated
  launch(executable);
  CHECK(cudaFree(memory) == cudaSuccess);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(memory_kept() == piece);
  CHECK(cudaDeviceGraphMemTrim(0) == cudaSuccess);
  CHECK(memory_kept() == 0);
  CHECK(cudaGraphExecDestroy(executable) == cudaSuccess);

  cudaGraphExec_t self_freeing = nullptr;
  REQUIRE(cudaGraphInstantiate(&self_freeing, graph, cudaGraphInstantiateFlagAutoFreeOnLaunch) ==
          cudaSuccess);
  launch(self_freeing);
  launch(self_freeing);
  CHECK(cudaGraphExecDestroy(self_freeing) == cudaSuccess);
  CHECK(cudaFree(memory) == cudaSuccess);
}
