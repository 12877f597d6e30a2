#include "graphs/node_work.hpp"

#include <bit>
#include <utility>
#include <variant>

#include "emulator/host/launch_api.h"
#include "emulator/host/unmodelled.h"
#include "graphs/issued_copies.hpp"
#include "streams/copy_tasks.hpp"
#include "streams/handles.hpp"
#include "streams/symbol_copies.hpp"

namespace emulator::graphs {
namespace {

cudaMemcpyKind kind_of(const Sides& sides) {
  if (sides.destination == Where::host) return cudaMemcpyHostToHost;
  if (sides.source == Where::device) {
    return sides.destination == Where::device ? cudaMemcpyDeviceToDevice : cudaMemcpyDeviceToHost;
  }
  return sides.destination == Where::device ? cudaMemcpyHostToDevice : cudaMemcpyDefault;
}

cudaPitchedPtr pitched(const Box& box, const cudaExtent& extent) {
  const std::size_t pitch = box.pitch != 0 ? box.pitch : extent.width;
  const std::size_t rows = box.slice != 0 ? box.slice / pitch : extent.height;
  return {box.row(0, 0), pitch, extent.width, rows};
}

cudaError_t set_copy(Work& work, CopyTask copy) {
  if (const cudaError_t error = check_copy(copy, /*now=*/false); error != cudaSuccess) return error;
  work.type = cudaGraphNodeTypeMemcpy;
  work.task = std::move(copy);
  return cudaSuccess;
}

bool is_cooperative(const Work& work) {
  const auto found = work.attributes.find(cudaLaunchAttributeCooperative);
  return found != work.attributes.end() && found->second.cooperative != 0;
}

}  // namespace

void* function_of(const KernelTask& kernel) {
  if (kernel.body.function != nullptr) return const_cast<void*>(kernel.body.function);
  return reinterpret_cast<void*>(kernel.body.call);
}

cudaError_t set_work(Work& work, const cudaKernelNodeParams& parameters) {
  if (parameters.extra != nullptr) return not_modelled("a kernel node's arguments as extra");
  const Configuration configuration(parameters.gridDim, parameters.blockDim,
                                    parameters.sharedMemBytes);
  KernelTask task{nullptr, configuration, {}, nullptr};
  const KernelTask* const old = std::get_if<KernelTask>(&work.task);
  cudaError_t error = cudaSuccess;
  if (old != nullptr && parameters.func == function_of(*old)) {
    error = keep_launch(old->name, configuration, old->body, old->cooperative, task,
                        parameters.kernelParams);
  } else {
    const auto keep = [](const char* kernel, const Configuration& launched, ThreadBody body,
                         const void* cooperative, KernelTask& later) {
      return keep_launch(kernel, launched, body, cooperative, later);
    };
    error = launch_by_address({nullptr, parameters.func, configuration, parameters.kernelParams,
                               is_cooperative(work), keep, &task},
                              "a kernel node");
  }
  if (error != cudaSuccess) return error;
  work.type = cudaGraphNodeTypeKernel;
  work.task = std::move(task);
  return cudaSuccess;
}

void get_parameters(const Work& work, cudaKernelNodeParams& parameters) {
  const auto& kernel = std::get<KernelTask>(work.task);
  const auto* const arguments =
      kernel.body.arguments != nullptr ? kernel.body.arguments(kernel.body.object) : nullptr;
  parameters = cudaKernelNodeParams{function_of(kernel),
                                    kernel.configuration.grid,
                                    kernel.configuration.block,
                                    static_cast<unsigned>(kernel.configuration.shared_bytes),
                                    std::bit_cast<void**>(arguments),
                                    nullptr};
}

cudaError_t set_attribute(Work& work, cudaLaunchAttributeID attribute,
                          const cudaLaunchAttributeValue& value) {
  switch (attribute) {
    case cudaLaunchAttributeCooperative: {
      auto& kernel = std::get<KernelTask>(work.task);
      kernel.cooperative = value.cooperative != 0 ? function_of(kernel) : nullptr;
      break;
    }
    case cudaLaunchAttributeAccessPolicyWindow:
    case cudaLaunchAttributePriority:
      break;
    default:
      return cudaErrorInvalidValue;
  }
  work.attributes[attribute] = value;
  return cudaSuccess;
}

cudaError_t set_work(Work& work, const cudaMemcpy3DParms& parameters) {
  CopyTask copy{};
  if (const cudaError_t error = make_copy(parameters, copy); error != cudaSuccess) return error;
  return set_copy(work, std::move(copy));
}

cudaError_t set_work(Work& work, void* to, const void* from, std::size_t bytes,
                     cudaMemcpyKind kind) {
  CopyTask copy{};
  if (bytes == 0) return cudaErrorInvalidValue;
  if (const cudaError_t error = make_copy(to, from, bytes, kind, copy); error != cudaSuccess) {
    return error;
  }
  return set_copy(work, std::move(copy));
}

cudaError_t set_work(Work& work, const SymbolCopy& copy) {
  if (copy.bytes == 0) return cudaErrorInvalidValue;
  CopyTask task{};
  const cudaError_t error = copy.to_symbol
                                ? make_copy_to_symbol(copy.symbol, copy.symbol_bytes, copy.other,
                                                      copy.bytes, copy.offset, copy.kind, task)
                                : make_copy_from_symbol(copy.other, copy.symbol, copy.symbol_bytes,
                                                        copy.bytes, copy.offset, copy.kind, task);
  if (error != cudaSuccess) return error;
  work.type = cudaGraphNodeTypeMemcpy;
  work.task = std::move(task);
  return cudaSuccess;
}

void get_parameters(const Work& work, cudaMemcpy3DParms& parameters) {
  const auto& copy = std::get<CopyTask>(work.task);
  parameters = {};
  parameters.dstPtr = pitched(copy.to, copy.extent);
  parameters.srcPtr = pitched(copy.from, copy.extent);
  parameters.extent = copy.extent;
  parameters.kind = kind_of(copy.sides);
}

cudaError_t set_work(Work& work, const cudaMemsetParams& parameters) {
  const auto& [to, pitch, value, element, width, height] = parameters;
  const bool known_element = element == 1 || element == 2 || element == 4;
  std::size_t bytes = 0;
  if (!known_element || width == 0 || height == 0 ||
      __builtin_mul_overflow(width, element, &bytes) || (height > 1 && pitch < bytes)) {
    return cudaErrorInvalidValue;
  }
  const Box box{static_cast<unsigned char*>(to), 0, pitch, 0};
  const SetTask task{"cudaMemset", box, static_cast<int>(value), {bytes, height, 1}, element};
  if (!is_usable(task)) return cudaErrorInvalidValue;
  work.type = cudaGraphNodeTypeMemset;
  work.task = task;
  return cudaSuccess;
}

void get_parameters(const Work& work, cudaMemsetParams& parameters) {
  const auto& set = std::get<SetTask>(work.task);
  parameters = {set.box.row(0, 0),
                set.box.pitch,
                static_cast<unsigned>(set.value),
                set.element_bytes,
                set.extent.width / set.element_bytes,
                set.extent.height * set.extent.depth};
}

cudaError_t set_work(Work& work, const cudaHostNodeParams& parameters) {
  if (parameters.fn == nullptr) return cudaErrorInvalidValue;
  work.type = cudaGraphNodeTypeHost;
  work.task = HostTask{parameters.fn, nullptr, nullptr, parameters.userData};
  return cudaSuccess;
}

void get_parameters(const Work& work, cudaHostNodeParams& parameters) {
  const auto& host = std::get<HostTask>(work.task);
  parameters = {host.function, host.user_data};
}

cudaError_t set_work(Work& work, cudaGraphNodeType type, cudaEvent_t event) {
  {
    Handles& handles = Handles::get();
    const std::lock_guard lock(handles.mutex);
    if (!handles.events.contains(number(event))) return handles.why_not(number(event));
  }
  work.type = type;
  work.event = event;
  if (type == cudaGraphNodeTypeEventRecord) work.task = RecordTask{event};
  return cudaSuccess;
}

cudaError_t set_work(Work& work, Graph& parent, cudaGraph_t child,
                     cudaGraphChildGraphNodeOwnership ownership) {
  Graphs& graphs = Graphs::get();
  const auto found = graphs.live.find(child);
  if (found == graphs.live.end() || found->second.get() == &parent) return cudaErrorInvalidValue;
  const std::shared_ptr<Graph> graph = found->second;
  if (ownership == cudaGraphChildGraphOwnershipMove) {
    if (graph->parent != nullptr || graph->is_captured_anywhere()) return cudaErrorInvalidValue;
    if (graph->has_conditional_nodes()) return cudaErrorNotSupported;
    work.child = graph;
  } else {
    if (graph->is_unique()) return cudaErrorNotSupported;
    work.child = graphs.clone(*graph);
  }
  work.child->parent = &parent;
  work.type = cudaGraphNodeTypeGraph;
  return cudaSuccess;
}

cudaError_t set_work(Work& work, cudaMemAllocNodeParams& parameters, const char* made_by) {
  const cudaMemPoolProps& pool = parameters.poolProps;
  if (parameters.bytesize == 0 || pool.allocType != cudaMemAllocationTypePinned ||
      pool.handleTypes != cudaMemHandleTypeNone ||
      pool.location.type != cudaMemLocationTypeDevice || parameters.accessDescCount > 1 ||
      (parameters.accessDescCount == 1 && parameters.accessDescs == nullptr)) {
    return cudaErrorInvalidValue;
  }
  if (pool.location.id != 0) return cudaErrorInvalidDevice;
  work.memory = GraphMemory::reserve(parameters, made_by);
  if (!work.memory) return cudaErrorMemoryAllocation;
  parameters.dptr = work.memory->pointer();
  work.type = cudaGraphNodeTypeMemAlloc;
  return cudaSuccess;
}

cudaError_t set_work(Work& work, const Graph& graph, void* pointer) {
  GraphMemory* const memory = graph_memory_at(pointer);
  if (memory == nullptr || memory->freed_in != 0) return cudaErrorInvalidValue;
  for (const auto& [handle, node] : graph.nodes) {
    if (node.work.memory.get() != memory) continue;
    memory->freed_in = number(graph.handle);
    work.memory = node.work.memory;
  }
  work.type = cudaGraphNodeTypeMemFree;
  work.task = FreeTask{pointer};
  return cudaSuccess;
}

}  // namespace emulator::graphs
