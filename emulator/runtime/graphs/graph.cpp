#include "graphs/graph.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <variant>

#include "emulator/host/unmodelled.h"
#include "graphs/capture.hpp"
#include "graphs/executable.hpp"
#include "graphs/graph_memory.hpp"

namespace emulator::graphs {

bool Graph::has_memory_nodes() const {
  return std::ranges::any_of(nodes, [](const auto& entry) {
    const Work& work = entry.second.work;
    return work.type == cudaGraphNodeTypeMemAlloc || work.type == cudaGraphNodeTypeMemFree ||
           (work.child && work.child->has_memory_nodes());
  });
}

bool Graph::has_conditional_nodes() const {
  return std::ranges::any_of(nodes, [](const auto& entry) {
    const Work& work = entry.second.work;
    return work.type == cudaGraphNodeTypeConditional ||
           (work.child && work.child->has_conditional_nodes());
  });
}

bool Graph::is_captured_anywhere() const {
  return is_captured_into || std::ranges::any_of(nodes, [](const auto& entry) {
           return is_captured_inside(entry.second.work);
         });
}

bool is_captured_inside(const Work& work) {
  const auto is_captured = [](const std::shared_ptr<Graph>& graph) {
    return graph && graph->is_captured_anywhere();
  };
  return is_captured(work.child) || std::ranges::any_of(work.choice.bodies, is_captured);
}

bool Graph::reaches(const std::vector<cudaGraphNode_t>& ends, cudaGraphNode_t node) const {
  std::set<cudaGraphNode_t> seen;
  std::vector<cudaGraphNode_t> to_visit = ends;
  while (!to_visit.empty()) {
    auto* const next = to_visit.back();
    to_visit.pop_back();
    if (next == node) return true;
    const auto found = nodes.find(next);
    if (found == nodes.end() || !seen.insert(next).second) continue;
    std::ranges::copy(found->second.before, std::back_inserter(to_visit));
  }
  return false;
}

std::vector<cudaGraphNode_t> Graph::last_nodes() const {
  std::set<cudaGraphNode_t> waited_for;
  for (const auto& [name, node] : nodes) {
    waited_for.insert(node.before.begin(), node.before.end());
  }
  std::vector<cudaGraphNode_t> last;
  for (const auto& [name, node] : nodes) {
    if (!waited_for.contains(name)) last.push_back(name);
  }
  return last;
}

std::vector<cudaGraphNode_t> Graph::in_legal_order() const {
  std::map<cudaGraphNode_t, std::size_t> missing;
  std::map<cudaGraphNode_t, std::vector<cudaGraphNode_t>> after;
  std::set<cudaGraphNode_t> ready;
  for (const auto& [name, node] : nodes) {
    missing[name] = node.before.size();
    if (node.before.empty()) ready.insert(name);
    for (auto* const before : node.before) after[before].push_back(name);
  }
  std::vector<cudaGraphNode_t> order;
  while (!ready.empty()) {
    auto* const next = *ready.begin();
    ready.erase(ready.begin());
    order.push_back(next);
    for (auto* const later : after[next]) {
      if (--missing[later] == 0) ready.insert(later);
    }
  }
  return order;
}

Graphs& Graphs::get() {
  static auto& graphs = *new Graphs;  // never destroyed, for static objects' destructors
  return graphs;
}

std::shared_ptr<Graph> Graphs::create() {
  auto graph = std::make_shared<Graph>();
  graph->handle = next<cudaGraph_t>();
  live[graph->handle] = graph;
  return graph;
}

std::shared_ptr<Graph> Graphs::clone(const Graph& graph) {
  auto copy = std::make_shared<Graph>(Graph{next<cudaGraph_t>(), {}, graph.references});
  live[copy->handle] = copy;
  std::map<cudaGraphNode_t, cudaGraphNode_t> copies;
  for (const auto& [handle, node] : graph.nodes) {
    Work work = node.work;
    if (work.child) {
      work.child = clone(*work.child);
      work.child->parent = copy.get();
    }
    copies[handle] = add(*copy, std::move(work), {});
    copy->nodes.at(copies[handle]).original = handle;
  }
  for (const auto& [handle, node] : graph.nodes) {
    auto& before = copy->nodes.at(copies[handle]).before;
    for (auto* const one : node.before) before.push_back(copies[one]);
  }
  return copy;
}

void Graphs::destroy(const std::shared_ptr<Graph>& graph) {
  for (const auto& [handle, node] : graph->nodes) {
    homes.erase(handle);
    destroy_inner(node.work);
  }
  live.erase(graph->handle);
}

void Graphs::destroy_inner(const Work& work) {
  if (work.child) destroy(work.child);
  for (const auto& body : work.choice.bodies) destroy(body);
}

Graph* Graphs::find(cudaGraph_t graph) const {
  const auto found = live.find(graph);
  return found == live.end() ? nullptr : found->second.get();
}

Node* Graphs::find(cudaGraphNode_t node) const {
  const auto home = homes.find(node);
  return home == homes.end() ? nullptr : &home->second->nodes.at(node);
}

cudaGraphNode_t Graphs::add(Graph& graph, Work work, std::vector<cudaGraphNode_t> before) {
  const auto handle = next<cudaGraphNode_t>();
  graph.nodes.emplace(handle, Node{std::move(work), std::move(before)});
  homes[handle] = &graph;
  return handle;
}

void reset_graphs() {
  reset_captures();
  Graphs& graphs = Graphs::get();
  const std::lock_guard lock(graphs.mutex);
  graphs.executables.clear();
  graphs.homes.clear();
  graphs.live.clear();
  reset_graph_memory();
}

bool is_own_kernel(const Work& work) {
  return std::holds_alternative<KernelTask>(work.task);
}

bool are_nodes_of(const Graph& graph, const cudaGraphNode_t* nodes, std::size_t count) {
  if (count != 0 && nodes == nullptr) return false;
  const std::set<cudaGraphNode_t> different(nodes, nodes + count);
  return different.size() == count && std::ranges::all_of(different, [&](cudaGraphNode_t node) {
           return graph.nodes.contains(node);
         });
}

bool is_plain(const cudaGraphEdgeData* data, std::size_t count) {
  if (data == nullptr) return true;
  const auto is_zero = [](const cudaGraphEdgeData& one) {
    return one.from_port == 0 && one.to_port == 0 && one.type == 0;
  };
  if (std::all_of(data, data + count, is_zero)) return true;
  not_modelled("an edge that does not wait for the whole of a node");
  return false;
}

}  // namespace emulator::graphs
