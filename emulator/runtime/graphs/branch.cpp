#include "graphs/branch.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <type_traits>
#include <variant>

#include "base/call_site.hpp"
#include "base/copy_waits.hpp"
#include "base/watchdog.hpp"
#include "events/findings.hpp"
#include "events/stream_work.hpp"
#include "graphs/conditions.hpp"
#include "streams/event_records.hpp"
#include "streams/order.hpp"

namespace emulator::graphs {
namespace {

const char* name_of(cudaGraphConditionalNodeType type) {
  switch (type) {
    case cudaGraphCondTypeIf:
      return "an IF node";
    case cudaGraphCondTypeWhile:
      return "a WHILE node";
    case cudaGraphCondTypeSwitch:
      break;
  }
  return "a SWITCH node";
}

// The body that the value chooses, or null.
const std::vector<Step>* chosen(const Step& step, unsigned value) {
  const auto body = [&](std::size_t i) {
    return i < step.bodies.size() ? &step.bodies[i] : nullptr;
  };
  switch (step.work.choice.type) {
    case cudaGraphCondTypeIf:
      return body(value != 0 ? 0 : 1);
    case cudaGraphCondTypeWhile:
      return value != 0 ? body(0) : nullptr;
    case cudaGraphCondTypeSwitch:
      break;
  }
  return body(value);
}

bool has_kernel(const std::vector<Step>& steps) {
  return std::ranges::any_of(steps, [](const Step& step) {
    return (step.is_enabled && std::holds_alternative<KernelTask>(step.work.task)) ||
           std::ranges::any_of(step.bodies, has_kernel);
  });
}

void perform_in_body(const std::vector<Step>& body, std::size_t i) {
  const Step& step = body[i];
  const RunningPart part({i, step.lane, step.after, step.work.task});
  if (!step.is_enabled) return;
  perform(step);
  if (std::holds_alternative<KernelTask>(step.work.task)) note_graph_calls({.kernels = 1});
}

// In a random order any step that waits for nothing is next.
void perform_body(const std::vector<Step>& body) {
  const RunningRound round(body.size());
  if (chosen_order != Order::random) {
    for (std::size_t i = 0; i < body.size(); ++i) perform_in_body(body, i);
    return;
  }
  std::vector<std::size_t> missing;
  std::vector<std::size_t> ready;
  for (const Step& step : body) {
    if (step.after.empty()) ready.push_back(missing.size());
    missing.push_back(step.after.size());
  }
  while (!ready.empty()) {
    const auto next = ready.begin() + static_cast<std::ptrdiff_t>(draw_below(ready.size()));
    const std::size_t done = *next;
    ready.erase(next);
    perform_in_body(body, done);
    for (std::size_t i = 0; i < body.size(); ++i) {
      const auto waits = std::ranges::count(body[i].after, done);
      if (waits != 0 && (missing[i] -= static_cast<std::size_t>(waits)) == 0) ready.push_back(i);
    }
  }
}

void find(const char* kind, const std::string& what, const char* remedy, const char* event) {
  Finding finding;
  finding.kind = kind;
  finding.what = what;
  finding.remedy = remedy;
  set_place(finding, call_stack(), event);
  add_finding(std::move(finding));
  print_new_findings();
}

void find_unset(const Step& step) {
  if (!details_wanted()) return;
  find("uninitialised",
       std::string(name_of(step.work.choice.type)) +
           " of a graph looks at a value that nothing in this launch has set before",
       "make the handle with cudaGraphCondAssignDefault, or let a kernel that the node comes after "
       "call cudaGraphSetConditional()",
       "launched here");
}

void fail_endless(unsigned value) {
  const std::string what = "a WHILE node of a graph never ends: its value is " +
                           std::to_string(value) + ", and its body has no kernel that could set it";
  set_sticky_error(cudaErrorLaunchFailure);
  if (details_wanted()) {
    return find("failed-kernel", what,
                "let a kernel in the body call cudaGraphSetConditional() with 0", "launched here");
  }
  std::fflush(stdout);
  std::fprintf(stderr, "emulator: error: %s\n", what.c_str());
}

// A loop that takes long may have much to do, or wait for what never comes.
class Rounds {
 public:
  void ended(unsigned value) {
    ++count_;
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - began_;
    if (told_ || watchdog_delay() <= 0 || time.count() < watchdog_delay()) return;
    told_ = true;
    std::fflush(stdout);
    std::fprintf(
        stderr,
        "emulator: note: a WHILE node of a graph has been running for %.3g s, its body has run "
        "%llu times, and its value is %u: it ends once a kernel in the body sets it to 0\n",
        time.count(), count_, value);
  }

 private:
  const std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  unsigned long long count_ = 0;
  bool told_ = false;
};

void perform_branch(const Step& step) {
  const bool loops = step.work.choice.type == cudaGraphCondTypeWhile;
  const Condition& condition = *step.work.choice.condition;
  Rounds rounds;
  while (sticky_error() == cudaSuccess) {
    const auto [value, is_set] = condition.look();
    if (!is_set) find_unset(step);
    const std::vector<Step>* const body = chosen(step, value);
    if (body == nullptr) return;
    if (loops && !has_kernel(*body)) return fail_endless(value);
    perform_body(*body);
    if (!loops) return;
    rounds.ended(value);
  }
}

// What is wrong with a node in a body, and what an instantiation calls that.
struct Fault {
  const char* what = nullptr;
  cudaGraphInstantiateResult result = cudaGraphInstantiateNodeOperationNotSupported;
};

// What CUDA's guide permits in a body, "Conditional Node Body Graph Requirements". To a driver,
// pageable memory is another device's: measured for copies, on an H200.
Fault fault_of(const Work& work) {
  const auto is_pageable = [](const Box& box) { return side_of(box.origin) == Side::pageable; };
  switch (work.type) {
    case cudaGraphNodeTypeKernel:
    case cudaGraphNodeTypeEmpty:
    case cudaGraphNodeTypeGraph:
    case cudaGraphNodeTypeConditional:
      return {};
    case cudaGraphNodeTypeMemcpy: {
      const auto& copy = std::get<CopyTask>(work.task);
      if (!is_pageable(copy.to) && !is_pageable(copy.from)) return {};
      return {"a copy from or to pageable memory of the host's",
              cudaGraphInstantiateMultipleDevicesNotSupported};
    }
    case cudaGraphNodeTypeMemset:
      if (!is_pageable(std::get<SetTask>(work.task).box)) return {};
      return {"a memset of pageable memory of the host's",
              cudaGraphInstantiateMultipleDevicesNotSupported};
    case cudaGraphNodeTypeHost:
      return {"a host function"};
    case cudaGraphNodeTypeWaitEvent:
    case cudaGraphNodeTypeEventRecord:
      return {"an event"};
    case cudaGraphNodeTypeMemAlloc:
    case cudaGraphNodeTypeMemFree:
      return {"an allocation or a free"};
    default:
      return {"a node that is not modelled"};
  }
}

void tell(const std::string& reason, const char* remedy) {
  if (details_wanted()) find("invalid-launch", reason, remedy, "instantiated here");
}

Structure check_nodes(const Graph& graph, bool is_in_body) {
  for (const auto& [handle, node] : graph.nodes) {
    if (const Fault fault = is_in_body ? fault_of(node.work) : Fault{}; fault.what != nullptr) {
      tell(std::string("the body of a conditional node holds ") + fault.what,
           "put into a body only kernels, copies and memsets of memory that the device reaches, "
           "empty nodes, child graphs and conditional nodes");
      return {cudaErrorInvalidValue, fault.result, handle};
    }
    if (node.work.child) {
      const Structure inner = check_nodes(*node.work.child, is_in_body);
      if (inner.error != cudaSuccess) return inner;
    }
    for (const auto& body : node.work.choice.bodies) {
      const Structure inner = check_nodes(*body, /*is_in_body=*/true);
      if (inner.error != cudaSuccess) return inner;
    }
  }
  if (std::ranges::all_of(graph.conditions, [](const auto& one) { return one->has_node; })) {
    return {};
  }
  tell("a handle that cudaGraphConditionalHandleCreate() made for it has no conditional node",
       "add a node with that handle, or do not make it");
  return {cudaErrorInvalidValue, cudaGraphInstantiateConditionalHandleUnused, nullptr};
}

void add_conditions(const Graph& graph, std::vector<std::shared_ptr<Condition>>& all) {
  for (const auto& [handle, node] : graph.nodes) {
    if (node.work.choice.condition) all.push_back(node.work.choice.condition);
    for (const auto& body : node.work.choice.bodies) add_conditions(*body, all);
    if (node.work.child) add_conditions(*node.work.child, all);
  }
}

}  // namespace

Structure check_conditional_nodes(const Graph& graph) {
  return check_nodes(graph, /*is_in_body=*/false);
}

std::vector<std::shared_ptr<Condition>> conditions_of(const Graph& graph) {
  std::vector<std::shared_ptr<Condition>> all;
  add_conditions(graph, all);
  return all;
}

void perform(const Step& step) {
  if (step.work.type == cudaGraphNodeTypeConditional) return perform_branch(step);
  const auto perform_one = [](const auto& task) {
    using T = std::decay_t<decltype(task)>;
    if constexpr (std::is_same_v<T, RecordTask>) {
      note_record(task.event, 0);
    } else if constexpr (!std::is_same_v<T, WaitTask>) {
      task.perform();
    }
  };
  const bool is_for_later = step.work.type == cudaGraphNodeTypeMemFree;
  if (sticky_error() == cudaSuccess || is_for_later) std::visit(perform_one, step.work.task);
}

}  // namespace emulator::graphs

namespace emulator::events {

using namespace graphs;

void AssignTask::perform() const {
  for (const auto& condition : *conditions) condition->begin_launch();
}

void BranchTask::perform() const {
  if (branch != nullptr) perform_branch(branch->step);
}

}  // namespace emulator::events
