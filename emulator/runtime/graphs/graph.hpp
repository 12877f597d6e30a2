#pragma once
/// \file
/// Graphs: nodes that are tasks as streams do them, and what each waits for.

#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "base/devices/devices.hpp"
#include "base/host_state.hpp"
#include "base/rooms.hpp"
#include "emulator/host/graphs.h"
#include "emulator/host/unmodelled.h"
#include "events/tasks.hpp"
#include "graphs/graph_memory.hpp"
#include "graphs/user_objects.hpp"

namespace emulator::graphs {

struct Graph;
class Condition;
class Executable;

/// Of a conditional node: which body it runs when.
struct Choice {
  cudaGraphConditionalNodeType type = cudaGraphCondTypeIf;
  std::shared_ptr<Condition> condition{};
  std::vector<std::shared_ptr<Graph>> bodies{};
  std::shared_ptr<std::vector<cudaGraph_t>> handles{};  ///< the bodies', in an array for the user
};

/// What a node does, whatever is before it.
struct Work {
  cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
  Task task = WaitTask{};
  cudaEvent_t event = nullptr;            ///< that it waits for
  std::shared_ptr<GraphMemory> memory{};  ///< that it allocates, or frees
  std::shared_ptr<Graph> child{};
  Choice choice{};
  std::map<int, cudaLaunchAttributeValue> attributes{};  ///< a kernel's, as they were set
  int device = current_device();                         ///< on which it is done
};

struct Node {
  Work work;
  std::vector<cudaGraphNode_t> before;  ///< in the order in which the edges were added
  cudaGraphNode_t original = nullptr;   ///< whose clone this is
};

struct Graph {
  cudaGraph_t handle = nullptr;
  std::map<cudaGraphNode_t, Node> nodes{};  ///< in the order in which they were added
  UserReferences references{};
  bool is_captured_into = false;
  Graph* parent = nullptr;  ///< of a child graph, and of a conditional node's body
  bool is_body = false;
  std::vector<std::shared_ptr<Condition>> conditions{};  ///< that were made for it
  std::weak_ptr<Executable> executable{};                ///< of a graph that has only one at a time

  bool has_memory_nodes() const;
  bool has_conditional_nodes() const;
  /// Whether the graph cannot be copied, and have but one executable graph at a time.
  bool is_unique() const { return has_memory_nodes() || has_conditional_nodes(); }
  /// Whether a stream is captured into it, or into one of the graphs in its nodes.
  bool is_captured_anywhere() const;
  /// Whether one of these nodes is that one, or comes after it.
  bool reaches(const std::vector<cudaGraphNode_t>& ends, cudaGraphNode_t node) const;
  /// The nodes that no other one waits for.
  std::vector<cudaGraphNode_t> last_nodes() const;
  /// The nodes in an order that their edges allow, the earliest added first.
  std::vector<cudaGraphNode_t> in_legal_order() const;
};

/// Whether a stream is captured into one of the graphs in a node.
bool is_captured_inside(const Work& work);

/// The live graphs. A handle is a number that is used once. To use the members, or a graph, hold
/// the mutex; the table of streams and events may be locked after it, not before.
class Graphs {
 public:
  static Graphs& get();

  std::mutex mutex;
  std::map<cudaGraph_t, std::shared_ptr<Graph>> live;
  std::map<cudaGraphNode_t, Graph*> homes;
  std::map<cudaGraphExec_t, std::shared_ptr<Executable>> executables;

  std::shared_ptr<Graph> create();
  /// A copy with handles of its own.
  std::shared_ptr<Graph> clone(const Graph& graph);
  /// Forgets the graph, its nodes and the graphs in them.
  void destroy(const std::shared_ptr<Graph>& graph);
  /// The same for the graphs inside a node.
  void destroy_inner(const Work& work);

  Graph* find(cudaGraph_t graph) const;
  /// The node, or null.
  Node* find(cudaGraphNode_t node) const;

  cudaGraphNode_t add(Graph& graph, Work work, std::vector<cudaGraphNode_t> before);

  template <class Handle>
  Handle next() {
    return std::bit_cast<Handle>(std::exchange(next_, next_ + 16));
  }

 private:
  std::uintptr_t next_ = 0x4000'0000;
};

/// Ends all captures, and destroys all graphs.
void reset_graphs();

/// What the functions that add nodes share.
struct NewNode {
  cudaGraphNode_t* node;
  cudaGraph_t graph;
  const cudaGraphNode_t* dependencies;
  std::size_t count;
};

/// Whether these are different nodes of the graph.
bool are_nodes_of(const Graph& graph, const cudaGraphNode_t* nodes, std::size_t count);

/// Whether all of an edge's data is zero, or there is none; if not, says that it is not modelled.
bool is_plain(const cudaGraphEdgeData* data, std::size_t count);

/// Whether a work is a kernel of the program's: a library's call is also a kernel, but nobody's.
bool is_own_kernel(const Work& work);

/// Calls `use` with the live graph, everything locked, and returns what it returns.
template <class Use>
cudaError_t with_graph(cudaGraph_t graph, Use use) {
  return device_call([&] {
    Graphs& graphs = Graphs::get();
    const std::lock_guard lock(graphs.mutex);
    Graph* const live = graphs.find(graph);
    return live == nullptr ? cudaErrorInvalidValue : use(*live);
  });
}

/// Likewise for a node of that type.
template <class Use>
cudaError_t with_node(cudaGraphNode_t node, cudaGraphNodeType type, Use use) {
  return device_call([&] {
    Graphs& graphs = Graphs::get();
    const std::lock_guard lock(graphs.mutex);
    Node* const live = graphs.find(node);
    if (live == nullptr || live->work.type != type) return cudaErrorInvalidValue;
    if (type == cudaGraphNodeTypeKernel && !is_own_kernel(live->work)) {
      return not_modelled("asking for, or changing, the kernels of a library's call in a graph");
    }
    return use(live->work);
  });
}

/// Adds the node that `make` makes.
template <class Make>
cudaError_t add_node(const NewNode& place, Make make) {
  if (place.node == nullptr) return report(cudaErrorInvalidValue);
  return with_graph(place.graph, [&](Graph& graph) {
    if (!are_nodes_of(graph, place.dependencies, place.count)) return cudaErrorInvalidValue;
    Work work;
    if (const cudaError_t error = make(work, graph); error != cudaSuccess) return error;
    *place.node = Graphs::get().add(graph, std::move(work),
                                    {place.dependencies, place.dependencies + place.count});
    return cudaSuccess;
  });
}

}  // namespace emulator::graphs
