/// \file
/// The functions that make and destroy graphs, and read and change their edges.

#include <algorithm>
#include <cstddef>
#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "emulator/host/graphs.h"
#include "events/stream_work.hpp"
#include "graphs/conditions.hpp"
#include "graphs/graph.hpp"

using namespace emulator::graphs;

namespace {

// Answers as the functions do that fill arrays: without one only how many there are.
template <class T>
cudaError_t give(const std::vector<T>& all, T* out, std::size_t* count) {
  if (out != nullptr) {
    for (std::size_t i = 0; i < *count; ++i) out[i] = i < all.size() ? all[i] : T{};
    *count = std::min(*count, all.size());
  } else {
    *count = all.size();
  }
  return cudaSuccess;
}

void clear(cudaGraphEdgeData* data, std::size_t count) {
  if (data != nullptr) std::fill(data, data + count, cudaGraphEdgeData{});
}

using Edges = std::pair<std::vector<cudaGraphNode_t>, std::vector<cudaGraphNode_t>>;

Edges edges_of(const Graph& graph) {
  Edges edges;
  for (const auto& [handle, node] : graph.nodes) {
    for (auto* const before : node.before) {
      edges.first.push_back(before);
      edges.second.push_back(handle);
    }
  }
  return edges;
}

// Calls `use` with a live node and its graph.
template <class Use>
cudaError_t with_home(cudaGraphNode_t node, Use use) {
  return device_call([&] {
    Graphs& graphs = Graphs::get();
    const std::lock_guard lock(graphs.mutex);
    const auto home = graphs.homes.find(node);
    return home == graphs.homes.end() ? cudaErrorInvalidValue
                                      : use(*home->second, home->second->nodes.at(node));
  });
}

bool waits_for(const Node& node, cudaGraphNode_t other) {
  return std::ranges::find(node.before, other) != node.before.end();
}

// The changed copies of nodes' edges, so that what is refused changes nothing.
using Changed = std::map<cudaGraphNode_t, std::vector<cudaGraphNode_t>>;

void swap_edges(Graph& graph, Changed& changed) {
  for (auto& [handle, before] : changed) std::swap(graph.nodes.at(handle).before, before);
}

// Calls `change` with the edges of each second node and the first one.
template <class Change>
cudaError_t change_edges(cudaGraph_t handle, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                         const cudaGraphEdgeData* data, std::size_t count, Change change) {
  if (count != 0 && (from == nullptr || to == nullptr)) return report(cudaErrorInvalidValue);
  if (!is_plain(data, count)) return report(cudaErrorInvalidValue);
  return with_graph(handle, [&](Graph& graph) {
    Changed changed;
    for (std::size_t i = 0; i < count; ++i) {
      const auto second = graph.nodes.find(to[i]);
      if (second == graph.nodes.end() || !graph.nodes.contains(from[i])) {
        return cudaErrorInvalidValue;
      }
      auto& before = changed.try_emplace(to[i], second->second.before).first->second;
      if (const cudaError_t error = change(graph, before, from[i]); error != cudaSuccess) {
        return error;
      }
    }
    swap_edges(graph, changed);
    if (graph.in_legal_order().size() == graph.nodes.size()) return cudaSuccess;
    swap_edges(graph, changed);  // a cycle
    return cudaErrorInvalidValue;
  });
}

}  // namespace

cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned int flags) {
  if (graph == nullptr || flags != 0) return report(cudaErrorInvalidValue);
  return device_call([&] {
    Graphs& graphs = Graphs::get();
    const std::lock_guard lock(graphs.mutex);
    *graph = graphs.create()->handle;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  return device_call([&] {
    Graphs& graphs = Graphs::get();
    std::shared_ptr<Graph> last;  // goes when nothing is locked any more
    const std::lock_guard lock(graphs.mutex);
    const auto found = graphs.live.find(graph);
    if (found == graphs.live.end() || found->second->parent != nullptr ||
        found->second->is_captured_anywhere()) {
      return cudaErrorInvalidValue;
    }
    last = found->second;
    graphs.destroy(last);
    note_graph_calls({.destroyed_graphs = 1});
    return cudaSuccess;
  });
}

cudaError_t cudaGraphClone(cudaGraph_t* clone, cudaGraph_t original) {
  if (clone == nullptr) return report(cudaErrorInvalidValue);
  return with_graph(original, [&](const Graph& graph) {
    if (graph.is_unique() || graph.is_body) return cudaErrorNotSupported;
    *clone = Graphs::get().clone(graph)->handle;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t* node, cudaGraphNode_t original,
                                     cudaGraph_t clone) {
  if (node == nullptr) return report(cudaErrorInvalidValue);
  return with_graph(clone, [&](const Graph& graph) {
    const auto found = std::ranges::find_if(
        graph.nodes, [&](const auto& entry) { return entry.second.original == original; });
    if (found == graph.nodes.end() || original == nullptr) return cudaErrorInvalidValue;
    *node = found->first;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, std::size_t* count) {
  if (count == nullptr) return report(cudaErrorInvalidValue);
  return with_graph(graph, [&](const Graph& live) {
    std::vector<cudaGraphNode_t> all;
    for (const auto& [handle, node] : live.nodes) all.push_back(handle);
    return give(all, nodes, count);
  });
}

cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, std::size_t* count) {
  if (count == nullptr) return report(cudaErrorInvalidValue);
  return with_graph(graph, [&](const Graph& live) {
    std::vector<cudaGraphNode_t> roots;
    for (const auto& [handle, node] : live.nodes) {
      if (node.before.empty()) roots.push_back(handle);
    }
    return give(roots, nodes, count);
  });
}

cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to,
                              cudaGraphEdgeData* data, std::size_t* count) {
  if (count == nullptr || (from == nullptr) != (to == nullptr)) {
    return report(cudaErrorInvalidValue);
  }
  return with_graph(graph, [&](const Graph& live) {
    const auto [first, second] = edges_of(live);
    if (from != nullptr) clear(data, *count);
    std::size_t same_count = *count;
    give(first, from, &same_count);
    return give(second, to, count);
  });
}

cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* dependencies,
                                         cudaGraphEdgeData* data, std::size_t* count) {
  if (count == nullptr) return report(cudaErrorInvalidValue);
  return with_home(node, [&](const Graph&, const Node& live) {
    if (dependencies != nullptr) clear(data, *count);
    return give(live.before, dependencies, count);
  });
}

cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t* dependents,
                                           cudaGraphEdgeData* data, std::size_t* count) {
  if (count == nullptr) return report(cudaErrorInvalidValue);
  return with_home(node, [&](const Graph& graph, const Node&) {
    if (dependents != nullptr) clear(data, *count);
    std::vector<cudaGraphNode_t> after;
    for (const auto& [handle, other] : graph.nodes) {
      if (waits_for(other, node)) after.push_back(handle);
    }
    return give(after, dependents, count);
  });
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType* type) {
  if (type == nullptr) return report(cudaErrorInvalidValue);
  return with_home(node, [&](const Graph&, const Node& live) {
    *type = live.work.type;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                     const cudaGraphNode_t* to, const cudaGraphEdgeData* data,
                                     std::size_t count) {
  const auto add = [](const Graph&, std::vector<cudaGraphNode_t>& before, cudaGraphNode_t node) {
    if (std::ranges::find(before, node) != before.end()) return cudaErrorInvalidValue;
    before.push_back(node);
    return cudaSuccess;
  };
  return change_edges(graph, from, to, data, count, add);
}

cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                        const cudaGraphNode_t* to, const cudaGraphEdgeData* data,
                                        std::size_t count) {
  const auto remove = [](const Graph& live, std::vector<cudaGraphNode_t>& before,
                         cudaGraphNode_t node) {
    if (live.has_memory_nodes()) return cudaErrorNotSupported;
    return std::erase(before, node) == 1 ? cudaSuccess : cudaErrorInvalidValue;
  };
  return change_edges(graph, from, to, data, count, remove);
}

cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node) {
  return with_home(node, [&](Graph& graph, Node& live) {
    if (graph.has_memory_nodes()) return cudaErrorNotSupported;
    if (graph.is_captured_into || is_captured_inside(live.work)) return cudaErrorInvalidValue;
    Graphs& graphs = Graphs::get();
    if (live.work.choice.condition) live.work.choice.condition->has_node = false;
    graphs.destroy_inner(live.work);
    for (auto& [handle, other] : graph.nodes) std::erase(other.before, node);
    graphs.homes.erase(node);
    graph.nodes.erase(node);
    return cudaSuccess;
  });
}
