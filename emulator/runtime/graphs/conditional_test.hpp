#pragma once
/// \file
/// What the tests of conditional nodes share. NVIDIA's compiler takes them as well.

#include "tests/support/graph_test.hpp"

namespace graph_test {

using Handle = cudaGraphConditionalHandle;

[[maybe_unused]] static __global__ void set_to(Handle handle, const int* value) {
  cudaGraphSetConditional(handle, static_cast<unsigned>(*value));
}

// Counts down in memory, and ends the loop at zero.
[[maybe_unused]] static __global__ void count_down(Handle handle, int* count) {
  if (--*count == 0) cudaGraphSetConditional(handle, 0);
}

// What `x` was is appended to the sum: as 10 x sum + x.
[[maybe_unused]] static __global__ void append(int* out, int x) {
  *out = *out * 10 + x;
}

inline Handle handle_of(cudaGraph_t graph) {
  Handle handle = 0;
  CHECK(cudaGraphConditionalHandleCreate(&handle, graph) == cudaSuccess);
  return handle;
}

inline Handle handle_of(cudaGraph_t graph, unsigned value) {
  Handle handle = 0;
  CHECK(cudaGraphConditionalHandleCreate(&handle, graph, value, cudaGraphCondAssignDefault) ==
        cudaSuccess);
  return handle;
}

inline cudaGraphNodeParams conditional(Handle handle, cudaGraphConditionalNodeType type,
                                       unsigned size) {
  cudaGraphNodeParams parameters = {};
  parameters.type = cudaGraphNodeTypeConditional;
  parameters.conditional.handle = handle;
  parameters.conditional.type = type;
  parameters.conditional.size = size;
  return parameters;
}

inline cudaError_t try_conditional(cudaGraph_t graph, Handle handle,
                                   cudaGraphConditionalNodeType type, unsigned size) {
  cudaGraphNodeParams parameters = conditional(handle, type, size);
  cudaGraphNode_t node = nullptr;
  return cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &parameters);
}

struct Conditional {
  cudaGraphNode_t node = nullptr;
  std::vector<cudaGraph_t> bodies;

  Conditional(cudaGraph_t graph, Handle handle, cudaGraphConditionalNodeType type,
              unsigned size = 1, const Nodes& before = {}) {
    cudaGraphNodeParams parameters = conditional(handle, type, size);
    REQUIRE(cudaGraphAddNode(&node, graph, before.data(), nullptr, before.size(), &parameters) ==
            cudaSuccess);
    const cudaGraph_t* const all = parameters.conditional.phGraph_out;
    bodies.assign(all, all + size);
  }
};

// A node of a kernel that takes a handle and a pointer.
inline cudaGraphNode_t handle_node(cudaGraph_t graph, void* function, Handle handle, int* memory,
                                   const Nodes& before = {}) {
  void* arguments[] = {&handle, &memory};
  const cudaKernelNodeParams parameters = kernel(function, arguments);
  cudaGraphNode_t node = nullptr;
  CHECK(cudaGraphAddKernelNode(&node, graph, before.data(), before.size(), &parameters) ==
        cudaSuccess);
  return node;
}

inline cudaError_t instantiate(cudaGraph_t graph) {
  cudaGraphExec_t executable = nullptr;
  return cudaGraphInstantiate(&executable, graph, 0);
}

}  // namespace graph_test
