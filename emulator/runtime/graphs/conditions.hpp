#pragma once
/// \file
/// The values that conditional nodes look at. A program knows one by its handle; kernels set it.

#include <atomic>
#include <memory>

#include "base/rooms.hpp"
#include "emulator/host/graph_types.h"
#include "streams/work_queue.hpp"

namespace emulator::graphs {

/// A value of one graph's. It is in memory of the device, as far as the checks are concerned: a
/// kernel that sets it writes that, and a node that looks at it reads it, so that whatever finds
/// two that nothing orders also finds these.
class Condition {
 public:
  /// Null if the host has not that much memory to give.
  static std::shared_ptr<Condition> create(cudaGraph_t graph, unsigned initial, bool has_initial);
  /// The value with that handle, if something still refers to it.
  static std::shared_ptr<Condition> find(cudaGraphConditionalHandle handle);
  ~Condition();
  Condition(const Condition&) = delete;
  Condition& operator=(const Condition&) = delete;

  cudaGraphConditionalHandle handle() const { return handle_; }
  /// The graph for which it was made.
  cudaGraph_t graph() const { return graph_; }
  unsigned* word() const { return word_; }

  /// A launch of the graph is being issued; all of it is, and ends with that piece of work.
  void issue_begins() { last_of_launch_ = being_issued; }
  void issued_up_to(Ticket last) { last_of_launch_ = last; }
  /// Whether a launch of the graph may be under way: no other kernel can set the value.
  bool is_in_launch() const;
  /// A launch of the graph begins: from now on the value is the initial one, if there is one.
  void begin_launch();
  /// A thread of a kernel sets it.
  void set(unsigned value);
  /// What a node finds, and whether this launch has given it that value.
  struct Found {
    unsigned value;
    bool is_set;
  };
  Found look() const;

  bool has_node = false;  ///< under the mutex of Graphs

 private:
  static constexpr Ticket being_issued = ~Ticket{0};

  Condition(cudaGraph_t graph, unsigned initial, bool has_initial, unsigned* word);

  cudaGraphConditionalHandle handle_;
  cudaGraph_t graph_;
  unsigned initial_;
  bool has_initial_;
  unsigned* word_;
  std::atomic<bool> is_set_{false};
  std::atomic<Ticket> last_of_launch_{0};
};

}  // namespace emulator::graphs
