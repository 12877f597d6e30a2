#pragma once
/// \file
/// What the tests of graphs share. NVIDIA's compiler takes them as well.

#include <cuda_runtime.h>
#include <doctest/doctest.h>

#include <cstddef>
#include <string>
#include <vector>

template <>
struct doctest::StringMaker<cudaError> {
  static doctest::String convert(cudaError error) { return cudaGetErrorName(error); }
};

namespace graph_test {

/// A device as new, and no error left over.
struct Fresh {
  Fresh() {
    cudaDeviceReset();
    cudaGetLastError();
  }
  ~Fresh() { cudaDeviceReset(); }
};

[[maybe_unused]] static __global__ void put(int* out, int value) {
  *out = value;
}
[[maybe_unused]] static __global__ void add(int* out, int value) {
  *out += value;
}
[[maybe_unused]] static __global__ void multiply(int* out, int factor) {
  *out *= factor;
}

inline int* managed_ints(int count = 1) {
  int* memory = nullptr;
  const auto bytes = static_cast<std::size_t>(count) * sizeof(int);
  REQUIRE(cudaMallocManaged(&memory, bytes) == cudaSuccess);
  for (int i = 0; i < count; ++i) memory[i] = 0;
  return memory;
}

inline cudaStream_t stream_with(unsigned flags = cudaStreamDefault) {
  cudaStream_t stream = nullptr;
  REQUIRE(cudaStreamCreateWithFlags(&stream, flags) == cudaSuccess);
  return stream;
}

inline cudaEvent_t some_event() {
  cudaEvent_t event = nullptr;
  REQUIRE(cudaEventCreate(&event) == cudaSuccess);
  return event;
}

inline cudaGraph_t some_graph() {
  cudaGraph_t graph = nullptr;
  REQUIRE(cudaGraphCreate(&graph, 0) == cudaSuccess);
  return graph;
}

inline cudaGraphExec_t instantiated(cudaGraph_t graph) {
  cudaGraphExec_t executable = nullptr;
  REQUIRE(cudaGraphInstantiate(&executable, graph, 0) == cudaSuccess);
  return executable;
}

inline void launch(cudaGraphExec_t executable, cudaStream_t stream = nullptr) {
  CHECK(cudaGraphLaunch(executable, stream) == cudaSuccess);
  CHECK(cudaStreamSynchronize(stream) == cudaSuccess);
}

using Nodes = std::vector<cudaGraphNode_t>;

inline Nodes nodes_of(cudaGraph_t graph) {
  std::size_t count = 0;
  REQUIRE(cudaGraphGetNodes(graph, nullptr, &count) == cudaSuccess);
  Nodes nodes(count);
  REQUIRE(cudaGraphGetNodes(graph, nodes.data(), &count) == cudaSuccess);
  return nodes;
}

inline Nodes dependencies_of(cudaGraphNode_t node) {
  std::size_t count = 0;
  REQUIRE(cudaGraphNodeGetDependencies(node, nullptr, nullptr, &count) == cudaSuccess);
  Nodes nodes(count);
  if (count == 0) return nodes;
  REQUIRE(cudaGraphNodeGetDependencies(node, nodes.data(), nullptr, &count) == cudaSuccess);
  return nodes;
}

inline cudaGraphNodeType type_of(cudaGraphNode_t node) {
  cudaGraphNodeType type = cudaGraphNodeTypeCount;
  CHECK(cudaGraphNodeGetType(node, &type) == cudaSuccess);
  return type;
}

inline cudaGraphNode_t empty_node(cudaGraph_t graph, const Nodes& before = {}) {
  cudaGraphNode_t node = nullptr;
  CHECK(cudaGraphAddEmptyNode(&node, graph, before.data(), before.size()) == cudaSuccess);
  return node;
}

/// Parameters of a kernel of this file with its two arguments.
inline cudaKernelNodeParams kernel(void* function, void** arguments) {
  cudaKernelNodeParams parameters = {};
  parameters.func = function;
  parameters.gridDim = dim3(1);
  parameters.blockDim = dim3(1);
  parameters.kernelParams = arguments;
  return parameters;
}

inline cudaGraphNode_t kernel_node(cudaGraph_t graph, void* function, int* out, int value,
                                   const Nodes& before = {}) {
  void* arguments[] = {&out, &value};
  const cudaKernelNodeParams parameters = kernel(function, arguments);
  cudaGraphNode_t node = nullptr;
  CHECK(cudaGraphAddKernelNode(&node, graph, before.data(), before.size(), &parameters) ==
        cudaSuccess);
  return node;
}

}  // namespace graph_test
