#pragma once
/// \file
/// From the parameters of nodes to what they do, and back. Adding a node, and setting its
/// parameters or those in an executable graph, all pass through here; so the checks are the same.

#include "base/rooms.hpp"
#include "emulator/host/graph_types.h"
#include "graphs/graph.hpp"

namespace emulator::graphs {

/// A copy to or from a variable of the program's.
struct SymbolCopy {
  void* symbol;
  std::size_t symbol_bytes;
  void* other;
  std::size_t bytes;
  std::size_t offset;
  cudaMemcpyKind kind;
  bool to_symbol;
};

/// Each leaves what the parameters say in `work`, or returns what is wrong with them. Of a work
/// that is a kernel already, `func` may stand for the same kernel.
cudaError_t set_work(Work& work, const cudaKernelNodeParams& parameters);
cudaError_t set_work(Work& work, const cudaMemcpy3DParms& parameters);
cudaError_t set_work(Work& work, void* to, const void* from, std::size_t bytes,
                     cudaMemcpyKind kind);
cudaError_t set_work(Work& work, const SymbolCopy& copy);
cudaError_t set_work(Work& work, const cudaMemsetParams& parameters);
cudaError_t set_work(Work& work, const cudaHostNodeParams& parameters);
/// \param type cudaGraphNodeTypeEventRecord or cudaGraphNodeTypeWaitEvent
cudaError_t set_work(Work& work, cudaGraphNodeType type, cudaEvent_t event);
/// \param ownership whether the child is a clone, or the graph itself
cudaError_t set_work(Work& work, Graph& parent, cudaGraph_t child,
                     cudaGraphChildGraphNodeOwnership ownership);
/// A conditional node of that graph; `parameters` gets its bodies.
cudaError_t set_work(Work& work, Graph& graph, cudaConditionalNodeParams& parameters);
/// Memory that the graph allocates; `parameters` gets the address.
cudaError_t set_work(Work& work, cudaMemAllocNodeParams& parameters, const char* made_by);
/// Memory that the graph frees.
cudaError_t set_work(Work& work, const Graph& graph, void* pointer);

void get_parameters(const Work& work, cudaKernelNodeParams& parameters);
void get_parameters(const Work& work, cudaMemcpy3DParms& parameters);
void get_parameters(const Work& work, cudaMemsetParams& parameters);
void get_parameters(const Work& work, cudaHostNodeParams& parameters);

/// A kernel that has an attribute set: whether it is cooperative shows at once.
cudaError_t set_attribute(Work& work, cudaLaunchAttributeID attribute,
                          const cudaLaunchAttributeValue& value);

/// Sets what a copy to or from a variable does in an executable graph (updates.cpp).
cudaError_t set_symbol_step(cudaGraphExec_t executable, cudaGraphNode_t node,
                            const SymbolCopy& copy);

/// What stands for the kernel of a launch: its address, if that is known.
void* function_of(const KernelTask& kernel);

}  // namespace emulator::graphs
