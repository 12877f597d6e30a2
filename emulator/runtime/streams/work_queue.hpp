#pragma once
/// \file
/// Work that waits in streams, and what each piece of it has to wait for. Used only while
/// !is_straight_through(): everything that a program asks of a stream is a task (tasks.hpp) that is
/// either performed in the call, or put here.
///
/// A piece waits for the one before it in its stream, for one more if it is told to (an event), and
/// by the rules of the legacy default stream: its work waits for all that was issued to blocking
/// streams before, and theirs for its. Nothing waits for what was issued later, so that the order
/// of issue is always a legal one.

#include <cstdint>
#include <optional>
#include <vector>

#include "base/call_site.hpp"
#include "base/devices/device_turns.hpp"
#include "base/rooms.hpp"
#include "emulator/host/host_types.h"
#include "events/stream_watcher.hpp"
#include "events/tasks.hpp"

namespace emulator::streams {

/// When a piece is run that comes to its turn.
enum class Runs {
  unless_failed,  ///< not once a kernel has failed
  always,
  also_at_exit  ///< and even if the program ends without having waited for it
};

/// The stream behind a live handle (streams.cpp).
StreamInQueue in_queue(cudaStream_t stream);

/// Puts a task at the end of a stream. In the order of issue it is done before this returns.
/// \param after waits for these, too
Ticket enqueue(const StreamInQueue& stream, Task task, const std::vector<Ticket>& after,
               Runs runs = Runs::unless_failed);
Ticket enqueue(cudaStream_t stream, Task task, Ticket after = 0, Runs runs = Runs::unless_failed);

/// While one lives, this thread does a stream's work itself, in the call that asks for it: what has
/// to come before is done. For what cannot wait: a library's call, a launch whose arguments cannot
/// be kept.
class InPlace {
 public:
  InPlace(cudaStream_t stream, const char* name);
  ~InPlace();
  InPlace(const InPlace&) = delete;
  InPlace& operator=(const InPlace&) = delete;

  /// The call returns only when its work is done, as it hands a result to the host.
  void host_waits() { host_waits_ = true; }

 private:
  Ticket ticket_ = 0;  // 0: straight through
  bool was_at_work_ = false;
  bool host_waits_ = false;
  std::optional<DeviceTurn> turn_{};
};

/// While one lives, all that this thread puts into streams is of one call: the launch of a graph.
class OneCall {
 public:
  OneCall();
  ~OneCall();
  OneCall(const OneCall&) = delete;
  OneCall& operator=(const OneCall&) = delete;
};

bool is_watched();

/// While one lives, the piece that this thread runs is at a body, or a node in it.
class RunningRound {
 public:
  explicit RunningRound(std::size_t parts);
  ~RunningRound();
  RunningRound(const RunningRound&) = delete;
  RunningRound& operator=(const RunningRound&) = delete;
};
class RunningPart {
 public:
  explicit RunningPart(const BodyPart& part);
  ~RunningPart();
  RunningPart(const RunningPart&) = delete;
  RunningPart& operator=(const RunningPart&) = delete;
};

bool is_done(Ticket ticket);

/// For the host to wait: runs the piece of work, and whatever has to come before.
void wait_for(Ticket ticket);
/// The same for all that is in a stream; and for all that is in any.
void wait_for_stream(cudaStream_t stream);
void wait_for_all();
void wait_for_device(int device);

/// Runs all that has been issued, for code that looks at a program from outside: nobody has waited.
/// Nothing if it is called from a piece of work.
void settle();

/// Whether the work is done, for the functions that ask. If it is not, some of it is run, so that
/// asking again and again comes to an end.
bool ask_whether_done(Ticket ticket);
bool ask_whether_done(cudaStream_t stream);

/// The program ends: of the work that nobody has waited for, only what tidies up is done.
void tidy_up_queue();

}  // namespace emulator::streams
