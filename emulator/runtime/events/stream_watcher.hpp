#pragma once
/// \file
/// What streams announce, and to whom.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/call_site.hpp"
#include "base/devices/devices.hpp"
#include "base/rooms.hpp"
#include "emulator/host/host_types.h"
#include "events/tasks.hpp"

namespace emulator::events {

/// A piece of work, by its number in the order of issue. 0 is none, and counts as done.
using Ticket = std::uint64_t;

/// How a stream relates to the legacy default stream; or whether it is not a stream but a row of a
/// graph's nodes, which wait only for their edges.
enum class Blocks { is_legacy, blocking, non_blocking, beside };

/// A stream as the queue sees it. Its number is never that of another one, even when it is gone.
struct StreamInQueue {
  std::uint64_t number;
  Blocks blocks;
  int device = device_of_number(number);
};

/// A node in the body of a conditional node.
struct BodyPart {
  std::size_t index;                      ///< in the body
  std::uint64_t lane;                     ///< of the nodes that come one after the other; 0: of all
  const std::vector<std::size_t>& after;  ///< the parts that it waits for
  const Task& task;
};

/// An observer of what the streams do: the checks, the timeline. Each function is called in
/// the thread that issues, runs or waits; any may be called by several at once.
class Watcher {
 public:
  virtual ~Watcher() = default;

  /// A task has been issued. The queue is locked in the meantime.
  struct Issued {
    Ticket ticket;
    const Task& task;
    StreamInQueue stream;
    const std::vector<Ticket>& after;  ///< all that it waits for, whether that is done or not
    const CallStack& at;
    bool is_of_last_call;  ///< of the call that issued the piece before, in this thread
  };
  virtual void issued(const Issued&) {}
  virtual void begins(Ticket) {}
  virtual void ended(Ticket) {}
  /// The piece is a conditional node of a graph, and runs a body of that many nodes, each of them a
  /// part. In a part that is a conditional node itself there are rounds again.
  virtual void round_begins(Ticket, std::size_t) {}
  virtual void part_begins(Ticket, const BodyPart&) {}
  virtual void part_ended(Ticket) {}
  virtual void round_ended(Ticket) {}
  /// The calling host thread has waited for these: they are done, and it knows.
  virtual void host_waited(const std::vector<Ticket>&) {}
};

/// From now on nothing goes straight through any more, until the last watcher is gone. To be called
/// while no other thread uses streams.
void add_watcher(Watcher& watcher);
void remove_watcher(Watcher& watcher);

}  // namespace emulator::events
