#include "graphs/executable.hpp"

#include <algorithm>
#include <atomic>
#include <type_traits>
#include <utility>
#include <variant>

#include "emulator/host/unmodelled.h"
#include "events/stream_work.hpp"
#include "graphs/branch.hpp"
#include "graphs/capture.hpp"
#include "graphs/conditions.hpp"
#include "streams/event_records.hpp"
#include "streams/order.hpp"

namespace emulator::graphs {
namespace {

// Numbers of lanes are between those of streams (api/streams.cpp).
std::uint64_t new_lane() {
  static std::atomic<std::uint64_t> lanes{0};
  return ++lanes * 16 + 3;
}

// Adds the steps of a graph that begins after those. Returns its last ones.
std::vector<std::size_t> add_steps(const Graph& graph, const std::vector<std::size_t>& before,
                                   std::vector<Step>& steps) {
  std::map<cudaGraphNode_t, std::size_t> ends;
  for (auto* const handle : graph.in_legal_order()) {
    const Node& node = graph.nodes.at(handle);
    Step step{handle, node.work, {}};
    for (auto* const one : node.before) step.after.push_back(ends.at(one));
    if (node.before.empty()) step.after = before;
    const std::shared_ptr<Graph> child = std::exchange(step.work.child, nullptr);
    for (const auto& body : std::exchange(step.work.choice.bodies, {})) {
      step.bodies.push_back(steps_of(*body));
    }
    steps.push_back(std::move(step));
    ends[handle] = steps.size() - 1;
    if (child) {
      std::vector<std::size_t> last = add_steps(*child, {steps.size() - 1}, steps);
      steps.push_back({nullptr, {}, std::move(last)});
      ends[handle] = steps.size() - 1;
    }
  }
  std::vector<std::size_t> last;
  for (auto* const handle : graph.last_nodes()) last.push_back(ends.at(handle));
  return last.empty() ? before : last;
}

bool is_for_later(const Step& step) {
  return step.work.type == cudaGraphNodeTypeMemFree;
}

// Of each step the lane of the one that it goes on with, or a new one.
std::vector<std::uint64_t> lanes_of(const std::vector<Step>& steps) {
  std::vector<std::uint64_t> lanes;
  std::map<std::size_t, std::uint64_t> open;  // lanes by the step that is their last so far
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const auto goes_on = std::ranges::find_if(
        steps[i].after, [&](std::size_t before) { return open.contains(before); });
    std::uint64_t lane = 0;
    if (goes_on == steps[i].after.end()) {
      lane = new_lane();
    } else {
      lane = open.at(*goes_on);
      open.erase(*goes_on);
    }
    open[i] = lane;
    lanes.push_back(lane);
  }
  return lanes;
}

// A body of one row needs no lanes: it is as one piece of work.
void assign_lanes_in(std::vector<Step>& body) {
  const std::vector<std::uint64_t> lanes = lanes_of(body);
  const bool is_row = std::ranges::all_of(lanes, [&](auto lane) { return lane == lanes.front(); });
  for (std::size_t i = 0; i < body.size(); ++i) {
    if (!is_row) body[i].lane = lanes[i];
    std::ranges::for_each(body[i].bodies, assign_lanes_in);
  }
}

void add_lanes(const Step& step, std::vector<std::uint64_t>& lanes) {
  for (const std::vector<Step>& body : step.bodies) {
    for (const Step& inner : body) {
      const bool is_new = std::ranges::find(lanes, inner.lane) == lanes.end();
      if (inner.lane != 0 && is_new) lanes.push_back(inner.lane);
      add_lanes(inner, lanes);
    }
  }
}

// What a launch puts into the queue.
Task task_of(const Step& step) {
  if (!step.is_enabled) return WaitTask{};
  if (step.work.type != cudaGraphNodeTypeConditional) return step.work.task;
  BranchTask task{std::make_shared<Branch>(Branch{step})};
  add_lanes(step, task.lanes);
  return task;
}

}  // namespace

std::vector<Step> steps_of(const Graph& graph) {
  std::vector<Step> steps;
  add_steps(graph, {}, steps);
  return steps;
}

Executable::Executable(const Graph& graph, unsigned long long instantiate_flags)
    : steps(steps_of(graph)),
      flags(instantiate_flags),
      references(graph.references),
      conditions(std::make_shared<Conditions>(conditions_of(graph))) {
  note_positions(steps);
  is_last_.assign(steps.size(), true);
  for (const Step& step : steps) {
    for (const std::size_t before : step.after) is_last_[before] = false;
  }
  assign_lanes();
}

void Executable::assign_lanes() {
  lanes_ = lanes_of(steps);
  for (Step& step : steps) std::ranges::for_each(step.bodies, assign_lanes_in);
}

void Executable::note_positions(std::vector<Step>& in) {
  for (std::size_t i = 0; i < in.size(); ++i) {
    if (in[i].node != nullptr) by_node_[in[i].node] = {&in, i};
    for (std::vector<Step>& body : in[i].bodies) note_positions(body);
  }
}

Executable::Position Executable::position_of(cudaGraphNode_t node) const {
  const auto found = by_node_.find(node);
  return found == by_node_.end() ? Position{} : found->second;
}

Step* Executable::find(cudaGraphNode_t node) const {
  const Position position = position_of(node);
  return position.steps == nullptr ? nullptr : &(*position.steps)[position.index];
}

// Memory is there from the call on, which is early, but legal. What an earlier launch has left
// allocated has to be freed before, unless each launch does so itself.
cudaError_t Executable::begin_memory(cudaStream_t stream) {
  const auto is_kept = [](const Step& step) {
    return step.work.type == cudaGraphNodeTypeMemAlloc && step.work.memory->freed_in == 0;
  };
  const auto frees_others = [](const Step& step) {
    return step.work.type == cudaGraphNodeTypeMemFree && !step.work.memory;
  };
  const bool frees_itself = (flags & cudaGraphInstantiateFlagAutoFreeOnLaunch) != 0;
  for (const Step& step : steps) {
    if (is_kept(step) && step.work.memory->is_held && !frees_itself) return cudaErrorInvalidValue;
    if (!frees_others(step)) continue;
    const GraphMemory* const memory = graph_memory_at(std::get<FreeTask>(step.work.task).pointer);
    if (memory == nullptr || !memory->is_held) return cudaErrorInvalidValue;
  }
  for (const Step& step : steps) {
    if (frees_others(step)) note_free_issued(std::get<FreeTask>(step.work.task).pointer);
    if (step.work.type != cudaGraphNodeTypeMemAlloc) continue;
    GraphMemory& memory = *step.work.memory;
    if (is_kept(step) && std::exchange(memory.is_held, true)) {
      const FreeTask free{memory.pointer()};
      if (is_straight_through()) {
        free.perform();
      } else {
        enqueue(stream, free, 0, Runs::also_at_exit);
      }
    }
    if (!memory.begin_use()) return cudaErrorMemoryAllocation;
  }
  return cudaSuccess;
}

void Executable::perform_all() {
  for (const auto& condition : *conditions) condition->issue_begins();
  AssignTask{conditions}.perform();
  for (const Step& step : steps) {
    if (step.is_enabled) perform(step);
  }
  for (const auto& condition : *conditions) condition->issued_up_to(0);
}

void Executable::enqueue_all(cudaStream_t stream) {
  const OneCall one_call;
  for (const auto& condition : *conditions) condition->issue_begins();
  const Ticket begin = enqueue(
      stream, conditions->empty() ? Task{WaitTask{}} : Task{AssignTask{conditions}}, last_launch_);
  std::vector<Ticket> tickets;
  std::vector<Ticket> last{begin};
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const Step& step = steps[i];
    std::vector<Ticket> after;
    for (const std::size_t before : step.after) after.push_back(tickets[before]);
    if (after.empty()) after.push_back(begin);
    if (step.work.type == cudaGraphNodeTypeWaitEvent) after.push_back(record_of(step.work.event));
    tickets.push_back(enqueue(StreamInQueue{lanes_[i], Blocks::beside, step.work.device},
                              task_of(step), after,
                              is_for_later(step) ? Runs::also_at_exit : Runs::unless_failed));
    const auto* const record = std::get_if<RecordTask>(&step.work.task);
    if (record != nullptr) note_record(record->event, tickets.back());
    if (is_last_[i]) last.push_back(tickets.back());
  }
  last_launch_ = enqueue(in_queue(stream), WaitTask{}, last);
  for (const auto& condition : *conditions) condition->issued_up_to(last_launch_);
}

cudaError_t Executable::launch(cudaStream_t stream) {
  const std::lock_guard lock(launching_);
  if (const cudaError_t error = begin_memory(stream); error != cudaSuccess) return error;
  if (is_straight_through()) {
    perform_all();
  } else {
    enqueue_all(stream);
  }
  const auto kernels = std::ranges::count_if(steps, [](const Step& step) {
    return step.is_enabled && std::holds_alternative<KernelTask>(step.work.task);
  });
  note_graph_calls({.launches = 1, .kernels = static_cast<std::uint64_t>(kernels)});
  return cudaSuccess;
}

void Executable::wait() const {
  wait_for(last_launch_);
}

}  // namespace emulator::graphs

using namespace emulator::graphs;

namespace {

constexpr unsigned long long known_flags =
    cudaGraphInstantiateFlagAutoFreeOnLaunch | cudaGraphInstantiateFlagUseNodePriority;

// \param structure gets what is wrong with conditional nodes, if anything is
cudaError_t instantiate(cudaGraphExec_t* executable, cudaGraph_t graph, unsigned long long flags,
                        Structure* structure = nullptr) {
  if (executable == nullptr) return report(cudaErrorInvalidValue);
  if ((flags & cudaGraphInstantiateFlagDeviceLaunch) != 0) {
    return not_modelled("a graph that kernels launch");
  }
  if ((flags & ~known_flags) != 0) return report(cudaErrorInvalidValue);
  return with_graph(graph, [&](Graph& live) {
    if (live.is_body) return cudaErrorNotSupported;  // it comes with its graph
    const Structure found = check_conditional_nodes(live);
    if (structure != nullptr) *structure = found;
    if (found.error != cudaSuccess) return found.error;
    const bool is_unique = live.is_unique();
    if (is_unique && !live.executable.expired()) return cudaErrorNotSupported;
    const auto made = std::make_shared<Executable>(live, flags);
    if (is_unique) live.executable = made;
    Graphs& graphs = Graphs::get();
    *executable = graphs.next<cudaGraphExec_t>();
    graphs.executables[*executable] = made;
    note_graph_calls({.instantiations = 1});
    return cudaSuccess;
  });
}

// The executable graph, which lives on if it is destroyed meanwhile.
std::shared_ptr<Executable> find_executable(cudaGraphExec_t executable) {
  Graphs& graphs = Graphs::get();
  const std::lock_guard lock(graphs.mutex);
  const auto found = graphs.executables.find(executable);
  return found == graphs.executables.end() ? nullptr : found->second;
}

}  // namespace

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph,
                                 unsigned long long flags) {
  return instantiate(executable, graph, flags);
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* executable, cudaGraph_t graph,
                                          unsigned long long flags) {
  return instantiate(executable, graph, flags);
}

cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t* executable, cudaGraph_t graph,
                                           cudaGraphInstantiateParams* parameters) {
  if (parameters == nullptr) return report(cudaErrorInvalidValue);
  const unsigned long long flags = parameters->flags;
  parameters->errNode_out = nullptr;
  parameters->result_out = cudaGraphInstantiateError;
  cudaError_t error = cudaSuccess;
  if ((flags & cudaGraphInstantiateFlagUpload) != 0) error = check_stream(parameters->uploadStream);
  if (error != cudaSuccess) return report(error);
  Structure structure;
  error = instantiate(executable, graph,
                      flags & ~static_cast<unsigned long long>(cudaGraphInstantiateFlagUpload),
                      &structure);
  if (error == cudaSuccess || structure.error != cudaSuccess) {
    parameters->result_out = structure.result;
    parameters->errNode_out = structure.node;
  }
  return error;
}

cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t executable, unsigned long long* flags) {
  if (flags == nullptr) return report(cudaErrorInvalidValue);
  return with_executable(executable, [&](const Executable& live) {
    // The driver does not tell this one.
    *flags = live.flags & ~static_cast<unsigned long long>(cudaGraphInstantiateFlagUseNodePriority);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable) {
  const std::shared_ptr<Executable> live = find_executable(executable);
  if (!live) return report(cudaErrorInvalidValue);
  return device_call([&] {
    // What its launches have been given has to live until they are done.
    if (!live->references.empty()) live->wait();
    Graphs& graphs = Graphs::get();
    const std::lock_guard lock(graphs.mutex);
    graphs.executables.erase(executable);
    note_graph_calls({.destroyed_executables = 1});
    return cudaSuccess;
  });
}

cudaError_t cudaGraphUpload(cudaGraphExec_t executable, cudaStream_t stream) {
  return device_call([&] {
    if (const cudaError_t error = check_stream(stream); error != cudaSuccess) return error;
    if (!find_executable(executable)) return cudaErrorInvalidValue;
    return refuse_if_captured(stream);
  });
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream) {
  return device_call([&] {
    if (const cudaError_t error = check_stream(stream); error != cudaSuccess) return error;
    const std::shared_ptr<Executable> live = find_executable(executable);
    if (!live) return cudaErrorInvalidValue;
    if (const cudaError_t error = refuse_if_captured(stream); error != cudaSuccess) return error;
    return live->launch(stream);
  });
}
