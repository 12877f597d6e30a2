#pragma once
/// \file
/// Executable graphs: the nodes of a graph and of its children in one list, each with what it waits
/// for, and how they go into the streams' queue.

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "base/rooms.hpp"
#include "graphs/graph.hpp"
#include "streams/work_queue.hpp"

namespace emulator::graphs {

/// A node, or the begin or the end of a child graph, which do nothing.
struct Step {
  cudaGraphNode_t node;  ///< of the graph that was instantiated, or of its child
  Work work;
  std::vector<std::size_t> after;  ///< earlier steps
  bool is_enabled = true;
  std::vector<std::vector<Step>> bodies{};  ///< of a conditional node
  std::uint64_t lane = 0;  ///< in a body that is more than one row: the row's, which no stream has
};

/// The steps of a graph, each after those that it waits for. Graphs that were made by the same
/// calls give the same list.
std::vector<Step> steps_of(const Graph& graph);

class Executable {
 public:
  Executable(const Graph& graph, unsigned long long flags);

  /// Puts all steps into the queue, or performs them. Called with nothing locked.
  cudaError_t launch(cudaStream_t stream);
  /// Waits for the launches that are in the queue.
  void wait() const;

  /// Where a node's step is: among those of the graph, or of a body.
  struct Position {
    std::vector<Step>* steps = nullptr;
    std::size_t index = 0;
  };
  /// Of the node, or without steps if it has none.
  Position position_of(cudaGraphNode_t node) const;
  /// The step of that node, or null.
  Step* find(cudaGraphNode_t node) const;

  std::vector<Step> steps;
  unsigned long long flags;
  UserReferences references;
  /// The values that its conditional nodes look at.
  using Conditions = std::vector<std::shared_ptr<Condition>>;
  std::shared_ptr<const Conditions> conditions;

 private:
  // Steps of one lane come one after the other in every launch, as work in a stream does.
  void assign_lanes();
  cudaError_t begin_memory(cudaStream_t stream);
  void perform_all();
  void enqueue_all(cudaStream_t stream);

  void note_positions(std::vector<Step>& in);

  std::map<cudaGraphNode_t, Position> by_node_;
  std::vector<std::uint64_t> lanes_;  // of each step: the stream that it is in the queue
  std::vector<bool> is_last_;         // of each step: whether no other waits for it
  std::mutex launching_;              // two launches never overlap
  Ticket last_launch_ = 0;
};

/// Calls `use` with the live executable graph and its locked table.
template <class Use>
cudaError_t with_executable(cudaGraphExec_t executable, Use use) {
  return device_call([&] {
    Graphs& graphs = Graphs::get();
    const std::lock_guard lock(graphs.mutex);
    const auto found = graphs.executables.find(executable);
    return found == graphs.executables.end() ? cudaErrorInvalidValue : use(*found->second);
  });
}

}  // namespace emulator::graphs
