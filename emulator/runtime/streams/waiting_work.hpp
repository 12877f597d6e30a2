#pragma once
/// \file
/// The pieces of work that wait, and what each of them waits for.

#include <algorithm>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <vector>

#include "base/call_site.hpp"
#include "streams/work_queue.hpp"

namespace emulator::streams {

/// One piece of work.
struct Piece {
  Task task;
  std::vector<Ticket> after;
  Runs runs;
  CallStack issued_at;       // empty if the checks were off
  bool is_in_place = false;  // the thread that issued it does the work, and nobody else
  int device = 0;            // its stream's
  bool is_aside = false;     // a launch that has begun, on a host thread of its own
};

/// The last piece of a stream.
struct Tail {
  Ticket last;
  Blocks blocks;
};

/// All that waits.
struct Queue {
  std::mutex mutex;               // of the members below
  std::map<Ticket, Piece> waits;  // also the one that is being run
  std::map<std::uint64_t, Tail> tails;
  Ticket last = 0;
  std::vector<Watcher*> watchers;
  std::condition_variable one_is_done;

  // The thread that runs work. Held for as long as it takes, so that others can issue in the
  // meantime. A host function in a stream may not wait for anything, and the emulator's own work
  // does not.
  std::mutex running;

  bool is_done(Ticket ticket) const { return !waits.contains(ticket); }

  bool is_ready(const Piece& piece) const {
    return !piece.is_in_place &&
           std::ranges::all_of(piece.after, [&](Ticket other) { return is_done(other); });
  }

  // Launches that have begun and not ended, each on a host thread of its own.
  std::size_t aside = 0;

  bool has_ready() const {
    return std::ranges::any_of(waits, [this](const auto& entry) { return is_ready(entry.second); });
  }

  // Numbers the piece and puts it into the queue. The mutex is held.
  Ticket add(const StreamInQueue& in, Piece piece, const std::vector<Ticket>& after);
};

/// Never destroyed: destructors of the program's static objects may still use streams.
Queue& queue();

/// Calls `tell` with each watcher.
template <class Tell>
void tell_watchers(Tell tell) {
  for (Watcher* const watcher : queue().watchers) tell(*watcher);
}

/// What has to run so that the piece is done, in the order of issue.
std::vector<Ticket> needed_for(Ticket ticket);

/// One of the pieces that wait for nothing any more, and the first one of them; 0 if there is none.
Ticket any_ready();
Ticket first_ready();

/// The last pieces of the streams that a wait for this one waits for. For the legacy default
/// stream these are also the streams that it waits for itself.
std::vector<Ticket> tails_of(cudaStream_t stream);
/// The last pieces of all streams, or of those of a device.
std::vector<Ticket> all_tails(std::optional<int> device = {});

}  // namespace emulator::streams
