/// \file
/// cudaGraphDebugDotPrint(): a graph as text for dot, which draws it.

#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "base/words.hpp"
#include "emulator/host/graphs.h"
#include "graphs/conditions.hpp"
#include "graphs/graph.hpp"
#include "graphs/node_work.hpp"

using namespace emulator::graphs;

namespace {

std::string address(const void* pointer) {
  char text[32];
  std::snprintf(text, sizeof(text), "%p", pointer);
  return text;
}

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result;
}

const char* name_of(cudaGraphConditionalNodeType type) {
  switch (type) {
    case cudaGraphCondTypeIf:
      return "if";
    case cudaGraphCondTypeWhile:
      return "while";
    case cudaGraphCondTypeSwitch:
      break;
  }
  return "switch";
}

std::string direction(const Work& work) {
  cudaMemcpy3DParms copy{};
  get_parameters(work, copy);
  switch (copy.kind) {
    case cudaMemcpyHostToHost:
      return "host to host";
    case cudaMemcpyHostToDevice:
      return "host to device";
    case cudaMemcpyDeviceToHost:
      return "device to host";
    case cudaMemcpyDeviceToDevice:
      return "device to device";
    case cudaMemcpyDefault:
      break;
  }
  return "as the pointers say";
}

class Dot {
 public:
  explicit Dot(unsigned flags) : flags_(flags) {}

  std::string text_of(const Graph& graph) {
    text_ = "digraph nodes {\n  node [shape=box];\n";
    add(graph, "  ");
    return text_ + "}\n";
  }

 private:
  bool wants(unsigned flag) const { return (flags_ & (flag | cudaGraphDebugDotFlagsVerbose)) != 0; }

  static std::string extent_of(const cudaExtent& extent) {
    return std::to_string(extent.width) + " x " + std::to_string(extent.height) + " x " +
           std::to_string(extent.depth) + " bytes";
  }

  std::vector<std::string> lines_of(cudaGraphNode_t handle, const Work& work) const {
    std::vector<std::string> lines;
    switch (work.type) {
      case cudaGraphNodeTypeKernel: {
        if (!is_own_kernel(work)) {
          lines.push_back(std::string("call of ") + std::get<CallTask>(work.task).name);
          break;
        }
        const auto& kernel = std::get<KernelTask>(work.task);
        lines.push_back(std::string("kernel ") + kernel.name);
        if (wants(cudaGraphDebugDotFlagsKernelNodeParams)) {
          const emulator::Configuration& c = kernel.configuration;
          lines.push_back("grid " + triple(c.grid) + ", block " + triple(c.block) + ", " +
                          std::to_string(c.shared_bytes) + " bytes of shared memory");
        }
        if (wants(cudaGraphDebugDotFlagsKernelNodeAttributes) && kernel.cooperative != nullptr) {
          lines.emplace_back("cooperative");
        }
        break;
      }
      case cudaGraphNodeTypeMemcpy:
        lines.push_back("memcpy " + direction(work));
        if (wants(cudaGraphDebugDotFlagsMemcpyNodeParams)) {
          const auto& copy = std::get<CopyTask>(work.task);
          lines.push_back("from " + address(copy.from.row(0, 0)) + " to " +
                          address(copy.to.row(0, 0)));
          lines.push_back(extent_of(copy.extent));
        }
        break;
      case cudaGraphNodeTypeMemset:
        lines.emplace_back("memset");
        if (wants(cudaGraphDebugDotFlagsMemsetNodeParams)) {
          const auto& set = std::get<SetTask>(work.task);
          lines.push_back(address(set.box.row(0, 0)) + ", value " + std::to_string(set.value) +
                          ", elements of " + std::to_string(set.element_bytes));
          lines.push_back(extent_of(set.extent));
        }
        break;
      case cudaGraphNodeTypeHost:
        lines.emplace_back("host function");
        if (wants(cudaGraphDebugDotFlagsHostNodeParams)) {
          const auto& host = std::get<HostTask>(work.task);
          lines.push_back(address(reinterpret_cast<const void*>(host.function)) + " of " +
                          address(host.user_data));
        }
        break;
      case cudaGraphNodeTypeGraph:
        lines.emplace_back("child graph");
        break;
      case cudaGraphNodeTypeWaitEvent:
      case cudaGraphNodeTypeEventRecord:
        lines.emplace_back(work.type == cudaGraphNodeTypeWaitEvent ? "event wait" : "event record");
        if (wants(cudaGraphDebugDotFlagsEventNodeParams)) lines.push_back(address(work.event));
        break;
      case cudaGraphNodeTypeMemAlloc:
        lines.push_back("allocation of " + std::to_string(work.memory->parameters().bytesize) +
                        " bytes at " + address(work.memory->pointer()));
        break;
      case cudaGraphNodeTypeMemFree:
        lines.push_back("free of " + address(std::get<FreeTask>(work.task).pointer));
        break;
      case cudaGraphNodeTypeConditional:
        lines.push_back(std::string("conditional ") + name_of(work.choice.type));
        if (wants(cudaGraphDebugDotFlagsConditionalNodeParams)) {
          lines.push_back("handle " + std::to_string(work.choice.condition->handle()));
        }
        break;
      default:
        lines.emplace_back("empty");
    }
    if (wants(cudaGraphDebugDotFlagsHandles)) lines.push_back("node " + address(handle));
    return lines;
  }

  void add(const Graph& graph, const std::string& indent) {
    for (const auto& [handle, node] : graph.nodes) {
      const std::size_t id = ids_.size();
      ids_[handle] = id;
      std::string label = std::to_string(id);
      for (const std::string& line : lines_of(handle, node.work)) label += "\\n" + escaped(line);
      text_ += indent + "n" + std::to_string(id) + " [label=\"" + label + "\"];\n";
      const std::string number = std::to_string(id);
      if (node.work.child) {
        add_inner("cluster_" + number, "child graph of node " + number, *node.work.child, indent);
      }
      for (std::size_t body = 0; body < node.work.choice.bodies.size(); ++body) {
        const std::string which = std::to_string(body);
        add_inner("cluster_" + number + "_" + which, "body " + which + " of node " + number,
                  *node.work.choice.bodies[body], indent);
      }
    }
    for (const auto& [handle, node] : graph.nodes) {
      for (auto* const before : node.before) {
        text_ += indent + "n" + std::to_string(ids_.at(before)) + " -> n" +
                 std::to_string(ids_.at(handle)) + ";\n";
      }
    }
  }

  void add_inner(const std::string& name, const std::string& label, const Graph& graph,
                 const std::string& indent) {
    text_ += indent + "subgraph " + name + " {\n" + indent + "  label=\"" + label + "\";\n";
    add(graph, indent + "  ");
    text_ += indent + "}\n";
  }

  unsigned flags_;
  std::string text_;
  std::map<cudaGraphNode_t, std::size_t> ids_;
};

}  // namespace

cudaError_t cudaGraphDebugDotPrint(cudaGraph_t graph, const char* path, unsigned int flags) {
  if (path == nullptr) return report(cudaErrorInvalidValue);
  return with_graph(graph, [&](const Graph& live) {
    const std::string text = Dot(flags).text_of(live);
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path, "w"), &std::fclose);
    const bool written = file && std::fputs(text.c_str(), file.get()) >= 0;
    return written ? cudaSuccess : cudaErrorOperatingSystem;
  });
}
